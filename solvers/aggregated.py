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
Such a row is left out, and of two equal ones the left node's is kept.

The formulation is the one-to-one matching case of the level-1
reformulation-linearisation of Adams and Sherali for the quadratic assignment
problem (Adams and Johnson, 1994), restricted to the terms that have a weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from exactmatch.solvers.problem import Alignment, AlignmentProblem, IntArray

if TYPE_CHECKING:
    import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class AggregatedModel:
    """Maximise ``objective · v`` subject to ``A v <= upper``, ``0 <= v <= 1``.

    The columns of ``v`` are the candidates' ``x`` in the problem's order, then
    the pair terms' ``y``; ``A`` is stored by rows (CSR): first the rows of the
    nodes, then those of the candidates.

    Attributes:
        n_x, n_y: numbers of candidate and of pair-term columns.
        n_node_rows: how many rows, the first ones, say "at most once".
        objective: ``int64``, shape ``(n_x + n_y,)``.
        starts: where each row begins in ``columns``, ``int64``,
            shape ``(n_rows + 1,)``.
        columns: ``int64``, shape ``(entries,)``.
        coefficients: 1 or -1, ``int64``, shape ``(entries,)``.
        upper: right-hand sides, 1 for nodes and 0 else, ``int64``,
            shape ``(n_rows,)``.
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
        """How many rows there are."""
        return len(self.upper)


def aggregated_model(problem: AlignmentProblem) -> AggregatedModel:
    """State a problem as the aggregated integer program."""
    n_x, n_y = problem.n_candidates, problem.n_terms
    node_rows, node_columns, n_node_rows = _node_rows(problem)
    owners, group, terms = _link_rows(problem)
    n_links = len(owners)
    rows = np.concatenate(
        (node_rows, n_node_rows + group, n_node_rows + np.arange(n_links))
    )
    columns = np.concatenate((node_columns, n_x + terms, owners))
    coefficients = np.ones(len(columns), dtype=np.int64)
    coefficients[len(columns) - n_links :] = -1
    order = np.argsort(rows, kind="stable")
    starts = np.zeros(n_node_rows + n_links + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n_node_rows + n_links), out=starts[1:])
    upper = np.zeros(n_node_rows + n_links, dtype=np.int64)
    upper[:n_node_rows] = 1
    return AggregatedModel(
        n_x,
        n_y,
        n_node_rows,
        np.concatenate((problem.unary, problem.weight)),
        starts,
        columns[order],
        coefficients[order],
        upper,
    )


def alignment_of(
    problem: AlignmentProblem, x: npt.NDArray[np.float64] | IntArray
) -> Alignment:
    """Read the alignment off the candidates' values, 0 or 1 up to rounding.

    Of fractional values, such as a solver leaves behind when its time runs
    out, only those near 1 are taken; no two of them can be at one node.
    """
    alignment = [-1] * problem.n_left
    for c in np.flatnonzero(np.asarray(x) > 0.75).tolist():
        alignment[problem.left[c]] = int(problem.right[c])
    return tuple(alignment)


def _node_rows(problem: AlignmentProblem) -> tuple[IntArray, IntArray, int]:
    """Rows and columns of "every node at most once", and how many rows.

    A node with a single candidate needs no row: ``x <= 1`` says the same.
    """
    candidates = np.arange(problem.n_candidates)
    degree_left = np.bincount(problem.left, minlength=problem.n_left)
    degree_right = np.bincount(problem.right, minlength=problem.n_right)
    shared_left = degree_left[problem.left] > 1
    shared_right = degree_right[problem.right] > 1
    number_left = np.cumsum(degree_left > 1) - 1
    n_left_rows = int(np.count_nonzero(degree_left > 1))
    number_right = n_left_rows + np.cumsum(degree_right > 1) - 1
    rows = np.concatenate(
        (
            number_left[problem.left[shared_left]],
            number_right[problem.right[shared_right]],
        )
    )
    columns = np.concatenate((candidates[shared_left], candidates[shared_right]))
    return rows, columns, n_left_rows + int(np.count_nonzero(degree_right > 1))


def _link_rows(problem: AlignmentProblem) -> tuple[IntArray, IntArray, IntArray]:
    """The rows ``sum y <= x_c``: each row's candidate; each entry's row and term.

    Every pair term is an entry of four rows: for each of its two candidates,
    that of the other's left node and that of the other's right node.
    """
    terms = np.tile(np.arange(problem.n_terms), 2)
    owner = np.concatenate((problem.first, problem.second)).astype(np.int64)
    partner = np.concatenate((problem.second, problem.first))
    owners, groups, sizes = [], [], []
    for nodes, count in (
        (problem.left, problem.n_left),
        (problem.right, problem.n_right),
    ):
        keys, group = np.unique(owner * count + nodes[partner], return_inverse=True)
        owners.append(keys // max(count, 1))
        groups.append(group.ravel())
        sizes.append(np.bincount(groups[-1], minlength=len(keys)))
    size_by_left = sizes[0][groups[0]]
    size_by_right = sizes[1][groups[1]]
    keep_left = (size_by_left > 1) | (size_by_right == 1)
    keep_right = size_by_right > 1
    kept = [keep_left, keep_right]
    row_owner, entry_row, entry_term = [], [], []
    n_rows = 0
    for side in (0, 1):
        used, row = np.unique(groups[side][kept[side]], return_inverse=True)
        row_owner.append(owners[side][used])
        entry_row.append(n_rows + row.ravel())
        entry_term.append(terms[kept[side]])
        n_rows += len(used)
    return (
        np.concatenate(row_owner),
        np.concatenate(entry_row),
        np.concatenate(entry_term),
    )
