"""Options of the comparison of metrics with people, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Measuring, Samples, Units
from exactmatch.studies.command import Command
from exactmatch.studies.correlate.human import Answers
from exactmatch.studies.options import (
    JudgedSystems,
    NamedFiles,
    Pairs,
    People,
    Scale,
    Selecting,
    judgement,
    picture,
)


class Correlating(Measuring, Climbing, Units, Samples):
    """Options that all comparisons of metrics with people share."""


class ScoredPairs(Pairs, purpose="opens"):
    """Pairs of graphs that people scored."""

    human: Answers = option(
        "people's score of each pair, None or NaN if nobody judged it, in order or by "
        "the pairs' ids; for several judges a mapping of names to scores, whose mean "
        "counts; or files",
        read=judgement,
        flags=(),
        kw_only=False,
    )


class PreferredPairs(Pairs, purpose="opens"):
    """Pairs of graphs; people preferred one of every two."""

    human: Answers = option(
        "for every two pairs 1 if people prefer the first, 0 if the second, 0.5 if "
        "neither, None if nobody judged; for several judges a mapping of names to "
        "these, whose majority counts; or files",
        read=judgement,
        flags=(),
        kw_only=False,
    )


class Averaging(Options, purpose="measures"):
    """Option of the average over pairs."""

    TITLE = "judgement"

    macro: bool = flag("with --human: means over pairs instead of sums")


class Outputs(Options, purpose="measures", waits=True):
    """Options of the comparison with people's scores of outputs."""

    TITLE = "judgement of outputs"

    group_by: Literal["item", "system", "none"] = option(
        "with --human: compare outputs within groups, and average over these: the "
        "outputs for one item, that is, one segment (default), those of one system, "
        "or all of them",
        default="item",
        choices=("item", "system", "none"),
    )
    darr_margin: float | None = optional(
        "with --human: least difference of two scores of outputs for which people "
        "prefer one (default: a quarter of the scale)",
        read=values.positive_float,
        metavar="POINTS",
    )
    ties: Literal["merged", "float"] = option(
        "with --human: candidates for the ε of acc_eq: differences of a metric's "
        "scores, equal ones merged (default), or as floating-point numbers, as "
        "mt-metrics-eval compares them",
        default="merged",
        choices=("merged", "float"),
    )


class CorrelateOptions(Correlating, Scale, ScoredPairs):
    """Options of the comparison with people's scores of pairs."""


class PreferenceOptions(Correlating, PreferredPairs):
    """Options of the comparison with people's preferences."""


class FoilOptions(Correlating, Pairs):
    """Options of the test on foils."""


class SystemOptions(Outputs, Averaging, Correlating, JudgedSystems):
    """Options of the comparison with people's judgement of systems."""


class CommandOptions(
    Outputs, Averaging, Correlating, People, NamedFiles, purpose="shows"
):
    """Options of the command: all of these, with files instead of graphs."""

    TITLE = Averaging.TITLE

    files: Sequence[str] = option(
        "PRED GOLD HUMAN …: pairs of graphs, and a file for each judge with a score "
        "of each pair, one a line or in a table with ids, or a preference for every "
        "two. With --human: GOLD SYSTEM …, as for compare",
        flags=(),
        purpose="opens",
    )
    foils: bool = flag(
        "without HUMAN: foils, each before its original, which a metric is to score "
        "strictly higher"
    )
    names: str | None = optional(
        "names of the systems (default: their files)",
        metavar="NAME[,NAME…]",
        is_list=True,
    )


class Shown(Selecting, purpose="shows"):
    """Options of the view of a correlation."""

    TITLE = "judgement"

    per_pair: bool = flag("show people's and metrics' scores of every pair")
    plot: str | None = picture("draw metrics against people")


COMMAND = Command(
    """Compare metrics with human judgement of pairs, of outputs and of systems.

Example:
  exactmatch correlate a.amr b.amr similarity.txt --metric smatch,sembleu
  exactmatch correlate a.amr b.amr similarity.txt --per-pair --format csv
  exactmatch correlate parsed.amr gold.amr anna.txt ben.txt cleo.txt
  exactmatch correlate first.amr second.amr --foils
  exactmatch correlate gold.amr a.amr b.amr c.amr --human judgement.tsv""",
    CommandOptions,
    "exactmatch.studies.correlate.study:study",
    Shown,
    titles=((People, Averaging.TITLE),),
    picture="exactmatch.studies.correlate.view:draw",
)
