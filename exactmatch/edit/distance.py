"""Graph edit distance, the least cost of turning one graph into another.

>>> import networkx as nx
>>> from exactmatch import ged
>>> result = ged(nx.cycle_graph(6), nx.wheel_graph(7))
>>> result.distance, result.proven
(7.0, True)

Parameters are those of ``networkx.graph_edit_distance``, and mean the same; graphs may
be of any kind, with self-loops and parallel edges.

Source: Bunke and Allermann (1983), "Inexact graph matching for structural pattern
recognition", for the distance.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import no_attribute, shortened
from exactmatch.base.numbers import fixed, several
from exactmatch.base.options import function
from exactmatch.edit.costs import CostTable, classes, is_labelled, warn_ignored
from exactmatch.edit.narrowing import narrowed
from exactmatch.edit.options import SOLVER, GedOptions
from exactmatch.edit.packed import MOST_KINDS, Plain, pack_plain
from exactmatch.edit.problem import (
    EditPath,
    EditProblem,
    check_networks,
    edit_problem,
)
from exactmatch.edit.triples import WAYS, TripleOverlap, shared_triples
from exactmatch.edit.turns import Turn, alternate
from exactmatch.solvers.solution import Limits, Solution, check_solution

if TYPE_CHECKING:
    from exactmatch.solvers.base import Solver
    from exactmatch.solvers.certificate import Certificate
    from exactmatch.solvers.problem import AlignmentProblem

_uniform: Any = kernels.load("exactmatch.edit._uniform")

Edit: TypeAlias = tuple[str, Any, Any, float]
"""Kind of the edit, the thing before and after it, and its cost."""


def number(value: float) -> str:
    """Format a number, without a decimal point where it is whole."""
    is_whole = math.isfinite(value) and value == round(value)
    return f"{value:.0f}" if is_whole else f"{value:.6g}"


def named_edits(edits: Iterable[Edit]) -> Iterator[tuple[str, str, str, float]]:
    """Return edits with the names of nodes and edges; ``-`` stands for none."""

    def name(thing: Any) -> str:
        if isinstance(thing, tuple):
            return "(" + ", ".join(map(str, thing)) + ")"
        return "-" if thing is None else str(thing)

    for edit, old, new, cost in edits:
        yield edit, name(old), name(new), cost


_SHOWN, _LONGEST = 50, 60
"""Number of edits that a notebook shows, and characters of a name."""


@dataclass(frozen=True, slots=True, repr=False)
class EditDistance:
    """Cheapest edit path known, and a lower bound on the cost of all paths.

    Attributes:
        distance: the cost of the path, added up in double precision; infinite if no
            path is known that costs at most *upper_bound*.
        bound: no edit path costs less.
        node_edit_path: pairs of nodes in networkx's form: ``(u, v)`` substitutes,
            ``(u, None)`` deletes, ``(None, v)`` inserts.
        edge_edit_path: pairs of edges likewise, each edge as networkx names it:
            ``(u, v)``, or ``(u, v, key)`` in a multigraph.
        node_edit_costs, edge_edit_costs: the costs of the edits of the two paths.
        rounding: the most by which rounding may change the cost of a path (solvers
            count in integers); 0 if no cost was rounded.
        replacing_all: the cost of deleting and inserting everything.
        problem: the alignment problem that was solved.
        solution: its solution; ``solution.certificate`` proves the bound, if a
            certificate was requested, and
            :func:`exactmatch.solvers.solution.check_solution` checks it.
        compared: the attributes that were compared, and those that were not, in words.
        signature: the options that determine the distance, except functions of costs.
        triples: the triples that both graphs have, for each way of counting them, if
            they were requested.

    >>> import exactmatch
    >>> import networkx
    >>> result = exactmatch.ged(networkx.path_graph(3), networkx.path_graph(4))
    >>> result.distance, result.bound, result.node_edit_path
    (2.0, 2.0, [(0, 0), (1, 1), (2, 2), (None, 3)])
    >>> result
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
    triples: Mapping[str, TripleOverlap] = field(default_factory=dict)

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
        edits = list(self.edits())
        nodes = sum(kind.endswith("node") for kind, *_ in edits)
        return (
            f"edit distance {number(self.distance)}, {proof}; "
            + (f"{self.compared}; " if is_labelled(self.compared) else "")
            + f"{several(nodes, 'edit')} of nodes, {len(edits) - nodes} of edges; "
            f"similarity {fixed(self.similarity, 4)}"
        )

    if not TYPE_CHECKING:  # a type checker would accept every name

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute(self, name)

    def _repr_html_(self) -> str:
        """Return HTML for notebooks: the distance and the edits of the path."""
        from exactmatch.base.markup import Cell, cell, element, joined, table

        edits = list(self.edits())
        parts = [element("p", repr(self))]
        if edits:
            rows = []
            for edit, old, new, cost in named_edits(edits[:_SHOWN]):
                names = [Cell(shortened(name, _LONGEST)) for name in (old, new)]
                rows.append((Cell(edit), *names, cell(cost, number(cost))))
            parts.append(table(("edit", "from", "to", "cost"), rows))
        if len(edits) > _SHOWN:
            parts.append(element("p", f"and {len(edits) - _SHOWN:,} more"))
        return joined(parts)

    def edits(self) -> Iterator[Edit]:
        """Yield the edits that change something: ``delete node``, from, to, cost."""
        for kind_of_thing, path, costs in (
            ("node", self.node_edit_path, self.node_edit_costs),
            ("edge", self.edge_edit_path, self.edge_edit_costs),
        ):
            for (old, new), cost in zip(path, costs, strict=True):
                if old is None or new is None:
                    kind = "insert" if old is None else "delete"
                    yield f"{kind} {kind_of_thing}", old, new, cost
                elif cost:
                    yield f"substitute {kind_of_thing}", old, new, cost

    def to_dict(self) -> dict[str, Any]:
        """Return the distance, its path and its proof as plain data."""
        names = ("distance", "bound", "proven", "similarity", "rounding")
        return {name: getattr(self, name) for name in names} | {
            "seconds": self.solution.seconds,
            "solver": self.solution.solver,
            "node_edit_path": [list(edit) for edit in self.node_edit_path],
            "edge_edit_path": [list(edit) for edit in self.edge_edit_path],
            "triples": {
                way: overlap.to_dict() for way, overlap in self.triples.items()
            },
        }

    @property
    def proven(self) -> bool:
        """True if no edit path is cheaper, up to ``rounding`` on each side.

        If the distance is infinite: true if no edit path costs at most *upper_bound*.
        """
        if math.isinf(self.distance) and self.upper_bound is not None:
            return self.bound > self.upper_bound
        return self.solution.is_optimal

    @property
    def certificate(self) -> Certificate | None:
        """Evidence for the bound, if it was requested and the solver has some."""
        return self.solution.certificate

    @property
    def similarity(self) -> float:
        """``1 - distance / replacing_all``, but at least 0.

        With unit costs, ``replacing_all`` is ``|V1| + |E1| + |V2| + |E2|``.  The
        similarity of two graphs without nodes is 1.
        """
        if self.replacing_all == 0:
            return 1.0 if self.distance == 0 else 0.0
        return max(1.0 - self.distance / self.replacing_all, 0.0)


