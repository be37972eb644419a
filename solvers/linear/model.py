"""The aggregated integer program that the MILP and CP-SAT solvers share.

Binary ``x_c`` for every candidate, ``0 <= y_p <= 1`` for every pair term
``p = (c, d)``; with ``c = (i, j)`` and ``d = (k, l)``::

    max  sum_c unary_c x_c + sum_p weight_p y_p
    sum_j x_(i,j) <= 1            for every left node i
    sum_i x_(i,j) <= 1            for every right node j
    sum_l y_(c,(k,l)) <= x_c      for every candidate c and left node k
    sum_k y_(c,(k,l)) <= x_c      for every candidate c and right node l

The sums of the last two lines run over the pair terms that exist.  They hold
because an alignment gives *k* at most one partner, and they are what makes the
model strong: the linear relaxation, rounded down, is the optimum of almost
every pair of AMR graphs, where the textbook rows ``y_p <= x_c, y_p <= x_d``
leave a wide gap.  With integral ``x`` an optimal ``y_p`` equals ``x_c x_d``,
so ``y`` may be continuous in a MILP; CP-SAT has it Boolean.

Two rows of one candidate share at most one term (*k* and *l* name it), so a
row can only be equal to or contained in another where it holds a single term.
Such a row is left out, and of two equal ones the left node's is kept.  A node with a
single candidate has no row either: ``x <= 1`` says the same.

The formulation is the one-to-one matching case of the level-1
reformulation-linearisation of Adams and Sherali for the quadratic assignment
problem (Adams and Johnson, 1994), restricted to the terms that have a weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from exactmatch.base.errors import SolverError
from exactmatch.solvers.problem import (
    Alignment,
    AlignmentProblem,
    BoolArray,
    FloatArray,
    IntArray,
)

OPTIMAL, OUT_OF_TIME = 0, 1
"""What SciPy's HiGHS says where it did not give up."""


@dataclass(frozen=True, slots=True, eq=False)
class AggregatedModel:
    """Maximise ``objective · v`` subject to ``A v <= upper``, ``0 <= v <= 1``.

    The columns of ``v`` are the candidates' ``x`` in the problem's order, then
    the pair terms' ``y``; ``A`` is stored by rows (CSR): first the rows of the
    nodes, then those of the candidates.

    Attributes:
        n_x, n_y: numbers of candidate and of pair-term columns.
        n_node_rows: how many rows, the first ones, say "at most once".
        objective: shape ``(n_x + n_y,)``.
        starts: where each row begins in ``columns``, shape ``(n_rows + 1,)``.
        columns, coefficients: of all entries; these are 1 or -1.
        upper: right-hand sides, 1 for nodes and 0 else, shape ``(n_rows,)``.
    """

    n_x: int
    n_y: int
    n_node_rows: int
    objective: IntArray
    starts: IntArray
    columns: IntArray
    coefficients: IntArray
    upper: IntArray

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.upper)

    def minimise(self, weights: FloatArray, *rows: Any, **options: Any) -> Any:
        """Return the least sum of weights of columns, as SciPy's HiGHS answers.

        There may be more *rows*, and options of ``scipy.optimize.milp``.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp

        result = milp(
            weights,
            integrality=np.arange(len(weights)) < self.n_x,
            bounds=Bounds(0.0, 1.0),
            constraints=[LinearConstraint(self.matrix(), -np.inf, self.upper), *rows],
            options={"mip_rel_gap": 0.0, **options},
        )
        return answered(result)

    def matrix(self) -> Any:
        """Return the rows as one of SciPy's arrays."""
        from scipy.sparse import csr_array

        shape = (self.n_rows, self.n_x + self.n_y)
        data = self.coefficients.astype(np.float64)
        columns, starts = (a.astype(np.int32) for a in (self.columns, self.starts))
        return csr_array((data, columns, starts), shape=shape)  # 1.14 needs C's int


@dataclass(frozen=True, slots=True, eq=False)
class LinkRows:
    """The rows ``sum y <= x_c`` of one family, those left out included.

    A *half-term* is a pair term seen from one of its candidates, its owner:
    number ``p`` for the term's first candidate, ``terms + p`` for its second.

    Attributes:
        owner: the candidate of each row, shape ``(rows,)``.
        size: how many half-terms each row sums, shape ``(rows,)``.
        room: how many of them may be chosen, shape ``(rows,)``.
        row: the row of each half-term, shape ``(2 * terms,)``.
        kept: whether the model keeps that row, shape ``(2 * terms,)``.
    """

    owner: IntArray
    size: IntArray
    room: IntArray
    row: IntArray
    kept: BoolArray


