"""Options of clusters."""

from __future__ import annotations

from exactmatch.base.options import Options, optional
from exactmatch.many.options import ClusterOptions
from exactmatch.studies.many import command


class Shown(Options):
    """Options of the view of clusters."""

    TITLE = ClusterOptions.TITLE
    plot: str | None = optional(
        "draw dendrogram and heat map: .png, .svg, .pdf",
        metavar="FILE",
        purpose="writes",
    )


COMMAND = command(
    "cluster",
    """Put similar graphs together, by hierarchical clustering of exact scores.

CSV has a row for each graph, with its cluster and whether it is its medoid.

Example:
  exactmatch cluster graphs.amr --at-least 0.6 --plot clusters.pdf
  exactmatch cluster library.smi --metric ged --costs mces -k 5""",
    ClusterOptions,
    shown=Shown,
    picture="exactmatch.studies.cluster.view:draw",
)
