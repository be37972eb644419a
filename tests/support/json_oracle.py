"""Oracle of the match of two small JSON documents, by trying every matching.

It shares no code with the metric: values are Python's own, similarities fractions,
texts compared by the textbook's table, and every way to match items is tried.
"""

from __future__ import annotations

import json
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

Path = tuple[Any, ...]
Pairs = tuple[tuple[Path, Path], ...]
Leaf = tuple[str, Any, Any, tuple[Path, Path]]


class Sizes(NamedTuple):
    """Largest matched weight, and the weights of both sides."""

    matched: Fraction
    pred: Fraction
    gold: Fraction


class Oracle(NamedTuple):
    """Rules of the comparison; patterns are paths with ``[]`` for items."""

    nulls: bool = False
    order: str = "rows"
    weights: Mapping[str, int] = {}
    ids: Mapping[str, str] = {}
    refs: Mapping[str, str] = {}
    maps: tuple[str, ...] = ()
    tolerance: Fraction = Fraction(0)
    coerce: bool = False
    strings: str = "graded"
    cutoff: Fraction = Fraction(0)
    lists: Mapping[str, str] = {}

    def compare(self, pred: Any, gold: Any) -> Sizes:
        """Try every matching of the items of two documents."""
        names = [self._names(document) for document in (pred, gold)]
        best = Fraction(0)
        for leaves, pairs in self._matchings(pred, gold, "", (), (), in_list=False):
            total, items = Fraction(0), dict[tuple[Path, Path], Fraction]()
            for pattern, left, right, ends in leaves:
                worth = self._worth(pattern, left, right, names, pairs)
                total += worth
                for both in zip(_prefixes(ends[0]), _prefixes(ends[1]), strict=False):
                    items[both] = items.get(both, Fraction(0)) + worth
            if self.cutoff and any(
                2 * items.get((one, other), Fraction(0)) < self.cutoff * both
                for one, other, both in self._items(pairs, pred, gold)
            ):
                continue
            best = max(best, total)
        return Sizes(best, self._size(pred, ""), self._size(gold, ""))

    def best(self, pred: Any, gold: Any) -> list[Counter[Any]]:
        """Return how the leaves of each best matching compare, by pattern.

        Items that have nothing in common are not matched.
        """
        names = [self._names(document) for document in (pred, gold)]
        most, best = Fraction(-1), list[Counter[Any]]()
        for leaves, pairs in self._matchings(pred, gold, "", (), (), in_list=False):
            fields, items = Counter[Any](), dict[tuple[Path, Path], Fraction]()
            total = Fraction(0)
            for pattern, left, right, ends in leaves:
                worth = self._worth(pattern, left, right, names, pairs)
                weight = self._weight(pattern)
                outcome = "similar" if worth else "wrong"
                where = (pattern, isinstance(left, _Key))
                fields[where, "equal" if worth == weight else outcome] += weight > 0
                fields[where, ""] += worth  # type: ignore[assignment]  # a fraction
                total += worth
                for both in zip(_prefixes(ends[0]), _prefixes(ends[1]), strict=False):
                    items[both] = items.get(both, Fraction(0)) + worth
            matched = list(self._items(pairs, pred, gold))
            worths = [
                (items.get((one, other), 0), both) for one, other, both in matched
            ]
            if any(
                not worth or 2 * worth < self.cutoff * both for worth, both in worths
            ):
                continue
            fields["items"] = sum(
                isinstance(self._at(pred, one)[1], dict | list)
                or str(self._at(pred, one)[0]).endswith("{}")
                for one, *_ in matched
            )
            if total > most:
                most, best = total, []
            if total == most:
                best.append(+fields)
        return best

    def _items(
        self, pairs: Pairs, pred: Any, gold: Any
    ) -> Iterator[tuple[Path, Path, Fraction]]:
        """Yield the matched items of lists and maps, and what both sides weigh."""
        for one, other in pairs:
            if not one or not other:
                continue
            (place, ours), (_, theirs) = self._at(pred, one), self._at(gold, other)
            if place is None:
                continue
            sizes = [self._size(ours, place), self._size(theirs, place)]
            if place.endswith("{}"):
                sizes += [Fraction(self._weight(place))] * 2
            yield one, other, sum(sizes, Fraction(0))

    def _at(self, document: Any, path: Path) -> tuple[str | None, Any]:
        """Return a value, and its pattern if it is an item of a list or an entry."""
        pattern, value, is_item, in_list = "", document, False, False
        for step in path:
            if isinstance(value, dict):
                is_item = pattern in self.maps
                pattern += "{}" if is_item else f".{step}"
                pattern, in_list = pattern.lstrip("."), False
            else:
                is_item = self._order(pattern, in_list) != "row"
                pattern, in_list = f"{pattern}[]", True
            value = value[step]
        return (pattern if is_item else None), value

    def _order(self, pattern: str, in_list: bool) -> str:
        if pattern in self.lists:
            return self.lists[pattern]
        if self.order == "all":
            return "ordered"
        return "row" if self.order == "rows" and in_list else "bag"

    def _weight(self, pattern: str) -> int:
        return 0 if pattern in self.ids else self.weights.get(pattern, 1)

    def _is_leaf(self, value: Any) -> bool:
        if value is None or value == [] or value == {}:
            return self.nulls
        return not isinstance(value, dict | list)

    def _size(self, value: Any, pattern: str) -> Fraction:
        if self._is_leaf(value):
            return Fraction(self._weight(pattern))
        if isinstance(value, dict) and pattern in self.maps:
            inner = f"{pattern}{{}}"
            own = (
                self._weight(inner) + self._size(one, inner) for one in value.values()
            )
            return sum(own, Fraction(0))
        return sum(
            (self._size(one, below) for _, below, one in _children(value, pattern)),
            Fraction(0),
        )

    def _names(self, document: Any) -> dict[tuple[str, str], Path | None]:
        places: dict[tuple[str, str], Path | None] = {}

        def walk(value: Any, pattern: str, path: Path) -> None:
            if pattern in self.ids and self._is_leaf(value) and value is not None:
                key = self.ids[pattern], name_of(value)
                places[key] = None if key in places else path[:-1]
            for step, below, one in _children(value, pattern):
                walk(one, below, (*path, step))

        walk(document, "", ())
        return places

    def _worth(
        self, pattern: str, left: Any, right: Any, names: Any, pairs: Pairs
    ) -> Fraction:
        weight = self._weight(pattern)
        if pattern in self.refs and None not in (left, right):
            scope = self.refs[pattern]
            ends = [
                one.get((scope, name_of(value)))
                for one, value in zip(names, (left, right), strict=True)
            ]
            if None not in ends:
                return Fraction(weight if tuple(ends) in pairs else 0)
            if ends != [None, None]:
                return Fraction(0)
        if self.coerce:
            left, right = _read_out(left), _read_out(right)
        numbers = [x for x in (left, right) if not isinstance(x, bool | str | None)]
        if self.tolerance and len(numbers) == 2:
            a, b = (Fraction(str(x)) for x in numbers)
            near = abs(a - b) <= self.tolerance * max(abs(a), abs(b))
            return Fraction(weight * near)
        if isinstance(left, str) and isinstance(right, str):
            if self.strings == "exact":
                return Fraction(weight * (left == right))
            if self.strings == "normalised":
                return Fraction(weight * (_plain(left) == _plain(right)))
        return weight * similarity(left, right)

    def _matchings(
        self, a: Any, b: Any, pattern: str, left: Path, right: Path, *, in_list: bool
    ) -> Iterator[tuple[list[Leaf], Pairs]]:
        """Yield the leaves that are matched, and the pairs of parts."""
        here = ((left, right),)
        if self._is_leaf(a) or self._is_leaf(b):
            both = self._is_leaf(a) and self._is_leaf(b)
            yield [(pattern, a, b, (left, right))] if both else [], here
        elif isinstance(a, dict) and isinstance(b, dict) and pattern in self.maps:
            below = f"{pattern}{{}}"
            ways = list(_bags(len(a), len(b)))
            ours, theirs = list(a.items()), list(b.items())
            for way in ways:
                parts = [
                    [
                        (
                            [
                                (
                                    below,
                                    _Key(ours[i][0]),
                                    _Key(theirs[j][0]),
                                    ((*left, ours[i][0]), (*right, theirs[j][0])),
                                ),
                                *leaves,
                            ],
                            (((*left, ours[i][0]), (*right, theirs[j][0])), *pairs),
                        )
                        for leaves, pairs in self._matchings(
                            ours[i][1],
                            theirs[j][1],
                            below,
                            (*left, ours[i][0]),
                            (*right, theirs[j][0]),
                            in_list=False,
                        )
                    ]
                    for i, j in way
                ]
                yield from _joined(parts, here)
        elif isinstance(a, dict) and isinstance(b, dict):
            parts = [
                list(
                    self._matchings(
                        a[key],
                        b[key],
                        f"{pattern}.{key}".lstrip("."),
                        (*left, key),
                        (*right, key),
                        in_list=False,
                    )
                )
                for key in a.keys() & b.keys()
            ]
            yield from _joined(parts, here)
        elif isinstance(a, list) and isinstance(b, list):
            for way in self._ways(len(a), len(b), self._order(pattern, in_list)):
                parts = [
                    list(
                        self._matchings(
                            a[i],
                            b[j],
                            f"{pattern}[]",
                            (*left, i),
                            (*right, j),
                            in_list=True,
                        )
                    )
                    for i, j in way
                ]
                yield from _joined(parts, here)
        else:
            yield [], ()

    def _ways(self, n: int, m: int, order: str) -> Iterator[Any]:
        if order == "ordered":
            for size in range(min(n, m) + 1):
                for ours in combinations(range(n), size):
                    for theirs in combinations(range(m), size):
                        yield tuple(zip(ours, theirs, strict=True))
        elif order == "row":
            yield tuple((k, k) for k in range(min(n, m)))
        else:
            yield from _bags(n, m)


