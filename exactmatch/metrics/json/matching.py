"""The best matching of two documents without references: assignments in assignments.

The value of two parts is the largest sum of the similarities of their leaves.  Equal
parts are worth their weight; objects the sum over their common fields; two bags the
best one-to-one matching of their items, two ordered lists the best one that does not
cross.  All values are whole numbers of a *unit*, so that every comparison is exact.

Identical items of two bags are matched first.  That is optimal, because the distance
``|a| + |b| - 2M`` obeys the triangle inequality.  The other items are assigned by upper
bounds, and the bounds of chosen pairs are made exact, until all chosen ones are: then
the assignment is best.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.base import compiled as kernels
from exactmatch.metrics.json.leaves import Code, are_near, common, letters_of
from exactmatch.metrics.json.tree import ROUNDS, Tree

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from exactmatch.metrics.labelled.layers import Layer

_kernel: Any = kernels.load("exactmatch.metrics.json._parts")

MOST_UNITS = 2**51
"""Integers up to this, and sums and differences of two, are exact as doubles."""

FINEST = 10**12
"""Units of a weight of one where the lengths of texts have no smaller common multiple.
Similarities are rounded down to units; one minus them is still a metric."""

MANY_PAIRS = 400
"""Pairs of items from which on all are compared at once, field by field."""

MANY = 6
"""Bags with this many items or more are compared by counting."""

DEEP = 60
"""Documents with more levels are compared from the leaves up, without recursion."""


class Comparing(NamedTuple):
    """Options of the comparison of leaves and items.

    Attributes:
        tolerance: the share by which numbers may differ.
        item_cutoff: items whose pair has a lower F1 do not match.
        grades: whether texts are graded by their letters.
        similarity: another similarity of two different texts, if there is one.
    """

    tolerance: Fraction = Fraction(0)
    item_cutoff: Fraction = Fraction(0)
    grades: bool = True
    similarity: Layer | None = None


def unit_of(trees: Sequence[Tree], max_units: int) -> int:
    """Return the units of a weight of one that make similarities whole numbers.

    Args:
        max_units: the largest number of units.
    """
    lengths = set[int]().union(*(tree.parts.lengths for tree in trees))
    return _unit_of(frozenset(lengths - {0}), max_units)


@lru_cache(1024)
def _unit_of(lengths: frozenset[int], max_units: int) -> int:
    unit = 1
    for length in sorted(lengths):
        unit = lcm(unit, length)
        if unit > max_units:
            return max(1, min(max_units, FINEST))
    return unit


class Matcher:
    """Compares the parts of two documents.

    Args:
        trees: the two.
        comparing: how leaves and items are compared.
        unit: how many units a weight of one has.

    Attributes:
        parts: the parts of both documents, equal ones once.
        sides: the numbers of the parts of each document.
        is_metric: whether one minus the similarity of leaves is a metric, and no pair
            of items is refused; then identical items of bags may match first.
    """

    def __init__(self, trees: Sequence[Tree], comparing: Comparing, unit: int) -> None:
        left, right = trees
        self.comparing = comparing
        self.unit = unit
        self._is_deep = False
        self._cutoff = comparing.item_cutoff if comparing.item_cutoff else None
        self._tolerances = left.tolerances | right.tolerances
        self._may_differ = bool(comparing.tolerance) or any(self._tolerances.values())
        self.is_metric = not (
            self._may_differ or comparing.item_cutoff or comparing.similarity
        )
        self.parts = left.parts.copy()
        self.kinds, self.contents = self.parts.kinds, self.parts.contents
        self.weights = self.parts.weights
        self.sides: tuple[Sequence[int], Sequence[int]] = (
            range(len(self.kinds)),
            _kernel.merged(self.parts, right.parts),
        )
        self._known: dict[tuple[int, int], int] = {}
        self._similar: dict[tuple[str, str], int] = {}

    def children(self, number: int) -> Sequence[int]:
        """Return the parts of a part."""
        kind, content = self.kinds[number], self.contents[number]
        if kind == "leaf":
            return ()
        children: Sequence[int] = content if kind in ("bag", "ordered") else content[1]
        return children

    def weight(self, number: int | None) -> int:
        """Return what a part weighs, in units."""
        return 0 if number is None else self.weights[number] * self.unit

    def value(self, a: int | None, b: int | None) -> int:
        """Return the size of the common part of two parts, in units."""
        if a is None or b is None:
            return 0
        self._is_deep = max(self.parts.heights[a], self.parts.heights[b]) > DEEP
        if self._is_deep:
            self._prepare(a, b)
        return self.value_of(a, b)

    def value_of(self, a: int, b: int) -> int:
        """Return the common part of two parts that are not too deep, in units."""
        units: int = _kernel.value(
            a, b, self._known, self.parts, self.unit, self._compared
        )
        return units

    def _compared(self, a: int, b: int) -> int:
        """Return the common part of two different leaves or lists, in units."""
        kind = self.kinds[a]
        if kind == "leaf":
            return self._leaves(a, b)
        value = self._known.get((a, b))
        if value is None:
            value = self._bags(a, b) if kind == "bag" else self._ordered(a, b)
            self._known[a, b] = value
        return value

    def common(self, a: int, b: int) -> Iterable[tuple[int, int]]:
        """Yield the children that two objects or rows have under the same name."""
        (left_names, left_children), (right_names, right_children) = (
            self.contents[a],
            self.contents[b],
        )
        if left_names == right_names:
            return zip(left_children, right_children, strict=True)
        right_by_name = dict(zip(right_names, right_children, strict=True))
        left_pairs = zip(left_names, left_children, strict=True)
        return [
            (x, right_by_name[name]) for name, x in left_pairs if name in right_by_name
        ]

    def _prepare(self, first: int, second: int) -> None:
        """Compare all pairs of parts that two nodes need, from the leaves up."""
        needed = {(first, second)}
        work = [(first, second)]
        while work:
            a, b = work.pop()
            kind = self.kinds[a]
            if a == b or kind != self.kinds[b] or kind == "leaf":
                continue
            pairs: Iterable[tuple[int, int]]
            if kind in ("bag", "ordered"):
                left_content, right_content = self.contents[a], self.contents[b]
                pairs = {(x, y) for x in left_content for y in right_content}
            else:
                pairs = self.common(a, b)
            for pair in pairs:
                if pair not in needed:
                    needed.add(pair)
                    work.append(pair)

        def height(pair: tuple[int, int]) -> int:
            return self.parts.heights[pair[0]] + self.parts.heights[pair[1]]

        for a, b in sorted(needed, key=height):
            self.value_of(a, b)

    # ----------------------------------------------------------------- leaves

    def _leaves(self, a: int, b: int) -> int:
        kind, left, pattern = self.contents[a]
        other_kind, right, where = self.contents[b]
        if kind != other_kind or pattern != where:
            return 0
        weight = self.weights[a]
        if kind == "text" and self.is_graded(kind, pattern):
            return weight * self.similar(left, right)
        if kind == "number" and self.is_graded(kind, pattern):
            is_near = are_near(left, right, self._tolerance(pattern))
            return weight * self.unit if is_near else 0
        return 0  # equal ones have one number

    def _tolerance(self, pattern: str) -> Fraction:
        return self._tolerances.get(pattern, self.comparing.tolerance)

    def is_graded(self, kind: str, pattern: str) -> bool:
        """Return whether different leaves of a type may be worth something."""
        if kind == "text":
            return self.comparing.grades or self.comparing.similarity is not None
        return kind == "number" and self._may_differ and bool(self._tolerance(pattern))

    def similar(self, left: str, right: str) -> int:
        """Return the similarity of two texts that differ, in units."""
        cached = self._similar.get((left, right))
        if cached is not None:
            return cached
        if self.comparing.similarity is not None:
            similarity = self._similar[left, right] = self._by_layer(left, right)
            return similarity
        if isinstance(left, Code) and isinstance(right, Code):
            return 0
        if len(left) > len(right):
            left, right = right, left
        longest, similarity = len(right), 0
        if 2 * len(left) > longest:
            shared = common(letters_of(left), letters_of(right))
            similarity = max(0, 2 * shared - longest) * self.unit // longest
        self._similar[left, right] = self._similar[right, left] = similarity
        return similarity

    def _by_layer(self, left: str, right: str) -> int:
        from exactmatch.metrics.labelled.label_similarity import similarity_of

        assert self.comparing.similarity is not None  # the caller has looked
        share = similarity_of(left, right, self.comparing.similarity, 0.0)
        return round(Fraction(share) * self.unit)

    # ------------------------------------------------------------------ lists

    def _bound(self, a: int, b: int) -> tuple[int, bool]:
        """Return an upper bound of the value of two parts, and whether it is exact."""
        if a == b:
            return self.weights[a] * self.unit, True
        cached = self._known.get((a, b))
        if cached is not None:
            return cached, True
        kind = self.kinds[a]
        if kind != self.kinds[b]:
            return 0, True
        if kind == "leaf":
            return self.value_of(a, b), True
        if kind in ("bag", "ordered"):
            least = min(self.weights[a], self.weights[b])
            return least * self.unit, False
        total, is_exact = 0, True
        for x, y in self.common(a, b):
            bound, is_known = self._bound(x, y)
            total += bound
            is_exact &= is_known
        if is_exact:
            self._known[a, b] = total
        return total, is_exact

    def _cut(self, a: int, b: int, value: int) -> int:
        """Return the value of two items, or 0 where their F1 is below the cutoff."""
        if self._cutoff is not None:
            total_weight = self.weight(a) + self.weight(b)
            return 0 if 2 * value < self._cutoff * total_weight else value
        return value

    def worth_of_items(self, a: int, b: int) -> int:
        """Return what two items of lists are worth; 0 where they do not match."""
        return self._cut(a, b, self.value_of(a, b))

    def _bags(self, a: int, b: int) -> int:
        rows, columns = list(self.contents[a]), list(self.contents[b])
        pairs: list[tuple[int, int]] = []
        if self.is_metric:
            common, rows, columns = _parted(rows, columns)
            pairs += [(x, x) for x in common]
        if len(rows) == len(columns) == 1:
            pairs += [(rows[0], columns[0])]
        elif rows and columns:
            pairs += self.assigned(rows, columns)
        return sum(self.worth_of_items(x, y) for x, y in pairs)

    def assigned(self, rows: list[int], columns: list[int]) -> list[tuple[int, int]]:
        """Return the best matching of items, as pairs that are worth something."""
        if self.is_metric and not self._is_deep:
            if len(rows) * len(columns) < MANY_PAIRS:
                return self._by_bounds(rows, columns)
            from exactmatch.metrics.json.tables import assigned

            return assigned(self, rows, columns)
        table, open_pairs = self._bounded(rows, columns)
        while True:
            matched = [(i, j) for i, j in best_of(table) if table[i][j]]
            is_best = True
            for i, j in matched:
                if (i, j) in open_pairs:
                    open_pairs.remove((i, j))
                    x, y = rows[i], columns[j]
                    value = self._cut(x, y, self.value_of(x, y))
                    is_best &= value == table[i][j]
                    table[i][j] = value
            if is_best:
                return [(rows[i], columns[j]) for i, j in matched]

    def _bounded(
        self, rows: list[int], columns: list[int]
    ) -> tuple[list[list[int]], set[tuple[int, int]]]:
        """Bound the worth of each pair of items; and say which are not exact."""
        table = [[0] * len(columns) for _ in rows]
        open_pairs: set[tuple[int, int]] = set()
        for i, x in enumerate(rows):
            for j, y in enumerate(columns):
                bound, is_exact = self._bound(x, y)
                bound = self._cut(x, y, bound)
                table[i][j] = bound
                if bound and not is_exact:
                    open_pairs.add((i, j))
        return table, open_pairs

    def bounds(
        self, rows: list[int], columns: list[int]
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.bool_]]:
        """Bound the worth of each pair of items.

        Returns:
            Two tables of shape ``(rows, columns)``: the bounds, and whether they may be
            too high.
        """
        import numpy as np

        from exactmatch.metrics.json.tables import bounds

        heights = self.parts.heights
        if max(heights[number] for number in (*rows, *columns)) > DEEP:
            values = [
                [self._cut(x, y, self.value(x, y)) for y in columns] for x in rows
            ]
            table = np.array(values, dtype=np.int64)
            return table, np.zeros(table.shape, dtype=bool)
        if self.is_metric:
            return bounds(self, rows, columns, lazily=False)
        listed, open_pairs = self._bounded(rows, columns)
        table = np.array(listed, dtype=np.int64)
        is_open = np.zeros(table.shape, dtype=bool)
        for pair in open_pairs:
            is_open[pair] = True
        return table, is_open

    def _by_bounds(self, rows: list[int], columns: list[int]) -> list[tuple[int, int]]:
        """Return the best matching of few items, which the kernel bounds first."""
        similar = self.similar if self.comparing.grades else None
        for lazily in (True, False):
            table, open_ones = _kernel.bounded(
                rows, columns, self.parts, self.unit, similar, lazily
            )
            for _ in range(ROUNDS if lazily else len(rows) * len(columns) + 1):
                matched = [(i, j) for i, j in best_of(table) if table[i][j]]
                is_best = True
                for i, j in matched if open_ones is not None else ():
                    if open_ones[i][j]:
                        value = self.value_of(rows[i], columns[j])
                        is_best &= value == table[i][j]
                        table[i][j], open_ones[i][j] = value, 0
                if is_best:
                    return [(rows[i], columns[j]) for i, j in matched]
        raise AssertionError("each round makes a pair exact")

    def _ordered(self, a: int, b: int) -> int:
        left_items, right_items = self.contents[a], self.contents[b]
        pairs: list[tuple[int, int]] = []
        begin, ends = 0, (len(left_items), len(right_items))
        if self.is_metric:
            begin, ends = trimmed(left_items, right_items)
            pairs = [(x, x) for x in left_items[:begin]]
            pairs += [(x, x) for x in left_items[ends[0] :]]
        pairs += self._aligned(
            left_items[begin : ends[0]], right_items[begin : ends[1]]
        )
        return sum(self.worth_of_items(x, y) for x, y in pairs)

    def _aligned(
        self, left_items: Sequence[int], right_items: Sequence[int]
    ) -> list[tuple[int, int]]:
        """Return the best matching that does not cross, by dynamic programming."""
        worth = [[self.worth_of_items(x, y) for y in right_items] for x in left_items]
        best = [[0] * (len(right_items) + 1) for _ in range(len(left_items) + 1)]
        for i in range(len(left_items) - 1, -1, -1):
            row, below = best[i], best[i + 1]
            for j in range(len(right_items) - 1, -1, -1):
                if_paired = below[j + 1] + worth[i][j]
                row[j] = max(if_paired, below[j], row[j + 1])
        pairs, i, j = list[tuple[int, int]](), 0, 0
        while i < len(left_items) and j < len(right_items):
            if best[i][j] == best[i + 1][j]:
                i += 1
            elif best[i][j] == best[i][j + 1]:
                j += 1
            else:
                pairs.append((left_items[i], right_items[j]))
                i, j = i + 1, j + 1
        return pairs


def trimmed(
    left_items: Sequence[int], right_items: Sequence[int]
) -> tuple[int, tuple[int, int]]:
    """Return how many items two lists begin with alike, and where equal ends begin.

    >>> trimmed([1, 2, 3], [1, 4, 5, 3])
    (1, (2, 3))
    """
    begin = behind = 0
    least = min(len(left_items), len(right_items))
    while begin < least and left_items[begin] == right_items[begin]:
        begin += 1
    while (
        behind < least - begin and left_items[-1 - behind] == right_items[-1 - behind]
    ):
        behind += 1
    return begin, (len(left_items) - behind, len(right_items) - behind)


def matcher_of(trees: Sequence[Tree], comparing: Comparing, max_units: int) -> Matcher:
    """Return the matcher of two documents, in the finest exact unit.

    Args:
        trees: the two.
        comparing: how leaves and items are compared.
        max_units: how many units a weight of one may have.
    """
    unit = 1
    if comparing.similarity is not None:
        unit = max(1, min(max_units, FINEST))
    elif comparing.grades:
        unit = unit_of(trees, max_units)
    return Matcher(trees, comparing, unit)


def _parted(
    left_items: list[int], right_items: list[int]
) -> tuple[list[int], list[int], list[int]]:
    """Return the common items of two bags, and the remaining items of each."""
    common: list[int] = []
    if min(len(left_items), len(right_items)) < MANY:
        left, right = list(left_items), list[int]()
        for item in right_items:
            if item in left:
                left.remove(item)
                common.append(item)
            else:
                right.append(item)
        return common, left, right
    first, second = Counter(left_items), Counter(right_items)
    shared = first & second
    left, right = list((first - shared).elements()), list((second - shared).elements())
    return list(shared.elements()), left, right


def best_of(table: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the rows and columns of the best matching of a table of whole numbers.

    >>> best_of([[1, 2], [4, 4], [0, 3]])
    [(1, 0), (2, 1)]
    """
    if len(table) == 1:
        row = table[0]
        return [(0, row.index(max(row)))]
    if len(table[0]) == 1:
        column = [row[0] for row in table]
        return [(column.index(max(column)), 0)]
    largest = [max(row) for row in table]
    firsts = [row.index(maximum) for row, maximum in zip(table, largest, strict=True)]
    if len(set(firsts)) == len(firsts):  # each row has what is best for it
        return list(enumerate(firsts))
    import numpy as np

    from exactmatch.solvers.matching import best_matching

    rows, columns = best_matching(np.array(table, dtype=np.float64))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))
