"""All pairs of an evaluation, packed for the page of the error browser.

The *head* has what the list of pairs needs: ids, sentences, counts and types of errors,
a column each.  The pairs follow in *blocks*, each packed by itself, so that opening one
unpacks few.  A block is JSON, deflated, in base 64: text that HTML can hold as it is.

A pair is short lists of numbers and words without repetition: brackets follow from
depths, colours and signs from the edits, the ends of boxes from their widths.  A
*reference* to a part of a graph's text is twice the number of its line, and one more
for the concept that the line defines; :data:`ROOT` is the mark of the root and
:data:`NOWHERE` nothing.  ``browser_data.js`` reads it all.
"""

from __future__ import annotations

import base64
import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, Any

from exactmatch.base.deadline import OutOfTimeError, within
from exactmatch.engine.differences import Differences, Edit, gold_marks, marks
from exactmatch.formats.own_text import own_text
from exactmatch.graphs.drawing.drawing import (
    TOP,
    Drawing,
    DrawnSide,
    Mark,
    Picture,
    draw,
)
from exactmatch.graphs.drawing.source_text import Worded, untagged
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.penman_text import TextLine
from exactmatch.solvers.solution import Limits
from exactmatch.studies.errors.errors import (
    ErrorSums,
    ErrorType,
    PairErrors,
    meaning,
    repeated_roots,
)
from exactmatch.studies.errors.study import Examined

if TYPE_CHECKING:
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Solution

LEAST_DRAWING = 0.25
"""Seconds in which a pair may be drawn though no time is left; all of them together,
after the total time."""

PER_BLOCK = 64
"""Pairs in a block."""

NO_TOPIC, ROLES, CONCEPTS, BOTH_ROLES, VALUES = range(5)
"""Topic of a type's detail: nothing; one or two roles; one or two concepts; a role
that stands elsewhere; a role and its two values.  Of two, the first is missing and the
second extra; of one, the kind tells which."""

NOWHERE, ROOT = -1, -2
_ONWARDS, _DEINVERTED = 1, 2


def references(worded: Worded) -> dict[int, int]:
    """Return the place of each triple in a graph's text, by its number."""
    places = {TOP: ROOT}
    for number, line in enumerate(worded.lines):
        if line.triple is not None:
            places[line.triple] = 2 * number
        for instance in line.instances[:1]:
            places[instance] = 2 * number + 1
    return places


def pair_data(
    answers: Sequence[PairErrors | None], number_of: Callable[[ErrorType], int]
) -> list[Any]:
    """Turn a pair into plain data; an answer may be ``None``, but not all of them.

    Returns:
        Geometry, empty if a limit of time (``base/deadline.py``) is over before; the
        graphs, the reference first, ``None`` for a missing answer; for each answer its
        edits ``[type, reference's part, prediction's part]``; for each answer
        ``[optima, whether these are all, places with several partners, places that
        were not examined, groups]``; a group has the places in the reference and in
        the prediction of nodes that together stand for one.
    """
    known_answers = [answer for answer in answers if answer is not None]
    gold = known_answers[0].gold
    all_differences = [answer.differences for answer in known_answers]
    marks_of_graph, notes = gold_marks(all_differences)
    marks_of_graph |= _uncounted(gold.graph, all_differences, 1)
    sides = [DrawnSide(gold.graph, (), marks_of_graph, gold.lines, notes)]
    for answer in known_answers:
        differences, graph = answer.differences, answer.pred.graph
        marks_of_graph = marks(differences.edits)[1] | _uncounted(
            graph, [differences], 0
        )
        lines, unsure = answer.pred.lines, answer.uncertain
        side = DrawnSide(
            graph, differences.alignment, marks_of_graph, lines, uncertain=unsure
        )
        sides.append(side)
    try:
        drawing = draw(*sides)
    except OutOfTimeError:
        drawing = draw(*sides, is_late=True)
    worded = [gold, *(answer.pred for answer in known_answers)]
    graphs = map(_graph, drawing.pictures, worded)
    gold_references = references(gold)
    places = [[node.place for node in picture.nodes] for picture in drawing.pictures]
    of_preds = iter(places[1:])
    return [
        _geometry(drawing),
        [next(graphs), *(answer and next(graphs) for answer in answers)],
        [answer and _edits(answer, gold_references, number_of) for answer in answers],
        [answer and _optima(answer, places[0], next(of_preds)) for answer in answers],
    ]


