"""The plots, drawn from outcomes' plain data, and stamped with where it comes from.

They show CPU time, user and system, which a busy machine changes less than wall time.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_COLOURS = {"exactmatch": "#0b6e4f", "smatch": "#c1440e", "smatchpp": "#3b5998"}
_MARKERS = {"exactmatch": "o", "smatch": "s", "smatchpp": "^"}
"""Marks that distinguish programs, on grey paper too."""


def draw(outcomes: Mapping[str, Mapping[str, Any]], folder: Path) -> list[Path]:
    """Draw what the outcomes allow, each as SVG.

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
        path = folder / f"{name}.svg"
        figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
        paths.append(path)
    return paths


def _timed(outcome: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Return the figures of the programs that came to an end, by name."""
    return {
        row["name"]: row["figures"]
        for row in outcome["rows"]
        if row["figures"].get("cpu s") is not None
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
        place = figures["cpu s"], 100 * figures["F1"]
        if name.startswith("smatch "):
            climbed.append(place)
        else:
            axes.plot(*place, _marker(name), color=_colour(name))
        title = name.removeprefix("exactmatch ")
        above = bool(len(axes.texts) % 2)
        is_climbed = name.startswith("smatch ")
        axes.annotate(
            title,
            place,
            (-7, 3) if is_climbed else (0, 7 if above else -14),
            textcoords="offset points",
            fontsize=8,
            ha="right" if is_climbed else "center",
        )
        if name == "exactmatch auto":
            axes.axhline(place[1], color=_colour(name), linewidth=0.8, label="optimum")
    if climbed:
        line = f"{_marker('smatch')}-"
        axes.plot(*zip(*sorted(climbed), strict=True), line, color=_COLOURS["smatch"])
    if axes.get_lines():
        axes.legend(frameon=False)
    axes.set_xscale("log")
    axes.set_xlabel("CPU seconds, whole command")
    axes.set_ylabel("corpus F1")
    axes.set_title(f"PARA test, {outcome['notes'][0]}", fontsize=10)
    axes.margins(0.15)
    return figure


def _rate(outcome: Mapping[str, Any]) -> Any:
    """Pairs a CPU second of every program, start-up and reading included."""
    from matplotlib.figure import Figure

    timed = _timed(outcome)
    pairs = int(outcome["notes"][0].split()[0].replace(",", ""))
    figure = Figure(figsize=(6, 0.4 + 0.34 * max(len(timed), 1)))
    axes = figure.add_subplot()
    names = sorted(timed, key=lambda name: -timed[name]["cpu s"])
    rates = [pairs / timed[name]["cpu s"] for name in names]
    bars = axes.barh(names, rates, color=[_colour(name) for name in names])
    axes.bar_label(bars, [f"{rate:,.0f}" for rate in rates], padding=3, fontsize=8)
    axes.set_xscale("log")
    axes.set_xlabel("pairs a CPU second, whole command")
    axes.margins(x=0.15)
    return figure


def _stamp(conditions: Mapping[str, Any]) -> str:
    """Return what determines the figures, on one line."""
    versions = [f"{name} {v}" for name, v in conditions["versions"].items() if v]
    parts = [
        " ".join(conditions["command"]),
        ", ".join(versions),
        f"Python {conditions['python']}",
        f"{conditions['machine']}, {conditions['processors']} processors, "
        f"load {conditions['load'][0]:.1f}",
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
            line = f"{_marker(name)}-"
            axes.plot(*zip(*points, strict=True), line, color=_colour(name), label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("variables a side")
    axes.set_ylabel("seconds a pair, median")
    if axes.get_lines():
        axes.legend(frameon=False)
    return figure


def _colour(name: str) -> str:
    return _COLOURS.get(name.split()[0], "black")


def _marker(name: str) -> str:
    return _MARKERS.get(name.split()[0], "o")
