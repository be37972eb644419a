"""WLK: how many contextual labels two graphs share.

In every iteration each node's label grows by its neighbours' labels, in sorted order,
so that after *i* iterations it describes all that can be reached in *i* steps.  With
``c_0`` the labels and the triples ``(label, role, label)`` that both graphs have before
the first iteration and ``c_i`` the labels that both have after the *i*-th,

    WLK = Σ_i w_i c_i / sqrt(Σ_i w_i a_i · Σ_i w_i b_i),    w_i = 1 / (1 + i)²,

with ``a_i`` and ``b_i`` those that each graph has: the cosine of the vectors of what
occurs, ``1 / (1 + i)`` each.  How often it occurs does not matter.  The score of a
corpus is the mean of its pairs.

**Nodes with the same label.**  The published program knows nodes by their label alone:
of several nodes with one label, the last one's neighbours make the new label of all.
Which one is the last depends on Python's hash seed, so its numbers differ between runs.
Here ``c_i`` is what one may expect of it, rounded to a whole number: where the nodes
labelled ``name`` have the neighbourhoods *S* in one graph and *T* in the other, their
labels agree with probability ``|S ∩ T| / |S ∪ T|``, as they do if both graphs choose by
the same random order of all neighbourhoods (Broder 1997).  So a graph is like itself,
the order of triples does not matter, and graphs without such nodes score what the
program says.

Source: Opitz, Daza and Frank (2021), section 4.1; Shervashidze et al. (2011),
"Weisfeiler-Lehman Graph Kernels"; the program published with the former (version 0.2).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.weisfeiler_leman.kernel import Direction, Kernel, LabelledGraph

Neighbourhood: TypeAlias = tuple[tuple[str, str], ...]
"""The roles and labels around a node, sorted."""

_HAIR = 1e-9
"""The rounding error that is allowed for in sums of probabilities."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The parts of a graph that WLK compares.

    Attributes:
        around: for each label the neighbourhoods of the nodes that have it.
        triples: the edges as ``(label, role, label)``.
    """

    around: Mapping[str, frozenset[Neighbourhood]]
    triples: frozenset[tuple[str, str, str]]


def occurrences(graph: LabelledGraph, direction: Direction = "both") -> Occurrences:
    """Collect the labels, neighbourhoods and triples of a graph."""
    labels = graph.labels
    near: list[list[tuple[str, str]]] = [[] for _ in labels]
    for source, role, target in graph.edges:
        if direction != "fromin":
            near[source].append((role, labels[target]))
        if direction != "fromout":
            near[target].append((role, labels[source]))
    around: defaultdict[str, set[Neighbourhood]] = defaultdict(set)
    for label, found in zip(labels, near, strict=True):
        around[label].add(tuple(sorted(found)))
    return Occurrences(
        {label: frozenset(found) for label, found in around.items()},
        frozenset((labels[s], role, labels[t]) for s, role, t in graph.edges),
    )


def agreements(
    left: Occurrences, right: Occurrences, iterations: int
) -> list[dict[str, float]]:
    """How likely each common label has grown alike in both graphs.

    A node agrees with itself, and for the rest as far as its neighbours' labels do.

    Returns:
        For 0, 1, … *iterations* the probability of each common label, in [0, 1].
    """
    common = left.around.keys() & right.around.keys()
    found = [dict.fromkeys(common, 1.0)]
    for _ in range(iterations):
        before = found[-1]
        now = {}
        for label in common:
            mine, theirs = left.around[label], right.around[label]
            alike = []
            for neighbourhood in mine & theirs:
                others = {near for _, near in neighbourhood if near != label}
                alike.append(math.prod(before.get(near, 0.0) for near in others))
            now[label] = math.fsum(alike) / len(mine | theirs)
        found.append(now)
    return found


def kernel(left: Occurrences, right: Occurrences, iterations: int) -> float | None:
    """WLK of two graphs, in [0, 1]; ``None`` if neither has a node."""
    if not left.around and not right.around:
        return None
    if not left.around or not right.around:
        return 0.0
    weights = [1 / (1 + i) ** 2 for i in range(iterations + 1)]
    shared = [
        math.ceil(math.fsum(alike.values()) - 0.5 - _HAIR)  # rounded
        for alike in agreements(left, right, iterations)
    ]
    dot = math.fsum(w * c for w, c in zip(weights, shared, strict=True))
    dot += len(left.triples & right.triples)
    squares = [
        math.fsum(w * len(side.around) for w in weights) + len(side.triples)
        for side in (left, right)
    ]
    return min(1.0, dot / math.sqrt(squares[0] * squares[1]))


class Wlk(Kernel):
    """The symbolic Weisfeiler-Leman kernel."""

    name = "wlk"
    title = "WLK"
    summary = "Weisfeiler-Leman kernel of contextual labels (Opitz et al. 2021)"
    means = 1

    @property
    def preparation(self) -> Hashable:
        return (Wlk, self.profile, self.steps.direction, self.steps.edge_to_node)

    def prepare(self, item: Graph) -> Occurrences:
        return occurrences(self.nodes_and_edges(item), self.steps.direction)

    def statistics(self, pred: Occurrences, gold: Occurrences) -> Statistics:
        score = kernel(pred, gold, self.steps.iterations)
        if score is None:
            return self.profile.score_of_nothing, float(self.has_score())
        return score, 1.0

    def signature(self) -> list[tuple[str, str]]:
        return [*self.steps.signature(), *self.profile.signature()]
