"""Scores from Python: graphs in, frozen results out.

A graph may be given as text (PENMAN, or any other format of files), as a list of
triples, as a penman or a networkx graph, or as a
:class:`~exactmatch.graphs.graph.Graph`
(:data:`~exactmatch.formats.anything.GraphLike`).

What only one function needs is imported in it, so that the score of a pair waits for no
more than it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from exactmatch.base.errors import InputError
from exactmatch.formats.anything import GraphLike
from exactmatch.graphs.profile import Profile, get_profile
from exactmatch.metrics import metrics_of
from exactmatch.metrics.aligning import aligning
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import FScore, Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.time_limit import check_seed, check_time_limit
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Limits

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from exactmatch.base.markup import Markup
    from exactmatch.engine.explain import Explanation
    from exactmatch.formats.pairs import OnError
    from exactmatch.scoring.report import Report

AnyScore = TypeVar("AnyScore", bound=Score)

References: TypeAlias = GraphLike | Sequence[GraphLike]
"""A reference, or several of one prediction."""


def smatch(
    pred: GraphLike,
    gold: GraphLike,
    *,
    profile: Profile | str = "smatch",
    solver: Solver | str = "auto",
    time_limit: float | None = None,
) -> FScore:
    """The exact Smatch score of two graphs.

    Args:
        pred: the predicted graph.
        gold: the reference.
        profile: which triples count.
        solver: who aligns the variables; every exact one gives the same score.
        time_limit: in seconds; a score not proven in time carries its bound.

    Returns:
        Precision, recall, F1, the bound and the alignment.

    Raises:
        GraphError: if a graph cannot be read.

    >>> import exactmatch
    >>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
    0.6666666666666666
    """
    check_time_limit(time_limit)
    metric = _smatch(profile, solver)
    left, right = read_item(metric, pred), read_item(metric, gold)
    pair = metric.measure(left, right, limits=Limits(time_limit))
    return _score(metric.scores(pair.statistics), pair)


def score(
    metric: str | Metric,
    pred: GraphLike,
    gold: GraphLike,
    *,
    time_limit: float | None = None,
    seed: int = 0,
    **options: Any,
) -> Score:
    """The score of one pair under any metric.

    Args:
        metric: the metric, by name or made by :func:`make_metric`.
        pred: the predicted graph or sentence.
        gold: the reference.
        time_limit: in seconds, for a metric that searches.
        seed: seed of every random draw.
        **options: as :func:`make_metric` takes them.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if an option is wrong.

    >>> import exactmatch
    >>> pair = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> exactmatch.score("sembleu", *pair).score
    0.5
    """
    check_time_limit(time_limit)
    check_seed(seed)
    made = _one("a score", metric, **options)
    left, right = read_item(made, pred), read_item(made, gold)
    limits = Limits(time_limit, seed=seed)
    pair = made.measure(left, right, limits=limits)
    return _score(made.scores(pair.statistics), pair)


def _one(what: str, metric: str | Metric, **options: Any) -> Metric:
    """The one metric that something is of."""
    made = metrics_of(metric, **options)
    if len(made) != 1:
        raise InputError(
            f"{what} is of one metric, not {len(made)}; evaluate takes several"
        )
    return made[0]


@lru_cache(32)
def _smatch(profile: Profile | str, solver: Solver | str) -> Smatch:
    """Smatch, made once: a metric is only read."""
    return Smatch(get_profile(profile) if isinstance(profile, str) else profile, solver)


def _score(found: AnyScore, pair: Pair) -> AnyScore:
    """The score of a single pair, with its alignment where it has one."""
    if pair.solution is None or pair.stated is None:
        return found
    left, right = pair.stated.left.graph, pair.stated.right.graph
    aligned = tuple(
        (left.variables[i], right.variables[j])
        for i, j in enumerate(pair.solution.alignment)
        if j != -1
    )
    return found.aligned(aligned, pair.solution)


def evaluate(
    preds: Iterable[GraphLike] | Mapping[str, GraphLike],
    golds: Iterable[References] | Mapping[str, References],
    metric: str | Metric | Iterable[str | Metric] = "smatch",
    *,
    profile: Profile | str | None = None,
    solver: Solver | str = "auto",
    time_limit: float | None = None,
    total_time: float | None = None,
    seed: int = 0,
    keep_pairs: bool = True,
    confidence: float | None = None,
    samples: int = 1000,
    by_id: bool = False,
    on_error: OnError = "raise",
    jobs: int = 1,
    executor: Executor | None = None,
    **options: Any,
) -> Report:
    """Score predictions against references, pair by pair and as a corpus.

    Args:
        preds: predicted graphs, or sentences for a metric on text: a list, or a
            column of a data frame.
        golds: their references, in the same order; a list of graphs in the place of
            one stands for several references, of which each metric that can takes the
            best.  Two mappings of ids to graphs are paired by their keys.
        metric: a metric or several, by name or made by :func:`make_metric`.
        profile: which triples count; default: each metric's own.
        solver: who aligns the variables, for metrics that search.
        time_limit: in seconds for each pair.
        total_time: in seconds for all pairs; the scores of those that are not reached
            are intervals.
        seed: seed of every random draw.
        keep_pairs: whether the report holds each pair's result, with its graphs.
        confidence: level of bootstrap intervals, such as 0.95; default: none.
        samples: how many corpora are resampled for them.
        by_id: pair graphs by ``# ::id``, in the order of the references.
        on_error: whether a graph that cannot be read is an error (``raise``), leaves
            its pair out (``skip``) or counts as an empty graph (``empty``).
        jobs: how many processes score pairs.
        executor: who scores pairs instead, such as an executor of Dask or MPI; *jobs*
            is then how many workers it has, or 1 if that is not known.
        **options: options of the metric.

    Returns:
        The corpus scores, and each pair's result.

    Raises:
        GraphError: if a graph cannot be read; the message names the pair's number.
        InputError: if the numbers of graphs differ, one is missing (``None``, NaN) or
            an option is wrong.

    >>> import exactmatch
    >>> preds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> golds = ["(b / bark-01)", "(r / rain-01)"]
    >>> report = exactmatch.evaluate(preds, golds)
    >>> report["smatch"].score.f1
    0.8
    >>> [pair.score.f1 for pair in report.pairs]
    [0.6666666666666666, 1.0]
    """
    from exactmatch.scoring.run import evaluate_items
    from exactmatch.scoring.settings import Settings

    intervals = None
    if confidence is not None:
        from exactmatch.stats.resampling import Bootstrap

        intervals = Bootstrap(samples, confidence, seed)
    settings = Settings(
        by_id=by_id,
        on_error=on_error,
        time_limit=time_limit,
        total_time=total_time,
        seed=seed,
        intervals=intervals,
        keep_pairs=keep_pairs,
        keep_graphs=keep_pairs,
        jobs=jobs,
        executor=executor,
    )
    metrics = metrics_of(metric, profile=profile, solver=solver, **options)
    return evaluate_items(preds, golds, metrics, settings)


def align(
    pred: GraphLike,
    gold: GraphLike,
    *,
    metric: Metric | str = "smatch",
    profile: Profile | str | None = None,
    solver: Solver | str = "auto",
    **options: Any,
) -> Explanation:
    """The alignment behind a score, and the triples that differ.

    Of several optimal alignments it is the one that aligns most variables with equal
    concepts, and leaves unaligned what no matched triple supports.  A triple that a
    graded metric matches in part, such as S²Match two similar concepts, differs.

    Args:
        pred: the predicted graph.
        gold: the reference.
        metric: who aligns: ``smatch``, ``s2match``, ``mrp`` or ``counter``, by name
            or made by :func:`make_metric`.
        profile: which triples count; default: the metric's own.
        solver: who aligns the variables.
        **options: options of the metric.

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

    made = aligning(
        _one("an alignment", metric, profile=profile, solver=solver, **options)
    )
    left, right = read_item(made, pred), read_item(made, gold)
    pair = made.compare(made.prepare(left), made.prepare(right))
    stated = pair.stated
    shown = believed(stated, pair.solution, made.solver)
    return explain(
        stated.left.graph,
        stated.right.graph,
        stated.profile,
        shown.alignment,
        shown.certain,
    )


