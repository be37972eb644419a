"""Options of fine-grained scores."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.options import option
from exactmatch.graphs.profile import Align
from exactmatch.metrics.options import Climbing, Metrics
from exactmatch.scoring.options import AskedIntervals, Evaluating
from exactmatch.studies.command import Command
from exactmatch.studies.options import Referring, Selecting, picture
from exactmatch.studies.score.options import ReferencedPairs

DocumentStyle: TypeAlias = Literal["umr", "umatch"]
"""The styles that are tables of documents."""

Style: TypeAlias = Literal["exact", "amrlib", "damonte", "umr", "umatch", "graph"]


class FinegrainedOptions(
    Referring, Evaluating, Climbing, AskedIntervals, ReferencedPairs
):
    """Which aspects of graphs are scored, and how."""

    TITLE = "scores"

    style: Style = option(
        "exact (default); amrlib, damonte: like these tools, aligned exactly; umr, "
        "umatch: UMR documents; graph: nodes and edges of any graphs",
        default="exact",
        choices=get_args(Style),
        file=True,
        kw_only=False,
    )
    aspects: Literal["realign", "main"] | None = option(
        "score agents, places, times … instead, each aligned anew (realign), or by "
        "the whole graphs' alignment, with ranges (main)",
        default=None,
        choices=("realign", "main"),
        bare="realign",
        file=True,
    )
    scores: str | Iterable[str] | None = option(
        "only these scores, by their names in JSON; of documents any :role",
        default=None,
        read=values.words,
        flags=("--scores", "--only"),
        metavar="NAME[,NAME…]",
        is_list=True,
        file=True,
    )
    roles: Iterable[str] = option(
        "for documents, further roles that get a row each, such as ARG1",
        default=(),
        read=values.words,
        flags=(),
    )
    cache: str | os.PathLike[str] | None = option(  # type: ignore[assignment]  # any path
        "keep the results of pairs in this folder, and score no kept pair again",
        default=None,
        metavar="FOLDER",
    )


class Documents(Metrics, FinegrainedOptions):
    """Options that documents, and labelled graphs, alone have."""

    TITLE = "documents (--style umr)"

    align: Align | None = option(
        "which variables of documents may be aligned: any, those of the same "
        "sentence (default), or those of the same sentence that share a word",
        default=None,
        choices=get_args(Align),
        file=True,
    )
    ignore_unannotated: bool = option(
        "ignore predicted triples whose roles the references never have",
        default=False,
        file=True,
    )


class Shown(Selecting):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = option("show every pair", default=False, file=True)
    macro: bool = option(
        "average over pairs instead of summing", default=False, file=True
    )
    plot: str | None = picture("draw the scores as bars")


LABELLED = "labelled graphs (--style graph)"
"""The heading of the options of the graph metric."""

COMMAND = Command(
    """Score single aspects: frames, names, negation, re-entrancies, agents, places.

Where a score needs an alignment, it is the best one, proven.

Example:
  exactmatch finegrained parsed.amr gold.amr
  exactmatch finegrained parsed.amr gold.amr --style amrlib --format csv
  exactmatch finegrained pred.json gold.json --style graph""",
    Documents,
    "exactmatch.studies.finegrained.study:study",
    Shown,
    metrics=("graph",),
    titles=((Metrics, LABELLED),),
    waiting=(Documents.TITLE, LABELLED),
    references=True,
    display="exactmatch.studies.finegrained.view:display",
)
