"""Exact scores of systems at every cutoff of similarity.

Scores of metrics that grade labels depend on a cutoff.
:mod:`exactmatch.studies.thresholds.cutoffs` finds the matches of two graphs at every
cutoff; here the pairs of files are added up, and systems compared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.deadline import OutOfTimeError, seconds_left, within
from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.engine.problem import GraphProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import settings_of
from exactmatch.solvers.solution import Limits
from exactmatch.studies.answer import Answer
from exactmatch.studies.pairs import scored, sources_of
from exactmatch.studies.thresholds import cutoffs, prices
from exactmatch.studies.thresholds.cutoffs import Moves, Steps
from exactmatch.studies.thresholds.options import (
    MOVABLE,
    FileThresholdOptions,
)
from exactmatch.studies.thresholds.prices import Envelope, Lead, Piece

SAME_SCORE = 1e-9
"""Scores that differ by less are equal: they are sums in doubles."""


class Stretch(NamedTuple):
    """Range of cutoffs that give one score.

    Attributes:
        low, high: the range is above *low* and up to *high*; the first stretch includes
            0, too.  With S²Match the range begins with *low* and ends below *high*.
        f1: the score, proven.
    """

    low: float
    high: float
    f1: float


def merged(pairs: Sequence[Steps], macro: bool = False) -> tuple[Stretch, ...]:
    """Add the steps of all pairs; with *macro*, average their F1 instead."""
    if not pairs:
        return (Stretch(0.0, 1.0, 0.0),)
    values = [cutoffs.f1_of(pair) if macro else pair.matched for pair in pairs]
    lows, levels = prices.added([pair.ends[:-1] for pair in pairs], values)
    f1 = levels / len(pairs)
    if not macro:
        pred, gold = np.sum([pair.totals for pair in pairs], axis=0)
        pair_of_all = pairs[0]._replace(matched=tuple(levels), totals=(pred, gold))
        f1 = cutoffs.f1_of(pair_of_all)
    stretches: list[Stretch] = []  # neighbours with equal scores are one
    for low, high, score in zip(lows, [*lows[1:], 1.0], f1, strict=True):
        if stretches and abs(score - stretches[-1].f1) <= SAME_SCORE:
            stretches[-1] = stretches[-1]._replace(high=float(high))
        else:
            stretches.append(Stretch(float(low), float(high), float(score)))
    return tuple(stretches)


@dataclass(frozen=True, slots=True)
class _System:
    """Base of the scores of one system."""

    name: str
    pairs: int  # the number of pairs
    unproven: int  # the number of pairs whose scores are not proven
    solved: int  # the number of solutions


@dataclass(frozen=True, slots=True)
class SystemThresholds(_System):
    """Scores of one system at every cutoff; they fall."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Answer):
    """Scores of systems at every cutoff.

    Attributes:
        counts_equal: whether similarities that are equal to the cutoff count.
        macro: whether scores are means over pairs.
        signature: what determines the scores, except the cutoff.

    >>> from exactmatch import make_metric
    >>> from exactmatch.studies import thresholds
    >>> gold = [[("cat", "eats", "mouse")]]
    >>> systems = {"a": [[("cat", "eat", "fly")]], "b": [[("cats", "eat", "mice")]]}
    >>> alike = {"node_similarity": "lcs", "edge_similarity": "lcs"}
    >>> metric = make_metric("graph", **alike)
    >>> scores = thresholds(systems, gold, metric)
    >>> [(one.best, round(one.low, 2), round(one.high, 2)) for one in scores.leads()]
    [('b', 0.0, 0.22), ('a', 0.22, 1.0)]
    """

    VIEW = "exactmatch.studies.thresholds.view:tables"

    systems: tuple[SystemThresholds, ...]
    counts_equal: bool
    macro: bool
    signature: str

    def f1(self, system: int, cutoff: float) -> float:
        """Return the score of a system at one cutoff."""
        stretches = self.systems[system].stretches
        ends = [stretch.high for stretch in stretches]
        find = bisect_left if self.counts_equal else bisect_right
        return stretches[min(find(ends, cutoff), len(ends) - 1)].f1

    def ends(self) -> list[float]:
        """Return all cutoffs at which any score changes, with 0 and 1."""
        return sorted(
            {0.0, 1.0, *(s.high for system in self.systems for s in system.stretches)}
        )

    def rows(self) -> Iterator[tuple[float, float, list[float]]]:
        """Yield each stretch on which no score changes, with all systems' scores."""
        for low, high in pairwise(self.ends()):
            at = high if self.counts_equal else low
            yield low, high, [self.f1(k, at) for k in range(len(self.systems))]

    def leads(self) -> tuple[Lead, ...]:
        """Return the ranges of cutoffs in which one of the first two systems leads."""
        if len(self.systems) < 2:
            return ()
        stretch_leads = []
        for low, high, (first, second, *_) in self.rows():
            best, size = None, 0.0
            if abs(first - second) > SAME_SCORE:
                best, size = self.systems[first < second].name, abs(first - second)
            stretch_leads.append(Lead(low, high, best, size, size))
        return prices.joined(stretch_leads)


