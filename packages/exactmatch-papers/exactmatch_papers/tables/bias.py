"""Costs of one wrong node by its position (table 4), and the seven principles."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from exactmatch import Graph, Triple, make_metric
from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import little_prince, vectors
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

DEGREES = (2, 3, 4, 5)
ORDER = 3
LEVELS = 4
"""Levels below the root: a branching node with two levels above and two below it."""

COUNTS: dict[str, Callable[[int], int]] = {
    "d leaves": lambda d: 3 * d,
    "root": lambda d: d * d + d + 1,
    "branching node": lambda d: d * d + 2 * d + 3,
}
"""Opitz et al. (2020), footnote 9: k-grams (k = 1 to 3) that wrong nodes hit."""

TICKS = {
    "I": ("✓", "✓", "✓"),
    "II": ("✓ε", "✗", "✓δ<ε"),
    "III": ("✓ε", "✗", "✓δ<ε"),
    "IV": ("✓ε", "✓", "✓δ<ε"),
    "V": ("✓", "✗", "✓"),
    "VI": ("✓", "✗", "✓"),
    "VII": ("✗", "✗", "✓ (lexical)"),
}
"""Opitz et al. (2020), table 10: Smatch (climbed), SemBleu, S²Match."""


def table_4(setting: Setting) -> Finding:
    """K-grams and triples hit by errors at the root, a branching node, d leaves."""
    commands = Commands(setting)
    counted = {
        metric: [(degree, _hit(metric, degree)) for degree in DEGREES]
        for metric in ("sembleu", "smatch")
    }
    tables = []
    for metric, what in (
        ("sembleu", f"SemBleu: k-grams (k = 1 to {ORDER}) that are wrong"),
        ("smatch", "Smatch: triples that are wrong"),
    ):
        rows = []
        for degree, hit in counted[metric]:
            cells = tuple(
                Cell(
                    hit[place],
                    formula(degree) if metric == "sembleu" else None,
                    ".0f",
                )
                for place, formula in COUNTS.items()
            )
            rows.append((str(degree), cells))
        tables.append(Table(what, ("d", *COUNTS), tuple(rows)))
    prince = little_prince(setting.data, setting.work)
    tables.append(_on_data(commands, prince.gold))
    pictures = {}
    if setting.draws:
        pictures["bias.svg"] = (
            "k-grams and triples lost to wrong nodes in a tree of out-degree d"
        )
        _draw(setting.pictures / "bias.svg", counted)
    note = (
        "The formulas in brackets are the exact counts behind the paper's O(3d), "
        "O(d² + d) and O(d² + 2d) (its footnote 9). A triple of Smatch names a "
        "variable, not a concept, so one wrong concept is one wrong triple anywhere; "
        "the paper counts d and d + 1 triples for the root and a branching node in "
        "graphs without variables."
    )
    return Finding(tuple(tables), tuple(commands.shown), (note,), pictures)


def table_10(setting: Setting) -> Finding:
    """Return the seven principles, each a measured number."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    answer = commands.json(
        "principles",
        *(prince.parsed, prince.gold),
        *("--metric", "smatch,s2match,sembleu"),
        *vectors(setting.data),
        *("--seed", setting.seed, "--on-error", "skip"),
    )
    by_place: dict[str, dict[str, Any]] = {}
    for outcome in answer["outcomes"]:
        by_place.setdefault(outcome["principle"], {})[outcome["metric"]] = outcome
    metrics = list(next(iter(by_place.values())))
    marks = {"yes": "✓", "nearly": "ε", "no": "✗", "not measured": "–"}
    rows = []
    for numeral, outcomes in by_place.items():
        climbed, bleu, soft = TICKS[numeral]
        beside = {metrics[1]: climbed, "SemBleu": bleu, "S²Match": soft}
        cells = []
        for metric in metrics:
            outcome = outcomes[metric]
            shown = f"{marks[outcome['tick']]} {outcome['measured']}"
            cells.append(Cell(shown, beside.get(metric)))
        name = next(iter(outcomes.values()))["name"]
        rows.append((f"{numeral}. {name}", tuple(cells)))
    table = Table("each tick with its number", ("principle", *metrics), tuple(rows))
    notes = tuple(f"{numeral}: {rule}." for numeral, rule in answer["rules"].items())
    return Finding((table,), tuple(commands.shown), notes)


