"""Smatch: the F1 score of the best one-to-one alignment of two graphs' variables.

With *M* triples matched under the alignment that matches most, and *T* and *G*
triples in prediction and reference, precision is M/T, recall M/G, and the score
2·P·R / (P + R).  A corpus sums M, T and G.

Source: Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature
structures", sections 2 and 3; what is counted is the profile's business.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from exactmatch.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.graphs.standardise import changes_nothing, standardise
from exactmatch.metrics.base import (
    Measurement,
    Metric,
    Score,
    Statistics,
    f_score,
)
from exactmatch.solvers import get_solver

if TYPE_CHECKING:  # NumPy stands behind these; a command's help can do without
    from exactmatch.alignment.coding import CodedGraph
    from exactmatch.alignment.problem import Pairing
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.solution import Limits


class AlignmentMetric(Metric):
    """A metric that aligns variables: Smatch and its graded kin.

    Its statistics are ``(matched, bound, pred_total, gold_total, pairs,
    proven)``: a sum of them is the statistics of a corpus.

    Attributes:
        reuse: whether coded graphs are kept, because the same graphs may be
            scored again; a stream of pairs is faster without.
        check_certificates: whether each solution's certificate is checked.
    """

    profiles: ClassVar[tuple[str, ...]] = tuple(PROFILES)
    searches: ClassVar[bool] = True

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(profile)
        assert self.profile is not None
        self.counting: Profile = self.profile
        self.solver = get_solver(solver) if isinstance(solver, str) else solver
        self.max_terms = max_terms
        self.reuse = True
        self.check_certificates = False
        self._standard = changes_nothing(self.counting)
        self._last: dict[int, tuple[Graph, CodedGraph]] = {}

    def pairing(self, pred: Graph, gold: Graph) -> Pairing:
        """State the pair as an alignment problem."""
        from exactmatch.alignment.problem import build

        return build(
            self.coded(pred), self.coded(gold), self.counting, max_terms=self.max_terms
        )

    def coded(self, graph: Graph) -> CodedGraph:
        """Code a graph, once for as long as it is scored again and again."""
        cached = self._last.get(id(graph))
        if cached is not None and cached[0] is graph:
            return cached[1]
        standard = graph if self._standard else standardise(graph, self.counting)
        coded = self.encode(standard)
        if self.reuse:
            if len(self._last) >= _CACHED_GRAPHS:
                self._last.clear()
            self._last[id(graph)] = (graph, coded)
        return coded

    def encode(self, graph: Graph) -> CodedGraph:
        """Code a standardised graph."""
        from exactmatch.alignment.coding import encode

        return encode(graph, self.counting)

    def measure(
        self, pred: Graph, *golds: Graph, limits: Limits | None = None
    ) -> Measurement:
        """Align two graphs, prove it, and count."""
        if len(golds) != 1:
            raise InputError(f"{self.name} takes one reference, not {len(golds)}")
        from exactmatch.alignment.problem import certify, rejection

        pairing = self.pairing(pred, golds[0])
        solution = self.solver.solve(pairing.problem, limits)
        certify(pairing, solution.alignment, solution.value)
        statistics = (
            float(solution.value),
            float(solution.bound),
            float(pairing.left.total),
            float(pairing.right.total),
            1.0,
            float(solution.is_optimal),
        )
        rejected = rejection(pairing, solution) if self.check_certificates else None
        return Measurement(statistics, solution, pairing, rejected)

    def score(self, statistics: Statistics) -> Score:
        """Precision, recall and F1 of summed counts."""
        matched, bound, pred_total, gold_total, pairs, proven = statistics
        nothing = float(self.counting.nothing if pairs else 0)
        precision, recall, f1 = f_score(matched, pred_total, gold_total, nothing)
        return Score(
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
        )

    def identity(self) -> Statistics:
        """No triples, no pairs."""
        return (0.0,) * 6

    def signature(self) -> list[tuple[str, str]]:
        """Profile and solver."""
        return [*self.counting.signature(), ("solver", self.solver.signature())]


_CACHED_GRAPHS = 4096


def _whole(number: float) -> float:
    """An integer where the number is one, for output without ``.0``."""
    return int(number) if number.is_integer() else number


class Smatch(AlignmentMetric):
    """Smatch, solved to the proven optimum by any exact solver."""

    name = "smatch"
    title = "Smatch"
    summary = "F1 of the triples matched by the best alignment of variables"
    default_profile = "smatch"
