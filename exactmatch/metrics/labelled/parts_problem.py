"""The best mapping where several nodes may stand for one, as an alignment problem.

A node that may be a *whole* has slots beside its own place: its first part, by number,
takes that place, each further one a slot.  A slot costs more than its edges could earn,
and a pair term with the first part gives that back with what the parts are worth
together; of three parts a candidate of the group does so, which costs as much as any
two of them give.

What edges between single nodes match are pair terms, for each side its own.  An edge of
a node that may be a whole is a node itself, which may take any edge of the other graph:
that costs what it is worth, and each end that is mapped to that edge's end gives it
back, so that both ends together earn it.

No node is a whole and a part at once: two nodes may not be mapped to each other while
both have slots in use.  That is a conflict (:mod:`exactmatch.solvers.cases`).

Weights are half of what both sides match together, so that a bound is of as many items
as one to one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, product
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.metrics.labelled.graded_problem import FINEST, SCALES, GradedProblem
from exactmatch.metrics.labelled.groups import Group
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.parts_count import (
    Groups,
    Items,
    Matched,
    Pair,
    Star,
    stars_of,
)
from exactmatch.metrics.labelled.rules import Rules, node_similarities
from exactmatch.solvers.cases import CaseProblem, Conflict
from exactmatch.solvers.enumeration import ranges
from exactmatch.solvers.problem import Alignment

Integers: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]

KINDS = ("nodes", "attributes", "edges", "held", "splits", "merges")
"""Kinds of weights.  *Held* are costs that are always given back; the last two are
counted and weigh nothing."""

GROUPS = ("splits", "merges")
EDGES, HELD, SPLITS = KINDS.index("edges"), KINDS.index("held"), KINDS.index("splits")
WEIGHING = HELD + 1

LARGEST_DENOMINATOR = 1000
"""Largest denominator of similarities of words, which are fractions."""


@dataclass(eq=False, kw_only=True)
class PartsProblem(GradedProblem):
    """The mapping of two labelled graphs, some of whose nodes may be parts.

    The nodes of the problem are those of the graphs; after them come slots, edges and
    groups.  The units of candidates and of pair terms are in ``kinds``, a row for each
    of :data:`KINDS`.
    """

    groups: Groups
    items: Items = field(init=False, repr=False)
    kinds: tuple[Integers, Integers] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        rules, max_terms = replace(self.rules, unlike=True), self.max_terms
        sides = self.left, self.right, self.profile
        graded_problem = GradedProblem(
            *sides, max_terms=max_terms, graphs=self.graphs, rules=rules
        )
        self.items = Items(self.graphs, self.rules, self.groups)
        builder = _Builder(graded_problem, self.items, self.most)
        self.prebuilt, self.kinds = builder.problem()
        self.scale, self.parts = self.prebuilt.scale, self.kinds[0][:HELD]
        self._places = builder.places
        self._last: tuple[Alignment, Matched] | None = None

    def stars(self, alignment: Alignment) -> list[Star]:
        """Return the nodes that an alignment maps to one another.

        Raises:
            CertificationError: if some of them may not be mapped so.
        """
        left, right = self._places
        pairs = [
            (left[i], right[j])
            for i, j in enumerate(alignment[: len(left)])
            if 0 <= j < len(right)
        ]
        stars = stars_of(pairs)
        for star in stars:
            is_plain = len(star.pred) == len(star.gold) == 1
            if not is_plain and not self.items.share(star):
                raise CertificationError(
                    f"nodes {star.pred} and {star.gold} are not parts of one another; "
                    "please report the two graphs"
                )
        return stars

    def pairs(self, alignment: Alignment) -> list[Pair]:
        stars = self.stars(alignment)
        return [pair for star in stars for pair in product(star.pred, star.gold)]

    def images(self, alignment: Alignment) -> Alignment:
        """Return the right node of every left node: a part's whole, a whole's part."""
        image = [-1] * len(self.graphs[0].labels)
        for star in self.stars(alignment):
            for u in star.pred:
                image[u] = star.gold[0]
        return tuple(image)

    def together(self, alignment: Alignment) -> list[Star]:
        stars = self.stars(alignment)
        return [star for star in stars if len(star.pred) + len(star.gold) > 2]

    def explained(self, alignment: Alignment) -> tuple[set[Pair], set[Pair]]:
        stars = self.stars(alignment)
        pairs_of: tuple[set[Pair], set[Pair]] = (set(), set())
        for side, ends in enumerate(pairs_of):
            full = {e for e, _, grade in self.items.matches(side, stars) if grade == 1}
            edges_between = self.items.between[side].items()
            ends |= {pair for pair, edges in edges_between if full.issuperset(edges)}
        return pairs_of

    @property
    def is_one_to_one(self) -> bool:
        return False

    def at_most(self, units: int) -> float:
        """Return half of both sides' matches at most, within the number of items."""
        return min(super().at_most(units), (self.left.total + self.right.total) / 2)

    def matched_of(self, alignment: Alignment) -> Matched:
        """Count the matches of an alignment on both sides, from the graphs."""
        if self._last is None or self._last[0] != alignment:
            self._last = alignment, self.items.count(self.stars(alignment))
        return self._last[1]

    def ranges(self, alignment: Alignment) -> dict[str, tuple[int, int]]:
        """Return the least and the most of each kind under any best mapping, in units.

        The alignment is one of the best.  Splits and merges are counts.
        """
        weights = [
            np.concatenate([worths[kind] for worths in self.kinds]).astype(np.float64)
            for kind in range(len(KINDS))
        ]
        names = [name for name in KINDS if name != "held"]
        parts = [weights[KINDS.index(name)] for name in names]
        range_of = ranges(self.problem, self.problem.value(alignment), parts)
        return dict(zip(names, range_of, strict=True))

    def check_count(self, alignment: Alignment, value: int) -> float:
        """Return half of both sides' matches; the value differs only by rounding."""
        worth = math.fsum(self.matched_of(alignment).sums()) / 2
        terms = self.parts.size + len(self.problem.weight)
        if abs(worth - value / self.scale) > terms / self.scale / 2 + 1e-6:
            raise CertificationError(
                f"a mapping said to be worth {value / self.scale} is worth {worth}; "
                "please report the two graphs"
            )
        return worth


