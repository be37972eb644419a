"""Errors of JSON documents: the table by field, and the pairs of each field."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import fixed, percent, several
from exactmatch.metrics.json.corrections import difference_text, shown
from exactmatch.metrics.json.differences import Difference
from exactmatch.metrics.json.fields import Field, Fields
from exactmatch.scoring.report import trouble
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.results import PairResult, name_of, pair_record
from exactmatch.scoring.selection import numbered
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.answer import Answer
from exactmatch.studies.errors.options import ErrorsOptions
from exactmatch.studies.finegrained.fields import KEPT, lost, worst_field
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import opened, refuse_pipes
from exactmatch.views.tables import Column, Row, Table, Tables

MOST_FIELDS = 50
"""Fields of the table for people, at most."""

_HOW = ("equal", "similar", "wrong", "missing", "extra")


class FieldError(NamedTuple):
    """Leaf of a pair that is not equal.

    Attributes:
        place, id: the number of the pair, from 0, and its id.
        difference: both values, with their paths.
    """

    place: int
    id: str | None
    difference: Difference


@dataclass(frozen=True, eq=False)
class SystemErrors:
    """Errors of one system's documents.

    Attributes:
        pairs: the number of pairs.
        right: the number of documents that are entirely right.
        fields: the leaves of each field, those that lose most first.
        errors: the leaves that are not equal, by field, in the order of the pairs.
        notes: remarks on the run, such as unreadable answers.
    """

    pairs: int
    right: int
    fields: tuple[Field, ...]
    errors: Mapping[str, tuple[FieldError, ...]]
    notes: tuple[str, ...] = ()

    @cached_property
    def shares(self) -> dict[str, float]:
        """The share of each field in the loss of the score."""
        total = math.fsum(map(lost, self.fields))
        return {
            field.field: lost(field) / total if total else 0.0 for field in self.fields
        }

    def pairs_with(self, field: str) -> int:
        """Return the number of pairs in which a field is not equal."""
        return len({error.place for error in self.errors.get(field, ())})


@dataclass(frozen=True, eq=False, repr=False)
class DocumentErrors(Answer):
    """Errors of JSON documents, of one system or several.

    Attributes:
        systems: each system's fields and errors.
        signatures: each system's signature.
        chosen_of: the number of pairs that the counted ones were chosen from, if any.

    >>> import exactmatch
    >>> pred, gold = {"a": 1, "b": "red pens"}, {"a": 2, "b": "red pen"}
    >>> found = exactmatch.studies.errors([pred], [gold], metric="json")
    >>> system = found.systems["predictions"]
    >>> [(one.field, round(system.shares[one.field], 2)) for one in system.fields]
    [('a', 0.8), ('b', 0.2)]
    >>> error, = system.errors["a"]
    >>> error.place, error.difference.pred, error.difference.gold
    (0, 1, 2)
    """

    VIEW = "exactmatch.studies.errors.documents:field_tables"

    systems: Mapping[str, SystemErrors]
    signatures: tuple[str, ...]
    chosen_of: int | None = None

    @property
    def shares(self) -> dict[str, dict[str, float]]:
        """Each system's shares of the lost F1, by field."""
        return {name: system.shares for name, system in self.systems.items()}


def document_errors(options: ErrorsOptions, reporter: Listener) -> DocumentErrors:
    """Score each system's documents, and list the leaves that are not equal."""
    metrics = [options.one_metric("errors of documents")]
    sides = [*options.systems().values(), options.golds]
    refuse_pipes([path for side in sides for path in paths_of(side)])
    selection = selection_of(vars(options))
    counted, number, shown_pairs = selection.of_scored, None, None
    systems, signatures = {}, []
    for name, preds in options.systems().items():
        run = opened(preds, options.golds, options, metrics, reporter, **KEPT)
        run.choose(counted)
        collector = _Collector()
        kept: list[PairResult] | None = [] if selection.of_shown else None
        with closing(run.results(f"scoring {name}")) as results:
            for result in results:
                if kept is None:
                    collector.add(result)
                else:
                    kept.append(result)
        if number is None and run.evaluation.chosen is not None:
            number = run.evaluation.chosen.seen
            counted = numbered(run.evaluation.chosen.indices)
        if kept is not None:
            if shown_pairs is None:  # the first system chooses
                rows = selection.of_shown.chosen(kept, pair_record)
                shown_pairs = {result.index for result in rows}
                number = number or len(kept)
            for result in kept:
                if result.index in shown_pairs:
                    collector.add(result)
        report = run.evaluation.report()
        reporter.scored(report)
        signatures.append(report.scores[0].signature)
        systems[name] = collector.errors(tuple(trouble(report)))
    return DocumentErrors(systems, tuple(signatures), number)


class _Collector:
    """Collector of the fields and errors of pairs."""

    def __init__(self) -> None:
        self._fields = Fields()
        self._errors: dict[str, list[FieldError]] = {}
        self._pairs = self._right = 0

    def add(self, result: PairResult) -> None:
        """Add a pair, which has its compared documents."""
        if result.documents is None:
            raise InputError("the documents of a pair were not kept")
        self._pairs += 1
        self._right += result.statistics[-1] == 1
        differences = result.documents.differences()
        self._fields.add(result.documents, differences)
        for leaf in differences.leaves:
            if leaf.outcome != "equal":
                error = FieldError(result.index, result.id, leaf)
                self._errors.setdefault(leaf.field, []).append(error)

    def errors(self, notes: tuple[str, ...]) -> SystemErrors:
        """Return the errors, the fields that lose most first."""
        fields = sorted(self._fields.fields(), key=lambda field: -lost(field))
        errors = {
            field.field: tuple(self._errors[field.field])
            for field in fields
            if field.field in self._errors
        }
        return SystemErrors(self._pairs, self._right, tuple(fields), errors, notes)


