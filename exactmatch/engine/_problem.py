# cython: boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""Pair two coded graphs: which candidates there are and what they are worth.

What both graphs state becomes a weight:

* a shared key (a concept, or a role with its constant) makes the two variables
  a candidate with that much unary weight;
* a shared role makes two candidates and, unless they share a node, a pair term;
  two loops make unary weight, because both ends are the same candidate.

A right key is looked up among the left graph's keys once; everything behind
that compares integers.  Arrays come out sorted as ``AlignmentProblem`` wants
them.  The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

from numpy import dtype, empty, int32, int64, zeros

# Looked up once, as a pair of sentences takes a dozen arrays.
_INT32 = dtype(int32)
_INT64 = dtype(int64)

_NONE = empty(0, _INT32)


def pair(
    left, right, product: bool, scale: int, max_terms: int, graded=None, allowed=None
):
    """Make the arrays of the alignment problem of two coded graphs.

    Args:
        left, right: ``CodedGraph`` objects.
        product: whether a triple stated *n* and *m* times counts ``n × m``; else
            it counts ``min(n, m)``.
        scale: weight of one matched triple.
        max_terms: how much may be allocated.
        graded: further unary weights, ``int64``, shape ``(n_left * n_right,)``,
            or ``None``.
        allowed: which variables may be aligned: where each left variable's begin, and
            the right variables, ascending for each, both ``int32``; ``None`` for all.

    Returns:
        The seven arrays of ``AlignmentProblem``; or, where more than *max_terms*
        pair terms or pairs of variables would have to be kept, their number.
    """
    n_right: cython.Py_ssize_t = right.n_variables
    size: cython.longlong = left.n_variables * right.n_variables
    every: cython.bint = allowed is None
    if every:
        allowed = _NONE, _NONE
    else:
        size = len(allowed[1])
    begins: cython.int[::1] = allowed[0]
    partners: cython.int[::1] = allowed[1]
    left_roles: dict = left.role_keys
    right_roles: dict = right.role_keys
    lefts: cython.int[::1] = left.cells
    rights: cython.int[::1] = right.cells
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    terms: cython.longlong = _count_terms(
        left_roles, right_roles, lefts, rights, begins, partners
    )
    if terms > max_terms or size > max_terms or size > 2147483646:
        return max(terms, size)

    longs: cython.longlong[::1] = zeros(size + 1 + terms, _INT64)
    ints: cython.int[::1] = zeros(size + 1 + 4 * terms, _INT32)
    worth: cython.longlong[::1] = longs[: size + 1]
    raw_worth: cython.longlong[::1] = longs[size + 1 :]
    seen: cython.int[::1] = ints[: size + 1]
    raw: cython.int[::1] = ints[size + 1 :]
    if graded is not None:
        _add_graded(graded, n_right, begins, partners, worth, seen)
    _add_unary(
        left.unary_keys,
        right.unary_keys,
        lefts,
        rights,
        n_right,
        begins,
        partners,
        product,
        scale,
        worth,
        seen,
    )
    kept: cython.Py_ssize_t = _add_relations(
        left_roles,
        right_roles,
        lefts,
        rights,
        n_right,
        begins,
        partners,
        product,
        scale,
        worth,
        seen,
        raw,
        raw_worth,
        terms,
    )

    count: cython.int = 0
    for k in range(size):
        if seen[k]:
            count += 1
            seen[k] = count
    lefts_of = empty(count, _INT32)
    rights_of = empty(count, _INT32)
    unary_of = empty(count, _INT64)
    out_left: cython.int[::1] = lefts_of
    out_right: cython.int[::1] = rights_of
    out_unary: cython.longlong[::1] = unary_of
    row: cython.int = 0
    for k in range(size):
        if not every:
            while begins[row + 1] <= k:
                row += 1
        if seen[k]:
            c = seen[k] - 1
            out_left[c] = k // n_right if every else row
            out_right[c] = k % n_right if every else partners[k]
            out_unary[c] = worth[k]
    first, second, weight = _sorted_terms(seen, raw, raw_worth, kept, terms, count)
    starts = _starts(
        left.start_keys,
        right.start_keys,
        lefts,
        rights,
        n_right,
        begins,
        partners,
        seen,
    )
    return lefts_of, rights_of, unary_of, first, second, weight, starts


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
@cython.inline
def _place(
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    n_right: cython.Py_ssize_t,
    begins: cython.int[::1],
    partners: cython.int[::1],
):
    """Where two variables stand among the pairs that are allowed; -1 if they do not."""
    low: cython.Py_ssize_t
    high: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    if begins.shape[0] == 0:
        return i * n_right + j
    low = begins[i]
    high = begins[i + 1]
    while low < high:
        middle = (low + high) // 2
        if partners[middle] < j:
            low = middle + 1
        else:
            high = middle
    return low if low < begins[i + 1] and partners[low] == j else -1


