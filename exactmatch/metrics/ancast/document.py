"""The document level of AnCast++: modal, temporal and coreference relations.

Variables of both sides that are partners have one number.  Temporal and coreference
relations are closed under transitivity; each cluster of connected nodes weighs as many
nodes as it has.

Source: Sun and Xue (2025), and what umr4nlp/ancast 0.1.1 counts, its slips included.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple, TypeAlias

from exactmatch.base.deadline import check
from exactmatch.base.errors import InputError
from exactmatch.metrics.ancast.graph import Fact, SentenceGraph

Links: TypeAlias = dict[tuple[int, int], str]
Edges: TypeAlias = dict[int, list[tuple[int, str]]]
Closed: TypeAlias = set[tuple[int, int, str]]

LEVELS = ("temporal", "modal", "coref")
MAX_CLOSED = 2_000_000
"""A document whose closure has more relations is an error."""

_SYMMETRIC = frozenset({"same entity", "same event", "overlap"})
_IDENTITY = ("same entity", "same event")
_PASSED: dict[tuple[str, str], str] = {
    ("later", "later"): "later",
    ("later", "holds"): "later",
    ("within", "later"): "later",
    ("within", "within"): "within",
    ("holds", "holds"): "holds",
    **{(same, same): same for same in _IDENTITY},
    **{(same, way): way for same in _IDENTITY for way in ("holds", "within")},
    **{(way, same): way for same in _IDENTITY for way in ("holds", "within")},
    **dict(zip((_IDENTITY, _IDENTITY[::-1]), _IDENTITY, strict=True)),
}
"""The relation that follows from two relations in a row."""


class DocumentLevel:
    """The document-level relations of a prediction and a reference, numbered alike."""

    def __init__(self) -> None:
        self.numbers: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.links: tuple[dict[str, Links], dict[str, Links]] = (
            {level: {} for level in LEVELS},
            {level: {} for level in LEVELS},
        )
        self._next = 0

    def add(
        self,
        sentences: tuple[SentenceGraph, SentenceGraph],
        partners: tuple[Mapping[str, str], Mapping[str, str]],
    ) -> None:
        """Add the annotations of two corresponding sentences."""
        for level in LEVELS:
            for side, sentence in enumerate(sentences):
                for fact in sentence.triples.get(level, ()):
                    self._add_link(level, side, fact, partners[side])

    def _add_link(
        self, level: str, side: int, fact: Fact, partners: Mapping[str, str]
    ) -> None:
        head, role, tail = fact
        own_numbers, other_numbers = self.numbers[side], self.numbers[1 - side]
        for name in (head, tail):
            if name not in own_numbers:
                own_numbers[name] = other_numbers[partners.get(name, name)] = self._next
                self._next += 1
        self.links[side][level][own_numbers[head], own_numbers[tail]] = role

    def as_written(self, level: str) -> tuple[float, float, float, float]:
        """Count the relations as written: equal ones and all, of both sides."""
        pred, gold = (set(links[level].items()) for links in self.links)
        n_common = float(len(pred & gold))
        return n_common, float(len(pred)), n_common, float(len(gold))

    def closed(self, level: str) -> tuple[float, float, float, float]:
        """Count nodes by the share of their cluster's relations that both sides have.

        Raises:
            InputError: if the closure has more than :data:`MAX_CLOSED` relations.
        """
        read = _temporal if level == "temporal" else _coreference
        sides = [clusters(read(links[level])) for links in self.links]
        wholes = [
            {relation for cluster in side for relation in cluster.closed}
            for side in sides
        ]
        counts: list[float] = []
        for side, other_side in zip(sides, reversed(wholes), strict=True):
            matched = fsum(
                cluster.size * len(cluster.closed & other_side) / len(cluster.closed)
                for cluster in side
                if cluster.closed
            )
            counts += matched, float(sum(cluster.size for cluster in side))
        matched, total, other_matched, other_total = counts
        return matched, total, other_matched, other_total


class Cluster(NamedTuple):
    """Nodes connected by relations: the closed relations, and the number of nodes."""

    closed: Closed
    size: int


def _temporal(links: Links) -> Edges:
    edges: Edges = {}
    for (a, b), role in links.items():
        if role == "after":
            edges.setdefault(a, []).append((b, "later"))
        elif role == "before":
            edges.setdefault(b, []).append((a, "later"))
        elif role == "depends-on":
            edges.setdefault(a, []).append((b, "depends"))
        elif role in ("contained", "includes"):
            edges.setdefault(b, []).append((a, "holds"))
            edges.setdefault(a, []).append((b, "within"))
        elif role == "overlap":
            edges.setdefault(min(a, b), []).append((max(a, b), "overlap"))
    return edges


def _coreference(links: Links) -> Edges:
    edges: Edges = {}
    for (a, b), role in links.items():
        if role == "same-entity":
            edges.setdefault(a, []).append((b, "same entity"))
            edges.setdefault(b, []).append((a, "same entity"))
        elif role == "same-event":  # twice in this direction, as in the program
            edges.setdefault(b, []).append((a, "same event"))
        elif role == "subset-of":
            edges.setdefault(a, []).append((b, "within"))
            edges.setdefault(b, []).append((a, "holds"))
    return edges


def clusters(edges: Edges) -> list[Cluster]:
    """Return the clusters of connected nodes, with the closure of their relations.

    >>> [(cluster.size, len(cluster.closed)) for cluster in clusters(
    ...     {1: [(2, "later")], 2: [(3, "later")]})]
    [(3, 3)]
    """
    parent: dict[int, int] = {}

    def root(node: int) -> int:
        parent.setdefault(node, node)
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for node, ends in edges.items():
        for end, _ in ends:
            parent[root(end)] = root(node)
    of_root: dict[int, tuple[Closed, set[int]]] = {}
    count = 0
    for start in edges:
        check()
        closed, visited = of_root.setdefault(root(start), (set(), set()))
        before = len(closed)
        visited |= _follow(edges, start, closed)
        count += len(closed) - before
        if count > MAX_CLOSED:
            raise InputError(
                f"a document has more than {MAX_CLOSED:,} temporal or coreference "
                "relations that follow from others, which is too many for ancast"
            )
    return [Cluster(closed, len(visited)) for closed, visited in of_root.values()]


def _follow(edges: Edges, start: int, closed: Closed) -> set[int]:
    """Add the relations that follow for a node; return the reached nodes.

    Nodes are taken last in, first out, since a relation that is met again may differ.
    """
    stack = [(start, "")]
    visited: set[int] = set()
    while stack:
        node, so_far = stack.pop()
        visited.add(node)
        for end, way in edges[node]:
            passed = _PASSED.get((so_far, way)) if so_far else way
            if passed is None:
                continue
            if end == start and passed in _IDENTITY:
                continue
            closed.add(_directed(start, end, passed))
            if end in visited:
                continue
            if end in edges:
                stack.append((end, passed))
            else:
                visited.add(end)
    return visited


def _directed(a: int, b: int, way: str) -> tuple[int, int, str]:
    if way == "within":
        return b, a, "holds"
    if way in _SYMMETRIC and b < a:
        return b, a, way
    return a, b, way
