"""Two parsers ranked: by people, by metrics, and how far the metrics agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from exactmatch import GraphError, make_metric
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.scoring.exchange import Matrix
from exactmatch.scoring.resampling import resampling_counts
from exactmatch.scoring.rows import rows_of
from exactmatch.studies.correlate.human import majority, read_judgement
from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import (
    PARSERS,
    LittlePrince,
    little_prince,
    vectors,
)
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table, range_of

SAMPLES = 1000
HEADLINE = 2
"""The place of the score among precision, recall and score."""

STANDINGS = {
    "Smatch": "Lyu 73.7, Gros 70.2, Guo 68.7, JAMR 67.0, CAMR 62.0",
    "SemBleu": "Lyu 52.7, Guo 50.1, Gros 50.0, JAMR 46.8, CAMR 37.2",
}
"""Song and Gildea (2019), table 4, LDC2015E86."""

ACCURACIES = {"Smatch": (67.9, 90.3), "SemBleu": (69.0, 90.9)}
"""Song and Gildea (2019), table 2: the two closest pairs of systems."""

DISAGREEMENT = {
    ("SM→", "SM←"): 1.5,
    ("SM→", "SB→"): 17.6,
    ("SM→", "SB←"): 19.0,
    ("SM→", "S²M→"): 4.0,
    ("SM→", "S²M←"): 4.1,
    ("SM←", "SB→"): 17.9,
    ("SM←", "SB←"): 19.5,
    ("SM←", "S²M→"): 3.9,
    ("SM←", "S²M←"): 4.0,
    ("SB→", "SB←"): 8.1,
    ("SB→", "S²M→"): 18.4,
    ("SB→", "S²M←"): 19.2,
    ("SB←", "S²M→"): 19.1,
    ("SB←", "S²M←"): 19.3,
    ("S²M→", "S²M←"): 1.2,
}
"""Opitz et al. (2020), table 8, in percent."""

Vector = npt.NDArray[np.float64]


def sembleu_table_2(setting: Setting) -> Finding:
    """Count how often resampled corpora are ranked as people rank them."""
    prince = little_prince(setting.data, setting.work)
    systems, golds = prince.texts()
    human = majority(read_judgement(str(prince.preference)).answers)
    vector_options = vectors(setting.data)
    metrics = (
        ("Smatch", make_metric("smatch")),
        (
            "S²Match",
            make_metric(
                "s2match", vectors=str(vector_options[1]) if vector_options else None
            ),
        ),
        ("SemBleu", make_metric("sembleu", ngram=3)),
    )
    rng = np.random.default_rng(setting.seed)
    (counts,) = resampling_counts(len(golds), SAMPLES, rng)
    preferred = counts @ (human - 0.5)
    rows = []
    for title, metric in metrics:
        scorer = metric.score_rows
        sides = [_statistics(metric, systems[name], golds) for name in PARSERS]
        read = np.array(
            [bool(a.any() and b.any()) for a, b in zip(*sides, strict=True)]
        )
        first, second = (
            scorer(counts[:, read] @ side[read])[:, HEADLINE] for side in sides
        )
        agreeing = np.sign(first - second) == np.sign(preferred)
        low, high = ACCURACIES.get(title, (None, None))
        beside = None if low is None else f"{low} to {high} for the close pairs"
        rows.append((title, (Cell(f"{100 * agreeing.mean():.1f}", beside),)))
    wins = [int((human == side).sum()) for side in (1.0, 0.0)]
    note = (
        f"{SAMPLES} corpora of {len(golds)} sentences, seed {setting.seed}. People "
        f"preferred {PARSERS[0]} {wins[0]} times and {PARSERS[1]} {wins[1]} times; a "
        "corpus counts as right when the metric puts the same parser above as the sum "
        "of its preferences does. SemBleu's official code refuses one graph; its "
        "sentence has no part in SemBleu's scores."
    )
    table = Table(
        f"bootstrap accuracy, {PARSERS[0]} vs {PARSERS[1]}",
        ("metric", "%"),
        tuple(rows),
    )
    return Finding((table,), (), (note,))


def sembleu_table_4(setting: Setting) -> Finding:
    """Return the parsers' ranks by SemBleu and Smatch, with intervals and p-values."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    comparison = _compared(commands, prince, "smatch,sembleu")
    rows = []
    for system in comparison["systems"]:
        title = {"smatch": "Smatch", "sembleu": "SemBleu"}[system["metric"]]
        rows.append(
            (
                f"{title}, {system['system']}",
                (
                    Cell(system["rank"], form="d"),
                    Cell(100 * system["score"], form=".2f"),
                    range_of(system["score_low"], system["score_high"]),
                    Cell(system["p_value"], form=".3f"),
                ),
            )
        )
    notes = tuple(
        f"Published for {metric} on LDC2015E86: {ranks}."
        for metric, ranks in STANDINGS.items()
    )
    table = Table(
        "two Little Prince parsers",
        ("system", "rank", "score", "95 %", "p"),
        tuple(rows),
    )
    return Finding((table,), tuple(commands.shown), notes)


