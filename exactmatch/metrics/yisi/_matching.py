# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Match a few rows with a few columns, each with its best one or by all subsets.

Frames and role fillers come by the handful, tens of thousands of times, and so do the
phrases whose shares are added up.

The code is Python that Cython compiles.  Small changes cost speed here; time
``exactmatch PRED GOLD --metric yisi`` on a corpus before and after one.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np

SMALL = 4
"""The largest number of columns of which all subsets are tried."""

SUBSETS = 1 << SMALL


def match(weights: cython.const[cython.double][:, :], assign) -> list:
    """Return the column of each row in the matching of the largest total weight.

    Args:
        weights: a row or more, each of a column or more; numbers from 0 on.
        assign: finds the columns where there are too many of both for this kernel.

    Returns:
        The column of each row, -1 for none; pairs of weight 0 are not matched.
    """
    columns: list = _few(weights)
    if columns is None:
        columns = assign(np.asarray(weights))
        for k in range(len(columns)):
            column: cython.int = columns[k]
            if column >= 0 and not weights[k, column] > 0:
                columns[k] = -1
    return columns


def match_blocks(
    weights: cython.const[cython.double][:, :],
    values: cython.const[cython.double][:, :],
    worths: cython.const[cython.double][:, :],
    rows: cython.const[cython.Py_ssize_t][:],
    columns: cython.const[cython.Py_ssize_t][:],
    chosen: cython.const[cython.uchar][:, :],
    sums: cython.double[:, :],
    unit_values: cython.double[:, :],
    assign,
):
    """Match each block of rows with each block of columns; see ``matching.py``.

    Args:
        weights, values, worths: of each row and column.
        rows, columns: the begins of blocks, and the end of the last one.
        chosen: the pairs of blocks that are matched.
        sums: of blocks; added to, row by row.
        unit_values: the value of each row in each block of columns; written where
            matched.
        assign: as for :func:`match`.
    """
    for i in range(rows.shape[0] - 1):
        for j in range(columns.shape[0] - 1):
            if not chosen[i, j] or rows[i] == rows[i + 1]:
                continue
            if columns[j] == columns[j + 1]:
                continue
            block = weights[rows[i] : rows[i + 1], columns[j] : columns[j + 1]]
            matched: list = match(block, assign)
            for k in range(len(matched)):
                column: cython.Py_ssize_t = matched[k]
                if column >= 0:
                    row: cython.Py_ssize_t = rows[i] + k
                    column += columns[j]
                    unit_values[row, j] = values[row, column]
                    sums[i, j] += worths[row, column]


def shares(phrases, weights, matches: cython.const[cython.double][:, ::1]) -> object:
    """Return the matched share of each phrase's weight, at every place.

    Args:
        phrases: the numbers of their units.
        weights: of the units.
        matches: the weighted match of each unit at every place; shape
            ``(units, places)``.

    Returns:
        An array of shape ``(phrases, places)``, at most 1.  Units are added one by one,
        so that the sums are the same everywhere.
    """
    table = np.zeros((len(phrases), matches.shape[1]))
    share: cython.double[:, ::1] = table
    unit: cython.Py_ssize_t
    for i in range(len(phrases)):
        mass: cython.double = 0.0
        for unit in phrases[i]:
            mass += weights[unit]
            for j in range(matches.shape[1]):
                share[i, j] += matches[unit, j]
        for j in range(matches.shape[1]):
            share[i, j] = min(1.0, share[i, j] / mass) if mass > 0 else 0.0
    return table


@cython.cfunc
def _few(weights: cython.const[cython.double][:, :]) -> list:
    """Return columns if every row gets its best or a side is small, else ``None``."""
    k: cython.Py_ssize_t
    bests: list = [_best(weights, k) for k in range(weights.shape[0])]
    taken: list = [column for column in bests if column >= 0]
    if len(set(taken)) == len(taken):
        return bests
    if weights.shape[1] <= SMALL:
        return _by_subsets(weights)
    if weights.shape[0] > SMALL:
        return None
    columns: list = [-1] * weights.shape[0]
    flipped: list = _by_subsets(weights.T)
    for k in range(len(flipped)):
        column: cython.int = flipped[k]
        if column >= 0:
            columns[column] = k
    return columns


@cython.cfunc
def _best(
    weights: cython.const[cython.double][:, :], row: cython.Py_ssize_t
) -> cython.int:
    """Return the first of the best columns of a row; -1 if all weigh 0."""
    best: cython.double = 0.0
    column: cython.int = -1
    for k in range(weights.shape[1]):
        if weights[row, k] > best:
            best = weights[row, k]
            column = k
    return column


@cython.cfunc
def _by_subsets(weights: cython.const[cython.double][:, :]) -> list:
    """Return the column of each row, or -1, for at most ``SMALL`` columns.

    Row by row, the best sum of each set of taken columns is known, and the row of each
    column.  Sets are passed in the order in which they were first reached, and a sum
    replaces only a smaller one.
    """
    best: cython.double[16]
    grown: cython.double[16]
    holders: cython.int[64]
    grown_holders: cython.int[64]
    order: cython.int[16]
    grown_order: cython.int[16]
    place: cython.int[16]
    if not cython.compiled:
        best, grown = [0.0] * SUBSETS, [0.0] * SUBSETS
        holders, grown_holders = [-1] * SUBSETS * SMALL, [-1] * SUBSETS * SMALL
        order, grown_order, place = [0] * SUBSETS, [0] * SUBSETS, [0] * SUBSETS
    n_columns: cython.int = weights.shape[1]
    reached: cython.int = 1
    k: cython.int
    h: cython.int
    best[0] = 0.0
    order[0] = 0
    for k in range(SMALL):
        holders[k] = -1
    for number in range(weights.shape[0]):
        grown_reached: cython.int = 0
        for k in range(SUBSETS):
            place[k] = 0
        for k in range(reached):
            taken: cython.int = order[k]
            for column in range(-1, n_columns):
                if column < 0:  # the row goes without
                    key: cython.int = taken
                    total: cython.double = best[taken]
                else:
                    weight: cython.double = weights[number, column]
                    if taken >> column & 1 or not weight > 0:
                        continue
                    key = taken | 1 << column
                    total = best[taken] + weight
                if place[key]:
                    if not total > grown[key]:
                        continue
                else:
                    place[key] = 1
                    grown_order[grown_reached] = key
                    grown_reached += 1
                grown[key] = total
                for h in range(SMALL):
                    grown_holders[SMALL * key + h] = holders[SMALL * taken + h]
                if column >= 0:
                    grown_holders[SMALL * key + column] = number
        reached = grown_reached
        for k in range(reached):
            key = grown_order[k]
            order[k] = key
            best[key] = grown[key]
            for h in range(SMALL):
                holders[SMALL * key + h] = grown_holders[SMALL * key + h]
    key = order[0]
    for k in range(reached):
        if best[order[k]] > best[key]:
            key = order[k]
    column_of: list = [-1] * weights.shape[0]
    for h in range(n_columns):
        if key >> h & 1:
            column_of[holders[SMALL * key + h]] = h
    return column_of
