"""AnCast's alignment of two sentences, which spreads from anchors, and its counts.

Nodes whose concepts are unique and occur in the text are anchors.  Similarity spreads
from anchors to neighbours; pairs that are best for both sides become anchors, at most
five times; the rest is matched greedily.  Nothing is random.

Source: Sun and Xue (2024), and what umr4nlp/ancast 0.1.1 counts, its slips included.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from math import fsum, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from exactmatch.base.deadline import check, in_time
from exactmatch.base.errors import InputError
from exactmatch.metrics.ancast.graph import Fact, Node, SentenceGraph, by_ends
from exactmatch.metrics.ancast.proven import proven_pairs

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float64]

Anchors: TypeAlias = Literal["concepts", "alignment", "none", "proven"]

MAX_NODES = 500
"""A sentence with more nodes is an error: time grows with the cube of their number."""

_SENSE_WEIGHT = 0.1  # cost of a different sense
_SPREADS = 50  # most steps of spreading similarity
_ROUNDS = 5  # most rounds of choosing anchors anew
_TOLERANCE = 1e-4


class Side(NamedTuple):
    """Sums that one side of a pair of sentences matches, each with its total."""

    concepts: float = 0.0
    concept_total: float = 0.0
    equal_concepts: float = 0.0
    equal_total: float = 0.0
    equal_facts: float = 0.0
    fact_total: float = 0.0
    labelled: float = 0.0
    labelled_total: float = 0.0
    unlabelled: float = 0.0
    unlabelled_total: float = 0.0
    weighted: float = 0.0
    weighted_total: float = 0.0


class Matching(NamedTuple):
    """The counts of both sides, and the partner of each node that has one."""

    sides: tuple[Side, Side] = (Side(), Side())
    partners: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {})


def text_similarity(left: str, right: str) -> float:
    """Return the share of the longer text that the shorter one is, if it is part of it.

    >>> text_similarity("run", "runner"), text_similarity("run", "walk")
    (0.5, 0.0)
    """
    if left == right:
        return 1.0
    short, long = sorted((left.lower(), right.lower()), key=len)
    return len(short) / len(long) if short in long else 0.0


def name_similarity(left: str, right: str, same_sense: bool) -> float:
    """Return the similarity of two concepts.

    >>> name_similarity("run", "run", same_sense=False)
    0.9
    """
    return text_similarity(left, right) * (1 + _SENSE_WEIGHT * (same_sense - 1))


def match_sentences(
    pred: SentenceGraph,
    gold: SentenceGraph,
    anchors: Anchors = "concepts",
    texts: tuple[str, str] = ("", ""),
    counts_top: bool = True,
) -> Matching:
    """Align the nodes of two sentences and count their common relations.

    Args:
        pred, gold: the sentences; both have nodes.
        anchors: the kind of anchors that begin the alignment; ``proven`` aligns
            optimally instead.
        texts: texts with the concepts of anchors, in lower case.
        counts_top: whether the tops count among the facts.

    Raises:
        InputError: if a sentence has more than :data:`MAX_NODES` nodes.
    """
    for side in (pred, gold):
        if len(side.nodes) > MAX_NODES:
            raise InputError(
                f"a sentence has {len(side.nodes):,} nodes, more than {MAX_NODES:,}, "
                "which is too many for ancast; use --metric smatch"
            )
    if not pred.nodes or not gold.nodes:
        return Matching((_lone(pred, counts_top), _lone(gold, counts_top)))
    search = _Search(pred, gold)
    if anchors == "proven":
        search.prove(counts_top)
    else:
        search.run(search.first_anchors(anchors, texts))
    sides = pred, gold
    tables = by_ends(pred.facts), by_ends(gold.facts)
    with_tops = _with_top(pred, counts_top), _with_top(gold, counts_top)
    offspring = _offspring(pred)
    counted = []
    for k in (0, 1):
        logs, partners = search.logs[k], search.partners
        side_tops, other_tops = with_tops[k], with_tops[1 - k]
        total = float(len(logs))
        counted.append(
            Side(
                fsum(similarity for similarity, _ in logs),
                total,
                float(sum(int(equal) for _, equal in logs)),
                total,
                float(
                    len(
                        side_tops
                        & {_translated(f, partners[1 - k]) for f in other_tops}
                    )
                ),
                float(len(side_tops)),
                *_relations(
                    (tables[k], tables[1 - k]),
                    (sides[k].nodes, sides[1 - k].nodes),
                    partners[k],
                    offspring,
                ),
            )
        )
    return Matching((counted[0], counted[1]), search.partners)


def _lone(sentence: SentenceGraph, counts_top: bool) -> Side:
    """Count a sentence without any match."""
    nodes = float(len(sentence.nodes))
    facts = float(len(sentence.facts) + (counts_top and bool(sentence.nodes)))
    no_relations = _relations(
        (by_ends(sentence.facts), {}), ({}, {}), {}, _offspring(sentence)
    )
    return Side(0.0, nodes, 0.0, nodes, 0.0, facts, *no_relations)


def _with_top(sentence: SentenceGraph, counts_top: bool) -> set[Fact]:
    top = ("TOP", "TOP", next(iter(sentence.nodes)))
    return sentence.facts | {top} if counts_top else sentence.facts


def _translated(fact: Fact, partners: Mapping[str, str]) -> Fact:
    source, role, target = fact
    return partners.get(source, source), role, partners.get(target, target)


def _offspring(sentence: SentenceGraph) -> dict[str, int]:
    """Return the number of nodes that each node leads to; itself only on a cycle."""
    names = list(sentence.nodes)
    ends: list[list[int]] = [[] for _ in names]
    for head, tail in sentence.arguments:
        ends[head].append(tail)
    counts = {}
    for place, name in enumerate(in_time(names)):
        reached: set[int] = set()
        queue = deque([place])
        while queue:
            new = set(ends[queue.popleft()]) - reached
            reached |= new
            queue.extend(new)
        counts[name] = len(reached)
    return counts


def _relations(
    tables: tuple[dict[tuple[str, str], set[str]], dict[tuple[str, str], set[str]]],
    nodes: tuple[Mapping[str, Node], Mapping[str, Node]],
    partners: Mapping[str, str],
    offspring: Mapping[str, int],
) -> list[float]:
    """Sum the labelled, unlabelled and weighted overlap of one side's facts.

    The program looks up weights by the variables of the prediction on both sides.
    """
    sums = [0.0] * 6
    left_table, right_table = tables
    for (source, target), roles in left_table.items():
        ends = partners.get(source, source), partners.get(target, target)
        weight = sqrt(offspring.get(target, 0) * offspring.get(source, 0)) + 1
        number = len(roles)
        right_roles = right_table.get(ends, set())
        likeness = (
            fsum(
                _end_similarity(nodes, end, right_end)
                for end, right_end in zip((source, target), ends, strict=True)
            )
            / 2
            if right_roles
            else 0.0
        )
        equal = len(roles & right_roles)
        rows = (
            (equal, number),
            (min(number, len(right_roles)), number),
            (equal * weight, number * weight),
        )
        for k, (matched, total) in enumerate(rows):
            sums[2 * k] += likeness * matched
            sums[2 * k + 1] += total
    return sums


def _end_similarity(
    nodes: tuple[Mapping[str, Node], Mapping[str, Node]], end: str, other: str
) -> float:
    """Return the similarity of two nodes, or of constants, which have no sense."""
    named = [
        (node.name, node.sense) if (node := side.get(name)) else (name, 0)
        for side, name in zip(nodes, (end, other), strict=True)
    ]
    (left, sense), (right, other_sense) = named
    return name_similarity(left, right, sense == other_sense)


class _Search:
    """Search for the partners of two sentences' nodes."""

    def __init__(self, pred: SentenceGraph, gold: SentenceGraph) -> None:
        import numpy as np

        self.sides = pred, gold
        self.names = [*pred.nodes], [*gold.nodes]
        self.partners: tuple[dict[str, str], dict[str, str]] = ({}, {})
        # similarity and equality of each choice of a partner; undone choices count, too
        self.logs: tuple[list[tuple[float, bool]], ...] = ([], [])
        nodes = [*pred.nodes.values()], [*gold.nodes.values()]
        self.nodes = nodes
        shape = len(nodes[0]), len(nodes[1])
        self.similarity = np.zeros(shape)
        self.equal = np.zeros(shape, dtype=bool)
        spelled = [node.spelled for node in nodes[1]]
        for i, node in enumerate(in_time(nodes[0])):
            name = node.spelled
            for j, right_node in enumerate(nodes[1]):
                same = node.sense == right_node.sense
                similarity = name_similarity(name, spelled[j], same)
                self.equal[i, j] = similarity == 1 and same
                self.similarity[i, j] = _with_constants(similarity, node, right_node)
        self.roles: Matrix | None = None
        self._spread = _Spread(pred, gold)

    def first_anchors(self, kind: Anchors, texts: tuple[str, str]) -> Matrix:
        """Return a matrix with 1 for each pair that is an anchor."""
        import numpy as np

        anchors = np.zeros(self.similarity.shape)
        left_nodes, right_nodes = self.nodes
        if kind == "alignment":
            for i, node in enumerate(left_nodes):
                for j, right_node in enumerate(right_nodes):
                    first, last = node.span
                    anchors[i, j] = node.span == right_node.span and 0 < first <= last
        elif kind == "concepts":
            numbers = [Counter(node.name for node in side) for side in self.nodes]
            place = {node.name: j for j, node in enumerate(right_nodes)}
            for i, node in enumerate(left_nodes):
                name = node.name
                is_unique = all(number[name] == 1 for number in numbers)
                if is_unique and all(name in text for text in texts):
                    anchors[i, place[name]] = 1
        return anchors

    def run(self, anchors: Matrix) -> None:
        """Choose the partners of all nodes."""
        self._add(anchors)
        for _ in range(_ROUNDS):
            final = self._spread.final(anchors, self.similarity)
            chosen = self._best_pairs(final)
            for i, j in _ones(anchors > chosen):
                self.partners[0].pop(self.names[0][i], None)
                self.partners[1].pop(self.names[1][j], None)
            is_new = (chosen > anchors).any()
            anchors = chosen
            if not is_new:
                break
            self._add(anchors)
        self._match_rest(final)

    def prove(self, counts_top: bool) -> None:
        """Choose the partners of an optimal alignment."""
        pairs = proven_pairs(*self.sides, self.equal, self.similarity, counts_top)
        for i, j in pairs:
            self._log(0, i, j)
            self._log(1, j, i)
        for side, names in enumerate(self.names):
            for name in names:
                if name not in self.partners[side]:
                    self._leave(side, name)

    def _leave(self, side: int, name: str) -> None:
        """Note that a node has no partner."""
        self.partners[side][name] = "NULL" + name
        self.logs[side].append((0.0, False))

    def _add(self, anchors: Matrix) -> None:
        for i, j in _ones(anchors > 0):
            self._log(0, i, j)
            self._log(1, j, i)

    def _log(self, side: int, a: int, b: int) -> None:
        """Make node *b* of the other side the partner of *a*, if it has none."""
        name = self.names[side][a]
        if name not in self.partners[side]:
            self.partners[side][name] = self.names[1 - side][b]
            i, j = (a, b) if side == 0 else (b, a)
            self.logs[side].append(
                (float(self.similarity[i, j]), bool(self.equal[i, j]))
            )

    def _role_similarity(self) -> Matrix:
        """Return the Jaccard indices of the nodes' roles."""
        import numpy as np

        if self.roles is None:
            self.roles = np.zeros(self.similarity.shape)
            for i, node in enumerate(in_time(self.nodes[0])):
                for j, right_node in enumerate(self.nodes[1]):
                    n_common = len(node.roles & right_node.roles)
                    n_roles = len(node.roles) + len(right_node.roles) - n_common
                    self.roles[i, j] = n_common / n_roles if n_roles else 0
        return self.roles

    def _best_pairs(self, final: Matrix) -> Matrix:
        """Return the pairs that are best for both nodes, roles deciding between equals.

        A decision by roles for node 0 does not count, as in the program.
        """
        import numpy as np

        roles = self._role_similarity()
        chosen = np.zeros(final.shape)
        rows = [
            _decided(row, role_similarities)
            for row, role_similarities in zip(final, roles, strict=True)
        ]
        columns = zip(final.T, roles.T, strict=True)
        for j, (column, role_similarities) in enumerate(columns):
            i = _decided(column, role_similarities)
            if i is not None and rows[i] == j:
                chosen[i, j] = 1
        return chosen

    def _match_rest(self, final: Matrix) -> None:
        """Match the nodes that are left, in rounds, best pairs first."""
        import numpy as np

        unmatched = [
            [k for k, name in enumerate(names) if name not in self.partners[side]]
            for side, names in enumerate(self.names)
        ]
        roles = self._role_similarity()
        while unmatched[0] and unmatched[1]:
            check()
            cells = np.ix_(unmatched[0], unmatched[1])
            values, role_similarities = final[cells], roles[cells]
            down = _first_best(values, role_similarities)
            across = _first_best(values.T, role_similarities.T)
            pairs = [(i, j) for i, j in enumerate(down) if across[j] == i]
            if not pairs:  # the program does not end here
                pairs = [(0, down[0])]
            for i, j in pairs:
                self._log(0, unmatched[0][i], unmatched[1][j])
                self._log(1, unmatched[1][j], unmatched[0][i])
            for side, gone in enumerate(zip(*pairs, strict=True)):
                out = set(gone)
                unmatched[side] = [
                    v for k, v in enumerate(unmatched[side]) if k not in out
                ]
        for side in (0, 1):
            for k in unmatched[side]:
                self._leave(side, self.names[side][k])


