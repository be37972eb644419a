"""The alignment of one pair, and the triples that differ."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.engine.explain import Explanation, explain
from exactmatch.engine.preferred import shown_alignment
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import aligning
from exactmatch.scoring.reading import read_item
from exactmatch.solvers.solution import Limits
from exactmatch.studies.align.options import OneAlignment


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
    metric = aligning(asked.one_metric("an alignment", ALIGNING))
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    limits = Limits(asked.time_limit, seed=asked.seed)
    pair = metric.compare(metric.prepare(left), metric.prepare(right), limits=limits)
    stated = pair.problem
    shown = shown_alignment(stated, pair.solution, metric.solver, limits)
    return explain(stated.left.graph, stated.right.graph, stated.profile, *shown)


align = function("align", OneAlignment, explanation)
