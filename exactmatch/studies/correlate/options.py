"""Options of metrics held against people, and the command."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.options import Options, flag, option, optional
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Measuring, Samples
from exactmatch.studies.command import Command
from exactmatch.studies.correlate.human import Answers
from exactmatch.studies.options import (
    JudgedSystems,
    NamedFiles,
    Pairs,
    People,
    Scale,
    Selecting,
    picture,
)


class Correlating(Measuring, Climbing, Samples):
    """How metrics are held against people."""


class ScoredPairs(Pairs):
    """Pairs of graphs that people scored."""

    human: Answers = option(
        "people's score of each pair, None or NaN if nobody judged it; for several "
        "judges a mapping of names to scores, whose mean counts; or files",
        flags=(),
        kw_only=False,
    )


class PreferredPairs(Pairs):
    """Pairs of graphs, of every two of which people preferred one."""

    human: Answers = option(
        "for every two pairs 1 if people prefer the first, 0 if the second, 0.5 if "
        "neither, None if nobody judged; for several judges a mapping of names to "
        "these, whose majority counts; or files",
        flags=(),
        kw_only=False,
    )


class Averaging(Options):
    """How a system's score is made of those of its pairs."""

    TITLE = "judgement"

    macro: bool = flag("with --human: means over pairs instead of sums")


class CorrelateOptions(Correlating, Scale, ScoredPairs):
    """How metrics are held against people's scores of pairs."""


class PreferenceOptions(Correlating, PreferredPairs):
    """How metrics are held against people's preferences."""


class FoilOptions(Correlating, Pairs):
    """How metrics are tried on foils."""


class SystemOptions(Averaging, Correlating, JudgedSystems):
    """How metrics are held against people's judgement of systems."""


class CommandOptions(Averaging, Correlating, People, NamedFiles):
    """The command's options: all of these, with files in their places."""

    files: Sequence[str] = option(
        "PRED GOLD HUMAN …: pairs of graphs, and a file for each judge with a score "
        "of each pair, one a line, or a preference for every two. With --human: GOLD "
        "SYSTEM …, as for compare",
        flags=(),
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


class Shown(Selecting):
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
