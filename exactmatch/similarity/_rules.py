# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The rules of ``concepts.py`` for every two concepts of two graphs.

The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


def apply(
    found: cython.double[:, :],
    left: cython.const[cython.longlong][:, :],
    right: cython.const[cython.longlong][:, :],
    cutoff: cython.double,
    diffsense: cython.double,
):
    """Turn similarities of words into those of concepts, where they stand.

    Args:
        found: the similarities, shape ``(left, right)``; overwritten.
        left, right: for each concept the code of its whole and of its lemma, which is
            negative where it has none; equal texts have equal codes.
        cutoff: similarities of words up to this count as 0.
        diffsense: similarity of concepts that differ in their sense alone, and a
            factor where either has a sense.
    """
    whole: cython.longlong
    lemma: cython.longlong
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(len(left)):
        whole = left[i, 0]
        lemma = left[i, 1]
        for j in range(len(right)):
            if whole == right[j, 0]:
                found[i, j] = 1.0
            elif (
                lemma == right[j, 0]
                or whole == right[j, 1]
                or (lemma == right[j, 1] and lemma >= 0)
            ):
                found[i, j] = diffsense
            else:
                if found[i, j] <= cutoff:
                    found[i, j] = 0.0
                if lemma >= 0 or right[j, 1] >= 0:
                    found[i, j] *= diffsense


def graded(
    alike: cython.double[:, :],
    left: cython.const[cython.longlong][:],
    right: cython.const[cython.longlong][:],
    left_named: cython.const[cython.uchar][:],
    right_named: cython.const[cython.uchar][:],
    soft: cython.double[:, :],
):
    """Keep the similarities of concepts that are not equal: those match anyway.

    Args:
        alike: similarities of all names of two graphs; 0 afterwards for equal ones.
        left, right: the code of each name; equal names have equal codes.
        left_named, right_named: whether each variable has a concept; variables come
            first among the names.
        soft: zeros, shape ``(left variables, right variables)``; receives the
            similarities of variables that have concepts.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(alike.shape[0]):
        for j in range(alike.shape[1]):
            if left[i] == right[j]:
                alike[i, j] = 0.0
    for i in range(soft.shape[0]):
        if left_named[i]:
            for j in range(soft.shape[1]):
                if right_named[j]:
                    soft[i, j] = alike[i, j]
