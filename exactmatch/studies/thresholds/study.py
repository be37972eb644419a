"""The score of labelled graphs for every cutoff of similarity, exactly.

Metrics that grade labels hang on a cutoff, and nobody says how much.
:mod:`exactmatch.studies.thresholds.cutoffs` finds what two graphs match at every one;
here the pairs of files are added up, and systems compared.
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

from exactmatch.base.deadline import OutOfTimeError, within
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
    """Cutoffs that give one score.

    Attributes:
        low, high: the score is that of every cutoff above *low* and up to *high*; the
            first stretch holds 0, too.  With S²Match the stretch begins with *low* and
            ends below *high*.
        f1: the score, proven.
    """

    low: float
    high: float
    f1: float


def merged(pairs: Sequence[Steps], macro: bool = False) -> tuple[Stretch, ...]:
    """Add the steps of all pairs up; *macro* takes the mean of their F1 instead."""
    if not pairs:
        return (Stretch(0.0, 1.0, 0.0),)
    values = [cutoffs.f1_of(pair) if macro else pair.matched for pair in pairs]
    lows, levels = prices.added([pair.ends[:-1] for pair in pairs], values)
    f1 = levels / len(pairs)
    if not macro:
        pred, gold = np.sum([pair.totals for pair in pairs], axis=0)
        whole = pairs[0]._replace(matched=tuple(levels), totals=(pred, gold))
        f1 = cutoffs.f1_of(whole)
    found: list[Stretch] = []  # those of equal scores are one
    for low, high, score in zip(lows, [*lows[1:], 1.0], f1, strict=True):
        if found and abs(score - found[-1].f1) <= SAME_SCORE:
            found[-1] = found[-1]._replace(high=float(high))
        else:
            found.append(Stretch(float(low), float(high), float(score)))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _System:
    """One system."""

    name: str
    pairs: int  # so many were scored
    unproven: int  # so many of them have a score that is not proven
    solved: int  # so many solutions all of it took


@dataclass(frozen=True, slots=True)
class SystemThresholds(_System):
    """One system's scores at every cutoff; they fall."""

    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Answer):
    """The scores of systems at every cutoff.

    Attributes:
        counts_equal: whether similarities that are equal to the cutoff count.
        macro: whether scores are means over pairs.
        signature: what determines the scores, but for the cutoff.

    >>> from exactmatch import make_metric
    >>> from exactmatch.studies import thresholds
    >>> gold = [[("cat", "eats", "mouse")]]
    >>> systems = {"a": [[("cat", "eat", "fly")]], "b": [[("cats", "eat", "mice")]]}
    >>> alike = {"node_similarity": "lcs", "edge_similarity": "lcs"}
    >>> metric = make_metric("graph", **alike)
    >>> found = thresholds(systems, gold, metric)
    >>> [(lead.best, round(lead.low, 2), round(lead.high, 2)) for lead in found.leads()]
    [('b', 0.0, 0.22), ('a', 0.22, 1.0)]
    """

    VIEW = "exactmatch.studies.thresholds.view:tables"

    systems: tuple[SystemThresholds, ...]
    counts_equal: bool
    macro: bool
    signature: str

    def f1(self, system: int, cutoff: float) -> float:
        """The score of a system at one cutoff."""
        stretches = self.systems[system].stretches
        ends = [stretch.high for stretch in stretches]
        find = bisect_left if self.counts_equal else bisect_right
        return stretches[min(find(ends, cutoff), len(ends) - 1)].f1

    def ends(self) -> list[float]:
        """All cutoffs at which any score changes, with 0 and 1."""
        return sorted(
            {0.0, 1.0, *(s.high for one in self.systems for s in one.stretches)}
        )

    def rows(self) -> Iterator[tuple[float, float, list[float]]]:
        """Yield each stretch on which no score changes, with all systems' scores."""
        for low, high in pairwise(self.ends()):
            at = high if self.counts_equal else low
            yield low, high, [self.f1(k, at) for k in range(len(self.systems))]

    def leads(self) -> tuple[Lead, ...]:
        """For which cutoffs which of the first two systems is better."""
        if len(self.systems) < 2:
            return ()
        found = []
        for low, high, (one, other, *_) in self.rows():
            best, size = None, 0.0
            if abs(one - other) > SAME_SCORE:
                best, size = self.systems[one < other].name, abs(one - other)
            found.append(Lead(low, high, best, size, size))
        return prices.joined(found)


