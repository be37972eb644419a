"""All ordered pairs of many graphs: what scoring costs once graphs are read."""

from __future__ import annotations

from benchmarks.speed import texts
from benchmarks.speed.documents import LITTLE_PRINCE
from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle

_GRAPHS = 200


def run(setting: Setting) -> Outcome:
    """Score every ordered pair of the distinct gold graphs, in one Python call."""
    golds = dict.fromkeys(gold for _, gold in texts.pairs_of(setting, LITTLE_PRINCE))
    graphs = list(golds)[:_GRAPHS]
    corpus = texts.written(setting, "all-pairs", [(text, text) for text in graphs])
    rates = []
    figures: dict[str, int | float | str | None] = {}
    for turn in range(setting.repeats):
        finished, lines = run_ours(setting, "all_pairs.py", (corpus.gold,))
        if finished.trouble:
            return Outcome((Row("exactmatch auto", note=finished.trouble),))
        line = lines[-1]
        rates.append(line["pairs"] / line["seconds"])
        setting.say(f"  run {turn + 1}: {rates[-1]:,.0f} pairs a second")
        figures = {
            "pairs": line["pairs"],
            "pairs/s": middle(rates),
            "proven": line["proven"],
            "peak MB": finished.peak,
        }
    measure = Measure(
        "pairs a second", middle(rates), "at least", 5000.0, " pairs a second"
    )
    note = f"{len(graphs)} graphs"
    return Outcome((Row("exactmatch auto", figures),), (measure,), (note,))
