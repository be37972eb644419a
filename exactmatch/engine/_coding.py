# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""Code one graph in cells of integers.

The code is Python that Cython compiles.  Time a change with
``python -m benchmarks para all-pairs``.

A coded graph is one ``array.array`` of ``int32``::

    a b c | u0 u1 … | v n v n … | r0 r1 … | s t n s t n … | c0 c1 … | v v …
            ^3         unary      ^a         relations      ^b        starts ^c

The numbers *a*, *b* and *c* tell where the three parts end.  The first part begins with
the positions at which the cells of each unary key begin (``u0``, ``u1`` …) and the last
one ends; then it has, for each key, the variables that carry it and how often.  The
second part has source, target and count for each role, and the third the variables of
each concept as written.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython

from array import array

_ZERO = array("i", [0])


def code(
    instances,
    attributes,
    relations,
    labels: list,
    every_instance,
    written,
    once: bool,
):
    """Code a graph's counted triples.

    Args:
        instances: ``(variable, label)`` of each instance that counts exactly.
        attributes: ``(variable, role, value)``, the one for TOP included.
        relations: ``(source, role, target)``.
        labels: the normalised labels, by code.
        every_instance: ``(variable, label)`` of every instance.
        written: the labels as written, by code.
        once: whether repeated triples count once.

    Returns:
        ``(cells, unary_keys, role_keys, start_keys, repeated)``: the array, the
        number of each key, and the number of repeated triples that were left out.
    """
    unary: dict = {}
    roles: dict = {}
    starts: dict = {}
    v: cython.int
    target: cython.int
    role: cython.Py_ssize_t
    label: cython.Py_ssize_t
    n_unary: cython.Py_ssize_t = 0
    n_roles: cython.Py_ssize_t = 0
    n_starts: cython.Py_ssize_t = 0
    n_unary_triples: cython.Py_ssize_t = len(instances) + len(attributes)
    n_relations: cython.Py_ssize_t = len(relations)
    # a hash table of the rows: each entry is the first row of its list
    chains: cython.Py_ssize_t = 64
    while chains < n_unary_triples or chains < n_relations:
        chains *= 2
    all_rows: cython.int[::1] = _zeros(
        4 * n_unary_triples + 5 * n_relations + 2 * chains + 2 * len(every_instance)
    )
    end: cython.Py_ssize_t = 4 * n_unary_triples
    unary_rows: cython.int[::1] = all_rows[:end]
    role_rows: cython.int[::1] = all_rows[end : end + 5 * n_relations]
    end += 5 * n_relations
    unary_heads: cython.int[::1] = all_rows[end : end + chains]
    role_heads: cython.int[::1] = all_rows[end + chains : end + 2 * chains]
    start_rows: cython.int[::1] = all_rows[end + 2 * chains :]
    for v, label in instances:
        number: cython.int = _number(unary, labels[label])
        n_unary += _counted(unary_heads, unary_rows, 4, n_unary, number, v, 0)
    for v, role, label in attributes:
        number = _number(unary, (labels[role], labels[label]))
        n_unary += _counted(unary_heads, unary_rows, 4, n_unary, number, v, 0)
    for v, role, target in relations:
        number = _number(roles, labels[role])
        n_roles += _counted(role_heads, role_rows, 5, n_roles, number, v, target)
    for v, label in every_instance:
        start_rows[2 * n_starts] = _number(starts, written[label])
        start_rows[2 * n_starts + 1] = v
        n_starts += 1
    repeated: cython.Py_ssize_t = n_unary_triples - n_unary + n_relations - n_roles
    if once and repeated:
        for k in range(n_unary):
            unary_rows[4 * k + 2] = 1
        for k in range(n_roles):
            role_rows[5 * k + 3] = 1

    a: cython.Py_ssize_t = 3 + len(unary) + 1 + 2 * n_unary
    b: cython.Py_ssize_t = a + len(roles) + 1 + 3 * n_roles
    c: cython.Py_ssize_t = b + len(starts) + 1 + n_starts
    coded = _zeros(c)
    cells: cython.int[::1] = coded
    cells[0] = a
    cells[1] = b
    cells[2] = c
    _lay_out(cells, 3, len(unary), unary_rows, n_unary, 4, 2)
    _lay_out(cells, a, len(roles), role_rows, n_roles, 5, 3)
    _lay_out(cells, b, len(starts), start_rows, n_starts, 2, 1)
    return coded, unary, roles, starts, repeated if once else 0


