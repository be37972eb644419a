"""Start-up: the CPU time of a command that has next to nothing to do."""

from __future__ import annotations

from functools import partial

from benchmarks.speed import texts
from benchmarks.speed.measuring import in_turns, run
from benchmarks.speed.programs import passes_python_path, row_of
from benchmarks.speed.spec import Measure, Outcome, Setting

_PAIR = (
    "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))",
    "(w / want-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 g))",
)
_REPEATS = 7


def startup(setting: Setting) -> Outcome:
    """Run ``--version`` and one pair of graphs with ``auto``."""
    corpus = texts.written(setting, "startup", [_PAIR])
    commands = {
        "exactmatch --version": ["--version"],
        "one pair, auto": [str(corpus.pred), str(corpus.gold), "--quiet"],
    }
    repeats = setting.repeats if setting.smoke else _REPEATS
    keep = passes_python_path(setting)
    runs = in_turns(
        {
            name: partial(
                run,
                [setting.our_python, "-m", "exactmatch", *arguments],
                setting.work,
                python_path=keep,
            )
            for name, arguments in commands.items()
        },
        repeats,
        setting.warmup,
        setting.say,
    )
    rows = tuple(row_of(name, kept) for name, kept in runs.items())
    measures = []
    for row, most in zip(rows, (0.1, 0.35), strict=True):
        cpu = row.figures.get("cpu s")
        figure = float(cpu) if isinstance(cpu, int | float) else None
        measures.append(Measure(f"{row.name}, CPU", figure, "at most", most, " s"))
    return Outcome(rows, tuple(measures))
