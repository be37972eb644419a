"""The base of both Weisfeiler-Leman kernels: what they see, and who learns from whom.

Every variable is a node with its concept as label, and so is every constant, one for
each attribute.  Repeated triples count once; the root is not marked.  With
``edge_to_node`` every edge becomes a node, too, with the role as its label, and all
edges look alike.

A constant that is spelt like a concept of the same graph is no node of its own in the
published program: its edge leads to the last node with that concept, or is left out
where that is the first node of all.  The same is done here.

Source: Opitz, Daza and Frank (2021), "Weisfeiler-Leman in the Bamboo: Novel AMR Graph
Metrics and a Benchmark for AMR Graph Similarity", section 4; the program published with
it (version 0.2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias, get_args

from exactmatch.graphs.graph import INVERSE, Graph
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.metrics.base import Option
from exactmatch.metrics.counts import DirectMetric, MeanMetric

EDGE = "edge"
"""The role of every edge where roles have become nodes."""


class LabelledEdge(NamedTuple):
    """An edge between two nodes, which are counted from 0."""

    source: int
    role: str
    target: int


@dataclass(frozen=True, slots=True)
class LabelledGraph:
    """The labels of nodes, and the edges between them, none of them twice."""

    labels: tuple[str, ...]
    edges: tuple[LabelledEdge, ...]


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
    links: dict[tuple[int | None, str, int | None], None] = {}
    for source, code, target in graph.relations:
        links[source, words[code], target] = None
    stated = dict.fromkeys((v, words[r], words[k]) for v, r, k in graph.attributes)
    for v, role, value in stated:
        node = last.get(value)
        if node is None:
            node = len(labels)
            labels.append(value)
        end = node or None
        if role.endswith(INVERSE):
            links[end, role.removesuffix(INVERSE), v] = None
        else:
            links[v, role, end] = None
    edges: list[LabelledEdge] = []
    for link in links:
        parts = [link]
        if edge_to_node:
            parts = [(link[0], EDGE, len(labels)), (len(labels), EDGE, link[2])]
            labels.append(f":{link[1]}")
        edges += [
            LabelledEdge(start, role, end)
            for start, role, end in parts
            if start is not None and end is not None
        ]
    return LabelledGraph(tuple(labels), tuple(edges))


Direction: TypeAlias = Literal["both", "fromout", "fromin"]

DEFAULT_ITERATIONS = 2

OPTIONS = (
    Option(
        "iterations",
        f"over how many edges nodes learn from others (default: {DEFAULT_ITERATIONS})",
        int,
        metavar="K",
        default=DEFAULT_ITERATIONS,
        ends=(0, 100),
    ),
    Option(
        "direction",
        "the neighbours of a node: targets of its edges (fromout), sources of edges "
        "to it (fromin), or both (default)",
        choices=get_args(Direction),
        default="both",
    ),
    Option("edge_to_node", "make nodes of roles", bool, default=False),
)
"""The options that both kernels have."""


@dataclass(frozen=True, slots=True)
class Propagation:
    """How nodes learn from their neighbours: the values of :data:`OPTIONS`."""

    iterations: int
    direction: Direction = "both"
    edge_to_node: bool = False

    def signature(self) -> list[tuple[str, str]]:
        """Iterations and direction, and ``edge_to_node`` where it is on."""
        items = [("iterations", str(self.iterations)), ("direction", self.direction)]
        return [*items, ("edges", "nodes")] if self.edge_to_node else items


class Kernel(MeanMetric, DirectMetric):
    """A metric that compares nodes by what is within some steps of them.

    Args:
        profile: how graphs are read; default ``smatchpp-generic``, which is how the
            published programs read them.
        **options: the values of :attr:`options`.

    Raises:
        InputError: if an option has no meaning.
    """

    default_profile = "smatchpp-generic"
    options: ClassVar[tuple[Option, ...]] = OPTIONS

    def __init__(self, profile: Profile | None = None, **options: Any) -> None:
        super().__init__(profile, **options)
        asked = self.asked
        self.steps = Propagation(asked.iterations, asked.direction, asked.edge_to_node)

    def nodes_and_edges(self, item: Graph) -> LabelledGraph:
        """Label the nodes and edges of a graph, standardised as the profile says."""
        graph = self.as_whole(item)
        return labelled_graph(graph, self.profile, self.steps.edge_to_node)
