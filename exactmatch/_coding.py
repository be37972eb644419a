# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Code one graph in cells of integers, and count the matches of two graphs.

The first function prepares pairing, the second checks what pairing and solving
made of it; they share no step.  The code is Python that Cython compiles.

A coded graph is one array of ``int32``::

    a b c | u0 u1 … | v n v n … | r0 r1 … | s t n s t n … | c0 c1 … | v v …
            ^3         unary      ^a         relations      ^b        starts ^c

*a*, *b*, *c* say where the next part ends its predecessor; behind ``u0`` stands
where each unary key's cells begin (and the last ends), then for each key the
variables that carry it and how often; likewise source, target and count for
each role, and variables for each concept as written.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.solvers import _cython as cython

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
    edges: dict = {}
    v: cython.Py_ssize_t
    role: cython.Py_ssize_t
    label: cython.Py_ssize_t
    number: cython.Py_ssize_t
    k: cython.Py_ssize_t = 0
    most: cython.Py_ssize_t = len(instances) + len(attributes)
    most += len(relations) + len(written)
    drafts: cython.int[:, ::1] = np.empty((most, 4), dtype=np.int32)
    for v, label in instances:
        drafts[k, 0] = _number(unary, labels[label])
        drafts[k, 1] = v
        k += 1
    for v, role, label in attributes:
        drafts[k, 0] = _number(unary, (labels[role], labels[label]))
        drafts[k, 1] = v
        k += 1
    n_unary: cython.Py_ssize_t = k
    for v, role, target in relations:
        number = _number(roles, labels[role])
        edge = (number, v, target)
        known = edges.get(edge)
        if known is None:
            edges[edge] = k
            drafts[k, 0] = number
            drafts[k, 1] = v
            drafts[k, 2] = target
            drafts[k, 3] = 1
            k += 1
        elif not once:
            drafts[known, 3] += 1
    n_relations: cython.Py_ssize_t = k - n_unary
    for v, concept in written:
        drafts[k, 0] = _number(starts, concept)
        drafts[k, 1] = v
        k += 1
    n_starts: cython.Py_ssize_t = len(written)

    a: cython.Py_ssize_t = 3 + len(unary) + 1 + 2 * n_unary
    b: cython.Py_ssize_t = a + len(roles) + 1 + 3 * n_relations
    c: cython.Py_ssize_t = b + len(starts) + 1 + n_starts
    array = np.zeros(c, dtype=np.int32)
    cells: cython.int[::1] = array
    cells[0] = a
    cells[1] = b
    cells[2] = c
    _lay_out(drafts, 0, n_unary, cells, 3, len(unary), 2)
    _lay_out(drafts, n_unary, k - n_starts, cells, a, len(roles), 3)
    _lay_out(drafts, k - n_starts, k, cells, b, len(starts), 1)
    repeated: cython.Py_ssize_t = 0
    if once:
        repeated = len(relations) - n_relations
    repeated += _merge(cells, len(unary), n_variables, once)
    return array, unary, roles, starts, repeated


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _number(numbers: dict, key: object):
    """The number of a key, a new one at its first appearance."""
    found = numbers.get(key)
    if found is None:
        found = len(numbers)
        numbers[key] = found
    return found


@cython.cfunc
def _lay_out(
    drafts: cython.int[:, ::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    cells: cython.int[::1],
    at: cython.Py_ssize_t,
    n_keys: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
):
    """Sort drafts by key into the part of the cells that begins at *at*.

    A draft is a key, a variable, and for relations a target and a count.
    """
    k: cython.Py_ssize_t
    key: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for k in range(begin, end):
        cells[at + drafts[k, 0] + 1] += width
    cells[at] = at + n_keys + 1
    for key in range(n_keys):
        cells[at + key + 1] += cells[at + key]
    for k in range(end - 1, begin - 1, -1):
        key = at + drafts[k, 0] + 1
        cells[key] -= width
        place = cells[key]
        cells[place] = drafts[k, 1]
        if width == 2:
            cells[place + 1] = 1
        elif width == 3:
            cells[place + 1] = drafts[k, 2]
            cells[place + 2] = drafts[k, 3]
    for key in range(n_keys):
        cells[at + key] = cells[at + key + 1]
    cells[at + n_keys] = at + n_keys + 1 + width * (end - begin)


@cython.cfunc
@cython.returns(cython.Py_ssize_t)
def _merge(
    cells: cython.int[::1],
    n_keys: cython.Py_ssize_t,
    n_variables: cython.Py_ssize_t,
    once: cython.bint,
):
    """Add up a key's repeated variables; an emptied cell counts nothing.

    Returns how many triples are repetitions, if they count *once*.
    """
    key: cython.Py_ssize_t
    k: cython.Py_ssize_t
    repeated: cython.Py_ssize_t = 0
    kept: cython.int[::1] = np.zeros(n_variables, dtype=np.int32)
    for key in range(n_keys):
        for k in range(cells[3 + key], cells[3 + key + 1], 2):
            if kept[cells[k]] >= cells[3 + key]:
                if once:
                    repeated += 1
                else:
                    cells[kept[cells[k]] + 1] += 1
                cells[k + 1] = 0
            else:
                kept[cells[k]] = k
    return repeated


def tally(instances, attributes, relations, labels):
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
        wanted: the right graph's tally.
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
    """What one more left triple matches, of a right one stated so often."""
    if product:
        return stated
    before = served.get(triple, 0)
    served[triple] = before + 1
    most: cython.longlong = 1 if once else stated
    return 1 if before < most else 0
