"""One pair: its score, and the alignment behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.options import function
from exactmatch.metrics.aligning import aligning
from exactmatch.metrics.score import Score
from exactmatch.scoring.reading import read_item
from exactmatch.solvers.solution import Limits
from exactmatch.studies.score.alignment import with_alignment
from exactmatch.studies.score.options import AlignmentOptions, PairOptions

if TYPE_CHECKING:
    from exactmatch.engine.explain import Explanation


def pair_score(asked: PairOptions) -> Score:
    """The score of one pair under any metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> exactmatch.score("sembleu", *pair).score
    0.5
    """
    metric = asked.one_metric("a score")
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    limits = Limits(asked.time_limit, seed=asked.seed)
    pair = metric.measure(left, right, limits=limits)
    return with_alignment(metric.scores(pair.statistics), pair)


score = function("score", PairOptions, pair_score)


def explanation(asked: AlignmentOptions) -> Explanation:
    """The alignment behind a score, and the triples that differ.

    Of several optimal alignments it is the one that aligns most variables with equal
    concepts, and leaves unaligned what no matched triple supports.  A triple that a
    graded metric matches in part, such as S²Match two similar concepts, differs.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, or an option is wrong.

    >>> import exactmatch
    >>> found = exactmatch.align("(b / bark-01 :ARG0 (d / dog))", "(x / bark-01)")
    >>> [(pair.pred, pair.gold) for pair in found.aligned]
    [('b', 'x'), ('d', None)]
    """
    from exactmatch.engine.explain import explain
    from exactmatch.engine.preferred import believed

    metric = aligning(asked.one_metric("an alignment"))
    left, right = read_item(metric, asked.pred), read_item(metric, asked.gold)
    pair = metric.compare(metric.prepare(left), metric.prepare(right))
    stated = pair.stated
    shown = believed(stated, pair.solution, metric.solver)
    return explain(
        stated.left.graph,
        stated.right.graph,
        stated.profile,
        shown.alignment,
        shown.certain,
    )


align = function("align", AlignmentOptions, explanation)
