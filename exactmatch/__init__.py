"""Exact, proven metrics for meaning-representation graphs.

>>> import exactmatch
>>> exactmatch.smatch("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)").f1
0.6666666666666666

The names below are imported when they are first used, so that ``import
exactmatch`` costs nothing.
"""

from __future__ import annotations

from exactmatch.base.fronts import front
from exactmatch.base.version import __version__

TYPE_CHECKING = False  # as type checkers know it; importing typing takes a while
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from exactmatch import edit as edit
    from exactmatch import engine as engine
    from exactmatch import errors as errors
    from exactmatch import formats as formats
    from exactmatch import many as many
    from exactmatch import scoring as scoring
    from exactmatch import solvers as solvers
    from exactmatch import studies as studies
    from exactmatch.base.errors import ExactmatchError, GraphError, InputError
    from exactmatch.base.registry import register
    from exactmatch.edit.distance import ged
    from exactmatch.edit.matrix import ged_matrix, ged_search
    from exactmatch.edit.subgraphs import (
        maximum_common_edge_subgraph,
        maximum_common_induced_subgraph,
    )
    from exactmatch.formats.readings import load, read
    from exactmatch.graphs.graph import Graph, Triple
    from exactmatch.graphs.profile import PROFILES, Profile
    from exactmatch.many.ensemble import ensemble
    from exactmatch.many.matrix import cdist
    from exactmatch.many.scorer import Scorer
    from exactmatch.many.search import search
    from exactmatch.metrics.base import Metric
    from exactmatch.metrics.making import make_metric
    from exactmatch.metrics.score import FScore, Score
    from exactmatch.scoring.report import Report
    from exactmatch.scoring.settings import Settings
    from exactmatch.solvers.solution import Limits, Solution
    from exactmatch.studies.agreement.study import agreement
    from exactmatch.studies.align.pair import align
    from exactmatch.studies.audit.study import audit
    from exactmatch.studies.compare.study import compare
    from exactmatch.studies.correlate.study import correlate
    from exactmatch.studies.draw.study import draw
    from exactmatch.studies.feedback.study import feedback
    from exactmatch.studies.finegrained.study import finegrained
    from exactmatch.studies.ground_truth.study import ground_truth as ground_truth
    from exactmatch.studies.score.evaluate import evaluate
    from exactmatch.studies.score.pair import score
    from exactmatch.studies.score.smatch import smatch
    from exactmatch.studies.thresholds.pair import thresholds

_HOME = {
    "exactmatch.base.registry": "register",
    "exactmatch.studies.score.smatch": "smatch",
    "exactmatch.studies.score.evaluate": "evaluate",
    "exactmatch.studies.score.pair": "score",
    "exactmatch.studies.align.pair": "align",
    "exactmatch.studies.draw.study": "draw",
    "exactmatch.studies.compare.study": "compare",
    "exactmatch.studies.audit.study": "audit",
    "exactmatch.studies.correlate.study": "correlate",
    "exactmatch.studies.finegrained.study": "finegrained",
    "exactmatch.studies.agreement.study": "agreement",
    "exactmatch.studies.ground_truth.study": "ground_truth",
    "exactmatch.studies.feedback.study": "feedback",
    "exactmatch.studies.thresholds.pair": "thresholds",
    "exactmatch.many.matrix": "cdist",
    "exactmatch.many.search": "search",
    "exactmatch.many.ensemble": "ensemble",
    "exactmatch.edit.distance": "ged",
    "exactmatch.edit.matrix": "ged_matrix ged_search",
    "exactmatch.edit.subgraphs": (
        "maximum_common_edge_subgraph maximum_common_induced_subgraph"
    ),
    "exactmatch.formats.readings": "read load",
    "exactmatch.graphs.graph": "Graph Triple",
    "exactmatch.graphs.profile": "Profile PROFILES",
    "exactmatch.metrics.base": "Metric",
    "exactmatch.metrics.making": "make_metric",
    "exactmatch.many.scorer": "Scorer",
    "exactmatch.scoring.settings": "Settings",
    "exactmatch.scoring.report": "Report",
    "exactmatch.metrics.score": "Score FScore",
    "exactmatch.solvers.solution": "Solution Limits",
    "exactmatch.base.errors": "ExactmatchError InputError GraphError",
}

_PACKAGES = (
    *("edit", "engine", "errors", "formats", "many", "scoring", "solvers"),
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
    "feedback",
    "finegrained",
    "ged",
    "ged_matrix",
    "ged_search",
    "load",
    "make_metric",
    "maximum_common_edge_subgraph",
    "maximum_common_induced_subgraph",
    "read",
    "register",
    "score",
    "search",
    "smatch",
    "thresholds",
]


def _elsewhere(name: str) -> str:
    """Say which package or adapter has what is called so."""
    import importlib

    from exactmatch.adapters import place_of
    from exactmatch.base.registry import imported
    from exactmatch.metrics import METRICS

    if name == "metric":
        return "did you mean make_metric('smatch'), or score(…, metric='smatch')?"
    if name in METRICS.own:
        return f"it is a metric: exactmatch.score(pred, gold, metric={name!r})"
    words = {*name.lower().split("_")}
    likely: list[str] = []
    for package in ("studies", "many", "edit"):
        for one in dir(importlib.import_module(f"exactmatch.{package}")):
            place = f"exactmatch.{package}.{one}"
            if one == name:
                return f"use {place}"
            if words <= {*one.lower().split("_")}:
                likely.append(place)
    if place := place_of(name):
        return place
    if likely:
        return f"use {' or '.join(likely[:3])}"
    in_python: Callable[[str], str] = imported("exactmatch.cli.commands:in_python")
    return in_python(name)


_attribute, _ = front(__name__, _HOME, _elsewhere)


def __getattr__(name: str) -> Any:
    import importlib

    if name in _PACKAGES or name == "adapters":
        return importlib.import_module(f"exactmatch.{name}")
    return _attribute(name)


def __dir__() -> list[str]:
    return __all__
