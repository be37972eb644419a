"""The networkx backend: its functions about edit distance, proven and fast.

Any of these makes networkx call us::

    nx.graph_edit_distance(G, H, backend="exactmatch")
    NETWORKX_BACKEND_PRIORITY=exactmatch python script.py

Graphs are used as they are; nothing is converted.  :func:`can_run` refuses the calls
that networkx 3.6 answers by another definition, so that a backend never changes a
number: depending on the order of the nodes, networkx also substitutes self-loops by
ordinary edges.  :func:`exactmatch.ged` takes such graphs.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from numbers import Real
from typing import Any

from exactmatch.edit.optima import improving_paths, optimal_alignments
from exactmatch.edit.options import SOLVER, GedOptions
from exactmatch.edit.problem import EdgePath, EditProblem, NodePath, edit_problem
from exactmatch.solvers import get_solver
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
    above = stated.needless(call.options.get("upper_bound"))
    limits = Limits(seconds=seconds, above=above)
    solution = get_solver(SOLVER).solve(stated.problem, limits)
    distance = stated.edit_path(solution.alignment).cost
    return None if call.exceeds(distance) else distance


def optimize_graph_edit_distance(*args: Any, **kwargs: Any) -> Iterator[float]:
    """As ``networkx.optimize_graph_edit_distance``; the last one is proven."""
    call = _Call("optimize_graph_edit_distance", *args, **kwargs)
    for _, _, cost in call.improving():
        yield cost


def optimize_edit_paths(
    *args: Any, **kwargs: Any
) -> Iterator[tuple[NodePath, EdgePath, float]]:
    """As ``networkx.optimize_edit_paths``, each cheaper than the one before."""
    yield from _Call("optimize_edit_paths", *args, **kwargs).improving()


def optimal_edit_paths(
    *args: Any, **kwargs: Any
) -> tuple[list[tuple[NodePath, EdgePath]], float | None]:
    """As ``networkx.optimal_edit_paths``: all of the cheapest."""
    call = _Call("optimal_edit_paths", *args, **kwargs)
    stated = call.stated(keep_idle=True)
    paths: list[tuple[NodePath, EdgePath]] = []
    least: float | None = None
    above = stated.needless(call.options.get("upper_bound"))
    for alignment in optimal_alignments(stated.problem, above):
        path = stated.edit_path(alignment)
        cost = path.cost
        if call.exceeds(cost):
            return [], None
        paths.append((path.nodes, path.edges))
        least = cost if least is None else min(least, cost)
    return paths, least


class _Call:
    def __init__(self, name: str, *args: Any, **kwargs: Any) -> None:
        self.started = time.perf_counter()
        names = ("G1", "G2", *PARAMETERS[name])
        self.options = {**dict(zip(names, args, strict=False)), **kwargs}
        self.graphs = (self.options["G1"], self.options["G2"])

    def stated(self, *, keep_idle: bool = False) -> EditProblem:
        """The two graphs as an alignment problem.

        Raises:
            NodeNotFound: if a root is missing.
            NetworkXError: if the timeout is not above 0.
            InputError: if an argument is not of its kind.
        """
        from networkx import NetworkXError, NodeNotFound

        timeout = self.options.get("timeout")
        if isinstance(timeout, Real) and timeout <= 0:
            raise NetworkXError("Timeout value must be greater than 0")
        names = PARAMETERS["graph_edit_distance"]
        known: dict[str, Any] = {name: self.options.get(name) for name in names}
        known["roots"] = known["roots"] or None
        asked = GedOptions(*self.graphs, **known)
        if asked.roots is not None:
            u, v = asked.roots
            if u not in self.graphs[0] or v not in self.graphs[1]:
                raise NodeNotFound("Root node not in graph.")
        return edit_problem(asked, keep_idle=keep_idle)

    def improving(self) -> Iterator[tuple[NodePath, EdgePath, float]]:
        """Edit paths within the upper bound, each cheaper than the one before."""
        stated = self.stated()
        most = self.options.get("upper_bound")
        for path in improving_paths(stated, self.seconds_left(), most):
            if not self.exceeds(cost := path.cost):
                yield path.nodes, path.edges, cost

    def seconds_left(self) -> float | None:
        timeout = self.options.get("timeout")
        if timeout is None:
            return None
        return float(timeout) - (time.perf_counter() - self.started)

    def exceeds(self, cost: float) -> bool:
        upper_bound = self.options.get("upper_bound")
        return upper_bound is not None and cost > upper_bound