def groups_of(graphs: tuple[LabelledGraph, LabelledGraph], rules: Rules) -> Groups:
    """Return the parts and wholes of two graphs."""
    assert rules.parts is not None
    nodes = node_similarities(*graphs, rules)
    pred, gold = (graph.labels for graph in graphs)
    splits = rules.parts.groups(gold, pred, nodes)
    return Groups(splits, rules.parts.groups(pred, gold, nodes.T))


class _Slots(NamedTuple):
    """Slots of one side: the places of each whole's further parts."""

    of: dict[int, list[int]]
    places: list[int]  # the node of each place, those of the graph first


def _slots(count: int, groups: Sequence[Group]) -> _Slots:
    places, of = list(range(count)), dict[int, list[int]]()
    for group in groups:
        slots_of_whole = of.setdefault(group.whole, [])
        while len(slots_of_whole) < len(group.parts) - 1:
            slots_of_whole.append(len(places))
            places.append(group.whole)
    return _Slots(of, places)


class _Builder:
    """Builder of the problem: candidates, and pair terms by the places they join."""

    def __init__(self, plain: GradedProblem, items: Items, max_terms: int) -> None:
        self.plain, self.items, self.most = plain, items, max_terms
        n, m = (len(graph.labels) for graph in items.graphs)
        self.slots = _slots(n, items.groups.merges), _slots(m, items.groups.splits)
        self.places = self.slots[0].places, self.slots[1].places
        self.count = [len(places) for places in self.places]
        self.scale = self._scale()
        zero = np.zeros(len(KINDS), dtype=np.int64)
        self.zero = zero
        self.unary: dict[Pair, Integers] = {}
        self.terms: dict[tuple[Pair, Pair], Integers] = {}
        self.further: dict[Pair, list[Pair]] = {}  # other candidates of two nodes
        self.firsts: tuple[set[Pair], set[Pair]] = (set(), set())
        self.single: dict[Pair, Integers] = {}  # what two nodes earn alone
        degrees = [
            np.bincount(
                [end for ends, edges in between.items() for end in ends for _ in edges],
                minlength=len(graph.labels),
            )
            for between, graph in zip(items.between, items.graphs, strict=True)
        ]
        if items.rules.count == "nodes":
            degrees = [0 * degree for degree in degrees]
        self.degrees = degrees

    def problem(self) -> tuple[CaseProblem, tuple[Integers, Integers]]:
        """Build the problem and the kinds of its weights."""
        self._add_plain_candidates()
        for side, groups in enumerate(self.items.groups):
            for group in sorted(groups, key=lambda group: len(group.parts)):
                check()
                self._add_group(side, group)
        self._add_plain_terms()
        if self.items.rules.count != "nodes":
            for side in (0, 1):
                self._add_edges(side)
        return self._made()

    def _scale(self) -> int:
        """Choose units in which most weights are whole numbers."""
        plain, items = self.plain, self.items
        node, edge = items.rules.weights
        shares = [group.similarity for groups in items.groups for group in groups]
        fractions = [Fraction(s).limit_denominator(LARGEST_DENOMINATOR) for s in shares]
        values = [node * share / 2 for share in shares]
        values += [node * items.parts.price / 2, edge / 2]
        units = [plain.parts.ravel(), plain.problem.weight]
        part_values = np.unique(np.concatenate(units)) / plain.scale / 2
        all_values = np.concatenate([values, part_values])
        common = math.lcm(*(fraction.denominator for fraction in fractions))
        for scale in (*SCALES, *(common * s for s in SCALES)):
            scaled = all_values * scale
            if scale <= FINEST and np.all(np.abs(scaled - np.rint(scaled)) < 1e-9):
                return scale
        return FINEST

    def _units(self, *worths: float) -> Integers:
        """Return worths of both sides together as units of kinds."""
        units = self.zero.copy()
        for kind, worth in enumerate(worths):
            units[kind] = round(worth * self.scale / 2)
        return units

    def _add_plain_candidates(self) -> None:
        """Add the pairs of single nodes that are allowed."""
        problem = self.plain.problem
        worths = 2 * self.plain.parts / self.plain.scale
        pairs = zip(problem.left.tolist(), problem.right.tolist(), strict=True)
        for cell, worths_of_cell in zip(pairs, worths.T.tolist(), strict=True):
            self.single[cell] = self._units(*worths_of_cell)
            if self._is_allowed(cell):
                self.unary[cell] = self.single[cell]

    def _is_allowed(self, cell: Pair) -> bool:
        return self.items.rules.unlike or self.items.nodes[cell] > 0

    def _add_group(self, side: int, group: Group) -> None:
        """Add the candidates of the parts of a *side* with their whole."""
        first, *other_parts = group.parts
        whole, slots = group.whole, self.slots[1 - side].of[group.whole]
        cell = _ordered(side, first, whole)
        further = [
            _ordered(side, u, p) for u, p in zip(other_parts, slots, strict=False)
        ]
        pair = cell, further[0]
        grows = len(further) > 1 and pair in self.terms  # from a group of two
        costs = [self._held(side, part, whole) for part in other_parts]
        single = self.single.get(cell, self.zero)
        gain = self._worth(side, whole, group.parts) - single
        if grows:
            gain -= self._worth(side, whole, group.parts[:2]) - single
        gain[HELD] = sum(costs[grows:]) + (0 if grows else self._cost_of_first(cell))
        gain[SPLITS + side] = not grows
        total = _weight(gain)
        if total < 1:
            return  # never worth more than fewer parts
        self._add_first(cell)
        self.firsts[side].add(cell)
        for part, candidate, cost in zip(other_parts, further, costs, strict=True):
            if candidate not in self.unary:
                self.unary[candidate] = self._held_back(-cost)
                node = _ordered(side, part, whole)
                self.further.setdefault(node, []).append(candidate)
        if len(further) == 1:
            self._add_term(*pair, gain)
            return
        node = self._new(0), self._new(1)
        self.unary[node] = gain - self._held_back(3 * (total + 1))
        for candidate in (cell, *further):
            self._add_term(candidate, node, self._held_back(total + 1))

    def _worth(self, side: int, whole: int, parts: tuple[int, ...]) -> Integers:
        star = Star(parts, (whole,)) if side == 0 else Star((whole,), parts)
        pred, gold = self.items.of_star(star)
        return self._units(*(a + b for a, b in zip(pred, gold, strict=True)))

    def _held(self, side: int, part: int, whole: int) -> int:
        """Return more than the edges of a part and its whole can earn."""
        edges = int(self.degrees[side][part] + self.degrees[1 - side][whole])
        return math.ceil(self.items.rules.weights[1] * edges * self.scale / 2) + 1

    def _held_back(self, cost: int) -> Integers:
        own = self.zero.copy()
        own[HELD] = cost
        return own

    def _cost_of_first(self, cell: Pair) -> int:
        """Return the cost of a first part that may not be the only one."""
        if self._is_allowed(cell):
            return 0
        return self._held(0, *cell) + _weight(self.single.get(cell, self.zero))

    def _add_first(self, cell: Pair) -> None:
        if cell not in self.unary:
            own = self.single.get(cell, self.zero)
            self.unary[cell] = own + self._held_back(-self._cost_of_first(cell))

    def _new(self, side: int) -> int:
        self.count[side] += 1
        return self.count[side] - 1

    def _add_term(self, one: Pair, other: Pair, units: Integers) -> None:
        key = min(one, other), max(one, other)
        units_so_far = self.terms.get(key)
        self.terms[key] = units if units_so_far is None else units_so_far + units
        if len(self.terms) > self.most:
            raise InputError(
                f"more than {self.most:,} pairs of nodes, edges or parts may match; "
                "raise --max-terms to allow them, or leave out --parts"
            )

    def _add_plain_terms(self) -> None:
        """Add the matches of edges between nodes that are not wholes, for each side."""
        problem, scale = self.plain.problem, self.plain.scale
        left, right = problem.left.tolist(), problem.right.tolist()
        columns = (a.tolist() for a in (problem.first, problem.second, problem.weight))
        for one, other, weight in zip(*columns, strict=True):
            cells = (left[one], right[one]), (left[other], right[other])
            for side in (0, 1):
                if any(cell[side] in self.slots[side].of for cell in cells):
                    continue
                units = self._edge_units(weight / scale)
                for one_of, other_of in product(*map(self._candidates, cells)):
                    self._add_term(one_of, other_of, units)

    def _edge_units(self, worth: float) -> Integers:
        own = self.zero.copy()
        own[EDGES] = round(worth * self.scale / 2)
        return own

    def _candidates(self, cell: Pair) -> list[Pair]:
        """Return all candidates that map two nodes to each other."""
        further = self.further.get(cell, [])
        return [cell, *further] if cell in self.unary else further

    def _add_edges(self, side: int) -> None:
        """Add the edges of a side at possible wholes, as nodes."""
        wholes, items = self.slots[side].of, self.items
        own_edges, other_edges = (items.graphs[s].edges for s in (side, 1 - side))
        for ends, edges_between in items.between[side].items():
            if wholes.keys().isdisjoint(ends):
                continue
            check()
            places: dict[Any, int] = {}  # of the edges that these may take
            for e, f, turn in self._turns(side, edges_between):
                for key, at in ((("own", e), side), ((f, turn), 1 - side)):
                    if key not in places:
                        places[key] = self._new(at)
                worth = items.rules.weights[1] * float(items.edges[side][e, f])
                ends_of = own_edges[e][:2], other_edges[f][:2][::turn]
                cells = [_ordered(side, *pair) for pair in zip(*ends_of, strict=True)]
                edge = _ordered(side, places["own", e], places[f, turn])
                self._add_edge(edge, cells, self._edge_units(worth))

    def _turns(
        self, side: int, own: Sequence[int]
    ) -> Iterator[tuple[int, int, Literal[1, -1]]]:
        """Yield the edges that an edge may take, and 1, or -1 for a turned edge."""
        items = self.items
        loops = {f for fs in items.loops[1 - side].values() for f in fs}
        for e in own:
            for f in np.flatnonzero(items.edges[side][e]).tolist():
                if f not in loops:
                    yield e, f, 1
                    if not items.is_directed:
                        yield e, f, -1

    def _add_edge(self, edge: Pair, cells: Sequence[Pair], units: Integers) -> None:
        """Add an edge's match with another; the candidates of both ends pay for it."""
        if not units.any():
            return
        for cell in cells:
            if self._is_allowed(cell):
                self.unary.setdefault(cell, self.zero)
        ends = [self._candidates(cell) for cell in cells]
        if all(ends):
            self.unary[edge] = -units
            for candidate in chain.from_iterable(ends):
                self._add_term(candidate, edge, units)

    def _made(self) -> tuple[CaseProblem, tuple[Integers, Integers]]:
        candidates = sorted(self.unary)
        number = {candidate: c for c, candidate in enumerate(candidates)}
        unary = _rows([self.unary[c] for c in candidates])
        terms = {
            (number[one], number[other]): units
            for (one, other), units in self.terms.items()
            if units.any()
        }
        pairs = sorted(terms)
        weights = _rows([terms[p] for p in pairs])
        left, right = np.array(candidates, dtype=np.int32).reshape(-1, 2).T
        first, second = np.array(pairs, dtype=np.int32).reshape(-1, 2).T
        left, right, first, second = map(
            np.ascontiguousarray, (left, right, first, second)
        )
        problem = CaseProblem(
            self.count[0],
            self.count[1],
            left,
            right,
            unary[:WEIGHING].sum(axis=0),
            first,
            second,
            weights[:WEIGHING].sum(axis=0),
            self.scale,
            conflicts=tuple(self._conflicts(candidates)),
        )
        return problem, (unary, weights)

    def _conflicts(self, candidates: Sequence[Pair]) -> Iterator[Conflict]:
        """Yield the conflicts of two mapped nodes that both have further parts."""
        for cell in sorted(self.firsts[0] & self.firsts[1]):
            slots = self.slots[0].of[cell[0]][0], self.slots[1].of[cell[1]][0]
            sets: tuple[list[int], ...] = ([], [], [])
            for c, candidate in enumerate(candidates):
                if candidate == cell:
                    sets[0].append(c)
                elif candidate[1] == slots[1]:
                    sets[1].append(c)
                elif candidate[0] == slots[0]:
                    sets[2].append(c)
            if all(sets):
                yield tuple(map(tuple, sets))


def _weight(units: Integers) -> int:
    """Return the weight of units of all kinds together."""
    return int(units[:WEIGHING].sum())


def _rows(units: Sequence[Integers]) -> Integers:
    """Return the units of each kind, in a row."""
    return np.array(units, dtype=np.int64).reshape(-1, len(KINDS)).T


def _ordered(side: int, own: int, other: int) -> Pair:
    """Return a pair of nodes of both sides, the prediction's first."""
    return (own, other) if side == 0 else (other, own)
