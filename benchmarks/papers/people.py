"""Metrics beside people: preference of parses, similarity of sentences."""

from __future__ import annotations

from benchmarks.papers.commands import Commands
from benchmarks.papers.corpora import (
    TASKS,
    bamboo,
    little_prince,
    similarity,
    vectors,
)
from benchmarks.papers.spec import Cell, Finding, Setting, Table, range_of

ACCURACY = {
    "Smatch": 76.5,
    "SemBleu": 81.5,
    "SemBleu (n=1)": 69.5,
    "SemBleu (n=2)": 78.0,
    "SemBleu (n=4)": 80.0,
}
"""Song and Gildea (2019), table 3, in percent."""

CORRELATION = {
    "sembleu": (0.34, 0.25, 0.52, 0.51),
    "smatch": (0.25, 0.11, 0.55, 0.53),
    "s2match": (0.25, 0.10, 0.55, 0.53),
}
"""Opitz et al. (2020), table 7, STS: RMSE, RMSE of quantiles, Pearson, Spearman."""

SMATCH = (58.39, 41.32, 58.03, 39.47, 56.13, 39.54, 89.87, 88.14)
BAMBOO = {
    "Smatch": SMATCH,
    "Smatch, read by S²Match": SMATCH,
    "S²Match": (56.39, 42.40, 55.78, 40.67, 56.04, 40.93, 93.67, 91.26),
    "S²Match, cutoff 0.9": (58.70, 42.52, 58.19, 40.55, 56.62, 41.15, 89.87, 92.24),
    "SemBleu": (56.54, 32.82, 54.96, 33.66, 53.19, 28.96, 81.01, 77.79),
}
"""BAMBOO's table of results (README of flipz357/bamboo-amr-benchmark, 7 December
2023): Pearson's r × 100 for STS and PARA in the main, reify and syno sets, accuracy
in percent for role confusion."""

SETS = (
    ("main", "test"),
    ("main", "dev"),
    ("reify", "dev"),
    ("syno", "dev"),
    ("role_confusion", "dev"),
)
"""What of BAMBOO is measured."""

TITLES = {
    "smatch": "Smatch",
    "s2match": "S²Match",
    "sembleu": "SemBleu",
    "yisi": "YiSi on graphs",
}


def sembleu_table_3(setting: Setting) -> Finding:
    """Which of two parses people prefer, and which a metric does."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    runs: list[tuple[str, str, list[object]]] = [
        ("Smatch", "smatch", []),
        ("S²Match", "s2match", vectors(setting.data)),
        ("SemBleu", "sembleu", ["--ngram", 3]),
        ("YiSi on graphs", "yisi", vectors(setting.data)),
    ]
    for n in (1, 2, 4):
        runs.append((f"SemBleu (n={n})", "sembleu", ["--ngram", n]))
    rows = []
    judged = undecided = 0
    for title, metric, options in runs:
        found = commands.json(
            "correlate",
            *(prince.parsed, prince.gold, prince.preference),
            *("--metric", metric, *options, "--on-error", "skip"),
        )["metrics"][0]
        cells = (
            Cell(100 * found["accuracy"], ACCURACY.get(title)),
            range_of(found["accuracy_low"], found["accuracy_high"]),
            *(Cell(found[key], form="d") for key in ("right", "tied", "wrong")),
        )
        rows.append((title, cells))
        judged = max(judged, found["decided"])
        undecided = max(undecided, found["undecided"])
    header = ("metric", "accuracy, %", "95 %", "right", "tied", "wrong")
    table = Table("preference of one of two parses of a sentence", header, tuple(rows))
    note = (
        f"People preferred one parse of {judged} sentences and none of {undecided}; "
        "those count for no metric. SemBleu's official code refuses one graph, and its "
        "sentence is left out of SemBleu's rows."
    )
    return Finding((table,), tuple(commands.shown), (note,))


def opitz_table_7(setting: Setting) -> Finding:
    """Error and correlation of metrics with human similarity on STS."""
    commands = Commands(setting)
    tables, pictures = [], {}
    for part in ("dev", "test"):
        plot: list[object] = []
        if part == "test" and setting.draws:
            plot = ["--plot", setting.pictures / "densities.svg"]
            pictures["densities.svg"] = (
                "STS test: densities of the scores, people's in black (figure 9)"
            )
        found = commands.json(
            "correlate",
            *bamboo(setting.data, "sts", "main", part),
            similarity(setting.data, "sts", part),
            *("--metric", "sembleu,smatch,s2match,yisi", *vectors(setting.data)),
            *("--seed", setting.seed, *plot),
        )
        rows = []
        for measured in found["metrics"]:
            published = CORRELATION.get(measured["metric"], (None,) * 4)
            names = ("rmse", "quantile_rmse", "pearson", "spearman")
            cells = tuple(
                Cell(measured[name], beside, ".2f")
                for name, beside in zip(names, published, strict=True)
            )
            rows.append((TITLES[measured["metric"]], cells))
        tables.append(
            Table(
                f"STS {part}: {found['pairs']} pairs",
                ("metric", "RMSE", "RMSE (quantiles)", "Pearson", "Spearman"),
                tuple(rows),
            )
        )
    return Finding(tuple(tables), tuple(commands.shown), (), pictures)


def bamboo_table(setting: Setting) -> Finding:
    """BAMBOO: correlation, and robustness to reification, synonyms, swapped roles."""
    commands = Commands(setting)
    given = vectors(setting.data)
    tuned = [*given, "--cutoff", 0.9, "--diffsense", 0.95]
    runs: tuple[tuple[str, list[object], str], ...] = (
        ("smatch,s2match,sembleu,yisi", given, ""),
        ("smatch", ["--profile", "s2match"], ", read by S²Match"),
        ("s2match", tuned, ", cutoff 0.9"),
    )
    rows: dict[str, list[Cell]] = {}
    header = ["metric"]
    for variant, part in SETS:
        for task in TASKS:
            header.append(f"{task.upper()} {variant.replace('_', ' ')}, {part}")
            judged: list[object] = ["--foils"]
            if variant != "role_confusion":
                judged = [similarity(setting.data, task, part)]
            for metrics, options, how in runs:
                answer = commands.json(
                    "correlate",
                    *bamboo(setting.data, task, variant, part),
                    *(*judged, "--metric", metrics, *options),
                )
                for measured in answer["metrics"]:
                    title = TITLES[measured["metric"]] + how
                    here = measured.get("pearson", measured.get("accuracy"))
                    cell = Cell(100 * here, _published(title, task, variant, part))
                    rows.setdefault(title, []).append(cell)
    table = Table(
        "Pearson's r × 100; for role confusion, originals above their foils in %",
        tuple(header),
        tuple((title, tuple(rows[title])) for title in sorted(rows)),
    )
    note = (
        "The two Smatch rows differ in reading, above all in the TOP triple: in smatch "
        "1.0.4 it matches wherever the roots are aligned, in S²Match's code only where "
        "their concepts are equal too. The published Smatch agrees with the latter."
    )
    return Finding((table,), tuple(commands.shown), (note,))


def _published(title: str, task: str, variant: str, part: str) -> float | None:
    """BAMBOO's own figure; there is none for the dev part of its main sets."""
    if title not in BAMBOO or (variant, part) == ("main", "dev"):
        return None
    place = ("main", "reify", "syno", "role_confusion").index(variant)
    return BAMBOO[title][2 * place + TASKS.index(task)]
