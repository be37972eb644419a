"""A picture of a drawing as SVG.

Colour is never alone in saying something: what is extra has a plus, what is missing a
minus, what differs an unequal sign; a variable without partner has a dashed box, and
one that another optimal alignment may pair differently a dotted one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import several
from exactmatch.graphs.drawing.drawing import (
    BOX,
    PADDING,
    ROW,
    TOP,
    Drawing,
    DrawnSide,
    Edge,
    Mark,
    Picture,
    draw,
    shortened,
)
from exactmatch.graphs.drawing.layered import BEND, TIP, Placement, Route

HUES = 8
"""The number of tints that tell pairs of aligned variables apart."""

UNCERTAIN = ": not in every optimal alignment"
"""What the tooltip of a variable says whose partner is not certain."""

DRAWN = 300
"""The most variables, of all graphs together, that a notebook draws."""

_LETTERS = 30_000
"""The most letters of labels that a notebook draws; tooltips have them all."""

MARGIN = 12
_CAPTION = 24


def svg(
    drawing: Drawing, picture: int = 0, *, styled: bool = True, numbered: bool = False
) -> Markup:
    """Write one picture of a drawing.

    Args:
        drawing: the graphs, laid out.
        picture: which of them.
        styled: whether to embed the style sheet, for use outside of our pages.
        numbered: whether places that several pictures have show their numbers.
    """
    shown = drawing.pictures[picture]
    placement = drawing.placement
    taken = {node.place for node in shown.nodes}
    # what other pictures have is outlined
    absent = (place for place in range(len(drawing.boxes)) if place not in taken)
    width, height = placement.width + 2 * MARGIN, placement.height + 2 * MARGIN
    edges = [_edge(drawing, shown, edge) for edge in shown.edges]
    headings = enumerate(shown.side.titles())
    nodes = [_node(drawing, shown, variable, heading) for variable, heading in headings]
    return element(
        "svg",
        element("style", Markup(style())) if styled else "",
        *(_box(drawing, place, "ghost") for place in absent),
        *edges,
        *nodes,
        *(_numbers(drawing, shown) if numbered else ()),
        xmlns="http://www.w3.org/2000/svg" if styled else None,
        viewBox=f"{-MARGIN} {-MARGIN} {width} {height}",
        width=str(width),
        height=str(height),
        class_="graph",
        role="img",
        aria_label=_told(shown),
    )


def sheet(drawing: Drawing, names: Sequence[str]) -> Markup:
    """Write all pictures of a drawing beneath each other, each with its name."""
    placement = drawing.placement
    width = placement.width + 2 * MARGIN
    step = placement.height + 2 * MARGIN + _CAPTION
    parts = []
    for k, name in enumerate(names):
        where = {"x": str(MARGIN), "y": str(k * step + 16)}
        parts.append(element("text", name, **where, class_="caption"))
        inner = svg(drawing, k, styled=False)
        parts.append(Markup(inner.replace("<svg ", f'<svg y="{k * step + _CAPTION}" ')))
    return element(
        "svg",
        element("style", Markup(style())),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {step * len(names)}",
        width=str(width),
        height=str(step * len(names)),
        class_="graph",
    )


def notebook(*sides: DrawnSide, names: Sequence[str] = ()) -> Markup:
    """Draw graphs for a notebook, or only describe them if they are too large.

    *names* says what each is called, where there are several.
    """
    graphs = [side.graph for side in sides]
    variables = sum(len(graph.variables) for graph in graphs)
    letters = sum(len(label) for graph in graphs for label in graph.labels)
    if variables > DRAWN or letters > _LETTERS:
        shown = (element("p", element("code", repr(graph))) for graph in graphs)
        return joined(shown)
    drawing = draw(*sides)
    return sheet(drawing, names) if names else svg(drawing)


def style() -> str:
    """The style of drawings."""
    return files("exactmatch.views.assets").joinpath("drawing.css").read_text("utf-8")


def _told(picture: Picture) -> str:
    side = picture.side
    top = side.graph.top
    root = "" if top is None else f", rooted in {side.titles()[top]}"
    return f"graph of {several(len(side.graph.variables), 'variable')}{root}"


def _numbers(drawing: Drawing, picture: Picture) -> Iterator[Markup]:
    """The numbers of places that other pictures have, too, above their boxes."""
    taken = Counter(node.place for each in drawing.pictures for node in each.nodes)
    placement = drawing.placement
    for node in picture.nodes:
        if taken[node.place] > 1:
            box = drawing.boxes[node.place]
            x = placement.starts[placement.layers[node.place]] + box.width
            y = placement.tops[node.place] - box.anchor - 2
            number = str(node.place + 1)
            where = {"x": str(x), "y": str(y), "text_anchor": "end"}
            yield element("text", number, **where, class_="number")


def _box(drawing: Drawing, place: int, name: str) -> Markup:
    box, placement = drawing.boxes[place], drawing.placement
    return element(
        "rect",
        x=str(placement.starts[placement.layers[place]]),
        y=str(placement.tops[place] - box.anchor),
        width=str(box.width),
        height=str(box.height),
        rx="6",
        class_=name,
    )


def _node(drawing: Drawing, picture: Picture, variable: int, heading: str) -> Markup:
    side, placement = picture.side, drawing.placement
    node = picture.nodes[variable]
    graph, marks = side.graph, side.marks
    alone = next((marks.get(k) for k in node.concepts), None)
    compared = len(drawing.pictures) > 1
    paired = compared and alone not in ("extra", "missing")
    names = ["node", f"h{node.place % HUES}" if paired else alone or ""]
    unsure = variable in side.uncertain
    x = placement.starts[placement.layers[node.place]]
    y = placement.tops[node.place]
    parts: list[Markup] = [_box(drawing, node.place, "")]
    if graph.top == variable:
        arrow = f"M{x - 9} {y - 5}l6 5l-6 5z"
        parts.append(element("path", d=arrow, class_=_named("top", marks.get(TOP))))
    marked = next((k for k in node.concepts if k in marks), TOP)
    short = shortened(heading)
    heading_text = short if marked == TOP else side.signed(short, marked)
    where = {"x": str(x + PADDING), "y": str(y + 4)}
    parts.append(
        element("text", heading_text, **where, class_=_named("concept", alone))
    )
    for row in node.rows:
        role = element("tspan", side.signed(row.role, row.triple), class_="role")
        where["y"] = str(y + BOX // 2 + ROW * row.line + 10)
        name = _named("constant", marks.get(row.triple))
        value = f" {shortened(row.value)}"
        parts.append(element("text", role, value, **where, class_=name))
    told = f"{graph.variables[variable]} / {heading}" + UNCERTAIN * unsure
    names.append("uncertain" * unsure)
    title = element("title", told)
    return element("g", title, *parts, class_=" ".join(filter(None, names)))


def _named(name: str, mark: Mark | None) -> str:
    return f"{name} {mark}" if mark else name


def _edge(drawing: Drawing, picture: Picture, edge: Edge) -> Markup:
    placement = drawing.placement
    route = placement.routes[edge.route]
    points = list(_points(drawing, route))
    (x0, y0), (x1, y1) = points[0], points[-1]
    tip = f"M{x1} {y1}l-7 -3.5v7z" if edge.onwards else f"M{x0} {y0}l7 -3.5v7z"
    return element(
        "g",
        element("path", d=_path(points), class_="line"),
        element("path", d=tip, class_="tip"),
        element(
            "text",
            picture.side.signed(picture.side.said[edge.triple].role, edge.triple),
            x=str(placement.starts[placement.layers[route.right]] - TIP),
            y=f"{route.heights[-1] + 3.5:g}",
            text_anchor="end",
            class_="role",
        ),
        class_=_named("edge", picture.side.marks.get(edge.triple)),
    )


def _points(drawing: Drawing, route: Route) -> Iterator[tuple[int, int]]:
    """Where a route begins, runs level, and ends: every second stretch is level."""
    placement: Placement = drawing.placement
    layer = placement.layers[route.left]
    starts, ends = placement.starts, placement.ends
    x = starts[layer] + drawing.boxes[route.left].width
    yield x, placement.tops[route.left]
    yield ends[layer], placement.tops[route.left]
    for k, height in enumerate(route.heights):
        if k % 2:
            yield starts[layer], height
            yield ends[layer], height
        else:
            yield ends[layer] + BEND, height
            layer += 1
            yield starts[layer] - TIP, height
    yield starts[layer], placement.tops[route.right]


def _path(points: Iterable[tuple[int, int]]) -> str:
    """A line through the points, level where they are, else in a gentle bend."""
    found = list(points)
    parts = [f"M{found[0][0]} {found[0][1]}"]
    for (x0, y0), (x1, y1) in pairwise(found):
        if y0 == y1:
            parts.append(f"H{x1}")
        else:
            middle = (x0 + x1) / 2
            parts.append(f"C{middle:g} {y0} {middle:g} {y1} {x1} {y1}")
    return joined(parts)
