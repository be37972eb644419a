"""Results of an audit: the runs of a hill-climber and their errors."""

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

_SHOWN = 4  # restarts whose failures are shown: smatch's default


@dataclass(frozen=True, slots=True)
class Plan:
    """Numbers of runs and restarts of every pair."""

    restarts: tuple[int, ...] = RESTARTS  # increasing
    runs: int = 10  # of each pair
    seed: int = 0  # of everything random
    symmetry: bool = True  # whether pairs are also climbed with the graphs exchanged

    @property
    def place(self) -> int:
        """Index of the number of restarts whose failures are shown."""
        distance = [abs(count - _SHOWN) for count in self.restarts]
        return distance.index(min(distance))

    @property
    def shown(self) -> int:
        """Number of restarts whose failures are shown."""
        return self.restarts[self.place]


@dataclass(frozen=True, slots=True)
class Climbed:
    """Values of the runs of one pair, in units of the problem.

    Their shape is ``(sides, runs, restart counts)``; on the second side, if there is
    one, the graphs are exchanged.
    """

    values: npt.NDArray[np.int64]
    worst: Alignment  # the worst answer with the reference number of restarts
    worst_seed: int  # repeats it


@dataclass(frozen=True, slots=True)
class SearchError:
    """Search error of one number of restarts.

    The determinacy errors of a single run are ``None``, and so are the violations of
    symmetry where pairs were climbed in one direction only.
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
    """Matched triples at the optimum of each pair, and the triples of both sides."""

    optimum: Vector  # matched triples of the proven (or best known) alignment
    pred: Vector
    gold: Vector

    def f1(self, matched: Matrix) -> Matrix:
        """Return the F1 of numbers of matched triples, pairs along the first axis."""
        shape = (-1,) + (1,) * (matched.ndim - 1)
        n_items = (self.pred + self.gold).reshape(shape)
        some = ((self.pred > 0) & (self.gold > 0)).reshape(shape)
        return np.where(some, 2 * matched / np.maximum(n_items, 1), 0.0)

    def corpus_f1(self, matched: Matrix) -> Matrix:
        """Return the F1 of the sums over pairs."""
        total = float(self.pred.sum() + self.gold.sum())
        f1: Matrix = 2 * matched.sum(axis=0) / total if total else matched.sum(axis=0)
        return f1


@dataclass(frozen=True, slots=True)
class Failure:
    """Pair whose optimum the climber missed, with both alignments."""

    index: int  # the pair's number, from 0
    id: str | None  # its ``# ::id``
    optimum: float  # matched triples at the optimum
    climbed: float  # matched triples of the worst run
    f1: float
    climbed_f1: float
    seed: int  # of the climber; repeats the worst run
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

    For each number of restarts, the exchange test compares the mean matched triples of
    a pair: our climber's minus the program's.
    """

    name: str  # the program and its version
    values: Runs  # of its runs
    mirrored: Runs | None
    errors: tuple[SearchError, ...]
    tests: tuple[PairedTest, ...]


@dataclass(frozen=True, slots=True, eq=False)
class MetricAudit:
    """Search error of a hill-climber over a corpus, under one metric.

    Failures are the pairs below their optimum with the reference number of restarts,
    the worst first.
    """

    name: str  # of the metric, for programs
    title: str  # of the metric, for people
    plan: Plan
    totals: Totals
    values: Runs  # of the climber's runs
    mirrored: Runs | None  # the same with the graphs exchanged
    errors: tuple[SearchError, ...]
    failures: tuple[Failure, ...]
    unproven: int  # pairs whose optimum is not proven; their errors may be larger
    unclimbed: int  # pairs left out because they were not climbed in time
    signature: str  # of the optimum
    dropped: Mapping[str, int]  # number of items of each kind that the reader left out
    other: Against | None = None  # another program's runs

    @property
    def optimum(self) -> float:
        """Corpus F1 of the optima."""
        return float(self.totals.corpus_f1(self.totals.optimum))

    @property
    def programs(self) -> list[tuple[str, tuple[SearchError, ...]]]:
        """Each program's name, and its errors for each number of restarts."""
        programs = [("hillclimb", self.errors)]
        if self.other is not None:
            programs.append((self.other.name, self.other.errors))
        return programs


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Answer):
    """Search error of a hill-climber over a corpus.

    ``result["s2match"]`` is the audit under one metric.  Attributes that an audit and
    its metrics have in common are those of the first metric.

    Attributes:
        metrics: the audit under each metric; later ones are compared with the first.
        published: a published score to check, or ``None``.
        sampling: the settings of the tests against another program.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> result = exactmatch.audit([pred], [gold], restarts=[4])
    >>> result.unproven
    0
    >>> result
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
        return of_metric({audited.name: audited for audited in self.metrics}, metric)
