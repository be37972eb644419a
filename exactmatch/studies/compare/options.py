"""Options of a comparison of systems, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Measuring, Resampling, Units
from exactmatch.studies.command import Command
from exactmatch.studies.options import (
    Chosen,
    People,
    Ranked,
    Systems,
    how_many,
    picture,
)


class SingleAspects(Options, purpose="measures", waits=True):
    """Options of scores of single aspects, which replace metrics."""

    TITLE = "single aspects"

    finegrained: Literal["exact", "amrlib", "damonte"] | None = optional(
        "compare the scores of finegrained instead of metrics: exact (default), "
        "amrlib or damonte",
        choices=("exact", "amrlib", "damonte"),
        bare="exact",
        metavar="STYLE",
    )
    aspects: Literal["realign", "main"] | None = optional(
        "compare agents, places, times and so on: realign (default) or main",
        choices=("realign", "main"),
        bare="realign",
        metavar="HOW",
    )


class HumanScores(Options, purpose="opens", waits=True):
    """Options of people's judgement beside the metrics."""

    TITLE = People.TITLE

    human_range: tuple[float, float] | None = redeclared(People, "human_range")
    standardise: bool = redeclared(People, "standardise")
    human: Any = redeclared(People, "human")


class CompareOptions(
    Chosen,
    SingleAspects,
    HumanScores,
    Measuring,
    Climbing,
    Units,
    Resampling,
    Systems,
    purpose="shows",
):
    """Options of a comparison of systems."""

    TITLE = "comparison"

    test: Literal["exchange", "bootstrap"] = option(
        "the test of differences: exchange outputs of pairs (default), or the paired "
        "bootstrap of older tables",
        default="exchange",
        choices=("exchange", "bootstrap"),
        purpose="measures",
    )
    baseline: str | None = optional(
        "test against this system, by name or number from 1 (default: the best)",
        metavar="NAME",
    )
    macro: bool = flag("average over pairs instead of summing", purpose="measures")
    show: int = how_many("number of deciding pairs to show for each system", 3)
    structure: bool = option(
        "compare the shapes of the graphs with those of the references",
        default=True,
        off="do not compare the shapes of the graphs",
    )
    check: bool = option(
        "check UMR files first, as lint --profile umr does",
        default=True,
        off="do not check UMR files first",
    )


class Shown(Ranked, purpose="shows"):
    """Options of the view of a comparison."""

    TITLE = "comparison"

    ids: Sequence[str] | None = option(default=None, purpose="opens")
    where: Any = option(default=None, purpose="measures")

    per_pair: bool = flag("show every pair: each system's score and its difference (Δ)")
    percent: bool = option(default=False)
    plot: str | None = picture("draw scores and differences with their intervals")


COMMAND = Command(
    """Compare systems: scores, intervals, p-values, ranks, deciding pairs, structure.

Example:
  exactmatch compare gold.amr first.amr second.amr
  exactmatch compare gold.amr a.amr b.amr --metric smatch,sembleu --format latex
  exactmatch compare gold.amr a.amr b.amr --per-pair --format jsonl
  exactmatch compare gold.amr a.amr b.amr --where 'difference < -0.1'
  exactmatch compare gold.amr a.amr b.amr --finegrained --plot forest.svg""",
    CompareOptions,
    "exactmatch.studies.compare.study:study",
    Shown,
    picture="exactmatch.studies.compare.view:draw",
)
