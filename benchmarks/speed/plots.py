"""The plots, drawn from outcomes' plain data: time against restarts and size."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import Any

_COLOURS = {"exactmatch": "#0b6e4f", "smatch": "#c1440e", "smatchpp": "#3b5998"}


def draw(outcomes: Mapping[str, Mapping[str, Any]], folder: Path) -> list[Path]:
    """Draw what the outcomes allow, each as PNG and SVG.

    Args:
        outcomes: plain data by the benchmark's name, as in the JSON files.
        folder: where the pictures go.

    Returns:
        The files written.

    Raises:
        ImportError: if matplotlib is not installed.
    """
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "exactmatch"
    pictures = []
    if "para" in outcomes:
        pictures.append(("restarts", _restarts(outcomes["para"])))
    if "growth" in outcomes:
        pictures.append(("growth", _growth(outcomes["growth"]["rows"])))
    paths = []
    for name, figure in pictures:
        for kind in ("png", "svg"):
            path = folder / f"{name}.{kind}"
            figure.savefig(path, dpi=160, bbox_inches="tight")
            paths.append(path)
    return paths


def _restarts(outcome: Mapping[str, Any]) -> Any:
    """Time of smatch's command against its restarts; the exact ones are level."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.8))
    axes = figure.add_subplot()
    points = []
    broken = cycle((":", "--", "-."))
    for row in outcome["rows"]:
        seconds = row["figures"].get("wall s")
        if seconds is None:
            continue
        restarts = re.fullmatch(r"smatch -r (\d+)", row["name"])
        if restarts:
            points.append((int(restarts[1]), seconds))
            continue
        solid = row["name"].endswith(("auto", "ilp"))
        axes.axhline(
            seconds,
            color=_colour(row["name"]),
            linestyle="-" if solid else next(broken),
            label=f"{row['name']} (exact)",
        )
    if points:
        colour = _COLOURS["smatch"]
        axes.plot(*zip(*points, strict=True), "o-", color=colour, label="smatch -r N")
        axes.set_xticks([restarts for restarts, _ in points])
    if points or axes.get_lines():
        axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.set_yscale("log")
    axes.set_xlabel("restarts")
    axes.set_ylabel("seconds, whole command")
    axes.set_title(f"PARA test, {outcome['notes'][0]}", fontsize=10)
    return figure


def _growth(rows: list[dict[str, Any]]) -> Any:
    """Seconds a pair against variables, both logarithmic."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4.2))
    axes = figure.add_subplot()
    for name in dict.fromkeys(row["name"] for row in rows):
        points = [
            (row["figures"]["variables"], row["figures"]["median s"])
            for row in rows
            if row["name"] == name and row["figures"].get("median s") is not None
        ]
        if points:
            axes.plot(*zip(*points, strict=True), "o-", color=_colour(name), label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("variables a side")
    axes.set_ylabel("seconds a pair, median")
    if axes.get_lines():
        axes.legend(frameon=False)
    return figure


def _colour(name: str) -> str:
    return _COLOURS.get(name.split()[0], "black")
