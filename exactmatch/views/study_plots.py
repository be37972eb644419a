"""Pictures of what studies find: tables as heat maps, bars, steps, shares over time.

They follow :mod:`exactmatch.views.score_plots`: grey, hatched and with numbers, so that
they are the same on grey paper.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from exactmatch.views.pictures import COLUMN, PAGE, in_lines, picture

_NAMED = 60  # rows or columns with names, at most
_WRITTEN = 12  # rows or columns with numbers, at most
_GREYS = ("0.35", "0.8", "0.55", "0.92")
_HATCHES = ("", "//", "..", "xx")


def heat_map(
    path: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Any,
    label: str,
    shown: Callable[[float], str],
    highest: float | None = None,
) -> None:
    """Draw numbers in rows and columns, darker where they are greater.

    Unknown numbers (NaN) are white and hatched.  The scale ends at the *highest*
    number, by default the greatest of all.
    """
    import numpy as np

    table = np.ma.masked_invalid(np.asarray(values, dtype=np.float64))
    with picture(path, PAGE, min(max(2.0, 0.16 * len(rows) + 1.2), 9.0)) as figure:
        axes = figure.subplots()
        axes.patch.set(hatch="xx", edgecolor="0.8")
        look = {"cmap": "Greys", "aspect": "auto", "vmin": 0, "vmax": highest}
        image = axes.imshow(table, **look)
        figure.colorbar(image, ax=axes, label=label)
        for axis, names in ((axes.yaxis, rows), (axes.xaxis, columns)):
            kept = names if len(names) <= _NAMED else []
            lines = [in_lines(name) for name in kept]
            axis.set_ticks(range(len(lines)), lines, fontsize=6)
        axes.tick_params(axis="x", labelrotation=90, length=0)
        axes.tick_params(axis="y", length=0)
        if max(table.shape, default=0) <= _WRITTEN:
            low, high = image.get_clim()
            middle = (low + high) / 2
            for (row, column), value in np.ndenumerate(table.filled(np.nan)):
                if np.isfinite(value):
                    colour = "white" if value > middle else "black"
                    where = {"ha": "center", "va": "center", "fontsize": 6}
                    axes.text(column, row, shown(value), color=colour, **where)


def grouped_bars(
    path: str,
    names: Sequence[str],
    series: Mapping[str, Sequence[float]],
    label: str,
    shown: Callable[[float], str],
) -> None:
    """Draw a bar of each series for each name, the first on top, with its number."""
    wide = 0.8 / max(len(series), 1)
    height = 0.7 + len(names) * max(0.2, 0.16 * len(series))
    with picture(path, PAGE if len(series) > 1 else COLUMN, height) as figure:
        axes = figure.subplots()
        for k, (name, values) in enumerate(series.items()):
            places = [place + (k + 0.5) * wide - 0.4 for place in range(len(names))]
            look = {
                "color": _GREYS[k % len(_GREYS)],
                "hatch": _HATCHES[k // len(_GREYS) % len(_HATCHES)],
            }
            axes.barh(places, values, wide, label=in_lines(name), **look)
            for place, value in zip(places, values, strict=True):
                beside = {"textcoords": "offset points", "va": "center", "fontsize": 6}
                axes.annotate(shown(value), (value, place), xytext=(3, 0), **beside)
        axes.set_yticks(range(len(names)), [in_lines(name) for name in names])
        axes.set(xlabel=label, ylim=(len(names) - 0.4, -0.6))
        axes.margins(x=0.15)
        axes.tick_params(axis="y", length=0)
        if len(series) > 1:
            axes.legend()


class Step(NamedTuple):
    """Score, and its change from the first one."""

    name: str
    score: float | None  # None if there is no score
    change: float | None  # None for the first score


def steps(path: str, rows: Sequence[Step], label: str) -> None:
    """Draw scores as steps from the first one, up (white) or down (grey)."""
    first = rows[0].score or 0.0
    with picture(path, COLUMN, 0.7 + 0.2 * len(rows)) as figure:
        axes = figure.subplots()
        axes.axvline(first, color="black", linewidth=1, linestyle="--")
        for place, row in enumerate(rows):
            if row.score is None:
                continue
            change = row.score - first
            face = "white" if change > 0 else "0.6"
            axes.barh(place, change, 0.6, first, facecolor=face, edgecolor="black")
            change_text = "" if row.change is None else f"{row.change:+.4f}"
            beside = {"textcoords": "offset points", "va": "center", "fontsize": 6}
            side: dict[str, Any] = (
                {"xytext": (4, 0)} if change >= 0 else {"xytext": (-4, 0)}
            )
            side |= {"ha": "left" if change >= 0 else "right"}
            text = change_text or f"{first:.4f}"
            axes.annotate(text, (row.score, place), **beside, **side)
        axes.set_yticks(range(len(rows)), [in_lines(row.name) for row in rows])
        axes.set(xlabel=label, ylim=(len(rows) - 0.4, -0.6))
        axes.margins(x=0.3)
        axes.tick_params(axis="y", length=0)


def shares_in_time(
    path: str, series: Mapping[str, Sequence[float]], label: str
) -> None:
    """Draw the share of things that was done over time.

    Each series has the seconds that things took, or infinity if one was not done.
    """
    import numpy as np

    lines = ("-", "--", "-.", ":")
    with picture(path, COLUMN, 2.4) as figure:
        axes = figure.subplots()
        for k, (name, seconds) in enumerate(series.items()):
            times = np.sort(np.asarray(seconds, dtype=np.float64))
            done = np.maximum(times[np.isfinite(times)], 1e-4)
            share = np.arange(1, len(done) + 1) / max(len(times), 1)
            look = {"color": str(0.2 * (k % 4)), "linestyle": lines[k % len(lines)]}
            axes.step(done, share, where="post", label=in_lines(name), **look)
        axes.set(xlabel="seconds", ylabel=label, xscale="log", ylim=(0, 1.02))
        if len(series) > 1:
            axes.legend()
