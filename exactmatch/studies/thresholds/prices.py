"""Matches of graphs at every price of a part, by few exact solutions.

A mapping whose splits and merges have so many further parts matches less by each part's
price: at price p it is worth a line in p.  The best mapping at each price is the upper
envelope of these lines, convex and made of straight pieces.  Where two lines meet that
are best somewhere, a solution either is no better, and the piece ends there, or it is a
line between them.

Source: Eisner and Severance (1976), "Mathematical techniques for efficient record
segmentation in large shared databases", for envelopes by few solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, pairwise
from math import fsum
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.deadline import seconds_left
from exactmatch.base.errors import InputError
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.labelled.graded_problem import Floats, GradedProblem
from exactmatch.metrics.labelled.matched_items import matched_parts
from exactmatch.solvers.problem import Alignment
from exactmatch.solvers.solution import Limits

ONE_LINE = 1e-7
"""Lines that differ by less are one: solvers have rounded weights."""


class Lead(NamedTuple):
    """Cutoffs or prices at which one system is better, or none is."""

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
    """Matches of a mapping, as a line in the price of a part."""

    free: float  # at price 0
    full: float  # at price 1

    def at(self, price: float) -> float:
        """Return what it matches at a price."""
        return (1 - price) * self.free + price * self.full


class Envelope(NamedTuple):
    """The best mappings of two graphs at every price, piece by piece."""

    begins: tuple[float, ...]  # the price at which each piece begins, the first at 0
    lines: tuple[Line, ...]  # what its best mapping matches
    total: float  # the items of both graphs
    proven: bool  # all of it
    solved: int  # how many solutions that took
    nothing: float = 1.0  # the score of two graphs in which nothing counts


def best_pieces(
    solve: Callable[[float], Line], low: float, high: float
) -> list[tuple[float, Line]]:
    """Return where each piece of an upper envelope begins, and its line.

    *Solve* finds a line that is the highest at a price.
    """
    found = list(_pieces(solve, low, solve(low), high, solve(high)))
    kept = found[:1]
    for begin, line in found[1:]:
        if max(map(abs, np.subtract(line, kept[-1][1]))) >= ONE_LINE:
            kept.append((begin, line))
    return kept


def _pieces(
    solve: Callable[[float], Line], low: float, first: Line, high: float, last: Line
) -> Iterator[tuple[float, Line]]:
    """Yield where each piece begins between two prices, and its line."""
    free, full = first.free - last.free, first.full - last.full
    if max(abs(free), abs(full)) < ONE_LINE:
        yield low, first
        return
    meet = free / (free - full) if abs(free - full) > ONE_LINE else low
    if meet <= low + ONE_LINE:
        yield low, last
    elif meet >= high - ONE_LINE:
        yield low, first
    else:
        found = solve(meet)
        if found.at(meet) <= first.at(meet) + ONE_LINE:
            yield low, first
            yield meet, last
        else:
            yield from _pieces(solve, low, first, meet, found)
            yield from _pieces(solve, meet, found, high, last)


def envelope(
    metric: AligningMetric[object], given: GraphProblem, limits: Limits
) -> Envelope:
    """Find the best mappings of two graphs at every price; the limits are of all.

    Where the time is over, the best mapping that is known is taken, and not proven.
    """
    if not isinstance(given, GradedProblem) or given.rules.parts is None:
        raise InputError("a price is of parts; name parts, such as --parts 2")
    parts = given.rules.parts
    proofs: list[bool] = []
    known: list[Line] = []

    def solve(price: float) -> Line:
        if known and seconds_left() <= 0:
            proofs.append(False)
            return max(known, key=lambda line: line.at(price))
        rules = replace(given.rules, parts=replace(parts, price=price))
        stated = replace(given, rules=rules, prebuilt=None)
        found = metric.aligned(stated, limits.remaining(), "alignment")
        proofs.append(found.solution.is_optimal)
        known.append(_line(found.problem, found.solution.alignment))
        return known[-1]

    begins, lines = zip(*best_pieces(solve, 0.0, 1.0), strict=True)
    total = float(given.left.total) + float(given.right.total)
    nothing = given.profile.score_of_nothing
    return Envelope(begins, lines, total, all(proofs), len(proofs), nothing)


def _line(stated: Any, alignment: Alignment) -> Line:
    """Return what an alignment matches at both prices."""
    if stated.is_one_to_one:
        left, right = stated.graphs
        both = fsum(chain(*matched_parts(left, right, stated.rules, alignment)))
        return Line(both, both)
    further = sum(len(pred) + len(gold) - 2 for pred, gold in stated.stars(alignment))
    both = fsum(stated.matched_of(alignment).sums()) / 2
    price, weight = stated.rules.parts.price, stated.rules.weights[0] * further / 2
    return Line(both + price * weight, both - (1 - price) * weight)


class Piece(NamedTuple):
    """Prices between which what all pairs match is one line, and F1 with it."""

    low: float
    high: float
    matched: Line
    total: float
    nothing: float = 1.0  # F1 where there is nothing to match

    def f1(self, price: float) -> float:
        """Return F1 at a price."""
        return 2 * self.matched.at(price) / self.total if self.total else self.nothing


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
    total = fsum(pair.total for pair in pairs)
    if not pairs:
        return (Piece(0.0, 1.0, Line(0.0, 0.0), total),)
    lows, lines = added([pair.begins for pair in pairs], [pair.lines for pair in pairs])
    ends = [*lows.tolist(), 1.0]
    return tuple(
        Piece(low, high, Line(*line), total, pairs[0].nothing)
        for (low, high), line in zip(pairwise(ends), lines.tolist(), strict=True)
        if low < high
    )


def leads(
    one: Sequence[Piece], other: Sequence[Piece], names: tuple[str, str]
) -> Iterator[Lead]:
    """For which prices which of two systems is better; ends are exact.

    Between two ends the difference of both F1 is a line, which is equal to 0 at most
    once.
    """
    ends = {end for pieces in (one, other) for p in pieces for end in (p.low, p.high)}
    for low, high in pairwise(sorted(ends)):
        ours, theirs = (at(pieces, (low + high) / 2) for pieces in (one, other))
        first, last = (ours.f1(price) - theirs.f1(price) for price in (low, high))
        places = [(low, first), (high, last)]
        if first * last < 0:
            meet = low + (high - low) * first / (first - last)
            if low + ONE_LINE < meet < high - ONE_LINE:
                places.insert(1, (meet, 0.0))
        for (start, before), (end, after) in pairwise(places):
            largest = max(before, after, key=abs)
            best = names[largest < 0] if abs(largest) > ONE_LINE else None
            sizes = abs(before), abs(after)
            yield Lead(start, end, best, min(sizes), max(sizes))


def at(pieces: Sequence[Piece], price: float) -> Piece:
    """Return the piece that holds a price."""
    return next(piece for piece in pieces if price <= piece.high)
