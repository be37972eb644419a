# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Code one graph in cells of integers, and count the matches of two graphs.

``code`` prepares a graph to be compared, and ``count_matches`` checks what a solver
made of two graphs; they share no step.  The code is Python that Cython compiles.

A coded graph is one array of ``int32``::

    a b c | u0 u1 … | v n v n … | r0 r1 … | s t n s t n … | c0 c1 … | v v …
            ^3         unary      ^a         relations      ^b        starts ^c

*a*, *b* and *c* are the places where the parts end; behind ``u0`` stands
where each unary key's cells begin (and the last ends), then for each key the
variables that carry it and how often; likewise source, target and count for
each role, and variables for each concept as written.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers.kernel import _cython as cython

import numpy as np


def code(
    n_variables: int, instances, attributes, relations, labels, written, once: bool
):
    """Code a graph's counted triples.

    Args:
        n_variables: how many variables there are.
        instances: ``(variable, label)`` of each instance that counts exactly.
        attributes: ``(variable, role, value)``, the one for TOP included.
        relations: ``(source, role, target)``.
        labels: the normalised labels, by code.
        written: ``(variable, concept as written)``.
        once: whether repeated triples count once.

    Returns:
        ``(cells, unary_keys, role_keys, start_keys, repeated)``: the array, the
        number of each key, and how many triples were left out as repeated.
    """
    unary: dict = {}
    roles: dict = {}
    starts: dict = {}
    place: dict = {}
    unary_rows: tuple = ([], [], [])
    role_rows: tuple = ([], [], [], [])
    start_rows: tuple = ([], [])
    v: cython.longlong
    target: cython.longlong
    role: cython.Py_ssize_t
    label: cython.Py_ssize_t
    number: cython.longlong
    repeated: cython.Py_ssize_t = 0
    for v, label in instances:
        number = _number(unary, labels[label])
        repeated += _state(place, number * n_variables + v, unary_rows, number, v)
    for v, role, label in attributes:
        number = _number(unary, (labels[role], labels[label]))
        repeated += _state(place, number * n_variables + v, unary_rows, number, v)
    place.clear()
    for v, role, target in relations:
        number = _number(roles, labels[role])
        known = place.get((number, v, target))
        if known is None:
            place[number, v, target] = len(role_rows[0])
            role_rows[0].append(number)
            role_rows[1].append(v)
            role_rows[2].append(target)
            role_rows[3].append(1)
        else:
            role_rows[3][known] += 1
            repeated += 1
    for v, concept in written:
        start_rows[0].append(_number(starts, concept))
        start_rows[1].append(v)
    if once and repeated:
        unary_rows = (unary_rows[0], unary_rows[1], [1] * len(unary_rows[0]))
        role_rows = (*role_rows[:3], [1] * len(role_rows[0]))

    a: cython.Py_ssize_t = 3 + len(unary) + 1 + 2 * len(unary_rows[0])
    b: cython.Py_ssize_t = a + len(roles) + 1 + 3 * len(role_rows[0])
    c: cython.Py_ssize_t = b + len(starts) + 1 + len(start_rows[0])
    array = np.zeros(c, dtype=np.int32)
    cells: cython.int[::1] = array
    cells[0] = a
    cells[1] = b
    cells[2] = c
    _lay_out(cells, 3, len(unary), unary_rows)
    _lay_out(cells, a, len(roles), role_rows)
    _lay_out(cells, b, len(starts), start_rows)
    return array, unary, roles, starts, repeated if once else 0


@cython.cfunc
@cython.returns(cython.longlong)
def _number(numbers: dict, key: object):
    """The number of a key, a new one at its first appearance."""
    found = numbers.get(key)
    if found is None:
        found = len(numbers)
        numbers[key] = found
    return found


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _state(
    place: dict,
    cell: cython.longlong,
    rows: tuple,
    number: cython.longlong,
    v: cython.longlong,
):
    """Add a key's variable, or count it once more; say whether it was there."""
    known = place.get(cell)
    if known is not None:
        rows[2][known] += 1
        return 1
    place[cell] = len(rows[0])
    rows[0].append(number)
    rows[1].append(v)
    rows[2].append(1)
    return 0


