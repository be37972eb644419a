"""What both Weisfeiler-Leman kernels are made with: how graphs are read, and steps."""

from __future__ import annotations

from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile
from exactmatch.graphs.standardise import as_whole
from exactmatch.metrics.base import GraphMetric
from exactmatch.metrics.weisfeiler_leman.labelled import (
    Direction,
    LabelledGraph,
    Steps,
    labelled,
)


class Kernel(GraphMetric):
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

    def __init__(
        self,
        profile: Profile | None = None,
        *,
        iterations: int | None = None,
        direction: Direction | None = None,
        edge_to_node: bool | None = None,
    ) -> None:
        super().__init__(profile)
        self.steps = Steps.given(iterations, direction, edge_to_node)

    def labelled(self, item: Graph) -> LabelledGraph:
        """The nodes and edges of a graph, standardised as the profile says."""
        graph = as_whole(item, self.profile)
        return labelled(graph, self.profile, self.steps.edge_to_node)
