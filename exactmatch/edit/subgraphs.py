"""Common subgraphs of two graphs, and subgraph isomorphism.

A *common subgraph* maps some nodes of one graph one-to-one to equal nodes of the
other.  Its size is either

* how many edges both graphs have between mapped nodes (maximum common edge subgraph,
  as chemists compare molecules), or
* how many nodes are mapped, if any two of them are joined by the same edges in both
  graphs, or by none in both (maximum common induced subgraph).

The first is an alignment problem; a connected one is grown pair by pair.  The second
is searched by refining partitions.  If equality of nodes or edges is a function that is
not an equivalence, CP-SAT solves it, with conflicts between candidates.

Sources: Raymond, Gardiner and Willett (2002), "RASCAL: calculation of graph similarity
using maximum common edge subgraphs", for the first and for the similarity; McCreesh,
Prosser and Trimble (2017), "A partitioning algorithm for maximum common subgraph
problems", for the second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import fixed, several
from exactmatch.base.options import function
from exactmatch.edit.costs import CostTable, is_labelled, warn_ignored
from exactmatch.edit.narrowing import narrowed
from exactmatch.edit.options import (
    SOLVER,
    CommonEdgesOptions,
    CommonNodesOptions,
    ContainsOptions,
    GedOptions,
    Matching,
)
from exactmatch.edit.problem import (
    EditProblem,
    Sides,
    best_matching,
    check_networks,
    edit_problem,
    read_sides,
)
from exactmatch.solvers.problem import Alignment, AlignmentProblem, BoolArray, IntArray
from exactmatch.solvers.solution import Limits, Solution

MAX_PAIRS = 4000
"""The most pairs of equal nodes for which CP-SAT searches induced common subgraphs."""


@dataclass(frozen=True, slots=True, repr=False)
class CommonSubgraph:
    """Largest common subgraph known, and an upper bound on the size of all.

    Attributes:
        nodes: the mapped nodes, as pairs.
        edges: the common edges between them, as pairs, each edge as networkx names it.
        size: the number of its edges, or of its nodes if it is induced.
        bound: no common subgraph has more.
        sizes: the numbers of nodes and edges of the first graph, then of the second.
        solution: the solution of its problem.
        compared: the attributes that equal nodes and edges share, in words.

    >>> import exactmatch
    >>> import networkx
    >>> path, ring = networkx.path_graph(3), networkx.cycle_graph(4)
    >>> common = exactmatch.maximum_common_edge_subgraph(path, ring)
    >>> common.size, common.bound
    (2, 2)
    >>> common
    3 nodes and 2 edges in common, proven; similarity 0.6250
    """

    nodes: list[tuple[Any, Any]]
    edges: list[tuple[Any, Any]]
    size: int
    bound: int
    sizes: tuple[int, int, int, int]
    solution: Solution
    compared: str = ""

    def __repr__(self) -> str:
        proof = "proven" if self.proven else f"not proven, size at most {self.bound}"
        nodes = several(len(self.nodes), "node")
        edges = several(len(self.edges), "edge")
        similarity = f"similarity {fixed(self.similarity, 4)}"
        compared = f"{self.compared}; " if is_labelled(self.compared) else ""
        return f"{nodes} and {edges} in common, {proof}; {compared}{similarity}"

    @property
    def proven(self) -> bool:
        """True if no common subgraph is larger."""
        return self.size == self.bound

    @property
    def similarity(self) -> float:
        """``(|V| + |E|)² / ((|V1| + |E1|) (|V2| + |E2|))``, 0 to 1.

        That is the similarity of Raymond and others (2002).  Two graphs without nodes
        have similarity 1; if only one of them has no nodes, the similarity is 0.
        """
        first, second = sum(self.sizes[:2]), sum(self.sizes[2:])
        if not first or not second:
            return float(first == second)
        return (len(self.nodes) + len(self.edges)) ** 2 / (first * second)


@dataclass(frozen=True, slots=True, repr=False)
class SubgraphEmbedding:
    """Embedding of a small graph in a large one; false if none is known.

    Attributes:
        mapping: the node of the large graph for every node of the small one, or
            ``None`` if no embedding is known.
        proven: whether the answer is certain; only a timeout leaves it open.

    >>> import exactmatch
    >>> import networkx
    >>> ring, triangle = networkx.cycle_graph(4), networkx.cycle_graph(3)
    >>> embedding = exactmatch.edit.contains(ring, triangle)
    >>> embedding.mapping is None, embedding.proven
    (True, True)
    """

    mapping: dict[Any, Any] | None
    proven: bool

    def __bool__(self) -> bool:
        return self.mapping is not None

    def __repr__(self) -> str:
        if self.mapping is not None:
            return f"contained; {several(len(self.mapping), 'node')} mapped"
        return (
            "not contained, proven" if self.proven else "no embedding found; not proven"
        )


def edge_study(options: CommonEdgesOptions) -> CommonSubgraph:
    """Compute the common subgraph of two networkx graphs with the most edges.

    Both graphs have equal edges, parallel ones and self-loops included, between its
    nodes, and each may have more.  With ``connected=True`` it is connected: the solver
    bounds its size (default: 100 nodes of branch and bound), and a search that adds
    adjacent pairs, one after another, finds it.

    Raises:
        InputError: if only one graph is directed, or an argument is not of its kind; if
            the subgraph must be connected, and equality is not an equivalence.

    Example:
        >>> import networkx as nx
        >>> maximum_common_edge_subgraph(nx.cycle_graph(5), nx.path_graph(4)).size
        3
    """
    compared = _check_arguments(options.g1, options.g2, options)
    common = _most_edges(options)
    return replace(common, compared=compared)


def _most_edges(options: CommonEdgesOptions) -> CommonSubgraph:
    kept = _keeping_edges(options.g1, options.g2, options)
    pair_problem = edit_problem(kept, narrow=_narrowed)
    limits = Limits(options.seconds)
    if not options.connected:
        solution = options.chosen_solver().solve(pair_problem.problem, limits)
        return _common(pair_problem.sides, pair_problem.improved(solution))
    from exactmatch.edit.searches import largest_connected
    from exactmatch.solvers import get_solver

    is_free = options.solver == SOLVER
    solver = get_solver("bnb:nodes=100") if is_free else options.chosen_solver()
    solution = pair_problem.improved(solver.solve(pair_problem.problem, limits))
    seconds = None
    if limits.seconds is not None:
        seconds = max(limits.seconds - solution.seconds, 0.0)
    start = _largest_piece(pair_problem.sides, solution.alignment)
    grown = largest_connected(pair_problem.sides, seconds, start, solution)
    if grown is None:
        raise InputError(
            "a connected subgraph is searched only where equality is an equivalence; "
            "compare by attributes"
        )
    return _common(pair_problem.sides, grown)


def node_study(options: CommonNodesOptions) -> CommonSubgraph:
    """Compute the common induced subgraph of two networkx graphs with the most nodes.

    Between any two of its nodes, and from each to itself, both graphs have equal edges
    and equally many.  It need not be connected, unless ``connected=True``.

    Raises:
        InputError: if only one graph is directed, or an argument is not of its kind; if
            the graphs have more than 512 nodes, or equality is not an equivalence, and
            there are more than :data:`MAX_PAIRS` pairs of equal nodes, or the subgraph
            must be connected.

    Example:
        >>> import networkx as nx
        >>> maximum_common_induced_subgraph(nx.cycle_graph(6), nx.path_graph(5)).size
        5
    """
    compared = _check_arguments(options.g1, options.g2, options)
    keeping_edges = _keeping_edges(options.g1, options.g2, options)
    common = _most_nodes(keeping_edges, options.seconds, connected=options.connected)
    return replace(common, compared=compared)


def containing_study(options: ContainsOptions) -> SubgraphEmbedding:
    """Search for an embedding of a small networkx graph in a large one.

    Raises:
        InputError: if only one graph is directed, or an argument is not of its kind.

    Example:
        >>> import networkx as nx
        >>> bool(contains(nx.cycle_graph(3), nx.wheel_graph(5)))
        True
    """
    from exactmatch.solvers.bnb import BranchAndBound
    from exactmatch.solvers.progress import Progress

    small, large = options.small, options.large
    _check_arguments(small, large, options)
    problem = edit_problem(_keeping_edges(small, large, options, 1.0)).problem
    everything = len(small) + small.number_of_edges()
    progress = Progress(problem, Limits(options.seconds))
    result = BranchAndBound().search(problem, progress, above=everything - 1)
    if problem.value(result.alignment) < everything:
        refuted = result.bound is not None and result.bound < everything
        return SubgraphEmbedding(None, refuted)
    nodes = list(small), list(large)
    mapping = {nodes[0][i]: nodes[1][j] for i, j in enumerate(result.alignment)}
    image = large.subgraph(mapping.values())
    if options.induced and image.number_of_edges() > small.number_of_edges():
        keeping_edges, unproven = (
            _keeping_edges(small, large, options),
            progress.seconds_left(),
        )
        common = _most_nodes(keeping_edges, unproven, above=len(small) - 1)
        if common.size < len(small):
            return SubgraphEmbedding(None, common.bound < len(small))
        return SubgraphEmbedding(dict(common.nodes), True)
    return SubgraphEmbedding(mapping, True)


maximum_common_edge_subgraph = function(
    "maximum_common_edge_subgraph", CommonEdgesOptions, edge_study
)
maximum_common_induced_subgraph = function(
    "maximum_common_induced_subgraph", CommonNodesOptions, node_study
)
contains = function("contains", ContainsOptions, containing_study)


def _check_arguments(g: Any, h: Any, options: Matching) -> str:
    """Raise an error for wrong graphs or attributes; warn if attributes are ignored.

    Returns:
        By what the graphs are compared.
    """
    check_networks((g, h))
    return warn_ignored((g, h), options)


def _keeping_edges(g: Any, h: Any, options: Matching, node: float = 0.0) -> GedOptions:
    """Return costs by which the distance counts the edges that are not kept.

    Deleting an edge of the first graph costs 1, deleting a node of it costs *node*.
    """
    matches = options.node_match, options.edge_match
    of_nodes, of_edges = (math.inf, node, 0.0), (math.inf, 1.0, 0.0)
    return GedOptions(g, h, *matches, node_costs=of_nodes, edge_costs=of_edges)


def _narrowed(
    sides: Sides,
    savings: IntArray,
    scale: int,
    replacing_all: int,
    allowed: BoolArray,
) -> Alignment | None:
    """Narrow the problem as that of a distance in which edges of both graphs cost 1."""
    costs = sides.edge_costs
    costs = CostTable(costs.deletion, np.ones_like(costs.insertion), costs.substitution)
    both = sides._replace(edge_costs=costs)
    of_both = replacing_all + scale * len(sides.edges[1].names)
    return narrowed(both, 2 * savings, scale, of_both, allowed)


def _most_nodes(
    options: GedOptions,
    seconds: float | None,
    *,
    connected: bool = False,
    above: int = 0,
) -> CommonSubgraph:
    """Search for the largest induced subgraph, with more than *above* nodes."""
    from exactmatch.edit.induced import LARGEST, largest_induced

    sides = read_sides(options)
    solution = largest_induced(sides, seconds, connected=connected, above=above)
    if solution is not None:
        return _common(sides, solution)
    if connected:
        raise InputError(
            f"a connected subgraph is searched only in graphs of at most {LARGEST} "
            "nodes, and where equality is an equivalence; compare by attributes, or "
            "smaller graphs"
        )
    from exactmatch.solvers.cpsat import ConflictFree

    problem, left, right = _induced(edit_problem(options))
    return _common(sides, ConflictFree(left, right).solve(problem, Limits(seconds)))


def _common(sides: Sides, solution: Solution) -> CommonSubgraph:
    first, second = sides.edges
    edges = sorted(chain(*_common_edges(sides, solution.alignment).values()))
    mapped = ((i, j) for i, j in enumerate(solution.alignment) if j >= 0)
    return CommonSubgraph(
        [(sides.nodes[0][i], sides.nodes[1][j]) for i, j in mapped],
        [(first.names[e], second.names[f]) for e, f in edges],
        solution.value,
        solution.bound,
        (len(sides.nodes[0]), len(first.names), len(sides.nodes[1]), len(second.names)),
        solution,
    )


def _common_edges(
    sides: Sides, alignment: Alignment
) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Return the common edges between mapped nodes, by the nodes of the first graph."""
    equal = np.isfinite(sides.edge_costs.substitution).astype(np.int64)
    return sides.matched_edges(equal, alignment)


