"""Options of the drawing of graphs, and the command."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Making, MetricNames
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command

if TYPE_CHECKING:
    from exactmatch.formats.readings import GraphLike
    from exactmatch.scoring.sources import File


class Drawn(Options):
    """The graph that is drawn, and its reference."""

    graph: GraphLike | File = option(
        "the graph, or the prediction; or a file with it",
        flags=(),
        metavar="FILE",
        kw_only=False,
    )
    gold: GraphLike | File | None = option(
        "the reference; both graphs are then drawn, and their differences are marked",
        default=None,
        flags=(),
        metavar="GOLD",
        kw_only=False,
    )


class DrawOptions(Making, MetricNames, Formats, Drawn):
    """Which graphs are drawn, and who aligns them."""

    TITLE = "which graph"

    id: str | None = option(
        "draw the graph of the file with this '# ::id'", default=None, metavar="ID"
    )
    number: int | None = option(
        "draw the graph of the file with this number, from 0",
        default=None,
        read=values.natural_int,
        metavar="N",
    )


COMMAND = Command(
    """Draw a graph as a layered diagram, or a pair with what differs between them.

Example:
  exactmatch draw gold.amr --id lpp_1943.18 -o graph.svg
  exactmatch draw parsed.amr gold.amr --number 12 -o pair.svg
  exactmatch draw parsed.mrp gold.mrp --framework eds --id 102990""",
    DrawOptions,
    "exactmatch.studies.draw.study:study",
    metrics=ALIGNING,
    is_verbose=False,
    output="text",
    suffix=".svg",
)