def _children(value: Any, pattern: str) -> Iterator[tuple[Any, str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key, f"{pattern}.{key}".lstrip("."), one
    if isinstance(value, list):
        for place, one in enumerate(value):
            yield place, f"{pattern}[]", one


def _bags(n: int, m: int) -> Iterator[Any]:
    for size in range(min(n, m) + 1):
        for ours in combinations(range(n), size):
            for theirs in permutations(range(m), size):
                yield tuple(zip(ours, theirs, strict=True))


def _joined(parts: Any, here: Pairs) -> Iterator[Any]:
    for chosen in product(*parts):
        leaves = [leaf for own, _ in chosen for leaf in own]
        yield leaves, (*here, *(pair for _, own in chosen for pair in own))


class _Key(str):
    """Key of a map, which is a text whatever it states."""


def _prefixes(path: Path) -> list[Path]:
    return [path[:k] for k in range(1, len(path) + 1)]


def _read_out(value: Any) -> Any:
    """Return the number or boolean that a text states; else the value itself."""
    if isinstance(value, str) and not isinstance(value, _Key):
        with suppress(ValueError):
            known = json.loads(value.strip().lower(), parse_float=Decimal)
            if isinstance(known, bool | int | Decimal):
                return known
    return value


def name_of(value: Any) -> str:
    """Return an identifier; texts are compared as other texts are."""
    return repr(_letters(value) if isinstance(value, str) else value)


def _plain(text: str) -> str:
    text = unicodedata.normalize("NFC", text).casefold()
    return " ".join(unicodedata.normalize("NFC", text).split())


SIGNS = "0123456789/\\@_#=&%+*:<>|~^$"
EDGES = ".,;:!?()[]{}\"'"


def _letters(text: str) -> list[Any]:
    """Return the letters of a text, and for each of a code the code; no instants."""
    letters: list[Any] = []
    for token in _plain(text).split(" "):
        letters += [" "] if letters else []
        bare = token.strip(EDGES)
        if not bare.isascii() or not any(sign in bare for sign in SIGNS):
            letters += token
            continue
        before, behind = token.split(bare, 1) if bare else ("", "")
        with suppress(ValueError):
            if isinstance(json.loads(bare), int | float) and "e" not in bare:
                number = format(Decimal(bare), "f")
                if "." in number:
                    number = number.rstrip("0").rstrip(".")
                bare = "0" if number == "-0" else number
        letters += [*before, *[(bare,)] * len(bare), *behind]
    return letters


def similarity(left: Any, right: Any) -> Fraction:
    """Return how alike two leaves are."""
    is_text = isinstance(left, str), isinstance(right, str)
    is_boolean = isinstance(left, bool), isinstance(right, bool)
    if is_text[0] != is_text[1] or is_boolean[0] != is_boolean[1]:
        return Fraction(0)
    if not is_text[0]:
        return Fraction(left == right)
    ours, theirs = _letters(left), _letters(right)
    if ours == theirs:
        return Fraction(1)
    table = [[0] * (len(theirs) + 1) for _ in range(len(ours) + 1)]
    for i, x in enumerate(ours):
        for j, y in enumerate(theirs):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if x == y else max(table[i][j + 1], table[i + 1][j])
            )
    most = max(len(ours), len(theirs))
    return max(Fraction(0), Fraction(2 * table[-1][-1] - most, most))
