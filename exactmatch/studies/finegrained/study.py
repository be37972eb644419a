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
"""The styles that are tables of documents."""


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
    if asked.style == Documents.DECLARED["style"].default and not asked.aspects:
        kinds = [one.scored_by for one in seen_of((asked.preds, asked.golds))]
        if kinds and all(way == DOCUMENTS for way in kinds):
            asked = asked.but(style="json")
    metrics = _scores(asked, reporter)
    _note_style(asked, reporter)
    shown = reporter.show is not None
    more: dict[str, Any] = {"intervals": asked.intervals(), "refs": asked.refs}
    more |= {"keep_pairs": not shown, "partial": shown}
    if asked.style == "json":
        more |= KEPT
    run = opened(asked.preds, asked.golds, asked, metrics, reporter, **more)
    if asked.style == "json":
        return of_fields(run, [*asked.scores] if asked.scores else None, reporter)
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
    for name in sorted({found.name for found in formats if found.scored_by == UMR}):
        reporter.note(
            f"graphs in format {name} are counted as AMR's are; --style umr counts "
            "them by their own rules"
        )


def _note_few(report: Report, reporter: Listener) -> None:
    """Say which scores have no interval, or a doubtful one, and why."""
    titles: dict[str, list[str]] = {}
    for score in report.scores:
        titles.setdefault(score.interval_remark, []).append(score.title)
    for remark, named in titles.items():
        if remark and len(named) == len(report.scores):
            reporter.note(remark)
        elif remark:
            reporter.note(f"{', '.join(named)}: {remark}")


def _scores(asked: Documents, reporter: Listener) -> list[Metric]:
    """Make the scores that are asked for."""
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

        options: Any = asked.explicit_options() | {"max_terms": most}
        whole: Any = make_metric("graph", solver=solver, **options)
        every = kind_scores(whole)
    elif style == "json":
        from exactmatch.metrics.making import make_metric

        given: Any = asked.explicit_options()
        return [make_metric("json", **given)]
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
    owners = {"aspects": "exact", "align": "umr", "ignore_unannotated": "umr"}
    given = [(name, owner) for name, owner in owners.items() if getattr(asked, name)]
    if style != "json":
        given += [(name, "graph") for name in asked.explicit_options()]
    for name, owner in given:
        if style != owner:
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} is for --style {owner}, not {style!r}")
    if asked.roles and style not in _OF_DOCUMENTS:
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")
