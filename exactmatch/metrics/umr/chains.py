"""Chains of coreference: how well predicted ones agree with those of a reference.

A *chain* is a set of mentions that refer to the same entity or event.  Its mentions
are hashable; those of the two sides correspond if they are equal.  With the chains K
of the reference (key) and R of the prediction (response), each mention being in one
chain of a side:

======  ==================================  =============  ===================
score   what both have                      of R           of K
======  ==================================  =============  ===================
MUC     Σ over K ∩ R ≠ ∅ of abs(K ∩ R) - 1  Σ abs(R) - 1   Σ abs(K) - 1
B³      Σ abs(K ∩ R)² / abs(R), for recall  Σ abs(R)       Σ abs(K)
        divided by abs(K)
CEAF-e  the best one-to-one assignment of   number of R    number of K
        chains, each two worth
        2 abs(K ∩ R) / (abs(K) + abs(R))
======  ==================================  =============  ===================

The best assignment is SciPy's.  The mean of the three F1 is the score of CoNLL-2012.

Source: Vilain et al. (1995); Bagga and Baldwin (1998); Luo (2005); put together by
Pradhan et al. (2014), "Scoring coreference partitions of predicted mentions: a
reference implementation", whose program's test cases are our tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence, Set
from typing import NamedTuple, TypeAlias

Chain: TypeAlias = Set[Hashable]
Chains: TypeAlias = Sequence[Chain]


class ChainCounts(NamedTuple):
    """The counts behind precision and recall; those of several documents add up.

    Attributes:
        precise: how much of the prediction's total is right.
        recalled: how much of the reference's total is found.
        pred_total, gold_total: the totals.
    """

    precise: float
    recalled: float
    pred_total: float
    gold_total: float

    def ratios(self) -> tuple[float, float, float]:
        """Precision, recall and F1; zero where a side has nothing."""
        precision = self.precise / self.pred_total if self.pred_total else 0.0
        recall = self.recalled / self.gold_total if self.gold_total else 0.0
        both = precision + recall
        return precision, recall, 2 * precision * recall / both if both else 0.0


def chains_of(links: Iterable[tuple[Hashable, Hashable]]) -> list[frozenset[Hashable]]:
    """The chains that pairs of coreferent mentions make: their connected components."""
    from networkx import Graph, connected_components

    graph = Graph()
    graph.add_edges_from(links)
    return [frozenset(found) for found in connected_components(graph)]


def muc(pred: Chains, gold: Chains) -> ChainCounts:
    """Links within chains that both sides have (Vilain et al. 1995)."""
    both = float(sum(common - 1 for common in _overlaps(pred, gold).values()))
    links = (float(sum(len(chain) - 1 for chain in side)) for side in (pred, gold))
    return ChainCounts(both, both, *links)


def b_cubed(pred: Chains, gold: Chains) -> ChainCounts:
    """For each mention the share of its chain that is right (Bagga and Baldwin)."""
    found = _overlaps(pred, gold).items()
    precise = sum(common**2 / len(pred[i]) for (i, _), common in found)
    recalled = sum(common**2 / len(gold[j]) for (_, j), common in found)
    mentions = (float(sum(map(len, side))) for side in (pred, gold))
    return ChainCounts(precise, recalled, *mentions)


def ceaf_e(pred: Chains, gold: Chains) -> ChainCounts:
    """The best one-to-one assignment of chains, by φ₄ of Luo (2005)."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    worth = np.zeros((len(pred), len(gold)))
    for (i, j), common in _overlaps(pred, gold).items():
        worth[i, j] = 2 * common / (len(pred[i]) + len(gold[j]))
    best = float(worth[linear_sum_assignment(worth, maximize=True)].sum())
    return ChainCounts(best, best, float(len(pred)), float(len(gold)))


MEASURES = {"muc": muc, "b-cubed": b_cubed, "ceaf-e": ceaf_e}
"""The three scores by name."""


def _overlaps(pred: Chains, gold: Chains) -> Counter[tuple[int, int]]:
    """How many mentions each two chains have in common, where they have any."""
    theirs = {mention: j for j, chain in enumerate(gold) for mention in chain}
    return Counter(
        (i, theirs[mention])
        for i, chain in enumerate(pred)
        for mention in chain
        if mention in theirs
    )
