"""Options of scores of single aspects."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.options import flag, option, optional, redeclared
from exactmatch.graphs.profile import Align
from exactmatch.metrics.options import Climbing, Counting, Metrics
from exactmatch.scoring.options import Evaluating, OptionalIntervals, Referring, Units
from exactmatch.studies.command import Command
from exactmatch.studies.options import Selecting, picture
from exactmatch.studies.score.options import ReferencedPairs

Style: TypeAlias = Literal[
    "exact", "amrlib", "damonte", "umr", "umatch", "graph", "json"
]


class FinegrainedOptions(
    Referring,
    Evaluating,
    Climbing,
    Units,
    OptionalIntervals,
    ReferencedPairs,
    purpose="measures",
):
    """Options of scoring aspects of graphs."""

    TITLE = "scores"

    style: Style = option(
        "exact (default); amrlib, damonte: like these tools, aligned exactly; umr, "
        "umatch: UMR documents; graph: nodes and edges of any graphs; json: the fields "
        "of JSON documents",
        default="exact",
        choices=get_args(Style),
        kw_only=False,
    )
    aspects: Literal["realign", "main"] | None = optional(
        "score agents, places, times … instead, each aligned anew (realign), or by "
        "the whole graphs' alignment, with ranges (main)",
        choices=("realign", "main"),
        bare="realign",
    )
    scores: str | Iterable[str] | None = optional(
        "only these scores, by their JSON names, or :role",
        read=values.words,
        flags=("--scores", "--only"),
        metavar="NAME[,NAME…]",
        is_list=True,
        purpose="shows",
    )
    roles: Iterable[str] = option(
        "for documents, further roles that get a row each, such as ARG1",
        default=(),
        read=values.words,
        flags=(),
        purpose="shows",
    )


class Documents(Metrics, FinegrainedOptions, waits=True):
    """Options that only documents and labelled graphs have."""

    TITLE = "documents (--style umr)"

    align: Align | None = redeclared(
        Counting,
        "align",
        about="which variables of documents may be aligned: any, those of the same "
        "sentence (default), or those of the same sentence that share a word",
    )
    ignore_unannotated: bool = redeclared(Counting, "ignore_unannotated")


class Shown(Selecting, purpose="shows"):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = flag("show every pair")
    macro: bool = flag("average over pairs instead of summing", purpose="measures")
    plot: str | None = picture("draw the scores as bars")


_LABELLED = "labelled graphs and documents (--style graph, --style json)"

COMMAND = Command(
    """Score single aspects: frames, names, negation, re-entrancies, agents, places.

Where a score needs an alignment, it is the best one, proven.

Example:
  exactmatch finegrained parsed.amr gold.amr
  exactmatch finegrained parsed.amr gold.amr --style amrlib --format csv
  exactmatch finegrained answers.jsonl gold.jsonl --style json""",
    Documents,
    "exactmatch.studies.finegrained.study:study",
    Shown,
    metrics=("graph", "json"),
    titles=((Metrics, _LABELLED),),
    references=True,
    display="exactmatch.studies.finegrained.view:FineGrainedScores",
)
