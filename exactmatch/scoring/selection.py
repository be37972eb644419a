"""Choice and order of the pairs that count or are shown."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from exactmatch.base.errors import InputError, suggestion
from exactmatch.base.numbers import several
from exactmatch.base.records import NamedTuple
from exactmatch.base.signed import digest

if TYPE_CHECKING:
    from exactmatch.base.expressions import Condition

T = TypeVar("T")

Row = Mapping[str, Any]


class Selection(NamedTuple):
    """A choice of pairs by id, score and other columns; by default all of them."""

    ids: tuple[str, ...] = ()  # or places of pairs, from 1; empty for any
    below: float | None = None  # only pairs that score less
    where: Condition | Callable[[Row], Any] | None = None  # only those that fulfil it
    sort: str | None = None  # a column, with - before it to begin with the greatest
    worst: int | None = None  # only so many, lowest score first unless sorted otherwise
    best: int | None = None  # likewise, highest score first

    def __bool__(self) -> bool:
        return self != Selection()

    def chosen(self, items: Iterable[T], row: Callable[[T], Row]) -> Iterator[T]:
        """Yield the chosen items in order; *row* returns the columns of an item.

        All items are consumed; at most ``worst`` or ``best`` of them are held.
        It is an error at the end if no pair has one of the ids.
        """
        shown = self._matching((item, row(item)) for item in items)
        if (self.sort, self.worst, self.best) == (None, None, None):
            return (item for item, _ in shown)
        from heapq import nlargest, nsmallest

        from exactmatch.base.expressions import column

        if self.worst is not None:
            shown = iter(nsmallest(self.worst, shown, key=_height))
        elif self.best is not None:
            depth = partial(_height, of_nothing=-math.inf)
            shown = iter(nlargest(self.best, shown, key=depth))
        if self.sort is not None:
            name, rows = self.sort.removeprefix("-"), [*shown]
            values = [column(row, name) for _, row in rows]
            known = [k for k, value in enumerate(values) if value is not None]
            try:
                known.sort(key=values.__getitem__, reverse=self.sort.startswith("-"))
            except TypeError:
                raise InputError(f"the values of {name!r} have no order") from None
            lacking = (k for k, value in enumerate(values) if value is None)
            shown = iter([rows[k] for k in (*known, *lacking)])
        return (item for item, _ in shown)

    @property
    def of_scored(self) -> Selection:
        """The part of the choice that says which pairs count: ids and condition."""
        return Selection(self.ids, where=self.where)

    @property
    def of_shown(self) -> Selection:
        """The part that says which of the pairs that count are shown, and how."""
        return self._replace(ids=(), where=None)

    def _matching(self, items: Iterable[tuple[T, Row]]) -> Iterator[tuple[T, Row]]:
        ids = _Ids(self.ids)
        for item, row in items:
            if (
                ids.have(row)
                and (self.below is None or _height((item, row)) < self.below)
                and (self.where is None or self.where(row))
            ):
                yield item, row
        ids.check()


class _Ids:
    """Ids of pairs; a number is the place of a pair, from 1, that has no such id.

    A pair whose own id is a number goes by that alone.  ``3-7`` is a range of such
    numbers, unless a pair has that id.
    """

    def __init__(self, ids: Sequence[str]) -> None:
        self._ids = dict.fromkeys(ids)
        self._ranges = {id_: _ends(id_) for id_ in self._ids if _RANGE.fullmatch(id_)}
        self._in_range: set[str] = set()  # numbers that lie in a range
        self._seen: dict[str, None] = {}
        self._places: set[str] = set()
        self._count = 0

    def have(self, row: Row) -> bool:
        """Return whether a pair has one of the ids; without ids, every pair has."""
        if not self._ids:
            return True
        self._count += 1
        place = str(row["index"] + 1)
        name = place if row["id"] is None else str(row["id"])
        self._seen[name] = None
        if name in self._ids:
            return True
        number = name if name.isdecimal() else place
        if any(low <= int(number) <= high for low, high in self._ranges.values()):
            self._in_range.add(number)
            return True
        if name.isdecimal() or place not in self._ids:
            return False
        self._places.add(place)
        return True

    def _numbers_within(self, name: str) -> list[str]:
        low, high = self._ranges[name]
        return [number for number in self._in_range if low <= int(number) <= high]

    def check(self) -> None:
        """Refuse ids that no pair has, and numbers that mean two pairs."""
        for name in self._ids:
            if name in self._ranges and name not in self._seen:
                low, high = self._ranges[name]
                for end in (low, high):
                    if str(end) not in self._in_range | self._seen.keys():
                        raise InputError(
                            f"no pair has the id {name!r} or the place {end}; there "
                            f"are {several(self._count, 'pair')}"
                        )
                continue
            if name in self._ranges and self._numbers_within(name):
                raise InputError(
                    f"{name!r} is the id of one pair and a range of places; name the "
                    "others by their own ids"
                )
            if name in self._places and name in self._seen:
                raise InputError(
                    f"{name!r} is the id of one pair and the place of another; name "
                    "the other by its own id"
                )
            if name not in self._places and name not in self._seen:
                raise InputError(
                    f"no pair has the id {name!r}{suggestion(name, self._seen)}"
                )


_RANGE = re.compile(r"(\d{1,18})-(\d{1,18})", re.ASCII)


def _ends(text: str) -> tuple[int, int]:
    """Return the ends of a range such as ``3-7``."""
    low, high = map(int, text.split("-"))
    if low > high:
        raise InputError(f"the range {text!r} ends before it begins")
    return low, high


def numbered(indices: Collection[int]) -> Selection:
    """Return the choice of the pairs that have these numbers, from 0."""
    return Selection(where=lambda row: row["index"] in indices)


class Counting:
    """Decides whether each pair counts, and numbers those that do."""

    def __init__(self, selection: Selection) -> None:
        self._selection = selection
        self._ids = _Ids(selection.ids)
        self.seen = self.chosen = 0
        self._indices: list[int] = []

    def chooses(self, rows: Sequence[Row]) -> bool:
        """Return whether a pair counts; it has a row for each metric."""
        row, where = with_metrics(rows), self._selection.where
        counts = self._ids.have(row) and (where is None or where(row))
        self.seen += 1
        self.chosen += bool(counts)
        if counts:
            self._indices.append(row["index"])
        return bool(counts)

    @property
    def indices(self) -> frozenset[int]:
        """The numbers of the pairs that count."""
        return frozenset(self._indices)

    @property
    def signed(self) -> str:
        """The pairs that count, in the form of signatures."""
        return signed_choice(self._indices, self.seen)

    def check(self) -> None:
        """Refuse ids that no pair has, and a choice of nothing."""
        self._ids.check()
        if self.seen and not self.chosen:
            condition = getattr(self._selection.where, "text", "")
            raise InputError(
                f"none of {several(self.seen, 'pair')} fulfils the condition "
                f"{condition!r}; there is nothing to score"
            )


def signed_choice(indices: Iterable[int], seen: int) -> str:
    """Return chosen pairs in the form of signatures: how many, and a checksum of which.

    >>> signed_choice([0, 2], 40)
    '2/40@a7841ea775e1'
    """
    ordered = sorted(indices)
    return f"{len(ordered)}/{seen}@{digest(','.join(map(str, ordered)))}"


def with_metrics(rows: Sequence[Row]) -> Row:
    """Return a pair's columns: the first metric's, and each metric's score by name."""
    return {**rows[0], **{row["metric"]: row["score"] for row in rows}}


def _height(entry: tuple[Any, Row], of_nothing: float = math.inf) -> float:
    """Return the key of the order; a pair without a score comes last."""
    score = entry[1]["score"]
    return of_nothing if score is None else float(score)
