"""Options of an audit, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from exactmatch.base import values
from exactmatch.base.options import Options, option, optional, redeclared
from exactmatch.metrics.options import Restarts
from exactmatch.scoring.options import Measuring, Resampling, Units
from exactmatch.studies.command import Command
from exactmatch.studies.options import Pairs, how_many, picture

RESTARTS = (1, 2, 3, 4, 5, 7, 10)
"""Numbers of restarts: those of Opitz et al. (2020), table 3, smatch's 4, and 10."""


class AuditOptions(Measuring, Units, Resampling, Pairs, purpose="shows"):
    """Options of an audit of a hill-climber."""

    TITLE = "audit"

    restarts: Sequence[int] = redeclared(
        Restarts,
        "restarts",
        about="numbers of restarts (default: 1,2,3,4,5,7,10)",
        default=RESTARTS,
    )
    runs: int = option(
        "runs for each pair, each with its seed (default: 10)",
        default=10,
        read=values.runs,
        flags=("--runs", "--seeds"),
        purpose="runs",
    )
    symmetry: bool = option(
        "also climb with the two graphs exchanged",
        default=True,
        off="do not climb with the files exchanged; takes half the time",
    )
    against: Literal["smatch"] | None = optional(
        "also run an installed smatch on the same pairs",
        choices=("smatch",),
        purpose="opens",
    )
    smatch_python: str | None = optional(
        "the interpreter that has smatch (default: this one)",
        metavar="PYTHON",
        purpose="opens",
    )
    published: str | float | None = optional(
        "check a published corpus F1 of these files, such as 0.843 or 84.3, by the "
        "first metric",
        read=values.published_score,
        metavar="F",
    )


class Shown(Options):
    """Parts of an audit that are shown."""

    TITLE = "audit"

    show: int = how_many("failed pairs to show with both alignments", 5)
    plot: str | None = picture("draw the search error")


AUDITED = ("smatch", "s2match")
"""Metrics whose problems have no weights for preferences beside the score."""

COMMAND = Command(
    """Compare the hill-climber of Smatch or S²Match with the proven optimum.

Example:
  exactmatch audit parsed.amr gold.amr
  exactmatch audit parsed.amr gold.amr --restarts 1,4 --plot error.png
  exactmatch audit parsed.amr gold.amr --metric smatch,s2match
  exactmatch audit parsed.amr gold.amr --against smatch --published 0.843""",
    AuditOptions,
    "exactmatch.studies.audit.study:study",
    Shown,
    metrics=AUDITED,
    titles=((Resampling, "intervals of --against"),),
    picture="exactmatch.studies.audit.view:draw",
)
