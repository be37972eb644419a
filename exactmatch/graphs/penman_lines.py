"""Lay a graph out as PENMAN text, line by line, each triple in its place.

A graph's triples are a set; PENMAN writes them as a tree, a line for each role::

    (w / want-01            w's instance
        :ARG0 (b / boy)     relation w ARG0 b, b's instance
        :ARG1 (g / go-02    relation w ARG1 g, g's instance
            :ARG0 b))       relation g ARG0 b, a *mention*: b is defined above

Variables are numbered in order of first appearance, so the tree that the graph was
read from can be guessed well: each variable hangs from the nearest one still open
that has a relation to it or, failing that, from one that it has a relation to; that
one is written inverted, ``:ARG0-of``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from exactmatch.graphs.graph import Graph


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a graph's text.

    Triples are numbered as :meth:`Graph.triples` yields them.

    Attributes:
        depth: how far the line is indented.
        role: the role that it begins with; empty where a tree begins.
        triple: the triple that the role states, if it begins with one.
        variable: the variable that stands there, or ``None`` for a constant.
        constant: the constant, where there is no variable.
        defines: whether the variable is defined there, behind a bracket.
        instances: the triples that give the variable its concepts there.
        closed: how many brackets the line ends with.
    """

    depth: int
    role: str
    triple: int | None
    variable: int | None
    constant: str = ""
    defines: bool = False
    instances: tuple[int, ...] = ()
    closed: int = 0


class _Edge(NamedTuple):
    """A relation as a line under one of its variables.

    Attributes:
        place: where the line stands among its neighbours: the number of the
            variable that it, or else the line before it, defines.
        mentions: whether its variable is defined elsewhere.
        triple: the relation's number among all triples.
        role: the role, inverted if need be.
        variable: the variable at the other end.
    """

    place: int
    mentions: bool
    triple: int
    role: str
    variable: int


def layout(graph: Graph) -> list[Line]:
    """Lay a graph out; each of its triples stands on exactly one line."""
    roots, edges = _forest(graph)
    instances: list[list[int]] = [[] for _ in graph.variables]
    for k, (v, _) in enumerate(graph.instances):
        instances[v].append(k)
    constants: list[list[tuple[int, str, str]]] = [[] for _ in graph.variables]
    for k, (v, code, value) in enumerate(graph.attributes, len(graph.instances)):
        constants[v].append((k, graph.labels[code], graph.labels[value]))
    lines: list[Line] = []
    waiting: list[tuple[int, int, _Edge | None]] = [(v, 0, None) for v in roots[::-1]]
    while waiting:
        v, depth, edge = waiting.pop()
        role, triple = (edge.role, edge.triple) if edge else ("", None)
        if edge and edge.mentions:
            lines.append(Line(depth, role, triple, v))
            continue
        lines.append(Line(depth, role, triple, v, "", True, tuple(instances[v])))
        for k, name, constant in constants[v]:
            lines.append(Line(depth + 1, name, k, None, constant))
        for child in sorted(edges[v], reverse=True):
            waiting.append((child.variable, depth + 1, child))
    return _closed(lines)


def _closed(lines: list[Line]) -> list[Line]:
    """The lines with their closing brackets."""
    nexts = [line.depth for line in lines[1:]] + [0]  # one too many for no line
    return [
        replace(line, closed=line.depth + line.defines - following)
        for line, following in zip(lines, nexts, strict=False)
    ]


def _forest(graph: Graph) -> tuple[list[int], list[list[_Edge]]]:
    """The variables that trees begin with, and the lines under each variable."""
    roots, parents = _parents(graph)
    edges: list[list[_Edge]] = [[] for _ in graph.variables]
    last = [-1] * len(graph.variables)
    first = len(graph.instances) + len(graph.attributes)
    for k, (source, code, target) in enumerate(graph.relations):
        role = graph.labels[code]
        if parents.get(target) == (source, k):
            edges[source].append(_Edge(target, False, first + k, role, target))
            last[source] = target
        elif parents.get(source) == (target, k):
            name = f"{role}-of"
            edges[target].append(_Edge(source, False, first + k, name, source))
        else:
            mention = _Edge(last[source], True, first + k, role, target)
            edges[source].append(mention)
    return roots, edges


def _parents(graph: Graph) -> tuple[list[int], dict[int, tuple[int, int]]]:
    """The roots, and for every other variable whom it hangs from by which relation."""
    n = len(graph.variables)
    related: list[list[tuple[bool, int, int]]] = [[] for _ in range(n)]
    for k, (source, _, target) in enumerate(graph.relations):
        if source != target:
            related[target].append((True, source, k))
            related[source].append((False, target, k))
    roots: list[int] = []
    parents: dict[int, tuple[int, int]] = {}
    depths: dict[int, int] = {}
    path: list[int] = []
    left = sorted(range(n), key=lambda v: (v != graph.top, v))
    while left:
        root = left[0]
        roots.append(root)
        depths[root] = 0
        path = [root]
        before = n + 1
        while before > len(left):
            before = len(left)
            left = [v for v in left if not _placed(v, related, parents, depths, path)]
    return roots, parents


def _placed(
    v: int,
    related: list[list[tuple[bool, int, int]]],
    parents: dict[int, tuple[int, int]],
    depths: dict[int, int],
    path: list[int],
) -> bool:
    """Hang a variable from the best of those that have a place, if there is one."""
    if v in depths:
        return True
    known = [edge for edge in related[v] if edge[1] in depths]
    if not known:
        return False

    def merit(edge: tuple[bool, int, int]) -> tuple[bool, bool, int, int]:
        direct, other, k = edge
        depth = depths[other]
        is_open = depth < len(path) and path[depth] == other
        return is_open, direct, depth, -k

    _, parent, k = max(known, key=merit)
    parents[v] = (parent, k)
    depths[v] = depths[parent] + 1
    if merit((True, parent, k))[0]:
        path[depths[v] :] = [v]
    return True
