"""What is shown of edit distances."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import Share, decimals, fixed, several
from exactmatch.edit.distance import EditDistance
from exactmatch.edit.triples import TripleOverlap
from exactmatch.views.tables import Column, Table, Tables

TITLES = {
    "exact": "triple F1",
    "similar": "F1 by likeness",
    "aligned": "F1, blanks aligned",
}
"""How the ways of matching triples are headed."""


@dataclass(frozen=True, slots=True)
class GraphPair:
    """A pair of graphs, compared.

    Attributes:
        index: its place, from 0.
        names: those of the two graphs, where they have some.
        result: the edit distance.
        shared: the triples they share, by the way of counting.
    """

    index: int
    names: tuple[str | None, str | None]
    result: EditDistance
    shared: Mapping[str, TripleOverlap]

    def record(self) -> dict[str, Any]:
        """Everything, as plain data."""
        result = self.result
        return {
            "index": self.index,
            "names": list(self.names),
            "distance": result.distance,
            "bound": result.bound,
            "proven": result.proven,
            "similarity": result.similarity,
            "rounding": result.rounding,
            "seconds": result.solution.seconds,
            "solver": result.solution.solver,
            "node_edit_path": [list(edit) for edit in result.node_edit_path],
            "edge_edit_path": [list(edit) for edit in result.edge_edit_path],
            "triples": {way: _scores(found) for way, found in self.shared.items()},
        }


def distance_tables(
    pairs: Sequence[GraphPair],
    signature: str,
    compared: str,
    with_paths: bool,
    number: Share,
) -> Tables:
    """All pairs in a table, and the edits of each if wanted.

    Args:
        pairs: what was compared.
        signature: what determines the distances.
        compared: by what nodes and edges were compared, in words.
        with_paths: whether to list the edits.
        number: writes scores.
    """
    ways = list(pairs[0].shared) if pairs else []
    columns = [
        Column("pair", "pair"),
        Column("first", "first" if any(p.names[0] for p in pairs) else None),
        Column("second", "second" if any(p.names[1] for p in pairs) else None),
        Column("distance", "distance", _number),
        Column("bound", "at least", _number),
        Column("proven", "proven", lambda proven: "yes" if proven else "no"),
        Column("similarity", "similarity", Share(4)),
        *(Column(way, TITLES[way], Share(4)) for way in ways),
        Column("seconds", "seconds", decimals(3)),
    ]
    rows = [_row(pair) for pair in pairs]
    tables = [Table("", tuple(columns), rows)]
    if with_paths:
        tables += [_edits(pair, len(pairs) > 1) for pair in pairs]
    data = {
        "summary": _summary(pairs),
        "pairs": [pair.record() for pair in pairs],
        "compared": compared,
        "signatures": [signature],
    }
    return Tables(
        "Graph edit distance",
        tables,
        data,
        notes=(*_notes(pairs, number), compared),
        signatures=(signature,),
    )


def _row(pair: GraphPair) -> dict[str, Any]:
    result = pair.result
    return {
        "pair": pair.index,
        "first": pair.names[0] or "",
        "second": pair.names[1] or "",
        "distance": result.distance,
        "bound": result.bound,
        "proven": result.proven,
        "similarity": result.similarity,
        **{way: found.f1 for way, found in pair.shared.items()},
        "seconds": result.solution.seconds,
    }


def _edits(pair: GraphPair, is_one_of_many: bool) -> Table:
    """The edits of a path; what is kept as it is is left out."""
    rows = []
    result = pair.result
    for kind, path, costs in (
        ("node", result.node_edit_path, result.node_edit_costs),
        ("edge", result.edge_edit_path, result.edge_edit_costs),
    ):
        for (old, new), cost in zip(path, costs, strict=True):
            if cost == 0 and old is not None and new is not None:
                continue
            edit = (
                "insert" if old is None else "delete" if new is None else "substitute"
            )
            rows.append(
                {
                    "edit": f"{edit} {kind}",
                    "from": _named(old),
                    "to": _named(new),
                    "cost": cost,
                }
            )
    title = "edits" + (f" of pair {pair.index}" if is_one_of_many else "")
    columns = (
        Column("edit", "edit"),
        Column("from", "from"),
        Column("to", "to"),
        Column("cost", "cost", _number),
    )
    return Table(title, columns, rows)


def _named(thing: Any) -> str:
    if thing is None:
        return "-"
    if isinstance(thing, tuple):
        return "(" + ", ".join(map(str, thing)) + ")"
    return str(thing)


def _number(value: float) -> str:
    """A number as it is, without a point where it is whole."""
    return f"{value:.6g}" if value != round(value) else f"{value:.0f}"


def _summary(pairs: Sequence[GraphPair]) -> dict[str, Any]:
    """The corpus: means of distances, and triples added up."""
    found = [pair.result for pair in pairs]
    ways = list(pairs[0].shared) if pairs else []
    return {
        "pairs": len(pairs),
        "proven": sum(result.proven for result in found),
        "mean_distance": _mean([result.distance for result in found]),
        "mean_similarity": _mean([result.similarity for result in found]),
        "triples": {
            way: _scores(TripleOverlap.total(pair.shared[way] for pair in pairs))
            for way in ways
        },
    }


def _notes(pairs: Sequence[GraphPair], number: Share) -> tuple[str, ...]:
    if not pairs:
        return ("no pairs",)
    summary = _summary(pairs)
    proven = summary["proven"]
    state = "every one" if proven == len(pairs) else f"{proven} of them"
    notes = [f"{several(len(pairs), 'pair')}, {state} proven"]
    if len(pairs) > 1:
        notes.append(
            f"mean distance {fixed(summary['mean_distance'], number.digits)}, "
            f"mean similarity {number(summary['mean_similarity'])}"
        )
    for way, scores in summary["triples"].items():
        notes.append(
            f"{TITLES[way]}: precision {number(scores['precision'])}, "
            f"recall {number(scores['recall'])}, F1 {number(scores['f1'])}"
            + ("" if scores["proven"] else f" (at most {scores['bound']:g} matched)")
        )
    rounding = max(pair.result.rounding for pair in pairs)
    if rounding:
        notes.append(f"costs were rounded; a distance may be off by {2 * rounding:.2g}")
    return tuple(notes)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def _scores(found: TripleOverlap) -> dict[str, Any]:
    return {
        "precision": found.precision,
        "recall": found.recall,
        "f1": found.f1,
        "matched": found.matched,
        "bound": found.bound,
        "proven": found.matched == found.bound,
        "sizes": list(found.sizes),
    }