def opitz_table_8(setting: Setting) -> Finding:
    """Count how often two metrics, or directions of one, prefer different parses."""
    from scipy.stats import ttest_rel

    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    preferences: dict[str, Vector] = {}
    for short, metric, options in (
        ("SM", "smatch", []),
        ("SB", "sembleu", []),
        ("S²M", "s2match", vectors(setting.data)),
    ):
        for arrow in ("→", "←"):
            scores = []
            for name in PARSERS:
                files = [prince.systems[name], prince.references]
                if arrow == "←":
                    files.reverse()
                scores.append(commands.scores(*files, "--metric", metric, *options))
            preferences[short + arrow] = _less(*scores)
    names = list(preferences)
    rows = []
    for k, first in enumerate(names):
        cells: list[Cell] = []
        for place, second in enumerate(names):
            if place <= k:
                cells.append(Cell(""))
                continue
            ours, theirs = _shared(preferences[first], preferences[second])
            share = 100 * float((ours * theirs < 0).mean())
            different = np.ptp(ours - theirs) > 0
            p = float(ttest_rel(ours, theirs).pvalue) if different else 1.0
            published = DISAGREEMENT[first, second]
            cells.append(Cell(f"{share:.1f}{'†' * (p < 0.005)}", f"{published:.1f}"))
        rows.append((first, tuple(cells)))
    note = (
        "SM Smatch, SB SemBleu, S²M S²Match; → parse against gold, ← gold against "
        "parse; † the metrics' differences between the parses differ with p < 0.005 "
        "(paired t-test)."
    )
    table = Table(
        "sentences whose two parses the metrics order differently, %",
        ("", *names),
        tuple(rows),
    )
    return Finding((table,), tuple(commands.shown), (note,))


def opitz_table_9(setting: Setting) -> Finding:
    """Return the parsers' ranks by four metrics, and errors of graphs' shapes."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    comparison = _compared(commands, prince, "smatch,sembleu,s2match,yisi")
    turned = {
        name: commands.metric(
            *(prince.references, prince.systems[name]),
            *("--metric", "sembleu", "--on-error", "skip"),
        )
        for name in PARSERS
    }
    rows = []
    for name in PARSERS:
        systems = {s["metric"]: s for s in comparison["systems"] if s["system"] == name}
        backward = _score_of(turned[name])
        rank = 1 + sum(_score_of(other) > backward for other in turned.values())
        shape = comparison["structure"][name]
        cells = [
            *(
                _ranked(systems[m]["score"], systems[m]["rank"])
                for m in ("smatch", "sembleu")
            ),
            _ranked(backward, rank),
            *(
                _ranked(systems[m]["score"], systems[m]["rank"])
                for m in ("s2match", "yisi")
            ),
            Cell(shape["degree"], form=".3f"),
            Cell(shape["density"], form=".4f"),
        ]
        rows.append((name, tuple(cells)))
    for name, *figures in (
        ("STOG (published)", "76.3 [1]", "59.6 [1]", "58.9 [1]", "77.9 [1]"),
        ("GPLA (published)", "74.5 [2]", "54.2 [3]", "52.9 [3]", "76.2 [2]"),
        ("TOP-DOWN (published)", "73.2 [3]", "54.5 [2]", "53.1 [2]", "75.0 [3]"),
    ):
        shape = {"S": ("0.08", "0.0069"), "G": ("0.08", "0.0068")}.get(
            name[0], ("0.11", "0.0078")
        )
        rows.append((name, tuple(map(Cell, (*figures, "", *shape)))))
    table = Table(
        "scores with ranks, and structural error",
        (
            "parser",
            "Smatch",
            "SemBleu(parse, gold)",
            "SemBleu(gold, parse)",
            "S²Match",
            "YiSi on graphs",
            "node degree",
            "density",
        ),
        tuple(rows),
    )
    p_values = "; ".join(
        f"{s['metric']} {s['p_value']:.3f}"
        for s in comparison["systems"]
        if s["p_value"] is not None
    )
    note = f"Paired bootstrap, p of the difference between the two: {p_values}."
    return Finding((table,), tuple(commands.shown), (note,))


def _statistics(metric: Metric, preds: list[str], golds: list[str]) -> Matrix:
    """Return each pair's statistics; zeros where the metric cannot read a graph."""
    rows: list[Statistics] = []
    for texts in zip(preds, golds, strict=True):
        try:
            pair = [metric.read(text).item for text in texts]
        except GraphError:
            rows.append(())
            continue
        rows.append(metric.measure(*pair).statistics)
    return rows_of(rows)


def _compared(commands: Commands, prince: LittlePrince, metrics: str) -> Any:
    setting = commands.setting
    files = [prince.systems[name] for name in PARSERS]
    vector_options = vectors(setting.data) if "s2match" in metrics else []
    return commands.json(
        *("compare", prince.references, *files, "--names", ",".join(PARSERS)),
        *(
            "--metric",
            metrics,
            *vector_options,
            "--seed",
            setting.seed,
            "--on-error",
            "skip",
        ),
    )


def _less(first: Mapping[int, float], second: Mapping[int, float]) -> Vector:
    """Score differences by pair; NaN where one is missing, 0 where they are equal."""
    last = max((*first, *second)) + 1
    differences = np.full(last, np.nan)
    for k in first.keys() & second.keys():
        difference = second[k] - first[k]
        differences[k] = 0.0 if abs(difference) < 1e-12 else difference
    return differences


def _shared(first: Vector, second: Vector) -> tuple[Vector, Vector]:
    """Return both at the pairs that have both."""
    size = min(len(first), len(second))
    first, second = first[:size], second[:size]
    known = ~(np.isnan(first) | np.isnan(second))
    return first[known], second[known]


def _ranked(score: float, rank: int) -> Cell:
    return Cell(f"{100 * score:.1f} [{rank}]")


def _score_of(answer: Any) -> float:
    return float(answer["score"])
