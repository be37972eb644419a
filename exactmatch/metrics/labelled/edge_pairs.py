"""Pairs of nodes of two labelled graphs that edges match between, and their worth.

Edges are looked up by their labels, so that only edges with similar labels are paired.
Of edges between the same nodes, those of the best one-to-one matching count.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.label_similarity import Distinct
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.rules import (
    Floats,
    Rules,
    distinct_edges,
    grades_of,
)
from exactmatch.solvers.matching import best_matching

Integers: TypeAlias = npt.NDArray[np.int64]
Numbers: TypeAlias = npt.NDArray[np.int32]


class EdgeTerms(NamedTuple):
    """Pairs of cells, cells being pairs of nodes, whose edges match."""

    first: Integers  # the smaller cell
    second: Integers  # the larger one; the same for self-loops
    worth: Floats


def edge_terms(
    left: LabelledGraph,
    right: LabelledGraph,
    nodes: Floats,
    rules: Rules,
    most: float,
) -> EdgeTerms:
    """Return all pairs of pairs of nodes that edges match between.

    Raises:
        InputError: if more than *most* pairs of edges may match.
        OutOfTimeError: if the time limit is over.
    """
    labels = distinct_edges(left, right, rules, most)
    ways = 1 if left.is_directed and right.is_directed else 2
    own, other = _similar_edges(labels, ways, most)
    check()
    shape = nodes.shape
    left_edges, right_edges = (
        np.array([edge[:2] for edge in graph.edges], dtype=np.int64).T
        for graph in (left, right)
    )
    n_right = len(right.edges)
    if ways == 2:  # the other way round, too
        right_edges = np.concatenate([right_edges, right_edges[::-1]], axis=1)
        is_turned = right_edges[0] != right_edges[1]
        is_turned[:n_right] = False
        again = is_turned[other + n_right]
        own = np.concatenate([own, own[again]])
        other = np.concatenate([other, other[again] + np.int32(n_right)])
    loops = [ends[0] == ends[1] for ends in (left_edges, right_edges)]
    if any(loop.any() for loop in loops):
        agree = loops[0][own] == loops[1][other]
        own, other = own[agree], other[agree]
    source = left_edges[0][own] * shape[1] + right_edges[0][other]
    target = left_edges[1][own] * shape[1] + right_edges[1][other]
    if ways == 2:
        other %= np.int32(n_right)
    worth = labels.table[labels.rows[own], labels.columns[other]]
    if rules.count == "edges":
        flat = nodes.ravel()
        worth = grades_of(worth, flat[source], flat[target], rules)
        counts = worth > 0
        own, other, worth = own[counts], other[counts], worth[counts]
        source, target = source[counts], target[counts]
    key = np.minimum(source, target) * nodes.size
    key += np.maximum(source, target)
    del source, target
    check()
    order = np.argsort(key)
    key, own, other, worth = key[order], own[order], other[order], worth[order]
    del order
    begins = np.flatnonzero(np.append(True, key[1:] != key[:-1])[: len(key)])
    best = _best_of_groups(begins, own, other, worth)
    first, second = np.divmod(key[begins], nodes.size)
    return EdgeTerms(first, second, best)


def _similar_edges(labels: Distinct, ways: int, most: float) -> tuple[Numbers, Numbers]:
    """Return the numbers of all edges of both graphs with similar labels, in pairs."""
    table, rows, columns = labels
    sizes = np.bincount(rows, minlength=len(table))
    partners = [np.flatnonzero(row[columns]).astype(np.int32) for row in table > 0]
    n_pairs = sum(
        int(size) * len(similar) for size, similar in zip(sizes, partners, strict=True)
    )
    if ways * n_pairs > most:
        raise InputError(
            f"graphs of {len(rows)} and {len(columns)} edges are too large: "
            f"{ways * n_pairs:,} pairs of their edges may match, more than {most:,}; "
            "raise --max-terms to allow them"
        )
    own, other = np.empty((2, n_pairs), dtype=np.int32)
    by_label = np.argsort(rows, kind="stable").astype(np.int32)
    begin = at = 0
    for size, similar in zip(sizes.tolist(), partners, strict=True):
        until, width = at + size * len(similar), len(similar)
        if until > at:
            alike = by_label[begin : begin + size]
            own[at:until].reshape(size, width)[:] = alike[:, None]
            other[at:until].reshape(size, width)[:] = similar
        begin, at = begin + size, until
    return own, other


def _best_of_groups(
    begins: Integers, own: Numbers, other: Numbers, worth: Floats
) -> Floats:
    """Return the worth of the best matching of each group of pairs of edges.

    A group is a run of pairs; *begins* has its first index.  Where all its pairs
    share an edge, the best pair is the best matching; where no two do, all pairs are.
    """
    if len(begins) == len(worth):
        return worth
    best: Floats = np.maximum.reduceat(worth, begins)
    several = np.ones(len(begins), dtype=bool)
    for edges in (own, other):
        least = np.minimum.reduceat(edges, begins)
        several &= least < np.maximum.reduceat(edges, begins)
    groups = np.flatnonzero(several)
    if not len(groups):
        return best
    sizes = np.diff(begins, append=len(own))[groups]
    starts = np.cumsum(sizes) - sizes
    group = np.repeat(np.arange(len(groups)), sizes)
    at = np.arange(len(group)) + (begins[groups] - starts)[group]
    worth = worth[at]
    rows, n_rows = _ranks(group, own[at], starts)
    columns, n_columns = _ranks(group, other[at], starts)
    is_plain = (sizes == n_rows) & (sizes == n_columns)
    best[groups[is_plain]] = np.add.reduceat(worth, starts)[is_plain]
    for g in np.flatnonzero(~is_plain).tolist():
        check()
        pairs = slice(starts[g], starts[g] + sizes[g])
        grades = np.zeros((n_rows[g], n_columns[g]))
        grades[rows[pairs], columns[pairs]] = worth[pairs]
        best[groups[g]] = grades[best_matching(grades)].sum()
    return best


def _ranks(
    group: Integers, edges: Numbers, starts: Integers
) -> tuple[Integers, Integers]:
    """Number the distinct edges of each group from 0, and count them."""
    order = np.lexsort((edges, group))
    is_new = np.ones(len(order), dtype=np.int64)
    is_new[1:] = np.diff(edges[order]) != 0
    is_new[starts] = 1
    numbers = np.cumsum(is_new) - 1
    ranks = np.empty(len(order), dtype=np.int64)
    ranks[order] = numbers - numbers[starts][group]
    return ranks, np.add.reduceat(is_new, starts)