@cython.cfunc
@cython.returns(cython.longlong)
def _count_terms(
    left_keys: dict,
    right_keys: dict,
    lefts: cython.int[::1],
    rights: cython.int[::1],
    begins: cython.int[::1],
    partners: cython.int[::1],
):
    """How many pair terms there are, equal ones counted apart."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    left_at: cython.Py_ssize_t = lefts[0]
    right_at: cython.Py_ssize_t = rights[0]
    every: cython.bint = begins.shape[0] == 0
    many: cython.longlong
    terms: cython.longlong = 0
    for key, number in right_keys.items():
        found = left_keys.get(key)
        if found is None:
            continue
        k = left_at + cython.cast(cython.Py_ssize_t, found)
        c = right_at + cython.cast(cython.Py_ssize_t, number)
        if every:
            many = int(lefts[k + 1] - lefts[k]) // 3
            terms += many * (int(rights[c + 1] - rights[c]) // 3)
            continue
        for j in range(rights[c], rights[c + 1], 3):
            for i in range(lefts[k], lefts[k + 1], 3):
                if (
                    _place(lefts[i], rights[j], 0, begins, partners) >= 0
                    and _place(lefts[i + 1], rights[j + 1], 0, begins, partners) >= 0
                ):
                    terms += 1
    return terms


@cython.cfunc
@cython.returns(cython.longlong)
@cython.inline
def _times(
    n: cython.longlong,
    m: cython.longlong,
    product: cython.bint,
    scale: cython.longlong,
):
    """The weight of a triple stated *n* and *m* times."""
    return (n * m if product else min(n, m)) * scale


@cython.cfunc
def _add_graded(
    graded: cython.longlong[::1],
    n_right: cython.Py_ssize_t,
    begins: cython.int[::1],
    partners: cython.int[::1],
    worth: cython.longlong[::1],
    seen: cython.int[::1],
):
    """Add the graded unary weight of every pair that is allowed."""
    i: cython.Py_ssize_t
    k: cython.Py_ssize_t
    if begins.shape[0] == 0:
        for k in range(graded.shape[0]):
            if graded[k] > 0:
                worth[k] += graded[k]
                seen[k] = 1
        return
    for i in range(begins.shape[0] - 1):
        for k in range(begins[i], begins[i + 1]):
            if graded[i * n_right + partners[k]] > 0:
                worth[k] += graded[i * n_right + partners[k]]
                seen[k] = 1


@cython.cfunc
def _add_unary(
    left_keys: dict,
    right_keys: dict,
    lefts: cython.int[::1],
    rights: cython.int[::1],
    n_right: cython.Py_ssize_t,
    begins: cython.int[::1],
    partners: cython.int[::1],
    product: cython.bint,
    scale: cython.longlong,
    worth: cython.longlong[::1],
    seen: cython.int[::1],
):
    """Add the unary weight of every shared concept and attribute."""
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for key, number in right_keys.items():
        found = left_keys.get(key)
        if found is None:
            continue
        k = found
        c = number
        for j in range(rights[3 + c], rights[3 + c + 1], 2):
            for i in range(lefts[3 + k], lefts[3 + k + 1], 2):
                place = _place(lefts[i], rights[j], n_right, begins, partners)
                if place < 0:
                    continue
                worth[place] += _times(lefts[i + 1], rights[j + 1], product, scale)
                seen[place] = 1


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _add_relations(
    left_keys: dict,
    right_keys: dict,
    lefts: cython.int[::1],
    rights: cython.int[::1],
    n_right: cython.Py_ssize_t,
    begins: cython.int[::1],
    partners: cython.int[::1],
    product: cython.bint,
    scale: cython.longlong,
    worth: cython.longlong[::1],
    seen: cython.int[::1],
    raw: cython.int[::1],
    raw_worth: cython.longlong[::1],
    terms: cython.Py_ssize_t,
):
    """List the pair term of every shared relation; return how many there are.

    The first *terms* numbers of *raw* receive the smaller place of each term,
    the next as many the larger one; the rest is room for sorting.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    weight: cython.longlong
    kept: cython.Py_ssize_t = 0
    left_at: cython.Py_ssize_t = lefts[0]
    right_at: cython.Py_ssize_t = rights[0]
    for key, number in right_keys.items():
        found = left_keys.get(key)
        if found is None:
            continue
        k = left_at + cython.cast(cython.Py_ssize_t, found)
        c = right_at + cython.cast(cython.Py_ssize_t, number)
        for j in range(rights[c], rights[c + 1], 3):
            for i in range(lefts[k], lefts[k + 1], 3):
                a = _place(lefts[i], rights[j], n_right, begins, partners)
                b = _place(lefts[i + 1], rights[j + 1], n_right, begins, partners)
                if a < 0 or b < 0:
                    continue
                weight = _times(lefts[i + 2], rights[j + 2], product, scale)
                seen[a] = 1
                seen[b] = 1
                if a == b:
                    worth[a] += weight
                elif lefts[i] != lefts[i + 1] and rights[j] != rights[j + 1]:
                    raw[kept] = a if a < b else b
                    raw[terms + kept] = b if a < b else a
                    raw_worth[kept] = weight
                    kept += 1
    return kept