@cython.cfunc
def _lay_out(
    cells: cython.int[::1],
    at: cython.Py_ssize_t,
    n_keys: cython.Py_ssize_t,
    rows: tuple,
):
    """Sort rows by key into the part of the cells that begins at *at*.

    The first column of *rows* is the key; the others are what is kept.
    """
    keys: list = rows[0]
    column: list
    n: cython.Py_ssize_t = len(keys)
    width: cython.Py_ssize_t = len(rows) - 1
    k: cython.Py_ssize_t
    w: cython.Py_ssize_t
    key: cython.Py_ssize_t
    for k in range(n):
        key = keys[k]
        cells[at + key + 1] += width
    cells[at] = at + n_keys + 1
    for key in range(n_keys):
        cells[at + key + 1] += cells[at + key]
    for k in range(n - 1, -1, -1):
        key = keys[k]
        cells[at + key + 1] -= width
        for w in range(width):
            column = rows[w + 1]
            cells[cells[at + key + 1] + w] = column[k]
    for key in range(n_keys):
        cells[at + key] = cells[at + key + 1]
    cells[at + n_keys] = at + n_keys + 1 + width * n


def count_triples(instances, attributes, relations, labels):
    """How often a graph states each triple, in normalised strings.

    The arguments are those of :func:`code`; a key is ``(role, source, target)``
    with numbers for variables, ``None`` as the role of an instance.
    """
    counts: dict = {}
    v: object
    role: cython.Py_ssize_t
    label: cython.Py_ssize_t
    for v, label in instances:
        triple = (None, v, labels[label])
        counts[triple] = counts.get(triple, 0) + 1
    for v, role, label in attributes:
        triple = (labels[role], v, labels[label])
        counts[triple] = counts.get(triple, 0) + 1
    for v, role, target in relations:
        triple = (labels[role], v, target)
        counts[triple] = counts.get(triple, 0) + 1
    return counts


def count_matches(
    alignment: tuple,
    instances,
    attributes,
    relations,
    labels,
    wanted: dict,
    duplicates: str,
) -> int:
    """Count the matched triples by renaming the left graph's variables.

    Args:
        alignment: the right variable of each left one, or -1.
        instances, attributes, relations, labels: the left graph, as in
            :func:`code`.
        wanted: the right graph's triples, as :func:`count_triples` counts them.
        duplicates: ``product``, ``multiset`` or ``set``.
    """
    total: cython.longlong = 0
    v: cython.Py_ssize_t
    role: cython.Py_ssize_t
    label: cython.Py_ssize_t
    target: cython.Py_ssize_t
    product: cython.bint = duplicates == "product"
    once: cython.bint = duplicates == "set"
    served: dict = {}
    for v, label in instances:
        if alignment[v] != -1:
            triple = (None, alignment[v], labels[label])
            found = wanted.get(triple)
            if found is not None:
                total += _served(served, triple, found, product, once)
    for v, role, label in attributes:
        if alignment[v] != -1:
            triple = (labels[role], alignment[v], labels[label])
            found = wanted.get(triple)
            if found is not None:
                total += _served(served, triple, found, product, once)
    for v, role, target in relations:
        if alignment[v] != -1 and alignment[target] != -1:
            triple = (labels[role], alignment[v], alignment[target])
            found = wanted.get(triple)
            if found is not None:
                total += _served(served, triple, found, product, once)
    return total


@cython.cfunc
@cython.returns(cython.longlong)
def _served(
    served: dict,
    triple: tuple,
    stated: cython.longlong,
    product: cython.bint,
    once: cython.bint,
):
    """How many matches one more left triple adds, given the right one's number."""
    if product:
        return stated
    before = served.get(triple, 0)
    served[triple] = before + 1
    most: cython.longlong = 1 if once else stated
    return 1 if before < most else 0
