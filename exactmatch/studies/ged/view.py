"""Edit distances as tables: all pairs, and the edits of each."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from exactmatch.base.numbers import Share, decimals, fixed, from_one, several
from exactmatch.edit.distance import named_edits, number
from exactmatch.graphs.drawing.drawing import DrawnSide, Mark, draw
from exactmatch.graphs.graph import INSTANCE, Graph
from exactmatch.studies.ged.formulas import are_molecules, formulas
from exactmatch.studies.ged.study import EditDistances, GraphPair
from exactmatch.studies.score.figures import Example, examples, figures, side_by_side
from exactmatch.views.tables import Column, Table, Tables

DRAWN, _LARGEST = 50, 60
"""Pairs that are drawn at most, and nodes that their graphs have at most."""

FORMULAS = ("First molecule: − has no partner", "Second: + has none; ≠ other order")
STEPS = ("1. First graph: − goes", "2. What stays: ≠ changes", "3. Second: + comes")


def link_of(pair: GraphPair) -> str | None:
    """Return the name of a pair's drawing on a page, if it is drawn."""
    is_small = all(len(graph) <= _LARGEST for graph in pair.graphs)
    has_path = bool(pair.graphs) and pair.result.distance < float("inf")
    is_drawn = has_path and is_small and pair.index < DRAWN
    return f"g{pair.index + 1}" if is_drawn else None


def drawings(pairs: Sequence[GraphPair]) -> Iterator[Example]:
    """Draw the edit paths of the first pairs of small graphs."""
    for pair in pairs:
        if (link := link_of(pair)) is None:
            continue
        (first, second), distance = pair.graphs, pair.result
        title = " → ".join(filter(None, pair.names))
        place, cost = from_one(pair.index), number(distance.distance)
        if are_molecules(first, second):
            drawing = figures(formulas(first, second, distance), FORMULAS)
            yield Example(link, place, title, cost, (), drawing)
            continue
        nodes = [*zip(distance.node_edit_path, distance.node_edit_costs, strict=True)]
        edges = [*zip(distance.edge_edit_path, distance.edge_edit_costs, strict=True)]
        kept = [[e for e in each if None not in e[0]] for each in (nodes, edges)]
        steps = draw(
            _side(first, 0, nodes, edges, "missing"),
            _side(second, 1, kept[0], kept[1], "changed"),
            _side(second, 1, nodes, edges, "extra"),
        )
        yield Example(link, place, title, cost, (), side_by_side(steps, STEPS))


_Edits = Sequence[tuple[tuple[Any, Any], float]]


def _side(graph: Any, end: int, nodes: _Edits, edges: _Edits, shown: Mark) -> DrawnSide:
    """Return graph 0 or 1 of an edit path, with marks of one kind."""
    before = [old for (old, _), _ in nodes if old is not None]
    first = {node: place for place, node in enumerate(before)}
    nodes = [edit for edit in nodes if edit[0][end] is not None]
    edges = [edit for edit in edges if edit[0][end] is not None]
    names = {ends[end]: f"v{k}" for k, (ends, _) in enumerate(nodes)}
    triples = [
        (name, INSTANCE, _label(graph.nodes[node]) or str(node))
        for node, name in names.items()
    ]
    for ends, _ in edges:
        source, target = ends[end][:2]
        role = _label(graph.edges[ends[end]])
        triples.append((names[source], role, names[target]))
    marks: dict[int, Mark] = {}
    for k, ((old, new), cost) in enumerate([*nodes, *edges]):
        mark = "missing" if new is None else "extra" if old is None else "changed"
        if mark == shown and cost:
            marks[k] = shown
    partners = [first.get(old, -1) for (old, _), _ in nodes] if end else ()
    return DrawnSide(replace(Graph.from_triples(triples), top=None), partners, marks)


def _label(attributes: Mapping[str, Any]) -> str:
    """Return the attributes of a node or an edge in one line."""
    return " ".join(map(str, attributes.values()))


