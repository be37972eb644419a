"""Backend for networkx: its functions of edit distance, proven and fast.

Any of these makes networkx call us::

    nx.graph_edit_distance(G, H, backend="exactmatch")
    NETWORKX_BACKEND_PRIORITY=exactmatch python script.py

Graphs are not converted.  A backend must not change a number, so :func:`can_run`
refuses calls that networkx 3.6 answers by another definition: depending on the order of
the nodes, networkx also substitutes self-loops by ordinary edges.
:func:`exactmatch.ged` takes such graphs.
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
"""Parameters of networkx's functions after the two graphs, in order."""

STAGES = ("hungarian", "bnb:nodes=1", "bnb:nodes=100", SOLVER)
"""Solvers, the fastest first; the last one proves that no path is cheaper."""


# ------------------------------------------- the interface of a networkx backend


def convert_from_nx(graph: Any, **options: Any) -> Any:
    """Return the graph itself: no conversion is needed.

    Remove it from networkx's cache of conversions: for a graph that is used again,
    networkx would warn that the cached one may be out of date.
    """
    del options
    cache = getattr(graph, "__networkx_cache__", None) or {}
    cache.get("backends", {}).pop("exactmatch", None)
    return graph


def convert_to_nx(result: Any, **options: Any) -> Any:
    """Return the result itself: none of our functions returns a graph."""
    del options
    return result


