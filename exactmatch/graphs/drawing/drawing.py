"""Graphs drawn as layered diagrams, partners in the same places.

A drawing holds one graph, or a reference and any number of graphs aligned with it.
All of them are laid out at once: variables that correspond are one *place*, relations
between the same two places one *route*.  So each graph is a *picture* that takes some
of the places and routes, and two pictures can be compared by looking back and forth.

The boxes of a discourse structure are frames around their members, and no arrows lead
there.  Where membership differs, it is said in the box.

Graphs are read from the left; workflows, half of whose edges or more have no label, are
read from above.

A box shows a variable's concept and, beneath it, its constants.  An arrow leads from
a relation's source to its target, whatever way round a file writes it.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias
from unicodedata import combining, east_asian_width

from exactmatch.graphs.drawing.layered import (
    BEND,
    NO_BAND,
    TIP,
    Box,
    Link,
    Placement,
    Route,
    placed,
    unplaced,
)
from exactmatch.graphs.drawing.source_text import TripleWords, words_of_triples
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import TextLine, layout

_PER_THOUSAND = {
    222: "'ijl|",
    278: " !,./:;I[\\]ft`",
    333: '()-r{}"*',
    500: "Jckvsxyz^",
    556: "#$0123456789?L_abdeghnopqu",
    584: "+<=>~",
    611: "FTZ",
    667: "&ABEKPSVXY",
    722: "CDHNRUw",
    778: "GOQ",
    833: "Mm",
    944: "W%@",
}
"""Letters by their widths in Helvetica and its kin (Arial, Liberation Sans), which
drawings ask for first; other sans serifs are a little narrower or wider."""
_WIDTHS = {sign: width for width, signs in _PER_THOUSAND.items() for sign in signs}
_BOLD = 1.07


@lru_cache(maxsize=4096)
def _width_of(text: str, size: float, factor: float) -> int:
    """Return the estimated width of a line of letters of that size, in whole units."""
    units = 0
    for sign in text:
        if sign in _WIDTHS:
            units += _WIDTHS[sign]
        elif not combining(sign):
            units += 1000 if east_asian_width(sign) in "WF" else 600
    return math.ceil(units * size / 1000 * factor)


Mark: TypeAlias = Literal["extra", "missing", "changed", "uncounted"]
"""The mark of a triple that differs; a triple without a mark is matched."""

SIGNS: dict[Mark | None, str] = {"extra": "+", "missing": "−", "changed": "≠"}
"""The sign before the text of a marked triple, so that colour is never the only
sign."""

FRAMED, MEMBER = "box", "member"
"""The concept whose variables are frames, and the role of what is in them."""

TOP = -1  # the root's key among the marks of triples, which count from 0
CONCEPT_SIZE, CONSTANT_SIZE, ROLE_SIZE = 12.0, 11.0, 10.5
BOX, ROW, PADDING = 24, 15, 9
ITSELF = "↺"  # instead of a constant, where a relation leads from a variable to itself
LONGEST = 32  # letters of a concept or constant that are drawn; its tooltip has all


HEAD = 14  # between the lines of a concept that is broken
_LINE, _LINES = 26, 3  # letters of a line of a broken concept, and lines at most
GENERIC = "edge"
"""Role of edges without a label, which workflows do not write."""
_LABEL_HEIGHT = 12  # of a role


def heading_lines(text: str) -> list[str]:
    """Break a long concept of several words into lines.

    >>> heading_lines("check the stock of every item in the order")
    ['check the stock of every', 'item in the order']
    """
    if len(text) <= LONGEST or " " not in text:
        return [shortened(text)]
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if len(longer) <= _LINE or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > _LINES:
        lines[_LINES - 1 :] = [f"{lines[_LINES - 1][: _LINE - 1]}…"]
    return [shortened(line) for line in lines]


def shortened(text: str) -> str:
    """Cut a label to :data:`LONGEST` letters, so that it fits a box."""
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


@dataclass(frozen=True, slots=True)
class DrawnSide:
    """One graph of a drawing; triples count as ``Graph.triples`` yields them.

    Its *partners* are, for each variable, the variable of the first graph that it is
    aligned with, or -1.
    """

    graph: Graph
    partners: Sequence[int] = ()  # empty for the first graph itself
    marks: Mapping[int, Mark] = field(default_factory=dict)  # of triples
    lines: Sequence[TextLine] = ()  # its text, if the drawing shall use its words
    notes: Mapping[int, str] = field(default_factory=dict)  # added to a mark's sign
    uncertain: Collection[int] = ()  # variables whose partner may be another one
    words: Sequence[TripleWords] = field(init=False)  # of each triple

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", words_of_triples(self.graph, self.lines))

    def titles(self) -> list[str]:
        """Headings of the variables' boxes: concepts, else their words, else names."""
        graph = self.graph
        rows = zip(graph.instance_numbers(), graph.variables, strict=True)
        return [
            " / ".join(self.words[k].value for k in concepts) or graph.words(v) or name
            for v, (concepts, name) in enumerate(rows)
        ]

    def relations(self) -> list[tuple[int, int, int]]:
        """Number, source and target of each relation, as they are worded."""
        first = len(self.graph.instances) + len(self.graph.attributes)
        return [
            (k, target, source) if self.words[k].turned else (k, source, target)
            for k, (source, _, target) in enumerate(self.graph.relations, first)
        ]

    def constants(self) -> list[tuple[int, int, str, str]]:
        """Number, variable, role and value of the triples in boxes, loops included."""
        first = len(self.graph.instances)
        constants_of = [
            (k, v, self.words[k].role, self.words[k].value)
            for k, (v, _, _) in enumerate(self.graph.attributes, first)
        ]
        return constants_of + [
            (k, source, self.words[k].role, ITSELF)
            for k, source, target in self.relations()
            if source == target
        ]

    def signed(self, text: str, triple: int) -> str:
        """Return a triple's words behind the sign of their mark."""
        sign = SIGNS.get(self.marks.get(triple), "")
        return f"{sign}{self.notes.get(triple, '')} {text}" if sign else text

    def width(self, text: str, triple: int, size: float, *, bold: bool = False) -> int:
        """Return the width of a triple's words with the sign of their mark."""
        return _width_of(self.signed(text, triple), size, _BOLD if bold else 1.0)


