"""Scores from Python: graphs in, frozen results out.

A graph may be given as text (PENMAN, or any other format of files), as a list of
triples, as a penman or a networkx graph, or as a
:class:`~exactmatch.graphs.graph.Graph`
(:data:`~exactmatch.formats.anything.GraphLike`).

What only one function needs is imported in it, so that the score of a pair waits for no
more than it takes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.registry import Registry, imported
from exactmatch.formats.anything import GraphLike
from exactmatch.graphs.profile import Profile, get_profile
from exactmatch.metrics.score import FScore
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.reading import read_item
from exactmatch.scoring.time_limit import check_time_limit
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Limits
from exactmatch.studies.score.alignment import with_alignment


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
    return with_alignment(metric.scores(pair.statistics), pair)


@lru_cache(32)
def _smatch(profile: Profile | str, solver: Solver | str) -> Smatch:
    """Smatch, made once: a metric is only read."""
    return Smatch(get_profile(profile) if isinstance(profile, str) else profile, solver)


_REGISTRIES = {
    "metric": "exactmatch.metrics:METRICS",
    "solver": "exactmatch.solvers:SOLVERS",
    "format": "exactmatch.formats.formats:FORMATS",
    "profile": "exactmatch.graphs.profile:PROFILES",
    "command": "exactmatch.cli.commands:COMMANDS",
}


def register(kind: str, name: str, thing: Any) -> None:
    """Add something under a name, for the rest of this process.

    A package does so for all processes by an entry point, and nobody need register what
    is named by its place, ``my_package.metrics:Overlap``.

    Args:
        kind: ``metric``, ``solver``, ``format``, ``profile`` or ``command``.
        name: what users call it.
        thing: a class of metrics or of solvers, a format, a profile or a command, as
            the checks of :mod:`exactmatch.testing` have it.

    Raises:
        InputError: if there is no such kind, or a profile, metric, format or command of
            that name exists already, or the thing is nothing of the kind.
        SolverError: the same of a solver.

    >>> import exactmatch
    >>> plain = exactmatch.PROFILES["clean"].with_options(name="plain", wiki=False)
    >>> exactmatch.register("profile", "plain", plain)
    >>> exactmatch.smatch("(c / city :wiki -)", "(c / city)", profile="plain").f1
    1.0
    """
    if not isinstance(kind, str) or kind not in _REGISTRIES:
        known = ", ".join(_REGISTRIES)
        raise InputError(f"{kind!r} is no kind of thing to register (known: {known})")
    registry: Registry[Any] = imported(_REGISTRIES[kind])
    registry.register(name, thing)