@cython.cfunc
def _zeros(count: cython.Py_ssize_t):
    """Return an array of *count* zeros, ``int32``, without importing NumPy."""
    return _ZERO * count


@cython.cfunc
@cython.returns(cython.longlong)
def _number(numbers: dict, key: object):
    """Return the number of a key; a new key gets the next one."""
    return numbers.setdefault(key, len(numbers))


@cython.cfunc
@cython.returns(cython.int)
def _counted(
    heads: cython.int[::1],
    rows: cython.int[::1],
    width: cython.Py_ssize_t,
    n: cython.Py_ssize_t,
    number: cython.int,
    v: cython.int,
    target: cython.int,
):
    """Count a triple among *n* rows; return 1 if it is new, else 0.

    A row is the key's number, the variable, the target where there is one, how often
    the triple occurs, and the row before it in its chain, counted from 1.
    """
    mixed: cython.longlong = number
    mixed = 40503 * mixed + 9973 * v + 631 * target
    head: cython.Py_ssize_t = mixed & (len(heads) - 1)
    row: cython.Py_ssize_t = heads[head]
    while row:
        at: cython.Py_ssize_t = width * (row - 1)
        if (
            rows[at] == number
            and rows[at + 1] == v
            and (width == 4 or rows[at + 2] == target)
        ):
            rows[at + width - 2] += 1
            return 0
        row = rows[at + width - 1]
    at = width * n
    rows[at] = number
    rows[at + 1] = v
    if width == 5:
        rows[at + 2] = target
    rows[at + width - 2] = 1
    rows[at + width - 1] = heads[head]
    heads[head] = n + 1
    return 1


@cython.cfunc
def _lay_out(
    cells: cython.int[::1],
    at: cython.Py_ssize_t,
    n_keys: cython.Py_ssize_t,
    rows: cython.int[::1],
    n: cython.Py_ssize_t,
    width: cython.Py_ssize_t,
    kept: cython.int,
):
    """Sort rows by key into the part of the cells that begins at *at*.

    The first of the *width* numbers of a row is the key; the next *kept* are copied.
    """
    w: cython.Py_ssize_t
    for k in range(n):
        cells[at + rows[width * k] + 1] += kept
    cells[at] = at + n_keys + 1
    for key in range(n_keys):
        cells[at + key + 1] += cells[at + key]
    for k in range(n - 1, -1, -1):
        key = rows[width * k]
        cells[at + key + 1] -= kept
        for w in range(kept):
            cells[cells[at + key + 1] + w] = rows[width * k + w + 1]
    for key in range(n_keys):
        cells[at + key] = cells[at + key + 1]
    cells[at + n_keys] = at + n_keys + 1 + kept * n


def plain_labels(labels: tuple, normalise):
    """Return the normalised labels.

    No normaliser changes small ASCII letters and digits, so it is called for other
    labels only; labels with hyphens are skipped, too, if it keeps hyphens.

    Args:
        labels: the labels as written.
        normalise: returns a label in the form in which it is compared.
    """
    normalised: list = []
    label: str
    c: cython.Py_UCS4
    keeps_hyphens: cython.bint = normalise("a-") == "a-"
    for label in labels:
        plain: cython.bint = True
        for c in label:
            if not ("a" <= c <= "z" or "0" <= c <= "9" or (c == "-" and keeps_hyphens)):
                plain = False
                break
        normalised.append(label if plain else normalise(label))
    return normalised
