"""The base of both Weisfeiler-Leman kernels: how nodes learn from their neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.base import Option
from exactmatch.metrics.counts import DirectMetric, MeanMetric
from exactmatch.metrics.weisfeiler_leman.labelled import LabelledGraph, labelled_graph

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