TITLES = {
    "exact": "triple F1",
    "similar": "F1 by likeness",
    "aligned": "F1, blanks aligned",
}
"""Headings of the ways of matching triples."""


def tables(
    result: EditDistances,
    paths: bool = False,
    percent: bool = False,
    digits: int | None = None,
) -> Tables:
    """Return a table of all pairs, and the edits of one pair, or with *paths* of all.

    Sentences have shares with so many *digits* (default: 4), or in *percent*.
    """
    pairs = result.pairs
    share = Share(4 if digits is None else digits)
    columns = (
        Column("index"),
        Column("_pair", "pair"),
        Column("first", "first" if any(p.names[0] for p in pairs) else None),
        Column("second", "second" if any(p.names[1] for p in pairs) else None),
        Column("distance", "distance", number),
        Column("bound", "at least", number),
        Column("proven", "proven", lambda proven: "yes" if proven else "no"),
        Column("similarity", "similarity", Share(4)),
        *(Column(way, TITLES[way], Share(4)) for way in result.triples),
        Column("seconds", "seconds", decimals(3)),
    )
    shown_tables = [Table("", columns, [_row(pair) for pair in pairs])]
    for pair in pairs if paths or len(pairs) == 1 else ():
        of_pair = f" of pair {pair.index + 1}" if len(pairs) > 1 else ""
        shown_tables.append(_edits(pair, of_pair))
    numbers = Table("", (Column("_number", ""),), shown_tables[0].rows)
    leads, notes = [], _notes(result, share, percent)
    if result.pairs:
        leads, notes = [f"{notes[0]}; {result.compared}"], notes[1:]
    data = {
        "summary": {
            "pairs": len(pairs),
            "proven": result.proven,
            "mean_distance": result.mean("distance"),
            "mean_similarity": result.mean("similarity"),
            "triples": {way: total.to_dict() for way, total in result.triples.items()},
        },
        "pairs": [pair.to_dict() for pair in pairs],
        "compared": result.compared,
        "signatures": [result.signature],
    }
    return Tables(
        "Graph edit distance",
        shown_tables,
        data,
        leads=leads,
        notes=notes,
        signatures=(result.signature,),
        numbers=None if paths or result.triples else numbers,
        parts=examples("Edits", drawings(pairs), legend=""),
        is_wide=True,
    )


def _row(pair: GraphPair) -> dict[str, Any]:
    (first, second), result = pair.names, pair.result
    cells = {"_pair": pair.index + 1, "first": first or "", "second": second or ""}
    if link := link_of(pair):
        cells["_link"] = link
    shown, least = number(result.distance), number(result.bound)
    cells["_number"] = shown if result.proven else f"{least}..{shown}"
    return (
        pair.to_dict()
        | cells
        | {way: overlap.f1 for way, overlap in result.triples.items()}
    )


def _edits(pair: GraphPair, of_pair: str) -> Table:
    keys = ("edit", "from", "to", "cost")
    columns = (*map(Column, keys[:3], keys[:3]), Column("cost", "cost", number))
    rows = [
        dict(zip(keys, row, strict=True)) for row in named_edits(pair.result.edits())
    ]
    return Table(f"edits{of_pair}", columns, rows)


def _notes(distances: EditDistances, share: Share, percent: bool) -> list[str]:
    pairs = distances.pairs
    if not pairs:
        return ["no pairs"]
    shown = share.in_percent() if percent else share
    state = (
        "every one" if distances.proven == len(pairs) else f"{distances.proven} of them"
    )
    notes = [f"{several(len(pairs), 'pair')}, {state} proven"]
    if len(pairs) > 1:
        notes.append(
            f"mean distance {fixed(distances.mean('distance'), share.digits)}, "
            f"mean similarity {shown(distances.mean('similarity'))}"
        )
    if without := sum(math.isinf(pair.result.distance) for pair in pairs):
        notes.append(
            f"{several(without, 'pair')} without an edit path within the upper bound"
        )
    for way, shared in distances.triples.items():
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
