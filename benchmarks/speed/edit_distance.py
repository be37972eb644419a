"""Exact graph edit distance: ours, our other solvers and networkx."""

from __future__ import annotations

from typing import Any

from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle

TARGETS = {"molecules 30": 50.0, "molecules 40": 300.0}
"""Milliseconds that the median pair ought to stay below."""


def run(setting: Setting) -> Outcome:
    """Return every family of graphs by each solver, proven or not within the limit."""
    usual = 0.2 if setting.smoke else 60.0
    limit = usual if setting.time_limit is None else setting.time_limit
    pairs = 1 if setting.smoke else 10
    data = "" if setting.data is None or setting.smoke else str(setting.data)
    lines: list[dict[str, Any]] = []
    notes = []
    for solver in ("auto", "highs", "cpsat", "networkx"):
        if solver in ("highs", "cpsat") and solver not in setting.solvers:
            continue
        arguments = (solver, limit, pairs, data)
        finished, records = run_ours(setting, "edit_distances.py", arguments)
        setting.say(f"  {solver}: {finished.trouble or f'{finished.wall:.2f} s'}")
        if finished.trouble:
            notes.append(f"{solver}: {finished.trouble}")
        lines += records
    families = dict.fromkeys(line["family"] for line in lines)
    rows = [
        Row(f"{family}, {solver}", _figures(records))
        for family in families
        for solver in dict.fromkeys(line["solver"] for line in lines)
        if (records := _of(lines, family, solver))
    ]
    measures = [
        Measure(
            f"{family}, median",
            _figures(_of(lines, family, "auto"))["median ms"],
            "at most",
            most,
            " ms",
        )
        for family, most in TARGETS.items()
        if _of(lines, family, "auto")
    ]
    if explained := _of(lines, "ExplaGraphs", "auto"):
        mean = _figures(explained)["mean ms"]
        measures.append(Measure("ExplaGraphs, mean", mean, "at most", 10.0, " ms"))
    return Outcome(
        tuple(rows),
        tuple(measures),
        (f"limit {limit:g} s a pair; {pairs} random pairs of each kind", *notes),
    )


def _of(lines: list[dict[str, Any]], family: str, solver: str) -> list[dict[str, Any]]:
    return [x for x in lines if (x["family"], x["solver"]) == (family, solver)]


def _figures(lines: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [line["seconds"] for line in lines]
    return {
        "pairs": len(lines),
        "median ms": 1000 * (middle(seconds) or 0.0),
        "mean ms": 1000 * sum(seconds) / len(seconds),
        "worst ms": 1000 * max(seconds),
        "proven": sum(line["proven"] for line in lines),
        "mean distance": sum(line["distance"] for line in lines) / len(lines),
    }
