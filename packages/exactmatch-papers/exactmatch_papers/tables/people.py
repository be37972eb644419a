"""Metrics beside people: preference of parses, similarity of sentences."""

from __future__ import annotations

from itertools import product

from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import (
    PARTS,
    TASKS,
    VARIANTS,
    bamboo,
    has_bamboo,
    little_prince,
    similarity,
    vectors,
)
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table, range_of

ACCURACY = {
    "Smatch": 76.5,
    "SemBleu": 81.5,
    "SemBleu (n=1)": 69.5,
    "SemBleu (n=2)": 78.0,
    "SemBleu (n=4)": 80.0,
}
"""Song and Gildea (2019), table 3, in percent."""

CORRELATION = {
    "sts": {
        "sembleu": (0.34, 0.25, 0.52, 0.51),
        "smatch": (0.25, 0.11, 0.55, 0.53),
        "s2match": (0.25, 0.10, 0.55, 0.53),
    },
    "sick": {
        "sembleu": (0.38, 0.32, 0.62, 0.66),
        "smatch": (0.25, 0.14, 0.64, 0.66),
        "s2match": (0.24, 0.13, 0.64, 0.66),
    },
}
"""Opitz et al. (2020), table 7: RMSE, RMSE of quantiles, Pearson, Spearman."""

SMATCH = (
    *(58.39, 59.75, 41.32, 58.03, 61.79, 39.47, 56.13, 57.37, 39.54),
    *(89.87, 98.32, 88.14),
)
BAMBOO = {
    "Smatch": SMATCH,
    "Smatch, read by S²Match": SMATCH,
    "S²Match": (
        *(56.39, 58.11, 42.40, 55.78, 59.97, 40.67, 56.04, 57.15, 40.93),
        *(93.67, 98.32, 91.26),
    ),
    "S²Match, cutoff 0.9": (
        *(58.70, 60.47, 42.52, 58.19, 62.37, 40.55, 56.62, 57.88, 41.15),
        *(89.87, 98.32, 92.24),
    ),
    "SemBleu": (
        *(56.54, 58.06, 32.82, 54.96, 58.53, 33.66, 53.19, 53.72, 28.96),
        *(81.01, 93.28, 77.79),
    ),
}
"""BAMBOO's table of results (README of flipz357/bamboo-amr-benchmark, 7 December
2023): Pearson's r × 100 for STS, SICK and PARA in the main, reify and syno sets,
accuracy in percent for role confusion."""

TITLES = {
    "smatch": "Smatch",
    "s2match": "S²Match",
    "sembleu": "SemBleu",
    "yisi": "YiSi on graphs",
}


def sembleu_table_3(setting: Setting) -> Finding:
    """Compare the preferences of people and metrics between two parses."""
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
        answer = commands.json(
            "correlate",
            *(prince.parsed, prince.gold, prince.preference),
            *("--metric", metric, *options, "--on-error", "skip"),
        )["metrics"][0]
        cells = (
            Cell(100 * answer["accuracy"], ACCURACY.get(title)),
            range_of(answer["accuracy_low"], answer["accuracy_high"]),
            *(Cell(answer[key], form="d") for key in ("right", "tied", "wrong")),
        )
        rows.append((title, cells))
        judged = max(judged, answer["decided"])
        undecided = max(undecided, answer["undecided"])
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
    notes = []
    for task, part in (("sts", "dev"), ("sts", "test"), ("sick", "test")):
        if not has_bamboo(setting.data, task, "main", part):
            notes.append(f"Not measured: $DATA lacks {task}/main, {part}, of BAMBOO.")
            continue
        plot: list[object] = []
        if (task, part) == ("sts", "test") and setting.draws:
            plot = ["--plot", setting.pictures / "densities.svg"]
            pictures["densities.svg"] = (
                "STS test: densities of the scores, people's in black (figure 9)"
            )
        answer = commands.json(
            "correlate",
            *bamboo(setting.data, task, "main", part),
            similarity(setting.data, task, part),
            *("--metric", "sembleu,smatch,s2match,yisi", *vectors(setting.data)),
            *("--seed", setting.seed, *plot),
        )
        rows = []
        for measured in answer["metrics"]:
            published = CORRELATION[task].get(measured["metric"], (None,) * 4)
            names = ("rmse", "quantile_rmse", "pearson", "spearman")
            cells = tuple(
                Cell(measured[name], beside, ".2f")
                for name, beside in zip(names, published, strict=True)
            )
            rows.append((TITLES[measured["metric"]], cells))
        tables.append(
            Table(
                f"{task.upper()} {part}: {answer['pairs']} pairs",
                ("metric", "RMSE", "RMSE (quantiles)", "Pearson", "Spearman"),
                tuple(rows),
            )
        )
    return Finding(tuple(tables), tuple(commands.shown), tuple(notes), pictures)


def bamboo_table(setting: Setting) -> Finding:
    """BAMBOO: correlation, and robustness to reification, synonyms, swapped roles."""
    commands = Commands(setting)
    vector_options = vectors(setting.data)
    tuned = [*vector_options, "--cutoff", 0.9, "--diffsense", 0.95]
    runs: tuple[tuple[str, list[object], str], ...] = (
        ("smatch,s2match,sembleu,yisi", vector_options, ""),
        ("smatch", ["--profile", "s2match"], ", read by S²Match"),
        ("s2match", tuned, ", cutoff 0.9"),
    )
    rows: dict[str, list[Cell]] = {}
    header = ["metric"]
    missing = []
    for variant, part, task in product(VARIANTS, PARTS, TASKS):
        if not has_bamboo(setting.data, task, variant, part):
            missing.append(f"{task}/{variant}, {part}")
            continue
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
                beside = _published(setting, title, task, variant, part)
                rows.setdefault(title, []).append(Cell(100 * here, beside))
    table = Table(
        "Pearson's r × 100; for role confusion, originals above their foils in %",
        tuple(header),
        tuple((title, tuple(rows[title])) for title in sorted(rows)),
    )
    notes = [
        "The two Smatch rows differ in reading, above all in the TOP triple: in smatch "
        "1.0.4 it matches wherever the roots are aligned, in S²Match's code only where "
        "their concepts are equal too. The published Smatch agrees with the latter."
    ]
    if missing:
        notes.append(f"Not measured: $DATA lacks {'; '.join(missing)}, of BAMBOO.")
    return Finding((table,), tuple(commands.shown), tuple(notes))


def _published(
    setting: Setting, title: str, task: str, variant: str, part: str
) -> float | None:
    """BAMBOO's own figure of a test part; beside dev where the test part is missing."""
    has_test = has_bamboo(setting.data, task, variant, "test")
    if title not in BAMBOO or (part == "dev" and has_test):
        return None
    place = VARIANTS.index(variant) * len(TASKS) + TASKS.index(task)
    return BAMBOO[title][place]
