"""Options of alignments: of one pair, and of the pairs of two files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from exactmatch.base.options import Options, flag, option, optional
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.options import Making, Restarts
from exactmatch.scoring.options import Measuring
from exactmatch.studies.command import Command
from exactmatch.studies.options import Pairs, Selecting
from exactmatch.studies.score.options import TimeLimited

if TYPE_CHECKING:
    from exactmatch.formats.readings import GraphLike
    from exactmatch.metrics.base import Metric


class OneAlignment(TimeLimited, Making, purpose="opens"):
    """Options of the alignment of one pair."""

    pred: GraphLike = option("the predicted graph", kw_only=False)
    gold: GraphLike = option("the reference", kw_only=False)
    metric: str | Metric | None = option(
        "a metric that aligns, by name or made by :func:`make_metric` (default: by "
        "the format; smatch for AMR)",
        default=None,
        purpose="measures",
    )


def _ids(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


class AlignOptions(Selecting, Measuring, Restarts, Pairs, purpose="shows", waits=True):
    """Options of the alignments of two files, and the choice of those shown."""

    id: str | Iterable[str] | None = optional(
        "show only the pair with this '# ::id'; may be repeated",
        read=_ids,
        metavar="ID",
        is_repeated=True,
    )


class Shown(Options, purpose="shows"):
    """Options of the view of a pair."""

    TITLE = "what is shown"

    differences: bool = flag(
        "show only differences: no matched triples, no variables of equal concepts, "
        "no pairs without a difference"
    )
    one_line: bool = flag("show each pair in one line")


COMMAND = Command(
    """Show how variables are aligned and which triples match, miss, or are extra.

If several alignments are optimal, the most plausible is shown: the one with the
most pairs that share words (where graphs are aligned with words), then the most
pairs of equal concepts. Pairs that other optima may lack are "not certain".

Example:
  exactmatch align parsed.amr gold.amr
  exactmatch align parsed.amr gold.amr --id lpp_1943.12
  exactmatch align parsed.amr gold.amr --worst 10 --differences
  exactmatch align parsed.amr gold.amr --where 'f1 < 0.5' --one-line
  exactmatch align parsed.amr gold.amr --format jsonl -o alignments.jsonl
  exactmatch align parsed.amr gold.amr --format html -o alignments.html""",
    AlignOptions,
    "exactmatch.studies.align.study:study",
    Shown,
    metrics=ALIGNING,
    references=True,
    display="exactmatch.studies.align.view:AlignmentDisplay",
)
