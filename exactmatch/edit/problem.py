"""Two graphs as an alignment problem: what substitutions save over replacing all.

Deleting the whole first graph and inserting the whole second one is an edit path.
Every other one is cheaper by what its substitutions save:

* a node *i* substituted by *j* saves ``deletion(i) + insertion(j) - substitution(i,
  j)``, which may be negative (a unary weight);
* where *i* becomes *j* and *k* becomes *l*, the edges between *i* and *k* may be
  substituted by those between *j* and *l* (a pair term).  Each edge is substituted at
  most once, and only where that saves something, for it can always be deleted and
  inserted instead; so the weight is that of a best matching of the edges, zero or
  more;
* self-loops of *i* and *j* likewise belong to the unary weight.

The graph edit distance is therefore what replacing everything costs, less the value
of the best alignment.  Directed edges keep their direction, parallel edges are matched
with each other, and an edge never becomes a self-loop.

Source: Neuhaus and Bunke (2007), "A quadratic programming approach to the graph edit
distance problem", for the edit distance as quadratic assignment.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.edit.bundles import Bundles, best_matching
from exactmatch.edit.costs import CostTable, IntTable, cost_table, scale_of
from exactmatch.edit.options import GedOptions
from exactmatch.solvers.problem import Alignment, AlignmentProblem

MAX_TERMS = 20_000_000
"""So many pairs of nodes, or of edges, one problem may have."""

NodePath: TypeAlias = list[tuple[Any, Any]]
"""Pairs of nodes; ``None`` stands for nothing: (u, v), (u, None), (None, v)."""

EdgePath: TypeAlias = list[tuple[Any, Any]]
"""Pairs of edges, each as networkx names it: ``(u, v)`` or ``(u, v, key)``."""

_Path: TypeAlias = list[tuple[int | None, int | None]]


class EditPath(NamedTuple):
    """Edits of nodes and of edges, and what each costs."""

    nodes: NodePath
    edges: EdgePath
    node_costs: list[float]
    edge_costs: list[float]

    @property
    def cost(self) -> float:
        """The sum, in double precision."""
        return math.fsum([*self.node_costs, *self.edge_costs])


class Sides(NamedTuple):
    """The nodes and edges of two graphs, and what editing them costs."""

    nodes: tuple[list[Any], list[Any]]
    edges: tuple[Bundles, Bundles]
    node_costs: CostTable
    edge_costs: CostTable


@dataclass(frozen=True, slots=True, eq=False)
class EditProblem:
    """The alignment problem of two graphs, and the way back to edits.

    Attributes:
        problem: what a solver maximises, in units of ``1 / problem.scale``.
        replacing_all: what deleting and inserting everything costs, less what the
            roots save, in the same units.
        is_exact: whether no cost was rounded.
        nodes, edges: those of both graphs.
        node_costs, edge_costs: what editing them costs.
        root: the numbers of the two nodes that must be substituted, if any.
    """

    problem: AlignmentProblem
    replacing_all: int
    is_exact: bool
    nodes: tuple[list[Any], list[Any]]
    edges: tuple[Bundles, Bundles]
    node_costs: CostTable
    edge_costs: CostTable
    edge_savings: IntTable
    root: tuple[int, int] | None

    @property
    def rounding(self) -> float:
        """The most by which rounding may change the cost of an edit path."""
        if self.is_exact:
            return 0.0
        operations = sum(map(len, self.nodes)) + sum(len(e.names) for e in self.edges)
        return operations / (2 * self.problem.scale)

    def least_cost(self, bound: int) -> float:
        """The lower bound on the cost of all edit paths that a solver's bound implies.

        Args:
            bound: an upper bound on the value of all alignments.
        """
        least = (self.replacing_all - bound) / self.problem.scale
        if self.is_exact:
            return max(least, 0.0)
        return max(math.nextafter(least - self.rounding, -math.inf), 0.0)

    def needless(self, upper_bound: float | None) -> int:
        """A bound on the value of all alignments under which no path costs so little.

        Args:
            upper_bound: what a path may cost at most; ``None``: anything.
        """
        if upper_bound is None or self.least_cost(0) <= upper_bound:
            return 0
        allowed = (max(upper_bound, 0.0) + self.rounding) * self.problem.scale
        value = self.replacing_all - math.floor(allowed)
        while value and self.least_cost(value) <= upper_bound:
            value -= 1
        return value

    def edit_path(self, alignment: Alignment) -> EditPath:
        """The edits that an alignment stands for."""
        right_of = list(alignment)
        if self.root is not None:
            right_of[self.root[0]] = self.root[1]
        nodes = _path(list(enumerate(right_of)), len(self.nodes[1]))
        substituted = {i: j for i, j in nodes if i is not None and j is not None}
        first, second = self.edges
        edges = _path(self._substituted_edges(substituted), len(second.names))
        return EditPath(
            _names(nodes, *self.nodes),
            _names(edges, first.names, second.names),
            self.node_costs.of_path(nodes),
            self.edge_costs.of_path(edges),
        )

    def _substituted_edges(self, right_of: dict[int, int]) -> list[tuple[int, int]]:
        """The edges of the first graph, and what each becomes, -1 for nothing."""
        first, second = self.edges
        becomes = [-1] * len(first.names)
        for (i, k), edges in first.between.items():
            if i in right_of and k in right_of:
                others = second.of(right_of[i], right_of[k])
                for e, f in best_matching(self.edge_savings, edges, others)[1]:
                    becomes[e] = f
        return list(enumerate(becomes))


def compared(asked: GedOptions) -> Sides:
    """Read two networkx graphs, and compute what their edits cost.

    Raises:
        InputError: as :func:`edit_problem` does.
    """
    import networkx

    graphs = g, h = asked.g1, asked.g2
    for graph in graphs:
        if not isinstance(graph, networkx.Graph):
            raise InputError(
                f"{type(graph).__name__} is no networkx graph; make one, for example "
                "with exactmatch.formats.to_networkx"
            )
    if g.is_directed() != h.is_directed():
        raise InputError(
            "one graph is directed and the other is not; make both the same, for "
            "example with to_directed()"
        )
    _check_size(g, h)
    nodes = list(g), list(h)
    first, second = (
        Bundles(graph, {node: n for n, node in enumerate(side)})
        for graph, side in zip(graphs, nodes, strict=True)
    )
    node_costs = cost_table(
        asked, "node", list(g.nodes(data=True)), list(h.nodes(data=True))
    )
    named = (
        [(e, graph.edges[e]) for e in side.names]
        for graph, side in ((g, first), (h, second))
    )
    return Sides(nodes, (first, second), node_costs, cost_table(asked, "edge", *named))


def edit_problem(asked: GedOptions, *, keep_idle: bool = False) -> EditProblem:
    """State the edit distance of two networkx graphs as an alignment problem.

    Args:
        asked: the graphs, and what edits cost.
        keep_idle: whether pairs of nodes that save nothing are candidates too.

    Raises:
        InputError: if only one graph is directed, a root is missing, a cost makes
            no sense, or the problem would become too large.
    """
    nodes, edges, node_costs, edge_costs = compared(asked)
    # Every edge saving counts in two terms at most, one a direction.
    total = node_costs.largest_total + 2 * edge_costs.largest_total
    values = np.concatenate([node_costs.values(), edge_costs.values()])
    scale, is_exact = scale_of(values, total)
    edge_savings = np.maximum(edge_costs.savings(scale), 0)
    unary = node_costs.savings(scale)
    allowed = np.isfinite(node_costs.substitution)
    for i, own in edges[0].loops().items():
        for j, others in edges[1].loops().items():
            unary[i, j] += best_matching(edge_savings, own, others)[0]
    terms = _terms(edge_savings, *edges)
    replacing_all = node_costs.of_replacing_all(scale)
    replacing_all += edge_costs.of_replacing_all(scale)
    at: tuple[int, int] | None = None
    if (root := asked.roots) is not None:
        at = _root_numbers(root, nodes)
        if not allowed[at]:
            raise InputError(
                f"the roots {root[0]!r} and {root[1]!r} may not be substituted"
            )
        replacing_all -= int(unary[at])
        terms = terms.with_root(unary, at)
        allowed[at[0], :] = False
        allowed[:, at[1]] = False
    return EditProblem(
        _assemble(unary, allowed, terms, scale, node_costs, keep_idle),
        replacing_all,
        is_exact,
        nodes,
        edges,
        node_costs,
        edge_costs,
        edge_savings,
        at,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Terms:
    """Pair terms by their nodes.

    Attributes:
        left: the two nodes of the first graph, the smaller first, shape ``(n, 2)``.
        right: what they become, shape ``(n, 2)``.
        weight: what that saves, shape ``(n,)``.
    """

    left: IntTable
    right: IntTable
    weight: IntTable

    def chosen(self, mask: npt.NDArray[np.bool_]) -> _Terms:
        """Select some of the terms."""
        return _Terms(self.left[mask], self.right[mask], self.weight[mask])

    def at(self, end: int) -> tuple[IntTable, IntTable]:
        """One candidate of every term, as an index into a table of candidates."""
        return self.left[:, end], self.right[:, end]

    def with_root(self, unary: IntTable, root: tuple[int, int]) -> _Terms:
        """Add the root's terms to the unary weights of the others; return the rest."""
        is_root = (self.left == root[0]) & (self.right == root[1])
        for end in (0, 1):
            own = self.chosen(is_root[:, end])
            np.add.at(unary, own.at(1 - end), own.weight)
        return self.chosen(~is_root.any(axis=1))


