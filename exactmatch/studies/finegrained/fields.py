"""Fields of JSON documents, over a corpus: ``finegrained --style json``."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from exactmatch.base.errors import InputError, unknown
from exactmatch.base.numbers import Share, fixed, several
from exactmatch.metrics.json.differences import ComparedDocuments
from exactmatch.metrics.json.fields import Field, Fields, Items
from exactmatch.metrics.json.infer import inferred
from exactmatch.metrics.json.patterns import Rules
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.run import Run
from exactmatch.studies.pairs import finish
from exactmatch.views.tables import Column, Row, Table, Tables

MOST_ROWS = 50
"""Rows of a table for people, at most."""

MOST_LEAVES = 200_000
"""Leaves among which the field that loses most is searched, at most."""

_COUNTS = ("gold", "pred", "equal", "similar", "wrong", "missing", "extra")
_RATIOS = (("precision", "P"), ("recall", "R"), ("f1", "F1"))


@dataclass(frozen=True, eq=False, repr=False)
class FieldsReport(Report):
    """Score of a corpus of JSON documents, with the table by field.

    Attributes:
        fields: the leaves of each field, in the order of the references.
        items: the items of each list of objects.
        mean: the mean of the fields' F1; ``None`` without fields.
        right: how many documents are entirely right.
        n_ambiguous: in how many pairs another best matching has other fields.
        unique: whether there is no such pair; ``None`` where that is not known.
    """

    fields: tuple[Field, ...] = ()
    items: tuple[Items, ...] = ()
    mean: float | None = None
    right: int = 0
    n_ambiguous: int = 0
    unique: bool | None = True


KEPT: dict[str, Any] = {"keep_pairs": False, "keep_problems": True}
"""Settings of a run whose documents are looked at one by one."""


def of_fields(
    run: Run,
    names: Collection[str] | None,
    reporter: Listener,
    *takers: Callable[[PairResult], None],
) -> FieldsReport:
    """Score JSON documents, and count the leaves of each field.

    Args:
        run: the pairs, opened with settings :data:`KEPT`.
        names: only these fields; ``None`` for all.
        reporter: gets the report.
        *takers: get each pair, with its documents.
    """
    table, right = Fields(), 0
    unique: Counter[bool | None] = Counter()

    def take(result: PairResult) -> None:
        nonlocal right
        right += result.statistics[-1] == 1
        if result.documents is not None:
            table.add(result.documents)
            unique[result.documents.are_unique()] += 1

    report = finish(run, reporter, "scoring", take, *takers)
    values = {
        attribute.name: getattr(report, attribute.name)
        for attribute in dataclasses.fields(report)
        if attribute.init
    }
    fields = table.fields()
    if names is not None:
        for name in names:
            if name not in {field.field for field in fields}:
                field_names = [field.field for field in fields]
                raise InputError(f"--scores: {unknown('field', name, field_names)}")
        fields = [field for field in fields if field.field in names]
    return FieldsReport(
        **values,
        fields=tuple(fields),
        items=tuple(table.items()),
        mean=table.mean(),
        right=right,
        n_ambiguous=unique[False],
        unique=False if unique[False] else None if unique[None] else True,
    )


def fields_tables(report: FieldsReport, digits: int) -> Tables:
    """Show the table by field."""
    number = Share(digits)
    columns = (
        Column("field", "field"),
        *(Column(name, name) for name in _COUNTS),
        *(Column(name, title, number) for name, title in _RATIOS),
    )
    rows = list(_rows(report))
    (score,) = report.scores
    pairs = several(score.pairs, "pair")
    return Tables(
        "Fields",
        (Table(pairs, columns, rows[:MOST_ROWS]),),
        {
            "fields": [field.to_dict() for field in report.fields],
            "items": [field.to_dict() for field in report.items],
            "score": score.score.to_dict(),
            "mean_of_fields": report.mean,
            "right": report.right,
            "unique": report.unique,
            "pairs": score.pairs,
        },
        notes=[*_notes(report, len(rows), digits)],
        signatures=[score.signature],
        rows=Table(
            "", tuple(map(Column, _NAMES)), [f.to_dict() for f in report.fields]
        ),
        lines=[field.to_dict() for field in report.fields],
    )


_NAMES = ("field", *_COUNTS, "precision", "recall", "f1", "accuracy")


def _rows(report: FieldsReport) -> Iterator[Row]:
    """Yield the rows: fields, and behind those of a list its items."""
    items = {field.field: field for field in report.items}
    for number, field in enumerate(report.fields):
        yield field.to_dict()
        behind = report.fields[number + 1 :]
        for name in [*items]:
            is_last = not any(_is_in(later.field, name) for later in behind)
            if _is_in(field.field, name) and is_last:
                yield _row_of_items(items.pop(name))


def _is_in(field: str, items: str) -> bool:
    return field.startswith(items)


def _row_of_items(items: Items) -> Row:
    """Return the row of a list's items, which are matched or not."""
    row = items.to_dict()
    dashes = dict.fromkeys(("equal", "similar", "wrong"), "–")
    return {**{k: row[k] for k in ("field", "gold", "pred")}, **dashes} | {
        "missing": row["missing"],
        "extra": row["extra"],
    }