@dataclass(frozen=True, slots=True)
class SystemPrices(_System):
    """One system's scores at every price of a part."""

    pieces: tuple[Piece, ...]  # F1 is a line on each

    def f1(self, price: float) -> float:
        """Return F1 at a price."""
        return prices.at(self.pieces, price).f1(price)


@dataclass(frozen=True, eq=False, repr=False)
class Prices(Answer):
    """The scores of systems at every price of a part."""

    VIEW = "exactmatch.studies.thresholds.view:price_tables"

    systems: tuple[SystemPrices, ...]
    signature: str  # what determines the scores, but for the price

    def leads(self) -> tuple[Lead, ...]:
        """For which prices which of the first two systems is better."""
        if len(self.systems) < 2:
            return ()
        one, other = self.systems[:2]
        found = prices.leads(one.pieces, other.pieces, (one.name, other.name))
        return prices.joined(found)


def study(
    asked: FileThresholdOptions, reporter: Listener = SILENCE
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
    >>> found = thresholds(preds, golds, metric)
    >>> [round(stretch.f1, 4) for stretch in found.systems[0].stretches]
    [0.6455, 0.5714, 0.0]
    """
    metric = cutoffs.movable(asked.one_metric("thresholds", MOVABLE))
    has_pieces = asked.moves == "price"
    if has_pieces and asked.macro:
        raise InputError("a mean of pairs has no pieces; leave out --macro")
    settings = settings_of(asked)
    find: Any = partial(_of_pair, metric, settings.limits, asked.moves)
    systems: list[Any] = []
    signature = ""
    for name, preds in asked.systems().items():
        sides = preds, asked.golds
        if sources_of(*sides, asked).references > 1:
            raise InputError(
                "of several references another one may be the best at each cutoff; "
                "name one file of references; several systems follow --systems"
            )
        report = scored(*sides, asked, [metric], reporter, keep_problems=True)
        signature = f"{report.scores[0].signature}|moves:{asked.moves}"
        signature += "|average:macro" if asked.macro else ""
        results = report.by_metric()[metric.name].values()
        tasks = ((result.required_problem, _seconds(result)) for result in results)
        answers = map_in_order(find, tasks, settings.jobs, settings.executor)
        what, found = f"moving the cutoff of {name}", []
        with reporter.progress(what, len(results)) as advance, closing(answers):
            for answer in answers:
                found.append(answer)
                advance()
        unproven = sum(not one.proven for one in found)
        own = name, len(found), unproven, sum(one.solved for one in found)
        if has_pieces:
            systems.append(SystemPrices(*own, prices.summed(found)))
        else:
            systems.append(SystemThresholds(*own, merged(found, asked.macro)))
    if has_pieces:
        return Prices(tuple(systems), signature)
    counts_equal = metric.cutoff_of == "labels"
    return Thresholds(tuple(systems), counts_equal, asked.macro, signature)


thresholds = function("thresholds", FileThresholdOptions, study)


def _seconds(result: PairResult) -> float:
    """Return how long the search of a pair took, which its limit allows but once."""
    return 0.0 if result.solution is None else result.solution.seconds


def _of_pair(
    metric: AligningMetric[Any],
    limits: Limits,
    moves: Moves,
    task: tuple[GraphProblem, float],
) -> Steps | Envelope:
    stated, spent = task
    left = None if limits.seconds is None else limits.seconds - spent
    with within(left, limits.until):
        if moves == "price":
            return prices.envelope(metric, stated, limits)
        try:
            return cutoffs.steps(cutoffs.moving(metric, stated, moves), limits)
        except OutOfTimeError:
            return cutoffs.unknown(stated)