@dataclass(frozen=True, slots=True)
class SystemPrices(_System):
    """Scores of one system at every price of a part."""

    pieces: tuple[Piece, ...]  # F1 is a line on each

    def f1(self, price: float) -> float:
        """Return F1 at a price."""
        return prices.at(self.pieces, price).f1(price)


@dataclass(frozen=True, eq=False, repr=False)
class Prices(Answer):
    """Scores of systems at every price of a part."""

    VIEW = "exactmatch.studies.thresholds.view:price_tables"

    systems: tuple[SystemPrices, ...]
    signature: str  # what determines the scores, except the price

    def leads(self) -> tuple[Lead, ...]:
        """Return the ranges of prices in which one of the first two systems leads."""
        if len(self.systems) < 2:
            return ()
        first, second = self.systems[:2]
        price_leads = prices.leads(
            first.pieces, second.pieces, (first.name, second.name)
        )
        return prices.joined(price_leads)


def study(
    options: FileThresholdOptions, reporter: Listener = SILENCE
) -> Thresholds | Prices:
    """Score systems at every cutoff of similarity.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric has no cutoff, or an option is wrong.

    >>> from exactmatch import make_metric
    >>> from exactmatch.studies import thresholds
    >>> alike = {"node_similarity": "lcs", "edge_similarity": "lcs"}
    >>> metric = make_metric("graph", **alike)
    >>> preds, golds = [[("cats", "eat", "mice")]], [[("cat", "eats", "mouse")]]
    >>> scores = thresholds(preds, golds, metric)
    >>> [round(stretch.f1, 4) for stretch in scores.systems[0].stretches]
    [0.6455, 0.5714, 0.0]
    """
    metric = cutoffs.movable(options.one_metric("thresholds", MOVABLE))
    has_pieces = options.moves == "price"
    if has_pieces and options.macro:
        raise InputError("a mean of pairs has no pieces; leave out --macro")
    settings = settings_of(options)
    find: Any = partial(_of_pair, metric, settings.limits, options.moves)
    systems: list[Any] = []
    signature = ""
    for name, preds in options.systems().items():
        sides = preds, options.golds
        if sources_of(*sides, options).references > 1:
            raise InputError(
                "of several references another one may be the best at each cutoff; "
                "name one file of references; several systems follow --systems"
            )
        report = scored(*sides, options, [metric], reporter, keep_problems=True)
        signature = f"{report.scores[0].signature}|moves:{options.moves}"
        signature += "|average:macro" if options.macro else ""
        results = report.by_metric()[metric.name].values()
        tasks = ((result.required_problem, _seconds(result)) for result in results)
        answers = map_in_order(find, tasks, settings.jobs, settings.executor)
        label, solved_pairs = f"moving the cutoff of {name}", []
        with reporter.progress(label, len(results)) as advance, closing(answers):
            for answer in answers:
                solved_pairs.append(answer)
                advance()
        unproven = sum(not result.proven for result in solved_pairs)
        name_and_counts = (
            name,
            len(solved_pairs),
            unproven,
            sum(result.solved for result in solved_pairs),
        )
        if has_pieces:
            systems.append(SystemPrices(*name_and_counts, prices.summed(solved_pairs)))
        else:
            systems.append(
                SystemThresholds(*name_and_counts, merged(solved_pairs, options.macro))
            )
    if has_pieces:
        return Prices(tuple(systems), signature)
    counts_equal = metric.cutoff_of == "labels"
    return Thresholds(tuple(systems), counts_equal, options.macro, signature)


thresholds = function("thresholds", FileThresholdOptions, study)


def _seconds(result: PairResult) -> float:
    """Return the seconds that a pair's search took, which count against its limit."""
    return 0.0 if result.solution is None else result.solution.seconds


def _of_pair(
    metric: AligningMetric[Any],
    limits: Limits,
    moves: Moves,
    task: tuple[GraphProblem, float],
) -> Steps | Envelope:
    problem, spent = task
    left = None if limits.seconds is None else limits.seconds - spent
    with within(left, limits.until):
        if moves == "price":
            return prices.envelope(metric, problem, limits)
        if seconds_left() <= 0 and problem.is_large:
            return cutoffs.unknown(problem)
        try:
            return cutoffs.steps(cutoffs.moving(metric, problem, moves), limits)
        except OutOfTimeError:
            return cutoffs.unknown(problem)
