"""Whole commands on PARA test by metric, in CPU time: none is slow without need."""

from __future__ import annotations

from functools import partial

from benchmarks.speed import texts
from benchmarks.speed.measuring import in_turns, run
from benchmarks.speed.programs import passes_python_path, row_of
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, ratio

_COMMANDS: dict[str, tuple[str, ...]] = {
    "smatch": ("score",),
    "smatch -j 2": ("score", "-j", "2"),
    "hungarian": ("score", "--solver", "hungarian"),
    "s2match": ("score", "--metric", "s2match"),
    "sembleu": ("score", "--metric", "sembleu"),
    "yisi": ("score", "--metric", "yisi"),
    "yisi -j 2": ("score", "--metric", "yisi", "-j", "2"),
    "yisi --cache": ("score", "--metric", "yisi", "--cache", "kept"),
    "all": ("score", "--metric", "all"),
    "finegrained": ("finegrained",),
    "explain-profile": ("explain-profile",),
}

_TARGETS = {
    "hungarian": 0.7,
    "s2match": 0.85,
    "sembleu": 0.5,
    "yisi": 2.85,
    "all": 6.75,
    "finegrained": 1.75,
    "explain-profile": 4.95,
}
"""The CPU seconds that each should take at most: half of what it once took."""


def metrics(setting: Setting) -> Outcome:
    """Run every command in turns; the cache is filled before the counted runs."""
    corpus = texts.para(setting)
    files = [str(corpus.pred), str(corpus.gold), "--quiet"]
    keep = passes_python_path(setting)
    runs = in_turns(
        {
            name: partial(
                run,
                [setting.our_python, "-m", "exactmatch", command, *files, *options],
                setting.work,
                python_path=keep,
            )
            for name, (command, *options) in _COMMANDS.items()
        },
        setting.repeats,
        max(setting.warmup, 1),
        setting.say,
    )
    rows = {name: row_of(name, kept) for name, kept in runs.items()}
    measures = [
        Measure(f"{name}, CPU", _cpu(rows[name]), "at most", most, " s")
        for name, most in _TARGETS.items()
    ]
    for name in ("smatch", "yisi"):
        dearer = ratio(_cpu(rows[f"{name} -j 2"]), _cpu(rows[name]))
        text = f"CPU of {name} in two processes / in one"
        measures.append(Measure(text, dearer, "at most", 1.2, "×"))
    notes = (f"{corpus.pairs:,} pairs; yisi --cache finds all of them in its cache",)
    return Outcome(tuple(rows.values()), tuple(measures), notes)


def _cpu(row: Row) -> float | None:
    """Return the CPU seconds of a row, if its command came to an end."""
    cpu = row.figures.get("cpu s")
    return float(cpu) if isinstance(cpu, int | float) else None
