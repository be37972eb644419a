"""Score single aspects of graphs: names, negation, re-entrancies, agents, places."""

from __future__ import annotations

from typing import Any, get_args

from exactmatch.base.errors import InputError, unknown
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.metrics.base import Metric
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.finegrained.options import Documents, DocumentStyle
from exactmatch.studies.pairs import finish, formats_of, opened


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
    run = opened(
        asked.preds,
        asked.golds,
        asked,
        metrics,
        reporter,
        intervals=asked.intervals(),
        refs=asked.refs,
        keep_pairs=reporter.show is None,
        partial=reporter.show is not None,
    )
    report = finish(run, reporter, "scoring")
    if asked.confidence is not None and not report.partial:
        _note_few(report, reporter)
    return report


finegrained = function("finegrained", Documents, study)


def _note_style(asked: Documents, reporter: Listener) -> None:
    """Say so where documents are scored as AMR's graphs are."""
    if asked.style in get_args(DocumentStyle):
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
    if style == "umr" or style == "umatch":
        every = _of_documents(asked, [*asked.roles, *roles], reporter)
        names = [name for name in names if not name.startswith(":")] + roles
    elif style == "graph":
        every = _of_graphs(asked, reporter)
    elif asked.aspects:
        from exactmatch.metrics.finegrained.aspects import aspects

        every = aspects(
            asked.aspects, asked.only_solver(reporter.note), asked.max_terms
        )
    else:
        from exactmatch.metrics.finegrained.scores import finegrained

        solver = asked.only_solver(reporter.note)
        every = finegrained(style, solver, asked.max_terms)
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
    for flag, value in (
        ("--align", asked.align),
        ("--ignore-unannotated", asked.ignore_unannotated),
    ):
        if value and style != "umr":
            raise InputError(f"{flag} is for --style umr, not {style!r}")
    if style != "graph" and (given := asked.given_options()):
        flag = next(iter(given)).replace("_", "-")
        raise InputError(f"--{flag} is for --style graph, not {style!r}")
    if asked.roles and style not in get_args(DocumentStyle):
        raise InputError(f"roles are for styles 'umr' and 'umatch', not {style!r}")


def _of_documents(
    asked: Documents, roles: list[str], reporter: Listener
) -> list[Metric]:
    """Make the rows of the table of documents, and those of roles that are named."""
    from exactmatch.metrics.umr.scores import umatch_scores, umr_scores

    solver = asked.only_solver(reporter.note)
    if asked.style == "umatch":
        return umatch_scores(roles)
    ignored = asked.ignore_unannotated
    return umr_scores(solver, asked.max_terms, asked.align, ignored, roles)


def _of_graphs(asked: Documents, reporter: Listener) -> list[Metric]:
    """Make the scores of nodes, attributes and edges, by the graph metric."""
    from exactmatch.metrics.labelled.subscores import kind_scores
    from exactmatch.metrics.making import make_metric

    solver = asked.only_solver(reporter.note)
    options: Any = asked.given_options() | {"max_terms": asked.max_terms}
    whole: Any = make_metric("graph", solver=solver, **options)
    return kind_scores(whole)
