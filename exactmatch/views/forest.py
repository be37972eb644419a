"""A forest plot: systems with their intervals, and what they differ by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.views.pictures import PAGE, figure_of, names_as_they_are, save


@dataclass(frozen=True, slots=True)
class ForestRow:
    """One system under one metric.

    Attributes:
        system: its name.
        score, interval: its score and the ends of its interval.
        difference, difference_interval: from the baseline; ``None`` for the baseline.
        is_significant: whether the difference is.
    """

    system: str
    score: float
    interval: tuple[float, float] | None
    difference: float | None = None
    difference_interval: tuple[float, float] | None = None
    is_significant: bool = False


@names_as_they_are()
def forest(path: str, metrics: Mapping[str, Sequence[ForestRow]], level: float) -> None:
    """Draw systems with their intervals, and their differences from the baseline.

    Args:
        path: the picture's file.
        metrics: each metric's systems, best first.
        level: the confidence level of the intervals.
    """
    most = max(len(rows) for rows in metrics.values())
    figure = figure_of(PAGE, len(metrics) * (0.7 + 0.2 * most))
    panels = figure.subplots(len(metrics), 2, squeeze=False, sharex="col")
    for (metric, rows), (left, right) in zip(metrics.items(), panels, strict=True):
        places = range(len(rows))
        for place, row in enumerate(rows):
            _draw_interval(left, place, row.score, row.interval, filled=True)
            if row.difference is not None:
                _draw_interval(
                    right,
                    place,
                    row.difference,
                    row.difference_interval,
                    filled=row.is_significant,
                )
        right.axvline(0, color="black", linewidth=0.8, linestyle="--")
        left.set_yticks(places, [row.system for row in rows])
        right.set_yticks(
            places, ["baseline" if r.difference is None else "" for r in rows]
        )
        left.set_title(f"{metric}, {100 * level:g} %", loc="left")
        title = "difference from the baseline (filled: significant)"
        right.set_title(title, loc="left")
        for axes in (left, right):
            axes.set_ylim(len(rows) - 0.5, -0.5)
            axes.tick_params(axis="y", length=0)
            axes.xaxis.set_major_locator(_few_ticks())
    save(path, figure)


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=5)


def _draw_interval(
    axes: Any,
    place: int,
    value: float,
    ends: tuple[float, float] | None,
    *,
    filled: bool,
) -> None:
    """A number with its interval; hollow where nothing is claimed of it."""
    if ends is not None:
        axes.plot(ends, (place, place), color="black", linewidth=1.5, marker="|")
    face = "black" if filled else "white"
    axes.plot(value, place, "o", markersize=6, color="black", markerfacecolor=face)
