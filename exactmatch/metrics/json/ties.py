"""The matching of items that is shown, where several are best.

Of the best matchings of two lists, the shown one has the most equal leaves; of these
the most items at equal places; of these it matches earlier items, in their order.
In bags identical items match each other first, which costs neither worth nor equal
leaves.

Parts are compared without recursion, because documents may be deep: what a function
needs of other pairs of parts it yields.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from exactmatch.metrics.json.matching import Matcher, trimmed
from exactmatch.solvers.best_matchings import BestMatchings, added, matching_of

Pair: TypeAlias = tuple[int, int]
Counts: TypeAlias = Mapping[Any, int]
"""How often matched leaves have an outcome, by field and outcome."""

Value = TypeVar("Value")

LARGEST = 4_000_000
"""Pairs of items of two bags up to which all best matchings are considered."""


class TooManyError(Exception):
    """Two lists have more pairs of items than are looked at."""


class Items(NamedTuple):
    """Items of a list.

    Attributes:
        parts: the number of each; see ``tree.Parts``.
        places: the place of each in its list.
    """

    parts: Sequence[int]
    places: Sequence[int]

    def some(self, numbers: Sequence[int]) -> Items:
        """Return some of the items."""
        return Items(
            [self.parts[k] for k in numbers], [self.places[k] for k in numbers]
        )


class Ties:
    """Chooses among the best matchings of the items of lists."""

    def __init__(self, matcher: Matcher) -> None:
        self._matcher = matcher
        self._equal: dict[Pair, int] = {}
        self._fields: dict[Pair, Counts | None] = {}
        self._n_leaves: list[int] = []
        for number, kind in enumerate(matcher.kinds):  # children come first
            inner = sum(self._n_leaves[child] for child in matcher.children(number))
            self._n_leaves.append(1 if kind == "leaf" else inner)

    def matched(self, kind: str, left: Items, right: Items) -> list[Pair]:
        """Return the matched items of two lists, as their numbers in each."""
        chosen = self._ordered if kind == "ordered" else self._bags
        matched = chosen(left, right, is_shown=True)
        return sorted(_run(matched, self._equal, self._count_equal))

    def are_unique(self, a: int, b: int) -> bool | None:
        """Return whether the fields are the same under every best matching.

        ``None`` if a list is too long to tell.
        """
        try:
            counts = self._count_fields(a, b)
            return _run(counts, self._fields, self._count_fields) is not None
        except TooManyError:
            return None

    def _worth(self, a: int, b: int) -> int:
        self._matcher.value(a, b)  # which prepares parts that are deep
        return self._matcher.worth_of_items(a, b)

    def _sides(self, a: int, b: int) -> tuple[Items, Items]:
        left, right = (self._matcher.contents[side] for side in (a, b))
        return Items(left, range(len(left))), Items(right, range(len(right)))

    # ----------------------------------------------------------- equal leaves

    def _count_equal(self, a: int, b: int) -> Generator[Pair, int, int]:
        """Count the equal leaves of two parts under the chosen matching."""
        matcher = self._matcher
        kind = matcher.kinds[a]
        if a == b:
            return self._n_leaves[a]
        if kind != matcher.kinds[b]:
            return 0
        if kind == "leaf":
            return int(matcher.value(a, b) == matcher.weight(a))
        if kind in ("bag", "ordered"):
            if not matcher.value(a, b):
                return 0
            left, right = self._sides(a, b)
            chosen = self._ordered if kind == "ordered" else self._bags
            matched = yield from chosen(left, right, is_shown=False)
            pairs = [(left.parts[i], right.parts[j]) for i, j in matched]
        else:
            pairs = [*matcher.common(a, b)]
        total = 0
        for pair in pairs:
            total += yield pair
        return total

    # ------------------------------------------------------------------- bags

    def _bags(
        self, left: Items, right: Items, *, is_shown: bool
    ) -> Generator[Pair, int, list[Pair]]:
        matcher = self._matcher
        rows, columns = [*range(len(left.parts))], [*range(len(right.parts))]
        pairs: list[Pair] = []
        if matcher.is_metric:
            pairs, rows, columns = _identical(left, right)
        left, right = left.some(rows), right.some(columns)
        if not rows or not columns:
            return pairs
        if len(rows) == len(columns) == 1:
            is_worth = self._worth(left.parts[0], right.parts[0]) > 0
            matched = [(0, 0)] if is_worth else []
        elif len(rows) * len(columns) > LARGEST:
            parts = matcher.assigned([*left.parts], [*right.parts])
            matched = _placed(parts, left, right)
        else:
            matched = yield from self._of_table(left, right, is_shown=is_shown)
        return [*pairs, *((rows[i], columns[j]) for i, j in matched)]

    def _of_table(
        self, left: Items, right: Items, *, is_shown: bool
    ) -> Generator[Pair, int, list[Pair]]:
        best = self._best(left, right)
        if best.is_single:
            return best.matching
        equal = np.zeros(best.usable.shape, dtype=np.int64)
        for i, j in best.pairs():
            equal[i, j] = yield left.parts[i], right.parts[j]
        best = best.narrowed(equal)
        if is_shown and not best.is_single:
            rows, columns = np.array(left.places), np.array(right.places)
            best = best.narrowed((rows[:, None] == columns).astype(np.int64))
            if not best.is_single:
                last = max(*left.places, *right.places) + 1
                best = best.narrowed(np.multiply.outer(last - rows, last - columns))
        return best.matching

    def _best(self, left: Items, right: Items) -> BestMatchings:
        """Return the best matchings of items."""
        table, is_open = self._matcher.bounds([*left.parts], [*right.parts])
        while True:
            matching, is_best = matching_of(table), True
            for i, j in matching:
                if is_open[i, j]:
                    worth = self._worth(left.parts[i], right.parts[j])
                    is_best &= worth == table[i, j]
                    table[i, j], is_open[i, j] = worth, False
            if is_best:
                break
        best = BestMatchings.of(table, matching)
        for i, j in np.argwhere(best.usable & is_open).tolist():
            worth = self._worth(left.parts[i], right.parts[j])
            best.usable[i, j] = worth == table[i, j]
        return best

    # --------------------------------------------------------- ordered lists

    def _ordered(
        self, left: Items, right: Items, *, is_shown: bool
    ) -> Generator[Pair, int, list[Pair]]:
        begin, ends = 0, (len(left.parts), len(right.parts))
        if self._matcher.is_metric:
            begin, ends = trimmed(left.parts, right.parts)
        pairs = [(k, k) for k in range(begin)]
        behind = len(left.parts) - ends[0]
        pairs += [(ends[0] + k, ends[1] + k) for k in range(behind)]
        left = left.some(range(begin, ends[0]))
        right = right.some(range(begin, ends[1]))
        paths = self._paths(left, right)
        worth: dict[Pair, tuple[int, ...]] = {}
        for i, j in paths.pairs():
            is_placed = is_shown and left.places[i] == right.places[j]
            equal = yield left.parts[i], right.parts[j]
            worth[i, j] = equal, int(is_placed)
        return [*pairs, *((begin + i, begin + j) for i, j in paths.chosen(worth))]

    def _paths(self, left: Items, right: Items) -> _Paths:
        return _Paths([[self._worth(x, y) for y in right.parts] for x in left.parts])

    # ------------------------------------------------- fields of all matchings

    def _count_fields(
        self, a: int, b: int
    ) -> Generator[Pair, Counts | None, Counts | None]:
        """Count the outcomes of matched leaves by field; ``None`` if they differ."""
        matcher = self._matcher
        kind = matcher.kinds[a]
        if kind != matcher.kinds[b]:
            return {}
        if a == b:  # all leaves of both are equal under every best matching
            return self._whole(a)
        if kind == "leaf":
            pattern, worth = matcher.contents[a][2], matcher.value(a, b)
            outcome = "similar" if worth else "wrong"
            if worth == matcher.weight(a):
                outcome = "equal"
            return added([(1, {(pattern, outcome): 1, (pattern, ""): worth})])
        if kind not in ("bag", "ordered"):
            total: list[tuple[int, Counts | None]] = []
            is_unique = True
            for pair in matcher.common(a, b):
                counts = yield pair
                is_unique &= counts is not None
                total.append((1, counts))
            return added(total) if is_unique else None
        if not matcher.value(a, b):
            return {}
        left, right = self._sides(a, b)
        if len(left.parts) * len(right.parts) > LARGEST:
            raise TooManyError
        every = self._paths if kind == "ordered" else self._best
        best: BestMatchings | _Paths = every(left, right)
        counts_of: dict[Pair, Counts | None] = {}
        for i, j in best.pairs():
            counts = yield left.parts[i], right.parts[j]
            if counts is not None and matcher.kinds[left.parts[i]] != "leaf":
                counts = added([(1, counts), (1, _ITEM)])
            counts_of[i, j] = counts
        return best.constant(counts_of)

    def _whole(self, part: int) -> Counts:
        """Count the leaves of a part that is matched with an equal one."""
        matcher = self._matcher
        total: defaultdict[Any, int] = defaultdict(int)
        work = [part]
        while work:
            number = work.pop()
            if matcher.kinds[number] == "leaf":
                pattern = matcher.contents[number][2]
                total[pattern, "equal"] += 1
                total[pattern, ""] += matcher.weight(number)
                continue
            children = matcher.children(number)
            if matcher.kinds[number] in ("bag", "ordered"):
                items = sum(matcher.kinds[child] != "leaf" for child in children)
                total["items"] += items
            work += children
        return added([(1, total)])


_ITEM = {"items": 1}
"""A matched item that is a list or an object; such items have rows of their own."""


class _Paths:
    """The best matchings of two ordered lists: paths through a table.

    Args:
        worth: of each pair of items; pairs of 0 do not match.
    """

    def __init__(self, worth: Sequence[Sequence[int]]) -> None:
        self._worth = worth
        self._shape = len(worth), len(worth[0]) if worth else 0
        n, m = self._shape
        self._behind = behind = [[0] * (m + 1) for _ in range(n + 1)]
        for i in range(n - 1, -1, -1):
            row, below = behind[i], behind[i + 1]
            for j in range(m - 1, -1, -1):
                row[j] = max(below[j + 1] + worth[i][j], below[j], row[j + 1])

    def _moves(self, i: int, j: int) -> Iterable[tuple[int, int, bool]]:
        """Yield where best paths go on from a cell, and whether they match a pair."""
        n, m = self._shape
        best = self._behind[i][j]
        worth = self._worth[i][j] if i < n and j < m else 0
        if worth and best == self._behind[i + 1][j + 1] + worth:
            yield i + 1, j + 1, True
        if i < n and best == self._behind[i + 1][j]:
            yield i + 1, j, False
        if j < m and best == self._behind[i][j + 1]:
            yield i, j + 1, False

    def _cells(self) -> list[Pair]:
        """Return the cells on best paths, each behind those that lead to it."""
        n, m = self._shape
        seen = {(0, 0)}
        cells: list[Pair] = []
        for i in range(n + 1):
            for j in range(m + 1):
                if (i, j) in seen:
                    cells.append((i, j))
                    seen.update((x, y) for x, y, _ in self._moves(i, j))
        return cells

    def pairs(self) -> list[Pair]:
        """Return the pairs that best matchings use."""
        return [
            (i, j)
            for i, j in self._cells()
            if any(is_pair for *_, is_pair in self._moves(i, j))
        ]

    def chosen(self, worth: Mapping[Pair, tuple[int, ...]]) -> list[Pair]:
        """Return the best matching with the largest sum of another worth."""
        end = self._shape
        best: dict[Pair, tuple[tuple[int, ...], Pair, bool]] = {}
        for cell in reversed(self._cells()):
            for x, y, is_pair in self._moves(*cell):
                behind = best[x, y][0] if (x, y) != end else (0, 0)
                if is_pair:
                    behind = tuple(map(sum, zip(behind, worth[cell], strict=True)))
                if cell not in best or behind > best[cell][0]:
                    best[cell] = behind, (x, y), is_pair
        pairs, cell = list[Pair](), (0, 0)
        while cell in best:
            _, following, is_pair = best[cell]
            if is_pair:
                pairs.append(cell)
            cell = following
        return pairs

    def constant(self, counts: Mapping[Pair, Counts | None]) -> Counts | None:
        """Return the summed counts of the matched pairs; ``None`` if they differ."""
        totals: dict[Pair, Counts] = {self._shape: {}}
        for cell in reversed(self._cells()):
            for x, y, is_pair in self._moves(*cell):
                total = totals[x, y]
                if is_pair:
                    if counts[cell] is None:
                        return None
                    total = added([(1, total), (1, counts[cell])])
                if totals.setdefault(cell, total) != total:
                    return None
        return totals[0, 0]


def _run(
    steps: Generator[Pair, Any, Value],
    known: dict[Pair, Any],
    step: Callable[[int, int], Generator[Pair, Any, Any]],
) -> Value:
    """Run a function that yields pairs, and send it what *step* returns for each.

    Args:
        steps: the running function.
        known: the values of pairs; new ones are added.
        step: computes the value of a pair, and yields pairs in turn.
    """
    work: list[tuple[Pair | None, Generator[Pair, Any, Any]]] = [(None, steps)]
    value: Any = None
    while True:
        pair, running = work[-1]
        try:
            needed = running.send(value)
        except StopIteration as end:
            work.pop()
            if pair is None:
                result: Value = end.value
                return result
            known[pair] = value = end.value
            continue
        value = known.get(needed)
        if value is None and needed not in known:
            work.append((needed, step(*needed)))


def _identical(left: Items, right: Items) -> tuple[list[Pair], list[int], list[int]]:
    """Return pairs of identical items, equal places first, and the other items."""
    numbers: list[defaultdict[int, list[int]]] = []
    for side in (left, right):
        of_part: defaultdict[int, list[int]] = defaultdict(list)
        for number, part in enumerate(side.parts):
            of_part[part].append(number)
        numbers.append(of_part)
    pairs: list[Pair] = []
    for part in numbers[0].keys() & numbers[1].keys():
        ours, theirs = numbers[0][part], numbers[1][part]
        places = {right.places[j]: j for j in theirs}
        placed = [(i, places[left.places[i]]) for i in ours if left.places[i] in places]
        moved = {i for i, _ in placed}, {j for _, j in placed}
        others = (
            [i for i in ours if i not in moved[0]],
            [j for j in theirs if j not in moved[1]],
        )
        pairs += [*placed, *zip(*others, strict=False)]
    matched = {i for i, _ in pairs}, {j for _, j in pairs}
    rows = [i for i in range(len(left.parts)) if i not in matched[0]]
    columns = [j for j in range(len(right.parts)) if j not in matched[1]]
    return pairs, rows, columns


def _placed(parts: Iterable[Pair], left: Items, right: Items) -> list[Pair]:
    """Return the items of pairs of parts, the first ones first."""
    queues: list[defaultdict[int, list[int]]] = []
    for side in (left, right):
        of_part: defaultdict[int, list[int]] = defaultdict(list)
        for number in reversed(range(len(side.parts))):
            of_part[side.parts[number]].append(number)
        queues.append(of_part)
    return [(queues[0][x].pop(), queues[1][y].pop()) for x, y in parts]
