"""Exact, proven metrics for meaning-representation graphs.

>>> import exactmatch
>>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
0.6666666666666666

The names below are imported when they are first used, so that ``import
exactmatch`` costs nothing.
"""

from __future__ import annotations

from exactmatch.base import old_places
from exactmatch.base.fronts import front
from exactmatch.base.shown import VIEWS
from exactmatch.base.version import __version__

TYPE_CHECKING = False  # as type checkers know it; importing typing takes a while
if TYPE_CHECKING:
    from typing import Any

    from exactmatch import (
        edit as edit,
    )
    from exactmatch import (
        engine as engine,
    )
    from exactmatch import (
        errors as errors,
    )
    from exactmatch import (
        formats as formats,
    )
    from exactmatch import (
        many as many,
    )
    from exactmatch import (
        scoring as scoring,
    )
    from exactmatch import (
        solvers as solvers,
    )
    from exactmatch import (
        studies as studies,
    )
    from exactmatch.base.errors import ExactmatchError as ExactmatchError
    from exactmatch.base.errors import GraphError as GraphError
    from exactmatch.base.errors import InputError as InputError
    from exactmatch.base.registry import register as register
    from exactmatch.edit.distance import ged as ged
    from exactmatch.edit.matrix import ged_matrix as ged_matrix
    from exactmatch.edit.matrix import ged_search as ged_search
    from exactmatch.formats.readings import load as load
    from exactmatch.formats.readings import read as read
    from exactmatch.graphs.graph import Graph as Graph
    from exactmatch.graphs.graph import Triple as Triple
    from exactmatch.graphs.profile import PROFILES as PROFILES
    from exactmatch.graphs.profile import Profile as Profile
    from exactmatch.many.ensemble import ensemble as ensemble
    from exactmatch.many.matrix import cdist as cdist
    from exactmatch.many.scorer import Scorer as Scorer
    from exactmatch.many.search import search as search
    from exactmatch.metrics.base import Metric as Metric
    from exactmatch.metrics.making import make_metric as make_metric
    from exactmatch.metrics.score import FScore as FScore
    from exactmatch.metrics.score import Score as Score
    from exactmatch.scoring.report import Report as Report
    from exactmatch.scoring.run import evaluate_files as evaluate_files
    from exactmatch.scoring.settings import Settings as Settings
    from exactmatch.solvers.solution import Limits as Limits
    from exactmatch.solvers.solution import Solution as Solution
    from exactmatch.studies.agreement.study import agreement as agreement
    from exactmatch.studies.align.study import align as align
    from exactmatch.studies.audit.study import audit as audit
    from exactmatch.studies.compare.study import compare as compare
    from exactmatch.studies.correlate.study import correlate as correlate
    from exactmatch.studies.draw import draw as draw
    from exactmatch.studies.feedback.study import feedback as feedback
    from exactmatch.studies.finegrained.study import finegrained as finegrained
    from exactmatch.studies.ground_truth.study import ground_truth as ground_truth
    from exactmatch.studies.score.one_pair import score as score
    from exactmatch.studies.score.smatch import smatch as smatch
    from exactmatch.studies.score.study import evaluate as evaluate
    from exactmatch.studies.thresholds.study import thresholds as thresholds

_HOME = {
    "register": "exactmatch.base.registry",
    "smatch": "exactmatch.studies.score.smatch",
    "score": "exactmatch.studies.score.one_pair",
    "evaluate": "exactmatch.studies.score.study",
    "evaluate_files": "exactmatch.scoring.run",
    "align": "exactmatch.studies.align.study",
    "draw": "exactmatch.studies.draw",
    "compare": "exactmatch.studies.compare.study",
    "audit": "exactmatch.studies.audit.study",
    "correlate": "exactmatch.studies.correlate.study",
    "finegrained": "exactmatch.studies.finegrained.study",
    "agreement": "exactmatch.studies.agreement.study",
    "ground_truth": "exactmatch.studies.ground_truth.study",
    "feedback": "exactmatch.studies.feedback.study",
    "thresholds": "exactmatch.studies.thresholds.study",
    "cdist": "exactmatch.many.matrix",
    "search": "exactmatch.many.search",
    "ensemble": "exactmatch.many.ensemble",
    "ged": "exactmatch.edit.distance",
    "ged_matrix": "exactmatch.edit.matrix",
    "ged_search": "exactmatch.edit.matrix",
    "read": "exactmatch.formats.readings",
    "load": "exactmatch.formats.readings",
    "Graph": "exactmatch.graphs.graph",
    "Triple": "exactmatch.graphs.graph",
    "Profile": "exactmatch.graphs.profile",
    "PROFILES": "exactmatch.graphs.profile",
    "Metric": "exactmatch.metrics.base",
    "make_metric": "exactmatch.metrics.making",
    "Scorer": "exactmatch.many.scorer",
    "Settings": "exactmatch.scoring.settings",
    "Report": "exactmatch.scoring.report",
    "Score": "exactmatch.metrics.score",
    "FScore": "exactmatch.metrics.score",
    "Solution": "exactmatch.solvers.solution",
    "Limits": "exactmatch.solvers.solution",
    "ExactmatchError": "exactmatch.base.errors",
    "InputError": "exactmatch.base.errors",
    "GraphError": "exactmatch.base.errors",
}

