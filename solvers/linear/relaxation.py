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

from contextlib import suppress
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.solver_errors import SolverError
from exactmatch.solvers.certificate import Round
from exactmatch.solvers.linear import process
from exactmatch.solvers.linear.model import LinkRows, link_rows
from exactmatch.solvers.problem import AlignmentProblem, IntArray
from exactmatch.solvers.progress import Progress

Vector: TypeAlias = npt.NDArray[np.float64]

_OPTIMAL, _OUT_OF_TIME = 0, 1

LARGEST_DENOMINATOR = 2**20
"""Duals are rounded to multiples of its inverse, or coarser where sums get large."""

_LARGEST_SUM_BITS = 60


@dataclass(frozen=True, slots=True, eq=False)
class Relaxation:
    """An optimal solution of the linear relaxation, in floating point.

    Attributes:
        value: its value, which bounds every alignment's up to rounding errors.
        x: how much of each candidate is chosen, between 0 and 1.
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

    Args:
        problem: the problem, or a part of it.
        progress: until when.

    Raises:
        SolverError: if HiGHS fails.
    """
    with suppress(process.OutOfTimeError):
        found: Relaxation | None = process.run(
            relaxed,
            problem,
            imports=("scipy.optimize", "scipy.sparse"),
            progress=progress,
        )
        return found
    return None


def relaxed(
    report: process.Report | None, seconds: float | None, problem: AlignmentProblem
) -> Relaxation | None:
    """Solve the linear relaxation here and now; called in a process of its own.

    Raises:
        SolverError: if HiGHS fails.
    """
    from scipy.optimize import linprog

    del report  # an unfinished relaxation proves nothing
    links = link_rows(problem)
    program = _Program(problem, links)
    if not len(program.objective):
        return program.solution(0.0, np.zeros(0), np.zeros(len(program.upper)))
    options = {} if seconds is None else {"time_limit": seconds}
    result = linprog(
        -program.objective,
        A_ub=program.matrix,
        b_ub=program.upper,
        bounds=(0, None),
        method="highs-ds",
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


class _Program:
    """The relaxation as rows and columns: *plain* candidates, then terms.

    The others are *solo* (their terms' sum stands for them) or idle.
    """

    def __init__(
        self, problem: AlignmentProblem, links: tuple[LinkRows, LinkRows]
    ) -> None:
        from scipy.sparse import csr_array

        n, n_terms = problem.n_candidates, problem.n_terms
        self.problem, self.links = problem, links
        self.owner = np.concatenate((problem.first, problem.second))
        degree = np.bincount(self.owner, minlength=n)
        longest = np.zeros(n, dtype=np.int64)
        for side in links:
            np.maximum.at(longest, side.owner, side.size)
        self.solo = (problem.unary == 0) & (longest == degree)
        self.plain = np.flatnonzero(~self.solo)
        column = np.cumsum(~self.solo) - 1
        term_column = len(self.plain) + np.tile(np.arange(n_terms), 2)

        left, right = problem.left, problem.n_left + problem.right
        by_solo = np.flatnonzero(self.solo[self.owner])
        solo_owner = self.owner[by_solo]
        rows = [left[self.plain], right[self.plain], left[solo_owner]]
        rows.append(right[solo_owner])
        columns = [column[self.plain]] * 2 + [term_column[by_solo]] * 2
        n_rows = problem.n_left + problem.n_right
        self.row_numbers = []
        owners = []
        for side in links:
            used = side.kept & ~self.solo[self.owner]
            kept, row = np.unique(side.row[used], return_inverse=True)
            rows.append(n_rows + row.ravel())
            columns.append(term_column[used])
            owners.append((n_rows + np.arange(len(kept)), column[side.owner[kept]]))
            self.row_numbers.append((kept, n_rows))
            n_rows += len(kept)
        data = [np.ones(sum(map(len, rows)))]
        for row, owner in owners:
            rows.append(row)
            columns.append(owner)
            data.append(np.full(len(row), -1.0))
        shape = (n_rows, len(self.plain) + n_terms)
        entries = (np.concatenate(rows), np.concatenate(columns))
        self.matrix = csr_array((np.concatenate(data), entries), shape=shape)
        self.upper = np.zeros(n_rows)
        self.upper[: problem.n_left + problem.n_right] = 1.0
        self.objective = np.concatenate(
            (problem.unary[self.plain], problem.weight)
        ).astype(np.float64)

    def solution(self, value: float, columns: Vector, duals: Vector) -> Relaxation:
        """Put the replaced candidates and the left-out rows back."""
        problem = self.problem
        u = duals[: problem.n_left]
        v = duals[problem.n_left : problem.n_left + problem.n_right]
        y = np.tile(columns[len(self.plain) :], 2)
        x: Vector = np.bincount(self.owner, y, problem.n_candidates).astype(float)
        x[self.plain] = columns[: len(self.plain)]
        degree = np.bincount(self.owner, minlength=problem.n_candidates)
        price = u[problem.left] + v[problem.right]
        inner = []
        unpaid = self.solo.copy()
        for side, (kept, start) in zip(self.links, self.row_numbers, strict=True):
            dual = np.zeros(len(side.owner))
            dual[kept] = duals[start : start + len(kept)]
            whole = unpaid[side.owner] & (side.size == degree[side.owner])
            dual[whole] = price[side.owner[whole]]
            unpaid[side.owner[whole]] = False
            inner.append(dual)
        return Relaxation(value, x, u, v, (inner[0], inner[1]))


def _rounded(duals: Vector, denominator: int) -> IntArray:
    rounded: IntArray = np.rint(duals * denominator).astype(np.int64)
    return rounded
