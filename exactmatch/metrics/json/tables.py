"""Upper bounds of many pairs of items at once, field by field.

What two objects have in common is a sum over their fields, and a field has few values:
each pair of values is compared once.  Values that are equal or worth nothing are
looked up, texts are compared by bits.  Lists within items are bounded by what the
smaller one weighs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base import compiled as kernels
from exactmatch.metrics.json.leaves import Code, letters_of
from exactmatch.metrics.json.tree import ROUNDS, Kind
from exactmatch.solvers.matching import best_matching

Ints: TypeAlias = npt.NDArray[np.int64]

_kernel: Any = kernels.load("exactmatch.metrics.json._tables")


class Matcher(Protocol):
    """Matcher of two parts; see ``matching.Matcher``."""

    kinds: list[Kind]
    contents: list[Any]
    weights: list[int]
    unit: int
    comparing: Any

    def value_of(self, a: int, b: int) -> int:
        """Return the size of the common part of two parts, in units."""

    def is_graded(self, kind: str, pattern: str) -> bool:
        """Return whether different leaves of a type may be worth something."""


def assigned(
    matcher: Matcher, rows: list[int], columns: list[int]
) -> list[tuple[int, int]]:
    """Return the best matching of items, as pairs that are worth something."""
    kinds = {matcher.kinds[number] for number in (*rows, *columns)}
    ways = (False,) if kinds == {"leaf"} else (True, False)
    for lazily in ways:
        table, is_open = bounds(matcher, rows, columns, lazily=lazily)
        for _ in range(ROUNDS if lazily else table.size + 1):
            xs, ys = _best(table)
            bounds_of, open_ones = table[xs, ys].tolist(), is_open[xs, ys].tolist()
            is_best, matched = True, []
            for x, y, bound, is_unsure in zip(
                xs, ys, bounds_of, open_ones, strict=True
            ):
                if bound and is_unsure:
                    value = matcher.value_of(rows[x], columns[y])
                    is_best &= value == bound
                    table[x, y], is_open[x, y] = value, False
                if bound:
                    matched.append((rows[x], columns[y]))
            if is_best:
                return matched
    raise AssertionError("each round makes a pair exact")


def bounds(
    matcher: Matcher, rows: list[int], columns: list[int], *, lazily: bool
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Bound the common part of each row's part with each column's.

    Args:
        matcher: of the two documents.
        rows, columns: the numbers of parts.
        lazily: whether texts are bounded by their lengths.

    Returns:
        Two tables of shape ``(rows, columns)``: the bounds, and whether they may be too
        high.
    """
    (left_parts, i), (right_parts, j) = (
        _kernel.distinct(rows),
        _kernel.distinct(columns),
    )
    is_whole = len(left_parts) == len(rows) and len(right_parts) == len(columns)
    part = None if is_whole else np.ix_(i, j)
    table, unsure = _bounds(matcher, left_parts, right_parts, lazily)
    if part is not None:
        table = table[part]
    is_open = np.zeros_like(table, dtype=bool)
    if unsure is not None:
        is_open = (unsure if part is None else unsure[part]) > 0
    return table, is_open


def _best(table: Ints) -> tuple[list[int], list[int]]:
    """Return the rows and the columns of the best matching."""
    firsts = table.argmax(axis=1).tolist()
    if len(set(firsts)) == len(firsts):  # each row has what is best for it
        return list(range(len(firsts))), firsts
    rows, columns = best_matching(table)
    return rows.tolist(), columns.tolist()


def _bounds(
    matcher: Matcher, left_parts: list[int], right_parts: list[int], lazily: bool
) -> tuple[Ints, Ints | None]:
    """Bound the common part of each left part with each right one, all distinct.

    Returns:
        Two tables of shape ``(left_parts, right_parts)``: the bounds, and 0 where a
        bound is exact; ``None`` instead of the second table where all bounds are exact.
    """
    left, right = _by_kind(matcher, left_parts), _by_kind(matcher, right_parts)
    if len(left) == len(right) == 1 and left.keys() == right.keys():
        table, unsure = _alike(
            matcher, next(iter(left)), left_parts, right_parts, lazily
        )
    else:
        shape = len(left_parts), len(right_parts)
        table, unsure = np.zeros(shape, dtype=np.int64), None
        for kind in left.keys() & right.keys():
            i, j = left[kind], right[kind]
            part = np.ix_(i, j)
            left_values, right_values = (
                [left_parts[k] for k in i],
                [right_parts[k] for k in j],
            )
            table[part], open_ones = _alike(
                matcher, kind, left_values, right_values, lazily
            )
            if open_ones is not None:
                if unsure is None:
                    unsure = np.zeros(shape, dtype=np.int64)
                unsure[part] = open_ones
    place = {number: k for k, number in enumerate(right_parts)}
    for k, number in enumerate(left_parts):
        if number in place:
            table[k, place[number]] = matcher.weights[number] * matcher.unit
            if unsure is not None:
                unsure[k, place[number]] = 0
    return table, unsure


