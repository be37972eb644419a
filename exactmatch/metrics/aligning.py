"""Metrics that align variables: Smatch, S²Match, MRP, and scores of parts of graphs.

Such a metric builds the alignment problem of two graphs;
:mod:`exactmatch.engine.align` finds and proves the best alignment, and counts its
matches again.  Precision, recall and F1 follow from the matched triples and the totals
of both sides.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar, cast

from exactmatch.base.errors import InputError
from exactmatch.base.records import replace
from exactmatch.engine.align import Aligned, Want, align
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.base import GraphMetric, Metric, Pair, SolvedPair, Statistics
from exactmatch.metrics.score import FScore, Part, parts_of, score_of_sums
from exactmatch.solvers import get_solver

if TYPE_CHECKING:  # these import NumPy, which --help does not need
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.problem import Alignment
    from exactmatch.solvers.solution import Limits

Prepared = TypeVar("Prepared")


class AligningMetric(GraphMetric, Generic[Prepared]):
    """Base of the metrics that align variables.

    Its statistics are ``(matched, bound, pred_total, gold_total, pairs, proven)``: the
    statistics of a corpus are the sums over its pairs.

    Attributes:
        solver: the solver that aligns the variables.
        max_terms: how many pair terms a problem may have; ``None`` for the default.

    Class attributes:
        packable: whether :meth:`prepare` makes coded graphs, the problem is about their
            triples, and the score is the F1 of these triples.  It is false for a class
            that overrides a method of ``_PROBLEM_AND_SCORE``, unless the class sets it.
        needs: how much of a comparison its statistics need: a count or an alignment.
    """

    aligns: ClassVar[bool] = True
    cutoff_of: ClassVar[Literal["", "labels", "concepts"]] = ""
    """What a similarity with an adjustable cutoff compares; empty if there is none."""
    takes_one = True
    takes_kinds = True
    bounds: ClassVar[bool] = True
    needs: ClassVar[Want] = "count"
    width = 6

    def __init_subclass__(cls) -> None:
        """Switch off shortcuts that would pass over methods that a class overrides."""
        super().__init_subclass__()
        defined = vars(cls).keys()
        overridden = defined & _PROBLEM_AND_SCORE
        if "packable" not in defined and overridden:
            cls.packable = False
        if "bounds" not in defined and overridden - {"build_problem", "score_rows"}:
            cls.bounds = False
        if defined & {"align", "compare"} and "compare_shared" not in defined:
            cls.compare_shared = (
                cls.align if "align" in defined else Metric.compare_shared
            )

    def __init__(
        self,
        profile: Profile | str | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__(profile, **options)
        self.solver = get_solver(solver) if isinstance(solver, str) else solver
        self.max_terms = max_terms
        self.draws = self.solver.draws
        restricts = self.profile.ignore_unannotated
        has_kernel = self.solver.kernel_nodes is not None
        self.packs = self.packable and has_kernel and not restricts

    def keywords(self) -> dict[str, Any]:
        """Return its constructor's keywords, except profile and solver."""
        values = {"max_terms": self.max_terms, **vars(self.options)}
        return {
            name: value
            for name, value in values.items()
            if value is not None and value is not False
        }

    def check_recording(self) -> None:
        if not self.solver.records_proofs:
            raise InputError(
                f"solver {self.solver.signature()!r} gives no certificates; use auto "
                "or bnb for --certify and --certificates"
            )

    @abstractmethod
    def prepare(self, item: Graph) -> Prepared:
        """Code a graph."""

    @abstractmethod
    def build_problem(self, left: Prepared, right: Prepared) -> GraphProblem:
        """Build the alignment problem of two prepared graphs."""

    def compare(
        self, pred: Prepared, *golds: Prepared, limits: Limits | None = None
    ) -> SolvedPair:
        comparison = self.compare_shared((pred, *golds), limits, "alignment")
        return cast("SolvedPair", self.pair_of(comparison))

    def align(self, sides: Sequence[Any], limits: Limits | None, want: Want) -> Any:
        """Align two graphs; *want* says how much of the result is needed."""
        return self.solve_problem(
            self.build_problem(*self.pred_and_gold(sides)), limits, want
        )

    def solve_problem(
        self, problem: GraphProblem, limits: Limits | None, want: Want
    ) -> Any:
        """Solve an alignment problem and count its matches, as :meth:`align` does."""
        want = self.needs if want == "count" else want
        aligned = align(problem, self.solver, limits, want)
        statistics = self.statistics(problem, aligned)
        if aligned.solution is None:
            return Pair(statistics)
        return SolvedPair(statistics, aligned.solution, problem)

    compare_shared = align

    def statistics(self, problem: Any, aligned: Aligned) -> Statistics:
        """Return the statistics of two graphs that were aligned."""
        totals = float(problem.left.total), float(problem.right.total)
        return (aligned.matched, aligned.bound, *totals, 1.0, float(aligned.proven))

    def scores(self, sums: Statistics) -> FScore:
        has_items, pairs = sums[2] or sums[3], sums[4]
        score_of_nothing = (
            self.profile.score_of_nothing if pairs and not has_items else 0.0
        )
        is_defined = bool(has_items) or self.has_score()
        return score_of_sums(
            self.name,
            sums,
            score_of_nothing,
            of_part=self.of_part,
            is_defined=is_defined,
        )

    def score_rows(self, sums: Any) -> Any:
        import numpy as np

        matched, pred, gold = sums[:, 0], sums[:, 2], sums[:, 3]
        some = (pred > 0) & (gold > 0)
        rows = np.zeros((len(sums), 3))
        precision, recall, f1 = rows.T
        np.divide(matched, pred, out=precision, where=some)
        np.divide(matched, gold, out=recall, where=some)
        ratio_sum = precision + recall
        np.divide(2 * precision * recall, ratio_sum, out=f1, where=ratio_sum > 0)
        score_of_nothing = self.profile.nothing if self.has_score() else np.nan
        rows[(pred == 0) & (gold == 0)] = score_of_nothing
        return rows

    def output_weights(self, rows: Any) -> Any:
        return rows[:, 2] + rows[:, 3]

    def signature(self) -> list[tuple[str, str]]:
        return [*self.counting_signature(), ("solver", self.solver.signature())]

    def counting_signature(self) -> list[tuple[str, str]]:
        """Return the part of the signature that determines which triples count."""
        return self.profile.signature()


