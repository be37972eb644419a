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

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.engine.problem import StatedProblem
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.labelled.graph_metric import LabelledMatch
from exactmatch.metrics.score import Score
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.solvers.solution import Limits
from exactmatch.studies.answer import Answer
from exactmatch.studies.pairs import scored
from exactmatch.studies.thresholds import cutoffs, shares
from exactmatch.studies.thresholds.cutoffs import Moves, Steps
from exactmatch.studies.thresholds.options import FileThresholdOptions, ThresholdOptions
from exactmatch.studies.thresholds.shares import Envelope, Lead, Piece

SAME = 1e-9
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
    lows, levels = shares.added([pair.ends[:-1] for pair in pairs], values)
    f1 = levels / len(pairs)
    if not macro:
        pred, gold = np.sum([pair.totals for pair in pairs], axis=0)
        whole = pairs[0]._replace(matched=tuple(levels), totals=(pred, gold))
        f1 = cutoffs.f1_of(whole)
    found: list[Stretch] = []  # those of equal scores are one
    for low, high, score in zip(lows, [*lows[1:], 1.0], f1, strict=True):
        if found and abs(score - found[-1].f1) <= SAME:
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

    >>> from exactmatch.studies import thresholds_of_systems
    >>> gold = [[("cat", "eats", "mouse")]]
    >>> systems = {"a": [[("cat", "eat", "fly")]], "b": [[("cats", "eat", "mice")]]}
    >>> found = thresholds_of_systems(
    ...     systems, gold, node_similarity="lcs", edge_similarity="lcs"
    ... )
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
            if abs(one - other) > SAME:
                best, size = self.systems[one < other].name, abs(one - other)
            found.append(Lead(low, high, best, size, size))
        return shares.joined(found)


@dataclass(frozen=True, slots=True)
class SystemShares(_System):
    """One system's scores at every weight of edges beside nodes."""

    pieces: tuple[Piece, ...]  # F1 is monotone on each

    def f1(self, share: float) -> float:
        """F1 at a weight."""
        return shares.at(self.pieces, share).f1(share)


@dataclass(frozen=True, eq=False, repr=False)
class Shares(Answer):
    """The scores of systems at every weight of edges beside nodes."""

    VIEW = "exactmatch.studies.thresholds.view:share_tables"

    systems: tuple[SystemShares, ...]
    signature: str  # what determines the scores, but for the weights

    def leads(self) -> tuple[Lead, ...]:
        """For which weights which of the first two systems is better."""
        if len(self.systems) < 2:
            return ()
        one, other = self.systems[:2]
        found = shares.leads(one.pieces, other.pieces, (one.name, other.name))
        return shares.joined(found)


def stretches(asked: ThresholdOptions) -> list[Stretch]:
    """Compute the F1 of two graphs as a step function of the cutoff.

    The cutoffs of nodes and of edges move together, unless *moves* says otherwise.

    Returns:
        The steps of the cutoff from 0 to 1 with their scores, which fall.

    Raises:
        InputError: if a graph cannot be read, the metric has no cutoff, or a score is
            not proven in time.

    >>> import exactmatch
    >>> one, other = [("cat", "eats", "mouse")], [("cats", "eat", "mice")]
    >>> found = exactmatch.thresholds(
    ...     one, other, node_similarity="lcs", edge_similarity="lcs"
    ... )
    >>> [(round(low, 3), round(high, 3), round(f1, 3)) for low, high, f1 in found]
    [(0.0, 0.222, 0.646), (0.222, 0.857, 0.571), (0.857, 1.0, 0.0)]
    """
    metric = cutoffs.movable(asked.one_metric("thresholds"))
    sides = (read_item(metric, graph) for graph in (asked.pred, asked.gold))
    stated = metric.state(*map(metric.prepare, sides))
    limits = Limits(asked.time_limit, seed=asked.seed)
    return _proven(metric, stated, limits, asked.moves)


thresholds = function("thresholds", ThresholdOptions, stretches)


def of_score(score: Score) -> list[Stretch]:
    """The F1 of two graphs as a step function of the cutoff, from their score."""
    metric, stated = score.pair()
    return _proven(cutoffs.movable(metric), stated, Limits(), "both")


def _proven(
    metric: AligningMetric[Any], stated: StatedProblem, limits: Limits, moves: Moves
) -> list[Stretch]:
    found = cutoffs.steps(cutoffs.moving(metric, stated, moves), limits)
    if not found.proven:
        raise InputError(
            "the score at a cutoff is not proven in time; give more time_limit, or none"
        )
    return list(merged([found]))


def study(
    asked: FileThresholdOptions, reporter: Listener = SILENCE
) -> Thresholds | Shares:
    """Score systems at every cutoff of similarity.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric has no cutoff, or an option is wrong.

    >>> from exactmatch.studies import thresholds_of_systems
    >>> found = thresholds_of_systems([[("cats", "eat", "mice")]],
    ...     [[("cat", "eats", "mouse")]], node_similarity="lcs", edge_similarity="lcs")
    >>> [round(stretch.f1, 4) for stretch in found.systems[0].stretches]
    [0.6455, 0.5714, 0.0]
    """
    metric = cutoffs.movable(asked.one_metric("thresholds"))
    if asked.moves == "share" and asked.macro:
        raise InputError("a mean of pairs has no pieces; leave out --macro")
    settings = asked.settings()
    find: Any = partial(_of_pair, metric, settings.limits, asked.moves)
    systems: list[Any] = []
    signature = ""
    for name, preds in asked.systems().items():
        sides = preds, asked.golds
        report = scored(*sides, asked, [metric], reporter, keep_problems=True)
        signature = f"{report.scores[0].signature}|moves:{asked.moves}"
        results = report.by_metric()[metric.name].values()
        tasks = (result.stated_problem for result in results)
        answers = map_in_order(find, tasks, settings.jobs, settings.executor)
        what, found = f"moving the cutoff of {name}", []
        with reporter.progress(what, len(results)) as advance, closing(answers):
            for answer in answers:
                found.append(answer)
                advance()
        unproven = sum(not one.proven for one in found)
        own = name, len(found), unproven, sum(one.solved for one in found)
        if asked.moves == "share":
            systems.append(SystemShares(*own, shares.summed(found)))
        else:
            systems.append(SystemThresholds(*own, merged(found, asked.macro)))
    if asked.moves == "share":
        return Shares(tuple(systems), signature)
    counts_equal = isinstance(metric, LabelledMatch)
    return Thresholds(tuple(systems), counts_equal, asked.macro, signature)


thresholds_of_systems = function("thresholds_of_systems", FileThresholdOptions, study)


def _of_pair(
    metric: AligningMetric[Any], limits: Limits, moves: Moves, stated: StatedProblem
) -> Steps | Envelope:
    if moves == "share":
        return shares.envelope(metric, stated, limits)
    return cutoffs.steps(cutoffs.moving(metric, stated, moves), limits)
