# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The edges of a graph as SemBleu sees it, and the paths along them.

The code is Python that Cython compiles.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from exactmatch.base import _cython as cython


def edges_of(triples: list, labels: list, roles: list, is_constant: list):
    """The edges from each node, and the nodes that no edge leads to.

    Args:
        triples: source, role and target of each edge.
        labels: the words of each node.
        roles: the words of each role; ``None`` for what is none.
        is_constant: which of the first nodes are constants that were numbered with
            their edges; no others are.

    Returns:
        For each node ``(edge number, words of role and target, target)``; the nodes
        without a parent; for each constant its own number.
    """
    known: cython.Py_ssize_t = len(is_constant)
    edges: list = [[] for _ in labels]
    is_root: list = [True] * len(labels)
    skipped: dict = {node: node for node in range(known) if is_constant[node]}
    number: cython.Py_ssize_t = known - len(skipped)
    source: cython.Py_ssize_t
    role: cython.Py_ssize_t
    target: cython.Py_ssize_t
    words: str
    label: str
    starting: list
    for source, role, target in triples:
        if (target < known and is_constant[target]) or (
            source < known and is_constant[source]
        ):
            number += 1
        words = roles[role]
        label = labels[target]
        starting = edges[source]
        starting.append((number, words + label, target))
        is_root[target] = False
        number += 1
    roots: list = [node for node in range(len(labels)) if is_root[node]]
    return edges, roots, skipped


def in_common(counts, limits):
    """How many of some counted things others have too, none more often than there."""
    total: cython.Py_ssize_t = 0
    most: object
    for thing, number in counts.items():
        most = limits.get(thing)
        if most is not None:
            total += min(number, most)
    return total


def reached_from(roots: list, edges: list) -> list:
    """The numbers of the nodes that edges lead to from some roots, in order."""
    is_reached: list = [False] * len(edges)
    waiting: list = list(roots)
    node: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    starting: list
    while at < len(waiting):
        node = waiting[at]
        at += 1
        if not is_reached[node]:
            is_reached[node] = True
            starting = edges[node]
            for _, _, target in starting:
                waiting.append(target)
    return [node for node in range(len(edges)) if is_reached[node]]


def paths_from(starts: list, labels: list, edges: list, order: cython.int) -> list:
    """The words of the paths of 1 to *order* nodes, a list for each length.

    Args:
        starts: where paths begin: the node, and the number of an edge that they do not
            take, or -1.
        labels: the words of each node.
        edges: as :func:`edges_of` gives them.
        order: the most nodes on a path.
    """
    paths: list = []
    longer: list
    starting: list
    words: str
    step: str
    used: tuple
    node: cython.Py_ssize_t
    for node, edge in starts:
        paths.append((node, labels[node], (edge,)))
    found: list = [[path for _, path, _ in paths]]
    length: cython.int
    for length in range(2, order + 1):
        ends: list = []
        longer = []
        for node, path, edges_used in paths:
            words = path
            used = edges_used
            starting = edges[node]
            for number, more, target in starting:
                if number not in used:
                    step = more
                    step = words + step
                    ends.append(step)
                    if length < order:
                        longer.append((target, step, (*used, number)))
        paths = longer
        found.append(ends)
    return found
