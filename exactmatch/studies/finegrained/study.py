"""Score single aspects of graphs: names, negation, re-entrancies, agents, places."""

from __future__ import annotations

from typing import Any

from exactmatch.base.errors import InputError, unknown
from exactmatch.base.options import function
from exactmatch.formats.recognised import seen_of
from exactmatch.formats.scored_by import DOCUMENTS, UMR
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.finegrained.fields import KEPT, of_fields
from exactmatch.studies.finegrained.options import Documents
from exactmatch.studies.pairs import finish, formats_of, opened

_OF_DOCUMENTS = ("umr", "umatch")
"""Styles that are tables of documents."""


def study(options: Documents, reporter: Listener = SILENCE) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    If a score needs an alignment, it uses a proven best one.

    Returns:
        A report whose metrics are the aspects.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ, the style is unknown, or it does
            not use an option.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :polarity -)", "(b / bark-01)"
    >>> report = exactmatch.finegrained([pred], [gold])
    >>> report["concepts"].score.score, report["negation"].score.precision
    (1.0, 0.0)
    >>> exactmatch.finegrained([pred], [gold], aspects="main")["focus"].score.f1
    1.0
    """
    if options.style == Documents.DECLARED["style"].default and not options.aspects:
        kinds = [kind.scored_by for kind in seen_of((options.preds, options.golds))]
        if kinds and all(way == DOCUMENTS for way in kinds):
            options = options.replace(style="json")
    metrics = _scores(options, reporter)
    _note_style(options, reporter)
    shown = reporter.show is not None
    extra: dict[str, Any] = {"intervals": options.intervals(), "refs": options.refs}
    extra |= {"keep_pairs": not shown, "partial": shown}
    if options.style == "json":
        extra |= KEPT
    run = opened(options.preds, options.golds, options, metrics, reporter, **extra)
    if options.style == "json":
        return of_fields(run, [*options.scores] if options.scores else None, reporter)
    report = finish(run, reporter, "scoring")
    if options.confidence is not None and not report.partial:
        _note_few(report, reporter)
    return report


finegrained = function("finegrained", Documents, study)


def _note_style(options: Documents, reporter: Listener) -> None:
    """Note where documents are scored as the graphs of AMR are."""
    if options.style in _OF_DOCUMENTS:
        return
    paths = [*paths_of(options.preds), *paths_of(options.golds)]
    formats = formats_of(options.format_in, paths)
    for name in sorted({form.name for form in formats if form.scored_by == UMR}):
        reporter.note(
            f"graphs in format {name} are counted as AMR's are; --style umr counts "
            "them by their own rules"
        )


def _note_few(report: Report, reporter: Listener) -> None:
    """Note which scores have no interval, or a doubtful one, and why."""
    titles: dict[str, list[str]] = {}
    for score in report.scores:
        titles.setdefault(score.interval_remark, []).append(score.title)
    for remark, named in titles.items():
        if remark and len(named) == len(report.scores):
            reporter.note(remark)
        elif remark:
            reporter.note(f"{', '.join(named)}: {remark}")


def _scores(options: Documents, reporter: Listener) -> list[Metric]:
    """Return the metrics of the scores that are named."""
    _check_style(options)
    names = list(options.scores or ())
    roles = [name[1:].lower() for name in names if name.startswith(":")]
    style = options.style
    solver, max_terms = options.only_solver(reporter.note), options.max_terms
    metrics: list[Metric]
    if style == "umr" or style == "umatch":
        from exactmatch.metrics.umr.scores import umatch_scores, umr_scores

        names = [name for name in names if not name.startswith(":")] + roles
        rows = [*options.roles, *roles]
        if style == "umatch":
            metrics = umatch_scores(rows, options.ignore_unannotated)
        else:
            ignored = options.ignore_unannotated
            metrics = umr_scores(solver, max_terms, options.align, ignored, rows)
    elif style == "graph":
        from exactmatch.metrics.labelled.subscores import kind_scores
        from exactmatch.metrics.making import make_metric

        metric_options: Any = options.explicit_options() | {"max_terms": max_terms}
        graph_metric: Any = make_metric("graph", solver=solver, **metric_options)
        metrics = kind_scores(graph_metric)
    elif style == "json":
        from exactmatch.metrics.making import make_metric

        json_options: Any = options.explicit_options()
        return [make_metric("json", **json_options)]
    elif options.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        metrics = aspects(options.aspects, solver, max_terms)
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        metrics = finegrained(style, solver, max_terms)
    if not names:
        return metrics
    metric_by_name = {metric.name: metric for metric in metrics}
    for name in names:
        if name not in metric_by_name:
            raise InputError(f"--scores: {unknown('score', name, metric_by_name)}")
    return [metric_by_name[name] for name in metric_by_name if name in names]


def _check_style(options: Documents) -> None:
    style = options.style
    owners: dict[str, tuple[str, ...]] = {
        "aspects": ("exact",),
        "align": ("umr",),
        "ignore_unannotated": _OF_DOCUMENTS,
    }
    restricted = [
        (name, owner) for name, owner in owners.items() if getattr(options, name)
    ]
    if style != "json":
        restricted += [(name, ("graph",)) for name in options.explicit_options()]
    for name, owner in restricted:
        if style not in owner:
            flag = name.replace("_", "-")
            styles = " and ".join(owner)
            raise InputError(f"--{flag} is for --style {styles}, not {style!r}")
    if options.roles and style not in _OF_DOCUMENTS:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")