def _largest_piece(sides: Sides, alignment: Alignment) -> tuple[Alignment, int]:
    """Return the connected part of an alignment with the most edges, and its size."""
    import networkx

    common = _common_edges(sides, alignment)
    best: tuple[Alignment, int] = (-1,) * len(alignment), 0
    for piece in networkx.connected_components(networkx.Graph(common.keys())):
        size = sum(len(pairs) for ends, pairs in common.items() if ends[0] in piece)
        if size > best[1]:
            kept = (j if i in piece else -1 for i, j in enumerate(alignment))
            best = tuple(kept), size
    return best


def _induced(pair_problem: EditProblem) -> tuple[AlignmentProblem, IntArray, IntArray]:
    """Return a problem in which pairs of equal nodes count 1, and its conflicts.

    Two pairs conflict unless both graphs have the same edges between their nodes.
    """
    kept, kinds = _kept_bundles(pair_problem)
    equal = np.isfinite(pair_problem.sides.node_costs.substitution)
    m, n = equal.shape
    loops = [np.diag(table) for table in kinds]
    equal &= kept[np.ix_(*loops)]
    left, right = (nodes.astype(np.int32) for nodes in np.nonzero(equal))
    if len(left) > MAX_PAIRS:
        raise InputError(
            f"there are {len(left):,} pairs of equal nodes, and induced subgraphs are "
            f"searched among at most {MAX_PAIRS:,}; compare smaller graphs"
        )
    none = np.zeros(0, dtype=np.int32)
    firsts, seconds = [none], [none]
    for c in range(len(left)):
        after = slice(c + 1, None)
        keeps = kept[kinds[0][left[c], left[after]], kinds[1][right[c], right[after]]]
        is_disjoint = (left[after] != left[c]) & (right[after] != right[c])
        conflicting = np.flatnonzero(is_disjoint & ~keeps) + c + 1
        firsts.append(np.full(len(conflicting), c, dtype=np.int32))
        seconds.append(conflicting.astype(np.int32))
    counts = dict.fromkeys(zip(left.tolist(), right.tolist(), strict=True), 1)
    problem = AlignmentProblem.from_weights(m, n, counts, {})
    return problem, np.concatenate(firsts), np.concatenate(seconds)


def _kept_bundles(pair_problem: EditProblem) -> tuple[BoolArray, list[IntArray]]:
    """Compare bundles of edges, and number the bundle that joins each two nodes.

    Bundle 0 means that there is no edge.  The two directions of a pair of nodes have
    numbers of their own.
    """
    kinds, bundles = [], []
    for nodes, side in zip(
        pair_problem.sides.nodes, pair_problem.sides.edges, strict=True
    ):
        kind = np.zeros((len(nodes), len(nodes)), dtype=np.int32)
        joints: list[tuple[list[int], list[int]]] = [([], [])]
        for i, k in {pair for ends in side.between for pair in (ends, ends[::-1])}:
            kind[i, k] = len(joints)
            joints.append((side.of(i, k), side.of(k, i)))
        kinds.append(kind)
        bundles.append(joints)
    kept = np.zeros((len(bundles[0]), len(bundles[1])), dtype=np.bool_)
    for a, left in enumerate(bundles[0]):
        for b, right in enumerate(bundles[1]):
            kept[a, b] = all(
                len(left_way) == len(right_way)
                and len(left_way)
                == best_matching(pair_problem.edge_savings, left_way, right_way)[0]
                for left_way, right_way in zip(left, right, strict=True)
            )
    return kept, kinds