def _with_constants(similarity: float, node: Node, other: Node) -> float:
    """Return the mean of a similarity and the share of equal constants, if any."""
    common_constants = [
        value == other.constants[role]
        for role, value in node.constants.items()
        if role[:2] != "op" and role in other.constants
    ]
    return (
        (similarity + sum(common_constants) / len(common_constants)) / 2
        if common_constants
        else similarity
    )


def _ones(mask: Any) -> Iterator[tuple[int, int]]:
    for i, j in zip(*mask.nonzero(), strict=True):
        yield int(i), int(j)


def _decided(values: Any, role_similarities: Any) -> int | None:
    """Return the place of the best value, which roles decide between equals."""
    best = (values == values.max()).nonzero()[0]
    if len(best) == 1:
        return int(best[0])
    likest = best[role_similarities[best] == role_similarities[best].max()]
    # place 0 is not a decision to the program
    return int(likest[0]) if len(likest) == 1 and likest[0] else None


def _first_best(values: Any, role_similarities: Any) -> list[int]:
    """Return each row's best column: by value, then by roles, then the first."""
    import numpy as np

    is_best = values == values.max(axis=1, keepdims=True)
    columns: list[int] = (
        np.where(is_best, role_similarities, -1.0).argmax(axis=1).tolist()
    )
    return columns


