"""View of systems' errors: types in a table, and each pair's edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from exactmatch.base.numbers import percent, several
from exactmatch.engine.differences import Statement
from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.drawing.source_text import TripleWords, words_of_triples
from exactmatch.graphs.graph import INSTANCE, Graph
from exactmatch.scoring.results import name_of
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer
from exactmatch.studies.errors.errors import (
    ErrorCount,
    ErrorSums,
    ErrorType,
    PairErrors,
)
from exactmatch.views.tables import Column, Table, Tables, fields_table

if TYPE_CHECKING:  # the documents' half needs NumPy where no kernel is compiled
    from exactmatch.studies.errors.documents import DocumentErrors


@dataclass(frozen=True, eq=False, repr=False)
class Errors(Answer):
    """Errors of one system or several.

    Attributes:
        pairs: each system's errors, pair by pair.
        signatures: each system's signature of the alignments.
        lost: what the metric's reader left out of each system's graphs.
        chosen_of: the number of pairs that the counted ones were chosen from, if any.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG1 (d / dog))", "(b / bark-01 :ARG0 (d / dog))"
    >>> exactmatch.studies.errors([pred], [gold])
    1 pair, 2 differing triples; 0 pairs with several optimal alignments
    """

    VIEW = "exactmatch.studies.errors.view:tables"

    pairs: Mapping[str, tuple[PairErrors, ...]]
    signatures: tuple[str, ...]
    lost: Losses
    chosen_of: int | None = None

    @cached_property
    def counts(self) -> dict[str, list[ErrorCount]]:
        """Each system's errors: kinds with their types, the most costly first."""
        return {name: ErrorSums(pairs).counts() for name, pairs in self.pairs.items()}

    @property
    def shares(self) -> dict[str, dict[str, float]]:
        """Each system's shares of the lost F1, by kind of error."""
        return {
            name: {c.type.kind: c.share for c in counts if not c.type.detail}
            for name, counts in self.counts.items()
        }


def tables(
    answer: Errors, show: int = 5, per_pair: bool = False, digits: int | None = None
) -> Tables:
    """Return a table of the number and the cost of each type of error.

    *show* is the number of types of each kind.  *digits* has no effect: there are no
    scores.
    """
    del digits
    counts = answer.counts
    compares_systems = len(counts) > 1
    columns = [Column("error", "error")]
    for k, name in enumerate(counts):
        suffix = f" {name}" if compares_systems else ""
        columns += [
            Column(f"count_{k}", f"count{suffix}"),
            Column(f"range_{k}", f"range{suffix}"),
            Column(f"share_{k}", f"share %{suffix}", percent(1)),
        ]
    if not compares_systems:
        columns.append(Column("pairs_0", "pairs"))
    prefixes = {name: f"{name}: " if compares_systems else "" for name in counts}
    notes = [
        prefixes[name] + _about(pairs, answer.chosen_of)
        for name, pairs in answer.pairs.items()
    ]
    systems, flat = [], []
    for name, pairs in answer.pairs.items():
        records = [_record(each) for each in counts[name]]
        flat += [{"system": name, **r, "pairs": len(r["pairs"])} for r in records]
        shown = [_pair_record(pair) for pair in pairs]
        systems.append({"system": name, "errors": records, "per_pair": shown})
        if per_pair:
            notes += _edit_lines(prefixes[name], shown)
    return Tables(
        "Errors",
        (Table("errors, reference → prediction", tuple(columns), _rows(counts, show)),),
        {
            "systems": systems,
            **({} if answer.chosen_of is None else {"chosen_of": answer.chosen_of}),
            "signatures": list(answer.signatures),
        },
        notes=notes,
        signatures=answer.signatures,
        rows=fields_table(("system", *_FIELDS, "pairs"), flat),
    )


def draw(path: str, answer: Errors | DocumentErrors) -> None:
    """Draw the cost of each kind of error or field as bars, systems side by side."""
    from exactmatch.views.study_plots import grouped_bars

    shares = answer.shares
    kinds = dict.fromkeys(kind for by_kind in shares.values() for kind in by_kind)
    names = sorted(
        kinds, key=lambda kind: -max(s.get(kind, 0) for s in shares.values())
    )
    series = {name: [s.get(kind, 0.0) for kind in names] for name, s in shares.items()}
    label = "share of the lost F1"
    grouped_bars(path, names, series, label, lambda share: f"{100 * share:.1f} %")