def _hit(metric: str, degree: int) -> dict[str, float]:
    """Return what a wrong concept costs, in units of the metric, by position."""
    places = {
        "d leaves": [f"n{'.0' * (LEVELS - 1)}.{k}" for k in range(degree)],
        "root": ["n"],
        "branching node": ["n.0.0"],
    }
    options: dict[str, Any] = {"ngram": ORDER} if metric == "sembleu" else {}
    measure = make_metric(metric, **options)
    right = _tree(degree, frozenset())
    losses = {}
    for place, wrong in places.items():
        numbers = measure.measure(_tree(degree, frozenset(wrong)), right).statistics
        if metric == "sembleu":
            matched, total = sum(numbers[:ORDER]), sum(numbers[ORDER : 2 * ORDER])
        else:
            matched, total = numbers[0], numbers[2]
        losses[place] = total - matched
    return losses


def _tree(degree: int, wrong: frozenset[str]) -> Graph:
    """Return a complete tree of nodes with *degree* children, some concepts wrong."""
    triples, level = [], ["n"]
    for depth in range(LEVELS + 1):
        for node in level:
            concept = f"wrong{node}" if node in wrong else f"concept{node}"
            triples.append(Triple(node, "instance", concept))
        if depth == LEVELS:
            break
        for node in level:
            triples += [Triple(node, f"ARG{k}", f"{node}.{k}") for k in range(degree)]
        level = [f"{node}.{k}" for node in level for k in range(degree)]
    return Graph.from_triples(triples, "n")


def _on_data(commands: Commands, gold: Path) -> Table:
    """Measure what a wrong concept costs in real references, relative to a leaf."""
    answer = commands.json(
        "principles",
        *(gold, gold),
        *("--metric", "smatch,sembleu", "--no-hillclimb", "--runs", 2),
        *("--graphs", 200, "--seed", commands.setting.seed, "--on-error", "skip"),
    )
    rows = []
    for outcome in answer["outcomes"]:
        if outcome["principle"] != "V":
            continue
        leaf = outcome["leaf_data"]
        cells = tuple(
            Cell(outcome[f"{place}_data"] / leaf if leaf else None, form=".2f")
            for place in ("leaf", "root", "branching")
        )
        rows.append((str(outcome["metric"]), cells))
    return Table(
        "score lost to one wrong concept in gold and generated graphs, in units of one "
        "wrong leaf's",
        ("metric", "leaf", "root", "branching node"),
        tuple(rows),
    )


def _draw(path: Path, counted: dict[str, list[tuple[int, dict[str, float]]]]) -> None:
    from matplotlib.figure import Figure

    from exactmatch.views import pictures as plots

    figure = Figure(figsize=(5.5, 3.4))
    axes = figure.subplots()
    for metric, style in (("sembleu", "-"), ("smatch", ":")):
        title = "SemBleu" if metric == "sembleu" else "Smatch"
        points = counted[metric]
        for place, colour in zip(
            points[0][1], ("#0b6e4f", "#c1440e", "#3b5998"), strict=True
        ):
            axes.plot(
                [degree for degree, _ in points],
                [hit[place] for _, hit in points],
                "o" + style,
                color=colour,
                markersize=3,
                label=f"{title}, {place}",
            )
    axes.set_xlabel("out-degree d")
    axes.set_ylabel("wrong k-grams or triples")
    axes.set_xticks([degree for degree, _ in counted["sembleu"]])
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    plots.save(str(path), figure)
