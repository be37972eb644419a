"""Options of scoring: of a corpus, and of one pair."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from exactmatch.base import values
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.metrics.options import Climbing, Making
from exactmatch.scoring.options import (
    Measuring,
    OptionalIntervals,
    Referring,
    Solving,
    Units,
)
from exactmatch.solvers.proof_lines import VERSIONS
from exactmatch.studies.command import Command
from exactmatch.studies.options import Chosen, Pairs, Ranked, picture

if TYPE_CHECKING:
    from exactmatch.formats.readings import GraphLike
    from exactmatch.formats.recognised import Seen
    from exactmatch.metrics.base import Metric

Predictions: TypeAlias = (
    "Iterable[GraphLike] | Mapping[str, GraphLike] | os.PathLike[str]"
)
"""Predicted graphs, in memory or in a file."""

References: TypeAlias = (
    "Iterable[GraphLike | Sequence[GraphLike]] "
    "| Mapping[str, GraphLike | Sequence[GraphLike]] | os.PathLike[str] "
    "| Sequence[os.PathLike[str]]"
)
"""References; several of one prediction stand in a list, or in several files."""


class ReferencedPairs(Pairs, purpose="opens"):
    """Predictions, each with one or more references."""

    preds: Predictions = option(
        "predicted graphs, or sentences for a metric on text: a list, a column of a "
        "data frame, or the Path of a file",
        flags=(),
        kw_only=False,
    )
    golds: References = option(  # type: ignore[assignment]  # several of one pair
        "their references, in the same order; a list of graphs in place of one, or a "
        "list of files, means several references; two mappings of ids to graphs are "
        "paired by their keys",
        flags=(),
        kw_only=False,
    )


class Proving(Options, purpose="writes", waits=True):
    """Files of proofs to write."""

    TITLE = "solving"

    certificates: str | os.PathLike[str] | None = optional(
        "write every pair's proof, which 'exactmatch verify' checks", metavar="FILE"
    )
    proofs: str | os.PathLike[str] | None = optional(
        "write every pair's problem (OPB), its proof for other checkers, such as "
        "VeriPB, and its certificate; 'exactmatch verify FOLDER' checks them",
        metavar="FOLDER",
    )
    proof_version: str = option(
        "format of the proofs: 1.2 for VeriPB 0.3, 2.0 for VeriPB 2 and CakePB, 3.0 "
        "for VeriPB 3",
        default="2.0",
        choices=VERSIONS,
        purpose="runs",
    )
    gzip: bool = flag("compress problems and proofs")
    zip: bool = flag("also write the folder of proofs as FOLDER.zip, for a deposit")


class ScoreOptions(
    Chosen,
    Referring,
    Measuring,
    Climbing,
    Units,
    OptionalIntervals,
    Proving,
    ReferencedPairs,
    purpose="runs",
):
    """Options of scoring a corpus."""

    TITLE = "what is shown"

    keep_pairs: bool = option(
        "whether the report holds each pair's result, with its graphs",
        default=True,
        flags=(),
    )

    @classmethod
    def unexpected(cls, name: str) -> str:
        """Return the error for an unknown keyword, naming what the result has."""
        from exactmatch.scoring.report import Report

        if name[:1] != "_" and name in Shown.DECLARED and hasattr(Report, name):
            return f"unexpected keyword argument {name!r}: the result has .{name}(…)"
        return super().unexpected(name)


class Shown(Ranked, purpose="shows"):
    """Options of the view of scores."""

    TITLE = "what is shown"

    ids: Sequence[str] | None = option(default=None, purpose="opens")
    where: Any = option(default=None, purpose="measures")
    score_only: bool = flag("print the number alone", flags=("-b", "--score-only"))
    per_pair: bool = flag("show every pair")
    macro: bool = flag("average over pairs instead of summing", purpose="measures")
    ms: bool = flag("print one F-score line for each pair, as smatch does")
    pr: bool = flag("print lines of precision and recall, too, as smatch does")
    fail_under: float | None = optional(
        "exit with 1 if the score is lower, such as 0.9",
        metavar="F",
        read=values.between(0, 1),
        purpose="runs",
    )
    plot: str | None = picture("draw the scores of pairs")
    smatch_files: Sequence[str] | None = option(default=None, purpose="opens")
    confidence: float | None = option(default=None, purpose="measures")
    percent: bool = option(default=False)
    short: bool = option(default=False)


COMMAND = Command(
    """Score predicted graphs against references, to the proven optimum.

Example:
  exactmatch parsed.amr gold.amr
  exactmatch parsed.amr gold.amr --metric smatch,s2match,sembleu --format json
  exactmatch parsed.amr gold.amr --worst 10
  exactmatch parsed.amr gold.amr --per-pair --format html -o scores.html
  exactmatch parsed.amr --references gold1.amr gold2.amr
  exactmatch -f parsed.amr gold.amr --pr""",
    ScoreOptions,
    "exactmatch.studies.score.study:study",
    Shown,
    references=True,
    display="exactmatch.studies.score.view:Scores",
)


class TimeLimited(Options):
    """Time limit of a pair, and the seed of random draws."""

    time_limit: float | None = redeclared(
        Solving,
        "time_limit",
        about="seconds; a score that is not proven in time has a bound",
    )
    seed: int = redeclared(Solving, "seed", about="seed of every random draw")


class PairOptions(TimeLimited, Making, purpose="opens"):
    """Pair, and the metric that scores it."""

    pred: GraphLike = option("the predicted graph or sentence", kw_only=False)
    gold: GraphLike = option("the reference", kw_only=False)
    metric: str | Metric | None = optional(
        "the metric, by name or made by :func:`make_metric`; the format of the graphs "
        "chooses it by default",
        kw_only=False,
        purpose="measures",
    )

    def seen(self) -> list[Seen]:
        """Return the recognised formats of the two graphs."""
        from exactmatch.formats.recognised import seen_in

        return seen_in((self.pred, self.gold))
