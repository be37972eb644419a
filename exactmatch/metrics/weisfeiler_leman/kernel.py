"""The base of both Weisfeiler-Leman kernels: how nodes learn from their neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.base import Option
from exactmatch.metrics.counts import DirectMetric, MeanMetric
from exactmatch.metrics.weisfeiler_leman.labelled import LabelledGraph, labelled_graph

Direction: TypeAlias = Literal["both", "fromout", "fromin"]

DEFAULT_ITERATIONS = 2
MAX_ITERATIONS = 100

OPTIONS = (
    Option(
        "iterations",
        f"over how many edges nodes learn from others (default: {DEFAULT_ITERATIONS})",
        int,
        None,
        "K",
    ),
    Option(
        "direction",
        "the neighbours of a node: targets of its edges (fromout), sources of edges "
        "to it (fromin), or both (default)",
        choices=get_args(Direction),
    ),
    Option("edge_to_node", "make nodes of roles", bool),
)
"""The options that both kernels have."""


@dataclass(frozen=True, slots=True)
class Propagation:
    """How nodes learn from their neighbours.

    Attributes:
        iterations: how often, 0 to :data:`MAX_ITERATIONS`.
        direction: from which neighbours.
        edge_to_node: whether edges are nodes of their own.

    Raises:
        InputError: if an option has no meaning.
    """

    iterations: int = DEFAULT_ITERATIONS
    direction: Direction = "both"
    edge_to_node: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.iterations <= MAX_ITERATIONS:
            raise InputError(
                f"--iterations is {self.iterations}; it must be 0 to {MAX_ITERATIONS}"
            )
        if self.direction not in get_args(Direction):
            raise InputError(
                f"--direction is {self.direction!r}; it is 'both', 'fromout' or "
                "'fromin'"
            )

    @classmethod
    def of_options(
        cls,
        iterations: int | None = None,
        direction: Direction | None = None,
        edge_to_node: bool | None = None,
    ) -> Propagation:
        """Make it from options; ``None`` stands for the default."""
        return cls(
            DEFAULT_ITERATIONS if iterations is None else iterations,
            direction or "both",
            bool(edge_to_node),
        )

    def signature(self) -> list[tuple[str, str]]:
        """Iterations and direction, and ``edge_to_node`` where it is on."""
        nodes = [("edges", "nodes")] if self.edge_to_node else []
        return [
            ("iterations", str(self.iterations)),
            ("direction", self.direction),
            *nodes,
        ]


class Kernel(MeanMetric, DirectMetric):
    """A metric that compares nodes by what is within some steps of them.

    Args:
        profile: how graphs are read; default ``smatchpp-generic``, which is how the
            published programs read them.
        iterations: how many steps, 0 to 100; default 2.
        direction: along edges, against them, or ``both``, the default.
        edge_to_node: whether roles are nodes of their own.

    Raises:
        InputError: if an option has no meaning.
    """

    default_profile = "smatchpp-generic"
    options: ClassVar[tuple[Option, ...]] = OPTIONS

    def __init__(
        self,
        profile: Profile | None = None,
        *,
        iterations: int | None = None,
        direction: Direction | None = None,
        edge_to_node: bool | None = None,
    ) -> None:
        super().__init__(profile)
        self.steps = Propagation.of_options(iterations, direction, edge_to_node)

    def nodes_and_edges(self, item: Graph) -> LabelledGraph:
        """Label the nodes and edges of a graph, standardised as the profile says."""
        graph = self.as_whole(item)
        return labelled_graph(graph, self.profile, self.steps.edge_to_node)
