"""Options of what each choice of what counts does to scores, and the command."""

from __future__ import annotations

from exactmatch.base.options import option
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Evaluating
from exactmatch.studies.command import Command
from exactmatch.studies.options import Pairs, Selecting


class ExplainProfileOptions(Evaluating, Climbing, Pairs):
    """How pairs are scored under each profile."""

    TITLE = "what is shown"

    macro: bool = option(
        "average over pairs instead of summing", default=False, file=True
    )


class Shown(Selecting):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = option("show the change of every pair", default=False, file=True)


COMMAND = Command(
    """Say how much each difference between profiles moves the Smatch score.

The first row is the smatch profile; each further row changes one thing, and
the last three are other profiles: clean, and what SMATCH++ counts, generic and
for AMR.  A profile that cannot read the files says so in its row; a change is
over the pairs that both profiles read.  Below stands what smatch's reader lost.

Example:
  exactmatch explain-profile parsed.amr gold.amr
  exactmatch explain-profile parsed.amr gold.amr --per-pair
  exactmatch explain-profile parsed.amr gold.amr --where 'difference < -0.1'""",
    ExplainProfileOptions,
    "exactmatch.studies.explain_profile.study:study",
    Shown,
    references=True,
    is_verbose=False,
)
