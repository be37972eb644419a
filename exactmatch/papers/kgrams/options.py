"""Options of the k-grams of graphs, and the command."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.formats.pairs import OnError
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.sembleu import SemBleu, Variant
from exactmatch.scoring.options import Pairing
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles, picture


def _of_sembleu(name: str, **more: Any) -> Any:
    """Declare an option of SemBleu as the metric does."""
    (own,) = (one for one in SemBleu.options if one.name == name)
    more |= {"choices": own.choices, "metavar": own.metavar}
    return optional(own.help, **more)


class Listed(Options):
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


class KgramOptions(Listed, GraphFiles):
    """Which graphs are read, and which k-grams they have."""

    TITLE = "what counts"

    sembleu: Variant | None = _of_sembleu("sembleu")
    ngram: int | None = _of_sembleu("ngram", read=values.integer)
    weights: str | Sequence[float] | None = _of_sembleu("weights", is_list=True)
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
    def idle(self) -> dict[str, str]:
        """The flags that have no use here, each with the sentence that says so."""
        drawn = {"--plot": "--plot draws what --growth measures; add it"}
        return {} if self.table == "growth" else drawn


class Shown(Options):
    """Where the growth is drawn."""

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
    "exactmatch.papers.kgrams.study:study",
    Shown,
    picture="exactmatch.papers.kgrams.study:draw",
)