_MOVED = {
    "Agreement": "exactmatch.studies",
    "AlignedPair": "exactmatch.engine",
    "AlignmentProblem": "exactmatch.solvers",
    "Audit": "exactmatch.studies",
    "Bank": "exactmatch.many",
    "CertificationError": "exactmatch.errors",
    "Choice": "exactmatch.many",
    "Clusters": "exactmatch.many",
    "CommonSubgraph": "exactmatch.edit",
    "Comparison": "exactmatch.studies",
    "CorpusScore": "exactmatch.scoring",
    "Correlation": "exactmatch.studies",
    "Duplicate": "exactmatch.many",
    "EditDistance": "exactmatch.edit",
    "Embedding": "exactmatch.edit:SubgraphEmbedding",
    "ExactmatchWarning": "exactmatch.errors",
    "Explanation": "exactmatch.engine",
    "GraphLike": "exactmatch.formats",
    "ItemError": "exactmatch.errors",
    "MetricCorrelation": "exactmatch.studies",
    "MissingExtraError": "exactmatch.errors",
    "PairError": "exactmatch.errors",
    "PairResult": "exactmatch.scoring",
    "PreferenceCorrelation": "exactmatch.studies",
    "PreparedGraph": "exactmatch.many",
    "PreparedGraphs": "exactmatch.many",
    "ProblemError": "exactmatch.errors",
    "SolverError": "exactmatch.errors",
    "SystemCorrelation": "exactmatch.studies",
    "cluster": "exactmatch.many",
    "contains": "exactmatch.edit",
    "correlate_foils": "exactmatch.studies",
    "correlate_preferences": "exactmatch.studies",
    "correlate_systems": "exactmatch.studies",
    "duplicates": "exactmatch.many",
    "from_networkx": "exactmatch.formats",
    "from_penman": "exactmatch.formats",
    "iter_graphs": "exactmatch.formats",
    "maximum_common_edge_subgraph": "exactmatch.edit",
    "maximum_common_induced_subgraph": "exactmatch.edit",
    "pdist": "exactmatch.many",
    "to_networkx": "exactmatch.formats",
    "to_penman": "exactmatch.formats",
}
"""Names that were here before; they stay for two minor versions."""

_PACKAGES = (
    "edit",
    "engine",
    "errors",
    "formats",
    "many",
    "papers",
    "scoring",
    "solvers",
    "studies",
)
"""Packages with public names of their own."""

__all__ = [
    "PROFILES",
    "ExactmatchError",
    "FScore",
    "Graph",
    "GraphError",
    "InputError",
    "Limits",
    "Metric",
    "Profile",
    "Report",
    "Score",
    "Scorer",
    "Settings",
    "Solution",
    "Triple",
    "__version__",
    "agreement",
    "align",
    "audit",
    "cdist",
    "compare",
    "correlate",
    "draw",
    "ensemble",
    "evaluate",
    "evaluate_files",
    "feedback",
    "finegrained",
    "ged",
    "ged_matrix",
    "ged_search",
    "load",
    "make_metric",
    "read",
    "register",
    "score",
    "search",
    "smatch",
    "thresholds",
]

old_places.install()

_found, _ = front(__name__, _HOME)


def _drawn(graph: Graph) -> str:
    from exactmatch.graphs.drawing.drawing import DrawnSide
    from exactmatch.graphs.drawing.svg import notebook

    return notebook(DrawnSide(graph))


VIEWS["Graph"] = _drawn


def __getattr__(name: str) -> Any:
    import importlib

    if name in _PACKAGES:
        return importlib.import_module(f"exactmatch.{name}")
    if name not in _MOVED:
        return _found(name)
    import warnings

    place, _, other = _MOVED[name].partition(":")
    new = other or name
    text = f"exactmatch.{name} is {place}.{new} now"
    warnings.warn(text, DeprecationWarning, stacklevel=2)
    return getattr(importlib.import_module(place), new)


def __dir__() -> list[str]:
    return __all__
