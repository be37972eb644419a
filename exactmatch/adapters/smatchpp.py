"""Class ``Smatchpp`` of smatchpp 1.8.0, solved exactly.

Replace ``from smatchpp import Smatchpp`` by ``from exactmatch.adapters.smatchpp import
Smatchpp``.  Arguments, results and the triples that count are smatchpp's; the alignment
is the proven optimum of the score.  Differences:

* ``alignmentsolver`` may be one of our solvers by name, such as ``"cpsat"``.  For any
  other value (one of smatchpp's, or none, its hill-climber) we solve exactly.
* ``graph_standardizer`` is one of smatchpp's, or its profile's name here.
* Sub-graphs (``score_dimension``, ``subgraph_extractor``) are ``exactmatch
  finegrained``, and other parts of the pipeline cannot be replaced.
* The second part of a status is the proven upper bound on the matched triples.

Source: SMATCH++, README, "Python interface" (https://github.com/flipz357/smatchpp);
its results were observed by running smatchpp 1.8.0.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from exactmatch.adapters import hinted
from exactmatch.base.errors import InputError
from exactmatch.metrics.making import make_metric
from exactmatch.metrics.score import f_score
from exactmatch.scoring.reading import read_item
from exactmatch.solvers import SOLVERS

_PROFILES = {
    "AMRStandardizer": "smatchpp",
    "GenericStandardizer": "smatchpp-generic",
    "DoNothingStandardizer": "smatchpp-none",
    "NoneType": "smatchpp-none",
}
"""Profiles of smatchpp's standardisers."""


class Smatchpp:
    """Scorer of pairs of graphs in PENMAN, with smatchpp's counts.

    Args:
        alignmentsolver: one of our solvers, by name; anything else is ``auto``.
        graph_standardizer: one of smatchpp's, or the name of a profile.
        score_type: ``micro``, ``macro`` or ``None`` (a result for each pair); default:
            that of the *printer*, or else ``micro``.
        printer: one of smatchpp's; only its ``score_type`` is used.
        **others: parts that cannot be replaced here.

    Raises:
        InputError: if another part is to be replaced.

    Example:
        >>> from exactmatch.adapters.smatchpp import Smatchpp
        >>> Smatchpp().score_pair("(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)")
        {'main': {'F1': 66.67, 'Precision': 50.0, 'Recall': 100.0}}
    """

    def __init__(
        self,
        alignmentsolver: Any = None,
        graph_standardizer: Any = None,
        score_type: str | None = "",
        printer: Any = None,
        **others: Any,
    ) -> None:
        changed = sorted(name for name, value in others.items() if value is not None)
        if changed and others[changed[0]] != "main":
            raise InputError(f"{changed[0]} cannot be replaced here; leave it out")
        if score_type == "":
            score_type = getattr(printer, "score_type", "micro")
        if score_type not in ("micro", "macro", None):
            raise InputError(
                f"score_type is {score_type!r}; it is micro, macro or None"
            )
        kind = type(graph_standardizer).__name__
        if not isinstance(graph_standardizer, str) and kind not in _PROFILES:
            raise InputError(
                f"{kind} is not one of smatchpp's standardisers; name a profile"
            )
        profile = _PROFILES.get(kind, graph_standardizer)
        known = isinstance(alignmentsolver, str) and alignmentsolver in SOLVERS
        solver = alignmentsolver if known else "auto"
        self.score_type = score_type
        self.metric: Any = make_metric("smatch", profile=profile, solver=solver)

    def process_pair(self, string_g1: str, string_g2: str) -> tuple[Any, Any, Any]:
        """Align two graphs.

        Returns:
            The counts, as an array of matched triples of either side and all triples of
            either side; matched triples and their bound; the right variable of every
            left one, by number, -1 for none.
        """
        metric = self.metric
        sides = [metric.prepare(read_item(metric, g)) for g in (string_g1, string_g2)]
        pair = metric.compare(*sides)
        matched, bound, pred, gold = pair.statistics[:4]
        counts = np.array([matched, matched, pred, gold])
        alignment = np.array(pair.solution.alignment, dtype=np.int64)
        return {"main": counts}, (matched, bound), alignment

    def process_corpus(
        self, graphs: Sequence[str], graphs2: Sequence[str]
    ) -> tuple[dict[str, list[Any]], list[Any]]:
        """Align many pairs; return the counts and the bounds of each.

        Raises:
            InputError: if there are not as many on both sides.
        """
        if len(graphs) != len(graphs2):
            raise InputError(f"{len(graphs)} graphs but {len(graphs2)} references")
        pairs = zip(graphs, graphs2, strict=True)
        processed = [self.process_pair(left, right) for left, right in pairs]
        return {"main": [match["main"] for match, *_ in processed]}, [
            x[1] for x in processed
        ]

    def score_corpus(
        self, graphs: Sequence[str], graphs2: Sequence[str]
    ) -> tuple[Any, list[Any]]:
        """Score many pairs, in percent; return the result and the bounds."""
        counts, status = self.process_corpus(graphs, graphs2)
        rows = np.array(counts["main"]).reshape(-1, 4)
        if self.score_type is None:
            return [self._result(row[None]) for row in rows], status
        return self._result(rows), status

    def score_pair(self, graph: str, graph2: str) -> dict[str, dict[str, float]]:
        """Score one pair, in percent."""
        rows = np.array([self.process_pair(graph, graph2)[0]["main"]])
        shown = self._result(rows)["main"]
        return {"main": {name: value["result"] for name, value in shown.items()}}

    def _result(self, rows: Any) -> dict[str, Any]:
        if self.score_type == "macro":
            scores = np.mean([_scores(row) for row in rows], axis=0)
        else:
            scores = np.array(_scores(rows.sum(axis=0)))
        names = ("F1", "Precision", "Recall")
        rounded = np.round(100 * scores, 2).tolist()
        shown = zip(names, rounded, strict=True)
        return {"main": {n: {"result": v, "ci": (None, None)} for n, v in shown}}


def _scores(row: Any) -> tuple[float, float, float]:
    matched, _, pred, gold = row.tolist()
    precision, recall, f1 = f_score(matched, pred, gold, 1.0)
    return f1, precision, recall


__getattr__ = hinted(__name__)