class _Spread:
    """The neighbours, up to two steps away, along which similarity spreads."""

    def __init__(self, pred: SentenceGraph, gold: SentenceGraph) -> None:
        sides = pred, gold
        self.out = [_near(len(s.nodes), s.arguments) for s in sides]
        self.inward = [_near(len(s.nodes), s.inward) for s in sides]
        self.costs = [_cost(*self.out), _cost(*self.inward)]

    def final(self, anchors: Matrix, similarity: Matrix) -> Matrix:
        """Return the similarity of all pairs, rounded, from which pairs are chosen."""
        import numpy as np

        similarities = anchors.copy()
        for _ in range(_SPREADS):
            check()
            before = similarities
            away, back = (
                (left @ before) @ right.T / cost
                for (left, right), cost in zip(
                    (self.out, self.inward), self.costs, strict=True
                )
            )
            similarities = np.sqrt((away + 1) * (back + 1) - 1)
            highest = similarities.max()
            if highest > 0:
                similarities = similarities / highest
            similarities = np.maximum(similarities, anchors)
            if np.allclose(before, similarities, atol=_TOLERANCE):
                break
        rounded: Matrix = np.around(
            (similarities + 1e-3) * (similarity + 2e-1), decimals=4
        )
        return rounded


def _near(size: int, pairs: set[tuple[int, int]]) -> Matrix:
    """Return a matrix with 1 for each other node that one or two steps lead to."""
    import numpy as np

    steps = np.zeros((size, size))
    for a, b in pairs:
        steps[a, b] = 1
    near: Matrix = (steps @ steps + steps > 0) * (1.0 - np.eye(size))
    return near


def _cost(left: Matrix, right: Matrix) -> Matrix:
    """Return the ratio of neighbours of each pair of nodes; infinite without any."""
    import numpy as np

    sizes = left.sum(axis=1)[:, np.newaxis], right.sum(axis=1)[np.newaxis, :]
    fewest = np.minimum(*sizes)
    cost: Matrix = np.maximum(*sizes) / np.where(fewest == 0, np.inf, fewest)
    cost[cost == 0] = np.inf
    return cost