_FIELDS = ("kind", "detail", "count", "least", "greatest", "triples", "share")


def _rows(
    counts: Mapping[str, Sequence[ErrorCount]], shown: int
) -> list[dict[str, Any]]:
    """Return a row for each kind and its most costly types, systems side by side."""
    counts_by_type = [
        {each.type: each for each in by_type} for by_type in counts.values()
    ]
    order = list(dict.fromkeys(kind for by_type in counts_by_type for kind in by_type))
    rows = []
    for kind in (kind for kind in order if not kind.detail):
        rows.append(_row(kind, kind.kind, counts_by_type))
        details = [each for each in order if each.kind == kind.kind and each.detail]
        rows += [
            _row(each, f"  {each.detail}", counts_by_type) for each in details[:shown]
        ]
    return rows


def _row(
    kind: ErrorType,
    title: str,
    counts_by_type: Sequence[Mapping[ErrorType, ErrorCount]],
) -> dict[str, Any]:
    row: dict[str, Any] = {"error": title}
    for k, by_type in enumerate(counts_by_type):
        each = by_type.get(kind) or ErrorCount(kind, 0, 0, 0, 0, 0.0, ())
        is_sure = each.least == each.greatest
        row[f"count_{k}"] = each.count
        row[f"range_{k}"] = "" if is_sure else f"{each.least}..{each.greatest}"
        row[f"share_{k}"] = each.share
        row[f"pairs_{k}"] = len(each.pairs)
    return row


def _record(each: ErrorCount) -> dict[str, Any]:
    counted = {name: getattr(each, name) for name in _FIELDS[2:]}
    return {**each.type._asdict(), **counted, "pairs": list(each.pairs)}


def _about(pairs: Sequence[PairErrors], chosen_of: int | None) -> str:
    """Say how many triples differ in how many pairs, and how certain the counts are."""
    differing = sum(edit.size for pair in pairs for edit in pair.differences.edits)
    ambiguous = sum(pair.optima > 1 for pair in pairs)
    number = several(len(pairs), "pair")
    if chosen_of is not None:
        number = f"{len(pairs):,} of {several(chosen_of, 'pair')}"
    sentence = (
        f"{number}, {several(differing, 'differing triple')}; "
        f"{several(ambiguous, 'pair')} with several optimal alignments"
    )
    if unlisted := sum(not pair.complete for pair in pairs):
        sentence += f", {unlisted} not fully enumerated: ranges may be wider"
    return sentence


def _edit_lines(begin: str, pairs: Sequence[dict[str, Any]]) -> Iterator[str]:
    for pair in pairs:
        yield begin + name_of(pair["index"], pair["id"])
        for record in pair["edits"]:
            triples = " → ".join(filter(None, (record["pred"], record["gold"])))
            yield f"  {record['edit']:<10} {triples}  [{record['kind']}]"


def _pair_record(pair: PairErrors) -> dict[str, Any]:
    return {
        "index": pair.index,
        "id": pair.id,
        "optima": pair.optima,
        "all_optima": pair.complete,
        "edits": list(edits(pair)),
    }


def edits(pair: PairErrors) -> Iterator[dict[str, Any]]:
    """Yield each edit as a record, its triples in the words of their files."""
    pred, gold = (
        words_of_triples(side.graph, side.lines) for side in (pair.pred, pair.gold)
    )
    for edit, kind in zip(pair.differences.edits, pair.types, strict=True):
        operation = "insert" if edit.pred is None else "delete"
        yield {
            "edit": "substitute" if edit.change else operation,
            **kind._asdict(),
            "pred": _in_words(edit.pred, pair.pred.graph, pred),
            "gold": _in_words(edit.gold, pair.gold.graph, gold),
        }


def _in_words(
    statement: Statement | None, graph: Graph, worded: Sequence[TripleWords]
) -> str | None:
    """Write a triple in the words of its file."""
    if statement is None:
        return None
    names = graph.variables
    source, target = statement.triple.source, statement.triple.target
    if statement.number == TOP:
        return f"({names[source]} :{statement.written.role})"
    words = worded[statement.number]
    ends = [names[source], names[target] if isinstance(target, int) else words.value]
    if words.turned:
        ends.reverse()
    return f"({ends[0]} :{words.role or INSTANCE} {ends[1]})"
