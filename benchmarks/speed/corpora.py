"""Whole commands on corpora of sentences: ours, the peers', and penman alone."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.speed import programs, texts
from benchmarks.speed.measuring import in_turns, run
from benchmarks.speed.programs import compared, row_of
from benchmarks.speed.spec import Figure, Measure, Outcome, Row, Setting, ratio

_WORKERS = Path(__file__).parent / "workers"
_OURS = "exactmatch auto"


def para(setting: Setting) -> Outcome:
    """PARA test."""
    return _beside_peers(
        setting,
        texts.para(setting),
        {"smatch -r 4": 12.0, "smatchpp ilp": 30.0},
    )


def sts(setting: Setting) -> Outcome:
    """STS test."""
    return _beside_peers(setting, texts.sts(setting), {"smatch -r 4": 5.0})


def small(setting: Setting) -> Outcome:
    """Pairs of at most six variables, where start-up and reading are everything."""
    return _beside_peers(setting, texts.small(setting), {"smatch -r 4": 1.2})


def _beside_peers(
    setting: Setting, corpus: texts.Corpus, least_of: dict[str, float]
) -> Outcome:
    rows = compared(setting, programs.field(setting), corpus)
    ours = rows[_OURS]
    base = ours.figures.get("wall s")
    beside = tuple(_beside(row, ours, "ours") for row in rows.values())
    measures = [
        Measure(
            f"{name} / {_OURS}, wall time",
            ratio(rows[name].figures.get("wall s") if name in rows else None, base),
            "at least",
            least,
            "×",
        )
        for name, least in least_of.items()
    ]
    return Outcome(beside, tuple(measures), (f"{corpus.pairs:,} pairs",))


def _beside(row: Row, other: Row, name: str) -> Row:
    """Return a row with its wall and CPU time in multiples of another's."""
    if not row.figures:
        return row
    times: dict[str, Figure] = {
        f"{kind} × {name}": ratio(
            row.figures[f"{kind} s"], other.figures.get(f"{kind} s")
        )
        for kind in ("wall", "cpu")
    }
    return replace(row, figures=row.figures | times)


def reading(setting: Setting) -> Outcome:
    """Our whole command beside ``penman.decode`` of the same files in a bare script."""
    corpus = texts.para(setting)
    yardstick = "penman.decode alone"
    files = [str(corpus.pred), str(corpus.gold)]
    bare = [setting.our_python, str(_WORKERS / "decode.py"), *files]
    keep = programs.passes_python_path(setting)
    every = [programs.ours(), programs.ours(profile="clean")]
    runs = in_turns(
        {yardstick: partial(run, bare, setting.work, python_path=keep)}
        | {p.name: partial(p.execute, setting, corpus) for p in every},
        setting.repeats,
        setting.warmup,
        setting.say,
    )
    rows = [row_of(yardstick, runs[yardstick])]
    rows += [row_of(p.name, runs[p.name], p.read) for p in every]
    base = rows[0].figures.get("wall s")
    measures = [
        Measure(
            f"{row.name} / {yardstick}, wall time",
            ratio(row.figures.get("wall s"), base),
            "at most",
            most,
            "×",
        )
        for row, most in zip(rows[1:], (1.25, 2.5), strict=True)
    ]
    beside = tuple(_beside(row, rows[0], "penman") for row in rows)
    return Outcome(beside, tuple(measures), (f"{corpus.pairs:,} pairs",))
