"""Alignment of one pair, and the triples that differ."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.engine.explain import Explanation, explain
from exactmatch.engine.preferred import shown_alignment
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import aligning
from exactmatch.scoring.reading import read_item, refuse_whole_files
from exactmatch.solvers.solution import Limits
from exactmatch.studies.align.options import OneAlignment


def explanation(options: OneAlignment) -> Explanation:
    """Return the alignment behind a score, and the triples that differ.

    If several alignments are optimal, the one with the most variables of equal concepts
    is returned; variables without a matched triple stay unaligned.  A triple that a
    graded metric (such as S²Match) matches only in part counts as a difference.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, or an option is wrong.

    >>> import exactmatch
    >>> result = exactmatch.align("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
    >>> [(pair.pred, pair.gold) for pair in result.aligned]
    [('b', 'x'), ('d', None)]
    """
    sides = options.pred, options.gold
    refuse_whole_files("exactmatch.studies.align", *sides, options.metric)
    metric = aligning(options.one_metric("an alignment", ALIGNING))
    left, right = read_item(metric, options.pred), read_item(metric, options.gold)
    limits = Limits(options.time_limit, seed=options.seed)
    pair = metric.compare(metric.prepare(left), metric.prepare(right), limits=limits)
    problem = pair.problem
    shown = shown_alignment(problem, pair.solution, metric.solver, limits)
    return explain(problem.left.graph, problem.right.graph, problem.profile, *shown)


align = function("align", OneAlignment, explanation)
