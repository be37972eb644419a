"""One pair as the error browser's page holds it: short lists of numbers and words.

Thousands of pairs fit in a page because nothing is said twice: brackets follow from
depths, colours and signs from the edits, boxes' ends from their widths.  The lists
are read by ``browser_data.js``.

A *reference* to a part of a graph's text is twice the number of its line, and one
more for the concept that the line defines; :data:`ROOT` is the mark of the root and
:data:`NOWHERE` nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    """Turn a pair into plain data; an answer may be ``None``, but not all of them.

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
        lines, unsure = answer.pred.lines, answer.uncertain
        side = DrawnSide(graph, found.alignment, own, lines, uncertain=unsure)
        sides.append(side)
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

    The graph is the prediction (side 0) or the reference (1) in what is found.
    """
    counted = set()
    for each in found:
        edited = (edit.gold if side else edit.pred for edit in each.edits)
        stated = (*(both[side] for both in each.matched), *edited)
        counted |= {statement.number for statement in stated if statement is not None}
    total = len(graph.instances) + len(graph.attributes) + len(graph.relations)
    if not counted:
        return {}
    return {number: "uncounted" for number in range(total) if number not in counted}


def _geometry(drawing: Drawing) -> list[Any]:
    placement = drawing.placement
    routes = []
    for route in placement.routes:
        levels = pairwise((placement.tops[route.left], *route.heights))
        steps = [lower - upper for upper, lower in levels]
        routes.append([route.left, route.right, *steps])
    widths = [box.width for box in drawing.boxes]
    heights = [box.height for box in drawing.boxes]
    starts, size = placement.starts, (placement.width, placement.height)
    return [placement.layers, placement.tops, widths, heights, starts, routes, *size]


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
    lines = worded.lines
    unread = [k for k, line in enumerate(lines) if line.role and line.triple is None]
    stated = {number: mark for number, mark in side.marks.items() if number in parts}
    uncounted = [parts[k] for k, mark in stated.items() if mark == "uncounted"]
    notes = {parts[k]: note for k, note in side.notes.items() if k in parts}
    return [
        [2 * line.depth + line.defines for line in lines],
        [line.role for line in lines],
        [line.name for line in lines],
        [line.concept or line.constant for line in lines],
        places,
        ways,
        top,
        [*(2 * k for k in unread), *uncounted],
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
    known = errors.fixed | errors.varying
    return [
        errors.optima,
        int(errors.complete),
        [place for v, place in aligned if v in errors.varying],
        [place for v, place in aligned if v not in known],
    ]
