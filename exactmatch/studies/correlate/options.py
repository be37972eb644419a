"""Options of metrics held against people, and the command."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.options import Options, option
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import Measuring, Samples
from exactmatch.studies.command import Command
from exactmatch.studies.correlate.human import Answers
from exactmatch.studies.options import JudgedSystems, NamedFiles, Pairs, People, Scale


class Correlating(Measuring, Climbing, Samples):
    """How metrics are held against people."""


class ScoredPairs(Pairs):
    """Pairs of graphs that people scored."""

    human: Answers = option(
        "people's score of each pair, None or NaN where nobody judged; of several "
        "judges the scores of each by name, of which the mean counts; or files",
        flags=(),
        kw_only=False,
    )


class PreferredPairs(Pairs):
    """Pairs of graphs, of every two of which people preferred one."""

    human: Answers = option(
        "for every two pairs 1 where the first is preferred, 0 the second, 0.5 "
        "neither, None where nobody judged; of several judges by name the majority "
        "counts; or files",
        flags=(),
        kw_only=False,
    )


class Averaging(Options):
    """How a system's score is made of those of its pairs."""

    TITLE = "judgement"

    macro: bool = option(
        "with --human: means over pairs instead of sums", default=False, file=True
    )


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

    TITLE = "judgement"

    files: Sequence[str] = option(
        "PRED GOLD HUMAN …: pairs of graphs, and a number for each pair, a line each, "
        "or preferences for every two; a file a judge. With --human: GOLD SYSTEM "
        "SYSTEM …, as compare",
        flags=(),
    )
    foils: bool = option(
        "no HUMAN: pairs alternate, a foil and then its original, and a metric is "
        "right when it scores the original strictly higher",
        default=False,
    )
    names: str | None = option(
        "what to call the systems (default: their files)",
        default=None,
        metavar="NAME[,NAME…]",
        is_list=True,
        file=True,
    )


class Shown(Options):
    """Options of the view of a correlation."""

    TITLE = "judgement"

    per_pair: bool = option(
        "show people's and metrics' scores of every pair", default=False, file=True
    )
    plot: str | None = option(
        "draw metrics against people: .png, .svg or .pdf",
        default=None,
        metavar="FILE",
    )


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