def draw(
    graph: GraphLike, gold: GraphLike | None = None, *, metric: Metric | str = "smatch"
) -> Markup:
    """Draw a graph, or a prediction beneath its reference with what differs marked.

    Variables that correspond have the same place and tint.

    Args:
        graph: the graph, or the prediction.
        gold: the reference, if there is one.
        metric: who aligns the variables, by name or made by :func:`make_metric`.

    Returns:
        An SVG document as text; notebooks show it as a picture.

    Raises:
        GraphError: if a graph cannot be read.

    Example:
        >>> draw("(b / bark-01 :ARG0 (d / dog))").startswith("<svg ")
        True
    """
    from exactmatch.graphs.drawing.drawing import Side
    from exactmatch.graphs.drawing.drawing import draw as laid_out
    from exactmatch.graphs.drawing.source_text import Worded
    from exactmatch.graphs.drawing.svg import sheet, svg
    from exactmatch.studies.errors.differences import marks
    from exactmatch.studies.errors.errors import pair_errors

    made = aligning(_one("a drawing", metric))
    if gold is None:
        read = made.standardised(read_item(made, graph))
        worded = Worded.of(read, _text(graph))
        return svg(laid_out(Side(worded.graph, lines=worded.lines)))
    left, right = read_item(made, graph), read_item(made, gold)
    pair = made.compare(made.prepare(left), made.prepare(right))
    texts = _text(graph), _text(gold)
    found = pair_errors(pair.stated, pair.solution.alignment, texts=texts)
    gold_marks, pred_marks = marks(found.differences.edits)
    sides = (
        Side(found.gold.graph, (), gold_marks, found.gold.lines),
        Side(
            found.pred.graph,
            found.differences.alignment,
            pred_marks,
            found.pred.lines,
            uncertain=found.uncertain,
        ),
    )
    return sheet(laid_out(*sides), ("Reference", "Prediction"))


def _text(given: GraphLike) -> str | None:
    """The text of a graph that was given as text, without its comments."""
    if not isinstance(given, str):
        return None
    lines = (line.strip() for line in given.splitlines())
    return "\n".join(line for line in lines if not line.startswith("#"))
