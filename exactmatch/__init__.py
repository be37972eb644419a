"""Exact, proven metrics for meaning-representation graphs.

>>> import exactmatch
>>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
0.5714285714285715

The names below are imported when they are first used, so that ``import
exactmatch`` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from exactmatch.version import __version__

if TYPE_CHECKING:
    from exactmatch.api import align, evaluate, make_metric, score, smatch
    from exactmatch.errors import (
        CertificationError,
        ExactmatchError,
        GraphError,
        InputError,
        MissingExtraError,
    )
    from exactmatch.explain import AlignedPair, Explanation
    from exactmatch.graph import Graph, Triple
    from exactmatch.metrics.base import Metric, Score
    from exactmatch.networks import from_networkx, from_penman, to_networkx, to_penman
    from exactmatch.profile import PROFILES, Profile
    from exactmatch.results import CorpusScore, PairResult, Report
    from exactmatch.solvers.errors import ProblemError, SolverError
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Limits, Solution

_HOME = {
    "align": "exactmatch.api",
    "evaluate": "exactmatch.api",
    "make_metric": "exactmatch.api",
    "score": "exactmatch.api",
    "smatch": "exactmatch.api",
    "CertificationError": "exactmatch.errors",
    "ExactmatchError": "exactmatch.errors",
    "GraphError": "exactmatch.errors",
    "InputError": "exactmatch.errors",
    "MissingExtraError": "exactmatch.errors",
    "CorpusScore": "exactmatch.results",
    "PairResult": "exactmatch.results",
    "Report": "exactmatch.results",
    "AlignedPair": "exactmatch.explain",
    "Explanation": "exactmatch.explain",
    "Graph": "exactmatch.graph",
    "Triple": "exactmatch.graph",
    "Metric": "exactmatch.metrics.base",
    "Score": "exactmatch.metrics.base",
    "from_networkx": "exactmatch.networks",
    "from_penman": "exactmatch.networks",
    "to_networkx": "exactmatch.networks",
    "to_penman": "exactmatch.networks",
    "PROFILES": "exactmatch.profile",
    "Profile": "exactmatch.profile",
    "ProblemError": "exactmatch.solvers.errors",
    "SolverError": "exactmatch.solvers.errors",
    "AlignmentProblem": "exactmatch.solvers.problem",
    "Limits": "exactmatch.solvers.solution",
    "Solution": "exactmatch.solvers.solution",
}

__all__ = [
    "PROFILES",
    "AlignedPair",
    "AlignmentProblem",
    "CertificationError",
    "CorpusScore",
    "ExactmatchError",
    "Explanation",
    "Graph",
    "GraphError",
    "InputError",
    "Limits",
    "Metric",
    "MissingExtraError",
    "PairResult",
    "ProblemError",
    "Profile",
    "Report",
    "Score",
    "Solution",
    "SolverError",
    "Triple",
    "__version__",
    "align",
    "evaluate",
    "from_networkx",
    "from_penman",
    "make_metric",
    "score",
    "smatch",
    "to_networkx",
    "to_penman",
]


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'exactmatch' has no attribute {name!r}")
    found = getattr(importlib.import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
