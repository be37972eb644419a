"""Options of the search for a parser's errors, and the command."""

from __future__ import annotations

from exactmatch.base.options import Options, flag
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Restarts
from exactmatch.scoring.options import Measuring
from exactmatch.studies.command import Command
from exactmatch.studies.options import Selecting, SystemPairs, how_many, picture


class ErrorsOptions(Selecting, Restarts, Measuring, SystemPairs):
    """Options of the search for the errors of one system or several."""

    TITLE = "what is shown"


class Shown(Options, purpose="shows"):
    """Options of the view of errors."""

    TITLE = ErrorsOptions.TITLE

    show: int = how_many("number of types to show for each kind of error", 5)
    per_pair: bool = flag("show each pair's edits, too")
    plot: str | None = picture("draw the share of each kind of error, system by system")


COMMAND = Command(
    """Count role confusions, lost re-entrancies, and every other type of error.

Each type has its count, the range of that count over all optimal alignments,
and its share of the lost F1.  Of JSON documents (--metric json) the table by
field is shown, with the pairs in which each field is wrong.

Example:
  exactmatch errors parsed.amr gold.amr
  exactmatch errors parsed.amr gold.amr --per-pair
  exactmatch errors gold.amr --systems bart.amr t5.amr --format latex
  exactmatch errors answers.jsonl gold.jsonl --metric json""",
    ErrorsOptions,
    "exactmatch.studies.errors.study:study",
    Shown,
    metrics=(*ALIGNING, "json"),
    picture="exactmatch.studies.errors.view:draw",
)
