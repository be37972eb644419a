"""Solving alone: how long each solver needs for the problems of PARA test."""

from __future__ import annotations

from typing import Any

from benchmarks.speed import texts
from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle, ratio

_MEAN = "mean ms"


def run(setting: Setting) -> Outcome:
    """Solve every problem with ``bnb``, ``auto`` and the solvers of the setting."""
    corpus = texts.para(setting)
    rows = {}
    for solver in dict.fromkeys(("bnb", "auto", *setting.solvers)):
        finished, lines = run_ours(
            setting, "solve.py", (corpus.pred, corpus.gold, solver)
        )
        setting.say(f"  {solver}: {finished.trouble or f'{finished.wall:.2f} s'}")
        if finished.trouble:
            rows[solver] = Row(solver, note=finished.trouble)
        else:
            rows[solver] = Row(solver, _figures(lines))
    base = rows["bnb"].figures.get(_MEAN)
    measures = [
        Measure(
            f"{solver} / bnb, mean a pair",
            ratio(rows[solver].figures.get(_MEAN) if solver in rows else None, base),
            "at least",
            30.0,
            "×",
        )
        for solver in ("cpsat", "highs")
    ]
    return Outcome(tuple(rows.values()), tuple(measures), (f"{corpus.pairs} pairs",))


def _figures(lines: list[dict[str, Any]]) -> dict[str, Any]:
    seconds = [line["seconds"] for line in lines]
    return {
        _MEAN: 1000 * sum(seconds) / len(seconds),
        "median ms": 1000 * (middle(seconds) or 0.0),
        "worst ms": 1000 * max(seconds),
        "matched": sum(line["value"] for line in lines),
        "proven": sum(line["value"] == line["bound"] for line in lines),
    }
