"""Feedback where several nodes may stand for one.

An edit removes or adds an item that matches none of its partners' items, or changes a
label that is not the partner's.  Nodes that stand for one are named together, with what
they cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from exactmatch.metrics.labelled.parts_count import Star
from exactmatch.metrics.labelled.parts_problem import PartsProblem
from exactmatch.solvers.matching import best_matching
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.feedback.edit import Edit, Ends, What


def edits_with_parts(problem: PartsProblem, alignment: Alignment) -> list[Edit]:
    """Find all edits, the dearest first; what parts cost comes last."""
    pair = _Pair(problem, problem.stars(alignment), *_sizes(problem, alignment))
    edits = [*_of_nodes(pair)]
    if problem.rules.count != "nodes":
        edits += [*_of_attributes(pair), *_of_edges(pair)]
    return sorted(edits, key=lambda edit: -edit.price)


def _sizes(problem: PartsProblem, alignment: Alignment) -> tuple[float, float]:
    matched = math.fsum(problem.matched_of(alignment).sums())
    return matched, float(problem.left.total) + float(problem.right.total)


class _Pair(NamedTuple):
    """Two graphs under their best mapping."""

    problem: PartsProblem
    stars: Sequence[Star]
    matched: float  # of both sides
    total: float

    def price(self, what: What, both: float, items: int = 0) -> float:
        """Return the gain in F1 from *both* more matches and *items* more items."""
        weight = self.problem.rules.weights[what == "edge"]
        before = self.matched / self.total
        total = self.total + weight * items
        return (self.matched + weight * both) / total - before if total else 0.0

    def change(self, what: What, worth: float, is_plain: bool) -> float:
        """Return the least gain in F1 if a label matches in full."""
        return self.price(what, (2 if is_plain else 1) * (1 - worth))

    def partners(self, side: int) -> dict[int, tuple[int, ...]]:
        return {u: star[1 - side] for star in self.stars for u in star[side]}

    def name(self, side: int, node: int) -> str:
        """Return the name of a predicted node, or the label of a new one."""
        graph = self.problem.graphs[side]
        name = str(graph.names[node])
        return name if side == 0 else f"'{graph.labels[node] or name}'"


def _of_nodes(pair: _Pair) -> Iterator[Edit]:
    items, (left, right) = pair.problem.items, pair.problem.graphs
    for star in pair.stars:
        share, names = items.share(star), [str(left.names[u]) for u in star.pred]
        other_names = [str(right.names[v]) for v in star.gold]
        price = items.parts.price * (len(star.pred) + len(star.gold) - 2)
        if len(names) > 1:
            where = Ends(f"nodes {_listed(names)} together are")
            cost = pair.price("node", -price)
            whole_node = f"node {other_names[0]}"
            yield Edit("split", "node", where, None, whole_node, None, share, cost)
        elif len(other_names) > 1:
            where, wholes = Ends(f"node {names[0]} is"), f"nodes {_listed(other_names)}"
            cost = pair.price("node", -price)
            whole_node = f"{wholes} together"
            yield Edit("merge", "node", where, None, whole_node, None, share, cost)
        elif share < 1:
            labels = left.labels[star.pred[0]], right.labels[star.gold[0]]
            rise = pair.change("node", share, is_plain=True)
            yield Edit("change", "node", Ends(names[0]), *labels, None, share, rise)
    for side, graph in enumerate((left, right)):
        for u in sorted({*range(len(graph.labels))} - pair.partners(side).keys()):
            where = Ends(pair.name(side, u))
            yield _whole(pair, side, "node", where, graph.labels[u], None)


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _whole(
    pair: _Pair, side: int, what: What, where: Ends, label: str | None, name: str | None
) -> Edit:
    """Remove an item of the prediction, or add one of the reference."""
    if side == 0:
        price = pair.price(what, 0.0, -1)
        return Edit("remove", what, where, label, None, name, None, price)
    price = pair.price(what, 2.0, 1)
    return Edit("add", what, where, None, label, name, None, price)


def _of_attributes(pair: _Pair) -> Iterator[Edit]:
    items = pair.problem.items
    for side, graph in enumerate(pair.problem.graphs):
        partners = pair.partners(side)
        for u in range(len(graph.labels)):
            partner_nodes = partners.get(u, ())
            where = Ends(pair.name(side, u))
            for name, values, other_values, table in items.attribute_tables(
                side, u, partner_nodes
            ):
                pairs = zip(*best_matching(table), strict=True) if table.size else ()
                similar = {a: b for a, b in pairs if table[a, b] > 0}
                for a, value in enumerate(values):
                    if a not in similar:
                        yield _whole(pair, side, "attribute", where, value, name)
                        continue
                    grade = float(table[a, similar[a]])
                    if side == 0 and grade < 1:
                        rise = pair.change("attribute", grade, is_plain=False)
                        labels = value, other_values[similar[a]]
                        yield Edit(
                            "change", "attribute", where, *labels, name, grade, rise
                        )


def _of_edges(pair: _Pair) -> Iterator[Edit]:
    graphs = pair.problem.graphs
    for side, graph in enumerate(graphs):
        similar = {
            e: (f, grade)
            for e, f, grade in pair.problem.items.matches(side, pair.stars)
        }
        for e, (i, k, label) in enumerate(graph.edges):
            where = Ends(pair.name(side, i), pair.name(side, k))
            if e not in similar:
                yield _whole(pair, side, "edge", where, label, None)
                continue
            f, grade = similar[e]
            if side == 0 and f is not None and grade < 1:
                rise = pair.change("edge", grade, is_plain=False)
                labels = label, graphs[1].edges[f][2]
                yield Edit("change", "edge", where, *labels, None, grade, rise)
