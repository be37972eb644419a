"""Proven alignment of two sentences for AnCast's counts, in place of its anchors.

It maximises the row ``smatch``: equal concepts, facts and tops.  Of several optimal
alignments it is one with the highest sum of similarities of concepts.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from exactmatch.metrics.ancast.graph import Fact, SentenceGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Pair = tuple[int, int]
_GRADES = 1000  # units of a similarity of 1


def proven_pairs(
    pred: SentenceGraph,
    gold: SentenceGraph,
    equal: NDArray[np.bool_],
    similarity: NDArray[np.float64],
    counts_top: bool,
) -> list[Pair]:
    """Return the pairs of nodes, by number, of an optimal alignment.

    *equal* and *similarity* compare the concepts of all pairs of nodes.
    """
    from exactmatch.engine.align import solve
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.problem import AlignmentProblem

    shape = len(pred.nodes), len(gold.nodes)
    match = 1 + 2 * _GRADES * min(shape)  # more than all similarities together
    unary: dict[Pair, int] = defaultdict(int)
    pairwise: dict[tuple[Pair, Pair], int] = defaultdict(int)
    for i in range(shape[0]):
        for j in range(shape[1]):
            gain = match * int(equal[i, j]) + round(_GRADES * float(similarity[i, j]))
            if gain:
                unary[i, j] += gain
    if counts_top and all(shape):
        unary[0, 0] += match
    gold_facts: dict[tuple[str, bool, bool, bool], list[Fact]] = defaultdict(list)
    for fact in gold.facts:
        gold_facts[_kind(fact, gold)].append(fact)
    pred_places, gold_places = _places(pred), _places(gold)
    for fact in pred.facts:
        for gold_fact in gold_facts.get(_kind(fact, pred), ()):
            pairs = {
                (pred_places[end], gold_places[partner])
                for end, partner in zip(fact[::2], gold_fact[::2], strict=True)
                if end in pred_places
            }
            texts = zip(fact[::2], gold_fact[::2], strict=True)
            if any(end != partner for end, partner in texts if end not in pred_places):
                continue
            if len(pairs) == 1:
                unary[next(iter(pairs))] += match
            elif len({i for i, _ in pairs}) == len({j for _, j in pairs}) == 2:
                first, second = sorted(pairs)
                pairwise[first, second] += match
    problem = AlignmentProblem.from_weights(*shape, unary, pairwise)
    solution = solve(problem, get_solver("auto"))
    return [(i, j) for i, j in enumerate(solution.alignment) if j != -1]


def _places(sentence: SentenceGraph) -> dict[str, int]:
    return {name: place for place, name in enumerate(sentence.nodes)}


def _kind(fact: Fact, sentence: SentenceGraph) -> tuple[str, bool, bool, bool]:
    """Return the role of a fact, which ends are nodes, and whether these are one."""
    source, role, target = fact
    nodes = sentence.nodes
    return role, source in nodes, target in nodes, source == target
