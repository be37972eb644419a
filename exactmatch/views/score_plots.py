"""Pictures of scores: how those of pairs are distributed, and those of many aspects.

They are black, grey and hatched, so that they are the same on grey paper.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.views.pictures import (
    COLUMN,
    figure_of,
    names_as_they_are,
    reflected_density,
    save,
)

_BINS = 20
_GREY = "0.82"


@dataclass(frozen=True, slots=True)
class ScoreHistogram:
    """One metric's scores of pairs.

    Attributes:
        metric: the metric.
        values: the scores; those above 1 are drawn at 1.
        corpus: the corpus score; ``None`` if there is none.
        shown: how that is written.
    """

    metric: str
    values: Sequence[float]
    corpus: float | None
    shown: str


@names_as_they_are()
def pair_histograms(path: str, metrics: Sequence[ScoreHistogram]) -> None:
    """Draw how many pairs have which score: bars, their density and the corpus score.

    Each metric has a panel.  Bars and density end at 0 and 1, where scores do.
    """
    figure = figure_of(COLUMN, 0.4 + 1.6 * len(metrics))
    panels = figure.subplots(len(metrics), 1, squeeze=False, sharex=True, sharey=True)[
        :, 0
    ]
    for found, axes in zip(metrics, panels, strict=True):
        _draw_pairs(axes, found)
    panels[-1].set_xlabel("score")
    save(path, figure)


def _draw_pairs(axes: Any, found: ScoreHistogram) -> None:
    import numpy as np

    values = np.clip(np.asarray(found.values, dtype=np.float64), 0.0, 1.0)
    edges = np.linspace(0.0, 1.0, _BINS + 1)
    axes.hist(values, edges, facecolor=_GREY, edgecolor="white", linewidth=0.8)
    if len(values) > 1 and np.ptp(values) > 0:
        grid = np.linspace(0.0, 1.0, 401)
        pairs = reflected_density(values, grid) * len(values) / _BINS
        axes.plot(grid, pairs, color="black", linewidth=1.4)
    if found.corpus is not None:
        at = min(max(found.corpus, 0.0), 1.0)
        axes.axvline(at, color="black", linewidth=1.2, linestyle="--")
        axes.set_title(f"dashed: corpus {found.shown}", loc="right")
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("pairs")
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.set_title(f"{found.metric}, n = {len(values):,}", loc="left")


@dataclass(frozen=True, slots=True)
class ScoreBar:
    """A score of a corpus, to be drawn beside others.

    Attributes:
        name: what it is of.
        value: the score; ``None`` where there is nothing to score.
        upper: the most that it can be, where it is not proven.
        interval: its confidence interval.
    """

    name: str
    value: float | None
    upper: float | None = None
    interval: tuple[float, float] | None = None


@names_as_they_are()
def score_bars(
    path: str,
    bars: Sequence[ScoreBar],
    shown: Callable[[float | None], str],
    about: str,
) -> None:
    """Draw scores as bars from 0 to 1, with the intervals that they lie in.

    Args:
        path: the picture's file.
        bars: the scores, the first on top.
        shown: writes a score.
        about: what the scores are, and what their intervals.
    """
    figure = figure_of(COLUMN, 0.6 + 0.18 * len(bars))
    axes = figure.subplots()
    places = range(len(bars))
    axes.barh(places, [bar.value or 0.0 for bar in bars], 0.68, color=_GREY)
    for place, bar in zip(places, bars, strict=True):
        end = bar.value or 0.0
        if bar.upper is not None and bar.upper > end:
            left = end
            end = bar.upper
            axes.barh(
                place,
                end - left,
                0.68,
                left,
                color="white",
                edgecolor="0.5",
                hatch="//",
            )
        if bar.interval is not None:
            axes.plot(bar.interval, (place, place), color="black", lw=1.2, marker="|")
            end = max(end, bar.interval[1])
        axes.annotate(
            shown(bar.value),
            (end, place),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
        )
    axes.set_yticks(places, [bar.name for bar in bars])
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.set_xlim(0, 1)
    axes.tick_params(axis="y", length=0)
    axes.set_title(about, loc="left")
    save(path, figure)
