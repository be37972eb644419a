"""Exact, proven metrics for meaning-representation graphs.

>>> import exactmatch
>>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
0.6666666666666666

The names below are imported when they are first used, so that ``import
exactmatch`` costs nothing.
"""

from __future__ import annotations

import importlib

from exactmatch.base import old_places
from exactmatch.base.shown import VIEWS
from exactmatch.base.version import __version__

TYPE_CHECKING = False  # as type checkers know it; importing typing takes a while
if TYPE_CHECKING:
    from typing import Any

    from exactmatch.api import draw, smatch
    from exactmatch.base.errors import (
        CertificationError,
        ExactmatchError,
        ExactmatchWarning,
        GraphError,
        InputError,
        ItemError,
        MissingExtraError,
        PairError,
    )
    from exactmatch.base.solver_errors import ProblemError, SolverError
    from exactmatch.edit.distance import EditDistance, ged
    from exactmatch.edit.subgraphs import (
        CommonSubgraph,
        Embedding,
        contains,
        maximum_common_edge_subgraph,
        maximum_common_induced_subgraph,
    )
    from exactmatch.engine.explain import AlignedPair, Explanation
    from exactmatch.formats.anything import GraphLike, read
    from exactmatch.formats.convert import (
        from_networkx,
        from_penman,
        to_networkx,
        to_penman,
    )
    from exactmatch.formats.load import iter_graphs, load
    from exactmatch.graphs.graph import Graph, Triple
    from exactmatch.graphs.profile import PROFILES, Profile
    from exactmatch.many.bank import Bank
    from exactmatch.many.cluster import Clusters, cluster
    from exactmatch.many.ensemble import Choice, ensemble
    from exactmatch.many.matrix import cdist, pdist
    from exactmatch.many.scorer import PreparedGraph, PreparedGraphs, Scorer
    from exactmatch.many.search import Duplicate, duplicates, search
    from exactmatch.metrics import make_metric
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.score import FScore, Score
    from exactmatch.scoring.report import Report
    from exactmatch.scoring.results import CorpusScore, PairResult
    from exactmatch.scoring.run import evaluate_files
    from exactmatch.scoring.settings import Settings
    from exactmatch.solvers.problem import AlignmentProblem
    from exactmatch.solvers.solution import Limits, Solution
    from exactmatch.studies.agreement.agreement import agreement
    from exactmatch.studies.agreement.results import Agreement
    from exactmatch.studies.audit.results import Audit
    from exactmatch.studies.audit.study import audit
    from exactmatch.studies.compare.results import Comparison
    from exactmatch.studies.correlate.correlation import Correlation, MetricCorrelation
    from exactmatch.studies.correlate.people import (
        PreferenceCorrelation,
        SystemCorrelation,
    )
    from exactmatch.studies.correlate.people_in_memory import (
        correlate_foils,
        correlate_preferences,
        correlate_systems,
    )
    from exactmatch.studies.in_memory import compare, correlate, finegrained
    from exactmatch.studies.score.study import align, evaluate, score

