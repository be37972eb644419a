"""Edit distances as tables: all pairs, and the edits of each."""

from __future__ import annotations

import math
from typing import Any

from exactmatch.base.numbers import Share, decimals, fixed, several
from exactmatch.edit.distance import named, number
from exactmatch.studies.ged.drawn import drawings, link_of
from exactmatch.studies.ged.results import EditDistances, GraphPair
from exactmatch.studies.score.figures import examples
from exactmatch.views.tables import Column, Table, Tables

TITLES = {
    "exact": "triple F1",
    "similar": "F1 by likeness",
    "aligned": "F1, blanks aligned",
}
"""How the ways of matching triples are headed."""


def tables(
    found: EditDistances,
    paths: bool = False,
    percent: bool = False,
    digits: int | None = None,
) -> Tables:
    """All pairs in a table, and the edits of each if wanted.

    Args:
        found: the distances.
        paths: whether to list the edits of several pairs, too.
        percent: whether sentences have shares in percent.
        digits: decimals of shares in sentences; default: 4.
    """
    pairs = found.pairs
    share = Share(4 if digits is None else digits)
    columns = [
        Column("index"),
        Column("_pair", "pair"),
        Column("first", "first" if any(p.names[0] for p in pairs) else None),
        Column("second", "second" if any(p.names[1] for p in pairs) else None),
        Column("distance", "distance", number),
        Column("bound", "at least", number),
        Column("proven", "proven", lambda proven: "yes" if proven else "no"),
        Column("similarity", "similarity", Share(4)),
        *(Column(way, TITLES[way], Share(4)) for way in found.triples),
        Column("seconds", "seconds", decimals(3)),
    ]
    made = [Table("", tuple(columns), [_row(pair) for pair in pairs])]
    if paths or len(pairs) == 1:
        made += [
            _edits(pair, f" of pair {pair.index + 1}" if len(pairs) > 1 else "")
            for pair in pairs
        ]
    distances = Table("", (Column("_number", ""),), made[0].rows)
    data = {
        "summary": {
            "pairs": len(pairs),
            "proven": found.proven,
            "mean_distance": found.mean("distance"),
            "mean_similarity": found.mean("similarity"),
            "triples": {way: total.to_dict() for way, total in found.triples.items()},
        },
        "pairs": [pair.to_dict() for pair in pairs],
        "compared": found.compared,
        "signatures": [found.signature],
    }
    return Tables(
        "Graph edit distance",
        made,
        data,
        notes=(*_notes(found, share, percent), found.compared),
        signatures=(found.signature,),
        numbers=None if paths or found.triples else distances,
        parts=examples("Edits", drawings(pairs), legend=""),
        is_wide=True,
    )


def _row(pair: GraphPair) -> dict[str, Any]:
    first, second = pair.names
    own = {"_pair": pair.index + 1, "first": first or "", "second": second or ""}
    if link := link_of(pair):
        own["_link"] = link
    shared, distance = pair.result.triples, number(pair.result.distance)
    is_open = not pair.result.proven
    low = number(pair.result.bound)
    own["_number"] = f"{low}..{distance}" if is_open else distance
    return pair.to_dict() | own | {way: found.f1 for way, found in shared.items()}


def _edits(pair: GraphPair, of_pair: str) -> Table:
    keys = ("edit", "from", "to", "cost")
    columns = (*map(Column, keys[:3], keys[:3]), Column("cost", "cost", number))
    rows = [dict(zip(keys, row, strict=True)) for row in named(pair.result.edits())]
    return Table(f"edits{of_pair}", columns, rows)


def _notes(found: EditDistances, share: Share, percent: bool) -> list[str]:
    pairs = found.pairs
    if not pairs:
        return ["no pairs"]
    shown = share.in_percent() if percent else share
    state = "every one" if found.proven == len(pairs) else f"{found.proven} of them"
    notes = [f"{several(len(pairs), 'pair')}, {state} proven"]
    if len(pairs) > 1:
        notes.append(
            f"mean distance {fixed(found.mean('distance'), share.digits)}, "
            f"mean similarity {shown(found.mean('similarity'))}"
        )
    if without := sum(math.isinf(pair.result.distance) for pair in pairs):
        notes.append(
            f"{several(without, 'pair')} without an edit path within the upper bound"
        )
    for way, shared in found.triples.items():
        notes.append(
            f"{TITLES[way]}: precision {shown(shared.precision)}, "
            f"recall {shown(shared.recall)}, F1 {shown(shared.f1)}"
        )
        if shared.matched != shared.bound:
            notes[-1] += f" (at most {shared.bound:g} matched)"
    rounding = max(pair.result.rounding for pair in pairs)
    if rounding:
        notes.append(f"costs were rounded; a distance may be off by {2 * rounding:.2g}")
    return notes