_PROBLEM_AND_SCORE = {
    *("build_problem", "compare", "compare_shared", "pair_of", "align", "statistics"),
    *("scores", "score_rows"),
}
"""Methods that make a problem or a score; see ``AligningMetric.packable``."""


class KindsMetric(AligningMetric[Prepared]):
    """Base of the metrics that also count their matches by kind of item.

    Statistics: those of every metric that aligns, then for each kind the matched items,
    those of the prediction and those of the reference.
    """

    needs = "alignment"
    in_all = False
    kinds: ClassVar[tuple[str, ...]]  # in order

    @abstractmethod
    def counts_of_kinds(
        self, problem: Any, alignment: Alignment
    ) -> Sequence[Mapping[Any, int]]:
        """Count items by kind: the matched, the prediction's and the reference's."""

    def statistics(self, problem: Any, aligned: Aligned) -> Statistics:
        assert aligned.solution is not None
        counts = self.counts_of_kinds(problem, aligned.solution.alignment)
        return super().statistics(problem, aligned) + tuple(
            float(count[kind]) for kind in self.kinds for count in counts
        )

    def scores(self, sums: Statistics) -> FScore:
        return replace(super().scores(sums[: self.width]), parts=self.parts(sums))

    def parts(self, sums: Statistics) -> dict[str, Part]:
        """Return the counts of each kind."""
        return parts_of(self.kinds, sums[self.width :])

    def identity(self) -> Statistics:
        return (0.0,) * (self.width + 3 * len(self.kinds))


class PartScore(AligningMetric[Prepared]):
    """Base of scores that count one part of each graph, such as its named entities.

    The alignment is that of the whole graphs, by a metric that all parts share.
    """

    of_part = True

    def __init__(
        self, whole_metric: AligningMetric[Any], name: str, title: str, summary: str
    ) -> None:
        super().__init__(
            whole_metric.profile, whole_metric.solver, whole_metric.max_terms
        )
        self.name, self.title, self.summary = name, title, summary

    def read_off(
        self,
        pair: Pair,
        least_matched: float,
        most_matched: float,
        pred: float,
        gold: float,
    ) -> Pair:
        """Return the pair with a part's statistics: its matches, bounded, and sizes."""
        assert pair.solution is not None
        proven = least_matched == most_matched and pair.solution.is_optimal
        sizes = (float(pred), float(gold))
        statistics = (
            float(least_matched),
            float(most_matched),
            *sizes,
            1.0,
            float(proven),
        )
        return pair._replace(statistics=statistics)


def aligning(metric: Metric) -> AligningMetric[Any]:
    """Return a metric unchanged; raise an error if it does not align variables."""
    from exactmatch.metrics import ALIGNING

    if not isinstance(metric, AligningMetric):
        raise InputError(
            f"metric {metric.name!r} does not align variables; use "
            f"{' or '.join(ALIGNING)}"
        )
    return metric
