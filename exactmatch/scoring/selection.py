"""Which pairs are shown, and in which order."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from exactmatch.base.errors import InputError, suggestion

if TYPE_CHECKING:
    from exactmatch.base.expressions import Condition

T = TypeVar("T")

Row = Mapping[str, Any]


class Selection(NamedTuple):
    """A choice of pairs by id, score and other columns; by default all of them."""

    ids: tuple[str, ...] = ()  # or the number from 1 of a pair without; empty for any
    below: float | None = None  # only pairs that score less
    where: "Condition | None" = None  # only pairs that fulfil it
    sort: str | None = None  # a column, with - before it to begin with the greatest
    worst: int | None = None  # only so many, lowest score first unless sorted otherwise
    best: int | None = None  # likewise, highest score first

    def __bool__(self) -> bool:
        return self != Selection()

    def chosen(self, items: Iterable[T], row: Callable[[T], Row]) -> Iterator[T]:
        """Yield what is shown of anything that has the *row* of a pair, in order.

        All is consumed; no more than ``worst`` or ``best`` items are held meanwhile.
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

    def _matching(self, given: Iterable[tuple[T, Row]]) -> Iterator[tuple[T, Row]]:
        wanted = frozenset(self.ids)
        met: dict[str, None] = {}
        for item, row in given:
            name = str(row["index"] + 1) if row["id"] is None else row["id"]
            if wanted:
                met[name] = None
            if (
                (not wanted or name in wanted)
                and (self.below is None or _height((item, row)) < self.below)
                and (self.where is None or self.where(row))
            ):
                yield item, row
        for name in self.ids:
            if name not in met:
                hint = suggestion(name, met)
                raise InputError(f"no pair has the id {name!r}{hint}")


def _height(one: tuple[Any, Row], of_nothing: float = math.inf) -> float:
    """Return the key of the order; a pair of which nothing counts comes last."""
    score = one[1]["score"]
    return of_nothing if score is None else float(score)
