"""The linear relaxation of the aggregated model, and the integer proof in its duals.

A dual solution of the relaxation splits the weight of every pair term between
its two candidates.  With ``s_(p,c)`` the share of term ``p`` at candidate *c*:

* *inner* duals ``a_(c,k), b_(c,l) >= 0`` with ``a_(c,k) + b_(c,l) >= s_(p,c)``
  for every term ``p = (c, (k, l))``: those of the rows ``sum y <= x_c``.
  They bound what *c* can earn from its shares, so that *c* is worth at most
  ``worth_c = unary_c + sum_k a_(c,k) + sum_l b_(c,l)``;
* *outer* duals ``u_i, v_j >= 0`` with ``u_i + v_j >= worth_c`` for every
  ``c = (i, j)``: those of the rows "at most once".

No alignment is worth more than ``sum u + sum v``, and one that holds *c* not
more than that minus the *slack* ``u_i + v_j - worth_c``.

HiGHS's numbers hold to about 1e-7, so they are only a suggestion: :func:`proven` rounds
them to integers in units of ``1 / denominator``, repairs what rounding broke, and the
bound that remains is exact whatever the solver did.

The program is stated smaller than the aggregated model: a candidate without
unary weight all of whose terms stand in one row ``sum y <= x_c`` is worth
choosing only for one of them, so its ``x_c`` is replaced by that sum.  On
multi-sentence graphs this removes three candidates of four and halves the time.

What a tree of relaxations left of a window is searched by HiGHS, as the last resort: in
the same program, with candidates that are chosen or not, for what is worth at least the
next possible value.  Its word is not a certificate.  OR-Tools has HiGHS with its
options, which SciPy does not pass on.  Two matter here, where mostly the proof alone is
missing: HiGHS is told what has to be beaten (``objective_bound``), and looks for no
alignments by heuristics.  Windows of molecules of 80 atoms take half the time, or less.

Upstream: https://docs.scipy.org/doc/scipy/reference/optimize.linprog-highs-ds.html,
https://developers.google.com/optimization/math_opt and
https://ergo-code.github.io/HiGHS/dev/options/definitions/
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from exactmatch.solvers.base import Solver
from exactmatch.solvers.certificate import Round
from exactmatch.solvers.hillclimb import PeakSearch
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.cuts import Cut, Items, Relief, Source, violated
from exactmatch.solvers.linear.leaves import as_it_is, quotient
from exactmatch.solvers.linear.model import OUT_OF_TIME, answered, link_rows
from exactmatch.solvers.problem import AlignmentProblem, BoolArray, FloatArray, IntArray
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal

LARGEST_DENOMINATOR = 2**20
"""Duals are rounded to multiples of its inverse, or coarser where sums get large."""

_LARGEST_SUM_BITS = 60

_HINT = 1e-4
"""Of two leaves, so much is chosen; more where their parents are aligned."""

LARGE = 4_000
"""Where there are more candidates, branches are not tried before one is chosen."""

FALL = 0.05
"""Cuts are added while this part of a step is gained at once."""

_TIGHT = 1e-7
"""A cut with a smaller multiplier is left out again."""

_SPARE = 0.01
"""The part of a step that is left between the demand and the next possible value."""


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """An optimal solution of the linear relaxation, in floating point.

    Attributes:
        value: its value, which bounds every alignment's up to rounding errors.
        x: how much of each candidate is chosen, between 0 and 1; of leaves that are
            taken together a hint, far below 1.
        u, v: the outer duals of the left and the right nodes.
        inner: the inner duals by left and by right nodes, in the order of
            :func:`~exactmatch.solvers.linear.model.link_rows`.
        cuts, multipliers: the cuts that are tight, and the dual of each.
    """

    value: float
    x: FloatArray
    u: FloatArray
    v: FloatArray
    inner: tuple[FloatArray, FloatArray]
    cuts: tuple[Cut, ...] = ()
    multipliers: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ProvenDuals:
    """A dual solution in integers, in units of ``1 / denominator``.

    Attributes:
        denominator: a power of two.
        share: what each half-term's owner holds of the term's weight; the two
            halves of a term add up to it; shape ``(2 * terms,)``.
        inner: the inner duals, as in :class:`Relaxation`.
        u, v: the outer duals.
        slack: ``u_i + v_j - worth_c`` of each candidate, zero or more.
        lattice: what all values are multiples of, in the problem's units.
        relief: what cuts take from the weights.
    """

    denominator: int
    share: IntArray
    inner: tuple[IntArray, IntArray]
    u: IntArray
    v: IntArray
    slack: IntArray
    lattice: int = 1
    relief: Relief | None = None

    @property
    def total(self) -> int:
        """The bound on every alignment's value, in units of ``1 / denominator``."""
        added = 0 if self.relief is None else self.relief.total
        return int(self.u.sum()) + int(self.v.sum()) + added

    @property
    def bound(self) -> int:
        """The bound on every alignment's value, in the problem's units."""
        return self.total // (self.denominator * self.lattice) * self.lattice

    def round(self, dropped: tuple[int, ...] = ()) -> Round:
        """Return the duals as a round of a certificate that drops *dropped*."""
        arrays = self.share[: len(self.share) // 2], *self.inner, self.u, self.v
        share, *inner, u, v = (tuple(array.tolist()) for array in arrays)
        return Round(self.denominator, share, inner[0], inner[1], u, v, dropped)

    def open_candidates(self, value: int) -> BoolArray:
        """Return the candidates that an alignment above *value* may hold."""
        needed = (value // self.lattice + 1) * self.lattice * self.denominator
        still_open: BoolArray = self.total - self.slack >= needed
        return still_open


def relaxation(
    problem: AlignmentProblem,
    progress: Progress,
    goal: int | None = None,
    source: Source | None = None,
    cuts: Sequence[Cut] = (),
) -> tuple[Relaxation, ProvenDuals] | None:
    """Return the linear relaxation and its duals, made exact; ``None`` out of time.

    Args:
        goal: a value that alignments should exceed.  If there is one, cuts are added
            until the relaxation does not exceed it or none is violated.
        source: what the problem is a part of; cuts are those of that problem.
        cuts: cuts to begin with.
    """
    arguments = problem, goal, source, tuple(cuts)
    optimum = process.run(relaxed, *arguments, imports=process.SCIPY, progress=progress)
    return None if optimum is None else (optimum, proven(problem, optimum, source))


def relaxed(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int | None = None,
    source: Source | None = None,
    cuts: tuple[Cut, ...] = (),
) -> Relaxation | None:
    """Solve the linear relaxation; called in a process of its own."""
    del report  # an unfinished relaxation proves nothing
    ends = None if seconds is None else time.perf_counter() + seconds
    program = Program(problem, source)
    if not len(program.objective):
        return program.solution(0.0, np.zeros(0), np.zeros(len(program.upper)))
    solution, items, before = program.solved(cuts, ends), None, math.inf
    while solution is not None and goal is not None:
        lattice = problem.lattice()
        is_closed = solution.value < goal + lattice
        if program.has_blocks or is_closed or before - solution.value < FALL * lattice:
            break
        before = solution.value
        items = Items(program.source.problem) if items is None else items
        chosen, slack = program.appraised()
        new = [
            cut for cut in violated(items, chosen, slack) if cut not in solution.cuts
        ]
        better = program.solved((*solution.cuts, *new), ends) if new else None
        if better is None:
            break
        solution = better
    return solution


def proven(
    problem: AlignmentProblem, relaxed: Relaxation, source: Source | None = None
) -> ProvenDuals:
    """Turn the relaxation's duals into an exact integer proof of a bound."""
    links = link_rows(problem)
    total_bits = problem.total_weight().bit_length()
    denominator = min(LARGEST_DENOMINATOR, 2 ** max(_LARGEST_SUM_BITS - total_bits, 0))
    weight, unary = problem.weight * denominator, problem.unary * denominator
    relief = None
    if relaxed.cuts:
        duals_of_cuts = relaxed.cuts, relaxed.multipliers
        whole = problem if source is None else source.problem
        relief = Relief.of(whole, *duals_of_cuts, denominator)
        if source is not None:
            relief = relief.of_items(source.numbers)
        weight, unary = weight - relief.weight, unary - relief.unary
    rows = [side.row for side in links]
    inner, (u, v) = (
        [np.rint(dual * denominator).astype(np.int64) for dual in duals]
        for duals in (relaxed.inner, (relaxed.u, relaxed.v))
    )
    cover = inner[0][rows[0]] + inner[1][rows[1]]
    first = np.minimum(cover[: len(weight)], weight)
    share = np.concatenate((first, weight - first))
    for side in (0, 1):  # as large as the shares need, and no larger
        needed = share - inner[1 - side][rows[1 - side]]
        inner[side] = np.zeros_like(inner[side])
        np.maximum.at(inner[side], rows[side], needed)

    worth = unary
    for side in (0, 1):
        np.add.at(worth, links[side].owner, inner[side])
    np.maximum.at(u, problem.left, worth - v[problem.right])
    slack = u[problem.left] + v[problem.right] - worth
    duals = share, (inner[0], inner[1]), u, v, slack
    return ProvenDuals(denominator, *duals, problem.lattice(), relief)


def rounded(problem: AlignmentProblem, x: FloatArray, progress: Progress) -> None:
    """Climb from the alignment that is nearest to the solution of the relaxation."""
    from scipy.optimize import linear_sum_assignment

    chosen = np.zeros((problem.n_left, problem.n_right))
    chosen[problem.left, problem.right] = x
    rows, columns = linear_sum_assignment(chosen, maximize=True)
    start = np.full(problem.n_left, -1)
    used = chosen[rows, columns] > 0
    start[rows[used]] = columns[used]
    climb = PeakSearch(problem)
    climb.run(start.tolist(), progress)
    progress.offer(climb.alignment())


class Program:
    """The relaxation as rows and columns: *plain* candidates, then terms, then blocks.

    The others are *solo* (their terms' sum stands for them), idle, or in a block
    (:mod:`exactmatch.solvers.linear.leaves`).  With a *source*, whose items cuts name,
    there are no blocks.
    """

    def __init__(self, whole: AlignmentProblem, source: Source | None = None) -> None:
        from scipy.sparse import csr_array

        self.whole = whole
        self.quotient = quotient(whole) if source is None else as_it_is(whole)
        if source is None:
            source = Source(whole, np.arange(whole.n_candidates + whole.n_terms))
        self.source = source
        self.problem = problem = self.quotient.problem
        self.links = link_rows(problem, self.quotient.capacity)
        n, n_terms = problem.n_candidates, problem.n_terms
        self.owner = np.concatenate((problem.first, problem.second))
        self.degree = np.bincount(self.owner, minlength=n)
        longest = np.zeros(n, dtype=np.int64)
        for side in self.links:
            np.maximum.at(longest, side.owner, side.size * (side.room == 1))
        self.solo = (problem.unary == 0) & (longest == self.degree)
        has_column = ~self.solo & (self.quotient.block < 0)
        self.plain = np.flatnonzero(has_column)
        column = np.cumsum(has_column) - 1
        term_column = len(self.plain) + np.tile(np.arange(n_terms), 2)
        blocks, member = np.unique(self.quotient.block, return_index=True)
        member = member[blocks >= 0]
        block_column = len(self.plain) + n_terms + np.arange(len(member))

        left, right = self.quotient.row
        n_left_rows = int(left.max(initial=-1)) + 1
        n_rows = n_left_rows + int(right.max(initial=-1)) + 1
        self.node_row = left, n_left_rows + right
        by_solo = np.flatnonzero(self.solo[self.owner])
        entries, rooms = [], []
        for chosen, its_column in (
            (self.plain, column[self.plain]),
            (self.owner[by_solo], term_column[by_solo]),
            (member, block_column),
        ):
            for row, (nodes, _) in zip(self.node_row, problem.sides, strict=True):
                entries.append((row[nodes[chosen]], its_column, np.ones(len(chosen))))
        self.link_row = []
        for side in self.links:
            used = side.kept & has_column[self.owner]
            kept, row = np.unique(side.row[used], return_inverse=True)
            link_row = n_rows + np.arange(len(kept))
            entries.append((link_row[row], term_column[used], np.ones(len(row))))
            rooms.append((link_row, column[side.owner[kept]], -side.room[kept]))
            self.link_row.append((kept, link_row))
            n_rows += len(kept)
        rows, columns, data = map(np.concatenate, zip(*entries, *rooms, strict=True))
        self.objective = np.concatenate(
            (problem.unary[self.plain], problem.weight, problem.unary[member])
        ).astype(np.float64)
        shape = n_rows, len(self.objective)
        self.matrix = csr_array((data, (rows, columns)), shape=shape)
        self.upper = np.zeros(n_rows)
        for row, capacity in zip(self.node_row, self.quotient.capacity, strict=True):
            self.upper += np.bincount(row, capacity, n_rows)
        self.has_blocks = len(member) > 0

    def solved(self, cuts: Sequence[Cut], ends: float | None) -> Relaxation | None:
        """Solve the relaxation with cuts; return ``None`` if time runs out."""
        from scipy.optimize import linprog

        options = {}
        if ends is not None:
            options["time_limit"] = max(ends - time.perf_counter(), 0.0)
        matrix, upper = self.with_cuts(cuts)
        result = linprog(
            -self.objective,
            A_ub=matrix,
            b_ub=upper,
            bounds=(0, None),
            method="highs-ipm" if self.has_blocks else "highs-ds",
            options=options,
        )
        if answered(result).status == OUT_OF_TIME:
            return None
        duals = np.maximum(-result.ineqlin.marginals, 0.0)
        multipliers = zip(cuts, duals[len(self.upper) :].tolist(), strict=True)
        tight = [(cut, dual) for cut, dual in multipliers if dual > _TIGHT]
        self.values, self.slack = result.x, matrix.T @ duals - self.objective
        return self.solution(-result.fun, result.x, duals, tight)

    def with_cuts(self, cuts: Sequence[Cut]) -> tuple[Any, FloatArray]:
        """Return the rows and their right-hand sides; cuts come last."""
        from scipy.sparse import csr_array, vstack

        if not cuts:
            return self.matrix, self.upper
        items, starts = np.concatenate(cuts), np.cumsum([0, *map(len, cuts)])
        shape = len(cuts), self.source.n_items
        rows = csr_array((np.ones(len(items)), items, starts), shape=shape)
        matrix = vstack([self.matrix, rows @ self.columns_of_items])
        return matrix, np.concatenate((self.upper, np.ones(len(cuts))))

    @cached_property
    def columns_of_items(self) -> Any:
        """Say which columns add up to each item, if no leaves are taken together."""
        from scipy.sparse import csr_array

        n, n_terms, n_plain = len(self.degree), self.problem.n_terms, len(self.plain)
        by_solo = np.flatnonzero(self.solo[self.owner])
        items = self.plain, self.owner[by_solo], n + np.arange(n_terms)
        term_column = n_plain + np.arange(n_terms)
        columns = np.arange(n_plain), np.tile(term_column, 2)[by_solo], term_column
        rows = self.source.numbers[np.concatenate(items)]
        shape = self.source.n_items, len(self.objective)
        entries = np.ones(len(rows)), (rows, np.concatenate(columns))
        return csr_array(entries, shape=shape)

    def appraised(self) -> tuple[FloatArray, FloatArray]:
        """Return how much of each item the last solution chooses, and its slack.

        A candidate without a column has the least slack of its terms.
        """
        slack = np.full(self.source.n_items, np.inf)
        entries = self.columns_of_items.tocoo()
        np.minimum.at(slack, entries.row, self.slack[entries.col])
        return self.columns_of_items @ self.values, slack

    def solution(
        self,
        value: float,
        columns: FloatArray,
        duals: FloatArray,
        cuts: Sequence[tuple[Cut, float]] = (),
    ) -> Relaxation:
        """Put the replaced candidates, the left-out rows and the leaves back.

        Each leaf has its group's value, divided among the leaves of the group.
        """
        problem, quotient = self.problem, self.quotient
        u, v = (duals[row] for row in self.node_row)
        terms = columns[len(self.plain) : len(self.plain) + problem.n_terms]
        y = np.tile(terms, 2)
        x: FloatArray = np.bincount(self.owner, y, problem.n_candidates).astype(float)
        x[self.plain] = columns[: len(self.plain)]
        capacity = quotient.capacity
        share = x / (capacity[0][problem.left] * capacity[1][problem.right])
        in_block = quotient.block >= 0
        share[in_block] = _HINT * (1 + share[in_block])
        price = u[problem.left] + v[problem.right] - problem.unary
        if cuts:
            taken = np.zeros(self.source.n_items)
            for cut, multiplier in cuts:
                taken[list(cut)] += multiplier
            price += taken[self.source.numbers[: len(price)]]
        unpaid = self.solo | in_block
        inner = []
        links = zip(link_rows(self.whole), self.links, self.link_row, strict=True)
        for links_of_side, side, (kept, row) in links:
            dual = np.zeros(len(side.owner))
            dual[kept] = duals[row]
            is_whole = (side.size == self.degree[side.owner]) & (side.room == 1)
            paid = unpaid[side.owner] & is_whole
            dual[paid] = np.maximum(price[side.owner[paid]], 0.0)
            unpaid[side.owner[paid]] = False
            lifted = np.zeros(len(links_of_side.owner))
            lifted[links_of_side.row] = dual[side.row[quotient.half]]
            inner.append(lifted)
        left, right = quotient.group
        x = share[quotient.candidate]
        outer = u[left], v[right]
        names = tuple(cut for cut, _ in cuts), tuple(dual for _, dual in cuts)
        return Relaxation(value, x, *outer, (inner[0], inner[1]), *names)


class Rest(Solver):
    """Search a window with HiGHS, for more than the progress is above."""

    name: ClassVar[str] = "rest"
    exact: ClassVar[bool] = True
    summary: ClassVar[str] = "HiGHS on a relaxation"
    requires: ClassVar[tuple[str, ...]] = ("scipy", "ortools")

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        imports = "scipy.sparse", "ortools.math_opt.python.mathopt"
        window = process.run(
            searched, problem, progress.goal, imports=imports, progress=progress
        )
        bound, x = window or (None, None)
        if x is not None:
            rounded(problem, x, progress)
        return Proposal(progress.alignment, bound, "milp")


def searched(
    report: process.Report | None,
    seconds: float | None,
    problem: AlignmentProblem,
    goal: int,
) -> tuple[int | None, FloatArray | None]:
    """Return a bound, and how much is chosen of each if that is worth more than *goal*.

    The bound is *goal* where nothing is worth more, and ``None`` where time ran out.
    Called in a process of its own.
    """
    from datetime import timedelta

    from ortools.math_opt.python import mathopt
    from ortools.math_opt.solvers.highs_pb2 import HighsOptionsProto

    del report
    program, lattice = Program(problem), problem.lattice()
    worth = program.objective / lattice
    if not len(worth):
        return max(goal, 0), None
    least = goal // lattice + 1 - _SPARE
    model = mathopt.Model()
    columns = [model.add_binary_variable() for _ in program.plain]
    columns += [model.add_variable(lb=0.0) for _ in range(len(worth) - len(columns))]
    matrix = program.matrix
    for row, upper in enumerate(program.upper.tolist()):
        place = slice(matrix.indptr[row], matrix.indptr[row + 1])
        entries = zip(matrix.indices[place], matrix.data[place].tolist(), strict=True)
        sum_of_row = mathopt.fast_sum(factor * columns[k] for k, factor in entries)
        model.add_linear_constraint(ub=upper, expr=sum_of_row)
    costs = (-value * x for value, x in zip(worth.tolist(), columns, strict=True))
    model.minimize(mathopt.fast_sum(costs))
    options = HighsOptionsProto()
    options.double_options["objective_bound"] = -least
    options.double_options["mip_heuristic_effort"] = 0.0
    options.double_options["mip_rel_gap"] = 0.0
    if problem.n_candidates > LARGE:
        options.int_options["mip_pscost_minreliable"] = 0
    limit = None if seconds is None else timedelta(seconds=seconds)
    parameters = mathopt.SolveParameters(time_limit=limit, highs=options)
    result = mathopt.solve(model, mathopt.SolverType.HIGHS, params=parameters)
    ends = mathopt.TerminationReason.INFEASIBLE, mathopt.TerminationReason.OPTIMAL
    is_done = result.termination.reason in ends
    if result.has_primal_feasible_solution():
        values = result.variable_values()
        x = np.array([values[column] for column in columns])
        if worth @ x >= least:
            best = round(float(worth @ x)) * lattice
            chosen = program.solution(0.0, x, np.zeros(len(program.upper))).x
            return best if is_done else None, chosen
    return goal if is_done else None, None
