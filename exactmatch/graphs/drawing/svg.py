"""A picture of a drawing as SVG.

Colour is never alone in saying something: what is extra has a plus, what is missing a
minus, what differs an unequal sign; a variable without partner has a dashed box, and
one that another optimal alignment may pair differently a dotted one.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from importlib.resources import files
from itertools import pairwise

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import several
from exactmatch.graphs.drawing.drawing import (
    BOX,
    HEAD,
    PADDING,
    ROW,
    TOP,
    Drawing,
    DrawnSide,
    Edge,
    Mark,
    Picture,
    draw,
    heading_lines,
    shortened,
)
from exactmatch.graphs.drawing.layered import TIP

HUES = 8  # tints that tell pairs of aligned variables apart
UNCERTAIN = ": not in every optimal alignment"  # said by tooltips of variables
DRAWN = 300  # variables of all graphs that a notebook draws at most
_LETTERS = 30_000  # letters of labels that it draws at most; tooltips have them all
MARGIN = 12
_CAPTION = 24
_EMPTY = 72  # width of the words for an empty graph


def svg(
    drawing: Drawing, picture: int = 0, *, styled: bool = True, numbered: bool = False
) -> Markup:
    """Write one picture of a drawing.

    Outside of our pages it is *styled* by a style sheet of its own.  If *numbered*,
    places that several pictures have show their numbers.
    """
    shown = drawing.pictures[picture]
    side, top = shown.side, shown.side.graph.top
    headings = side.titles()
    used_places = {node.place for node in shown.nodes}
    # what other pictures have is outlined
    absent = (place for place in range(len(drawing.boxes)) if place not in used_places)
    width, height = _size(drawing)
    root = "" if top is None else f", rooted in {headings[top]}"
    return element(
        "svg",
        element("style", style()) if styled else "",
        *_frames(drawing, used_places),
        *(_box(drawing, place, "ghost") for place in absent),
        *(
            ()
            if headings
            else (element("text", "empty graph", y=14, class_="caption"),)
        ),
        *(_edge(drawing, shown, edge) for edge in shown.edges),
        *(_node(drawing, shown, v, heading) for v, heading in enumerate(headings)),
        *(_numbers(drawing, shown) if numbered else ()),
        xmlns="http://www.w3.org/2000/svg" if styled else None,
        viewBox=f"{-MARGIN} {-MARGIN} {width} {height}",
        width=width,
        height=height,
        class_="graph",
        role="img",
        aria_label=f"graph of {several(len(headings), 'variable')}{root}",
    )


def sheet(drawing: Drawing, names: Sequence[str]) -> Markup:
    """Write all pictures of a drawing beneath each other, each with its name."""
    width, height = _size(drawing)
    step = height + _CAPTION
    parts = []
    for k, name in enumerate(names):
        parts.append(element("text", name, x=MARGIN, y=k * step + 16, class_="caption"))
        inner = svg(drawing, k, styled=False)
        parts.append(Markup(inner.replace("<svg ", f'<svg y="{k * step + _CAPTION}" ')))
    return element(
        "svg",
        element("style", style()),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {step * len(names)}",
        width=width,
        height=step * len(names),
        class_="graph",
    )


def _size(drawing: Drawing) -> tuple[int, int]:
    """Return the width and height of a picture, with room to say that it is empty."""
    width, height = drawing.size()
    if not all(picture.nodes for picture in drawing.pictures):
        width, height = max(width, _EMPTY), max(height, BOX)
    return width + 2 * MARGIN, height + 2 * MARGIN


def notebook(*sides: DrawnSide, names: Sequence[str] = ()) -> Markup:
    """Draw graphs for a notebook, or only describe them if they are too large.

    *names* says what each is called, where there are several.
    """
    graphs = [side.graph for side in sides]
    variables = sum(len(graph.variables) for graph in graphs)
    letters = sum(len(label) for graph in graphs for label in graph.labels)
    if variables > DRAWN or letters > _LETTERS:
        return joined(element("p", element("code", repr(graph))) for graph in graphs)
    drawing = draw(*sides)
    return sheet(drawing, names) if names else svg(drawing)


def style() -> Markup:
    """Return the style of drawings."""
    css = files("exactmatch.views.assets").joinpath("drawing.css")
    return Markup(css.read_text("utf-8"))


def _frames(drawing: Drawing, used_places: Collection[int]) -> Iterator[Markup]:
    """Yield the frames of the boxes that a picture has."""
    for frame in drawing.placement.frames:
        if frame.box in used_places:
            where = {"x": frame.x, "y": frame.y}
            size = {"width": frame.width, "height": frame.height}
            yield element("rect", **where, **size, rx=8, class_="frame")


def _numbers(drawing: Drawing, picture: Picture) -> Iterator[Markup]:
    """Yield the numbers of places that other pictures have too, above their boxes."""
    nodes_at_place = Counter(
        node.place for each in drawing.pictures for node in each.nodes
    )
    for place in (
        node.place for node in picture.nodes if nodes_at_place[node.place] > 1
    ):
        (x, y), box = drawing.at(place), drawing.boxes[place]
        where = {"x": x + box.width, "y": y - box.anchor - 2}
        number = str(place + 1)
        yield element("text", number, **where, text_anchor="end", class_="number")


def _is_shared(drawing: Drawing, place: int) -> bool:
    nodes = (node for picture in drawing.pictures for node in picture.nodes)
    return sum(node.place == place for node in nodes) > 1


def _box(drawing: Drawing, place: int, name: str) -> Markup:
    (x, y), box = drawing.at(place), drawing.boxes[place]
    size = {"width": box.width, "height": box.height}
    return element("rect", x=x, y=y - box.anchor, **size, rx=6, class_=name)


def _node(drawing: Drawing, picture: Picture, variable: int, heading: str) -> Markup:
    side, node = picture.side, picture.nodes[variable]
    graph, marks = side.graph, side.marks
    concept_mark = next((marks.get(k) for k in node.concepts), None)
    compared = len(drawing.pictures) > 1
    place = str(node.place) if compared else None  # partners are lit by their place
    paired = _is_shared(drawing, node.place) and concept_mark not in (
        "extra",
        "missing",
    )
    names = ["node", f"h{node.place % HUES}" if paired else concept_mark or ""]
    unsure = variable in side.uncertain
    (x, y), extra = drawing.at(node.place), drawing.extra_lines[node.place]
    parts: list[Markup] = [_box(drawing, node.place, "")]
    if graph.top == variable:
        arrow = f"M{x - 9} {y - 5}l6 5l-6 5z"
        parts.append(element("path", d=arrow, class_=_named("top", marks.get(TOP))))
    marked = next((k for k in node.concepts if k in marks), TOP)
    text_x = x + PADDING
    name = _named("concept", concept_mark)
    for line, text in enumerate(heading_lines(heading)):
        words = text if marked == TOP or line else side.signed(text, marked)
        below = y + 4 + HEAD * line
        parts.append(element("text", words, x=text_x, y=below, class_=name))
    for row in node.rows:
        role = element("tspan", side.signed(row.role, row.triple), class_="role")
        lower = y + BOX // 2 + HEAD * extra + ROW * row.line + 10
        name = _named("constant", marks.get(row.triple))
        value = element("tspan", shortened(row.value))
        parts.append(element("text", role, " ", value, x=text_x, y=lower, class_=name))
    tooltip = f"{graph.variables[variable]} / {heading}" + UNCERTAIN * unsure
    names.append("uncertain" * unsure)
    title = element("title", tooltip)
    kinds = " ".join(filter(None, names))
    return element("g", title, *parts, class_=kinds, data_place=place)


def _named(name: str, mark: Mark | None) -> str:
    return f"{name} {mark}" if mark else name


def _edge(drawing: Drawing, picture: Picture, edge: Edge) -> Markup:
    route, side = drawing.placement.routes[edge.route], picture.side
    points = drawing.points(route)
    x, y = points[-1 if edge.onwards else 0]
    back = -7 if edge.onwards else 7
    role = drawing.role(picture, edge.triple)
    if drawing.is_workflow:
        tip = f"M{x} {y}l-3.5 {back}h7z"
        where = {"x": str(route.heights[-1]), "y": str(points[-1][1] - TIP)}
    else:
        tip = f"M{x} {y}l{back} -3.5v7z"
        where = {"x": str(points[-1][0] - TIP), "y": f"{route.heights[-1] + 3.5:g}"}
    anchor = "middle" if drawing.is_workflow else "end"
    return element(
        "g",
        element("path", d=_path(points, drawing.is_workflow), class_="line"),
        element("path", d=tip, class_="tip"),
        element("text", role, **where, text_anchor=anchor, class_="role"),
        class_=_named("edge", side.marks.get(edge.triple)),
    )


def _path(points: Sequence[tuple[int, int]], is_downwards: bool) -> str:
    """Draw a line through the points, straight where they are, else gently bent."""
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for (x0, y0), (x1, y1) in pairwise(points):
        if is_downwards:
            middle = (y0 + y1) / 2
            bend = f"C{x0} {middle:g} {x1} {middle:g} {x1} {y1}"
            parts.append(f"V{y1}" if x0 == x1 else bend)
        elif y0 == y1:
            parts.append(f"H{x1}")
        else:
            middle = (x0 + x1) / 2
            parts.append(f"C{middle:g} {y0} {middle:g} {y1} {x1} {y1}")
    return joined(parts)
