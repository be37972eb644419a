"""Analyses of graphs that are in memory, as Python programs ask for them.

Each scores the graphs first and then asks the analysis of the same name; the commands
of those names do so with files.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from exactmatch.analysis import audit as audits
from exactmatch.analysis import compare as comparisons
from exactmatch.analysis.audit import Audit
from exactmatch.analysis.compare import Comparison
from exactmatch.analysis.hillclimbs import RESTARTS, Plan, climb_pair
from exactmatch.errors import InputError
from exactmatch.metrics import make_metric
from exactmatch.metrics.aligning import aligning
from exactmatch.metrics.base import Metric
from exactmatch.metrics.finegrained import scores
from exactmatch.reading.anything import GraphLike
from exactmatch.scoring.resampling import Bootstrap, Test
from exactmatch.scoring.results import Report
from exactmatch.scoring.run import evaluate_items
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import listed
from exactmatch.solvers.base import Solver


def compare(
    systems: Mapping[str, Iterable[GraphLike]],
    golds: Iterable[GraphLike],
    metric: str | Metric = "smatch",
    *,
    baseline: str | None = None,
    test: Test = "bootstrap",
    macro: bool = False,
    samples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    jobs: int = 1,
    **options: Any,
) -> Comparison:
    """Rank systems on the same references, and test each against a baseline.

    Args:
        systems: each system's predictions by its name, in the order of the references.
        golds: the references.
        metric: the metric, by name or made by :func:`make_metric`.
        baseline: the system that the others are tested against; default: the best.
        test: where p-values come from: ``bootstrap`` or ``randomisation``.
        macro: compare means over pairs instead of scores of sums.
        samples: how many corpora are resampled.
        confidence: level of the intervals, between 0 and 1.
        seed: seed of the resampling.
        jobs: how many processes score pairs.
        **options: options of the metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two systems, their numbers of graphs differ,
            none is called *baseline*, or an option is wrong.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare(
    ...     {"first": ["(b / bark-01)", "(r / rain-01)"], "second": golds}, golds
    ... )
    >>> [(one.rank, one.system, one.score.score) for one in found.standings]
    [(1, 'second', 1.0), (2, 'first', 0.8)]
    """
    if len(systems) < 2:
        raise InputError(f"{len(systems)} systems are given; give two or more")
    if baseline is not None and baseline not in systems:
        known = ", ".join(systems)
        raise InputError(f"no system is called {baseline!r} (known: {known})")
    if test not in ("bootstrap", "randomisation"):
        raise InputError(f"test is {test!r}; it is 'bootstrap' or 'randomisation'")
    bootstrap = Bootstrap(samples, confidence, seed)
    made = _made(metric, options)
    references = listed(golds)
    settings = Settings(jobs=jobs)
    results = {
        name: evaluate_items(preds, references, made, settings).pairs
        for name, preds in systems.items()
    }
    return comparisons.compare(made, results, bootstrap, test, baseline, macro)


def audit(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    metric: str | Metric = "smatch",
    *,
    restarts: Iterable[int] = RESTARTS,
    runs: int = 10,
    seed: int = 0,
    symmetry: bool = True,
    jobs: int = 1,
    **options: Any,
) -> Audit:
    """Measure how often, and by how much, a hill-climber misses the proven optimum.

    Args:
        preds: predicted graphs.
        golds: their references, in the same order.
        metric: a metric that aligns, such as ``smatch`` or ``s2match``.
        restarts: the numbers of random restarts that are tried.
        runs: how often each pair is climbed.
        seed: seed of everything random.
        symmetry: whether pairs are also climbed with the graphs exchanged.
        jobs: how many processes prove the optima.
        **options: options of the metric.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the metric aligns nothing, its solver proves nothing, or an
            option is wrong.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> found = exactmatch.audit([pred], [gold], restarts=[4])
    >>> found.optimum
    0.6666666666666666
    >>> [(error.restarts, error.below) for error in found.errors]
    [(4, 0.0)]
    """
    made = aligning(_made(metric, options))
    if not made.solver.exact:
        raise InputError(
            f"solver {made.solver.name!r} proves nothing; an audit needs an exact one"
        )
    counts = tuple(sorted(set(restarts)))
    if not counts or counts[0] < 0 or runs < 1:
        raise InputError("an audit needs a number of restarts from 0 and runs from 1")
    plan = Plan(counts, runs, seed, symmetry)
    settings = Settings(keep_graphs=True, keep_problems=True, jobs=jobs)
    results = evaluate_items(preds, golds, made, settings).pairs
    if not results:
        raise InputError("no pair is given; there is nothing to audit")
    climbed = [
        climb_pair(result.stated_problem.problem, result.index, plan)
        for result in results
    ]
    return audits.audit(results, climbed, plan)


def finegrained(
    preds: Iterable[GraphLike],
    golds: Iterable[GraphLike],
    style: scores.Style = "exact",
    *,
    solver: Solver | str = "auto",
    jobs: int = 1,
) -> Report:
    """Score single aspects of the graphs: names, negation, re-entrancies and so on.

    Args:
        preds: predicted graphs.
        golds: their references, in the same order.
        style: ``exact``, or ``amrlib`` or ``damonte`` for what those tools would score
            with the best alignments.
        solver: who aligns the variables; every exact one gives the same scores.
        jobs: how many processes score pairs.

    Returns:
        A report whose metrics are the aspects.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if the numbers of graphs differ or there is no such style.

    >>> import exactmatch
    >>> pred, gold = "(b / bark-01 :polarity -)", "(b / bark-01)"
    >>> report = exactmatch.finegrained([pred], [gold])
    >>> report["concepts"].score.score, report["negation"].score.precision
    (1.0, 0.0)
    """
    metrics = scores.finegrained(style, solver)
    return evaluate_items(preds, golds, metrics, Settings(jobs=jobs))


def _made(metric: str | Metric, options: Mapping[str, Any]) -> Metric:
    """A metric by name, or as it is."""
    return metric if isinstance(metric, Metric) else make_metric(metric, **options)