def study(options: GedOptions) -> EditDistance:
    """Compute the edit distance of two networkx graphs, with a cheapest edit path.

    By default all attributes are compared, as by ``exactmatch ged``; networkx compares
    none, which is ``labels="none"``.  With a function such as ``node_match``, the same
    attributes are compared as in networkx.  If graphs have attributes and none is
    compared, an :class:`~exactmatch.base.errors.IgnoredAttributesWarning` follows,
    unless ``labels="none"``.

    Raises:
        InputError: if a cost is not a number or negative, a root is missing, only one
            graph is directed, or an argument is not of its kind.
        SolverError: if the solver is unknown, or records no certificates.
        CertificateError: if the proof is checked and rejected.

    Example:
        >>> import networkx as nx
        >>> graphs = nx.path_graph(2), nx.path_graph(3)
        >>> ged(*graphs).node_edit_path
        [(0, 0), (1, 1), (None, 2)]
    """
    check_networks((options.g1, options.g2))
    compared = warn_ignored((options.g1, options.g2), options)
    result = measure_distance(options)
    if options.certify:
        check_solution(result.problem, result.solution)
    return replace(result, compared=compared)


ged = function("ged", GedOptions, study)


def measure_distance(options: GedOptions) -> EditDistance:
    """Compute a distance; count triples and write a proof if options say so."""
    started = time.perf_counter()
    if options.proof is not None:
        from exactmatch.solvers.proof_files import check_proof_path, write_proof_files

        check_proof_path(options.proof)
    solver = options.chosen_solver(options.records)
    seconds = options.seconds
    if options.records:
        pair_problem = edit_problem(options)
    else:
        pair_problem = edit_problem(options, narrow=narrowed, seconds=seconds)
    if seconds is not None:
        seconds = max(seconds - (time.perf_counter() - started), 0.0)
    largest = options.upper_bound
    if largest is not None:  # the last bits of a sum depend on its order
        largest += max(largest, 0.0) * 2**-50
    above = 0 if options.records else pair_problem.useless_value(largest)
    limits = Limits(seconds=seconds, record_proof=options.records, above=above)
    unsearched = pair_problem.unsearched(solver.name)
    if unsearched is not None:
        solution = replace(unsearched, seconds=time.perf_counter() - started)
    elif options.solver == SOLVER and not options.records:
        solution = solve_edits(pair_problem, solver, limits, largest)
    else:
        solution = solver.solve(pair_problem.problem, limits)
    solution = pair_problem.improved(solution)
    if options.proof is not None:
        write_proof_files(
            options.proof, pair_problem.problem, solution, options.proof_version
        )
    path = pair_problem.edit_path(solution.alignment)
    distance = path.cost
    bound = min(pair_problem.least_cost(solution.bound), distance)
    if largest is not None and distance > largest:
        path, distance = EditPath([], [], [], []), math.inf
    first, second, counting_ways = (
        options.g1,
        options.g2,
        WAYS if options.triples else (),
    )
    *_, nodes, edges = pair_problem.sides
    replacing_costs = [
        *nodes.deletion,
        *nodes.insertion,
        *edges.deletion,
        *edges.insertion,
    ]
    return EditDistance(
        distance,
        bound,
        *path,
        pair_problem.rounding,
        math.fsum(replacing_costs),
        pair_problem.problem,
        solution,
        options.upper_bound,
        signature=options.signature_with(solver, limit=options.seconds),
        triples={
            counting: shared_triples(first, second, counting, options.seconds)
            for counting in counting_ways
        },
    )


