"""The command that puts similar graphs together."""

from __future__ import annotations

from exactmatch.base.options import Options, option
from exactmatch.many.options import ClusterOptions
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command


class Shown(Options):
    """Options of the view of clusters."""

    TITLE = ClusterOptions.TITLE

    plot: str | None = option(
        "draw dendrogram and heat map: .png, .svg, .pdf", default=None, metavar="FILE"
    )


COMMAND = Command(
    """Put similar graphs together, by hierarchical clustering of exact scores.

CSV has a row for each graph, with its cluster and whether it is its medoid.

Example:
  exactmatch cluster graphs.amr --at-least 0.6 --plot clusters.pdf""",
    ClusterOptions,
    "exactmatch.studies.cluster.view:study",
    Shown,
    titles=((Formats, "reading"),),
    is_verbose=False,
    picture="exactmatch.studies.cluster.view:draw",
)
