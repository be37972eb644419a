"""The graph metric with its default similarities, without NumPy.

Labels that are compared as equal or not make the mapping of nodes an alignment of
triples, as Smatch aligns them: a label is a concept, an attribute a constant, an edge a
relation; where only edges count, the labels of its ends are parts of its role.  The
kernel of sentences aligns them, where NumPy is not installed: in a browser.  The tests
hold that the scores are those of ``graph_metric.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.engine.align import Want
from exactmatch.engine.problem import CodedGraph, GraphProblem, encode
from exactmatch.graphs.graph import NOWHERE, Graph, GraphCoder
from exactmatch.graphs.profile import PROFILES, Profile, in_words
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.labelled.graph_metric import LabelledMatch
from exactmatch.metrics.labelled.labelled_graph import (
    LabelledGraph,
    completed,
    of_graph,
)
from exactmatch.metrics.score import FScore
from exactmatch.solvers.base import Solver
from exactmatch.solvers.solution import Limits

# Labels are normalised before they are coded; equal attributes are counted apart.
_AS_CODED = PROFILES["clean"].with_options(top="none", duplicates="multiset")
_CODED = replace(_AS_CODED, comparison="exact")

_NO_LABEL, _LABEL = "-", "="  # which no label follows, and which one does


class PlainSide(NamedTuple):
    """A graph, ready to be compared."""

    labelled: LabelledGraph
    coded: CodedGraph  # as triples, to be shown; its total is what counts
    weighed: CodedGraph  # all nodes have a label, which is normalised


@dataclass(eq=False, kw_only=True)
class PlainProblem(GraphProblem):
    """The mapping of two graphs with plain labels as a problem."""

    weighed: tuple[CodedGraph, CodedGraph]
    graphs: tuple[LabelledGraph, LabelledGraph]
    count: str

    @property
    def ends(self) -> tuple[CodedGraph, CodedGraph]:
        return self.weighed

    def completed(self, alignment: tuple[int, ...]) -> tuple[int, ...]:
        if self.count != "edges":
            return alignment
        return completed(alignment, *self.graphs)


class PlainLabelledMatch(LabelledMatch):
    """The F1 of labelled nodes and edges, whose labels are equal or not.

    Args:
        profile: how text is read; ``clean`` by default.
        solver: the solver that maps the nodes.
        max_terms: how many pairs of nodes, or of edges, two graphs may have.
        count: the items that count, as in ``LabelledMatch``.

    >>> metric = PlainLabelledMatch()
    >>> pred, gold = ([("a", "next", "b")], [("a", "next", "b"), ("b", "next", "c")])
    >>> sides = [metric.prepare(metric.read(graph).item) for graph in (pred, gold)]
    >>> round(metric.scores(metric.compare(*sides).statistics).score, 4)  # 6 of 8
    0.75
    """

    def __init__(
        self,
        profile: Profile | str | None = None,
        solver: Solver | str = "auto",
        max_terms: int | None = None,
        count: str = "nodes-and-edges",
    ) -> None:
        AligningMetric.__init__(self, profile, solver, max_terms, count=count)
        counted = self.profile.with_options(top="none", duplicates="set")
        self.profile = replace(counted, nothing=1, comparison="words")
        self._judges = False

    def prepare(self, item: Any) -> Any:
        is_labelled = isinstance(item, LabelledGraph)
        triples = item.as_graph() if is_labelled else self.standardise(item)
        graph = item if is_labelled else of_graph(triples)
        if graph.is_directed is False:
            raise InputError(
                "the edges of a graph have no direction, which needs NumPy; install "
                "NumPy, or write it with directed edges"
            )
        weighed = encode(_with_labels(graph, self.options.count), _CODED)
        coded = encode(triples, self.profile)._replace(total=weighed.total)
        return PlainSide(graph, coded, weighed)

    def build_problem(self, left: Any, right: Any) -> Any:
        return PlainProblem(
            left.coded,
            right.coded,
            self.shown_profile,
            max_terms=self.max_terms,
            weighed=(left.weighed, right.weighed),
            graphs=(left.labelled, right.labelled),
            count=self.options.count,
        )

    def solve_problem(
        self, problem: GraphProblem, limits: Limits | None, want: Want
    ) -> Any:
        return AligningMetric.solve_problem(self, problem, limits, want)

    def statistics(self, problem: Any, aligned: Any) -> Any:
        return AligningMetric.statistics(self, problem, aligned)

    def scores(self, sums: Any) -> FScore:
        return AligningMetric.scores(self, sums)

    def check_recording(self) -> None:
        AligningMetric.check_recording(self)

    def counting_signature(self) -> list[tuple[str, str]]:
        options = self.options
        items = [
            *self._profile_signature(),
            ("count", options.count),
            ("nodes", f"{options.node_similarity}≥{options.node_cutoff:g}"),
            ("edges", f"{options.edge_similarity}≥{options.edge_cutoff:g}"),
        ]
        return items + [("triple", options.triple)] * (options.count == "edges")


def _with_labels(graph: LabelledGraph, count: str) -> Graph:
    """Return what counts as triples, equal where labels are; a missing label is one."""
    coder = GraphCoder([str(node) for node in range(len(graph.labels))])
    labels = [*map(_plain, graph.labels)]
    if count != "edges":
        coder.instances = [(node, coder.label(x)) for node, x in enumerate(labels)]
    if count == "nodes-and-edges":
        coder.attributes = [
            (node, coder.label(name), coder.label(_plain(value)))
            for node, attributes in enumerate(graph.attributes)
            for name, value in attributes
        ]
    for i, k, label in graph.edges if count != "nodes" else ():
        role = _plain(label)
        if count == "edges":
            role = repr((labels[i], role, labels[k]))
        coder.relations.append((i, coder.label(role), k))
    return coder.graph(None, {}, NOWHERE)


def _plain(label: str | None) -> str:
    return _NO_LABEL if label is None else _LABEL + in_words(label)