def _by_kind(matcher: Matcher, numbers: Sequence[int]) -> dict[Any, list[int]]:
    """Return the places of parts of one kind; of leaves, of one type and pattern."""
    places: defaultdict[Any, list[int]] = defaultdict(list)
    for k, number in enumerate(numbers):
        kind: Any = matcher.kinds[number]
        if kind == "leaf":
            of_leaf, _, pattern = matcher.contents[number]
            kind = (of_leaf, pattern)
        places[kind].append(k)
    return places


def _alike(
    matcher: Matcher,
    kind: Any,
    left_parts: list[int],
    right_parts: list[int],
    lazily: bool,
) -> tuple[Ints, Ints | None]:
    """Bound the common part of parts of one kind; too low for equal parts."""
    if kind in ("object", "entry", "row"):
        return _by_fields(matcher, left_parts, right_parts, lazily)
    if kind not in ("bag", "ordered"):
        if lazily and kind[0] == "text" and matcher.comparing.grades:
            return _by_lengths(matcher, left_parts, right_parts)
        of_leaf, pattern = kind
        return _leaves(matcher, of_leaf, pattern, left_parts, right_parts), None
    weights = [
        np.array([matcher.weights[part] for part in side], dtype=np.int64)
        for side in (left_parts, right_parts)
    ]
    table = np.minimum.outer(*weights) * matcher.unit
    return table, np.ones_like(table)


def _by_lengths(
    matcher: Matcher, left_parts: list[int], right_parts: list[int]
) -> tuple[Ints, Ints]:
    """Bound the similarities of texts by their lengths."""
    lengths, places = [], []
    for side in (left_parts, right_parts):
        lengths_of_side, place = _kernel.distinct(
            [len(matcher.contents[k][1]) for k in side]
        )
        lengths.append(np.array(lengths_of_side, dtype=np.int64))
        places.append(place)
    longest = np.maximum.outer(*lengths)
    above = np.maximum(2 * np.minimum.outer(*lengths) - longest, 0)
    share, rest = np.divmod(matcher.unit, np.maximum(longest, 1))
    of_lengths: Ints = above * share + above * rest // np.maximum(longest, 1)
    table: Ints = matcher.weights[left_parts[0]] * of_lengths[np.ix_(*places)]
    codes = [
        [
            k
            for k, number in enumerate(side)
            if type(matcher.contents[number][1]) is Code
        ]
        for side in (left_parts, right_parts)
    ]
    table[np.ix_(*codes)] = 0
    return table, (table > 0).astype(np.int64)


def _by_fields(
    matcher: Matcher, left_parts: list[int], right_parts: list[int], lazily: bool
) -> tuple[Ints, Ints | None]:
    shape = len(left_parts), len(right_parts)
    table, unsure = np.zeros(shape, dtype=np.int64), None
    left, right = (
        _kernel.by_name(matcher.contents, side) for side in (left_parts, right_parts)
    )
    for name, left_children in left.items():
        right_children = right.get(name)
        if right_children is None:
            continue
        (left_distinct, x), (right_distinct, y) = (
            _kernel.distinct(left_children),
            _kernel.distinct(right_children),
        )
        worth = _worth_if_equal(matcher, left_distinct, right_distinct)
        if worth is not None:
            _kernel.add_equal(table, left_children, right_children, worth)
            continue
        bounds, open_ones = _bounds(matcher, left_distinct, right_distinct, lazily)
        _kernel.add_values(table, x, y, bounds)
        if open_ones is not None:
            if unsure is None:
                unsure = np.zeros(shape, dtype=np.int64)
            _kernel.add_values(unsure, x, y, open_ones)
    return table, unsure


def _worth_if_equal(
    matcher: Matcher, left_parts: Sequence[int], right_parts: Sequence[int]
) -> int | None:
    """Return the worth of equal leaves, if leaves that differ are worth nothing."""
    weights = {matcher.weights[number] for number in left_parts}
    if len(weights) > 1:
        return None
    has_codes = False
    for number in left_parts:
        if matcher.kinds[number] != "leaf":
            return None
        of_leaf, value, pattern = matcher.contents[number]
        if matcher.is_graded(of_leaf, pattern):
            if type(value) is not Code:
                return None
            has_codes = True
    if has_codes:
        for number in right_parts:
            if matcher.kinds[number] == "leaf":
                of_leaf, value, _ = matcher.contents[number]
                if of_leaf == "text" and type(value) is not Code:
                    return None
    return weights.pop() * matcher.unit


def _leaves(
    matcher: Matcher,
    kind: str,
    pattern: str,
    left_parts: list[int],
    right_parts: list[int],
) -> Ints:
    """Return the common part of different leaves of one type and pattern."""
    if kind == "text" and matcher.comparing.grades:
        sides = [
            [letters_of(matcher.contents[number][1]) for number in side]
            for side in (left_parts, right_parts)
        ]
        weight = matcher.weights[left_parts[0]]
        table: Ints = _kernel.similarities(*sides, matcher.unit, weight)
        return table
    if not matcher.is_graded(kind, pattern):
        return np.zeros((len(left_parts), len(right_parts)), dtype=np.int64)
    values = [[matcher.value_of(x, y) for y in right_parts] for x in left_parts]
    return np.array(values, dtype=np.int64)
