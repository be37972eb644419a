"""Draw numbers and the intervals that they lie in, for a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import several
from exactmatch.views.tables import IntervalRow, Intervals

_WIDTH, _STEP = 400, 40
_LEFT, _RIGHT = 12, _WIDTH - 12
_TICKS = 5


def intervals(given: Intervals) -> Markup:
    """Draw each interval as a line with a dot for its number, as SVG.

    Intervals without two finite ends are left out; empty if there are no others.
    """
    shown = [row for row in given.rows if all(map(math.isfinite, row[1:]))]
    if not shown:
        return Markup()
    ends = [end for row in shown for end in row[1:]]
    if given.mark is not None:
        ends.append(given.mark)
    scale = _Scale(min(ends), max(ends))
    floor = _STEP * len(shown) + 14
    drawing = element(
        "svg",
        *_grid(scale, floor),
        *_mark(given, scale, floor),
        *(part for k, row in enumerate(shown) for part in _row(k, row, given, scale)),
        viewBox=f"0 0 {_WIDTH} {floor + 20}",
        width=str(_WIDTH),
        height=str(floor + 20),
        role="img",
        aria_label=f"{given.title}: {several(len(shown), 'interval')}",
    )
    return element("figure", element("figcaption", given.title), drawing)


class _Scale:
    """Where numbers stand, and which of them are written on the axis."""

    def __init__(self, low: float, high: float) -> None:
        room = (high - low) * 0.05 or 0.01
        self._low, self._high = low - room, high + room
        rough = (self._high - self._low) / _TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        self.step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)

    def __call__(self, number: float) -> float:
        share = (number - self._low) / (self._high - self._low)
        return _LEFT + share * (_RIGHT - _LEFT)

    def ticks(self) -> Iterator[float]:
        """The round numbers on the axis."""
        first = math.ceil(self._low / self.step)
        last = math.floor(self._high / self.step)
        for k in range(first, last + 1):
            yield k * self.step


def _grid(scale: _Scale, floor: int) -> Iterable[Markup]:
    decimals = max(0, -math.floor(math.log10(scale.step) + 1e-9))
    for tick in scale.ticks():
        x = f"{scale(tick):.1f}"
        yield _line("axis", x, "8", x, str(floor))
        yield element(
            "text", f"{tick:.{decimals}f}", x=x, y=str(floor + 15), text_anchor="middle"
        )


def _mark(given: Intervals, scale: _Scale, floor: int) -> Iterable[Markup]:
    if given.mark is not None:
        x = f"{scale(given.mark):.1f}"
        yield _line("here", x, "8", x, str(floor))


def _row(k: int, row: IntervalRow, given: Intervals, scale: _Scale) -> Iterable[Markup]:
    """A name over its line, with the number as it is written."""
    y = _STEP * k + 34
    low, value, high = (f"{scale(end):.1f}" for end in (row.low, row.value, row.high))
    yield element("text", row.name, x=str(_LEFT), y=str(y - 12), class_="named")
    yield element(
        "text",
        f"{given.shown(row.value)} [{given.shown(row.low)}, {given.shown(row.high)}]",
        x=str(_RIGHT),
        y=str(y - 12),
        text_anchor="end",
    )
    yield _line("span", low, str(y), high, str(y))
    yield element("circle", cx=value, cy=str(y), r="4", class_="bar")


def _line(name: str, x1: str, y1: str, x2: str, y2: str) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=name)
