"""Graph edit distance: the least cost of turning one graph into another.

>>> import networkx as nx
>>> from exactmatch import ged
>>> result = ged(nx.cycle_graph(6), nx.wheel_graph(7))
>>> result.distance, result.proven
(7.0, True)

Parameters are those of ``networkx.graph_edit_distance``, and mean what they mean
there; graphs of every kind are taken, self-loops and parallel edges included.

Source: Bunke and Allermann (1983), "Inexact graph matching for structural pattern
recognition", for the distance.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import IgnoredAttributesWarning, InputError, warn_caller
from exactmatch.base.version import __version__
from exactmatch.edit.costs import (
    Cost,
    CostFunctions,
    Match,
    PairCost,
    both_roots,
    check_timeout,
    check_upper_bound,
    compared_attributes,
)
from exactmatch.edit.notebook import changes, counted, edits_html, number
from exactmatch.edit.problem import EditProblem, edit_problem
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.certificate import Certificate
    from exactmatch.solvers.problem import AlignmentProblem

SOLVER = "auto:nodes=20000"
"""The solver that searches by default.

Relaxations are slow where every node may become any other, and help little where labels
are few, so branch and bound goes on for longer.
"""


@dataclass(frozen=True, slots=True, repr=False)
class EditDistance:
    """The cheapest edit path found, and a lower bound on the cost of all paths.

    Attributes:
        distance: the cost of the path, added up in double precision; infinite if
            *upper_bound* was given and no path that keeps to it is known.
        bound: no edit path costs less.
        node_edit_path: pairs of nodes in networkx's form: ``(u, v)`` substitutes,
            ``(u, None)`` deletes, ``(None, v)`` inserts.
        edge_edit_path: pairs of edges likewise, each edge as networkx names it:
            ``(u, v)``, or ``(u, v, key)`` in a multigraph.
        node_edit_costs, edge_edit_costs: what each edit of the two paths costs.
        rounding: solvers count in integers, to which other costs are rounded; this is
            the most by which rounding may change the cost of a path, 0 if no cost was
            rounded.
        replacing_all: what deleting and inserting everything costs.
        problem: the alignment problem that was solved.
        solution: its solution; ``solution.certificate`` proves the bound, if asked
            for, and :func:`exactmatch.solvers.solution.check_solution` checks it.
        compared: by what nodes and edges were compared, and which attributes were not.
        signature: what determines the distance beside the costs.

    >>> import exactmatch
    >>> import networkx
    >>> found = exactmatch.ged(networkx.path_graph(3), networkx.path_graph(4))
    >>> found.distance, found.bound, found.node_edit_path
    (2.0, 2.0, [(0, 0), (1, 1), (2, 2), (None, 3)])
    >>> found
    edit distance 2, proven; 1 edit of nodes, 1 of edges; similarity 0.8333
    """

    distance: float
    bound: float
    node_edit_path: list[tuple[Any, Any]]
    edge_edit_path: list[tuple[Any, Any]]
    node_edit_costs: list[float]
    edge_edit_costs: list[float]
    rounding: float
    replacing_all: float
    problem: AlignmentProblem
    solution: Solution
    upper_bound: float | None = None
    compared: str = ""
    signature: str = ""

    def __repr__(self) -> str:
        if math.isinf(self.distance):
            if self.upper_bound is None:
                bound = number(self.bound)
                return f"no edit path found; every one costs at least {bound}"
            limit = number(self.upper_bound)
            if self.proven:
                return f"no edit path costs {limit} or less, proven"
            return f"no edit path of cost {limit} or less found; not proven"
        proof = "proven" if self.proven else f"at least {number(self.bound)}"
        nodes = sum(1 for _ in changes(self.node_edit_path, self.node_edit_costs))
        edges = sum(1 for _ in changes(self.edge_edit_path, self.edge_edit_costs))
        return (
            f"edit distance {number(self.distance)}, {proof}; {counted(nodes, 'edit')} "
            f"of nodes, {edges:,} of edges; similarity {self.similarity:.4f}"
            + (f"; {self.compared}" if "ignored" in self.compared else "")
        )

    def _repr_html_(self) -> str:
        """The distance as notebooks show it: the edits of the path."""
        return edits_html(repr(self), list(self.edits()))

    def edits(self) -> Iterator[tuple[str, Any, Any, float]]:
        """The edits that change something: ``delete node``, from, to, cost."""
        for what, path, costs in (
            ("node", self.node_edit_path, self.node_edit_costs),
            ("edge", self.edge_edit_path, self.edge_edit_costs),
        ):
            for kind, old, new, cost in changes(path, costs):
                yield f"{kind} {what}", old, new, cost

    @property
    def proven(self) -> bool:
        """Whether no edit path is cheaper, up to ``rounding`` on each side.

        If the distance is infinite: whether no edit path keeps to the upper bound.
        """
        if math.isinf(self.distance) and self.upper_bound is not None:
            return self.bound > self.upper_bound
        return self.solution.is_optimal

    @property
    def certificate(self) -> Certificate | None:
        """The evidence for the bound, where it was asked for and could be had."""
        return self.solution.certificate

    @property
    def similarity(self) -> float:
        """1 less the distance divided by ``replacing_all``, 0 to 1.

        With unit costs that is ``1 - distance / (|V1| + |E1| + |V2| + |E2|)``; two
        graphs without nodes are equal.
        """
        if self.replacing_all == 0:
            return 1.0 if self.distance == 0 else 0.0
        return max(1.0 - self.distance / self.replacing_all, 0.0)


def ged(
    g1: Any,
    g2: Any,
    node_match: Match | None = None,
    edge_match: Match | None = None,
    node_subst_cost: PairCost | None = None,
    node_del_cost: Cost | None = None,
    node_ins_cost: Cost | None = None,
    edge_subst_cost: PairCost | None = None,
    edge_del_cost: Cost | None = None,
    edge_ins_cost: Cost | None = None,
    roots: tuple[Any, Any] | None = None,
    upper_bound: float | None = None,
    timeout: float | None = None,
    *,
    solver: Solver | str = SOLVER,
    record_proof: bool = False,
) -> EditDistance:
    """The graph edit distance of two networkx graphs, with a cheapest edit path.

    As in networkx, no attribute is compared unless one of the functions does it:
    ``node_match=operator.eq`` compares them all, as ``exactmatch ged`` does.  Whoever
    compares none of several gets an
    :class:`~exactmatch.base.errors.IgnoredAttributesWarning`.

    Args:
        g1, g2: two graphs, both directed or both undirected.
        node_match, edge_match: whether two nodes, or two edges, are equal; called
            with their attributes.  Substituting unequal ones costs 1.
        node_subst_cost, edge_subst_cost: what a substitution costs, instead; it may
            be ``math.inf``, which forbids it.  Without either it is free.
        node_del_cost, node_ins_cost, edge_del_cost, edge_ins_cost: what deleting and
            inserting cost; default: 1.
        roots: a node of each graph that must be substituted by each other.
        upper_bound: only paths of at most this cost count; the search ends as soon as
            it proves that there is none.
        timeout: in seconds; if it ends the search, the result is the best path so far,
            with a bound that may be below its cost.  Stating the problem counts, and
            is not interrupted: it takes half a second for a million pairs of edges.
        solver: the solver, by name or as an object.
        record_proof: whether to record the evidence for the bound.

    Raises:
        InputError: if a cost is no number or negative, a root is missing, only one
            graph is directed, *timeout* is not above 0, or an argument is not of its
            kind.
        SolverError: if the solver is unknown, or records no certificates.

    Example:
        >>> import networkx as nx
        >>> labels = nx.path_graph(2), nx.path_graph(3)
        >>> ged(*labels).node_edit_path
        [(0, 0), (1, 1), (None, 2)]
    """
    started = time.perf_counter()
    check_timeout(timeout)
    check_upper_bound(upper_bound)
    costs = CostFunctions(
        node_match,
        edge_match,
        node_subst_cost,
        node_del_cost,
        node_ins_cost,
        edge_subst_cost,
        edge_del_cost,
        edge_ins_cost,
    )
    stated = edit_problem((g1, g2), costs, None if roots is None else both_roots(roots))
    made = solver_named(solver, record_proof)
    if timeout is not None:
        timeout = max(timeout - (time.perf_counter() - started), 0.0)
    above = 0 if record_proof else stated.needless(upper_bound)
    limits = Limits(seconds=timeout, record_proof=record_proof, above=above)
    found = edit_distance(stated, made.solve(stated.problem, limits), upper_bound)
    by = costs.compared_by("node"), costs.compared_by("edge")
    compared, ignores_all = compared_attributes((g1, g2), *by)
    if ignores_all:
        warn_caller(
            f"{compared}; compare attributes with node_match and edge_match, such as "
            "operator.eq for all of them",
            IgnoredAttributesWarning,
        )
    signature = (
        f"metric:ged|node-match:{by[0]}|edge-match:{by[1]}|solver:{made.signature()}|"
        f"version:{__version__}"
    )
    return replace(found, compared=compared, signature=signature)


def edit_distance(
    stated: EditProblem, solution: Solution, upper_bound: float | None = None
) -> EditDistance:
    """Express a solution of an edit problem as edits of the two graphs."""
    nodes, edges, distance = stated.edit_path(solution.alignment)
    node_costs, edge_costs = stated.edit_costs(solution.alignment)
    replacing_all = math.fsum(
        costs
        for table in (stated.node_costs, stated.edge_costs)
        for costs in (*table.deletion.tolist(), *table.insertion.tolist())
    )
    bound = min(stated.least_cost(solution.bound), distance)
    if upper_bound is not None and distance > upper_bound:
        nodes, edges, distance = [], [], math.inf
        node_costs, edge_costs = [], []
    return EditDistance(
        distance,
        bound,
        nodes,
        edges,
        node_costs,
        edge_costs,
        stated.rounding,
        replacing_all,
        stated.problem,
        solution,
        upper_bound,
    )


def solver_named(solver: Solver | str, record_proof: bool = False) -> Solver:
    """A solver by its name, or itself.

    Raises:
        SolverError: if no solver has that name, or it must record proofs and cannot.
        InputError: if it is neither a name nor a solver.
    """
    from exactmatch.base.solver_errors import SolverError
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.base import Solver

    made = get_solver(solver) if isinstance(solver, str) else solver
    if not isinstance(made, Solver):
        raise InputError(f"solver is {made!r}; it must be a name or a Solver")
    if record_proof and not made.records_proofs:
        raise SolverError(f"solver {made.name!r} records no certificates; use auto")
    return made
