"""Structural formulas of a pair of molecules, partners tinted and edits marked.

Atoms and bonds have RDKit's layout.  Matched atoms of both formulas have one tint and
light up together.  What has no partner and costs something has a minus in the first
formula and a plus in the second; what changes at a cost has an unequal sign.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import several
from exactmatch.edit.distance import EditDistance
from exactmatch.formats.molecules import depiction
from exactmatch.formats.network_texts import AS_READ
from exactmatch.graphs.drawing.drawing import SIGNS, Mark
from exactmatch.graphs.drawing.svg import HUES

LENGTH = 30.0
"""Length of a usual bond, in pixels."""

_MARGIN, _ATOM, _GAP = 24.0, 10.0, 3.2
"""Room around a formula, radius of an atom, distance of parallel lines."""

_OFFSETS = {"double": (-0.5, 0.5), "triple": (-1.0, 0.0, 1.0), "aromatic": (0.0, 1.4)}
"""Distances of a bond's lines from its axis; the second one of aromatic bonds is dashed
and inside the ring."""

Point: TypeAlias = tuple[float, float]


class Formula(NamedTuple):
    """One molecule of a pair.

    Attributes:
        graph: the molecule as a networkx graph.
        partners: the number of the tint of each matched atom.
        marks: of atoms, and of bonds by their ends, the smaller node first.
        words: the tooltip of each atom.
    """

    graph: Any
    partners: dict[Any, int]
    marks: dict[Any, Mark]
    words: dict[Any, str]


def are_molecules(*graphs: Any) -> bool:
    """Return whether RDKit has read all graphs."""
    return all(AS_READ in getattr(graph, "graph", {}) for graph in graphs)


def formulas(first: Any, second: Any, result: EditDistance) -> tuple[Markup, Markup]:
    """Draw the two molecules of an edit path."""
    matched = [(u, v) for u, v in result.node_edit_path if None not in (u, v)]
    tints = [{pair[end]: k for k, pair in enumerate(matched)} for end in (0, 1)]
    words = [
        {
            pair[end]: f"{_name(first, pair[0])} – {_name(second, pair[1])}"
            for pair in matched
        }
        for end in (0, 1)
    ]
    marks: list[dict[Any, Mark]] = [{}, {}]
    for old, new, cost in _edits(result):
        mark: Mark = "missing" if new is None else "extra" if old is None else "changed"
        for side, thing in enumerate((old, new)):
            if thing is not None and cost:
                marks[side][thing] = mark
    drawn = [
        _svg(Formula(graph, tints[side], marks[side], words[side]))
        for side, graph in enumerate((first, second))
    ]
    return drawn[0], drawn[1]


def _edits(result: EditDistance) -> Iterator[tuple[Any, Any, float]]:
    """Yield the edits of atoms, and of bonds by their ends in order."""
    nodes = zip(result.node_edit_path, result.node_edit_costs, strict=True)
    yield from ((old, new, cost) for (old, new), cost in nodes)
    edges = zip(result.edge_edit_path, result.edge_edit_costs, strict=True)
    for ends, cost in edges:
        old, new = (None if edge is None else _ends(*edge[:2]) for edge in ends)
        yield old, new, cost


def _name(graph: Any, node: Any) -> str:
    return f"{graph.nodes[node]['label']} {node}"


def _ends(u: Any, v: Any) -> tuple[Any, Any]:
    return (u, v) if u <= v else (v, u)


def _svg(formula: Formula) -> Markup:
    graph, layout = formula.graph, depiction(formula.graph)
    nodes = list(graph)
    x = [LENGTH * place[0] for place in layout.places]
    y = [-LENGTH * place[1] for place in layout.places]
    left, top = min(x, default=0.0) - _MARGIN, min(y, default=0.0) - _MARGIN
    points = {node: (a - left, b - top) for node, a, b in zip(nodes, x, y, strict=True)}
    labels = {
        node: _signed(formula, node, label)
        for node, label in zip(nodes, layout.labels, strict=True)
    }
    width = round(max(x, default=0.0) - left + _MARGIN)
    height = round(max(y, default=0.0) - top + _MARGIN)
    return element(
        "svg",
        *(_tint(formula, node, points[node]) for node in nodes),
        *(
            part
            for bond in graph.edges
            for part in _bond(formula, bond, points, labels)
        ),
        *(
            _label(labels[node], points[node], formula.marks.get(node))
            for node in nodes
            if labels[node]
        ),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        class_="graph formula",
        role="img",
        aria_label=f"molecule of {several(len(nodes), 'atom')}",
    )


def _tint(formula: Formula, node: Any, at: Point) -> Markup:
    """Draw the tint of an atom; atoms without partner have none."""
    place = formula.partners.get(node)
    if place is None:
        return element("g", class_="node")
    size = {"width": f"{2 * _ATOM:g}", "height": f"{2 * _ATOM:g}", "rx": f"{_ATOM:g}"}
    corner = {"x": f"{at[0] - _ATOM:.1f}", "y": f"{at[1] - _ATOM:.1f}"}
    return element(
        "g",
        element("title", formula.words[node]),
        element("rect", **corner, **size),
        class_=f"node h{place % HUES}",
        data_place=str(place),
    )


def _signed(formula: Formula, node: Any, label: str) -> str:
    """Return the label of an atom behind the sign of its mark."""
    sign = SIGNS.get(formula.marks.get(node))
    return f"{sign} {label or formula.graph.nodes[node]['label']}" if sign else label


def _label(text: str, at: Point, mark: Mark | None) -> Markup:
    where = {"x": f"{at[0]:.1f}", "y": f"{at[1] + 4:.1f}"}
    kind = f"concept {mark}" if mark else "concept"
    return element("text", text, **where, text_anchor="middle", class_=kind)


def _bond(
    formula: Formula,
    bond: tuple[Any, Any],
    points: dict[Any, Point],
    labels: dict[Any, str],
) -> Iterator[Markup]:
    """Draw a bond as one to three lines, with the sign of its mark."""
    u, v = bond[:2]
    mark = formula.marks.get(_ends(u, v))
    begin, end = points[u], points[v]
    length = math.dist(begin, end) or 1.0
    along = ((end[0] - begin[0]) / length, (end[1] - begin[1]) / length)
    begin = _moved(begin, along, _ATOM if labels[u] else 0.0)
    end = _moved(end, along, -_ATOM if labels[v] else 0.0)
    aside = (-along[1], along[0])
    kind = formula.graph.edges[bond].get("label", "single")
    if kind == "aromatic" and _faces_away(formula.graph, (u, v), points, aside):
        aside = (-aside[0], -aside[1])
    lines = []
    for number, offset in enumerate(_OFFSETS.get(kind, (0.0,))):
        start, stop = (_moved(point, aside, offset * _GAP) for point in (begin, end))
        dashes = "2 2" if kind == "aromatic" and number else None
        d = f"M{start[0]:.1f} {start[1]:.1f}L{stop[0]:.1f} {stop[1]:.1f}"
        lines.append(element("path", d=d, class_="line", stroke_dasharray=dashes))
    sign = SIGNS.get(mark)
    if sign:
        middle = ((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        at = _moved(middle, aside, 2.5 * _GAP)
        where = {"x": f"{at[0]:.1f}", "y": f"{at[1] + 3.5:.1f}"}
        lines.append(
            element("text", sign, **where, text_anchor="middle", class_="role")
        )
    yield element("g", *lines, class_=f"edge {mark}" if mark else "edge")


def _moved(point: Point, way: Point, distance: float) -> Point:
    return point[0] + distance * way[0], point[1] + distance * way[1]


def _faces_away(
    graph: Any, bond: tuple[Any, Any], points: dict[Any, Point], aside: Point
) -> bool:
    """Return whether the aromatic neighbours of a bond are on its other side."""
    side = 0.0
    for node in bond:
        for neighbour, attributes in graph.adj[node].items():
            if neighbour not in bond and attributes.get("label") == "aromatic":
                side += (points[neighbour][0] - points[node][0]) * aside[0]
                side += (points[neighbour][1] - points[node][1]) * aside[1]
    return side < 0
