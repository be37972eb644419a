"""Leaves of a problem, in the relaxation: which one is which does not matter there.

A *leaf* is a node all of whose pair terms are with candidates of one other node, its
*parent*, as a hydrogen atom is.  Where leaves of a kind may be aligned with all leaves
of that kind at the same reward, and earn nothing else but by their parents, then

* leaves of one parent are interchangeable, and become one node with room for several
  (*capacity*);
* who is aligned with whom counts only where the parents are aligned with each other.
  All other alignments of leaves are worth the same reward, so that their number is
  enough: instead of a variable for each two leaves there is one for a kind (*block*).

The linear relaxation of what is left is worth the same, and three times smaller on
molecules.  Its duals are duals of the whole one: each leaf has those of its kind.
Where candidates of two leaves are missing, it is a little weaker, and as true.

Source: Grohe, Kersting, Mladenov and Selman (2014), "Dimension reduction via colour
refinement", for what is interchangeable in a linear program.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from exactmatch.solvers.components import components_by_nodes
from exactmatch.solvers.problem import AlignmentProblem, BoolArray, IntArray

FILLED = 0.3
"""A block with at least this share of its candidates becomes one variable."""

MANY = 0.3
"""Leaves are grouped if at least this share of rewarded candidates is in blocks."""


@dataclass(frozen=True, slots=True, eq=False)
class Quotient:
    """A problem of groups of nodes.

    Attributes:
        problem: candidates and pair terms of groups; a weight is the largest of those
            that fall together.
        capacity: how many nodes each left, and right, group has.
        row: the number of the capacity that each group shares, by side, from 0.
        block: the block of each candidate, -1 for none.
        group: the group of each node of the whole problem, by side.
        candidate, half: the candidate of groups that each candidate of the whole
            belongs to, and the same of halves of pair terms.
    """

    problem: AlignmentProblem
    capacity: Sequence[IntArray]
    row: Sequence[IntArray]
    block: IntArray
    group: Sequence[IntArray]
    candidate: IntArray
    half: IntArray


def quotient(problem: AlignmentProblem) -> Quotient:
    """Return the problem with leaves taken together; where there are few, as it is."""
    left, right = (_Side.of(problem, *side) for side in problem.sides)
    block = _blocks(problem, left, right)
    if np.count_nonzero(block >= 0) <= MANY * np.count_nonzero(problem.unary > 0):
        return as_it_is(problem)
    groups, rows, capacities = [], [], []
    for side in (left, right):
        kind = np.full(side.count, -1)
        kind[side.nodes[block >= 0]] = block[block >= 0]
        is_leaf = kind >= 0
        own_blocks = np.arange(side.count)
        parent, heaviest = np.where(
            is_leaf, [side.parent, side.heaviest], [own_blocks, 0 * own_blocks]
        )
        key = np.stack([is_leaf, parent, kind, heaviest])
        kinds, group = np.unique(key, axis=1, return_inverse=True)
        group = group.ravel()  # NumPy 2.0 gives it another dimension
        shared = np.where(kinds[0] > 0, side.count + kinds[2], np.arange(len(kinds[0])))
        groups.append(group)
        rows.append(np.unique(shared, return_inverse=True)[1])
        capacities.append(np.bincount(group, minlength=len(kinds[0])))
    n_left, n_right = map(len, capacities)
    keys = groups[0][problem.left] * max(n_right, 1) + groups[1][problem.right]
    distinct, candidate = np.unique(keys, return_inverse=True)
    n = len(distinct)
    unary = np.full(n, np.iinfo(np.int64).min)
    np.maximum.at(unary, candidate, problem.unary)
    blocks = np.full(n, -1)
    blocks[candidate] = block
    ends = np.stack([candidate[problem.first], candidate[problem.second]])
    pairs = ends.min(axis=0, initial=n) * n + ends.max(axis=0, initial=0)
    joined, term = np.unique(pairs, return_inverse=True)
    weight = np.zeros(len(joined), dtype=np.int64)
    np.maximum.at(weight, term, problem.weight)
    turned = (ends[0] > ends[1]) * len(joined)
    arrays = (
        *(nodes.astype(np.int32) for nodes in divmod(distinct, max(n_right, 1))),
        unary,
        *(each.astype(np.int32) for each in divmod(joined, max(n, 1))),
        weight,
        np.zeros(0, dtype=np.int32),
    )
    whole = AlignmentProblem.trusted(n_left, n_right, arrays, problem.scale)
    half = np.concatenate([term + turned, term + len(joined) - turned])
    return Quotient(whole, capacities, rows, blocks, groups, candidate, half)


def as_it_is(problem: AlignmentProblem) -> Quotient:
    """Return the problem with each node in a group of its own."""
    nodes = [np.arange(count) for _, count in problem.sides]
    ones = [np.ones_like(side_nodes) for side_nodes in nodes]
    candidates, halves = map(np.arange, (problem.n_candidates, 2 * problem.n_terms))
    none = np.full_like(candidates, -1)
    return Quotient(problem, ones, nodes, none, nodes, candidates, halves)


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """The nodes of a side: that of each candidate, and how many there are.

    Attributes:
        is_leaf: whether one has a single neighbour, which is not a leaf, or none.
        parent: that neighbour, -1 for none.
        heaviest: the heaviest pair term of a node's candidates.
    """

    nodes: IntArray
    count: int
    is_leaf: BoolArray
    parent: IntArray
    heaviest: IntArray

    @classmethod
    def of(cls, problem: AlignmentProblem, nodes: IntArray, count: int) -> _Side:
        ends = nodes[problem.first].astype(np.int64), nodes[problem.second]
        directed_keys = np.concatenate(
            [ends[0] * count + ends[1], ends[1] * count + ends[0]]
        )
        end_nodes, neighbours = divmod(np.unique(directed_keys), max(count, 1))
        degree = np.bincount(end_nodes, minlength=count)
        parent = np.full(count, -1)
        parent[end_nodes] = neighbours
        heaviest = np.zeros(count, dtype=np.int64)
        for end in ends:
            np.maximum.at(heaviest, end, problem.weight)
        # Of two that have but each other the one that earns in more ways is the leaf.
        ways = np.bincount(nodes[problem.unary > 0], minlength=count)
        place = np.argsort(np.argsort(ways, kind="stable"))
        is_leaf = (degree == 1) & ((degree[parent] > 1) | (place > place[parent]))
        is_leaf |= degree == 0
        return cls(nodes, count, is_leaf, parent, heaviest)


def _blocks(problem: AlignmentProblem, left: _Side, right: _Side) -> IntArray:
    """Return the block of each candidate, -1 for those that are in none."""
    n = problem.n_candidates
    degree = np.bincount(problem.first, minlength=n)
    degree += np.bincount(problem.second, minlength=n)
    chosen = (problem.unary > 0) & (degree <= 1)
    for side in (left, right):
        chosen &= side.is_leaf[side.nodes]
    blocks = np.full(n, -1)
    while True:
        before = np.count_nonzero(chosen)
        for side in (left, right):  # nodes that earn something otherwise are left out
            excluded = side.nodes[(problem.unary != 0) & ~chosen]
            chosen &= ~np.isin(side.nodes, excluded)
        members = np.flatnonzero(chosen)
        if not len(members):
            return blocks
        number = components_by_nodes(problem, members)
        room = np.ones(number.max() + 1)
        for side in (left, right):
            pairs = np.unique(number * side.count + side.nodes[members])
            room *= np.bincount(pairs // side.count)
        unary = problem.unary[members]
        reward = np.zeros(len(room), dtype=np.int64)
        np.maximum.at(reward, number, unary)
        is_block = np.bincount(number) >= FILLED * room
        is_block[number[unary < reward[number]]] = False
        chosen[members[~is_block[number]]] = False
        if np.count_nonzero(chosen) == before:
            blocks[members] = number
            return blocks
