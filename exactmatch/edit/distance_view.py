"""Edit distances as tables."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import Share, decimals, fixed, several
from exactmatch.edit import notebook
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
        Column("distance", "distance", notebook.number),
        Column("bound", "at least", notebook.number),
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
    first, second = pair.names
    scores = {way: found.f1 for way, found in pair.shared.items()}
    names = {"pair": pair.index, "first": first or "", "second": second or ""}
    return pair.record() | names | scores


def _edits(pair: GraphPair, is_one_of_many: bool) -> Table:
    rows = [
        {"edit": edit, "from": _name(old), "to": _name(new), "cost": cost}
        for edit, old, new, cost in pair.result.edits()
    ]
    title = "edits" + (f" of pair {pair.index}" if is_one_of_many else "")
    columns = (
        Column("edit", "edit"),
        Column("from", "from"),
        Column("to", "to"),
        Column("cost", "cost", notebook.number),
    )
    return Table(title, columns, rows)


def _name(thing: Any) -> str:
    if thing is None:
        return "-"
    if isinstance(thing, tuple):
        return "(" + ", ".join(map(str, thing)) + ")"
    return str(thing)


def _summary(pairs: Sequence[GraphPair]) -> dict[str, Any]:
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
