"""Knowledge graphs as sets of triples, and the triples that two graphs share.

A *triple* is an edge with the labels of its ends: head, relation, tail.  Each triple
counts once.  Shared triples are counted in three ways:

* *exact*: all three labels are equal;
* *similar*: triples are matched one-to-one so that the sum of similarities is largest;
  that of two triples is the mean over their three labels (longest common substring, 0
  to 1);
* *aligned*: nodes without a label, the *blank* nodes, are aligned one-to-one with those
  of the other graph so that most triples are equal, which is proven.

Precision is that number divided by the number of triples of the first graph, recall the
same for the second graph.

Sources: Saha and others (2021), "ExplaGraphs: an explanation graph generation task for
structured commonsense reasoning", for matching triples that are alike; Hayes and
Patel-Schneider (2014), "RDF 1.1 semantics", for blank nodes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from exactmatch.base.errors import InputError
from exactmatch.edit.subgraphs import maximum_common_edge_subgraph
from exactmatch.metrics.similarity.strings import lcs_similarity
from exactmatch.solvers.matching import best_matching

Triple: TypeAlias = tuple[Any, str, Any]
"""Head, relation and tail; an end is a label, or a blank node as ``(None, node)``."""

LABEL = "label"
"""The attribute that labels nodes and edges."""

WAYS = ("exact", "similar", "aligned")
"""The ways of matching triples."""


@dataclass(frozen=True, slots=True)
class TripleOverlap:
    """Number of triples that two graphs share, in one way of counting.

    Attributes:
        matched: the number; a sum of similarities in the way *similar*.
        bound: no alignment of blank nodes shares more.
        sizes: the number of triples of each graph.
    """

    matched: float
    bound: float
    sizes: tuple[int, int]

    @property
    def precision(self) -> float:
        """``matched`` divided by the number of triples of the first graph, 0 to 1."""
        return self._part(self.sizes[0])

    @property
    def recall(self) -> float:
        """``matched`` divided by the number of triples of the second graph, 0 to 1."""
        return self._part(self.sizes[1])

    @property
    def f1(self) -> float:
        """``2 matched / (|first| + |second|)``, 0 to 1; 1 of two empty graphs."""
        return self._part(sum(self.sizes) / 2)

    def _part(self, size: float) -> float:
        if not size:
            return 0.0 if any(self.sizes) else 1.0
        return self.matched / size

    def to_dict(self) -> dict[str, Any]:
        """Return the counts and shares as plain data."""
        names = ("precision", "recall", "f1", "matched", "bound")
        shares = {name: getattr(self, name) for name in names}
        proven = self.matched == self.bound
        return shares | {"proven": proven, "sizes": list(self.sizes)}

    @classmethod
    def total(cls, parts: Iterable[TripleOverlap]) -> TripleOverlap:
        """Add up the counts of many pairs of graphs."""
        matched, bound, first, second = 0.0, 0.0, 0, 0
        for part in parts:
            matched, bound = matched + part.matched, bound + part.bound
            first, second = first + part.sizes[0], second + part.sizes[1]
        return cls(matched, bound, (first, second))


def shared_triples(
    g: Any, h: Any, way: str, time_limit: float | None = None
) -> TripleOverlap:
    """Count the triples that two directed networkx graphs share.

    The way is one of :data:`WAYS`; the time limit is for aligning blank nodes.
    """
    if way not in WAYS:
        raise InputError(f"unknown way {way!r} of counting triples; one of {WAYS}")
    for graph in (g, h):
        if not graph.is_directed():
            raise InputError(
                "triples have a direction, and a graph has none; give directed graphs"
            )
    first, second = triples(g), triples(h)
    sizes = len(first), len(second)
    if way == "exact":
        ends = ((head, tail) for head, _, tail in first & second)
        matched = sum(not any(isinstance(end, tuple) for end in pair) for pair in ends)
        return TripleOverlap(matched, matched, sizes)
    if way == "similar":
        value = _matched_by_likeness(first, second)
        return TripleOverlap(value, value, sizes)
    common = maximum_common_edge_subgraph(
        _merged(first), _merged(second), labels=LABEL, time_limit=time_limit
    )
    return TripleOverlap(common.size, common.bound, sizes)


def triples(graph: Any) -> set[Triple]:
    """Return the triples of a directed graph, each once."""
    nodes = {
        node: (None, node) if label is None else str(label)
        for node, label in graph.nodes(data=LABEL)
    }
    edges = graph.edges(data=LABEL, default="")
    return {(nodes[u], str(label), nodes[v]) for u, v, label in edges}


def _merged(every: set[Triple]) -> Any:
    """Return a graph of triples, in which nodes with equal labels are one."""
    import networkx as nx

    graph = nx.MultiDiGraph()
    for head, relation, tail in sorted(every, key=repr):
        for end in (head, tail):
            graph.add_node(end, label=None if isinstance(end, tuple) else end)
        graph.add_edge(head, tail, key=relation, label=relation)
    return graph


def _matched_by_likeness(first: set[Triple], second: set[Triple]) -> float:
    """Return the largest sum of similarities over one-to-one pairs of triples."""
    import numpy as np

    if not first or not second:
        return 0.0

    @cache
    def likeness(a: Any, b: Any) -> float:
        is_blank = isinstance(a, tuple) or isinstance(b, tuple)
        return 0.0 if is_blank else lcs_similarity(a, b)

    def pair(s: Triple, t: Triple) -> float:
        return math.fsum(likeness(a, b) for a, b in zip(s, t, strict=True)) / 3

    # sorted: the last bit of a sum depends on the order, and sets on hash seeds
    rows, columns = (sorted(side, key=repr) for side in (first, second))
    table = np.array([[pair(s, t) for t in columns] for s in rows])
    return float(table[best_matching(table)].sum())
