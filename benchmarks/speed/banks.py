"""Searches in whole banks, and consensus over whole test sets."""

from __future__ import annotations

from typing import Any

from benchmarks.speed import texts
from benchmarks.speed.documents import PARA
from benchmarks.speed.programs import missing_peer
from benchmarks.speed.scripts import run_ours, run_peer
from benchmarks.speed.spec import Measure, Outcome, Row, Setting, middle, ratio

_COPIES = 100_000
_SENTENCES = 400
_CANDIDATES = 10
_SAMPLE = 40
"""Pairs of the consensus that smatch is given."""


def run(setting: Setting) -> Outcome:
    """Measure all of PARA and STS, perturbed copies of them, and an ensemble."""
    pairs = texts.pairs_of(setting, PARA) + texts.pairs_of(setting, texts.STS)
    graphs = [text for pair in pairs for text in pair]
    corpus = texts.written(setting, "banks", [(text, text) for text in graphs])
    few = setting.smoke
    sizes = {"all graphs": 0, "perturbed copies": 50 if few else _COPIES}
    rows: list[Row] = []
    measures: list[Measure] = []
    for name, copies in sizes.items():
        finished, lines = run_ours(setting, "bank.py", (corpus.gold, copies))
        if finished.trouble:
            rows.append(Row(name, note=finished.trouble))
            continue
        line_of = {line["what"]: line for line in lines}
        for what, line in line_of.items():
            rows.append(Row(f"{name}: {what}", _figures(line)))
        searching, scoring = line_of["search, k=10"], line_of["cdist"]
        measures.append(
            Measure(
                f"{name}, {scoring['graphs']:,}: cdist / search, a query",
                ratio(scoring["cpu"] / scoring["queries"], _each(searching)),
                "at least",
                200.0 if copies else 25.0,
                "×",
            )
        )
        if copies:
            peak = finished.peak / 1000
            measures.append(Measure("memory", peak, "at most", 1.0, " GB"))
    ours = (_SENTENCES, _CANDIDATES) if not few else (2, 3)
    finished, lines = run_ours(setting, "bank.py", (corpus.gold, *ours))
    if finished.trouble:
        rows.append(Row("ensemble", note=finished.trouble))
        return Outcome(tuple(rows), tuple(measures))
    (line,) = lines
    rows.append(Row(f"ensemble, {ours[0]} x {ours[1]}", {"cpu s": line["cpu"]}))
    measures.append(Measure("ensemble, CPU", line["cpu"], "at most", 1.2, " s"))
    peer = _peer_seconds(setting, graphs)
    if isinstance(peer, Row):
        rows.append(peer)
    elif peer is not None:
        looped = peer * line["pairs"]
        rows.append(Row("smatch -r 4, every pair (from a sample)", {"cpu s": looped}))
        times = ratio(looped, line["cpu"])
        text = "every pair by smatch -r 4 / ensemble"
        measures.append(Measure(text, times, "at least", 20.0, "×"))
    return Outcome(tuple(rows), tuple(measures))


def _figures(line: dict[str, Any]) -> dict[str, Any]:
    return {
        "graphs": line["graphs"],
        "queries": line["queries"],
        "cpu ms/query": 1000 * _each(line),
    }


def _each(line: dict[str, Any]) -> float:
    """CPU seconds of a query."""
    return float(line["cpu"] / line["queries"])


def _peer_seconds(setting: Setting, graphs: list[str]) -> Row | float | None:
    """Mean seconds of a pair under smatch ``-r 4``, or why there are none."""
    if "smatch" not in setting.peers:
        return None
    missing = missing_peer(setting.peer_python, "smatch")
    if missing:
        return Row("smatch -r 4", note=missing)
    step = max(1, len(graphs) // _SAMPLE)
    chosen = graphs[::step][:_SAMPLE]
    sample = list(zip(chosen, chosen[1:] + chosen[:1], strict=True))
    corpus = texts.written(setting, "consensus", sample)
    arguments = (corpus.pred, corpus.gold, 4)
    finished, lines = run_peer(setting, "smatch_pairs.py", arguments, 120.0)
    if finished.trouble:
        return Row("smatch -r 4", note=finished.trouble)
    return middle([sum(line["seconds"] for line in lines) / len(lines)])
