"""Count the matches of a mapping of nodes and parts from the graphs alone.

Every node has its *partners* in the other graph: none, one, or as a whole its parts.
An item is compared with the items of all partners of its ends, one to one, on its own
side; so a fact that both parts state is matched twice on their side, and once on the
other.  An edge between two parts of one whole is matched if it has no label.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from exactmatch.metrics.labelled.groups import Group, PartRules
from exactmatch.metrics.labelled.label_similarity import similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.rules import (
    Floats,
    Rules,
    edge_similarities,
    node_similarities,
)
from exactmatch.solvers.matching import best_matching

Pair: TypeAlias = tuple[int, int]
Worths: TypeAlias = tuple[float, float, float]
"""Worths of nodes, attributes and edges."""


class Groups(NamedTuple):
    """The groups of two graphs."""

    splits: Sequence[Group]  # parts in the prediction, wholes in the reference
    merges: Sequence[Group]  # parts in the reference, wholes in the prediction


class Star(NamedTuple):
    """Nodes that are mapped to one another: one on at least one side."""

    pred: tuple[int, ...]
    gold: tuple[int, ...]


class Matched(NamedTuple):
    """Matches of a mapping, counted for each side."""

    pred: Worths
    gold: Worths

    def sums(self) -> tuple[float, float]:
        """Return the matches of the prediction and of the reference."""
        return math.fsum(self.pred), math.fsum(self.gold)


def stars_of(pairs: Sequence[Pair]) -> list[Star]:
    """Gather the pairs of a mapping into stars; no node is both whole and part."""
    partners: tuple[dict[int, list[int]], dict[int, list[int]]] = ({}, {})
    for u, v in sorted(pairs):
        partners[0].setdefault(u, []).append(v)
        partners[1].setdefault(v, []).append(u)
    stars = [Star((u,), tuple(vs)) for u, vs in partners[0].items() if len(vs) > 1]
    stars += [Star(tuple(us), (v,)) for v, us in partners[1].items() if len(us) > 1]
    inner = {(u, v) for star in stars for u in star.pred for v in star.gold}
    stars += [Star((u,), (v,)) for u, v in pairs if (u, v) not in inner]
    return sorted(stars)


class Items:
    """Nodes, attributes and edges of two graphs, with their similarities."""

    def __init__(
        self, graphs: tuple[LabelledGraph, LabelledGraph], rules: Rules, groups: Groups
    ) -> None:
        assert rules.parts is not None
        self.graphs, self.rules, self.groups = graphs, rules, groups
        self.parts: PartRules = rules.parts
        self.nodes = node_similarities(*graphs, rules)
        edges = edge_similarities(*graphs, rules)
        self.edges = edges, edges.T
        self.is_directed = not any(graph.is_directed is False for graph in graphs)
        self.loops: list[dict[int, list[int]]] = [{}, {}]
        self.between: list[dict[Pair, list[int]]] = [{}, {}]
        for side, graph in enumerate(graphs):
            for number, (i, k, _) in enumerate(graph.edges):
                if i == k:
                    self.loops[side].setdefault(i, []).append(number)
                else:
                    ends = min(i, k), max(i, k)
                    self.between[side].setdefault(ends, []).append(number)
        self._shares = {Star(g.parts, (g.whole,)): g.similarity for g in groups.splits}
        for group in groups.merges:
            self._shares[Star((group.whole,), group.parts)] = group.similarity

    def share(self, star: Star) -> float:
        """Return the similarity of the two sides of a star; 0 if it is not a group."""
        if len(star.pred) == len(star.gold) == 1:
            return float(self.nodes[star.pred[0], star.gold[0]])
        return self._shares.get(star, 0.0)

    def of_star(self, star: Star) -> Matched:
        """Return the matches of a star: its nodes, attributes, and edges among them."""
        node, edge = self.rules.weights
        share, worths = self.share(star), []
        for side, (own_nodes, other_nodes) in enumerate((star, star[::-1])):
            count = len(own_nodes)
            nodes = count * share - (count - 1) * self.parts.price
            attributes = edges = 0.0
            if self.rules.count != "nodes":
                attributes = math.fsum(
                    self._attributes(side, u, other_nodes) for u in own_nodes
                )
                edges = math.fsum(self._loops(side, u, other_nodes) for u in own_nodes)
                edges += self._inner(side, own_nodes)
            worths.append((node * nodes, node * attributes, edge * edges))
        return Matched(*worths)

    def count(self, stars: Sequence[Star]) -> Matched:
        """Return the matches of stars together."""
        worths: list[list[Worths]] = [[], []]
        for star in stars:
            for side, n_items in enumerate(self.of_star(star)):
                worths[side].append(n_items)
        if self.rules.count != "nodes":
            for side in (0, 1):
                worths[side] += [(0.0, 0.0, x) for x in self._bundles(side, stars)]
        return Matched(*map(_added, worths))

    def _bundles(self, side: int, stars: Sequence[Star]) -> Iterator[float]:
        """Yield the worth of the edges between each two stars."""
        for own_edges, other_edges, table in self._tables(side, stars):
            del own_edges, other_edges
            yield self.rules.weights[1] * _best(table)

    def matches(
        self, side: int, stars: Sequence[Star]
    ) -> Iterator[tuple[int, int | None, float]]:
        """Yield the matching edges of a side, their partners, and their grades.

        An edge between two parts matches without a partner.
        """
        for own_edges, other_edges, table in self._tables(side, stars):
            for a, b in zip(*best_matching(table), strict=True):
                if table[a, b] > 0:
                    yield own_edges[a], other_edges[b], float(table[a, b])
        for star in stars:
            nodes, partners = star[side], star[1 - side]
            for u in nodes:
                own_edges, other_edges, table = self._loop_table(side, u, partners)
                for a, b in zip(*best_matching(table), strict=True):
                    if table[a, b] > 0:
                        yield own_edges[a], other_edges[b], float(table[a, b])
            for e in self._inner_edges(side, nodes):
                yield e, None, 1.0

    def _tables(
        self, side: int, stars: Sequence[Star]
    ) -> Iterator[tuple[list[int], list[int], Floats]]:
        """Yield the edges between each two stars, those they may match, and grades."""
        partners = {u: star[1 - side] for star in stars for u in star[side]}
        for (i, k), own_edges in self.between[side].items():
            if i not in partners or k not in partners or partners[i] == partners[k]:
                continue
            ends = {i: partners[i], k: partners[k]}
            edges_of_images = {
                f
                for a in partners[i]
                for b in partners[k]
                for f in self.between[1 - side].get((min(a, b), max(a, b)), ())
            }
            other_edges = sorted(edges_of_images)
            table = [
                [self._grade(side, e, f, ends) for f in other_edges] for e in own_edges
            ]
            yield (
                own_edges,
                other_edges,
                np.array(table).reshape(len(own_edges), len(other_edges)),
            )

    def _grade(
        self, side: int, e: int, f: int, ends: dict[int, tuple[int, ...]]
    ) -> float:
        i, k, _ = self.graphs[side].edges[e]
        a, b, _ = self.graphs[1 - side].edges[f]
        is_same = a in ends[i] and b in ends[k]
        if is_same or (not self.is_directed and b in ends[i] and a in ends[k]):
            return float(self.edges[side][e, f])
        return 0.0

    def _loops(self, side: int, u: int, others: Sequence[int]) -> float:
        return _best(self._loop_table(side, u, others)[2])

    def _loop_table(
        self, side: int, u: int, others: Sequence[int]
    ) -> tuple[list[int], list[int], Floats]:
        own_loops = self.loops[side].get(u, [])
        other_loops = [f for v in others for f in self.loops[1 - side].get(v, [])]
        return own_loops, other_loops, self.edges[side][np.ix_(own_loops, other_loops)]

    def _inner(self, side: int, own: Sequence[int]) -> int:
        return len(self._inner_edges(side, own))

    def _inner_edges(self, side: int, own: Sequence[int]) -> list[int]:
        """Return the edges without label between parts of one whole."""
        edges = self.graphs[side].edges
        return [
            e
            for place, i in enumerate(own)
            for k in own[place + 1 :]
            for e in self.between[side].get((min(i, k), max(i, k)), ())
            if not (edges[e][2] or "").strip()
        ]

    def _attributes(self, side: int, u: int, others: Sequence[int]) -> float:
        tables = self.attribute_tables(side, u, others)
        return math.fsum(_best(table) for *_, table in tables)

    def attribute_tables(
        self, side: int, u: int, others: Sequence[int]
    ) -> Iterator[tuple[str, list[str], list[str], Floats]]:
        """Yield each attribute of a node: its values, the partners', and grades."""
        own_attributes = self.graphs[side].attributes[u]
        other_attributes = [
            x for v in others for x in self.graphs[1 - side].attributes[v]
        ]
        for name in dict.fromkeys(name for name, _ in own_attributes):
            values, other_values = (
                [value for key, value in items if key == name]
                for items in (own_attributes, other_attributes)
            )
            sides = (values, other_values) if side == 0 else (other_values, values)
            table = similarities(*sides, self.rules.nodes, self.rules.node_cutoff)
            yield name, values, other_values, table if side == 0 else table.T


def _added(worths: Sequence[Worths]) -> Worths:
    nodes, attributes, edges = (
        [worths_of_part[kind] for worths_of_part in worths] for kind in range(3)
    )
    return math.fsum(nodes), math.fsum(attributes), math.fsum(edges)


def _best(grades: Floats) -> float:
    """Return the worth of the best one-to-one matching of rows with columns."""
    return float(grades[best_matching(grades)].sum()) if grades.size else 0.0
