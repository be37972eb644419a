"""Oracle of the match of two small graphs whose nodes may have parts.

Every mapping is tried, and every matching of items: it shares no code with the metric.
Labels are equal or not, words are compared as sets with counts, numbers are fractions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any, NamedTuple

Star = tuple[tuple[int, ...], tuple[int, ...]]
Graph = Mapping[str, Any]


class Sizes(NamedTuple):
    """Matched weight of prediction and reference, and their total weights."""

    pred: Fraction
    gold: Fraction
    pred_total: Fraction
    gold_total: Fraction

    @property
    def f1(self) -> float:
        total = self.pred_total + self.gold_total
        return float((self.pred + self.gold) / total) if total else 1.0


class Oracle(NamedTuple):
    """Rules: how many parts, their price, when they count as one."""

    parts: int = 2
    price: Fraction = Fraction(1, 10)
    cutoff: Fraction = Fraction(4, 5)
    edge_share: Fraction = Fraction(1, 2)
    unlike: bool = True

    def best(self, pred: Graph, gold: Graph) -> Sizes:
        """Try every mapping; of the best ones, return that of the greatest recall."""
        sides = _Side(pred), _Side(gold)
        counts = (self._value(sides, stars) for stars in self._mappings(sides))
        matched = max(counts, key=lambda two: (sum(two), two[1]))
        return Sizes(*matched, *(self._total(side) for side in sides))

    def all_best(self, pred: Graph, gold: Graph) -> set[tuple[Fraction, Fraction]]:
        """Return what the best mappings match of both sides."""
        sides = _Side(pred), _Side(gold)
        counts = {self._value(sides, stars) for stars in self._mappings(sides)}
        most = max(map(sum, counts))
        return {two for two in counts if sum(two) == most}

    @property
    def _weights(self) -> tuple[Fraction, Fraction]:
        return 2 * (1 - self.edge_share), 2 * self.edge_share

    def _total(self, side: _Side) -> Fraction:
        node, edge = self._weights
        items = len(side.labels) + sum(map(len, side.attributes))
        return node * items + edge * len(side.edges)

    def similarity(self, whole: str | None, parts: Sequence[str | None]) -> Fraction:
        """Return the similarity of a whole and its parts; 0 if not its parts."""
        if len(parts) == 1:
            return Fraction(_words(whole) == _words(parts[0]))
        if whole is None or None in parts:
            return Fraction(0)
        if all(_words(part) == _words(whole) for part in parts):
            return Fraction(1)
        joined = _dice(whole, parts)
        fewer = [
            some for size in range(1, len(parts)) for some in combinations(parts, size)
        ]
        if joined < self.cutoff or any(_dice(whole, some) >= joined for some in fewer):
            return Fraction(0)
        return joined

    def _mappings(self, sides: tuple[_Side, _Side]) -> Iterator[tuple[Star, ...]]:
        counts = [len(side.labels) for side in sides]
        left, right = (frozenset(range(count)) for count in counts)
        yield from self._further(sides, left, right)

    def _further(
        self, sides: tuple[_Side, _Side], left: frozenset[int], right: frozenset[int]
    ) -> Iterator[tuple[Star, ...]]:
        if not left:
            yield ()
            return
        first = min(left)
        rest = left - {first}
        yield from self._further(sides, rest, right)
        options: list[Star] = [((first,), (v,)) for v in right]
        for size in range(2, self.parts + 1):
            options += [((first,), vs) for vs in combinations(sorted(right), size)]
            others = combinations(sorted(rest), size - 1)
            options += [((first, *us), (v,)) for us in others for v in right]
        for star in options:
            share = self._share(sides, star)
            if share or (self.unlike and len(star[0]) == len(star[1]) == 1):
                smaller = rest - set(star[0]), right - set(star[1])
                for others_ in self._further(sides, *smaller):
                    yield (star, *others_)

    def _share(self, sides: tuple[_Side, _Side], star: Star) -> Fraction:
        ours, theirs = (
            [side.labels[u] for u in own] for side, own in zip(sides, star, strict=True)
        )
        if len(ours) == 1:
            return self.similarity(ours[0], theirs)
        return self.similarity(theirs[0], ours)

    def _value(
        self, sides: tuple[_Side, _Side], stars: tuple[Star, ...]
    ) -> tuple[Fraction, Fraction]:
        node, edge = self._weights
        matches = []
        for own in (0, 1):
            side, other = sides[own], sides[1 - own]
            partners = {u: star[1 - own] for star in stars for u in star[own]}
            total = Fraction(0)
            for star in stars:
                count = len(star[own])
                share = self._share(sides, star)
                total += node * (count * share - (count - 1) * self.price)
            for u, others in partners.items():
                theirs = [pair for v in others for pair in other.attributes[v]]
                total += node * _matched(side.attributes[u], theirs, _same)
            total += edge * self._edges(side, other, partners)
            matches.append(total)
        return matches[0], matches[1]

    def _edges(
        self, side: _Side, other: _Side, partners: Mapping[int, Sequence[int]]
    ) -> int:
        directed = side.directed
        bundles: dict[frozenset[int], list[Any]] = {}
        for edge in side.edges:
            bundles.setdefault(frozenset(edge[:2]), []).append(edge)
        count = 0
        for ends, own in bundles.items():
            if not all(end in partners for end in ends):
                continue
            images = [tuple(partners[end]) for end in ends]
            if len(ends) == 2 and images[0] == images[1] and len(images[0]) == 1:
                count += sum(edge[2] is None for edge in own)
                continue

            def fits(e: Any, f: Any) -> bool:
                if _words(e[2]) != _words(f[2]) or (e[0] == e[1]) != (f[0] == f[1]):
                    return False
                turns = [f[:2]] if directed else [f[:2], f[1::-1]]
                return any(
                    a in partners[e[0]] and b in partners[e[1]] for a, b in turns
                )

            count += _matched(own, other.edges, fits)
        return count


class _Side:
    def __init__(self, graph: Graph) -> None:
        self.directed = graph.get("directed", True)
        nodes = [n if isinstance(n, Mapping) else {"label": n} for n in graph["nodes"]]
        self.labels = [node["label"] for node in nodes]
        self.attributes = [
            [(k, v) for k, v in node.items() if k not in ("label", "id")]
            for node in nodes
        ]
        edges = [(e[0], e[-1], e[1] if len(e) == 3 else None) for e in graph["edges"]]
        if not self.directed:
            edges = [(min(e[:2]), max(e[:2]), e[2]) for e in edges]
        self.edges = list(dict.fromkeys(edges))


def _words(label: str | None) -> str | None:
    return None if label is None else " ".join(label.lower().split())


def _dice(whole: str, parts: Sequence[Any]) -> Fraction:
    left, right = Counter(whole.split()), Counter(" ".join(parts).split())
    shared = sum(min(left[word], right[word]) for word in left)
    return Fraction(2 * shared, sum(left.values()) + sum(right.values()))


def _same(one: Any, other: Any) -> bool:
    return bool(one == other)


def _matched(own: Sequence[Any], others: Sequence[Any], fits: Any) -> int:
    """Match items one to one, by trying every way where several may match."""
    own = [e for e in own if any(fits(e, f) for f in others)]
    others = [f for f in others if any(fits(e, f) for e in own)]
    if not own or not others:
        return 0
    few, many = sorted((own, others), key=len)
    if few is others:
        return max(
            sum(fits(e, f) for e, f in zip(some, few, strict=True))
            for some in permutations(many, len(few))
        )
    return max(
        sum(fits(e, f) for e, f in zip(few, some, strict=True))
        for some in permutations(many, len(few))
    )
