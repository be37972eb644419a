"""Smatch: the F1 score of the best one-to-one alignment of two graphs' variables.

With *M* triples matched under the alignment that matches most, and *T* and *G*
triples in prediction and reference, precision is M/T, recall M/G, and the score
2·P·R / (P + R).  A corpus sums M, T and G.

Source: Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature
structures", sections 2 and 3; the profile says which triples count.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.aligning import AligningMetric, only

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.engine.coding import CodedGraph
    from exactmatch.engine.problem import StatedProblem
    from exactmatch.metrics.base import Counter, Statistics
    from exactmatch.metrics.score import FScore
    from exactmatch.solvers.base import Solver


class Smatch(AligningMetric["CodedGraph"]):
    """Smatch, solved to the proven optimum by any exact solver."""

    name = "smatch"
    title = "Smatch"
    summary = "F1 of the triples matched by the best alignment of variables"
    default_profile = "smatch"

    def __init__(
        self,
        profile: Profile | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(profile, solver, max_terms)
        self.needs_references = self.profile.ignore_unannotated
        self._annotated: frozenset[str] | None = None

    @property
    def preparation(self) -> Hashable:
        """A key of the profile alone: the solver does not change the coding."""
        return (Smatch, self.profile)

    def prepare(self, item: Graph) -> CodedGraph:
        """Code a graph's counted triples."""
        from exactmatch.engine.coding import encode

        return encode(self.standardised(item), self.profile)

    def scores(self, sums: Statistics) -> FScore:
        """Precision, recall and F1 of summed counts."""
        return self.f_scores(sums)

    def fit(self, references: Iterable[CodedGraph]) -> Self:
        """Note which roles the references have, if others are to be ignored."""
        self.fitted = True
        self._annotated = frozenset().union(*map(roles_of, references))
        return self

    @property
    def is_counted_by_kernel(self) -> bool:
        """Whether the search in the kernel is what its solver does with a sentence.

        Not of a metric that states another problem or compares in another way.
        """
        from exactmatch.solvers.auto import Auto
        from exactmatch.solvers.bnb import BranchAndBound

        own = type(self)
        is_smatch = own.state is Smatch.state and own.compare is Smatch.compare
        if not is_smatch or self.profile.ignore_unannotated:
            return False
        solver = self.solver
        unlimited = type(solver) is BranchAndBound and not solver.nodes
        return type(solver) is Auto or unlimited

    def counter(self) -> Counter | None:
        """Make what counts pairs in the kernel, for ``auto`` and ``bnb``."""
        if not self.is_counted_by_kernel:
            return None
        from exactmatch.engine.matched import MatchCounter

        counter = MatchCounter(self.profile, self.max_terms)

        def count(pred: CodedGraph, *golds: CodedGraph) -> Statistics | None:
            gold = only(self, golds)
            matched = counter.matched(pred, gold)
            if matched is None:
                return None
            same = float(matched)
            return same, same, float(pred.total), float(gold.total), 1.0, 1.0

        return count

    def state(self, left: CodedGraph, right: CodedGraph) -> StatedProblem:
        """State the alignment of two coded graphs as a problem.

        Without :meth:`fit`, only the roles of the pair's own reference count as
        annotated.
        """
        from exactmatch.engine.problem import build

        if self.profile.ignore_unannotated:
            annotated = roles_of(right) if self._annotated is None else self._annotated
            left = self.annotated_part(left, annotated)
        return build(left, right, self.profile, max_terms=self.max_terms)

    def annotated_part(
        self, coded: CodedGraph, annotated: frozenset[str]
    ) -> CodedGraph:
        """A prediction without the triples whose roles no reference has."""
        from exactmatch.engine.coding import encode

        if roles_of(coded) <= annotated:
            return coded
        graph = coded.graph
        kept = [coded.labels[k] in annotated for k in range(len(graph.labels))]
        part = replace(
            graph,
            attributes=tuple(row for row in graph.attributes if kept[row[1]]),
            relations=tuple(row for row in graph.relations if kept[row[1]]),
        )
        return encode(part, self.profile)


def roles_of(coded: CodedGraph) -> frozenset[str]:
    """The roles of a graph's attributes and relations, normalised."""
    stated = (*coded.attributes, *coded.relations)
    return frozenset(coded.labels[row[1]] for row in stated)
