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

HiGHS solves the program in floating point and its numbers hold to about 1e-7.
They are therefore only a suggestion: :func:`proven` rounds them to integers in
units of ``1 / denominator``, repairs what rounding broke, and the bound that
remains is exact whatever the solver did.

The program is stated smaller than the aggregated model: a candidate without
unary weight all of whose terms stand in one row ``sum y <= x_c`` is worth
choosing only for one of them, so its ``x_c`` is replaced by that sum.  On
multi-sentence graphs this removes three candidates of four and halves the time.

Upstream: https://docs.scipy.org/doc/scipy/reference/optimize.linprog-highs-ds.html
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import SolverError
from exactmatch.solvers.certificate import Round
from exactmatch.solvers.hillclimb import PeakSearch
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.leaves import quotient
from exactmatch.solvers.linear.model import link_rows
from exactmatch.solvers.problem import AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress

Vector: TypeAlias = npt.NDArray[np.float64]

_OPTIMAL, _OUT_OF_TIME = 0, 1

LARGEST_DENOMINATOR = 2**20
"""Duals are rounded to multiples of its inverse, or coarser where sums get large."""

_LARGEST_SUM_BITS = 60

_HINT = 1e-4
"""Of two leaves, so much is chosen; more where their parents are aligned."""


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """An optimal solution of the linear relaxation, in floating point.

    Attributes:
        value: its value, which bounds every alignment's up to rounding errors.
        x: how much of each candidate is chosen, between 0 and 1; of leaves that are
            taken together a hint, far below 1.
        u, v: the outer duals of the left and the right nodes.
        inner: the inner duals of the rows ``sum y <= x_c``, by left and by
            right nodes, in the order of :func:`~.aggregated.link_rows`.
    """

    value: float
    x: Vector
    u: Vector
    v: Vector
    inner: tuple[Vector, Vector]


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
    """

    denominator: int
    share: IntArray
    inner: tuple[IntArray, IntArray]
    u: IntArray
    v: IntArray
    slack: IntArray
    lattice: int = 1

    @property
    def total(self) -> int:
        """The bound on every alignment's value, in units of ``1 / denominator``."""
        return int(self.u.sum()) + int(self.v.sum())

    @property
    def bound(self) -> int:
        """The bound on every alignment's value, in the problem's units."""
        return self.total // (self.denominator * self.lattice) * self.lattice

    def round(self, dropped: tuple[int, ...] = ()) -> Round:
        """The duals as a round of a certificate, *dropped* being left out after."""
        return Round(
            self.denominator,
            tuple(self.share[: len(self.share) // 2].tolist()),
            tuple(self.inner[0].tolist()),
            tuple(self.inner[1].tolist()),
            tuple(self.u.tolist()),
            tuple(self.v.tolist()),
            dropped,
        )

    def open_candidates(self, value: int) -> npt.NDArray[np.bool_]:
        """Which candidates may be part of an alignment worth more than *value*."""
        needed = (value // self.lattice + 1) * self.lattice * self.denominator
        still_open: npt.NDArray[np.bool_] = self.total - self.slack >= needed
        return still_open


def relaxation(problem: AlignmentProblem, progress: Progress) -> Relaxation | None:
    """Solve the linear relaxation; ``None`` where time runs out before the end.

    Raises:
        SolverError: if HiGHS fails.
    """
    imports = "scipy.optimize", "scipy.sparse"
    found: Relaxation | None = process.run(
        relaxed, problem, imports=imports, progress=progress
    )
    return found


def relaxed(
    report: process.Report | None, seconds: float | None, problem: AlignmentProblem
) -> Relaxation | None:
    """Solve the linear relaxation here and now; called in a process of its own.

    Raises:
        SolverError: if HiGHS fails.
    """
    from scipy.optimize import linprog

    del report  # an unfinished relaxation proves nothing
    program = Program(problem)
    if not len(program.objective):
        return program.solution(0.0, np.zeros(0), np.zeros(len(program.upper)))
    options = {} if seconds is None else {"time_limit": seconds}
    result = linprog(
        -program.objective,
        A_ub=program.matrix,
        b_ub=program.upper,
        bounds=(0, None),
        method="highs-ipm" if program.has_blocks else "highs-ds",
        options=options,
    )
    if result.status == _OUT_OF_TIME:
        return None
    if result.status != _OPTIMAL:
        raise SolverError(f"HiGHS gave up: {result.message}")
    duals = np.maximum(-result.ineqlin.marginals, 0.0)
    return program.solution(-result.fun, result.x, duals)


def proven(problem: AlignmentProblem, relaxed: Relaxation) -> ProvenDuals:
    """Turn the relaxation's duals into an exact integer proof of a bound."""
    links = link_rows(problem)
    total_bits = problem.total_weight().bit_length()
    denominator = min(LARGEST_DENOMINATOR, 2 ** max(_LARGEST_SUM_BITS - total_bits, 0))
    weight = problem.weight * denominator
    rows = [side.row for side in links]
    inner = [_rounded(dual, denominator) for dual in relaxed.inner]

    cover = inner[0][rows[0]] + inner[1][rows[1]]
    first = np.minimum(cover[: len(weight)], weight)
    share = np.concatenate((first, weight - first))
    for side in (0, 1):  # as large as the shares need, and no larger
        needed = share - inner[1 - side][rows[1 - side]]
        inner[side] = np.zeros_like(inner[side])
        np.maximum.at(inner[side], rows[side], needed)

    worth = problem.unary * denominator
    for side in (0, 1):
        np.add.at(worth, links[side].owner, inner[side])
    u, v = _rounded(relaxed.u, denominator), _rounded(relaxed.v, denominator)
    np.maximum.at(u, problem.left, worth - v[problem.right])
    slack = u[problem.left] + v[problem.right] - worth
    lattice = problem.lattice()
    return ProvenDuals(denominator, share, (inner[0], inner[1]), u, v, slack, lattice)


def rounded(problem: AlignmentProblem, x: Vector, progress: Progress) -> None:
    """Climb from the alignment nearest to what is chosen of each candidate."""
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

    The other candidates are *solo* (their terms' sum stands for them), idle, or in a
    block (:mod:`exactmatch.solvers.linear.leaves`).
    """

    def __init__(self, whole: AlignmentProblem) -> None:
        from scipy.sparse import csr_array

        self.whole, self.quotient = whole, quotient(whole)
        self.problem = problem = self.quotient.problem
        self.links = links = self.quotient.links()
        n, n_terms = problem.n_candidates, problem.n_terms
        self.owner = np.concatenate((problem.first, problem.second))
        self.degree = np.bincount(self.owner, minlength=n)
        longest = np.zeros(n, dtype=np.int64)
        for side in links:
            np.maximum.at(longest, side.owner, side.size * (side.room == 1))
        self.solo = (problem.unary == 0) & (longest == self.degree)
        has_column = ~self.solo & (self.quotient.block < 0)
        self.plain = np.flatnonzero(has_column)
        column = np.cumsum(has_column) - 1
        term_column = len(self.plain) + np.tile(np.arange(n_terms), 2)
        blocks, member = np.unique(self.quotient.block, return_index=True)
        member = member[blocks >= 0]
        block_column = len(self.plain) + n_terms + np.arange(len(member))

        row_of_left, row_of_right = self.quotient.row
        n_left_rows = int(row_of_left.max(initial=-1)) + 1
        self.left_row = row_of_left
        self.right_row = n_left_rows + row_of_right
        n_rows = n_left_rows + int(row_of_right.max(initial=-1)) + 1
        left, right = self.left_row[problem.left], self.right_row[problem.right]
        by_solo = np.flatnonzero(self.solo[self.owner])
        rows, columns = [], []
        for chosen, its_column in (
            (self.plain, column[self.plain]),
            (self.owner[by_solo], term_column[by_solo]),
            (member, block_column),
        ):
            rows += [left[chosen], right[chosen]]
            columns += [its_column] * 2
        upper = [np.zeros(n_rows)]
        for of_node, capacity in zip(
            (self.left_row, self.right_row), self.quotient.capacity, strict=True
        ):
            upper[0] += np.bincount(of_node, capacity, n_rows)
        self.row_numbers = []
        room = []
        for side in links:
            used = side.kept & has_column[self.owner]
            kept, row = np.unique(side.row[used], return_inverse=True)
            rows.append(n_rows + row.ravel())
            columns.append(term_column[used])
            room.append((n_rows + np.arange(len(kept)), side, kept))
            self.row_numbers.append((kept, n_rows))
            n_rows += len(kept)
            upper.append(np.zeros(len(kept)))
        data = [np.ones(sum(map(len, rows)))]
        for row, side, kept in room:
            rows.append(row)
            columns.append(column[side.owner[kept]])
            data.append(-side.room[kept].astype(np.float64))
        shape = (n_rows, len(self.plain) + n_terms + len(member))
        entries = (np.concatenate(rows), np.concatenate(columns))
        self.matrix = csr_array((np.concatenate(data), entries), shape=shape)
        self.upper = np.concatenate(upper)
        self.has_blocks = len(member) > 0
        self.objective = np.concatenate(
            (problem.unary[self.plain], problem.weight, problem.unary[member])
        ).astype(np.float64)

    def solution(self, value: float, columns: Vector, duals: Vector) -> Relaxation:
        """Put the replaced candidates, the left-out rows and the leaves back."""
        problem = self.problem
        u, v = duals[self.left_row], duals[self.right_row]
        terms = columns[len(self.plain) : len(self.plain) + problem.n_terms]
        y = np.tile(terms, 2)
        x: Vector = np.bincount(self.owner, y, problem.n_candidates).astype(float)
        x[self.plain] = columns[: len(self.plain)]
        price = u[problem.left] + v[problem.right] - problem.unary
        in_block = self.quotient.block >= 0
        inner = []
        unpaid = self.solo | in_block
        for side, (kept, start) in zip(self.links, self.row_numbers, strict=True):
            dual = np.zeros(len(side.owner))
            dual[kept] = duals[start : start + len(kept)]
            is_whole = (side.size == self.degree[side.owner]) & (side.room == 1)
            paid = unpaid[side.owner] & is_whole
            dual[paid] = np.maximum(price[side.owner[paid]], 0.0)
            unpaid[side.owner[paid]] = False
            inner.append(dual)
        return self._lifted(value, x, (u, v), inner)

    def _lifted(
        self, value: float, x: Vector, outer: tuple[Vector, Vector], inner: list[Vector]
    ) -> Relaxation:
        """Give each leaf what its group has, and a share of what is chosen of it."""
        quotient, problem = self.quotient, self.problem
        if problem is self.whole:
            return Relaxation(value, x, *outer, (inner[0], inner[1]))
        room = quotient.capacity[0][problem.left] * quotient.capacity[1][problem.right]
        share = x / room
        in_block = quotient.block >= 0
        share[in_block] = _HINT * (1 + share[in_block])
        lifted = []
        for own, side, dual in zip(
            link_rows(self.whole), self.links, inner, strict=True
        ):
            found = np.zeros(len(own.owner))
            found[own.row] = dual[side.row[quotient.half]]
            lifted.append(found)
        u, v = (
            duals[group] for duals, group in zip(outer, quotient.group, strict=True)
        )
        return Relaxation(
            value, share[quotient.candidate], u, v, (lifted[0], lifted[1])
        )


def _rounded(duals: Vector, denominator: int) -> IntArray:
    rounded: IntArray = np.rint(duals * denominator).astype(np.int64)
    return rounded
