"""The networkx backend: its functions about edit distance, proven and fast.

Any of these makes networkx call us::

    nx.graph_edit_distance(G, H, backend="exactmatch")
    NETWORKX_BACKEND_PRIORITY=exactmatch python script.py

Graphs are used as they are; nothing is converted.  :func:`can_run` refuses the calls
that networkx 3.6 answers by another definition, so that a backend never changes a
number: depending on the order of the nodes, networkx also substitutes self-loops by
ordinary edges.  :func:`exactmatch.ged` takes such graphs.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

import numpy as np

from exactmatch.edit.options import SOLVER, GedOptions
from exactmatch.edit.problem import EditPath, EditProblem, Path, edit_problem
from exactmatch.solvers import get_solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

_COSTS = (
    *("node_match", "edge_match"),
    *("node_subst_cost", "node_del_cost", "node_ins_cost"),
    *("edge_subst_cost", "edge_del_cost", "edge_ins_cost"),
)
_BOUNDED = (*_COSTS, "upper_bound")
PARAMETERS = {
    "graph_edit_distance": (*_COSTS, "roots", "upper_bound", "timeout"),
    "optimal_edit_paths": _BOUNDED,
    "optimize_graph_edit_distance": _BOUNDED,
    "optimize_edit_paths": (*_BOUNDED, "strictly_decreasing", "roots", "timeout"),
}
"""What networkx's functions take after the two graphs, in order."""

STAGES = ("hungarian", "bnb:nodes=1", "bnb:nodes=100", SOLVER)
"""Solvers by how long they take; the last one proves that nothing is cheaper."""


# ------------------------------------------------------- what networkx asks for


def convert_from_nx(graph: Any, **options: Any) -> Any:
    """Return the graph itself: no conversion is needed.

    It is not kept in networkx's cache of conversions, where a graph that is used again
    makes networkx warn that the kept one may be out of date.
    """
    del options
    cache = getattr(graph, "__networkx_cache__", None) or {}
    cache.get("backends", {}).pop("exactmatch", None)
    return graph