class TextRow(NamedTuple):
    """A constant in a variable's box; lines count from 0, below the concept."""

    line: int
    triple: int
    role: str
    value: str


class DrawnNode(NamedTuple):
    """A variable in a picture: its box, and the triples that stand in it."""

    place: int
    concepts: tuple[int, ...]
    rows: tuple[TextRow, ...]


class Edge(NamedTuple):
    """A relation in a picture; *onwards* if it points to the right."""

    route: int
    triple: int
    onwards: bool


class Picture(NamedTuple):
    """One graph of a drawing, placed: its variables, and its relations without loops.

    Both stand in the graph's order.
    """

    side: DrawnSide
    nodes: tuple[DrawnNode, ...]
    edges: tuple[Edge, ...]


class Drawing(NamedTuple):
    """Graphs laid out together.

    The placement of a workflow has its sides exchanged: its widths lead downwards.
    """

    boxes: tuple[Box, ...]
    placement: Placement
    pictures: tuple[Picture, ...]
    extra_lines: tuple[int, ...]  # of each place's concept, beside the first
    is_workflow: bool

    def role(self, picture: Picture, triple: int) -> str:
        """Return the role of a relation as it is written, with the sign of its mark."""
        role = _written_role(picture.side, triple, self.is_workflow)
        return picture.side.signed(role, triple)

    def at(self, place: int) -> tuple[int, int]:
        """Return the left end of a box, and the height of its heading."""
        placement, box = self.placement, self.boxes[place]
        start, level = placement.starts[placement.layers[place]], placement.tops[place]
        if self.is_workflow:
            return level - box.width // 2, start + box.anchor
        return start, level

    def size(self) -> tuple[int, int]:
        """Return the width and height of the pictures."""
        width, height = self.placement.width, self.placement.height
        return (height, width) if self.is_workflow else (width, height)

    def points(self, route: Route) -> list[tuple[int, int]]:
        """Return the ends of a route's stretches: every second one is level."""
        placement, box = self.placement, self.boxes[route.left]
        starts, ends = placement.starts, placement.ends
        layer, level = placement.layers[route.left], placement.tops[route.left]
        length = box.height if self.is_workflow else box.width
        points = [(starts[layer] + length, level), (ends[layer], level)]
        for k, height in enumerate(route.heights):
            if k % 2:
                points += [(starts[layer], height), (ends[layer], height)]
            else:
                points.append((ends[layer] + BEND, height))
                layer += 1
                points.append((starts[layer] - TIP, height))
        points.append((starts[layer], placement.tops[route.right]))
        return [(y, x) for x, y in points] if self.is_workflow else points


