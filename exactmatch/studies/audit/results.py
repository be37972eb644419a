"""The errors of a hill-climber, and how notebooks show them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactmatch.base.markup import Markup
from exactmatch.base.numbers import Real, fixed, percent, scientific, several
from exactmatch.base.visible import visible
from exactmatch.engine.explain import AlignedPair
from exactmatch.engine.problem import StatedProblem
from exactmatch.solvers.problem import Alignment
from exactmatch.stats.resampling import Matrix, Vector
from exactmatch.studies.audit.hillclimbs import Plan, place
from exactmatch.studies.notebook import DIGITS, counted, page
from exactmatch.views.tables import Column, Table

Runs = npt.NDArray[np.float64]
"""Matched triples, shape ``(pairs, runs, restart counts)``."""


@dataclass(frozen=True, slots=True)
class SearchError:
    """What search with one number of restarts does to scores.

    Attributes:
        restarts: random starts after the first.
        below: share of pairs below the optimum, mean over runs.
        ever_below: share of pairs below it in at least one run.
        mean_error: mean F1 error of a pair.
        worst_error: the largest F1 error of a pair in any run.
        lost: triples that a run loses in the whole corpus, on average.
        corpus_min, corpus_mean, corpus_max: corpus F1 over the runs.
        corpus_error: the largest error of the corpus F1 in any run.
        graph_determinacy, corpus_determinacy: the determinacy error ε; ``None``
            of a single run, which has nothing to vary from.
        violation_ratio, mean_violation: of symmetry, mean over runs; ``None``
            where pairs were climbed one way only.
        corpus_violation: mean difference of the corpus score from that with the
            files exchanged.
    """

    restarts: int
    below: float
    ever_below: float
    mean_error: float
    worst_error: float
    lost: float
    corpus_min: float
    corpus_mean: float
    corpus_max: float
    corpus_error: float
    graph_determinacy: float | None
    corpus_determinacy: float | None
    violation_ratio: float | None
    mean_violation: float | None
    corpus_violation: float | None


@dataclass(frozen=True, slots=True)
class Totals:
    """What the optimum of each pair is, in triples.

    Attributes:
        optimum: matched triples of the proven (or best known) alignment.
        pred, gold: triples of both sides.
    """

    optimum: Vector
    pred: Vector
    gold: Vector

    def f1(self, matched: Matrix) -> Matrix:
        """F1 of numbers of matched triples, pairs along the first axis."""
        shape = (-1,) + (1,) * (matched.ndim - 1)
        both = (self.pred + self.gold).reshape(shape)
        some = ((self.pred > 0) & (self.gold > 0)).reshape(shape)
        f1: Matrix = np.where(some, 2 * matched / np.maximum(both, 1), 0.0)
        return f1

    def corpus_f1(self, matched: Matrix) -> Matrix:
        """F1 of the sums over pairs."""
        total = float(self.pred.sum() + self.gold.sum())
        f1: Matrix = 2 * matched.sum(axis=0) / total if total else matched.sum(axis=0)
        return f1


@dataclass(frozen=True, slots=True)
class Failure:
    """A pair that the climber got wrong, with what it chose.

    Attributes:
        index, id: the pair's number, from 0, and its ``# ::id``.
        optimum, climbed: matched triples, best and worst.
        f1, climbed_f1: their F1 scores.
        seed: the climber's seed that finds the worst answer again.
        aligned, climbed_aligned: both alignments.
        stated: the pair, as it was stated.
        alignment, climbed_alignment: both alignments, in its numbers.
    """

    index: int
    id: str | None
    optimum: float
    climbed: float
    f1: float
    climbed_f1: float
    seed: int
    aligned: tuple[AlignedPair, ...]
    climbed_aligned: tuple[AlignedPair, ...]
    stated: StatedProblem
    alignment: Alignment
    climbed_alignment: Alignment

    @property
    def error(self) -> float:
        """The F1 error."""
        return self.f1 - self.climbed_f1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Audit:
    """What became of a corpus.

    Attributes:
        plan: what was climbed.
        totals: each pair's optimum.
        values: what the runs found.
        mirrored: the same with the graphs exchanged.
        errors: a summary for each number of restarts.
        failures: the pairs that went wrong with the reference number of
            restarts, worst first.
        unproven: pairs whose optimum is not proven; their errors may be larger.
        unclimbed: pairs that were not climbed in time, which are left out.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> found = exactmatch.audit([pred], [gold], restarts=[4])
    >>> found.unproven
    0
    >>> print(found)  # doctest: +NORMALIZE_WHITESPACE
    optimum 0.6667, 1 pair, all proven; hillclimb with 4 restarts: 0.00 % of pairs
    below it, corpus 0.6667 to 0.6667
    """

    plan: Plan
    totals: Totals
    values: Runs
    mirrored: Runs | None
    errors: tuple[SearchError, ...]
    failures: tuple[Failure, ...]
    unproven: int
    unclimbed: int = 0

    def __repr__(self) -> str:
        error = self.errors[place(self.plan)]
        low, high = (fixed(v, DIGITS) for v in (error.corpus_min, error.corpus_max))
        return visible(
            f"optimum {fixed(self.optimum, DIGITS)}, {_proof(self)}; hillclimb with "
            f"{several(error.restarts, 'restart')}: {fixed(100 * error.below, 2)} % of "
            f"pairs below it, corpus {low} to {high}"
        )

    def _repr_html_(self) -> Markup:
        """The analysis as notebooks show it."""
        corpus = Real(5)
        columns = (
            Column("restarts", "restarts"),
            Column("below", "below %", percent(2)),
            Column("ever_below", "ever below %", percent(2)),
            Column("mean_error", "mean F1 error", scientific),
            Column("worst_error", "worst", Real(DIGITS)),
            Column("corpus_min", "corpus min", corpus),
            Column("corpus_mean", "mean", corpus),
            Column("corpus_max", "max", corpus),
            Column("graph_determinacy", "ε graph", scientific),
            Column("corpus_determinacy", "ε corpus", scientific),
        )
        keys = [column.key for column in columns]
        rows = [{key: getattr(error, key) for key in keys} for error in self.errors]
        about = f"optimum F1 {fixed(self.optimum, 6)}; {_proof(self)}"
        runs = several(self.plan.runs, "run")
        return page([Table("", columns, rows)], [f"{about}; hillclimb, {runs} each"])

    @property
    def optimum(self) -> float:
        """The corpus F1 of the optima."""
        return float(self.totals.corpus_f1(self.totals.optimum))


def _proof(found: Audit) -> str:
    pairs = counted(len(found.values), "pair")
    open_pairs = f"{found.unproven:,} not proven" if found.unproven else "all proven"
    return f"{pairs}, {open_pairs}"
