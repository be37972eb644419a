"""The plots, drawn from outcomes' plain data, and stamped with where it comes from."""

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
        para = outcomes["para"]
        pictures.append(("restarts", _restarts(para), para))
        pictures.append(("accuracy", _accuracy(para), para))
        pictures.append(("rate", _rate(para), para))
    if "growth" in outcomes:
        growth = outcomes["growth"]
        pictures.append(("growth", _growth(growth["rows"]), growth))
    paths = []
    for name, figure, outcome in pictures:
        below = -0.35 / figure.get_figheight()
        stamp = _stamp(outcome["conditions"])
        figure.text(0, below, stamp, fontsize=6, color="#666", va="top")
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


def _timed(outcome: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The figures of the programs that came to an end, by name."""
    return {
        row["name"]: row["figures"]
        for row in outcome["rows"]
        if row["figures"].get("wall s") is not None
    }


def _accuracy(outcome: Mapping[str, Any]) -> Any:
    """F1 against time; smatch's restarts are one line, and the optimum is level.

    smatchpp counts other triples, so that its F1 cannot be held against the others';
    it is left out.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.8))
    axes = figure.add_subplot()
    climbed = []
    for name, figures in _timed(outcome).items():
        if name.startswith("smatchpp") or figures.get("F1") is None:
            continue
        place = figures["wall s"], 100 * figures["F1"]
        if name.startswith("smatch "):
            climbed.append(place)
        else:
            axes.plot(*place, "o", color=_colour(name))
        title = name.removeprefix("exactmatch ")
        offset = 5, 5 if len(axes.texts) % 2 else -11
        axes.annotate(title, place, offset, textcoords="offset points", fontsize=8)
        if name == "exactmatch auto":
            axes.axhline(place[1], color=_colour(name), linewidth=0.8, label="optimum")
    if climbed:
        axes.plot(*zip(*sorted(climbed), strict=True), "o-", color=_COLOURS["smatch"])
    if axes.get_lines():
        axes.legend(frameon=False)
    axes.set_xscale("log")
    axes.set_xlabel("seconds, whole command")
    axes.set_ylabel("corpus F1")
    axes.set_title(f"PARA test, {outcome['notes'][0]}", fontsize=10)
    axes.margins(0.15)
    return figure


def _rate(outcome: Mapping[str, Any]) -> Any:
    """Pairs a second of every program, start-up and reading included."""
    from matplotlib.figure import Figure

    timed = _timed(outcome)
    pairs = int(outcome["notes"][0].split()[0].replace(",", ""))
    figure = Figure(figsize=(6, 0.4 + 0.34 * max(len(timed), 1)))
    axes = figure.add_subplot()
    names = sorted(timed, key=lambda name: -timed[name]["wall s"])
    rates = [pairs / timed[name]["wall s"] for name in names]
    bars = axes.barh(names, rates, color=[_colour(name) for name in names])
    axes.bar_label(bars, [f"{rate:,.0f}" for rate in rates], padding=3, fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel("pairs a second, whole command")
    axes.margins(x=0.15)
    return figure


def _stamp(conditions: Mapping[str, Any]) -> str:
    """What determines the figures, on one line."""
    versions = [f"{name} {v}" for name, v in conditions["versions"].items() if v]
    parts = [
        " ".join(conditions["command"]),
        ", ".join(versions),
        f"Python {conditions['python']}",
        f"{conditions['machine']}, {conditions['processors']} processors",
        conditions["date"][:10],
    ]
    return "\n".join((parts[0], " · ".join(parts[1:])))


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