def _uncounted(
    graph: Graph, compared: Iterable[Differences], side: int
) -> dict[int, Mark]:
    """Return marks of the triples that the profile does not count.

    The graph is the prediction (side 0) or the reference (1) of the comparisons.
    """
    statements_of: list[Any] = [
        pair
        for each in compared
        for pair in (*each.matched, *each.edits, *each.together)
    ]
    counted = {pair[side].number for pair in statements_of if pair[side] is not None}
    total = len(graph.instances) + len(graph.attributes) + len(graph.relations)
    if not counted:
        return {}
    return {number: "uncounted" for number in range(total) if number not in counted}


def _geometry(drawing: Drawing) -> list[Any]:
    placement = drawing.placement
    if not placement.layers:
        return [[], [], [], [], [], [], 0, 0]
    routes = []
    for route in placement.routes:
        levels = pairwise((placement.tops[route.left], *route.heights))
        steps = [lower - upper for upper, lower in levels]
        routes.append([route.left, route.right, *steps])
    widths = [box.width for box in drawing.boxes]
    heights = [box.height for box in drawing.boxes]
    starts, size = placement.starts, drawing.size()
    extra = drawing.extra_lines if any(drawing.extra_lines) else ()
    rare = [placement.frames, extra, int(drawing.is_workflow)]
    while rare and not rare[-1]:
        rare.pop()
    geometry = [
        placement.layers,
        placement.tops,
        widths,
        heights,
        starts,
        routes,
        *size,
    ]
    return [*geometry, *rare]


