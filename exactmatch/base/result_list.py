"""Lists of results that show themselves in notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")

SHOWN = 50
"""Rows of a table at most; the list has all."""


class ResultList(list[T]):
    """List of results, which a notebook shows as a table.

    >>> results = ResultList([[(2, 1.0), (0, 0.5)], [(1, 0.25)]])
    >>> results
    [[(2, 1.0), (0, 0.5)], [(1, 0.25)]]
    >>> "2: 1.0000" in results._repr_html_()
    True
    """

    def _repr_html_(self) -> str:
        from exactmatch.base.markup import cell, element, joined, table

        if not self:
            return element("p", "no results")
        rows = [dict(_cells(item)) for item in self[:SHOWN]]
        names = [*dict.fromkeys(name for row in rows for name in row)]
        body = [
            [cell(number, str(number)), *(cell(None, row.get(n, "")) for n in names)]
            for number, row in enumerate(rows)
        ]
        more = len(self) - len(rows)
        note = element("p", f"… and {more:,} more") if more else ""
        return joined((table(["", *names], body), note))


def _cells(item: Any) -> Iterator[tuple[str, str]]:
    """Yield the parts of a result by their names, or by their places from 1."""
    if hasattr(item, "_fields"):
        names: Sequence[str] = item._fields
        values: Sequence[Any] = item
    elif is_dataclass(item):
        names = [each.name for each in fields(item)]
        values = [getattr(item, name) for name in names]
    else:
        names, values = [str(k) for k in range(1, len(item) + 1)], item
    for name, value in zip(names, values, strict=True):
        if value is not None:
            yield name, _text(value)


def _text(value: Any) -> str:
    from exactmatch.base.numbers import fixed

    if isinstance(value, float):
        return fixed(value, 4)
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], int):
        return f"{value[0]}: {_text(value[1])}"  # a graph's number and its score
    if isinstance(value, list | tuple):
        return ", ".join(map(_text, value))
    return str(value)
