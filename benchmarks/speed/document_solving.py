"""Documents: long graphs, solved by ``auto`` and by HiGHS on the aggregated model."""

from __future__ import annotations

from typing import Any

from benchmarks.speed import texts
from benchmarks.speed.documents import document
from benchmarks.speed.measuring import Run
from benchmarks.speed.scripts import run_ours
from benchmarks.speed.spec import Figure, Measure, Outcome, Row, Setting, middle, ratio

_SOLVERS = ("auto", "highs")
_GRACE = 120.0


def size_250(setting: Setting) -> Outcome:
    """About 250 variables a side."""
    documents = _solved(setting, 250, 300.0)
    pairs = [(f["auto s"], f["highs s"]) for f in documents if f]
    times = [t for auto, highs in pairs if (t := ratio(highs, auto)) is not None]
    measures = (
        Measure(
            "proved by auto",
            _proved(documents, 300.0),
            "at least",
            float(len(documents)),
        ),
        Measure("highs / auto, median", middle(times), "at least", 3.0, "×"),
    )
    return _outcome(setting, documents, measures)


def size_500(setting: Setting) -> Outcome:
    """About 500 variables a side, within a minute."""
    documents = _solved(setting, 500, 60.0)
    measures = (
        Measure(
            "proved by auto", _proved(documents, 60.0), "at least", 0.8 * len(documents)
        ),
        Measure("widest interval", _worst(documents, "auto gap"), "at most", 2.0),
        Measure("peak memory", _worst(documents, "auto MB"), "at most", 1024.0, " MB"),
    )
    return _outcome(setting, documents, measures)


LIMITS = {250: 60.0, 500: 60.0, 1000: 120.0, 2000: 300.0}
"""Seconds for a document of so many variables a side."""


def every_size(setting: Setting) -> Outcome:
    """250, 500, 1,000 and 2,000 variables a side in one table."""
    rows: list[Row] = []
    measures: list[Measure] = []
    shares = {250: 1.0, 500: 1.0, 1000: 5 / 6}
    for size, limit in LIMITS.items():
        documents = _solved(setting, size, limit)
        outcome = _outcome(setting, documents, ())
        rows += [
            Row(f"{size} {row.name}", row.figures, row.note) for row in outcome.rows
        ]
        if size in shares:
            proved = _proved(documents, limit)
            least = float(int(shares[size] * len(documents)))
            measures.append(Measure(f"{size}: proved", proved, "at least", least))
    limits = ", ".join(f"{limit:g} s for {size}" for size, limit in LIMITS.items())
    return Outcome(tuple(rows), tuple(measures), (f"limits: {limits} variables",))


def _solved(
    setting: Setting, size: int, seconds: float
) -> list[dict[str, Figure | Any]]:
    """Solve one document for each seed by each solver; its figures, if any."""
    if setting.smoke:
        size = 20
    limit = seconds if setting.time_limit is None else setting.time_limit
    corpora = texts.long_texts(setting)
    rows: list[dict[str, Figure]] = []
    for seed in setting.seeds:
        pair = document(size, seed, corpora)
        corpus = texts.written(setting, f"document-{size}-{seed}", [pair])
        figures: dict[str, Figure] = {}
        for solver in _SOLVERS:
            finished, lines = run_ours(
                setting,
                "solve.py",
                (corpus.pred, corpus.gold, solver, limit),
                limit + _GRACE,
            )
            figures |= _figures(solver, finished, lines)
            state = finished.trouble or f"{lines[0]['seconds']:.2f} s"
            setting.say(f"  document {seed}, {solver}: {state}")
        rows.append(figures)
    return rows


def _figures(solver: str, finished: Run, lines: list[dict[str, Any]]) -> dict[str, Any]:
    if not lines:
        return {f"{solver} s": None, f"{solver} gap": finished.trouble}
    line = lines[0]
    cpu = {"auto CPU s": line["cpu"]} if solver == "auto" else {}
    return {
        "variables": f"{line['left']}×{line['right']}",
        "candidates": line["candidates"],
        "terms": line["terms"],
        f"{solver} s": line["seconds"],
        f"{solver} matched": line["value"],
        f"{solver} gap": line["bound"] - line["value"],
        f"{solver} proof": line["proof"],
        f"{solver} MB": finished.peak,
        **cpu,
    }


def _outcome(
    setting: Setting, documents: list[dict[str, Any]], measures: tuple[Measure, ...]
) -> Outcome:
    rows = [
        Row(f"seed {seed}", figures)
        for seed, figures in zip(setting.seeds, documents, strict=True)
    ]
    numeric = {"auto s", "auto CPU s", "highs s", "auto MB", "highs MB"}
    columns = {key for figures in documents for key in figures} & numeric
    rows.append(
        Row(
            "median",
            {
                key: middle([f[key] for f in documents if f.get(key) is not None])
                for key in columns
            },
        )
    )
    return Outcome(tuple(rows), measures)


def _proved(documents: list[dict[str, Any]], seconds: float) -> float:
    """Count the documents that ``auto`` proved in time."""
    return float(
        sum(f.get("auto gap") == 0 and f["auto s"] <= seconds for f in documents)
    )


def _worst(documents: list[dict[str, Any]], key: str) -> float | None:
    """Return the largest figure of a column; ``None`` where one is absent."""
    figures = [f.get(key) for f in documents]
    if not all(isinstance(figure, int | float) for figure in figures):
        return None
    return max(float(figure) for figure in figures if figure is not None)
