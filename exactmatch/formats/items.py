"""Nodes and edges are counted while they are read, and the clock is looked at.

A few bytes of text may stand for a node or an edge, which takes a hundred times as much
memory.  So each counts as :data:`SHORTEST` bytes at least of what ``--max-bytes`` lets
a graph have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from exactmatch.base.deadline import check, in_time
from exactmatch.base.errors import GraphError, place_of
from exactmatch.base.inputs import max_bytes

T = TypeVar("T")

SHORTEST = 32
"""How many bytes a node or an edge counts as: it takes some hundreds in memory."""

_EVERY = 64
"""How many are read between two looks at the clock."""


class Items:
    """Counts the nodes and edges that are read of one graph or file.

    Args:
        path: the file that errors name.

    >>> items = Items()
    >>> [*items.each("abc")], items.total
    (['a', 'b', 'c'], 3)
    """

    __slots__ = ("_next", "_path", "total")

    def __init__(self, path: str | None = None) -> None:
        self._path = path
        self._next = _EVERY  # the total at which limits are looked at
        self.total = 0

    def add(self, count: int = 1) -> None:
        """Count one more, or so many, before they are made.

        Raises:
            GraphError: if there are too many.
            OutOfTimeError: if the limit of time is over.
        """
        self.total += count
        if self.total >= self._next:
            self._look()

    def _look(self) -> None:
        limit = max(max_bytes() // SHORTEST, _EVERY)
        if self.total > limit:
            raise GraphError(
                f"{place_of(self._path, None)}has more than {limit:,} nodes and edges, "
                f"of which each counts as {SHORTEST} bytes; raise --max-bytes"
            )
        self._next = min(self.total + _EVERY, limit + 1)
        check()

    def each(self, items: Collection[T]) -> Iterable[T]:
        """Count items, and look at the clock while they are taken."""
        self.add(len(items))
        return in_time(items)


def counting(reader: Any, path: str | None) -> Any:
    """Return a class of networkx's readers of XML, which counts nodes and edges."""
    items = Items(path)

    class Counting(reader):  # type: ignore[misc]  # its base is an argument
        def add_node(self, *args: Any, **options: Any) -> Any:
            items.add()
            return super().add_node(*args, **options)

        def add_edge(self, *args: Any, **options: Any) -> Any:
            items.add()
            return super().add_edge(*args, **options)

    return Counting
