"""Matches of graphs at every price of a part, by few exact solutions.

Each further part of a split or merge costs a mapping the price p, so what a mapping
matches is a line in p.  The best mappings at all prices are the upper envelope of these
lines, which is convex and made of straight pieces.  Where two lines of it meet, the
problem is solved: either no mapping is better, and the piece ends there, or there is
another line between the two.

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
    """Range of cutoffs or prices in which one system is better, or none is."""

    low: float  # both ends of cutoffs are those of a stretch
    high: float
    best: str | None  # the better system; None where both are equally good
    least: float  # the least difference in the range
    most: float


def joined(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """Join neighbouring leads of the same system."""
    leads_joined: list[Lead] = []
    for lead in leads:
        if leads_joined and leads_joined[-1].best == lead.best:
            last = leads_joined.pop()
            smallest, largest = min(last.least, lead.least), max(last.most, lead.most)
            lead = Lead(last.low, lead.high, lead.best, smallest, largest)
        leads_joined.append(lead)
    return tuple(leads_joined)


class Line(NamedTuple):
    """Matches of a mapping as a line in the price of a part."""

    free: float  # at price 0
    full: float  # at price 1

    def at(self, price: float) -> float:
        """Return the matches at a price."""
        return (1 - price) * self.free + price * self.full


class Envelope(NamedTuple):
    """Best mappings of two graphs at every price, piece by piece."""

    begins: tuple[float, ...]  # the price at which each piece begins, the first at 0
    lines: tuple[Line, ...]  # what its best mapping matches
    total: float  # the items of both graphs
    proven: bool  # whether all pieces are proven
    solved: int  # the number of solutions
    nothing: float = 1.0  # the score of two graphs in which nothing counts


def best_pieces(
    solve: Callable[[float], Line], low: float, high: float
) -> list[tuple[float, Line]]:
    """Return where each piece of an upper envelope begins, and its line.

    *Solve* finds a line that is the highest at a price.
    """
    pieces = list(_pieces(solve, low, solve(low), high, solve(high)))
    kept = pieces[:1]
    for begin, line in pieces[1:]:
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
        between = solve(meet)
        if between.at(meet) <= first.at(meet) + ONE_LINE:
            yield low, first
            yield meet, last
        else:
            yield from _pieces(solve, low, first, meet, between)
            yield from _pieces(solve, meet, between, high, last)


def envelope(
    metric: AligningMetric[object], problem: GraphProblem, limits: Limits
) -> Envelope:
    """Find the best mappings of two graphs at every price, within limits for all.

    When the time is over, the best known mapping is taken, which is not proven.
    """
    if not isinstance(problem, GradedProblem) or problem.rules.parts is None:
        raise InputError("a price is of parts; name parts, such as --parts 2")
    parts = problem.rules.parts
    proofs: list[bool] = []
    upper_lines: list[Line] = []

    def solve(price: float) -> Line:
        if upper_lines and seconds_left() <= 0:
            proofs.append(False)
            return max(upper_lines, key=lambda line: line.at(price))
        rules = replace(problem.rules, parts=replace(parts, price=price))
        priced = replace(problem, rules=rules, prebuilt=None)
        solved_pair = metric.solve_problem(priced, limits.remaining(), "alignment")
        proofs.append(solved_pair.solution.is_optimal)
        upper_lines.append(_line(solved_pair.problem, solved_pair.solution.alignment))
        return upper_lines[-1]

    begins, lines = zip(*best_pieces(solve, 0.0, 1.0), strict=True)
    total = float(problem.left.total) + float(problem.right.total)
    nothing = problem.profile.score_of_nothing
    return Envelope(begins, lines, total, all(proofs), len(proofs), nothing)


def _line(problem: Any, alignment: Alignment) -> Line:
    """Return the matches of an alignment as a line in the price."""
    if problem.is_one_to_one:
        left, right = problem.graphs
        n_matched = fsum(chain(*matched_parts(left, right, problem.rules, alignment)))
        return Line(n_matched, n_matched)
    further = sum(len(pred) + len(gold) - 2 for pred, gold in problem.stars(alignment))
    n_matched = fsum(problem.matched_of(alignment).sums()) / 2
    price, weight = problem.rules.parts.price, problem.rules.weights[0] * further / 2
    return Line(n_matched + price * weight, n_matched - (1 - price) * weight)


class Piece(NamedTuple):
    """Range of prices in which the matches of all pairs are one line."""

    low: float
    high: float
    matched: Line
    total: float
    nothing: float = 1.0  # F1 where there is nothing to match

    def f1(self, price: float) -> float:
        """Return F1 at a price."""
        return 2 * self.matched.at(price) / self.total if self.total else self.nothing


def added(begins: Sequence[Any], values: Sequence[Any]) -> tuple[Floats, Floats]:
    """Add step functions; return where the steps of the sum begin, and their values."""
    steps = [np.diff(step_values, axis=0, prepend=0.0) for step_values in values]
    changes: Floats = np.concatenate(steps)
    lows, place = np.unique(np.concatenate(begins), return_inverse=True)
    levels = np.zeros((len(lows), *changes.shape[1:]))
    np.add.at(levels, place.ravel(), changes)
    return lows, np.cumsum(levels, axis=0)


def summed(pairs: Sequence[Envelope]) -> tuple[Piece, ...]:
    """Add the envelopes of all pairs."""
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
    ours_pieces: Sequence[Piece], theirs_pieces: Sequence[Piece], names: tuple[str, str]
) -> Iterator[Lead]:
    """Yield the ranges of prices in which one of two systems is better, exactly.

    Between two ends the difference of both F1 is a line, which crosses 0 at most once.
    """
    ends = {
        end
        for pieces in (ours_pieces, theirs_pieces)
        for p in pieces
        for end in (p.low, p.high)
    }
    for low, high in pairwise(sorted(ends)):
        first_lines, second_lines = (
            at(pieces, (low + high) / 2) for pieces in (ours_pieces, theirs_pieces)
        )
        first, last = (
            first_lines.f1(price) - second_lines.f1(price) for price in (low, high)
        )
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
    """Return the piece that includes a price."""
    return next(piece for piece in pieces if price <= piece.high)