def _graph(picture: Picture, worded: Worded) -> list[Any]:
    """Return a graph's text, and the drawing of each line.

    Returns:
        For each line: twice its depth, and one more if it defines a variable; the
        role; the variable's name; the concept or constant; the variable's place; and
        the number that tells the drawing of the role: for a relation four times its
        route, plus 1 if it leads to the right, plus 2 if it is deinverted; for a line
        in a box, -2 minus four times that line, minus 2 if it is deinverted.
        Then the root's place, what is not counted, the notes of marks, the words of
        the sentence for variables without a concept, and the text in a format other
        than PENMAN, with its stretches (:func:`_own_text`).
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
    shown_marks = {
        number: mark for number, mark in side.marks.items() if number in parts
    }
    uncounted = [parts[k] for k, mark in shown_marks.items() if mark == "uncounted"]
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
        {
            number: words
            for number, line in enumerate(lines)
            if line.defines and line.variable is not None and not line.concept
            if (words := side.graph.words(line.variable))
        },
        _own_text(picture, worded, parts),
    ]


def _own_text(
    picture: Picture, worded: Worded, parts: Mapping[int, int]
) -> list[Any] | None:
    """Return a text that is not PENMAN, with the stretches of triples and of names.

    A stretch is its beginning, its end, and a reference to what it states, or the place
    of the variable that it names.
    """
    marked_text = None if worded.text is None else own_text(worded.graph, worded.text)
    if marked_text is None:
        return None
    triples = [
        (begin, end, parts[number])
        for begin, end, number in marked_text.triples
        if number in parts
    ]
    names = [
        (begin, end, picture.nodes[v].place) for begin, end, v in marked_text.names
    ]
    return [marked_text.text, triples, names]


def _deinverted(side: DrawnSide, line: TextLine) -> int:
    """Return the number that marks a role drawn against the direction of its line."""
    assert line.triple is not None
    return _DEINVERTED * (untagged(line.role) != side.words[line.triple].role)


def _edits(
    errors: PairErrors,
    gold_references: Mapping[int, int],
    number_of: Callable[[ErrorType], int],
) -> list[list[int]]:
    here = references(errors.pred)
    return [
        [
            number_of(kind),
            gold_references.get(edit.gold.number, NOWHERE) if edit.gold else NOWHERE,
            here.get(edit.pred.number, NOWHERE) if edit.pred else NOWHERE,
        ]
        for edit, kind in zip(errors.differences.edits, errors.types, strict=True)
    ]


def _optima(
    errors: PairErrors, gold_references: Sequence[int], pred_references: Sequence[int]
) -> list[Any]:
    varying, drawn = errors.varying, errors.fixed | errors.varying
    partners = enumerate(errors.differences.alignment)
    places = {v: gold_references[partner] for v, partner in partners if partner != -1}
    return [
        errors.optima,
        int(errors.complete),
        [place for v, place in places.items() if v in varying],
        [place for v, place in places.items() if v not in drawn],
        [
            [[gold_references[v] for v in gold], [pred_references[u] for u in pred]]
            for pred, gold in errors.groups
        ],
    ]


@dataclass(slots=True)
class Collector:
    """Packer of pairs for the page, one after the other."""

    names: Sequence[str]  # of the systems
    with_proofs: bool = False
    references: Mapping[str, str] = field(default_factory=dict)  # names by their paths
    limits: Limits = field(default_factory=Limits)
    blocks: list[str] = field(default_factory=list)  # packed so far
    proof_blocks: list[str] = field(default_factory=list)  # for the same pairs
    _about: dict[str, list[Any]] = field(init=False)
    _columns: list[dict[str, list[Any]]] = field(init=False)
    _errors: list[ErrorSums] = field(init=False)
    _types: dict[ErrorType, int] = field(default_factory=dict)
    _topics: dict[ErrorType, int] = field(default_factory=dict)
    _proofs: dict[str, int] = field(default_factory=dict)
    _waiting: list[Any] = field(default_factory=list)
    _waiting_proofs: list[Any] = field(default_factory=list)
    _names: list[str] = field(init=False)  # of the references, where there are several
    _nothing: float | None = None  # the score of graphs without any triple, if met

    def __post_init__(self) -> None:
        self._about = {name: [] for name in _ABOUT}
        self._columns = [{name: [] for name in _COLUMNS} for _ in self.names]
        self._errors = [ErrorSums() for _ in self.names]
        self._names = list(self.references.values()) if len(self.references) > 1 else []

    def __len__(self) -> int:
        return len(self._about["numbers"])

    def add(self, answers: Sequence[Examined | None]) -> None:
        """Take one pair: each system's answer, ``None`` where it has none."""
        known_answers = [answer for answer in answers if answer is not None]
        first = known_answers[0]
        graphs = [first.errors.gold, *(answer.errors.pred for answer in known_answers)]
        sentence, *other_sentences = dict.fromkeys(
            filter(None, map(_sentence, graphs))
        ) or [""]
        is_reentrant = int(any(map(_is_reentrant, graphs)))
        best = self._reference(first.errors.gold.graph) if self._names else NOWHERE
        pair_cells = (
            first.result.index + 1,
            first.result.id,
            sentence,
            is_reentrant,
            best,
        )
        for column, value in zip(self._about.values(), pair_cells, strict=True):
            column.append(value)
        for system, answer in enumerate(answers):
            row = self._row(answer)
            for name, column in self._columns[system].items():
                column.append(row.get(name))
            if answer is not None:
                self._errors[system].add(answer.errors)
        errors = [answer and answer.errors for answer in answers]
        with within(self._drawing_time(answers)):
            data = pair_data(errors, self._number)
        self._waiting.append([*data, other_sentences])
        if self.with_proofs:
            results = [answer and answer.result for answer in answers]
            self._waiting_proofs.append(
                [
                    r and proof_data(r.required_problem.problem, r.solved)
                    for r in results
                ]
            )
        if len(self._waiting) == PER_BLOCK:
            self._pack()

    def _drawing_time(self, answers: Sequence[Examined | None]) -> float | None:
        """Return the seconds in which a pair may be drawn: what its search left."""
        seconds, until = self.limits.seconds, self.limits.until
        if seconds is not None:
            solutions = [answer.result.solution for answer in answers if answer]
            seconds -= fsum(solution.seconds for solution in solutions if solution)
            seconds = max(seconds, LEAST_DRAWING)
        if until is not None:
            left = until - time.time() + LEAST_DRAWING
            seconds = left if seconds is None else min(seconds, left)
        return seconds

    def _reference(self, graph: Graph) -> int:
        """Return the number of the reference that a graph was read from."""
        path = graph.origin.path or ""
        within = (k for k, p in enumerate(self.references) if path.startswith(p))
        return next(within, NOWHERE)

    def _row(self, answer: Examined | None) -> dict[str, Any]:
        """Return the values of an answer by column; empty without an answer."""
        if answer is None:
            return {}
        score, solution = answer.result.score, answer.result.solution
        if score.pred_total == 0 == score.gold_total:
            self._nothing = score.shown
        edits, types = answer.errors.differences.edits, answer.errors.types
        for edit, kind in zip(edits, types, strict=True):
            self._topics.setdefault(kind, _topic(edit, kind))
        proof = f"{solution.solver}: {solution.proof}" if solution else ""
        repeated = repeated_roots(answer.errors.differences)
        return {
            "matched": score.matched,
            "bounds": score.bound,
            "predTotals": score.pred_total,
            "goldTotals": score.gold_total,
            "sides": None
            if score.matched_pred is None
            else [score.matched_pred, score.matched_gold],
            "missing": sum(edit.gold is not None for edit in edits),
            "extra": sum(edit.pred is not None for edit in edits),
            "proofs": self._proofs.setdefault(proof, len(self._proofs)),
            "types": sorted(
                NOWHERE - self._number(kind) if k in repeated else self._number(kind)
                for k, kind in enumerate(types)
            ),
        }

    def _number(self, kind: ErrorType) -> int:
        """Return the number of a type; its kind gets a number, too."""
        self._types.setdefault(ErrorType(kind.kind), len(self._types))
        return self._types.setdefault(kind, len(self._types))

    def _pack(self) -> None:
        waiting_and_blocks = (
            (self._waiting, self.blocks),
            (self._waiting_proofs, self.proof_blocks),
        )
        for waiting, blocks in waiting_and_blocks:
            if waiting:
                blocks.append(packed(waiting))
                waiting.clear()

    def head(self, extra: Mapping[str, Any]) -> str:
        """Pack the last block; return the head of the page with *extra*, packed."""
        self._pack()
        parts = {
            **extra,
            "perBlock": PER_BLOCK,
            "nothing": self._nothing,
            "references": self._names,
            "systems": list(map(self._system, range(len(self.names)))),
            **self._about,
            "proofs": list(self._proofs),
            "meanings": {kind.kind: meaning(kind.kind) for kind in self._types},
            "types": [[*k, self._topics.get(k, NO_TOPIC)] for k in self._types],
        }
        return packed(parts)

    def scores(self, number: int) -> list[float]:
        """Return the F1 of each pair of one system that has a graph."""
        columns = self._columns[number]
        names = ("matched", "predTotals", "goldTotals")
        totals = zip(*(columns[name] for name in names), strict=True)
        rows = [row for row in totals if row[0] is not None]
        score_of_nothing = 1.0 if self._nothing is None else self._nothing
        return [2 * m / (p + g) if p + g else score_of_nothing for m, p, g in rows]

    def unproven(self, number: int) -> int:
        """Count the pairs of one system whose score is not proven."""
        columns = self._columns[number]
        matched_and_bounds = zip(columns["matched"], columns["bounds"], strict=True)
        return sum(matched != bound for matched, bound in matched_and_bounds)

    def _system(self, number: int) -> dict[str, Any]:
        """Return the columns of one system, and its count of each error."""
        counts = [
            [self._number(e.type), e.count, e.least, e.greatest, e.triples]
            for e in self._errors[number].counts()
        ]
        return {"name": self.names[number], **self._columns[number], "counts": counts}


