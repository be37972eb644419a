# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Pair two coded graphs: which candidates there are and what they are worth.

Both graphs come as *rows* (see ``exactmatch.coding``): a unary row says that a
variable carries a key (a concept, or a role with a constant), a relation row
that a role leads from one variable to another; each with the number of times
the graph states it.  Equal rows of the two graphs become weights:

* a shared key makes the two variables a candidate with that much unary weight;
* a shared role makes two candidates and, unless they share a node, a pair term;
  two loops make unary weight, because both ends are the same candidate.

The right graph's keys are translated once per pair into the left one's, so that
everything after that compares integers.  Arrays come out sorted as
``AlignmentProblem`` wants them.  The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers import _cython as cython

import numpy as np


def pair(left, right, product: bool, scale: int, max_terms: int, graded=None):
    """Make the arrays of the alignment problem of two coded graphs.

    Args:
        left, right: ``CodedGraph`` objects.
        product: whether a row stated *n* and *m* times counts ``n × m``; else
            it counts ``min(n, m)``.
        scale: weight of one matched triple.
        max_terms: how many pair terms may be allocated.
        graded: further unary weights, ``int64``, shape ``(n_left * n_right,)``,
            or ``None``.

    Returns:
        The seven arrays of ``AlignmentProblem``; or, where more than *max_terms*
        pair terms or pairs of variables would have to be kept, their number.
    """
    n_left: cython.Py_ssize_t = left.n_variables
    n_right: cython.Py_ssize_t = right.n_variables
    unary_key = _translated(left.unary_keys, right.unary_keys)
    role_key = _translated(left.role_keys, right.role_keys)
    start_key = _translated(left.start_keys, right.start_keys)
    size: cython.longlong = n_left * n_right
    terms: cython.longlong = _count_terms(left.role_from, role_key, right.relations)
    if terms > max_terms or size > max_terms or size > 2147483646:
        return max(terms, size)
    table_array = np.zeros(size + 1, dtype=np.int64)
    table: cython.longlong[::1] = table_array
    seen_array = np.zeros(size + 1, dtype=np.int32)
    seen: cython.int[::1] = seen_array
    if graded is not None:
        _add_graded(graded, table, seen)
    _add_unary(
        left.unary_from,
        left.unary,
        unary_key,
        right.unary,
        n_right,
        product,
        scale,
        table,
        seen,
    )
    raw_a = np.empty(terms, dtype=np.int32)
    raw_b = np.empty(terms, dtype=np.int32)
    raw_w = np.empty(terms, dtype=np.int64)
    kept: cython.Py_ssize_t = _add_relations(
        left.role_from,
        left.relations,
        role_key,
        right.relations,
        n_right,
        product,
        scale,
        table,
        seen,
        raw_a,
        raw_b,
        raw_w,
    )
    count: cython.Py_ssize_t = _number_candidates(seen, size)
    out_left = np.empty(count, dtype=np.int32)
    out_right = np.empty(count, dtype=np.int32)
    out_unary = np.empty(count, dtype=np.int64)
    _list_candidates(seen, table, size, n_right, out_left, out_right, out_unary)
    first = np.empty(kept, dtype=np.int32)
    second = np.empty(kept, dtype=np.int32)
    weight = np.empty(kept, dtype=np.int64)
    merged: cython.Py_ssize_t = 0
    if kept:
        merged = _sort_terms(
            seen, raw_a, raw_b, raw_w, kept, count, first, second, weight
        )
    starts = _list_starts(
        left.start_from, left.start, start_key, right.start, n_right, seen, count
    )
    if merged < kept:
        first = first[:merged].copy()
        second = second[:merged].copy()
        weight = weight[:merged].copy()
    return out_left, out_right, out_unary, first, second, weight, starts


@cython.cfunc
def _translated(left_keys: dict, right_keys: dict):
    """The left graph's number of each of the right graph's keys, or -1."""
    array = np.empty(len(right_keys), dtype=np.int32)
    numbers: cython.int[::1] = array
    k: cython.Py_ssize_t = 0
    for key in right_keys:
        found = left_keys.get(key)
        numbers[k] = -1 if found is None else found
        k += 1
    return array


@cython.cfunc
@cython.returns(cython.longlong)
def _count_terms(
    role_from: cython.int[::1],
    role_key: cython.int[::1],
    right: cython.int[:, ::1],
):
    """An upper bound on the number of pair terms, before anything is allocated."""
    total: cython.longlong = 0
    k: cython.Py_ssize_t
    role: cython.int
    for k in range(right.shape[0]):
        role = role_key[right[k, 1]]
        if role >= 0:
            total += role_from[role + 1] - role_from[role]
    return total


@cython.cfunc
@cython.returns(cython.longlong)
@cython.inline
def _times(
    n: cython.longlong,
    m: cython.longlong,
    product: cython.bint,
    scale: cython.longlong,
):
    """The weight of a row stated *n* and *m* times."""
    if product:
        return n * m * scale
    return (n if n < m else m) * scale


@cython.cfunc
def _add_graded(
    graded: cython.longlong[::1], table: cython.longlong[::1], seen: cython.int[::1]
):
    k: cython.Py_ssize_t
    for k in range(graded.shape[0]):
        if graded[k] > 0:
            table[k] += graded[k]
            seen[k] = 1


