"""Score single aspects of graphs: names, negation, re-entrancies, agents, places."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.errors import InputError, unknown
from exactmatch.base.numbers import several
from exactmatch.base.options import function, option
from exactmatch.graphs.profile import Align
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import Climbing, Metrics
from exactmatch.scoring.options import AskedIntervals, Evaluating
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.command import Command
from exactmatch.studies.options import Referring, Selecting, picture
from exactmatch.studies.pairs import finish, formats_of, opened
from exactmatch.studies.score.options import ReferencedPairs

Style: TypeAlias = Literal["exact", "amrlib", "damonte", "umr", "umatch", "graph"]
_OF_DOCUMENTS = ("umr", "umatch")
"""The styles that are tables of documents."""


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
        kw_only=False,
    )
    aspects: Literal["realign", "main"] | None = option(
        "score agents, places, times … instead, each aligned anew (realign), or by "
        "the whole graphs' alignment, with ranges (main)",
        default=None,
        choices=("realign", "main"),
        bare="realign",
    )
    scores: str | Iterable[str] | None = option(
        "only these scores, by their names in JSON; of documents any :role",
        default=None,
        read=values.words,
        flags=("--scores", "--only"),
        metavar="NAME[,NAME…]",
        is_list=True,
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
    )
    ignore_unannotated: bool = option(
        "ignore predicted triples whose roles the references never have",
        default=False,
    )


class Shown(Selecting):
    """Options of the view of scores."""

    TITLE = "what is shown"

    per_pair: bool = option("show every pair", default=False)
    macro: bool = option("average over pairs instead of summing", default=False)
    plot: str | None = picture("draw the scores as bars")


_LABELLED = "labelled graphs (--style graph)"

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
    titles=((Metrics, _LABELLED),),
    waiting=(Documents.TITLE, _LABELLED),
    references=True,
    display="exactmatch.studies.finegrained.view:FineGrainedScores",
)


def study(asked: Documents, reporter: Listener = SILENCE) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    If a score needs an alignment, it uses a proven best one.

    Returns:
        A report whose metrics are the aspects.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ, there is no such style, or it has
            no use for an option.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :polarity -)", "(b / bark-01)"
    >>> report = exactmatch.finegrained([pred], [gold])
    >>> report["concepts"].score.score, report["negation"].score.precision
    (1.0, 0.0)
    >>> exactmatch.finegrained([pred], [gold], aspects="main")["focus"].score.f1
    1.0
    """
    metrics = _scores(asked, reporter)
    _note_style(asked, reporter)
    shown = reporter.show is not None
    more: dict[str, Any] = {"intervals": asked.intervals(), "refs": asked.refs}
    more |= {"keep_pairs": not shown, "partial": shown}
    run = opened(asked.preds, asked.golds, asked, metrics, reporter, **more)
    report = finish(run, reporter, "scoring")
    if asked.confidence is not None and not report.partial:
        _note_few(report, reporter)
    return report


finegrained = function("finegrained", Documents, study)


def _note_style(asked: Documents, reporter: Listener) -> None:
    """Say so where documents are scored as AMR's graphs are."""
    if asked.style in _OF_DOCUMENTS:
        return
    paths = [*paths_of(asked.preds), *paths_of(asked.golds)]
    formats = formats_of(asked.format_in, paths)
    for name in sorted({found.name for found in formats if found.profile == "umr"}):
        reporter.note(
            f"graphs in format {name} are counted as AMR's are; --style umr counts "
            "them by their own rules"
        )


def _note_few(report: Report, reporter: Listener) -> None:
    """Say that there are no intervals, where there are too few pairs for any."""
    from exactmatch.scoring.resampling import FEWEST

    pairs = max((score.defined for score in report.scores), default=0)
    if few := sum(score.defined < FEWEST for score in report.scores):
        what = several(pairs, "pair")
        if pairs >= FEWEST:
            what = f"{several(few, 'score')} that few pairs have"
        reporter.note(f"no confidence intervals of {what}; they take {FEWEST} or more")


def _scores(asked: Documents, reporter: Listener) -> list[Metric]:
    """Make the scores that are asked for.

    Raises:
        InputError: if there is no such score, or the style has no use for an option.
    """
    _check_style(asked)
    names = list(asked.scores or ())
    roles = [name[1:].lower() for name in names if name.startswith(":")]
    style = asked.style
    solver, most = asked.only_solver(reporter.note), asked.max_terms
    every: list[Metric]
    if style == "umr" or style == "umatch":
        from exactmatch.metrics.umr.scores import umatch_scores, umr_scores

        names = [name for name in names if not name.startswith(":")] + roles
        rows = [*asked.roles, *roles]
        if style == "umatch":
            every = umatch_scores(rows)
        else:
            ignored = asked.ignore_unannotated
            every = umr_scores(solver, most, asked.align, ignored, rows)
    elif style == "graph":
        from exactmatch.metrics.labelled.subscores import kind_scores
        from exactmatch.metrics.making import make_metric

        options: Any = asked.given_options() | {"max_terms": most}
        whole: Any = make_metric("graph", solver=solver, **options)
        every = kind_scores(whole)
    elif asked.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        every = aspects(asked.aspects, solver, most)
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        every = finegrained(style, solver, most)
    if not names:
        return every
    known = {metric.name: metric for metric in every}
    for name in names:
        if name not in known:
            raise InputError(f"--scores: {unknown('score', name, known)}")
    return [known[name] for name in known if name in names]


def _check_style(asked: Documents) -> None:
    style = asked.style
    if asked.aspects and style != "exact":
        raise InputError(f"--aspects is for --style exact, not {style!r}")
    for name in ("align", "ignore_unannotated"):
        if getattr(asked, name) and style != "umr":
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} is for --style umr, not {style!r}")
    if style != "graph" and (given := asked.given_options()):
        flag = next(iter(given)).replace("_", "-")
        raise InputError(f"--{flag} is for --style graph, not {style!r}")
    if asked.roles and style not in _OF_DOCUMENTS:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")