def aggregated_model(problem: AlignmentProblem) -> AggregatedModel:
    """State a problem as the aggregated integer program."""
    n_x, n_y, n_rows = problem.n_candidates, problem.n_terms, 0
    all_rows, all_columns, owners = [], [], []
    for nodes, count in problem.sides:
        is_shared = np.bincount(nodes, minlength=count) > 1
        shared = np.flatnonzero(is_shared[nodes])  # alone, x <= 1 says the same
        number = n_rows + np.cumsum(is_shared) - 1
        all_rows.append(number[nodes[shared]])
        all_columns.append(shared)
        n_rows += int(np.count_nonzero(is_shared))
    n_node_rows = n_rows
    terms = np.tile(np.arange(n_x, n_x + n_y), 2)
    for side in link_rows(problem):
        kept, row = np.unique(side.row[side.kept], return_inverse=True)
        all_rows.append(n_rows + row)
        all_columns.append(terms[side.kept])
        owners.append(side.owner[kept])
        n_rows += len(kept)
    owner = np.concatenate(owners)
    rows = np.concatenate((*all_rows, np.arange(n_node_rows, n_rows)))
    columns = np.concatenate((*all_columns, owner))
    coefficients = np.ones(len(columns), dtype=np.int64)
    coefficients[len(columns) - len(owner) :] = -1
    order = np.argsort(rows, kind="stable")
    columns, coefficients = columns[order], coefficients[order]
    starts = np.zeros(n_rows + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=starts[1:])
    upper = np.zeros(n_rows, dtype=np.int64)
    upper[:n_node_rows] = 1
    sizes = n_x, n_y, n_node_rows, problem.objective
    return AggregatedModel(*sizes, starts, columns, coefficients, upper)


def link_rows(
    problem: AlignmentProblem, capacity: Sequence[IntArray] | None = None
) -> tuple[LinkRows, LinkRows]:
    """Return the rows ``sum y <= x_c`` by left and by right nodes of the partners.

    With a *capacity*, of how many partners each left, and right, node may have, they
    are ``sum y <= capacity x_c``.
    """
    owner, partner = problem.directed_terms()
    links = []
    for side, (nodes, count) in enumerate(problem.sides):
        keys, row = np.unique(owner * count + nodes[partner], return_inverse=True)
        size = np.bincount(row, minlength=len(keys))
        room = np.ones(count, dtype=np.int64) if capacity is None else capacity[side]
        owners, node = divmod(keys, max(count, 1))
        links.append((owners, size, room[node], row))
    size_by_left, size_by_right = (size[row] for _, size, _, row in links)
    by_left, by_right = (room[row] for _, _, room, row in links)
    kept_by_left = (size_by_left > 1) | (by_left < by_right)
    kept_by_left |= (size_by_right == 1) & (by_left == by_right)
    kept_by_right = (size_by_right > 1) | (by_right < by_left)
    return LinkRows(*links[0], kept_by_left), LinkRows(*links[1], kept_by_right)


def alignment_of(problem: AlignmentProblem, x: FloatArray | IntArray) -> Alignment:
    """Read the alignment off the candidates' values, 0 or 1 up to rounding.

    Of fractional values, left behind when time runs out, only those near 1 are taken;
    no two of them can be at one node.
    """
    alignment = [-1] * problem.n_left
    for c in np.flatnonzero(np.asarray(x) > 0.75).tolist():
        alignment[problem.left[c]] = int(problem.right[c])
    return tuple(alignment)


def answered(result: Any) -> Any:
    """Return SciPy's answer, unless HiGHS gave up before its time was over."""
    if result.status not in (OPTIMAL, OUT_OF_TIME):
        raise SolverError(f"HiGHS gave up: {result.message}")
    return result


def floored(bound: float) -> int:
    """Return the largest integer that a floating-point solver's bound leaves open.

    A solver may report 37.9999999 for 38, or prune what is better by less than its
    tolerance, and such noise grows with the numbers.  The slack keeps it from turning
    into a false proof; sums of 10⁹ and more are then not proved to the last unit.
    """
    return math.floor(bound + 1e-6 + 1e-9 * abs(bound))
