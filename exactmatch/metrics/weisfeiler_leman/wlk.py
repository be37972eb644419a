"""WLK: how many contextual labels two graphs share.

In every iteration each node's label grows by its neighbours' labels, in sorted order,
so that after *i* iterations it describes all that can be reached in *i* steps.  With
``c_0`` the labels and the triples ``(label, role, label)`` that both graphs have before
the first iteration and ``c_i`` the labels that both have after the *i*-th,

    WLK = Σ_i w_i c_i / sqrt(Σ_i w_i a_i · Σ_i w_i b_i),    w_i = 1 / (1 + i)²,

with ``a_i`` and ``b_i`` those that each graph has.  How often a label occurs does not
matter: of several nodes with one label, the published program takes the neighbours of
any.  Here ``c_i`` is what one may expect of that, rounded to a whole number: where such
nodes have the neighbourhoods *S* in one graph and *T* in the other, their labels agree
with probability ``|S ∩ T| / |S ∪ T|``, as if both graphs chose by the same random order
of all neighbourhoods (Broder 1997).

Source: Opitz, Daza and Frank (2021), "Weisfeiler-Leman in the Bamboo: Novel AMR Graph
Metrics and a Benchmark for AMR Graph Similarity", section 4.1; Shervashidze et al.
(2011), "Weisfeiler-Lehman Graph Kernels"; the program published with the former
(version 0.2); see ``docs/metrics/wlk.md``.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option
from exactmatch.graphs.graph import INVERSE, Graph
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import DirectMetric, MeanMetric

EDGE = "edge"  # the role of every edge where roles have become nodes
Edge: TypeAlias = tuple[int, str, int]  # source, role and target, by number


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """The labels of nodes, and the edges between them, none of them twice."""

    labels: tuple[str, ...]
    edges: tuple[Edge, ...]


def labelled_graph(
    graph: Graph, profile: Profile, edge_to_node: bool = False
) -> LabelledGraph:
    """Make nodes of variables and constants, and of roles if asked for.

    A variable with several concepts has the last one as its label; one without any
    has the empty label.
    """
    normalise = NORMALISERS[profile.comparison]
    words = [normalise(label) for label in graph.labels]
    labels = [""] * len(graph.variables)
    for v, concept in graph.instances:
        labels[v] = words[concept]
    last = {label: node for node, label in enumerate(labels)}
    links: dict[tuple[int | None, str, int | None], None]
    links = dict.fromkeys((s, words[role], t) for s, role, t in graph.relations)
    constants = dict.fromkeys((v, words[r], words[k]) for v, r, k in graph.attributes)
    for v, role, value in constants:
        node = last.get(value)
        if node is None:
            node = len(labels)
            labels.append(value)
        end = node or None
        if role.endswith(INVERSE):
            links[end, role.removesuffix(INVERSE), v] = None
        else:
            links[v, role, end] = None
    edges: list[Edge] = []
    for link in links:
        parts = [link]
        if edge_to_node:
            parts = [(link[0], EDGE, len(labels)), (len(labels), EDGE, link[2])]
            labels.append(f":{link[1]}")
        edges += [
            (start, role, end)
            for start, role, end in parts
            if start is not None and end is not None
        ]
    return LabelledGraph(tuple(labels), tuple(edges))


Direction: TypeAlias = Literal["both", "fromout", "fromin"]


class KernelOptions(Options, purpose="measures"):
    """The options that both kernels have."""

    iterations: int = option(
        "number of edges over which nodes learn from others (default: 2)",
        default=2,
        metavar="K",
        read=values.between(0, 100, whole=True),
    )
    direction: Direction = option(
        "the neighbours of a node: targets of its edges (fromout), sources of edges to "
        "it (fromin), or both (default)",
        choices=get_args(Direction),
        default="both",
    )
    edge_to_node: bool = flag("make nodes of roles", read=values.boolean)


class Kernel(MeanMetric, DirectMetric):
    """A metric that compares nodes by their surroundings within some steps.

    Args:
        profile: how graphs are read; default ``smatchpp-generic``, which is how the
            published programs read them.

    Raises:
        InputError: if an option has no meaning.
    """

    default_profile = "smatchpp-generic"
    options_class: ClassVar[type[Options]] = KernelOptions

    def nodes_and_edges(self, item: Graph) -> LabelledGraph:
        """Label the nodes and edges of a graph, standardised as the profile says."""
        return labelled_graph(
            self.as_whole(item), self.profile, self.options.edge_to_node
        )

    def steps(self) -> list[tuple[str, str]]:
        """Return the values of :class:`KernelOptions`, for signatures."""
        options = self.options
        items = [
            ("iterations", str(options.iterations)),
            ("direction", options.direction),
        ]
        return [*items, ("edges", "nodes")] if options.edge_to_node else items

    def signature(self) -> list[tuple[str, str]]:
        return [*self.steps(), *self.profile.signature()]


Neighbourhood: TypeAlias = tuple[tuple[str, str], ...]
"""The roles and labels around a node, sorted."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """The parts of a graph that WLK compares."""

    around: Mapping[str, frozenset[Neighbourhood]]  # by the label of the node
    triples: frozenset[tuple[str, str, str]]  # label, role, label


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
    for label, neighbours in zip(labels, near, strict=True):
        around[label].add(tuple(sorted(neighbours)))
    return Occurrences(
        {label: frozenset(neighbours) for label, neighbours in around.items()},
        frozenset((labels[s], role, labels[t]) for s, role, t in graph.edges),
    )


def agreements(
    left: Occurrences, right: Occurrences, iterations: int
) -> list[dict[str, float]]:
    """Return the agreement of each common label after 0, 1, … iterations.

    A label agrees with itself, and in its neighbourhoods as far as their labels do.
    """
    common = left.around.keys() & right.around.keys()
    rounds = [dict.fromkeys(common, 1.0)]
    for _ in range(iterations):
        before = rounds[-1]
        new_labels = {}
        for label in common:
            left_neighbours, right_neighbours = left.around[label], right.around[label]
            n_equal = []
            for neighbourhood in left_neighbours & right_neighbours:
                other_labels = {
                    neighbour for _, neighbour in neighbourhood if neighbour != label
                }
                n_equal.append(
                    math.prod(before.get(neighbour, 0.0) for neighbour in other_labels)
                )
            new_labels[label] = math.fsum(n_equal) / len(
                left_neighbours | right_neighbours
            )
        rounds.append(new_labels)
    return rounds


def kernel(left: Occurrences, right: Occurrences, iterations: int) -> float | None:
    """Compute WLK of two graphs, in [0, 1]; ``None`` if neither has a node."""
    if not left.around and not right.around:
        return None
    if not left.around or not right.around:
        return 0.0
    weights = [1 / (1 + i) ** 2 for i in range(iterations + 1)]
    shared = [  # rounded, with a slack for rounding errors of sums
        math.ceil(math.fsum(n_equal.values()) - 0.5 - 1e-9)
        for n_equal in agreements(left, right, iterations)
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
    width = 2

    @property
    def preparation_key(self) -> Hashable:
        return (Wlk, self.profile, self.options.direction, self.options.edge_to_node)

    def prepare(self, item: Graph) -> Occurrences:
        return occurrences(self.nodes_and_edges(item), self.options.direction)

    def statistics(self, pred: Occurrences, gold: Occurrences) -> Statistics:
        score = kernel(pred, gold, self.options.iterations)
        if score is None:
            return self.profile.score_of_nothing, float(self.has_score())
        return score, 1.0
