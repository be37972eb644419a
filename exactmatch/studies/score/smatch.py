"""Exact Smatch score of two graphs, for programs that need nothing else."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, TypeVar

from exactmatch.base.records import replace
from exactmatch.base.registry import imported
from exactmatch.formats.readings import GraphLike
from exactmatch.formats.recognised import seen_of
from exactmatch.graphs.profile import Profile, get_profile
from exactmatch.metrics.base import Pair
from exactmatch.metrics.score import Compared, FScore, Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reading import read_item, refuse_whole_files
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Limits

AnyScore = TypeVar("AnyScore", bound=Score)


def smatch(
    pred: GraphLike,
    gold: GraphLike,
    *,
    profile: Profile | str | None = None,
    solver: Solver | str = "auto",
    time_limit: float | None = None,
    **options: Any,
) -> FScore:
    """Compute the exact Smatch score of two graphs.

    Args:
        pred: the predicted graph.
        gold: the reference.
        profile: the profile, which says which triples count; default: that of the
            graphs' format, ``umr`` for UMR documents, ``drs`` for SBN, else ``smatch``.
        solver: the solver; all exact ones give the same score.
        time_limit: seconds; a score that is not proven in time has a bound.
        **options: what counts, as in :func:`exactmatch.score`: ``sense=False``,
            ``wiki=False``, ``roles="ARG*"`` …

    Returns:
        Precision, recall, F1, the bound and the alignment.

    Raises:
        GraphError: if a graph cannot be read.
        TypeError: if an option is unknown.

    >>> import exactmatch
    >>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
    0.6666666666666666
    """
    if options:
        return _smatch_with(
            pred,
            gold,
            profile=profile,
            solver=solver,
            time_limit=time_limit,
            **options,
        )
    if time_limit is not None:
        from exactmatch.base.options import checked
        from exactmatch.scoring.options import Solving

        checked("time_limit", Solving.DECLARED["time_limit"], time_limit)
    refuse_whole_files("exactmatch.evaluate", pred, gold, end=".to_frame()")
    metric = _smatch(profile or _profile_of(pred, gold), solver)
    left, right = read_item(metric, pred), read_item(metric, gold)
    pair = metric.measure(left, right, limits=Limits(time_limit))
    return with_alignment(metric.scores(pair.statistics), pair)


def _smatch_with(pred: GraphLike, gold: GraphLike, **options: Any) -> FScore:
    """Return the score with options of the profile."""
    if "metric" in options:
        name = options["metric"]
        raise TypeError(
            "smatch(): it computes Smatch; for another metric: "
            f"exactmatch.score(pred, gold, metric={name!r})"
        )
    if options["profile"] is None:
        options["profile"] = _profile_of(pred, gold)
    of_pair = imported("exactmatch.studies.score.pair:smatch_with_options")
    score: FScore = of_pair(pred, gold, Smatch.name, **options)
    return score


def _profile_of(*graphs: GraphLike) -> str:
    """Return the profile of the graphs' formats; a text in brackets is an AMR."""
    others = [g for g in graphs if not (isinstance(g, str) and g[:1] == "(")]
    if not others:
        return Smatch.default_profile
    named = (kind.scored_by.profile for kind in seen_of(others))
    profiles = {profile for profile in named if profile is not None}
    return profiles.pop() if len(profiles) == 1 else Smatch.default_profile


@lru_cache(32)
def _smatch(profile: Profile | str, solver: Solver | str) -> Smatch:
    """Return a Smatch metric, which can be shared because it is never changed."""
    return Smatch(get_profile(profile), solver)


def with_alignment(score: AnyScore, pair: Pair, metric: Any = None) -> AnyScore:
    """Return the score of a single pair, with its alignment where it has one.

    The *metric* that compared it is named if score and pair are to be kept together.
    """
    if pair.documents is not None and metric is not None:
        return replace(score, compared=Compared(metric, pair.documents))
    if pair.solution is None or pair.problem is None:
        return score
    left, right = pair.problem.names
    pairs = pair.problem.pairs(pair.solution.alignment)
    aligned = tuple((left[i], right[j]) for i, j in pairs)
    compared = None if metric is None else Compared(metric, pair.problem)
    return score.aligned(aligned, pair.solution, compared)