def _notes(report: FieldsReport, rows: int, digits: int) -> Iterator[str]:
    (score,) = report.scores
    mean = "" if report.mean is None else f"; mean of fields {fixed(report.mean, 4)}"
    yield f"{score.score!r}{mean}"
    yield f"{report.right} of {several(score.pairs, 'document')} entirely right"
    if (worst := worst_field(report.fields)) is not None:
        yield f"most is lost in {worst.field}: F1 {fixed(worst.f1, digits)}"
    if report.n_ambiguous:
        pairs = several(report.n_ambiguous, "pair")
        yield f"in {pairs} another best matching of items has other fields"
    if rows > MOST_ROWS:
        yield f"{rows - MOST_ROWS:,} more rows; --format csv has all of them"
    yield from trouble(report)


def worst_field(fields: Iterable[Field]) -> Field | None:
    """Return the field that loses most of the score; ``None`` if none loses any."""
    worst = max(fields, key=lost, default=None)
    return None if worst is None or lost(worst) <= 0 else worst


class DocumentsAnswer:
    """Counts of right documents, and the field that loses most, beside a score."""

    def __init__(self) -> None:
        self._fields = Fields()
        self._pairs = self._right = self._leaves = 0
        self._looked_at = 0
        self._references: list[Any] = []
        self._rules: Rules | None = None

    def take(self, result: PairResult) -> None:
        """Add a pair; fields are counted until there are very many leaves."""
        self._pairs += 1
        self._right += result.statistics[-1] == 1
        if self._leaves < MOST_LEAVES:
            self._looked_at += 1
            self._leaves += self._fields.add(result.documents)
            documents: ComparedDocuments = result.documents
            self._rules = documents.rules
            if not documents.rules.ids:
                self._references.append(documents.trees[1].document.value)

    def sentences(self, digits: int) -> list[str]:
        """Return the sentences below the score."""
        return [*self._results(digits), *self._identifiers()]

    def _identifiers(self) -> Iterator[str]:
        """Name fields that look like identifiers, whose values count as any others."""
        if self._rules is None or not self._references:
            return
        ids, _ = inferred(self._references, self._rules)
        if ids:
            ways = "looks like an identifier", "look like identifiers"
            names = f"{', '.join(ids)} {ways[len(ids) > 1]}"
            yield f"{names}; --id-paths auto compares what identifiers name"

    def _results(self, digits: int) -> list[str]:
        right = f"{self._right} of {several(self._pairs, 'document')} entirely right"
        worst = worst_field(self._fields.fields())
        if worst is None:
            return [right]
        among = ""
        if self._looked_at < self._pairs:
            among = f" among the first {self._looked_at:,} pairs"
        mean = fixed(self._fields.mean() or 0.0, digits)
        return [
            f"{right}; mean of fields {mean}",
            f"most is lost in {worst.field}: F1 {fixed(worst.f1, digits)}{among}; "
            "exactmatch finegrained --style json shows every field",
        ]


def lost(field: Field) -> float:
    """Return how much of the score a field loses."""
    return _most(field) - float(field.matched)


def _most(field: Field) -> float:
    """Return what a field would match if it were entirely right."""
    return (float(field.pred_total) + float(field.gold_total)) / 2