_ABOUT = ("numbers", "ids", "sentences", "reentrant", "best")
_COLUMNS = (
    *("matched", "bounds", "predTotals", "goldTotals", "sides"),
    *("missing", "extra", "proofs", "types"),
)


def proof_data(problem: AlignmentProblem, solution: Solution) -> dict[str, Any]:
    """Return the proof of a pair and its problem as plain data."""
    arrays = ("left", "right", "unary", "first", "second", "weight")
    certificate = solution.certificate
    if certificate is not None and certificate.cases:
        certificate = None  # the page cannot check it; 'exactmatch verify' can
    return {
        "problem": {
            "nLeft": problem.n_left,
            "nRight": problem.n_right,
            **{name: getattr(problem, name).tolist() for name in arrays},
        },
        "alignment": list(solution.alignment),
        "value": solution.value,
        "scale": problem.scale,
        "certificate": certificate and certificate.to_dict(),
    }


def packed(data: Any) -> str:
    """Pack plain data into text that a script element can hold."""
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    texts = (text.encode("utf-8", "replace") for text in _texts(data))
    content = b"".join([*map(deflate.compress, texts), deflate.flush()])
    return base64.b64encode(content).decode("ascii")


def _texts(data: Any) -> Iterator[str]:
    """Yield JSON part by part, so that only one part is in memory."""
    if not data or not isinstance(data, dict | list):
        yield _json(data)
    elif isinstance(data, dict):
        for number, (name, value) in enumerate(data.items()):
            yield f"{',' if number else '{'}{_json(name)}:"
            yield from _texts(value)
        yield "}"
    elif isinstance(data[0], dict):
        for number, value in enumerate(data):
            yield "," if number else "["
            yield from _texts(value)
        yield "]"
    else:
        for first in range(0, len(data), PER_BLOCK):
            yield "," if first else "["
            yield _json(data[first : first + PER_BLOCK])[1:-1]
        yield "]"


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _sentence(worded: Worded) -> str:
    graph: Graph = worded.graph
    return graph.sentence


def _is_reentrant(worded: Worded) -> bool:
    """Return whether a variable is mentioned again after its definition."""
    return any(line.variable is not None and not line.defines for line in worded.lines)


def _topic(edit: Edit, kind: ErrorType) -> int:
    statement = edit.gold or edit.pred
    assert statement is not None
    if statement.triple.kind == "instance" or edit.change == "concept":
        return CONCEPTS
    if statement.number == TOP:
        return NO_TOPIC
    if edit.change == "value":
        return VALUES
    return BOTH_ROLES if kind.kind.startswith("wrong") else ROLES
