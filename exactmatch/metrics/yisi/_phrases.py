# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Add up what the units of phrases found, phrase by phrase, and the words of n-grams.

The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

import numpy as np


def shares(
    phrases: list, weights: list, found: cython.const[cython.double][:, ::1]
) -> object:
    """How much of each phrase was found, as a share of what its units weigh.

    Args:
        phrases: the numbers of their units.
        weights: of the units.
        found: what each unit found at every place, weighted; shape ``(units, places)``.

    Returns:
        An array of shape ``(phrases, places)``, at most 1.  Units are added in order,
        so that the sums are the same wherever they are computed.
    """
    n: cython.Py_ssize_t = found.shape[1]
    table = np.zeros((len(phrases), n))
    share: cython.double[:, ::1] = table
    mass: cython.double
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    unit: cython.Py_ssize_t
    for i in range(len(phrases)):
        mass = 0.0
        for unit in phrases[i]:
            mass += weights[unit]
            for j in range(n):
                share[i, j] += found[unit, j]
        for j in range(n):
            share[i, j] = min(1.0, share[i, j] / mass) if mass > 0 else 0.0
    return table


def best_runs(
    weighted: cython.const[cython.double][:, :], n: cython.Py_ssize_t
) -> list:
    """What each n-gram found at its best place.

    Args:
        weighted: what each word found at every place, weighted; shape ``(words,
            places)``.
        n: how many words in a row find as many places in a row; at least 1, at most
            the smaller side.
    """
    found: list = []
    total: cython.double
    best: cython.double
    a: cython.Py_ssize_t
    b: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for a in range(weighted.shape[0] - n + 1):
        best = 0.0
        for b in range(weighted.shape[1] - n + 1):
            total = weighted[a, b]
            for k in range(1, n):
                total += weighted[a + k, b + k]
            best = max(best, total)
        found.append(best)
    return found