@cython.cfunc
def _add_unary(
    key_from: cython.int[::1],
    left: cython.int[:, ::1],
    key: cython.int[::1],
    right: cython.int[:, ::1],
    n_right: cython.Py_ssize_t,
    product: cython.bint,
    scale: cython.longlong,
    table: cython.longlong[::1],
    seen: cython.int[::1],
):
    """Add the unary weight of every shared concept and attribute."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    place: cython.Py_ssize_t
    found: cython.int
    for r in range(right.shape[0]):
        found = key[right[r, 1]]
        if found < 0:
            continue
        for k in range(key_from[found], key_from[found + 1]):
            place = left[k, 0] * n_right + right[r, 0]
            table[place] += _times(left[k, 2], right[r, 2], product, scale)
            seen[place] = 1


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _add_relations(
    role_from: cython.int[::1],
    left: cython.int[:, ::1],
    role_key: cython.int[::1],
    right: cython.int[:, ::1],
    n_right: cython.Py_ssize_t,
    product: cython.bint,
    scale: cython.longlong,
    table: cython.longlong[::1],
    seen: cython.int[::1],
    out_a: cython.int[::1],
    out_b: cython.int[::1],
    out_w: cython.longlong[::1],
):
    """List the pair term of every shared relation; return how many there are."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    found: cython.int
    worth: cython.longlong
    kept: cython.Py_ssize_t = 0
    for r in range(right.shape[0]):
        found = role_key[right[r, 1]]
        if found < 0:
            continue
        for k in range(role_from[found], role_from[found + 1]):
            a = left[k, 0] * n_right + right[r, 0]
            b = left[k, 2] * n_right + right[r, 2]
            worth = _times(left[k, 3], right[r, 3], product, scale)
            seen[a] = 1
            seen[b] = 1
            if a == b:
                table[a] += worth
            elif left[k, 0] != left[k, 2] and right[r, 0] != right[r, 2]:
                out_a[kept] = a if a < b else b
                out_b[kept] = b if a < b else a
                out_w[kept] = worth
                kept += 1
    return kept


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _number_candidates(seen: cython.int[::1], size: cython.Py_ssize_t):
    """Number the candidates from 1 in place; return how many there are."""
    count: cython.int = 0
    k: cython.Py_ssize_t
    for k in range(size):
        if seen[k]:
            count += 1
            seen[k] = count
    return count


@cython.cfunc
def _list_candidates(
    seen: cython.int[::1],
    table: cython.longlong[::1],
    size: cython.Py_ssize_t,
    n_right: cython.Py_ssize_t,
    left: cython.int[::1],
    right: cython.int[::1],
    unary: cython.longlong[::1],
):
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for k in range(size):
        if seen[k]:
            c = seen[k] - 1
            left[c] = k // n_right
            right[c] = k % n_right
            unary[c] = table[k]


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _sort_terms(
    seen: cython.int[::1],
    raw_a: cython.int[::1],
    raw_b: cython.int[::1],
    raw_w: cython.longlong[::1],
    kept: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
    first: cython.int[::1],
    second: cython.int[::1],
    weight: cython.longlong[::1],
):
    """Sort the terms by their candidates in two counting passes; add equal ones."""
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    place: cython.Py_ssize_t
    begin: cython.int[::1] = np.zeros(count + 1, dtype=np.int32)
    order: cython.int[::1] = np.empty(kept, dtype=np.int32)
    final: cython.int[::1] = np.empty(kept, dtype=np.int32)
    for k in range(kept):
        begin[seen[raw_b[k]]] += 1
    for c in range(count):
        begin[c + 1] += begin[c]
    for k in range(kept):
        c = seen[raw_b[k]] - 1
        order[begin[c]] = k
        begin[c] += 1
    for c in range(count + 1):
        begin[c] = 0
    for k in range(kept):
        begin[seen[raw_a[k]]] += 1
    for c in range(count):
        begin[c + 1] += begin[c]
    for k in range(kept):
        c = seen[raw_a[order[k]]] - 1
        final[begin[c]] = order[k]
        begin[c] += 1
    merged: cython.Py_ssize_t = 0
    for k in range(kept):
        place = final[k]
        if (
            merged > 0
            and first[merged - 1] == seen[raw_a[place]] - 1
            and second[merged - 1] == seen[raw_b[place]] - 1
        ):
            weight[merged - 1] += raw_w[place]
        else:
            first[merged] = seen[raw_a[place]] - 1
            second[merged] = seen[raw_b[place]] - 1
            weight[merged] = raw_w[place]
            merged += 1
    return merged


@cython.cfunc
def _list_starts(
    key_from: cython.int[::1],
    left: cython.int[:, ::1],
    key: cython.int[::1],
    right: cython.int[:, ::1],
    n_right: cython.Py_ssize_t,
    seen: cython.int[::1],
    count: cython.Py_ssize_t,
):
    """The candidates whose concepts are equal as written, in order."""
    r: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    found: cython.int
    total: cython.Py_ssize_t = 0
    marked: cython.char[::1] = np.zeros(count + 1, dtype=np.int8)
    for r in range(right.shape[0]):
        found = key[right[r, 1]]
        if found < 0:
            continue
        for k in range(key_from[found], key_from[found + 1]):
            c = seen[left[k, 0] * n_right + right[r, 0]]
            if c > 0 and not marked[c - 1]:
                marked[c - 1] = 1
                total += 1
    array = np.empty(total, dtype=np.int32)
    starts: cython.int[::1] = array
    total = 0
    for c in range(count):
        if marked[c]:
            starts[total] = c
            total += 1
    return array