def _terms(savings: IntTable, first: Bundles, second: Bundles) -> _Terms:
    """Savings of the edges between two nodes, for all that these may become."""
    pairs = first.pairs()
    ways = [way for pair in second.pairs() for way in (pair, pair[::-1])]
    weights = _savings(
        savings, [first.of(*pair) for pair in pairs], [second.of(*way) for way in ways]
    )
    if first.directed:
        weights += _savings(
            savings,
            [first.of(*pair[::-1]) for pair in pairs],
            [second.of(*way[::-1]) for way in ways],
        )
    rows, columns = np.nonzero(weights)
    return _Terms(
        np.array(pairs, dtype=np.int64).reshape(-1, 2)[rows],
        np.array(ways, dtype=np.int64).reshape(-1, 2)[columns],
        weights[rows, columns],
    )


def _savings(
    savings: IntTable, own: list[list[int]], others: list[list[int]]
) -> IntTable:
    """Savings of each bundle with each, shape ``(len(own), len(others))``."""
    padded = np.zeros((savings.shape[0] + 1, savings.shape[1] + 1), dtype=np.int64)
    padded[:-1, :-1] = savings  # edge -1 is none, and saves nothing
    rows = np.array([edges[0] if edges else -1 for edges in own], dtype=np.int64)
    columns = np.array([edges[0] if edges else -1 for edges in others], dtype=np.int64)
    saved: IntTable = padded[np.ix_(rows, columns)]
    many_rows = {r for r, edges in enumerate(own) if len(edges) > 1}
    many_columns = {c for c, edges in enumerate(others) if len(edges) > 1}
    for r, edges in enumerate(own):
        for c in range(len(others)) if r in many_rows else many_columns:
            saved[r, c] = best_matching(savings, edges, others[c])[0]
    return saved