_HOME = {
    "Agreement": "exactmatch.studies.agreement.results",
    "agreement": "exactmatch.studies.agreement.agreement",
    "Audit": "exactmatch.studies.audit.results",
    "Comparison": "exactmatch.studies.compare.results",
    "Correlation": "exactmatch.studies.correlate.correlation",
    "MetricCorrelation": "exactmatch.studies.correlate.correlation",
    "PreferenceCorrelation": "exactmatch.studies.correlate.people",
    "SystemCorrelation": "exactmatch.studies.correlate.people",
    "correlate_foils": "exactmatch.studies.correlate.people_in_memory",
    "correlate_preferences": "exactmatch.studies.correlate.people_in_memory",
    "correlate_systems": "exactmatch.studies.correlate.people_in_memory",
    "audit": "exactmatch.studies.audit.study",
    "compare": "exactmatch.studies.in_memory",
    "correlate": "exactmatch.studies.in_memory",
    "finegrained": "exactmatch.studies.in_memory",
    "align": "exactmatch.studies.score.study",
    "draw": "exactmatch.api",
    "evaluate": "exactmatch.studies.score.study",
    "make_metric": "exactmatch.metrics",
    "score": "exactmatch.studies.score.study",
    "smatch": "exactmatch.api",
    "CertificationError": "exactmatch.base.errors",
    "ExactmatchError": "exactmatch.base.errors",
    "ExactmatchWarning": "exactmatch.base.errors",
    "GraphError": "exactmatch.base.errors",
    "InputError": "exactmatch.base.errors",
    "ItemError": "exactmatch.base.errors",
    "MissingExtraError": "exactmatch.base.errors",
    "PairError": "exactmatch.base.errors",
    "CorpusScore": "exactmatch.scoring.results",
    "PairResult": "exactmatch.scoring.results",
    "Report": "exactmatch.scoring.report",
    "evaluate_files": "exactmatch.scoring.run",
    "Settings": "exactmatch.scoring.settings",
    "AlignedPair": "exactmatch.engine.explain",
    "Explanation": "exactmatch.engine.explain",
    "EditDistance": "exactmatch.edit.distance",
    "ged": "exactmatch.edit.distance",
    "CommonSubgraph": "exactmatch.edit.subgraphs",
    "Embedding": "exactmatch.edit.subgraphs",
    "contains": "exactmatch.edit.subgraphs",
    "maximum_common_edge_subgraph": "exactmatch.edit.subgraphs",
    "maximum_common_induced_subgraph": "exactmatch.edit.subgraphs",
    "Graph": "exactmatch.graphs.graph",
    "Triple": "exactmatch.graphs.graph",
    "Bank": "exactmatch.many.bank",
    "Choice": "exactmatch.many.ensemble",
    "Clusters": "exactmatch.many.cluster",
    "Duplicate": "exactmatch.many.search",
    "cdist": "exactmatch.many.matrix",
    "cluster": "exactmatch.many.cluster",
    "duplicates": "exactmatch.many.search",
    "ensemble": "exactmatch.many.ensemble",
    "search": "exactmatch.many.search",
    "pdist": "exactmatch.many.matrix",
    "PreparedGraph": "exactmatch.many.scorer",
    "PreparedGraphs": "exactmatch.many.scorer",
    "Scorer": "exactmatch.many.scorer",
    "Metric": "exactmatch.metrics.base",
    "FScore": "exactmatch.metrics.score",
    "Score": "exactmatch.metrics.score",
    "GraphLike": "exactmatch.formats.anything",
    "read": "exactmatch.formats.anything",
    "iter_graphs": "exactmatch.formats.load",
    "load": "exactmatch.formats.load",
    "from_networkx": "exactmatch.formats.convert",
    "from_penman": "exactmatch.formats.convert",
    "to_networkx": "exactmatch.formats.convert",
    "to_penman": "exactmatch.formats.convert",
    "PROFILES": "exactmatch.graphs.profile",
    "Profile": "exactmatch.graphs.profile",
    "ProblemError": "exactmatch.base.solver_errors",
    "SolverError": "exactmatch.base.solver_errors",
    "AlignmentProblem": "exactmatch.solvers.problem",
    "Limits": "exactmatch.solvers.solution",
    "Solution": "exactmatch.solvers.solution",
}

__all__ = [
    "PROFILES",
    "Agreement",
    "AlignedPair",
    "AlignmentProblem",
    "Audit",
    "Bank",
    "CertificationError",
    "Choice",
    "Clusters",
    "CommonSubgraph",
    "Comparison",
    "CorpusScore",
    "Correlation",
    "Duplicate",
    "EditDistance",
    "Embedding",
    "ExactmatchError",
    "ExactmatchWarning",
    "Explanation",
    "FScore",
    "Graph",
    "GraphError",
    "GraphLike",
    "InputError",
    "ItemError",
    "Limits",
    "Metric",
    "MetricCorrelation",
    "MissingExtraError",
    "PairError",
    "PairResult",
    "PreferenceCorrelation",
    "PreparedGraph",
    "PreparedGraphs",
    "ProblemError",
    "Profile",
    "Report",
    "Score",
    "Scorer",
    "Settings",
    "Solution",
    "SolverError",
    "SystemCorrelation",
    "Triple",
    "__version__",
    "agreement",
    "align",
    "audit",
    "cdist",
    "cluster",
    "compare",
    "contains",
    "correlate",
    "correlate_foils",
    "correlate_preferences",
    "correlate_systems",
    "draw",
    "duplicates",
    "ensemble",
    "evaluate",
    "evaluate_files",
    "finegrained",
    "from_networkx",
    "from_penman",
    "ged",
    "iter_graphs",
    "load",
    "make_metric",
    "maximum_common_edge_subgraph",
    "maximum_common_induced_subgraph",
    "pdist",
    "read",
    "score",
    "search",
    "smatch",
    "to_networkx",
    "to_penman",
]

old_places.install()


def _drawn(graph: Graph) -> str:
    from exactmatch.graphs.drawing.drawing import Side
    from exactmatch.graphs.drawing.svg import notebook

    return notebook(Side(graph))


VIEWS["Graph"] = _drawn


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"module 'exactmatch' has no attribute {name!r}")
    found = getattr(importlib.import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