@cython.cfunc
def _sorted_terms(
    seen: cython.int[::1],
    raw: cython.int[::1],
    raw_worth: cython.longlong[::1],
    kept: cython.Py_ssize_t,
    terms: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
):
    """Sort the terms by their candidates in two counting passes; add equal ones."""
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    a: cython.int
    b: cython.int
    place: cython.Py_ssize_t
    by_second: cython.Py_ssize_t = 2 * terms
    by_first: cython.Py_ssize_t = 3 * terms
    begin: cython.int[::1] = zeros(2 * (count + 1), _INT32)
    other: cython.Py_ssize_t = count + 1
    for k in range(kept):
        raw[k] = seen[raw[k]]
        raw[terms + k] = seen[raw[terms + k]]
        begin[raw[terms + k]] += 1
        begin[other + raw[k]] += 1
    for c in range(count):
        begin[c + 1] += begin[c]
        begin[other + c + 1] += begin[other + c]
    for k in range(kept):
        c = raw[terms + k] - 1
        raw[by_second + begin[c]] = k
        begin[c] += 1
    for k in range(kept):
        place = raw[by_second + k]
        c = other + raw[place] - 1
        raw[by_first + begin[c]] = place
        begin[c] += 1
    merged: cython.Py_ssize_t = 0
    for k in range(kept):
        place = raw[by_first + k]
        if k > 0:
            c = raw[by_first + k - 1]
            if raw[place] == raw[c] and raw[terms + place] == raw[terms + c]:
                merged += 1
    firsts = empty(kept - merged, _INT32)
    seconds = empty(kept - merged, _INT32)
    weights = empty(kept - merged, _INT64)
    first: cython.int[::1] = firsts
    second: cython.int[::1] = seconds
    weight: cython.longlong[::1] = weights
    c = -1
    for k in range(kept):
        place = raw[by_first + k]
        a = raw[place] - 1
        b = raw[terms + place] - 1
        if c >= 0 and first[c] == a and second[c] == b:
            weight[c] += raw_worth[place]
        else:
            c += 1
            first[c] = a
            second[c] = b
            weight[c] = raw_worth[place]
    return firsts, seconds, weights


@cython.cfunc
def _starts(
    left_keys: dict,
    right_keys: dict,
    lefts: cython.int[::1],
    rights: cython.int[::1],
    n_right: cython.Py_ssize_t,
    begins: cython.int[::1],
    partners: cython.int[::1],
    seen: cython.int[::1],
):
    """The candidates whose concepts are equal as written, in order.

    Marks them in *seen* by a negative sign.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    place: cython.Py_ssize_t
    total: cython.Py_ssize_t = 0
    left_at: cython.Py_ssize_t = lefts[1]
    right_at: cython.Py_ssize_t = rights[1]
    for key, number in right_keys.items():
        found = left_keys.get(key)
        if found is None:
            continue
        k = left_at + cython.cast(cython.Py_ssize_t, found)
        c = right_at + cython.cast(cython.Py_ssize_t, number)
        for j in range(rights[c], rights[c + 1]):
            for i in range(lefts[k], lefts[k + 1]):
                place = _place(lefts[i], rights[j], n_right, begins, partners)
                if place >= 0 and seen[place] > 0:
                    seen[place] = -seen[place]
                    total += 1
    array = empty(total, _INT32)
    starts: cython.int[::1] = array
    total = 0
    for place in range(seen.shape[0]):
        if seen[place] < 0:
            starts[total] = -seen[place] - 1
            total += 1
    return array
