"""Options of the k-grams of graphs, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, redeclared
from exactmatch.formats.pairs import OnError
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.sembleu import SemBleu, SemBleuOptions, Variant
from exactmatch.scoring.options import Pairing
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles, picture


class Listed(Options, purpose="shows"):
    """Options of the questions about k-grams."""

    TITLE = "what is shown"

    table: Literal["graphs", "nodes", "growth"] = option(
        "the k-grams of each graph (default), the number that contain each node, or "
        "the growth of their number with the number of nodes",
        default="graphs",
        choices=("graphs", "nodes", "growth"),
        switches=(
            (
                "--nodes",
                "nodes",
                "count the k-grams that contain each node, instead of listing them",
            ),
            (
                "--growth",
                "growth",
                "show how their number grows with the number of nodes; repeated graphs "
                "are left out",
            ),
        ),
    )
    keep_repeated: bool = flag("also count repeated graphs")


class KgramOptions(Listed, GraphFiles, purpose="measures"):
    """Options of the graphs and of their k-grams."""

    TITLE = "what counts"

    sembleu: Variant | None = redeclared(SemBleuOptions, "sembleu", default=None)
    ngram: int | None = redeclared(SemBleuOptions, "ngram", default=None)
    weights: str | Sequence[float] | None = redeclared(
        SemBleuOptions, "weights", default=None
    )
    profile: Profile | str = option(
        "how graphs are read (default: sembleu)",
        default=SemBleu.default_profile,
        read=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
    )
    on_error: OnError = redeclared(
        Pairing,
        "on_error",
        about="a graph that cannot be read ends the run (raise; default) or is left "
        "out (skip)",
        choices=("raise", "skip", "fail"),
    )

    @property
    def refused_flags(self) -> dict[str, str]:
        """Return the flags that have no use here, each with its message."""
        drawn = {"--plot": "--plot draws what --growth measures; add it"}
        return {} if self.table == "growth" else drawn


class Shown(Options):
    """Options of the drawing of the growth."""

    TITLE = Listed.TITLE

    plot: str | None = picture("draw k-grams against nodes (--growth)")


COMMAND = Command(
    """List the k-grams of graphs: the paths that SemBleu compares.

Example:
  exactmatch kgrams gold.amr
  exactmatch kgrams gold.amr --ngram 2 --format json
  exactmatch kgrams gold.amr --nodes
  exactmatch kgrams gold.amr --growth --ngram 4 --plot growth.svg""",
    KgramOptions,
    "exactmatch_papers.kgrams.study:study",
    Shown,
    picture="exactmatch_papers.kgrams.study:draw",
)