# ----------------------------------- pairs of small graphs, where edits cost 1
#
# If no certificate is wanted, the search of exactmatch.edit.matrix is tried before the
# solver.  It decides most pairs of a dozen nodes, and dense pairs of many more, in a
# fraction of the time.  Its result is an alignment like a solver's.

LARGEST = 64
"""Graphs with more nodes go to the solver at once."""

WORK = 500_000
"""The first turn has this many steps, divided by the nodes squared: about 10 ms."""

SPARSE = 2.5
"""If nodes have fewer neighbours on average, the solver goes on alone."""

SHARE = 3.0
"""The length of a turn of the search, divided by that of the solver."""


def solve_edits(
    pair_problem: EditProblem,
    solver: Solver,
    limits: Limits,
    largest: float | None = None,
) -> Solution:
    """Solve an edit problem by a short search, then by the solver.

    If the graphs are dense, both take turns until one of them is done.  Costs above
    *largest* are of no interest.
    """
    started = time.perf_counter()
    limit = (
        -1
        if largest is None or largest >= pair_problem.replacing_all
        else int(max(largest, 0))
    )
    kernel = _search_of(pair_problem, limit)
    if kernel is None:
        return solver.solve(pair_problem.problem, limits)
    deadline = math.inf if limits.seconds is None else started + limits.seconds
    nodes = sum(map(len, pair_problem.sides.nodes))
    edges = sum(len(bundles.names) for bundles in pair_problem.sides.edges)
    solution = kernel.resume(WORK // kernel.room**2)
    if solution is None and 2 * edges < SPARSE * nodes:
        remaining = max(deadline - time.perf_counter(), 0.0)
        seconds = None if deadline == math.inf else remaining
        solution = solver.solve(pair_problem.problem, replace(limits, seconds=seconds))
    elif solution is None:
        solution = _solve_in_turns(kernel, solver, limits, deadline)
    return replace(solution, seconds=time.perf_counter() - started)


def _solve_in_turns(
    kernel: _Search, solver: Solver, limits: Limits, deadline: float
) -> Solution:
    by_search = by_solver = None
    problem = kernel.pair_problem.problem

    def search(seconds: float) -> bool:
        nonlocal by_search
        steps = seconds * (1 + kernel.search.tried) / kernel.seconds
        by_search = kernel.resume(int(steps), by_solver)
        return by_search is not None

    def solve(seconds: float) -> bool:
        nonlocal by_solver
        solution = solver.solve(problem, replace(limits, seconds=seconds))
        by_solver = solution if by_solver is None else _better(by_solver, solution)
        return by_solver.bound <= max(by_solver.value, limits.above)

    alternate([Turn(search, SHARE), Turn(solve)], deadline)
    return by_search or by_solver or solver.solve(problem, replace(limits, seconds=0.0))


def _better(first: Solution, second: Solution) -> Solution:
    """Return the better alignment of two solutions with the better bound."""
    sharper = min(first, second, key=attrgetter("bound"))
    better = max(first, second, key=attrgetter("value"))
    return replace(better, bound=sharper.bound, proof=sharper.proof)


@dataclass
class _Search:
    """State of the search of one pair.

    Attributes:
        search: the search object of the kernel, which has begun.
        room: the number of nodes of the larger graph.
        limit: the largest cost of interest; less than 0: any.
        is_finished: whether the pair was decided at once.
        seconds: how long the steps have taken.
    """

    pair_problem: EditProblem
    search: Any
    room: int
    limit: int
    is_finished: bool
    seconds: float = 0.0

    def resume(
        self, steps: int, known_solution: Solution | None = None
    ) -> Solution | None:
        """Search on for some steps; return the solution, or ``None`` if still open.

        If every path costs more than the limit, the alignment is empty, or that of the
        known solution.
        """
        pair_problem, search = self.pair_problem, self.search
        if known_solution is not None:
            search.best = min(
                search.best, pair_problem.replacing_all - known_solution.value
            )
        started = time.perf_counter()
        is_open = not self.is_finished and search.resume(max(steps, 0)) < 0
        self.seconds += time.perf_counter() - started
        if is_open:
            return None
        left, right = map(len, pair_problem.sides.nodes)
        alignment = [-1] * left
        value, bound = 0, pair_problem.replacing_all - search.best
        is_far = 0 <= self.limit < search.best
        if known_solution is not None and (is_far or bound <= known_solution.value):
            return replace(known_solution, bound=bound, proof="branch")
        if not is_far:
            problem = pair_problem.problem
            nodes = problem.left.tolist(), problem.right.tolist()
            candidates = set(zip(*nodes, strict=True))  # no others save costs
            for node, image in enumerate(search.mapping().tolist()):
                i, j = (node, image) if left <= right else (image, node)
                if (i, j) in candidates:
                    alignment[i] = j
            value = problem.value(tuple(alignment))
            if value != bound:  # the path does not cost what the search says
                return None
        return Solution(tuple(alignment), value, bound, "auto", "branch", self.seconds)


def _search_of(pair_problem: EditProblem, limit: int) -> _Search | None:
    """Begin the search of a problem; ``None`` if the kernel cannot search it."""
    sides = pair_problem.sides
    is_large = max(map(len, sides.nodes)) > LARGEST
    if is_large or pair_problem.root is not None or pair_problem.problem.scale != 1:
        return None
    nodes = _labels(sides.node_costs)
    edges = _labels(sides.edge_costs) if nodes is not None else None
    if nodes is None or edges is None or len({*edges[0], *edges[1]}) > MOST_KINDS:
        return None
    if any(len(e) > 1 for side in sides.edges for e in side.between.values()):
        return None
    plain_graphs = []
    for labels, kinds, bundles in zip(nodes, edges, sides.edges, strict=True):
        ends = zip(bundles.ends, kinds, strict=True)
        joined = [(i, k, kind) for (i, k), kind in ends]
        plain_graphs.append(Plain(labels, joined, bundles.directed))
    packed = pack_plain(plain_graphs)
    room = max(int(packed.sizes.max(initial=1)), 1)
    search = _uniform.Search(*packed, room)
    return _Search(pair_problem, search, room, limit, search.begin(0, 1, limit))


def _labels(costs: CostTable) -> tuple[list[int], list[int]] | None:
    """Give equal things of both sides one number; ``None`` if edits do not cost 1."""
    if not (costs.deletion == 1).all() or not (costs.insertion == 1).all():
        return None
    table = costs.substitution
    if not ((table == 0) | (table == 1)).all():
        return None
    return classes(table == 0)
