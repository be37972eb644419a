"""Matches of the attributes of each two nodes, graded by their values.

Of each name the distinct values of both graphs are compared once.  Nodes with the same
values are of one kind, and each two kinds are matched once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.metrics.labelled.label_similarity import distinct_similarities
from exactmatch.metrics.labelled.labelled_graph import LabelledGraph
from exactmatch.metrics.labelled.rules import Floats, Rules
from exactmatch.solvers.matching import best_matching

Places: TypeAlias = npt.NDArray[np.intp]
_ROWS = 256  # kinds that are matched at once


def attribute_similarities(
    left: LabelledGraph, right: LabelledGraph, rules: Rules, most: float = np.inf
) -> Floats:
    """Return the number of matching attributes of each two nodes, graded by value.

    Names come in the order of the left graph, so that every sum is the same each time.

    Raises:
        InputError: if an attribute has more than *most* pairs of values.
        OutOfTimeError: if the time limit is over.
    """
    total = np.zeros((len(left.labels), len(right.labels)))
    left_by_name, right_by_name = _by_name(left), _by_name(right)
    for name in left_by_name:
        if name not in right_by_name:
            continue
        check()
        sides = left_by_name[name], right_by_name[name]
        values, others = ([value for _, value in side] for side in sides)
        table, rows, columns = distinct_similarities(
            values, others, rules.nodes, rules.node_cutoff, most
        )
        own = _kinds([node for node, _ in sides[0]], rows)
        other = _kinds([node for node, _ in sides[1]], columns)
        worth = _of_kinds(table, own, other)
        total[np.ix_(own.nodes, other.nodes)] += worth[np.ix_(own.kind, other.kind)]
    return total


def _by_name(graph: LabelledGraph) -> dict[str, list[tuple[int, str]]]:
    """Return the nodes and values of each attribute, by its name."""
    nodes_of: dict[str, list[tuple[int, str]]] = {}
    for node, known in enumerate(graph.attributes):
        for name, value in known:
            nodes_of.setdefault(name, []).append((node, value))
    return nodes_of


class _Kinds(NamedTuple):
    """The nodes with an attribute, by the values that they have of it."""

    nodes: list[int]
    kind: list[int]  # of each node
    values: Places  # those of all kinds, by number, one kind after the other
    begins: Places  # where each kind begins
    are_single: bool  # whether each has one value


def _kinds(nodes: Sequence[int], values: Places) -> _Kinds:
    of_node: dict[int, list[int]] = {}
    for node, value in zip(nodes, values.tolist(), strict=True):
        of_node.setdefault(node, []).append(value)
    numbers: dict[tuple[int, ...], int] = {}
    kind = [
        numbers.setdefault(tuple(sorted(own)), len(numbers)) for own in of_node.values()
    ]
    sizes = np.array([len(values) for values in numbers], dtype=np.intp)
    joined = np.array([value for own in numbers for value in own], dtype=np.intp)
    starts = np.cumsum(sizes) - sizes
    return _Kinds([*of_node], kind, joined, starts, len(joined) == len(sizes))


def _of_kinds(table: Floats, own: _Kinds, other: _Kinds) -> Floats:
    """Return the worth of the values of each two kinds, matched one to one."""
    if own.are_single and other.are_single:
        worths: Floats = table[np.ix_(own.values, other.values)]
        return worths
    ends = [*own.begins[_ROWS::_ROWS].tolist(), len(own.values)]
    parts = []
    for number, end in enumerate(ends):
        check()
        begins = own.begins[number * _ROWS : (number + 1) * _ROWS]
        values = own.values[begins[0] : end]
        parts.append(_matched(table, values, begins - begins[0], other))
    return np.concatenate(parts)


def _matched(table: Floats, values: Places, begins: Places, other: _Kinds) -> Floats:
    """Match the values of some kinds with those of each kind of the other side.

    Where at most one value of a side has a partner, the best pair is the best
    matching; where no value has two, all pairs are.
    """
    rows = table[values]
    by_row = np.maximum.reduceat(rows, begins, axis=0)
    best: Floats = np.maximum.reduceat(by_row[:, other.values], other.begins, axis=1)
    is_like = rows > 0
    has_partner = np.logical_or.reduceat(is_like[:, other.values], other.begins, axis=1)
    n_rows = np.add.reduceat(has_partner.astype(np.int64), begins, axis=0)
    is_partner = np.logical_or.reduceat(is_like, begins, axis=0).astype(np.int64)
    n_columns = np.add.reduceat(is_partner[:, other.values], other.begins, axis=1)
    pairs = np.add.reduceat(is_like.astype(np.int64), begins, axis=0)
    n_pairs = np.add.reduceat(pairs[:, other.values], other.begins, axis=1)
    several = (n_rows > 1) & (n_columns > 1)
    is_plain = several & (n_pairs == n_rows) & (n_pairs == n_columns)
    sums = np.add.reduceat(rows, begins, axis=0)[:, other.values]
    best = np.where(is_plain, np.add.reduceat(sums, other.begins, axis=1), best)
    ends = [*begins[1:].tolist(), len(values)]
    other_ends = [*other.begins[1:].tolist(), len(other.values)]
    for a, b in np.argwhere(several & ~is_plain).tolist():
        check()
        columns = other.values[other.begins[b] : other_ends[b]]
        grades = rows[begins[a] : ends[a]][:, columns]
        best[a, b] = grades[best_matching(grades)].sum()
    return best