def _assemble(
    unary: IntTable,
    allowed: npt.NDArray[np.bool_],
    terms: _Terms,
    scale: int,
    costs: CostTable,
    keep_idle: bool,
) -> AlignmentProblem:
    """Number the candidates that can save anything, and put all in order."""
    if not allowed.all():
        terms = terms.chosen(allowed[terms.at(0)] & allowed[terms.at(1)])
    wanted = allowed.copy()
    if not keep_idle:
        wanted &= unary > 0
        wanted[terms.at(0)] = True
        wanted[terms.at(1)] = True
    number = np.cumsum(wanted, dtype=np.int32).reshape(wanted.shape) - np.int32(1)
    left, right = (nodes.astype(np.int32) for nodes in np.nonzero(wanted))
    first, second = number[terms.at(0)], number[terms.at(1)]
    order = np.lexsort((second, first))
    equal = costs.substitution[wanted] == 0
    return AlignmentProblem(
        wanted.shape[0],
        wanted.shape[1],
        left,
        right,
        unary[wanted],
        first[order],
        second[order],
        terms.weight[order],
        scale,
        np.flatnonzero(equal).astype(np.int32),
    )


def _check_size(g: Any, h: Any) -> None:
    for what, m, n in (
        ("nodes", len(g), len(h)),
        ("edges", g.number_of_edges(), 2 * h.number_of_edges()),
    ):
        if m * n > MAX_TERMS:
            raise InputError(
                f"graphs of these sizes have {m * n:,} pairs of {what} to compare, "
                f"more than the {MAX_TERMS:,} that fit; compare smaller graphs"
            )


def _root_numbers(
    root: tuple[Any, Any], nodes: tuple[list[Any], list[Any]]
) -> tuple[int, int]:
    for node, side, name in zip(root, nodes, ("first", "second"), strict=True):
        if node not in side:
            raise InputError(f"root {node!r} is no node of the {name} graph")
    return nodes[0].index(root[0]), nodes[1].index(root[1])


def _path(becomes: list[tuple[int, int]], size: int) -> _Path:
    """Substitutions, then deletions, then insertions."""
    used = {j for _, j in becomes if j >= 0}
    path: _Path = []
    path += [(i, j) for i, j in becomes if j >= 0]
    path += [(i, None) for i, j in becomes if j < 0]
    path += [(None, j) for j in range(size) if j not in used]
    return path


def _names(path: _Path, first: list[Any], second: list[Any]) -> list[tuple[Any, Any]]:
    return [
        (None if i is None else first[i], None if j is None else second[j])
        for i, j in path
    ]
