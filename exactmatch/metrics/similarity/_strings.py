# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The longest common substring of two words, and of many with many.

In the table of the letters of two words, each diagonal compares them at one offset.
The longest run of equal letters on any diagonal is the longest common substring.  A
diagonal that is no longer than the longest run so far is skipped.

The code is Python that Cython compiles.  Small changes cost speed here; time
``exactmatch PRED GOLD --metric s2match`` on a corpus before and after one.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np


def longest_common(a: str, b: str, above: cython.Py_ssize_t):
    """Return the length of the longest common substring; 0 unless above *above*."""
    return _longest(a, b, above)


def similarities(left: list, right: list, cutoff: cython.double):
    """Compute ``2 · |longest common substring| / (|a| + |b|)`` of each two strings.

    Args:
        left, right: the strings.
        cutoff: in [0, 1]; similarities up to this may be given as 0, which is faster.

    Returns:
        An array of shape ``(left, right)``; 1 for two empty strings.
    """
    n: cython.Py_ssize_t = len(left)
    m: cython.Py_ssize_t = len(right)
    table = np.empty((n, m), dtype=np.float64)
    ratios: cython.double[:, ::1] = table
    for i in range(n):
        a: str = left[i]
        for j in range(m):
            b: str = right[j]
            size: cython.Py_ssize_t = len(a) + len(b)
            if size == 0:
                ratios[i, j] = 1.0
                continue
            above: cython.longlong = cython.cast(cython.longlong, cutoff * size / 2) - 1
            if above < 0:
                above = 0
            ratios[i, j] = cython.cast(cython.double, 2 * _longest(a, b, above)) / size
    return table


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _longest(a: str, b: str, above: cython.Py_ssize_t):
    """Return the length of the longest common substring; 0 unless above *above*."""
    n: cython.Py_ssize_t = len(a)
    m: cython.Py_ssize_t = len(b)
    best: cython.Py_ssize_t = above
    for diagonal in range(1 - m, n):
        i: cython.Py_ssize_t = diagonal if diagonal > 0 else 0
        j: cython.Py_ssize_t = i - diagonal
        length: cython.Py_ssize_t = n - i if n - i < m - j else m - j
        if length <= best:
            continue
        run: cython.Py_ssize_t = 0
        for k in range(length):
            if a[i + k] == b[j + k]:
                run += 1
                if run > best:
                    best = run
            elif length - k - 1 <= best:
                break
            else:
                run = 0
    return best if best > above else 0
