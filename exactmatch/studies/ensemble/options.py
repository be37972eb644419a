"""Options of a choice among parses that is pruned, and the command."""

from __future__ import annotations

from exactmatch.base.options import Options, option
from exactmatch.many.options import EnsembleOptions
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command


class PrunedOptions(EnsembleOptions):
    """The options of ``ensemble``, where candidates that cannot win are not solved."""

    TITLE = EnsembleOptions.TITLE

    prune: bool = option(
        "skip a candidate once a bound proves that it cannot win",
        default=True,
        switches=(
            (
                "--every-score",
                False,
                "compute the expected score of candidates that cannot win, too",
            ),
        ),
    )


class Shown(Options):
    """Options of the view of a choice."""

    percent: bool = option(default=False)


COMMAND = Command(
    """Choose for each sentence the candidate with the highest expected score.

The expected score of a candidate is its mean score with all candidates: exact
minimum Bayes risk under the metric.  Candidates that a bound proves to be worse
are not solved; their expected score is left out.

Example:
  exactmatch ensemble parser1.amr parser2.amr parser3.amr -o best.amr
  exactmatch ensemble nbest.amr --oracle gold.amr""",
    PrunedOptions,
    "exactmatch.studies.ensemble.view:study",
    Shown,
    titles=((Formats, "reading"),),
    is_verbose=False,
)