def draw(*sides: DrawnSide, is_late: bool = False) -> Drawing:
    """Lay graphs out together, the reference first.

    Args:
        sides: the graphs.
        is_late: whether no time is left to place the boxes.

    Raises:
        OutOfTimeError: if a limit of time is over before all have their places.
    """
    places, depths = _places(sides)
    widths, extra = [BOX] * len(depths), [0] * len(depths)
    lines: list[list[_Parts]] = [[] for _ in depths]
    bands = _bands(sides, places, len(depths))
    nodes = [
        _nodes(side, nodes_places, bands, lines, widths, extra)
        for side, nodes_places in zip(sides, places, strict=True)
    ]
    boxes = tuple(
        Box(width, _height(len(known), more), BOX // 2, *where)
        for width, known, more, *where in zip(
            widths, lines, extra, depths, bands, strict=True
        )
    )
    ways: list[_Parts] = []
    drawn_routes = [
        _routes(side, nodes_places, ways)
        for side, nodes_places in zip(sides, places, strict=True)
    ]
    labels = [0] * len(ways)
    roles = _roles(sides, drawn_routes)
    ties = [(band, k) for k, band in enumerate(bands) if band not in (NO_BAND, k)]
    is_workflow = not ties and 2 * roles[GENERIC] >= max(roles.total(), 1)
    for side, routes in zip(sides, drawn_routes, strict=True):
        for k, route in routes.items():
            role = _written_role(side, k, is_workflow)
            width = side.width(role, k, ROLE_SIZE)
            labels[route] = max(labels[route], width)
    ends: list[tuple[int, int]] = [way[1] for way in ways]
    links = [Link(*end, width) for end, width in zip(ends, labels, strict=True)]
    if is_late:
        placement = unplaced(links)
    elif is_workflow:
        placement = placed([*map(_turned, boxes)], [*map(_label_above, links)])
    else:
        placement = placed(boxes, links, ties)
    pictures = []
    for side, nodes_places, drawn, routes in zip(
        sides, places, nodes, drawn_routes, strict=True
    ):
        edges = (
            Edge(routes[k], k, placement.routes[routes[k]].left == nodes_places[source])
            for k, source, _ in side.relations()
            if k in routes
        )
        pictures.append(Picture(side, drawn, tuple(edges)))
    return Drawing(boxes, placement, tuple(pictures), tuple(extra), is_workflow)


def _written_role(side: DrawnSide, triple: int, is_workflow: bool) -> str:
    role = side.words[triple].role
    return "" if is_workflow and role == GENERIC else role


def _turned(box: Box) -> Box:
    """Exchange the sides of a box, which links meet in its middle."""
    return box._replace(width=box.height, height=box.width, anchor=box.width // 2)


def _label_above(link: Link) -> Link:
    """Exchange the sides of a link's label."""
    height = _LABEL_HEIGHT if link.width else 0
    return link._replace(width=height, reach=max(link.width // 2 + 1, link.reach))


def _height(rows: int, extra_lines: int) -> int:
    """Return the height of a box with rows and further lines of its concept."""
    return BOX + HEAD * extra_lines + ROW * rows + (4 if rows else 0)


def _roles(
    sides: Sequence[DrawnSide], routes: Sequence[Mapping[int, int]]
) -> Counter[str]:
    """Count the roles of the edges that are drawn."""
    return Counter(
        side.words[k].role
        for side, routes_of_side in zip(sides, routes, strict=True)
        for k in routes_of_side
    )


def _memberships(side: DrawnSide) -> Iterator[tuple[int, int, int]]:
    """Return number, box and member of each relation that puts a node into a box."""
    if FRAMED not in side.graph.labels:
        return
    concepts = side.graph.concepts()
    for k, source, target in side.relations():
        if (
            side.words[k].role == MEMBER
            and concepts[source] == FRAMED
            and concepts[target] != FRAMED
        ):
            yield k, source, target


def _bands(
    sides: Sequence[DrawnSide], places: Sequence[Sequence[int]], count: int
) -> list[int]:
    """Return the box that frames each place, by the first graph that has it."""
    bands = [NO_BAND] * count
    for side, side_places in zip(sides, places, strict=True):
        for _, box, member in _memberships(side):
            for place in (side_places[box], side_places[member]):
                if bands[place] == NO_BAND:
                    bands[place] = side_places[box]
    return bands


def _member_lines(
    side: DrawnSide, places: Sequence[int], bands: Sequence[int]
) -> Iterator[tuple[int, int, str, str]]:
    """Yield the memberships that no frame shows, or that differ, as lines of boxes."""
    titles = side.titles()
    for k, box, member in _memberships(side):
        is_within = bands[places[member]] == places[box]
        if not is_within or side.marks.get(k) not in (None, "uncounted"):
            yield k, box, MEMBER, titles[member]


def _places(sides: Sequence[DrawnSide]) -> tuple[list[list[int]], list[int]]:
    """Return the place of each graph's variables, and the depth of each place.

    Places are numbered as the graphs' trees are read: the first graph's, and under
    each variable the further variables of the other graphs.
    """
    keys: list[list[tuple[int, int]]] = []
    children: dict[tuple[int, int] | None, list[tuple[int, int]]] = {None: []}
    for number, side in enumerate(sides):
        partners = side.partners or [-1] * len(side.graph.variables)
        own: list[tuple[int, int]] = []
        for v, partner in enumerate(partners):
            place = (number, v) if partner == -1 else (0, partner)
            own.append((number, v) if place in own else place)  # the first has it
        for v, parent in _tree(side.graph):
            above = None if parent is None else own[parent]
            if own[v] not in children:
                children[own[v]] = []
                children[above].append(own[v])
        keys.append(own)
    numbers: dict[tuple[int, int], int] = {}
    depths: list[int] = []
    open_places = [(key, 0) for key in children[None][::-1]]
    while open_places:
        key, depth = open_places.pop()
        numbers[key] = len(numbers)
        depths.append(depth)
        open_places += [(child, depth + 1) for child in children[key][::-1]]
    return [[numbers[key] for key in own] for own in keys], depths


def _tree(graph: Graph) -> list[tuple[int, int | None]]:
    """Return the variables in reading order, each with the one it hangs from."""
    order: list[tuple[int, int | None]] = []
    path: list[int] = []
    for line in layout(graph):
        if line.defines and line.variable is not None:
            del path[line.depth :]
            order.append((line.variable, path[-1] if path else None))
            path.append(line.variable)
    return order


_Parts: TypeAlias = tuple[Any, ...]  # the part of a drawing that graphs should share


def _nodes(
    side: DrawnSide,
    places: Sequence[int],
    bands: Sequence[int],
    lines: Sequence[list[_Parts]],
    widths: list[int],
    extra: list[int],
) -> tuple[DrawnNode, ...]:
    """Return the variables of a graph as nodes, each as large as its place.

    What several graphs say stands on one line; so does what differs in its value.
    """
    parts_of: list[dict[int, _Parts]] = [{} for _ in places]
    members = _member_lines(side, places, bands)
    for triple, v, role, value in (*side.constants(), *members):
        parts_of[v][triple] = (role, value)
    nodes = []
    for place, concepts, title, constants in zip(
        places, side.graph.instance_numbers(), side.titles(), parts_of, strict=True
    ):
        taken_lines = _taken(constants, lines[place], (2, 1))
        rows = [TextRow(line, k, *constants[k]) for k, line in taken_lines.items()]
        head = concepts[0] if concepts else TOP
        texts = heading_lines(title)
        extra[place] = max(extra[place], len(texts) - 1)
        width = max(side.width(text, head, CONCEPT_SIZE, bold=True) for text in texts)
        for row in rows:
            text = f"{row.role} {shortened(row.value)}"
            width = max(width, side.width(text, row.triple, CONSTANT_SIZE))
        widths[place] = max(widths[place], width + 2 * PADDING)
        nodes.append(DrawnNode(place, tuple(concepts), tuple(rows)))
    return tuple(nodes)


def _routes(
    side: DrawnSide, places: Sequence[int], known_parts: list[_Parts]
) -> dict[int, int]:
    """Return the route of each relation but those of boxes and their members.

    A relation takes the route of a relation of an earlier graph between the same
    places: one of the same role if there is one, else one of the same direction, else
    any that is free.
    """
    parts_of: dict[int, _Parts] = {}
    members = {k for k, *_ in _memberships(side)}
    for k, source, target in side.relations():
        if source != target and k not in members:
            ends = (places[source], places[target])
            parts_of[k] = (frozenset(ends), ends, side.words[k].role)
    return _taken(parts_of, known_parts, (3, 2, 1))


def _taken(
    parts_of: Mapping[int, _Parts], known_parts: list[_Parts], sharings: Iterable[int]
) -> dict[int, int]:
    """Match routes with *known_parts* places; add what has none.

    Each takes a place of its own: one that shares as many of its first parts as the
    first of *sharings* says if there is one, else as many as the next.
    """
    free_places = {*range(len(known_parts))}
    place_of: dict[int, int] = {}
    for sharing in sharings:
        alike: dict[_Parts, list[int]] = {}
        for place in sorted(free_places, reverse=True):  # the first is the last
            alike.setdefault(known_parts[place][:sharing], []).append(place)
        for number, parts in parts_of.items():
            places = alike.get(parts[:sharing])
            if number not in place_of and places:
                place_of[number] = places.pop()
                free_places.remove(place_of[number])
    for number, parts in parts_of.items():
        if number not in place_of:
            place_of[number] = len(known_parts)
            known_parts.append(parts)
    return place_of
