"""The edit distance of two graphs as an alignment problem.

One edit path deletes the whole first graph and inserts the whole second one.  Every
other one is cheaper by what its substitutions save:

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
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.limits import MAX_TERMS, PLACE_TERMS
from exactmatch.edit.costs import CostTable, cost_table, least_of, scale_of
from exactmatch.edit.options import GedOptions
from exactmatch.solvers import matching
from exactmatch.solvers.problem import (
    Alignment,
    AlignmentProblem,
    BoolArray,
    IntArray,
)
from exactmatch.solvers.solution import Solution

Path: TypeAlias = list[tuple[Any, Any]]
"""Pairs of nodes, or of edges as networkx names them; ``None`` stands for nothing."""


_ROWS = 256
"""The bundles of the first graph whose terms are made at once, to save memory."""

_SECONDS_A_TERM = 3e-7
"""The time that a term takes at least until a solver has it."""


class Bundles:
    """Edges of a graph by the nodes that they join.

    Attributes:
        names: all edges, as networkx names them.
        directed: whether they have a direction.
        ends: of each edge the numbers of its nodes, smaller first if undirected.
        between: the numbers of all edges with the same ends, self-loops included.
    """

    def __init__(self, graph: Any) -> None:
        number = {node: n for n, node in enumerate(graph)}
        self.names = list(graph.edges)
        self.directed = bool(graph.is_directed())
        self.ends = [self._way(number[u], number[v]) for u, v, *_ in self.names]
        self.between: dict[tuple[int, int], list[int]] = {}
        for e, ends in enumerate(self.ends):
            self.between.setdefault(ends, []).append(e)

    def _way(self, i: int, k: int) -> tuple[int, int]:
        return (i, k) if self.directed or i <= k else (k, i)

    def of(self, i: int, k: int) -> list[int]:
        """Return the edges from node *i* to *k*; if undirected, those between them."""
        return self.between.get(self._way(i, k), [])

    @cached_property
    def is_plain(self) -> bool:
        """True if edges have no direction, and none is parallel to another."""
        return not self.directed and len(self.between) == len(self.names)

    def plain_edges(self) -> tuple[IntArray, IntArray]:
        """Return the numbers of the edges but loops, and their ends, shape (n, 2)."""
        ends = np.array(self.ends, dtype=np.int64).reshape(-1, 2)
        numbers = np.flatnonzero(ends[:, 0] != ends[:, 1])
        return numbers, ends[numbers]

    def loops(self) -> dict[int, list[int]]:
        """Return the self-loops of every node that has one."""
        return {i: edges for (i, k), edges in self.between.items() if i == k}

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of different nodes that are joined, smaller first."""
        return sorted({(min(e), max(e)) for e in self.between if e[0] != e[1]})


def best_matching(
    savings: IntArray, left_edges: Sequence[int], right_edges: Sequence[int]
) -> tuple[int, list[tuple[int, int]]]:
    """Match parallel edges so that most is saved; return the saving and the pairs."""
    if not left_edges or not right_edges:
        return 0, []
    if len(left_edges) == len(right_edges) == 1:
        saving = int(savings[left_edges[0], right_edges[0]])
        return saving, [(left_edges[0], right_edges[0])] if saving > 0 else []
    table = savings[np.ix_(left_edges, right_edges)]
    rows, columns = matching.best_matching(table)
    pairs = [
        (left_edges[r], right_edges[c])
        for r, c in zip(rows.tolist(), columns.tolist(), strict=True)
        if table[r, c] > 0
    ]
    return int(table[rows, columns].sum()), pairs


class EditPath(NamedTuple):
    """Edits of nodes and edges, and the cost of each."""

    nodes: Path
    edges: Path
    node_costs: list[float]
    edge_costs: list[float]

    @property
    def cost(self) -> float:
        """Sum of all costs, in double precision."""
        return math.fsum([*self.node_costs, *self.edge_costs])


