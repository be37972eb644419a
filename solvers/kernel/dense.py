# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The best assignment of a whole table of numbers, by shortest augmenting paths.

Row by row, a shortest path along which columns change hands ends at a free column.
*Duals* keep ``cost[i, j] - row_dual[i] - column_dual[j]`` at zero or more, and at zero
where row *i* has column *j*, so that the paths are Dijkstra's.

Of several best assignments it finds the one that SciPy's ``linear_sum_assignment``
does: the same numbers are added in the same order, columns are looked at in the same
order, and of the nearest columns a free one is preferred.  Which of the two is called
therefore changes no number; but to import ``scipy.optimize`` takes as long as a
thousand alignments.

Source: Crouse (2016), "On implementing 2D rectangular assignment algorithms".

Time a change with ``python -m benchmarks metrics``.
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

INFINITE: cython.double = float("inf")


def assign(table) -> list:
    """Choose an entry of every row, no two in one column, of the largest total.

    Args:
        table: a NumPy matrix of any numbers, or a view of doubles.

    Returns:
        The column of each row.  Where rows are more than columns, every column has a
        row, and -1 stands for the rows that remain.

    Raises:
        ValueError: if no assignment has a finite total.
    """
    if not isinstance(table, memoryview):
        table = table.astype(float, copy=False)
    entries: cython.const[cython.double][:, :] = table
    n_rows: cython.Py_ssize_t = entries.shape[0]
    n_columns: cython.Py_ssize_t = entries.shape[1]
    is_wide: cython.bint = n_rows <= n_columns
    costs = array("d", bytes(8 * n_rows * n_columns))
    cost: cython.double[::1] = costs
    row: cython.Py_ssize_t
    column: cython.Py_ssize_t
    for row in range(n_rows):
        for column in range(n_columns):
            k: cython.Py_ssize_t = (
                row * n_columns + column if is_wide else column * n_rows + row
            )
            cost[k] = -entries[row, column]
    if is_wide:
        return _cheapest(costs, n_rows, n_columns)
    column_of_row = [-1] * n_rows
    for column, row in enumerate(_cheapest(costs, n_columns, n_rows)):
        column_of_row[row] = column
    return column_of_row


@cython.cfunc
def _cheapest(costs, n_rows: cython.int, n_columns: cython.int) -> list:
    """Return the column of each row of the least total; there are enough columns."""
    columns = array("i", [-1]) * n_rows
    cost: cython.double[::1] = costs
    row_dual: cython.double[::1] = array("d", bytes(8 * n_rows))
    column_dual: cython.double[::1] = array("d", bytes(8 * n_columns))
    column_of: cython.int[::1] = columns
    row_of: cython.int[::1] = array("i", [-1]) * n_columns
    # Of the path that is looked for: how far each column is and from which row, and
    # all columns, the first `n_open` of which are not passed yet.
    distance: cython.double[::1] = array("d", bytes(8 * n_columns))
    via: cython.int[::1] = array("i", bytes(4 * n_columns))
    order: cython.int[::1] = array("i", bytes(4 * n_columns))
    for start in range(n_rows):
        for k in range(n_columns):
            distance[k] = INFINITE
            order[k] = n_columns - 1 - k
        n_open: cython.int = n_columns
        so_far: cython.double = 0.0
        row: cython.int = start
        while row >= 0:
            nearest: cython.int = -1
            least: cython.double = INFINITE
            for k in range(n_open):
                column: cython.int = order[k]
                through: cython.double = so_far + cost[row * n_columns + column]
                through = through - row_dual[row] - column_dual[column]
                if through < distance[column]:
                    distance[column] = through
                    via[column] = row
                if distance[column] < least or (
                    distance[column] == least and row_of[column] < 0
                ):
                    least = distance[column]
                    nearest = k
            if least == INFINITE:
                raise ValueError("no assignment has a finite total")
            so_far = least
            column = order[nearest]
            n_open -= 1
            order[nearest] = order[n_open]
            order[n_open] = column
            row = row_of[column]
        row_dual[start] += so_far
        for k in range(n_open, n_columns):
            if row_of[order[k]] >= 0:
                row_dual[row_of[order[k]]] += so_far - distance[order[k]]
            column_dual[order[k]] -= so_far - distance[order[k]]
        while row != start:
            row = via[column]
            row_of[column] = row
            column, column_of[row] = column_of[row], column
    assigned: list = columns.tolist()
    return assigned
