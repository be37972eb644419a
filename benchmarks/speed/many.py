"""Many graphs with many: matrices, searches and consensus beside plain evaluation."""

from __future__ import annotations

from benchmarks.speed import texts
from benchmarks.speed.documents import PARA
from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle, ratio

_GRAPHS = 2000


def run(setting: Setting) -> Outcome:
    """Measure in pairs a second of CPU time, all in one process and one run."""
    pairs = texts.pairs_of(setting, PARA) + texts.pairs_of(setting, texts.STS)
    graphs = [text for pair in pairs for text in pair]
    corpus = texts.written(setting, "many", [(text, text) for text in graphs])
    rates: dict[str, list[float]] = {}
    walls: dict[str, list[float]] = {}
    for turn in range(setting.repeats):
        finished, lines = run_ours(setting, "many.py", (corpus.gold, _GRAPHS))
        if finished.trouble:
            return Outcome((Row("exactmatch", note=finished.trouble),))
        for line in lines:
            rates.setdefault(line["what"], []).append(
                line["pairs"] / max(line["cpu"], 1e-9)
            )
            walls.setdefault(line["what"], []).append(line["wall"])
        setting.say(f"  run {turn + 1}: {rates['cdist'][-1]:,.0f} pairs a second")
    rows = tuple(
        Row(what, {"pairs/CPU s": middle(rates[what]), "wall s": middle(walls[what])})
        for what in rates
    )
    cdist = middle(rates["cdist"])
    measures = (
        Measure(
            "cdist",
            cdist,
            "at least",
            60_000,
            "pairs a CPU second",
        ),
        Measure(  # evaluate counts in the kernel, too, a pair at a time
            "cdist / evaluate",
            ratio(cdist, middle(rates["evaluate"])),
            "at least",
            1.5,
            "×",
        ),
        Measure(
            "cdist with at_least=0.8 / without",
            ratio(middle(rates["cdist, at_least=0.8"]), cdist),
            "at least",
            5.0,
            "×",
        ),
        Measure(
            "search / cdist, on the same bank",
            ratio(middle(rates["search, k=10"]), cdist),
            "at least",
            10.0,  # 25 in banks of 5,000 graphs, see banks.py
            "×",
        ),
        Measure(
            "cdist alone / with two workers, wall time",
            ratio(middle(walls["cdist"]), middle(walls["cdist, jobs=2"])),
            "at least",
            1.8,
            "×",
        ),
    )
    return Outcome(rows, measures, (f"{_GRAPHS:,} graphs of PARA and STS",))
