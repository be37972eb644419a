"""Metrics that align variables: Smatch, S²Match, MRP, and scores of parts of graphs.

Such a metric states two graphs as an alignment problem, has a solver find the best
alignment and prove its bound, and counts anew what the alignment matches.  Precision,
recall and F1 follow from the matched triples and those of either side.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from exactmatch.base.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import changes_nothing, standardise
from exactmatch.metrics.base import GraphMetric, Metric, SolvedPair, Statistics
from exactmatch.metrics.score import FScore, Score, f_score
from exactmatch.solvers import get_solver

if TYPE_CHECKING:  # NumPy stands behind these; a command's help can do without
    from exactmatch.engine.problem import StatedProblem
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits, Solution

Prepared = TypeVar("Prepared")


class AligningMetric(GraphMetric, Generic[Prepared]):
    """Base of the metrics that align variables.

    Its statistics are ``(matched, bound, pred_total, gold_total, pairs, proven)``: a
    sum of them is the statistics of a corpus.

    Attributes:
        solver: who aligns the variables.
        max_terms: how many pair terms a problem may have; ``None`` for the default.
    """

    searches: ClassVar[bool] = True

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(profile)
        self.solver = get_solver(solver) if isinstance(solver, str) else solver
        self.max_terms = max_terms
        self._is_standard = changes_nothing(self.profile)

    @property
    def draws(self) -> bool:
        """Whether the solver draws random numbers."""
        return self.solver.draws

    def options_given(self) -> dict[str, Any]:
        """The options to make this metric with again, besides profile and solver."""
        return {} if self.max_terms is None else {"max_terms": self.max_terms}

    def check_recording(self) -> None:
        """Refuse a solver that gives no certificates.

        Raises:
            InputError: if it does not.
        """
        if not self.solver.records_proofs:
            raise InputError(
                f"solver {self.solver.signature()!r} gives no certificates; use auto "
                "or bnb for --certify and --certificates"
            )

    def standardised(self, graph: Graph) -> Graph:
        """The graph with senses, wiki links and roles changed as the profile asks."""
        return graph if self._is_standard else standardise(graph, self.profile)

    @abstractmethod
    def prepare(self, item: Graph) -> Prepared:
        """Code a graph."""

    @abstractmethod
    def state(self, left: Prepared, right: Prepared) -> StatedProblem:
        """State the alignment of two prepared graphs as a problem.

        Raises:
            InputError: if it would have more than ``max_terms`` pair terms.
        """

    def compare(
        self, pred: Prepared, *golds: Prepared, limits: Limits | None = None
    ) -> SolvedPair:
        """Align two graphs, prove it, and count.

        Raises:
            InputError: if there is not one reference, or the problem is too large.
            CertificationError: if the solver's value is not what the triples say.
        """
        stated = self.state(pred, only(self, golds))
        return solved(stated, self.solver.solve(stated.problem, limits))

    def scores(self, sums: Statistics) -> Score:
        """Precision, recall and F1 of summed counts."""
        return self.f_scores(sums)

    def f_scores(self, sums: Statistics) -> FScore:
        """The same, for a metric whose score they are."""
        matched, bound, pred_total, gold_total, pairs, proven = sums
        nothing = self.profile.score_of_nothing if pairs else 0.0
        precision, recall, f1 = f_score(matched, pred_total, gold_total, nothing)
        return FScore(
            self.name,
            f1,
            precision,
            recall,
            f1,
            _whole(matched),
            _whole(pred_total),
            _whole(gold_total),
            _whole(bound),
            proven == pairs,
            of_part=self.of_part,
            is_defined=self.has_score(pred_total, gold_total),
        )

    def score_rows(self, sums: Any) -> Any:
        """Precision, recall and F1 of many sums, rounded as ``f_score`` rounds them."""
        import numpy as np

        matched, pred, gold = sums[:, 0], sums[:, 2], sums[:, 3]
        some = (pred > 0) & (gold > 0)
        rows = np.zeros((len(sums), 3))
        precision, recall, f1 = rows.T
        np.divide(matched, pred, out=precision, where=some)
        np.divide(matched, gold, out=recall, where=some)
        both = precision + recall
        np.divide(2 * precision * recall, both, out=f1, where=both > 0)
        nothing = self.profile.nothing if self.has_score() else np.nan
        rows[(pred == 0) & (gold == 0)] = nothing
        return rows

    def identity(self) -> Statistics:
        """No triples, no pairs."""
        return (0.0,) * 6

    def signature(self) -> list[tuple[str, str]]:
        """Profile and solver."""
        return [*self.counting_signature(), ("solver", self.solver.signature())]

    def counting_signature(self) -> list[tuple[str, str]]:
        """The part of the signature that says what counts, without the solver."""
        return self.profile.signature()


def solved(stated: StatedProblem, solution: Solution) -> SolvedPair:
    """Count what a solution matches, and check the solver's value against the count.

    Raises:
        CertificationError: if the two differ.
    """
    matched = stated.check_count(solution.alignment, solution.value)
    statistics = (
        matched,
        stated.bound_of(solution, matched),
        float(stated.left.total),
        float(stated.right.total),
        1.0,
        float(solution.is_optimal),
    )
    return SolvedPair(statistics, solution, stated)


def only(metric: Metric, golds: tuple[Prepared, ...]) -> Prepared:
    """The one reference of a metric that takes no more.

    Raises:
        InputError: if there is not exactly one.
    """
    if len(golds) != 1:
        raise InputError(f"{metric.name} takes one reference, not {len(golds)}")
    return golds[0]


def aligning(metric: Metric) -> AligningMetric[Any]:
    """A metric as one that aligns variables.

    Raises:
        InputError: if it does not.
    """
    from exactmatch.metrics import SEARCHING

    if not isinstance(metric, AligningMetric):
        raise InputError(
            f"metric {metric.name!r} searches for no alignment; name "
            f"{' or '.join(SEARCHING)}"
        )
    return metric


def _whole(number: float) -> float:
    """An integer where the number is one, for output without ``.0``."""
    return int(number) if number.is_integer() else number
