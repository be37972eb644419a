"""Options of the principles, and the command."""

from __future__ import annotations

from collections.abc import Iterable

from exactmatch.base import values
from exactmatch.base.options import Options, option
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import Restarts
from exactmatch.scoring.options import Measuring
from exactmatch.studies.command import Command
from exactmatch.studies.options import Pairs, how_many

GRAPH_METRICS = ("smatch", "s2match", "sembleu", "yisi")
_TEXT_METRICS = ("yisi-text", "bleu", "sentence-bleu", "chrf")


class PrincipleOptions(Measuring, Restarts, Pairs, purpose="measures"):
    """Options of the measurement of principles."""

    TITLE = "principles"

    metric: str | Metric | Iterable[str | Metric] = option(
        default=",".join(GRAPH_METRICS)
    )
    graphs: int = option(
        "number of references to vary, and of graphs to generate (default: 50 of "
        "each); for sentences only references",
        default=50,
        read=values.positive_int,
        purpose="runs",
    )
    runs: int = option(
        "number of runs for determinacy (default: 5)",
        default=5,
        read=values.runs,
        purpose="runs",
    )
    hillclimb: bool = option(
        "add hill-climbed Smatch",
        default=True,
        off="leave out hill-climbed Smatch",
        purpose="shows",
    )


class Shown(Options):
    """Options of the view of each metric."""

    TITLE = PrincipleOptions.TITLE

    show: int = how_many("number of counter-examples to show for each metric", 1)


COMMAND = Command(
    """Measure the seven principles of Opitz et al. (2020) for each metric.

Example:
  exactmatch principles parsed.amr gold.amr
  exactmatch principles parsed.amr gold.amr --metric smatch --format latex
  exactmatch principles hyp.txt ref.txt --metric sentence-bleu,chrf""",
    PrincipleOptions,
    "exactmatch_papers.principles.study:study",
    Shown,
    metrics=(*GRAPH_METRICS, *_TEXT_METRICS),
)
