"""Smatch: the F1 score of the best one-to-one alignment of two graphs' variables.

With *M* triples matched under the alignment that matches most, and *T* and *G*
triples in prediction and reference, precision is M/T, recall M/G, and the score
2·P·R / (P + R).  A corpus sums M, T and G.

Source: Cai and Knight (2013), "Smatch: an evaluation metric for semantic feature
structures", sections 2 and 3; what is counted is the profile's business.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import AligningMetric

if TYPE_CHECKING:
    from exactmatch.alignment.coding import CodedGraph
    from exactmatch.alignment.problem import StatedProblem


class Smatch(AligningMetric["CodedGraph"]):
    """Smatch, solved to the proven optimum by any exact solver."""

    name = "smatch"
    title = "Smatch"
    summary = "F1 of the triples matched by the best alignment of variables"
    default_profile = "smatch"

    @property
    def preparation(self) -> Hashable:
        """The profile: graphs are coded the same whoever aligns them."""
        return (Smatch, self.profile)

    def prepare(self, item: Graph) -> CodedGraph:
        """Code a graph's counted triples."""
        from exactmatch.alignment.coding import encode

        return encode(self.standardised(item), self.profile)

    def state(self, left: CodedGraph, right: CodedGraph) -> StatedProblem:
        """State the alignment of two coded graphs as a problem."""
        from exactmatch.alignment.problem import build

        return build(left, right, self.profile, max_terms=self.max_terms)
