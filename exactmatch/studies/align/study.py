"""Align graphs: one pair, or the pairs of two files; what matches and what differs."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.engine.explain import Explanation, explain
from exactmatch.engine.preferred import shown_alignment
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.scoring.results import PairResult, pair_record
from exactmatch.scoring.sources import paths_of
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.align.options import AlignOptions
from exactmatch.studies.answer import Answer
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import note_profile, opened


class Explained(NamedTuple):
    """Pair with the reasons for its score."""

    result: PairResult  # with the graphs as they are counted
    explanation: Explanation  # the triples that differ
    alignment: Alignment
    uncertain: frozenset[int]  # predicted variables with other partners in other optima
    title: str  # what people call the metric


@dataclass(frozen=True, eq=False, repr=False)
class Alignments(Answer):
    """Alignments of some pairs.

    Attributes:
        pairs: those that are shown, each with its score and differences; none if they
            were written as they came.
        report: the scores of all pairs.

    >>> import exactmatch
    >>> preds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> result = exactmatch.studies.align(preds, golds, below=0.9)
    >>> result
    1 of 2 pairs shown
    >>> result.pairs[0].explanation.extra[0]
    Triple(source='d', role='instance', target='dog')
    """

    VIEW = "exactmatch.studies.align.view:tables"

    pairs: tuple[Explained, ...]
    report: Report

    def __repr__(self) -> str:
        return f"{len(self.pairs)} of {several(len(self.report), 'pair')} shown"


def study(options: AlignOptions, reporter: Listener = SILENCE) -> Alignments:
    """Return the alignments behind the scores of pairs, and the triples that differ.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, no pair has a chosen id, or an option
            is wrong.

    >>> import exactmatch
    >>> result = exactmatch.studies.align(["(b / bark-01)"], ["(x / bark-01)"])
    >>> [(pair.pred, pair.gold) for pair in result.pairs[0].explanation.aligned]
    [('b', 'x')]
    """
    metric, *more_metrics = options.aligning(options.only_solver(reporter.note))
    if more_metrics:
        raise InputError("alignments are of one metric; name one with --metric")
    paths = [*paths_of(options.preds), *paths_of(options.golds)]
    note_profile(options, paths, [metric], reporter)
    kept = dict.fromkeys(("keep_graphs", "keep_problems", "keep_solutions"), True)
    run = opened(options.preds, options.golds, options, [metric], reporter, **kept)
    run.choose(selection_of(vars(options)))
    pairs: list[Explained] = []
    take = reporter.show or pairs.append
    with closing(run.results("aligning")) as results:
        for result in selection_of(vars(options)).chosen(results, pair_record):
            alignment, certain = shown_alignment(
                result.required_problem,
                result.solved,
                metric.solver,
                run.settings.limits,
            )
            graphs, profile = (
                (result.pred, result.gold),
                result.required_problem.profile,
            )
            explanation = explain(*graphs, profile, alignment, certain)
            aligned = frozenset(v for v, w in enumerate(alignment) if w != -1)
            uncertain = aligned - certain if result.score.proven else frozenset()
            take(Explained(result, explanation, alignment, uncertain, metric.title))
    report = run.evaluation.report()
    reporter.scored(report)
    return Alignments(tuple(pairs), report)


align = function("align", AlignOptions, study)