def field_tables(
    answer: DocumentErrors,
    show: int = 5,
    per_pair: bool = False,
    digits: int | None = None,
) -> Tables:
    """Return the table by field, and the pairs of each field that loses.

    *show* is the number of errors of each field; with *per_pair* all are shown.
    """
    decimals = 4 if digits is None else digits
    parts: list[Table] = []
    notes: list[str] = []
    records, flat = [], []
    for name, system in answer.systems.items():
        begin = f"{name}: " if len(answer.systems) > 1 else ""
        parts.append(_by_field(begin, system, decimals))
        listed = list(_listed(system, None if per_pair else show))
        if listed:
            parts.append(_of_errors(begin, listed))
        notes += [begin + note for note in _notes(system, answer.chosen_of, decimals)]
        records.append(_record(name, system))
        flat += [
            {"system": name, "field": field, **_error_record(error)}
            for field, errors in system.errors.items()
            for error in errors
        ]
    return Tables(
        "Errors",
        tuple(parts),
        {
            "systems": records,
            **({} if answer.chosen_of is None else {"chosen_of": answer.chosen_of}),
            "signatures": list(answer.signatures),
        },
        notes=notes,
        signatures=answer.signatures,
        rows=Table("", tuple(map(Column, ("system", "field", *_FIELDS))), flat),
        lines=flat,
    )


_FIELDS = ("index", "id", "how", "pred_path", "gold_path", "pred", "gold")


def _by_field(begin: str, system: SystemErrors, decimals: int) -> Table:
    def f1(value: Any) -> str:
        return fixed(value, decimals)

    columns = (
        Column("field", "field"),
        *(Column(outcome, outcome) for outcome in _HOW),
        Column("f1", "F1", f1),
        Column("share", "share %", percent(1)),
        Column("pairs", "pairs"),
    )
    rows = [_row(field, system) for field in system.fields[:MOST_FIELDS]]
    return Table(f"{begin}{several(system.pairs, 'pair')}, by field", columns, rows)


def _row(field: Field, system: SystemErrors) -> Row:
    counts = {outcome: getattr(field, outcome) for outcome in _HOW}
    share, pairs = system.shares[field.field], system.pairs_with(field.field)
    return {
        "field": field.field,
        **counts,
        "f1": field.f1,
        "share": share,
        "pairs": pairs,
    }


def _listed(
    system: SystemErrors, max_fields: int | None
) -> Iterator[tuple[str, str, FieldError]]:
    """Yield the errors of each field: its name on the first one, the pair's name."""
    for field, errors in system.errors.items():
        for number, error in enumerate(errors[:max_fields]):
            name = name_of(error.place, error.id)
            yield field if number == 0 else "", name, error


def _of_errors(begin: str, listed: list[tuple[str, str, FieldError]]) -> Table:
    columns = (
        Column("field", "field"),
        Column("pair", "pair", is_text=True),
        Column("error", "error", is_text=True),
    )
    rows: list[Row] = [
        {"field": field, "pair": name, "error": difference_text(error.difference)}
        for field, name, error in listed
    ]
    return Table(f"{begin}pairs of each field", columns, rows)


def _notes(system: SystemErrors, chosen_of: int | None, decimals: int) -> Iterator[str]:
    number = several(system.pairs, "document")
    if chosen_of is not None:
        number = f"{system.pairs:,} of {several(chosen_of, 'document')}"
    errors = sum(map(len, system.errors.values()))
    values = several(errors, "value")
    yield f"{number}, {values} not equal; {system.right} entirely right"
    if (worst := worst_field(system.fields)) is not None:
        yield f"most is lost in {worst.field}: F1 {fixed(worst.f1, decimals)}"
    if len(system.fields) > MOST_FIELDS:
        n_left_out = len(system.fields) - MOST_FIELDS
        yield f"{n_left_out:,} more fields; --format json has all of them"
    yield from system.notes


def _record(name: str, system: SystemErrors) -> dict[str, Any]:
    return {
        "system": name,
        "pairs": system.pairs,
        "right": system.right,
        "fields": [
            {
                **field.to_dict(),
                "share": system.shares[field.field],
                "errors": [
                    _error_record(error) for error in system.errors.get(field.field, ())
                ],
            }
            for field in system.fields
        ],
    }


def _error_record(error: FieldError) -> dict[str, Any]:
    leaf = error.difference
    values = {
        side: None if path is None else shown(value)
        for side, path, value in (
            ("pred", leaf.pred_path, leaf.pred),
            ("gold", leaf.gold_path, leaf.gold),
        )
    }
    paths = {"pred_path": leaf.pred_path, "gold_path": leaf.gold_path}
    return {
        "index": error.place,
        "id": error.id,
        "how": leaf.outcome,
        **paths,
        **values,
    }
