"""One pair as the error browser's page holds it: short lists of numbers and words.

Thousands of pairs fit in a page because nothing is said twice: brackets follow from
depths, colours and signs from the edits, boxes' ends from their widths.  The lists
are read by ``browser_data.js``.

A *reference* to a part of a graph's text is twice the number of its line, and one
more for the concept that the line defines; :data:`ROOT` is the mark of the root and
:data:`NOWHERE` nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from exactmatch.graphs.drawing.drawing import (
    TOP,
    Drawing,
    DrawnNode,
    DrawnSide,
    Mark,
    Picture,
    draw,
)
from exactmatch.graphs.drawing.layered import Route
from exactmatch.graphs.drawing.source_text import Worded, untagged
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import TextLine
from exactmatch.studies.errors.differences import Differences, gold_marks, marks
from exactmatch.studies.errors.errors import ErrorType, PairErrors

NOWHERE, ROOT = -1, -2

_ONWARDS, _DEINVERTED = 1, 2


def references(worded: Worded) -> dict[int, int]:
    """Return the place of each triple in a graph's text, by its number."""
    found = {TOP: ROOT}
    for number, line in enumerate(worded.lines):
        if line.triple is not None:
            found[line.triple] = 2 * number
        for instance in line.instances[:1]:
            found[instance] = 2 * number + 1
    return found


def pair_data(
    answers: Sequence[PairErrors | None], number_of: Callable[[ErrorType], int]
) -> list[Any]:
    """Turn a pair into plain data.

    Args:
        answers: how each system's answer differs from the reference; ``None`` where
            it has none, but not everywhere.
        number_of: the number of a type of error in the page's list of types.

    Returns:
        Geometry; the graphs, the reference first, ``None`` for a missing answer; for
        each answer its edits ``[type, reference's part, prediction's part]``; for each
        answer ``[optima, whether these are all, places with several partners, places
        of which it is not known]``.
    """
    given = [answer for answer in answers if answer is not None]
    gold = given[0].gold
    all_found = [answer.differences for answer in given]
    own, notes = gold_marks(all_found)
    own |= _uncounted(gold.graph, all_found, 1)
    sides = [DrawnSide(gold.graph, (), own, gold.lines, notes)]
    for answer in given:
        found, graph = answer.differences, answer.pred.graph
        own = marks(found.edits)[1] | _uncounted(graph, [found], 0)
        sides.append(
            DrawnSide(
                graph,
                found.alignment,
                own,
                answer.pred.lines,
                uncertain=answer.uncertain,
            )
        )
    drawing = draw(*sides)
    worded = [gold, *(answer.pred for answer in given)]
    graphs = map(_graph, drawing.pictures, worded)
    there = references(gold)
    nodes = drawing.pictures[0].nodes
    return [
        _geometry(drawing),
        [next(graphs), *(answer and next(graphs) for answer in answers)],
        [answer and _edits(answer, there, number_of) for answer in answers],
        [answer and _optima(answer, nodes) for answer in answers],
    ]


def _uncounted(
    graph: Graph, found: Iterable[Differences], side: int
) -> dict[int, Mark]:
    """Return marks of the triples that the profile does not count.

    Args:
        graph: the graph.
        found: how it differs from others.
        side: 0 if it is the prediction in these, 1 if the reference.
    """
    counted: set[int] = set()
    for differences in found:
        counted.update(pair[side].number for pair in differences.matched)
        for edit in differences.edits:
            statement = edit.gold if side else edit.pred
            if statement is not None:
                counted.add(statement.number)
    total = len(graph.instances) + len(graph.attributes) + len(graph.relations)
    if not counted:
        return {}
    return {number: "uncounted" for number in range(total) if number not in counted}


def _geometry(drawing: Drawing) -> list[Any]:
    placement = drawing.placement
    rows = [0] * len(drawing.boxes)
    for picture in drawing.pictures:
        for node in picture.nodes:
            for row in node.rows:
                rows[node.place] = max(rows[node.place], row.line + 1)
    return [
        placement.layers,
        placement.tops,
        [box.width for box in drawing.boxes],
        rows,
        placement.starts,
        [
            [route.left, route.right, *_steps(placement.tops[route.left], route)]
            for route in placement.routes
        ],
        placement.width,
        placement.height,
    ]


def _steps(start: int, route: Route) -> Iterator[int]:
    """Yield how much lower a route is in each layer than in the one before."""
    for one, other in pairwise((start, *route.heights)):
        yield other - one


def _graph(picture: Picture, worded: Worded) -> list[Any]:
    """Return a graph's text, and the drawing of each line.

    Returns:
        For each line: twice its depth, and one more if it defines a variable; the
        role; the variable's name; the concept or constant; the variable's place; and
        how the role is drawn: for a relation four times its route, and more if it
        leads to the right and if it is deinverted; for what stands in a box -2 less
        four times the line there, and less still if it is deinverted.
        Then the root's place, what is not counted, and the notes of marks.
    """
    side = picture.side
    rows = {row.triple: row.line for node in picture.nodes for row in node.rows}
    edges = {edge.triple: edge for edge in picture.edges}
    places, ways = [], []
    for line in worded.lines:
        v = line.variable
        places.append(NOWHERE if v is None else picture.nodes[v].place)
        way = NOWHERE
        if line.triple in edges:
            edge = edges[line.triple]
            way = 4 * edge.route + _ONWARDS * edge.onwards + _deinverted(side, line)
        elif line.triple in rows:
            way = -2 - 4 * rows[line.triple] - _deinverted(side, line)
        ways.append(way)
    parts = references(worded)
    top = NOWHERE if side.graph.top is None else picture.nodes[side.graph.top].place
    dropped = [
        2 * number
        for number, line in enumerate(worded.lines)
        if line.role and line.triple is None
    ]
    uncounted = [
        parts[number]
        for number, mark in side.marks.items()
        if mark == "uncounted" and number in parts
    ]
    notes = {
        parts[number]: note for number, note in side.notes.items() if number in parts
    }
    return [
        [2 * line.depth + line.defines for line in worded.lines],
        [line.role for line in worded.lines],
        [line.name for line in worded.lines],
        [line.concept or line.constant for line in worded.lines],
        places,
        ways,
        top,
        dropped + uncounted,
        notes,
    ]


def _deinverted(side: DrawnSide, line: TextLine) -> int:
    """Tell whether a role is drawn the other way round than its line has it."""
    assert line.triple is not None
    return _DEINVERTED * (untagged(line.role) != side.said[line.triple].role)


def _edits(
    errors: PairErrors,
    there: Mapping[int, int],
    number_of: Callable[[ErrorType], int],
) -> list[list[int]]:
    here = references(errors.pred)
    return [
        [
            number_of(kind),
            there.get(edit.gold.number, NOWHERE) if edit.gold else NOWHERE,
            here.get(edit.pred.number, NOWHERE) if edit.pred else NOWHERE,
        ]
        for edit, kind in zip(errors.differences.edits, errors.types, strict=True)
    ]


def _optima(errors: PairErrors, nodes: Sequence[DrawnNode]) -> list[Any]:
    aligned = [
        (v, nodes[partner].place)
        for v, partner in enumerate(errors.differences.alignment)
        if partner != -1
    ]
    return [
        errors.optima,
        int(errors.complete),
        [place for v, place in aligned if v in errors.varying],
        [
            place
            for v, place in aligned
            if v not in errors.fixed and v not in errors.varying
        ],
    ]
