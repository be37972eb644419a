"""Options of comparing profiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from exactmatch.base.options import flag, option
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Evaluating
from exactmatch.studies.command import Command
from exactmatch.studies.options import Chosen, Pairs, Ranked, picture


class ExplainProfileOptions(Chosen, Evaluating, Climbing, Pairs, purpose="measures"):
    """Options of scoring pairs under each profile."""

    TITLE = "what is shown"

    macro: bool = flag("average over pairs instead of summing")


class Shown(Ranked, purpose="shows"):
    """Options of the view of scores."""

    TITLE = "what is shown"

    ids: Sequence[str] | None = option(default=None, purpose="opens")
    where: Any = option(default=None, purpose="measures")

    per_pair: bool = flag("show the change of every pair")
    plot: str | None = picture("draw how far each profile moves the score")


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
    picture="exactmatch.studies.explain_profile.view:draw",
    is_verbose=False,
)
