"""The errors of a hill-climber."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactmatch.engine.explain import AlignedPair
from exactmatch.engine.problem import GraphProblem
from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.paired_tests import PairedTest
from exactmatch.scoring.resampling import Sampling
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.answer import Answer, OfFirstMetric, of_metric
from exactmatch.studies.audit.options import RESTARTS

Runs = npt.NDArray[np.float64]
"""Matched triples, shape ``(pairs, runs, restart counts)``."""

_SHOWN = 4  # restarts of which failures are shown: smatch's own number


@dataclass(frozen=True, slots=True)
class Plan:
    """How often and with how many restarts pairs are climbed."""

    restarts: tuple[int, ...] = RESTARTS  # increasing
    runs: int = 10  # of each pair
    seed: int = 0  # of everything random
    symmetry: bool = True  # whether pairs are also climbed the other way round

    @property
    def place(self) -> int:
        """The place of the number of restarts whose failures are shown."""
        distance = [abs(count - _SHOWN) for count in self.restarts]
        return distance.index(min(distance))

    @property
    def shown(self) -> int:
        """The number of restarts whose failures are shown."""
        return self.restarts[self.place]


@dataclass(frozen=True, slots=True)
class Climbed:
    """The values of the runs of one pair, in units of the problem.

    They have the shape ``(sides, runs, restart counts)``; on the second side, if there
    is one, the graphs are exchanged.
    """

    values: npt.NDArray[np.int64]
    worst: Alignment  # the worst answer with the reference number of restarts
    worst_seed: int  # that finds it again


@dataclass(frozen=True, slots=True)
class SearchError:
    """The search error of one number of restarts.

    There is no determinacy error of a single run, which has nothing to vary from, and
    no violation of symmetry where pairs were climbed one way only.
    """

    restarts: int  # random starts after the first
    below: float  # share of pairs below the optimum, mean over runs
    ever_below: float  # share of pairs below it in at least one run
    mean_error: float  # mean F1 error of a pair
    worst_error: float  # the largest F1 error of a pair in any run
    lost: float  # triples that a run loses in the whole corpus, on average
    corpus_min: float  # corpus F1 over the runs
    corpus_mean: float
    corpus_max: float
    corpus_error: float  # the largest error of the corpus F1 in any run
    graph_determinacy: float | None  # the determinacy error ε
    corpus_determinacy: float | None
    violation_ratio: float | None  # of symmetry, mean over runs
    mean_violation: float | None
    corpus_violation: float | None  # mean difference from the files exchanged


@dataclass(frozen=True, slots=True)
class Totals:
    """The optimum of each pair, in triples, and those of both sides."""

    optimum: Vector  # matched triples of the proven (or best known) alignment
    pred: Vector
    gold: Vector

    def f1(self, matched: Matrix) -> Matrix:
        """F1 of numbers of matched triples, pairs along the first axis."""
        shape = (-1,) + (1,) * (matched.ndim - 1)
        both = (self.pred + self.gold).reshape(shape)
        some = ((self.pred > 0) & (self.gold > 0)).reshape(shape)
        return np.where(some, 2 * matched / np.maximum(both, 1), 0.0)

    def corpus_f1(self, matched: Matrix) -> Matrix:
        """F1 of the sums over pairs."""
        total = float(self.pred.sum() + self.gold.sum())
        f1: Matrix = 2 * matched.sum(axis=0) / total if total else matched.sum(axis=0)
        return f1


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that the climber got wrong, with what it chose."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    optimum: float  # triples that match at best
    climbed: float  # and at worst
    f1: float
    climbed_f1: float
    seed: int  # the climber's, that finds the worst answer again
    aligned: tuple[AlignedPair, ...]
    climbed_aligned: tuple[AlignedPair, ...]
    problem: GraphProblem
    alignment: Alignment  # node numbers as in the problem
    climbed_alignment: Alignment

    @property
    def error(self) -> float:
        """The F1 error."""
        return self.f1 - self.climbed_f1


@dataclass(frozen=True, slots=True)
class Against:
    """Another program's runs on the same pairs.

    For each number of restarts, mean matched triples of a pair are tested, our
    climber's less the program's: the exchange test.
    """

    name: str  # the program and its version
    values: Runs  # what its runs matched
    mirrored: Runs | None
    errors: tuple[SearchError, ...]
    tests: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MetricAudit:
    """The search error of a hill-climber over a corpus, under one metric.

    Failures are the pairs that went wrong with the reference number of restarts, worst
    first.
    """

    name: str  # what programs call the metric
    title: str  # what people call it
    plan: Plan
    totals: Totals
    values: Runs  # what the runs matched
    mirrored: Runs | None  # the same with the graphs exchanged
    errors: tuple[SearchError, ...]
    failures: tuple[Failure, ...]
    unproven: int  # pairs whose optimum is not proven; their errors may be larger
    unclimbed: int  # pairs that were not climbed in time, which are left out
    signature: str  # what determines the optimum
    dropped: Mapping[str, int]  # what the reader left out, and how often
    other: Against | None = None  # if another program ran

    @property
    def optimum(self) -> float:
        """The corpus F1 of the optima."""
        return float(self.totals.corpus_f1(self.totals.optimum))

    @property
    def programs(self) -> list[tuple[str, tuple[SearchError, ...]]]:
        """Each program that searched, and its errors for each number of restarts."""
        who = [("hillclimb", self.errors)]
        if self.other is not None:
            who.append((self.other.name, self.other.errors))
        return who


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Answer):
    """The search error of a hill-climber over a corpus.

    ``found["s2match"]`` is the audit under one metric; the attributes that the two have
    in common are those of the first metric.

    Attributes:
        metrics: the audit under each metric; later ones are compared with the first.
        published: a printed score to check, or ``None``.
        sampling: how the tests against another program were made.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> found = exactmatch.audit([pred], [gold], restarts=[4])
    >>> found.unproven
    0
    >>> found
    optimum: F1 0.666667; 1 pair, every one proven optimal
    """

    VIEW = "exactmatch.studies.audit.view:tables"

    metrics: tuple[MetricAudit, ...]
    published: str | float | None
    sampling: Sampling

    optimum = OfFirstMetric[float]("The corpus F1 of the optima.")
    plan = OfFirstMetric[Plan]("The restarts, runs and seeds.")
    values = OfFirstMetric[Runs]("The matches of the runs.")
    mirrored = OfFirstMetric[Runs | None]("The same with the graphs exchanged.")
    errors = OfFirstMetric[tuple[SearchError, ...]](
        "A summary for each number of restarts."
    )
    failures = OfFirstMetric[tuple[Failure, ...]](
        "The pairs that went wrong, worst first."
    )
    unproven = OfFirstMetric[int]("How many pairs' optima are not proven.")

    def __getitem__(self, metric: str) -> MetricAudit:
        return of_metric({one.name: one for one in self.metrics}, metric)
