"""Smatch: the F1 score of the best one-to-one alignment of two graphs' variables.

With *M* triples matched under the alignment that matches most, and *T* and *G*
triples in prediction and reference, precision is M/T, recall M/G, and the score
2·P·R / (P + R).  A corpus sums M, T and G.

Source: Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature
structures", sections 2 and 3; the profile says which triples count.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING

from exactmatch.base.records import replace
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.aligning import AligningMetric

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.solvers.base import Solver


class Smatch(AligningMetric[CodedGraph]):
    """Smatch, solved to the proven optimum by any exact solver."""

    name = "smatch"
    title = "Smatch"
    summary = "F1 of the triples matched by the best alignment of variables"
    default_profile = "smatch"
    packable = True
    learns_roles = True

    def __init__(
        self,
        profile: Profile | str | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
    ) -> None:
        super().__init__(profile, solver, max_terms)
        self.learns = self.profile.ignore_unannotated
        self.annotated: frozenset[str] | None = None  # roles that references have

    @property
    def preparation_key(self) -> Hashable:
        return (Smatch, self.profile)

    def prepare(self, item: Graph) -> CodedGraph:
        return encode(self.standardise(item), self.profile)

    def fit(self, references: Iterable[CodedGraph]) -> Self:
        self.fitted = True
        self.annotated = frozenset().union(*map(_roles_of, references))
        return self

    def build_problem(self, left: CodedGraph, right: CodedGraph) -> GraphProblem:
        if self.profile.ignore_unannotated:
            left = self._annotated_part(left, right)
        return GraphProblem(left, right, self.profile, max_terms=self.max_terms)

    def _annotated_part(self, left: CodedGraph, right: CodedGraph) -> CodedGraph:
        annotated = _roles_of(right) if self.annotated is None else self.annotated
        if _roles_of(left) <= annotated:
            return left
        graph = left.graph
        counts = [left.labels[k] in annotated for k in range(len(graph.labels))]
        part = replace(
            graph,
            attributes=tuple(row for row in graph.attributes if counts[row[1]]),
            relations=tuple(row for row in graph.relations if counts[row[1]]),
        )
        return encode(part, self.profile)


def _roles_of(coded: CodedGraph) -> frozenset[str]:
    """Return the roles of a graph's attributes and relations, normalised."""
    triples = (*coded.attributes, *coded.relations)
    return frozenset(coded.labels[row[1]] for row in triples)
