"""Options of a consensus."""

from __future__ import annotations

from exactmatch.base.options import Options, option
from exactmatch.many.options import EnsembleOptions
from exactmatch.studies.many import command
from exactmatch.studies.options import picture


class Shown(Options, purpose="shows"):
    """Options of the view of a choice."""

    TITLE = "what is shown"

    percent: bool = option(default=False)
    plot: str | None = picture("draw how often each system is chosen")


COMMAND = command(
    "ensemble",
    """Choose for each sentence the candidate with the highest expected score.

The expected score of a candidate is its mean score with all candidates: exact
minimum Bayes risk under the metric.

Example:
  exactmatch ensemble parser1.amr parser2.amr parser3.amr --graphs best.amr
  exactmatch ensemble nbest.amr --oracle gold.amr""",
    EnsembleOptions,
    shown=Shown,
    picture="exactmatch.studies.ensemble.view:draw",
)