class Sides(NamedTuple):
    """Nodes and edges of two graphs, and the costs of editing them."""

    nodes: tuple[list[Any], list[Any]]
    edges: tuple[Bundles, Bundles]
    node_costs: CostTable
    edge_costs: CostTable

    def matched_edges(
        self, savings: IntArray, right_of: Sequence[int]
    ) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """Return the substituted edges between each two nodes of the first graph."""
        first, second = self.edges
        matches = {
            (i, k): best_matching(
                savings, first_edges, second.of(right_of[i], right_of[k])
            )[1]
            for (i, k), first_edges in first.between.items()
            if right_of[i] >= 0 and right_of[k] >= 0
        }
        return {ends: pairs for ends, pairs in matches.items() if pairs}


Narrow: TypeAlias = Callable[[Sides, IntArray, int, int, BoolArray], Alignment | None]
"""Finds an alignment of the sides of a problem, and narrows what may be substituted.

Arguments are the sides, what edges save, the scale, the cost of replacing everything,
and the allowed substitutions of nodes, as a table.  It forbids there what neither
its alignment nor a better one has."""


@dataclass(frozen=True, slots=True, eq=False)
class EditProblem:
    """Alignment problem of two graphs, and the way back to edits.

    Attributes:
        problem: what a solver maximises, in units of ``1 / problem.scale``.
        replacing_all: what deleting and inserting everything costs, less what the
            roots save, in the same units.
        is_exact: whether no cost was rounded.
        edge_savings: what substituting each edge by each saves, 0 or more.
        root: the numbers of the two nodes that must be substituted, if any.
        start: an alignment to begin with, if the problem was narrowed: candidates that
            no better alignment has were left out.
        most: an upper bound on values, if there was no time to build the problem, which
            has no candidates then.
    """

    problem: AlignmentProblem
    replacing_all: int
    is_exact: bool
    sides: Sides
    edge_savings: IntArray
    root: tuple[int, int] | None
    start: Alignment | None = None
    most: int | None = None

    def unsearched(self, solver: str) -> Solution | None:
        """Return the solution of a problem that there was no time to build."""
        if self.most is None:
            return None
        alignment = self.start or (-1,) * self.problem.n_left
        cost = self.edit_path(alignment).cost
        value = self.replacing_all - math.ceil(cost * self.problem.scale)
        value = min(max(value, 0), self.most)
        return Solution(alignment, value, self.most, solver, "none", 0.0)

    def improved(self, solution: Solution) -> Solution:
        """Return the solution, with the alignment to begin with if that is better."""
        if self.start is None or self.most is not None:
            return solution
        value = self.problem.value(self.start)
        if value <= solution.value:
            return solution
        bound = max(solution.bound, value)
        return replace(solution, alignment=self.start, value=value, bound=bound)

    @property
    def rounding(self) -> float:
        """Largest change of the cost of an edit path by rounding."""
        if self.is_exact:
            return 0.0
        edges = sum(len(bundles.names) for bundles in self.sides.edges)
        return (sum(map(len, self.sides.nodes)) + edges) / (2 * self.problem.scale)

    def cost(self, alignment: Alignment, value: int) -> float:
        """Return the cost of the edit path of an alignment, which has this value.

        It is the sum of the costs of the path, to the last bit.
        """
        scale = self.problem.scale
        if self.is_exact and scale & (scale - 1) == 0:  # sums of doubles are exact
            return (self.replacing_all - value) / scale
        return self.edit_path(alignment).cost

    def least_cost(self, bound: int) -> float:
        """Return the lower bound on costs that an upper bound on values implies."""
        least = self.replacing_all - bound
        return max(least_of(least, self.problem.scale, self.rounding), 0.0)

    def useless_value(self, upper_bound: float | None) -> int:
        """Return a value up to which every path costs more than *upper_bound*."""
        if upper_bound is None or self.least_cost(0) <= upper_bound:
            return 0
        allowed = (max(upper_bound, 0.0) + self.rounding) * self.problem.scale
        value = self.replacing_all - math.floor(allowed)
        while value and self.least_cost(value) <= upper_bound:
            value -= 1
        return value

    def edit_path(self, alignment: Alignment) -> EditPath:
        """Return the edits that an alignment stands for."""
        nodes, edges = self.sides.nodes, self.sides.edges
        right_of = list(alignment)
        if self.root is not None:
            right_of[self.root[0]] = self.root[1]
        becomes = [-1] * len(edges[0].names)
        matched = self.sides.matched_edges(self.edge_savings, right_of)
        for e, f in chain(*matched.values()):
            becomes[e] = f
        node_path, node_costs = _edits(right_of, self.sides.node_costs, *nodes)
        names = edges[0].names, edges[1].names
        edge_path, edge_costs = _edits(becomes, self.sides.edge_costs, *names)
        return EditPath(node_path, edge_path, node_costs, edge_costs)