def convert_to_nx(result: Any, **options: Any) -> Any:
    """Return the result itself: no function of ours returns a graph."""
    del options
    return result


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Whether we answer a call as networkx would; if not, the reason in words."""
    call = _Call(name, *args, **kwargs)
    g, h = call.graphs
    if g.is_directed() != h.is_directed():
        return "one graph is directed and the other is not"
    for one, other in ((g, h), (h, g)):
        if other.number_of_edges() and any(u == v for u, v, *_ in one.edges):
            return "networkx also substitutes self-loops by other edges"
    if not call.options.get("strictly_decreasing", True):
        return "strictly_decreasing=False lists paths in an order of networkx's own"
    return True


# ------------------------------------------------------------- what it gets


def graph_edit_distance(*args: Any, **kwargs: Any) -> float | None:
    """As ``networkx.graph_edit_distance``; proven unless the timeout strikes first."""
    call = _Call("graph_edit_distance", *args, **kwargs)
    stated = call.stated()
    seconds = call.seconds_left()
    if seconds is not None and seconds <= 0:  # networkx, too, returns None here
        return None
    limits = Limits(seconds=seconds, above=stated.useless_value(call.most))
    solution = get_solver(SOLVER).solve(stated.problem, limits)
    distance = stated.edit_path(solution.alignment).cost
    return None if call.exceeds(distance) else distance


def optimize_graph_edit_distance(*args: Any, **kwargs: Any) -> Iterator[float]:
    """As ``networkx.optimize_graph_edit_distance``; the last one is proven."""
    call = _Call("optimize_graph_edit_distance", *args, **kwargs)
    for path in call.improving():
        yield path.cost


def optimize_edit_paths(
    *args: Any, **kwargs: Any
) -> Iterator[tuple[Path, Path, float]]:
    """As ``networkx.optimize_edit_paths``, each cheaper than the one before."""
    for path in _Call("optimize_edit_paths", *args, **kwargs).improving():
        yield path.nodes, path.edges, path.cost


def optimal_edit_paths(
    *args: Any, **kwargs: Any
) -> tuple[list[tuple[Path, Path]], float | None]:
    """As ``networkx.optimal_edit_paths``: all of the cheapest."""
    call = _Call("optimal_edit_paths", *args, **kwargs)
    stated = call.stated(keep_all_pairs=True)
    above = stated.useless_value(call.most)
    found = map(stated.edit_path, optimal_alignments(stated.problem, above))
    paths: list[EditPath] = []
    for path in found:
        if call.exceeds(path.cost):
            return [], None
        paths.append(path)
    least = min((path.cost for path in paths), default=None)
    return [(path.nodes, path.edges) for path in paths], least


class _Call:
    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        self.started = time.perf_counter()
        names = ("G1", "G2", *PARAMETERS[name])
        self.options = {**dict(zip(names, args, strict=False)), **kwargs}
        self.graphs = (self.options["G1"], self.options["G2"])
        self.timeout = self.options.get("timeout")
        self.most = self.options.get("upper_bound")

    def stated(self, *, keep_all_pairs: bool = False) -> EditProblem:
        """The two graphs as an alignment problem, with networkx's own errors."""
        from networkx import NetworkXError, NodeNotFound

        if isinstance(self.timeout, Real) and self.timeout <= 0:
            raise NetworkXError("Timeout value must be greater than 0")
        names = PARAMETERS["graph_edit_distance"]
        known: dict[str, Any] = {name: self.options.get(name) for name in names}
        known["roots"] = known["roots"] or None
        asked = GedOptions(*self.graphs, **known)
        if asked.roots is not None:
            u, v = asked.roots
            if u not in self.graphs[0] or v not in self.graphs[1]:
                raise NodeNotFound("Root node not in graph.")
        return edit_problem(asked, keep_all_pairs=keep_all_pairs)

    def improving(self) -> Iterator[EditPath]:
        """Edit paths within the upper bound, each cheaper than the one before.

        The last one is proven cheapest, unless the time is over before that.
        """
        stated, best = self.stated(), -1
        above = stated.useless_value(self.most)
        for name in STAGES:
            seconds = self.seconds_left()
            left = None if seconds is None else max(seconds, 0.0)
            limits = Limits(seconds=left, above=above)
            solution = get_solver(name).solve(stated.problem, limits)
            if solution.value > best:
                best = solution.value
                path = stated.edit_path(solution.alignment)
                if not self.exceeds(path.cost):
                    yield path
            bound = solution.bound
            if left == 0 or bound == best or (above and bound <= above):
                return

    def seconds_left(self) -> float | None:
        if self.timeout is None:
            return None
        return float(self.timeout) - (time.perf_counter() - self.started)

    def exceeds(self, cost: float) -> bool:
        return self.most is not None and cost > self.most


# ------------------------------------------------- all edit paths of a cost


def optimal_alignments(
    problem: AlignmentProblem, above: int = 0
) -> Iterator[Alignment]:
    """All alignments of the largest value, pairs that add nothing included.

    There are none if *above* is given and the largest value is no larger.

    Node by node, every choice is kept that still leads to the optimum; the search for
    it is repeated for what the choice leaves.  There may be very many.
    """
    best = BranchAndBound().solve(problem, Limits(above=above)).value
    if not above or best > above:
        yield from _completions(problem, (), best)


def _completions(
    problem: AlignmentProblem, chosen: Alignment, needed: int
) -> Iterator[Alignment]:
    """All ways to extend *chosen* to the other left nodes with a gain of *needed*."""
    node = len(chosen)
    if node == problem.n_left:
        yield chosen
        return
    for c in [-1, *np.flatnonzero(problem.left == node).tolist()]:
        rest, gained = _after(problem, node, c)
        if _is_worth(rest, needed - gained):
            j = -1 if c < 0 else int(problem.right[c])
            yield from _completions(rest, (*chosen, j), needed - gained)


def _after(
    problem: AlignmentProblem, node: int, c: int
) -> tuple[AlignmentProblem, int]:
    """The problem left once a node has candidate *c* (-1: none), and the gain."""
    unary = problem.unary.copy()
    keep = problem.left != node
    gained = 0
    if c >= 0:
        keep &= problem.right != problem.right[c]
        gained = int(unary[c])
        ends = problem.first, problem.second
        for own, partner in (ends, ends[::-1]):
            unary[partner[own == c]] += problem.weight[own == c]
    return replace(problem, unary=unary).restricted(keep), gained


def _is_worth(problem: AlignmentProblem, needed: int) -> bool:
    """Whether some alignment is worth *needed*, an upper bound on all values."""
    if needed <= 0:
        return needed == 0
    progress = Progress(problem, Limits())
    found = BranchAndBound().search(problem, progress, above=needed - 1)
    return problem.value(found.alignment) == needed
