"""Align graphs: one pair, or the pairs of two files; what matches and what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.options import function
from exactmatch.engine.explain import Explanation, explain
from exactmatch.engine.preferred import shown_alignment
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.sources import paths_of
from exactmatch.solvers.solution import Limits
from exactmatch.studies.align.options import AlignOptions, OneAlignment
from exactmatch.studies.align.results import Alignments, Explained
from exactmatch.studies.pairs import note_profile, opened


def explanation(asked: OneAlignment) -> Explanation:
    """Return the alignment behind a score, and the triples that differ.

    If several alignments are optimal, it is the one that aligns the most variables with
    equal concepts; variables without a matched triple stay unaligned.  A triple that a
    graded metric matches only in part, as S²Match matches similar concepts, differs.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, or an option is wrong.

    >>> import exactmatch
    >>> found = exactmatch.align("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
    >>> [(pair.pred, pair.gold) for pair in found.aligned]
    [('b', 'x'), ('d', None)]
    """
    metric = aligning(asked.one_metric("an alignment"))
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    limits = Limits(asked.time_limit, seed=asked.seed)
    pair = metric.compare(metric.prepare(left), metric.prepare(right), limits=limits)
    stated = pair.stated
    shown = shown_alignment(stated, pair.solution, metric.solver, limits)
    graphs = stated.left.graph, stated.right.graph
    return explain(*graphs, stated.profile, *shown)


align = function("align", OneAlignment, explanation)


def study(asked: AlignOptions, reporter: Listener = SILENCE) -> Alignments:
    """The alignments behind the scores of pairs, and the triples that differ.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, no pair has an id that is asked for,
            or an option is wrong.

    >>> import exactmatch
    >>> found = exactmatch.studies.alignments(["(b / bark-01)"], ["(x / bark-01)"])
    >>> [(pair.pred, pair.gold) for pair in found.pairs[0].found.aligned]
    [('b', 'x')]
    """
    metric, *others = asked.aligning(asked.only_solver(reporter.note))
    if others:
        raise InputError("alignments are of one metric; name one with --metric")
    paths = [*paths_of(asked.preds), *paths_of(asked.golds)]
    note_profile(asked, paths, [metric], reporter)
    run = opened(
        asked.preds,
        asked.golds,
        asked,
        [metric],
        reporter,
        keep_graphs=True,
        keep_problems=True,
        keep_solutions=True,
    )
    selection = asked.selection()
    kept: list[Explained] = []
    take = reporter.show or kept.append
    with closing(run.results("aligning")) as results:
        for result in selection.of(_heard(results, reporter)):
            take(_explained(run.settings.limits, metric, result))
    report = run.report()
    reporter.scored(report)
    return Alignments(tuple(kept), report)


alignments = function("alignments", AlignOptions, study)


def _heard(results: Iterable[PairResult], reporter: Listener) -> Iterator[PairResult]:
    """Pass results on, and say how each was found."""
    for result in results:
        reporter.pair(result)
        yield result


def _explained(
    limits: Limits, metric: AligningMetric[Any], result: PairResult
) -> Explained:
    """The most plausible optimal alignment, and what it matches."""
    alignment, certain = shown_alignment(
        result.stated_problem, result.solved, metric.solver, limits
    )
    found = explain(result.pred, result.gold, metric.profile, alignment, certain)
    uncertain = frozenset(
        v
        for v, partner in enumerate(alignment)
        if result.score.proven and partner != -1 and v not in certain
    )
    return Explained(result, found, alignment, uncertain, metric.title)