def _edits(
    right_of: Sequence[int], costs: CostTable, first: list[Any], second: list[Any]
) -> tuple[Path, list[float]]:
    """Return substitutions, then deletions, then insertions, and the cost of each."""
    becomes, used = list(enumerate(right_of)), set(right_of)
    kept = [(i, j) for i, j in becomes if j >= 0]
    edits = [(first[i], second[j], costs.substitution[i, j]) for i, j in kept]
    edits += [(first[i], None, costs.deletion[i]) for i, j in becomes if j < 0]
    new = [j for j in range(len(second)) if j not in used]
    edits += [(None, second[j], costs.insertion[j]) for j in new]
    return [edit[:2] for edit in edits], [float(edit[2]) for edit in edits]


def check_networks(graphs: Iterable[Any]) -> None:
    """Raise an error unless all are networkx graphs."""
    import networkx

    for graph in graphs:
        if not isinstance(graph, networkx.Graph):
            raise InputError(
                f"{type(graph).__name__} is not a networkx graph; make one, for "
                "example with exactmatch.formats.to_networkx, or name the format of a "
                "text by format_in"
            )


def check_sizes(nodes: tuple[int, int], edges: tuple[int, int]) -> None:
    """Raise an error if two graphs have too many pairs of nodes or of edges."""
    for item_name, m, n, limit in (
        ("nodes", *nodes, MAX_TERMS // PLACE_TERMS),
        ("edges", edges[0], 2 * edges[1], MAX_TERMS),
    ):
        if m * n > limit:
            raise InputError(
                f"graphs of these sizes have {m * n:,} pairs of {item_name} to "
                f"compare, more than the {limit:,} that fit; compare smaller graphs"
            )


def read_sides(options: GedOptions) -> Sides:
    """Read two networkx graphs, and compute the costs of their edits."""
    graphs = g, h = options.g1, options.g2
    check_networks(graphs)
    if g.is_directed() != h.is_directed():
        raise InputError(
            "one graph is directed and the other is not; make both the same, for "
            "example with to_directed()"
        )
    check_sizes((len(g), len(h)), (g.number_of_edges(), h.number_of_edges()))
    edges = Bundles(g), Bundles(h)
    nodes = [list(graph.nodes(data=True)) for graph in graphs]
    named_edges = [
        [(e, graph.edges[e]) for e in bundles.names]
        for graph, bundles in zip(graphs, edges, strict=True)
    ]
    node_costs = cost_table(options, "node", *nodes)
    edge_costs = cost_table(options, "edge", *named_edges)
    return Sides((list(g), list(h)), edges, node_costs, edge_costs)


def edit_problem(
    options: GedOptions,
    *,
    keep_all_pairs: bool = False,
    narrow: Narrow | None = None,
    seconds: float | None = None,
) -> EditProblem:
    """State the edit distance of two networkx graphs as an alignment problem.

    Args:
        options: the graphs, and the costs of edits.
        keep_all_pairs: keep pairs of nodes that save nothing as candidates, too.
        narrow: see :data:`Narrow`.
        seconds: how long it may take; see ``EditProblem.most``.
    """
    sides = read_sides(options)
    root = _root_of(options, sides)
    return problem_of(
        sides, root, keep_all_pairs=keep_all_pairs, narrow=narrow, seconds=seconds
    )


def problem_of(
    sides: Sides,
    root: tuple[int, int] | None = None,
    *,
    keep_all_pairs: bool = False,
    narrow: Narrow | None = None,
    seconds: float | None = None,
) -> EditProblem:
    """State the edit distance of two graphs as an alignment problem.

    Args:
        sides: the graphs, and the costs of edits.
        root: the numbers of two nodes that must be substituted.
        keep_all_pairs: keep pairs of nodes that save nothing as candidates, too.
        narrow: see :data:`Narrow`.
        seconds: how long it may take; see ``EditProblem.most``.
    """
    begun = time.perf_counter()

    def is_late(ahead: float = 0.0) -> bool:
        return seconds is not None and time.perf_counter() - begun + ahead >= seconds

    nodes, edges, node_costs, edge_costs = sides
    # Every edge saving counts in two terms at most, one a direction.
    total = node_costs.largest_total + 2 * edge_costs.largest_total
    values = np.concatenate([node_costs.values(), edge_costs.values()])
    scale, is_exact = scale_of(values, total)
    edge_savings = np.maximum(edge_costs.savings(scale), 0)
    unary = node_costs.savings(scale)
    allowed = np.isfinite(node_costs.substitution)
    for i, left_edges in edges[0].loops().items():
        for j, right_edges in edges[1].loops().items():
            unary[i, j] += best_matching(edge_savings, left_edges, right_edges)[0]
    replacing_all = node_costs.of_replacing_all(scale)
    replacing_all += edge_costs.of_replacing_all(scale)
    start = None
    if narrow is not None and is_exact and root is None:
        start = narrow(sides, edge_savings, scale, replacing_all, allowed)
    if root is not None:
        replacing_all -= int(unary[root])
    parts = replacing_all, is_exact, sides, edge_savings, root, start
    n_terms = 2 * np.count_nonzero(edge_savings)
    if is_late(_SECONDS_A_TERM * n_terms if start is None else 0.0):
        return _not_built(unary, allowed, scale, *parts)
    kept = None if start is None else allowed
    first, second, weight = _terms(edge_savings, *edges, len(nodes[1]), kept)
    if is_late(_SECONDS_A_TERM / 2 * len(first)):
        return _not_built(unary, allowed, scale, *parts)
    if root is not None:
        cell = root[0] * len(nodes[1]) + root[1]
        for end, partner in ((first, second), (second, first)):
            earning = np.unravel_index(partner[end == cell], unary.shape)
            np.add.at(unary, earning, weight[end == cell])
        allowed[root[0], :] = False
        allowed[:, root[1]] = False
    if not allowed.all():
        keep = np.take(allowed, first) & np.take(allowed, second)
        first, second, weight = first[keep], second[keep], weight[keep]
    is_candidate = allowed.copy()
    if not keep_all_pairs:
        is_candidate &= unary > 0
        np.put(is_candidate, np.concatenate((first, second)), True)
    left, right = (ends.astype(np.int32) for ends in np.nonzero(is_candidate))
    number = np.cumsum(is_candidate, dtype=np.int32) - np.int32(1)
    order = np.lexsort((second, first))
    terms = number[first[order]], number[second[order]], weight[order]
    equal = np.flatnonzero(node_costs.substitution[is_candidate] == 0).astype(np.int32)
    m, n = is_candidate.shape
    candidates = left, right, unary[is_candidate]
    problem = AlignmentProblem(m, n, *candidates, *terms, scale, equal)
    return EditProblem(problem, *parts)


def _not_built(
    unary: IntArray,
    allowed: BoolArray,
    scale: int,
    replacing_all: int,
    is_exact: bool,
    sides: Sides,
    edge_savings: IntArray,
    root: tuple[int, int] | None,
    start: Alignment | None,
) -> EditProblem:
    """Return a problem without candidates, and a bound on the values of its own.

    Each node and each edge saves at most what it saves by its best partner.
    """
    saved = np.where(allowed, np.maximum(unary, 0), 0)
    if root is not None:
        saved[root[0], :] = saved[:, root[1]] = 0
    most = sum(
        min(int(table.max(axis=side, initial=0).sum()) for side in (0, 1))
        for table in (saved, edge_savings)
    )
    none32, none64 = np.zeros(0, np.int32), np.zeros(0, np.int64)
    empty_candidates = none32, none32, none64
    m, n = unary.shape
    problem = AlignmentProblem(m, n, *empty_candidates, none32, none32, none64, scale)
    costs = replacing_all, is_exact, sides, edge_savings, root, start
    return EditProblem(problem, *costs, most)


def _root_of(options: GedOptions, sides: Sides) -> tuple[int, int] | None:
    """Return the numbers of the roots; an error if they cannot be substituted."""
    if options.roots is None:
        return None
    nodes, (u, v) = sides.nodes, options.roots
    for node, side, name in ((u, nodes[0], "first"), (v, nodes[1], "second")):
        if node not in side:
            raise InputError(f"root {node!r} is not a node of the {name} graph")
    root = nodes[0].index(u), nodes[1].index(v)
    if not np.isfinite(sides.node_costs.substitution[root]):
        raise InputError(f"the roots {u!r} and {v!r} may not be substituted")
    return root


def _terms(
    savings: IntArray,
    first: Bundles,
    second: Bundles,
    width: int,
    allowed: BoolArray | None,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return a term for each edge and each edge that it may become.

    A term has two cells of the table of substitutions, which has rows of this *width*,
    the smaller cell first, and what is saved if both are chosen.  Terms of cells that
    are not *allowed* are left out.
    """
    if allowed is None and first.is_plain and second.is_plain:
        return _plain_terms(savings, first, second, width)
    pairs = first.pairs()
    ways = [way for pair in second.pairs() for way in (pair, pair[::-1])]
    if allowed is None or len(pairs) <= _ROWS:
        return _terms_of(savings, first, second, width, pairs, ways, allowed)
    parts = [
        _terms_of(savings, first, second, width, pairs[k : k + _ROWS], ways, allowed)
        for k in range(0, len(pairs), _ROWS)
    ]
    first_cells, second_cells, weights = (
        np.concatenate(part) for part in zip(*parts, strict=True)
    )
    return first_cells, second_cells, weights


def _terms_of(
    savings: IntArray,
    first: Bundles,
    second: Bundles,
    width: int,
    pairs: list[tuple[int, int]],
    ways: list[tuple[int, int]],
    allowed: BoolArray | None,
) -> tuple[IntArray, IntArray, IntArray]:
    weights = np.zeros((len(pairs), len(ways)), dtype=np.int64)
    for step in (1, -1) if first.directed else (1,):
        first_candidates = [first.of(*pair[::step]) for pair in pairs]
        weights += _savings(
            savings, first_candidates, [second.of(*way[::step]) for way in ways]
        )
    left, right = (np.array(ends, np.int64).reshape(-1, 2) for ends in (pairs, ways))
    if allowed is not None:
        for end in (0, 1):
            weights *= allowed[np.ix_(left[:, end], right[:, end])]
    rows, columns = np.nonzero(weights)
    cells = width * left[rows] + right[columns]
    return cells[:, 0], cells[:, 1], weights[rows, columns]


def _plain_terms(
    savings: IntArray, first: Bundles, second: Bundles, width: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Return the terms of undirected graphs without parallel edges."""
    (left_edges, joined), (right_edges, ways) = (
        first.plain_edges(),
        second.plain_edges(),
    )
    weights = np.take(np.take(savings, left_edges, axis=0), right_edges, axis=1)
    rows, columns = np.nonzero(weights)
    weight = np.repeat(weights[rows, columns], 2)
    left = np.repeat(joined[rows], 2, axis=0)
    right = np.stack([ways[columns], ways[columns][:, ::-1]], axis=1).reshape(-1, 2)
    cells = width * left + right
    return cells[:, 0], cells[:, 1], weight


def _savings(
    savings: IntArray, left_bundles: list[list[int]], right_bundles: list[list[int]]
) -> IntArray:
    """Return what each left bundle saves by each right one, as a table."""
    padded = np.zeros((savings.shape[0] + 1, savings.shape[1] + 1), dtype=np.int64)
    padded[:-1, :-1] = savings  # edge -1 is none, and saves nothing
    rows = np.array(
        [edges[0] if edges else -1 for edges in left_bundles], dtype=np.int64
    )
    columns = np.array(
        [edges[0] if edges else -1 for edges in right_bundles], dtype=np.int64
    )
    saved: IntArray = padded[np.ix_(rows, columns)]
    many_rows = {r for r, edges in enumerate(left_bundles) if len(edges) > 1}
    many_columns = {c for c, edges in enumerate(right_bundles) if len(edges) > 1}
    for r, edges in enumerate(left_bundles):
        for c in range(len(right_bundles)) if r in many_rows else many_columns:
            saved[r, c] = best_matching(savings, edges, right_bundles[c])[0]
    return saved
