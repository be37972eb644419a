"""What graphs match at every weight of edges beside nodes, by few exact solutions.

With weight w of an edge and 1 - w of a node, a mapping that matches N of the nodes and
E of the edges is worth (1 - w) N + w E: a line.  The best mapping at each weight is the
upper envelope of these lines, convex and made of straight pieces.  Where two lines meet
that are best somewhere, a solution either is no better, and the piece ends there, or it
is a line between them.

Source: Eisner and Severance (1976), "Mathematical techniques for efficient record
segmentation in large shared databases", for envelopes by few solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.engine.problem import StatedProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.labelled.graded_problem import (
    Floats,
    GradedProblem,
    matched_parts,
)
from exactmatch.solvers.solution import Limits

SAME = 1e-7
"""Lines that differ by less are one: solvers have rounded weights."""


class Lead(NamedTuple):
    """Cutoffs or weights at which one system is better, or none is."""

    low: float  # both ends of cutoffs are those of a stretch
    high: float
    best: str | None  # the better system; None where both are equally good
    least: float  # by how much it is better
    most: float


def joined(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """Return the leads, neighbours in which the same system is better as one."""
    found: list[Lead] = []
    for lead in leads:
        if found and found[-1].best == lead.best:
            last = found.pop()
            least, most = min(last.least, lead.least), max(last.most, lead.most)
            lead = Lead(last.low, lead.high, lead.best, least, most)
        found.append(lead)
    return tuple(found)


class Line(NamedTuple):
    """The matches of a mapping: nodes, with their attributes, and edges."""

    nodes: float
    edges: float

    def at(self, share: float) -> float:
        """Its worth where an edge has this weight and a node the rest."""
        return (1 - share) * self.nodes + share * self.edges


class Envelope(NamedTuple):
    """The best mappings of two graphs at every weight, piece by piece."""

    begins: tuple[float, ...]  # the weight at which each piece begins, the first at 0
    lines: tuple[Line, ...]  # what its best mapping matches
    total: Line  # the nodes and the edges of both graphs
    proven: bool  # all of it
    solved: int  # how many solutions that took


def best_pieces(
    solve: Callable[[float], Line], low: float, high: float
) -> list[tuple[float, Line]]:
    """Return where each piece of an upper envelope begins, and its line.

    *Solve* finds a line that is the highest at a weight.
    """
    found = list(_pieces(solve, low, solve(low), high, solve(high)))
    kept = found[:1]
    for begin, line in found[1:]:
        if max(map(abs, np.subtract(line, kept[-1][1]))) >= SAME:
            kept.append((begin, line))
    return kept


def _pieces(
    solve: Callable[[float], Line], low: float, first: Line, high: float, last: Line
) -> Iterator[tuple[float, Line]]:
    """Yield where each piece begins between two weights, and its line."""
    nodes, edges = first.nodes - last.nodes, first.edges - last.edges
    if max(abs(nodes), abs(edges)) < SAME:
        yield low, first
        return
    meet = nodes / (nodes - edges) if abs(nodes - edges) > SAME else low
    if meet <= low + SAME:
        yield low, last
    elif meet >= high - SAME:
        yield low, first
    else:
        found = solve(meet)
        if found.at(meet) <= first.at(meet) + SAME:
            yield low, first
            yield meet, last
        else:
            yield from _pieces(solve, low, first, meet, found)
            yield from _pieces(solve, meet, found, high, last)


def envelope(
    metric: AligningMetric[object], given: StatedProblem, limits: Limits
) -> Envelope:
    """Find the best mappings of two graphs at every weight."""
    if not isinstance(given, GradedProblem) or given.rules.count != "nodes-and-edges":
        raise InputError(
            "a share is of nodes and edges; name the metric graph, and no --count"
        )
    proofs: list[bool] = []
    even = replace(given.rules, share=0.5)

    def solve(share: float) -> Line:
        rules = replace(given.rules, share=share)
        stated = replace(given, rules=rules, given=None)
        found = metric.aligned(stated, limits, "alignment")
        proofs.append(found.solution.is_optimal)
        parts = matched_parts(*given.graphs, even, found.solution.alignment)
        return Line(fsum(parts[0] + parts[1]), fsum(parts[2]))

    begins, lines = zip(*best_pieces(solve, 0.0, 1.0), strict=True)
    total = Line(
        sum(len(graph.labels) + graph.n_attributes for graph in given.graphs),
        sum(len(graph.edges) for graph in given.graphs),
    )
    return Envelope(begins, lines, total, all(proofs), len(proofs))


class Piece(NamedTuple):
    """Weights between which what all pairs match, and have, are two lines.

    F1 is twice the one over the other, and rises or falls all the way.
    """

    low: float
    high: float
    matched: Line
    total: Line

    def f1(self, share: float) -> float:
        """F1 at a weight."""
        total = self.total.at(share)
        return 2 * self.matched.at(share) / total if total else 0.0


def added(begins: Sequence[Any], values: Sequence[Any]) -> tuple[Floats, Floats]:
    """Add step functions up: where each step of one begins, and its value there."""
    steps = [np.diff(own, axis=0, prepend=0.0) for own in values]
    changes: Floats = np.concatenate(steps)
    lows, place = np.unique(np.concatenate(begins), return_inverse=True)
    levels = np.zeros((len(lows), *changes.shape[1:]))
    np.add.at(levels, place.ravel(), changes)
    return lows, np.cumsum(levels, axis=0)


def summed(pairs: Sequence[Envelope]) -> tuple[Piece, ...]:
    """Add the envelopes of all pairs up."""
    total = Line(
        sum(pair.total.nodes for pair in pairs), sum(pair.total.edges for pair in pairs)
    )
    if not pairs:
        return (Piece(0.0, 1.0, Line(0.0, 0.0), total),)
    lows, lines = added([pair.begins for pair in pairs], [pair.lines for pair in pairs])
    ends = [*lows.tolist(), 1.0]
    return tuple(
        Piece(low, high, Line(*line), total)
        for (low, high), line in zip(pairwise(ends), lines.tolist(), strict=True)
        if low < high
    )


def leads(
    one: Sequence[Piece], other: Sequence[Piece], names: tuple[str, str]
) -> Iterator[Lead]:
    """For which weights which of two systems is better; ends are exact."""
    ends = {end for pieces in (one, other) for p in pieces for end in (p.low, p.high)}
    for low, high in pairwise(sorted(ends)):
        ours, theirs = (at(pieces, (low + high) / 2) for pieces in (one, other))
        for start, end in pairwise([low, *_crossings(ours, theirs, low, high), high]):
            middle = (start + end) / 2
            differences = [ours.f1(x) - theirs.f1(x) for x in (start, middle, end)]
            is_clear = abs(differences[1]) > SAME
            best = names[differences[1] < 0] if is_clear else None
            sizes = [abs(difference) for difference in differences]
            yield Lead(start, end, best, min(sizes), max(sizes))


def at(pieces: Sequence[Piece], share: float) -> Piece:
    """Return the piece that holds a weight."""
    return next(piece for piece in pieces if share <= piece.high)


def _crossings(ours: Piece, theirs: Piece, low: float, high: float) -> list[float]:
    """Where two F1 are equal between two weights: the roots of a polynomial."""

    def polynomial(line: Line) -> Floats:
        return np.array([line.edges - line.nodes, line.nodes])

    left = np.polymul(polynomial(ours.matched), polynomial(theirs.total))
    right = np.polymul(polynomial(theirs.matched), polynomial(ours.total))
    roots = np.roots(np.trim_zeros(np.polysub(left, right), "f"))
    real = sorted(float(root.real) for root in roots if abs(root.imag) < SAME)
    return [root for root in real if low + SAME < root < high - SAME]
