"""Pictures of scores: of pairs, of many aspects, and of systems beside each other.

They are black, grey and hatched, so that they are the same on grey paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.views.pictures import (
    COLUMN,
    PAGE,
    in_lines,
    picture,
    reflected_density,
)
from exactmatch.views.tables import Histogram

_BINS = 20
_GREY = "0.82"


def pair_histograms(path: str, metrics: Sequence[Histogram]) -> None:
    """Draw the distribution of pairs' scores: bars, density and the corpus score.

    Each metric has a panel, whose mark is the corpus score.  Bars and density end at 0
    and 1, where scores do.
    """
    with picture(path, COLUMN, 0.4 + 1.6 * len(metrics)) as figure:
        looks = {"squeeze": False, "sharex": True, "sharey": True}
        panels = figure.subplots(len(metrics), 1, **looks).ravel()
        for chart, axes in zip(metrics, panels, strict=True):
            _draw_pairs(axes, chart)
        panels[-1].set_xlabel("score")


def _draw_pairs(axes: Any, chart: Histogram) -> None:
    import numpy as np

    values = np.clip(np.asarray(chart.values, dtype=np.float64), 0.0, 1.0)
    edges = np.linspace(0.0, 1.0, _BINS + 1)
    axes.hist(values, edges, facecolor=_GREY, edgecolor="white", linewidth=0.8)
    if len(values) > 1 and np.ptp(values) > 0:
        grid = np.linspace(0.0, 1.0, 401)
        pairs = reflected_density(values, grid) * len(values) / _BINS
        axes.plot(grid, pairs, color="black", linewidth=1.4)
    if chart.mark is not None:
        at = min(max(chart.mark, 0.0), 1.0)
        axes.axvline(at, color="black", linewidth=1.2, linestyle="--")
        axes.set_title(f"dashed: corpus {chart.mark_text}", loc="right")
    title = f"{chart.title}, n = {len(values):,}"
    axes.set(title=title, ylabel="pairs", xlim=(0, 1), ylim=(0, None))
    axes.yaxis.get_major_locator().set_params(integer=True)


class ScoreBar(NamedTuple):
    """Corpus score with its confidence interval, to be drawn beside others."""

    name: str
    value: float | None  # None if there is nothing to score
    upper: float | None = None  # its upper bound, if it is not proven
    interval: tuple[float, float] | None = None


def score_bars(
    path: str,
    bars: Sequence[ScoreBar],
    shown: Callable[[float | None], str],
    about: str,
) -> None:
    """Draw scores as bars from 0 to 1, with their intervals, the first on top.

    The title is *about* scores and intervals.
    """
    with picture(path, COLUMN, 0.6 + 0.18 * len(bars)) as figure:
        axes = figure.subplots()
        places = range(len(bars))
        axes.barh(places, [bar.value or 0.0 for bar in bars], 0.68, color=_GREY)
        for place, bar in zip(places, bars, strict=True):
            end = bar.value or 0.0
            if bar.upper is not None and bar.upper > end:
                look = {"color": "white", "edgecolor": "0.5", "hatch": "//"}
                axes.barh(place, bar.upper - end, 0.68, end, **look)
                end = bar.upper
            if bar.interval is not None:
                axes.plot(bar.interval, (place,) * 2, color="black", lw=1.2, marker="|")
                end = max(end, bar.interval[1])
            beside = {"xytext": (6, 0), "textcoords": "offset points", "va": "center"}
            axes.annotate(shown(bar.value), (end, place), **beside)
        axes.set_yticks(places, [in_lines(bar.name) for bar in bars])
        axes.set(title=about, xlim=(0, 1), ylim=(len(bars) - 0.4, -0.6))
        axes.tick_params(axis="y", length=0)


class ForestRow(NamedTuple):
    """Score of one system under one metric, with intervals."""

    system: str
    score: float
    interval: tuple[float, float] | None
    difference: float | None = None  # from the baseline, which has none
    difference_interval: tuple[float, float] | None = None
    is_significant: bool = False


def forest(path: str, metrics: Mapping[str, Sequence[ForestRow]], level: float) -> None:
    """Draw each metric's systems, best first, and their differences from the baseline.

    All have intervals of a confidence *level*.
    """
    from matplotlib.ticker import MaxNLocator

    n_rows = max(len(rows) for rows in metrics.values())
    names = {
        row.system: in_lines(row.system) for rows in metrics.values() for row in rows
    }
    lines = max((name.count("\n") + 1 for name in names.values()), default=1)
    with picture(path, PAGE, len(metrics) * (0.85 + 0.2 * n_rows * lines)) as figure:
        panels = figure.subplots(len(metrics), 2, squeeze=False, sharex="col")
        for (metric, rows), (left, right) in zip(metrics.items(), panels, strict=True):
            places = range(len(rows))
            for place, row in enumerate(rows):
                _draw_interval(left, place, row.score, row.interval)
                if row.difference is not None:
                    face = "black" if row.is_significant else "white"
                    ends = row.difference_interval
                    _draw_interval(right, place, row.difference, ends, face)
            right.axvline(0, color="black", linewidth=0.8, linestyle="--")
            left.set_yticks(places, [names[row.system] for row in rows])
            named = ["baseline" if row.difference is None else "" for row in rows]
            right.set_yticks(places, named)
            left.set_title(in_lines(f"{metric}, {100 * level:g} %"))
            right.set_title("difference from the baseline\n(filled: significant)")
            for axes in (left, right):
                axes.set_ylim(len(rows) - 0.5, -0.5)
                axes.tick_params(axis="y", length=0)
                axes.xaxis.set_major_locator(MaxNLocator(nbins=5))


def _draw_interval(
    axes: Any,
    place: int,
    value: float,
    ends: tuple[float, float] | None,
    face: str = "black",
) -> None:
    if ends is not None:
        axes.plot(ends, (place, place), color="black", linewidth=1.5, marker="|")
    axes.plot(value, place, "o", markersize=6, color="black", markerfacecolor=face)
