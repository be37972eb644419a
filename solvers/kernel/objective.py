# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Compute the value of an alignment, independently of any solver.

Every solution's value comes from here: from the problem's own arrays, not from
what a solver says.  The code is Python that Cython compiles.

Time a change with ``python -m benchmarks solving para``.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


def is_one_to_one(alignment: tuple, n_right: cython.Py_ssize_t) -> bool:
    """Return whether an alignment names existing right nodes, none of them twice."""
    used: bytearray = bytearray(n_right)
    for i in range(len(alignment)):
        j: cython.Py_ssize_t = alignment[i]
        if j == -1:
            continue
        if j < 0 or j >= n_right or used[j]:
            return False
        used[j] = 1
    return True


def appraise(
    alignment: tuple,
    left: cython.const[cython.int][::1],
    right: cython.const[cython.int][::1],
    unary: cython.const[cython.longlong][::1],
    first: cython.const[cython.int][::1],
    second: cython.const[cython.int][::1],
    weight: cython.const[cython.longlong][::1],
):
    """Value an alignment and leave out the pairs that add nothing to it.

    Args:
        alignment: the right node of every left node, or -1; one-to-one.
        left, right, unary, first, second, weight: the problem's arrays.

    Returns:
        The value, and the alignment without idle pairs.
    """
    value: cython.longlong = 0
    n: cython.Py_ssize_t = len(alignment)
    kept: list = [-1] * n
    held: bytearray = bytearray(left.shape[0])
    for c in range(left.shape[0]):
        i: cython.Py_ssize_t = left[c]
        j: cython.Py_ssize_t = alignment[i]
        if j == right[c]:
            held[c] = 1
            if unary[c] != 0:
                value += unary[c]
                kept[i] = j
    for p in range(first.shape[0]):
        if held[first[p]] and held[second[p]]:
            value += weight[p]
            i = left[first[p]]
            kept[i] = alignment[i]
            i = left[second[p]]
            kept[i] = alignment[i]
    return int(value), tuple(kept)
