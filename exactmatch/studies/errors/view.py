"""Types of errors in a table, and each pair's edits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactmatch.base.numbers import percent, several
from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.drawing.source_text import Said, said
from exactmatch.graphs.graph import INSTANCE, Graph
from exactmatch.scoring.results import name_of
from exactmatch.scoring.tables import with_losses
from exactmatch.studies.errors.differences import Edit, Statement
from exactmatch.studies.errors.errors import ErrorCount, ErrorType, PairErrors
from exactmatch.studies.errors.results import Errors
from exactmatch.views.tables import Column, Table, Tables, fields_table


def tables(
    found: Errors, show: int = 5, per_pair: bool = False, digits: int | None = None
) -> Tables:
    """Show how often each type of error occurs, and what it costs.

    Args:
        found: the errors.
        show: how many types to show of each kind.
        per_pair: whether to show each pair's edits.
        digits: decimals of scores, of which there are none.
    """
    del digits
    counts = found.counts
    several = len(counts) > 1
    columns = [Column("error", "error")]
    for k, name in enumerate(counts):
        suffix = f" {name}" if several else ""
        columns += [
            Column(f"count_{k}", f"count{suffix}"),
            Column(f"range_{k}", f"range{suffix}"),
            Column(f"share_{k}", f"share %{suffix}", percent(1)),
        ]
        if not several:
            columns.append(Column(f"pairs_{k}", "pairs"))
    named = [(name if several else "", pairs) for name, pairs in found.pairs.items()]
    notes = [_about(name, pairs) for name, pairs in named]
    if per_pair:
        notes += [line for name, pairs in named for line in _edit_lines(name, pairs)]
    title, rows = "errors, reference → prediction", list(_rows(counts, show))
    made = Tables(
        "Errors",
        (Table(title, tuple(columns), rows),),
        {
            "systems": [
                _system_record(name, counts[name], pairs)
                for name, pairs in found.pairs.items()
            ],
            "signatures": list(found.signatures),
        },
        notes=notes,
        signatures=found.signatures,
        rows=fields_table(_FIELDS, list(_flat(counts))),
    )
    return with_losses(made, found.lost)


_FIELDS = (
    *("system", "kind", "detail", "count", "least", "greatest"),
    *("triples", "share", "pairs"),
)


def _rows(
    counts: Mapping[str, Sequence[ErrorCount]], shown: int
) -> Iterator[dict[str, Any]]:
    """Yield a row for each kind and its most costly types, systems side by side."""
    known = [{each.type: each for each in found} for found in counts.values()]
    order = list(dict.fromkeys(kind for found in known for kind in found))
    for kind in (kind for kind in order if not kind.detail):
        yield _row(kind, kind.kind, known)
        details = [each for each in order if each.kind == kind.kind and each.detail]
        for each in details[:shown]:
            yield _row(each, f"  {each.detail}", known)


def _row(
    kind: ErrorType, title: str, known: Sequence[Mapping[ErrorType, ErrorCount]]
) -> dict[str, Any]:
    row: dict[str, Any] = {"error": title}
    for k, found in enumerate(known):
        each = found.get(kind) or ErrorCount(kind, 0, 0, 0, 0, 0.0, ())
        row[f"count_{k}"] = each.count
        row[f"range_{k}"] = (
            "" if each.least == each.greatest else f"{each.least}..{each.greatest}"
        )
        row[f"share_{k}"] = each.share
        row[f"pairs_{k}"] = len(each.pairs)
    return row


def _flat(counts: Mapping[str, Sequence[ErrorCount]]) -> Iterator[dict[str, Any]]:
    for name, found in counts.items():
        for each in found:
            record = _record(each)
            yield {**record, "system": name, "pairs": len(each.pairs)}


def _record(each: ErrorCount) -> dict[str, Any]:
    record: dict[str, Any] = {"kind": each.type.kind, "detail": each.type.detail}
    record |= {name: getattr(each, name) for name in _FIELDS[3:-1]}
    return record | {"pairs": list(each.pairs)}


def _about(name: str, pairs: Sequence[PairErrors]) -> str:
    """Say how many triples differ, and how certain the counts are."""
    differing = sum(
        (edit.pred is not None) + (edit.gold is not None)
        for pair in pairs
        for edit in pair.differences.edits
    )
    ambiguous = sum(pair.optima > 1 for pair in pairs)
    unlisted = sum(not pair.complete for pair in pairs)
    said = f"{name}: " if name else ""
    said += (
        f"{several(len(pairs), 'pair')}, {several(differing, 'differing triple')}; "
        f"{several(ambiguous, 'pair')} with several optimal alignments"
    )
    if unlisted:
        said += f", of {unlisted} not all were looked at: their ranges may be wider"
    return said


def _edit_lines(name: str, pairs: Sequence[PairErrors]) -> Iterator[str]:
    for pair in pairs:
        title = name_of(pair.index, pair.id)
        yield f"{name}: {title}" if name else title
        for record in edits(pair):
            said = " → ".join(filter(None, (record["pred"], record["gold"])))
            yield f"  {record['edit']:<10} {said}  [{record['kind']}]"


def edits(pair: PairErrors) -> Iterator[dict[str, Any]]:
    """Yield each edit as a record, its triples in the words of their files."""
    pred, gold = (said(side.graph, side.lines) for side in (pair.pred, pair.gold))
    for edit, kind in zip(pair.differences.edits, pair.types, strict=True):
        yield {
            "edit": _operation(edit),
            "kind": kind.kind,
            "detail": kind.detail,
            "pred": _stated(edit.pred, pair.pred.graph, pred),
            "gold": _stated(edit.gold, pair.gold.graph, gold),
        }


def _operation(edit: Edit) -> str:
    if edit.pred is None:
        return "insert"
    return "delete" if edit.gold is None else "substitute"


def _stated(
    statement: Statement | None, graph: Graph, worded: Sequence[Said]
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


def _system_record(
    name: str,
    counts: Sequence[ErrorCount],
    pairs: Sequence[PairErrors],
) -> dict[str, Any]:
    return {
        "system": name,
        "errors": [_record(each) for each in counts],
        "per_pair": [
            {
                "index": pair.index,
                "id": pair.id,
                "optima": pair.optima,
                "all_optima": pair.complete,
                "edits": list(edits(pair)),
            }
            for pair in pairs
        ],
    }
