# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Match a few rows with a few columns, each with its first wish or by all subsets.

Frames and role fillers come by the handful, tens of thousands of times.  The code is
Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

SMALL = 4
"""Of so many columns all subsets are tried."""

SUBSETS = 1 << SMALL


def match_few(weights):
    """The columns of rows, where every row gets its wish or one side is small.

    Args:
        weights: a row or more, each of a column or more; numbers from 0 on.

    Returns:
        The column of each row, -1 for none; ``None`` where both sides are too large.
    """
    wishes: list = []
    row: object
    for row in weights:
        wishes.append(_wish(row))
    taken: list = [column for column in wishes if column >= 0]
    if len(set(taken)) == len(taken):
        return wishes
    if len(weights[0]) <= SMALL:
        return _by_subsets(weights, len(weights[0]))
    if len(weights) > SMALL:
        return None
    found: list = [-1] * len(weights)
    flipped: list = list(zip(*weights, strict=True))
    for column, number in enumerate(_by_subsets(flipped, len(weights))):
        if number >= 0:
            found[number] = column
    return found


@cython.cfunc
def _wish(row) -> cython.int:
    """The first of the best columns of a row; -1 if none is worth anything."""
    best: cython.double = 0.0
    weight: cython.double
    column: cython.int = -1
    k: cython.Py_ssize_t
    for k in range(len(row)):
        weight = row[k]
        if weight > best:
            best = weight
            column = k
    return column


@cython.cfunc
def _by_subsets(weights, n_columns: cython.int) -> list:
    """The column of each row, at most ``SMALL`` columns, or -1.

    Row by row, the best sum is known for each set of columns that were taken, and which
    row has each of them.  Sets are passed in the order in which they were first
    reached, and a sum replaces only a smaller one.
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
    row: object
    total: cython.double
    weight: cython.double
    number: cython.int = 0
    reached: cython.int = 1
    grown_reached: cython.int
    column: cython.int
    taken: cython.int
    key: cython.int
    k: cython.int
    h: cython.int
    best[0] = 0.0
    order[0] = 0
    for k in range(SMALL):
        holders[k] = -1
    for row in weights:
        grown_reached = 0
        for k in range(SUBSETS):
            place[k] = 0
        for k in range(reached):
            taken = order[k]
            for column in range(-1, n_columns):
                if column < 0:  # the row goes without
                    key = taken
                    total = best[taken]
                else:
                    weight = row[column]
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
        number += 1
    key = order[0]
    for k in range(reached):
        if best[order[k]] > best[key]:
            key = order[k]
    found: list = [-1] * number
    for h in range(n_columns):
        if key >> h & 1:
            found[holders[SMALL * key + h]] = h
    return found
