"""Options of a drawing."""

from __future__ import annotations

from exactmatch.base import values
from exactmatch.base.options import Options, option, optional
from exactmatch.formats.readings import GraphLike
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Making, MetricNames
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command


class Drawn(Options, purpose="opens"):
    """Graph to draw, and its reference."""

    graph: GraphLike = option(
        "the graph, or the prediction; or the Path of a file with it",
        operand="FILE",
        kw_only=False,
    )
    gold: GraphLike | None = option(
        "the reference; both graphs are then drawn, and their differences are marked",
        default=None,
        operand="GOLD",
        kw_only=False,
    )


class DrawOptions(Making, MetricNames, Formats, Drawn, purpose="shows"):
    """Options that choose the graphs to draw, and the metric that aligns them."""

    TITLE = "which graph"

    id: str | None = optional(
        "draw the graph of the file with this '# ::id'", metavar="ID"
    )
    number: int | None = optional(
        "draw the graph of the file with this number, from 0", read=values.natural_int
    )


COMMAND = Command(
    """Draw a graph as a layered diagram, or a pair with what differs between them.

Example:
  exactmatch draw gold.amr --id lpp_1943.18 -o graph.svg
  exactmatch draw parsed.amr gold.amr --number 12 -o pair.pdf
  exactmatch draw parsed.mrp gold.mrp --framework eds --id 102990""",
    DrawOptions,
    "exactmatch.studies.draw.study:study",
    metrics=ALIGNING,
    is_verbose=False,
    output="text",
    suffixes=(".svg", ".png", ".pdf"),
    picture="exactmatch.views.svg_pictures:write_picture",
)