def can_run(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool | str:
    """Return true if we answer a call as networkx does, else the reason why not."""
    call = _Call(name, *args, **kwargs)
    g, h = call.graphs
    if g.is_directed() != h.is_directed():
        return "one graph is directed and the other is not"
    for graph, partner in ((g, h), (h, g)):
        if partner.number_of_edges() and any(u == v for u, v, *_ in graph.edges):
            return "networkx also substitutes self-loops by other edges"
    if not call.options.get("strictly_decreasing", True):
        return "strictly_decreasing=False lists paths in an order of networkx's own"
    return True


# ---------------------------------------------------- the functions it provides


def graph_edit_distance(*args: Any, **kwargs: Any) -> float | None:
    """Answer ``networkx.graph_edit_distance``; proven unless the timeout is reached."""
    call = _Call("graph_edit_distance", *args, **kwargs)
    edits = call.problem()
    seconds = call.seconds_left()
    if seconds is not None and seconds <= 0:  # networkx returns None here, too
        return None
    limits = Limits(seconds=seconds, above=edits.useless_value(call.most))
    solution = get_solver(SOLVER).solve(edits.problem, limits)
    distance = edits.edit_path(solution.alignment).cost
    return None if call.exceeds(distance) else distance


def optimize_graph_edit_distance(*args: Any, **kwargs: Any) -> Iterator[float]:
    """Answer ``networkx.optimize_graph_edit_distance``; the last value is proven."""
    call = _Call("optimize_graph_edit_distance", *args, **kwargs)
    for path in call.improving():
        yield path.cost


def optimize_edit_paths(
    *args: Any, **kwargs: Any
) -> Iterator[tuple[Path, Path, float]]:
    """Answer ``networkx.optimize_edit_paths``; each path is cheaper than the last."""
    for path in _Call("optimize_edit_paths", *args, **kwargs).improving():
        yield path.nodes, path.edges, path.cost


def optimal_edit_paths(
    *args: Any, **kwargs: Any
) -> tuple[list[tuple[Path, Path]], float | None]:
    """Answer ``networkx.optimal_edit_paths``: all paths of the lowest cost."""
    call = _Call("optimal_edit_paths", *args, **kwargs)
    edits = call.problem(keep_all_pairs=True)
    above = edits.useless_value(call.most)
    paths: list[EditPath] = []
    for path in map(edits.edit_path, optimal_alignments(edits.problem, above)):
        if call.exceeds(path.cost):
            return [], None
        paths.append(path)
    least = min((path.cost for path in paths), default=None)
    return [(path.nodes, path.edges) for path in paths], least


class _Call:
    """Call of one of networkx's functions, with its arguments by name."""

    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        self.started = time.perf_counter()
        names = ("G1", "G2", *PARAMETERS[name])
        self.options = {**dict(zip(names, args, strict=False)), **kwargs}
        self.graphs = (self.options["G1"], self.options["G2"])
        self.timeout = self.options.get("timeout")
        self.most = self.options.get("upper_bound")

    def problem(self, *, keep_all_pairs: bool = False) -> EditProblem:
        """Build the edit problem of the two graphs; errors are networkx's own."""
        from networkx import NetworkXError, NodeNotFound

        if isinstance(self.timeout, Real) and self.timeout <= 0:
            raise NetworkXError("Timeout value must be greater than 0")
        names = PARAMETERS["graph_edit_distance"]
        known: dict[str, Any] = {name: self.options.get(name) for name in names}
        known["roots"] = known["roots"] or None
        options = GedOptions(*self.graphs, **known, labels="none")
        if options.roots is not None:
            u, v = options.roots
            if u not in self.graphs[0] or v not in self.graphs[1]:
                raise NodeNotFound("Root node not in graph.")
        return edit_problem(options, keep_all_pairs=keep_all_pairs)

    def improving(self) -> Iterator[EditPath]:
        """Yield edit paths within the upper bound, each cheaper than the last.

        The final one is proven to be the cheapest, unless the time runs out before.
        """
        edits, best = self.problem(), -1
        above = edits.useless_value(self.most)
        for name in STAGES:
            seconds = self.seconds_left()
            remaining = None if seconds is None else max(seconds, 0.0)
            limits = Limits(seconds=remaining, above=above)
            solution = get_solver(name).solve(edits.problem, limits)
            if solution.value > best:
                best = solution.value
                path = edits.edit_path(solution.alignment)
                if not self.exceeds(path.cost):
                    yield path
            bound = solution.bound
            if remaining == 0 or bound == best or (above and bound <= above):
                return

    def seconds_left(self) -> float | None:
        """Return the seconds until the timeout, if there is one."""
        if self.timeout is None:
            return None
        return float(self.timeout) - (time.perf_counter() - self.started)

    def exceeds(self, cost: float) -> bool:
        """Return whether a cost is above the upper bound."""
        return self.most is not None and cost > self.most


# ------------------------------------------------- all edit paths of a cost


def optimal_alignments(
    problem: AlignmentProblem, above: int = 0
) -> Iterator[Alignment]:
    """Yield all alignments of the largest value, with pairs that add nothing.

    If *above* is not 0 and the largest value is not greater, there are none.

    For each node in turn, every choice that still leads to the optimum is followed; a
    search of the problem that the choice leaves tells which do.  There may be very many
    alignments.
    """
    best = BranchAndBound().solve(problem, Limits(above=above)).value
    if not above or best > above:
        yield from _completions(problem, (), best)


def _completions(
    problem: AlignmentProblem, chosen: Alignment, needed: int
) -> Iterator[Alignment]:
    """Yield all ways to align the other left nodes with a gain of *needed*."""
    node = len(chosen)
    if node == problem.n_left:
        yield chosen
        return
    for c in [-1, *np.flatnonzero(problem.left == node).tolist()]:
        smaller, gained = _after(problem, node, c)
        if _is_worth(smaller, needed - gained):
            j = -1 if c < 0 else int(problem.right[c])
            yield from _completions(smaller, (*chosen, j), needed - gained)


def _after(
    problem: AlignmentProblem, node: int, c: int
) -> tuple[AlignmentProblem, int]:
    """Fix a node to candidate *c* (-1: none); return the rest problem and the gain."""
    unary = problem.unary.copy()
    keep = problem.left != node
    gained = 0
    if c >= 0:
        keep &= problem.right != problem.right[c]
        gained = int(unary[c])
        ends = problem.first, problem.second
        for end, partner in (ends, ends[::-1]):
            unary[partner[end == c]] += problem.weight[end == c]
    return replace(problem, unary=unary).restricted(keep), gained


def _is_worth(problem: AlignmentProblem, needed: int) -> bool:
    """Return whether some alignment reaches *needed*, an upper bound on all values."""
    if needed <= 0:
        return needed == 0
    progress = Progress(problem, Limits())
    solution = BranchAndBound().search(problem, progress, above=needed - 1)
    return problem.value(solution.alignment) == needed
