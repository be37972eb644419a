"""The papers' figures of single pairs: the pairs of ours that show the same.

Most figures show sentences of LDC corpora; of those, the sentences of the Little
Prince that show the effect most clearly stand here.  The graphs of figure 10 are in
the paper, so they are scored themselves.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from exactmatch_papers.tables.commands import Commands
from exactmatch_papers.tables.corpora import PARSERS, little_prince, vectors
from exactmatch_papers.tables.spec import Cell, Finding, Setting, Table

SHOWN = 5
"""Number of sentences of a table."""

PAIR = (
    """\
# ::snt This is not a good idea.
(g2 / good-02
    :ARG1 (i3 / idea
        :domain (t0 / this))
    :polarity -)
""",
    """\
# ::snt But it is not a good idea.
(c0 / contrast-01
    :ARG2 (i4 / idea
        :domain (it / it)
        :ARG1-of (g3 / good-02
            :polarity -)))
""",
)
"""Opitz et al. (2020), figure 10."""

PAIR_SCORES = {"sembleu": 0.38, "smatch": 0.63, "s2match": 0.74}
"""Their scores in the figure; people's is 0.8."""

DISAGREEMENTS = {
    "(a)": (0.200, 0.167, 0.200, 0.252),
    "(b)": (0.357, 0.387, 0.488, 0.460),
}
"""Figure 11: Smatch of CAMR's and of JAMR's parse, S²Match of both."""

Vector = npt.NDArray[np.float64]


def figure_4(setting: Setting) -> Finding:
    """Measure how far scores move when the two sides are exchanged."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    first, second = (prince.systems[name] for name in PARSERS)
    banks = {
        f"gold ↔ {PARSERS[0]}": (first, prince.references),
        f"gold ↔ {PARSERS[1]}": (second, prince.references),
        f"{PARSERS[0]} ↔ {PARSERS[1]}": (first, second),
    }
    points: dict[str, dict[str, tuple[Vector, Vector]]] = {}
    rows = []
    for title, metric in (("Smatch", "smatch"), ("SemBleu", "sembleu")):
        points[title] = {}
        for bank, (a, b) in banks.items():
            there = commands.scores(a, b, "--metric", metric)
            back = commands.scores(b, a, "--metric", metric)
            both = sorted(there.keys() & back.keys())
            x, y = (np.array([side[k] for k in both]) for side in (there, back))
            points[title][bank] = x, y
            moved = 100 * np.abs(x - y)
            numbers = (moved.mean(), *np.quantile(moved, (0.9, 0.99)), moved.max())
            cells = tuple(Cell(float(n), form=".2f") for n in numbers)
            rows.append((f"{title}, {bank}", cells))
    table = Table(
        "points between the score of (A, B) and that of (B, A)",
        ("pairs", "mean", "90 % below", "99 % below", "greatest"),
        tuple(rows),
    )
    pictures = {}
    if setting.draws:
        pictures["symmetry.svg"] = "scores of (A, B) against scores of (B, A)"
        _draw(setting.pictures / "symmetry.svg", points)
    return Finding((table,), tuple(commands.shown), (), pictures)


def figure_8(setting: Setting) -> Finding:
    """Return the parses that S²Match puts furthest above Smatch."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    files = (prince.systems[PARSERS[0]], prince.references)
    hard, soft = _hard_and_soft(commands, files)
    raised = sorted(hard.keys() & soft.keys(), key=lambda k: (hard[k] - soft[k], k))
    rows = [
        (
            f"sentence {k + 1}",
            tuple(
                Cell(100 * score, form=".1f")
                for score in (hard[k], soft[k], soft[k] - hard[k])
            ),
        )
        for k in raised[:SHOWN]
    ]
    published = (Cell(None, 53), Cell(None, 63), Cell(None, 10))
    table = Table(
        f"{PARSERS[0]}: sentences with the greatest differences",
        ("sentence", "Smatch", "S²Match", "difference"),
        (*rows, ("the paper's", published)),
    )
    note = (
        "Smatch reads the graphs as S²Match does, so that all of the difference comes "
        "from pairs of unlike concepts. With the same options, `exactmatch align` "
        "shows the pairs."
    )
    return Finding((table,), tuple(commands.shown), (note,))


def figure_10(setting: Setting) -> Finding:
    """Two sentences of STS, with the graphs that the figure prints."""
    commands = Commands(setting)
    files = [setting.work / f"figure-10.{side}.amr" for side in ("first", "second")]
    for path, graph in zip(files, PAIR, strict=True):
        path.write_text(graph, encoding="utf-8")
    rows = []
    for title, metric, options in (
        ("SemBleu", "sembleu", []),
        ("Smatch", "smatch", []),
        ("S²Match", "s2match", vectors(setting.data)),
    ):
        (score,) = commands.scores(*files, "--metric", metric, *options).values()
        rows.append((title, (Cell(score, PAIR_SCORES[metric], ".3f"),)))
    rows.append(("people", (Cell(None, 0.8, ".3f"),)))
    table = Table(
        "This is not a good idea. – But it is not a good idea.",
        ("", "similarity"),
        tuple(rows),
    )
    return Finding((table,), tuple(commands.shown))


def figure_11(setting: Setting) -> Finding:
    """Sentences whose parses Smatch and S²Match order differently."""
    commands = Commands(setting)
    prince = little_prince(setting.data, setting.work)
    sides = [
        _hard_and_soft(commands, (prince.systems[name], prince.references))
        for name in PARSERS
    ]
    shared = set.intersection(*(set(scores) for side in sides for scores in side))
    clear = {}
    for k in shared:
        hard, soft = (sides[0][m][k] - sides[1][m][k] for m in range(2))
        if hard * soft < 0 and min(abs(hard), abs(soft)) > 1e-9:
            clear[k] = min(abs(hard), abs(soft))
    rows = [
        (
            f"sentence {k + 1}",
            tuple(Cell(side[m][k], form=".3f") for m in range(2) for side in sides),
        )
        for k in sorted(clear, key=lambda k: (-clear[k], k))[:SHOWN]
    ]
    rows += [
        (f"the paper's {name}", tuple(Cell(None, score, ".3f") for score in scores))
        for name, scores in DISAGREEMENTS.items()
    ]
    header = [
        f"{metric}, {name}" for metric in ("Smatch", "S²Match") for name in PARSERS
    ]
    table = Table(
        f"{len(clear)} of {len(shared)} sentences, the clearest first",
        ("sentence", *header),
        tuple(rows),
    )
    note = (
        "The paper's parsers are CAMR, in the columns of "
        f"{PARSERS[0]}, and JAMR. `exactmatch compare` lists such sentences of any "
        "systems and metrics."
    )
    return Finding((table,), tuple(commands.shown), (note,))


def _hard_and_soft(
    commands: Commands, files: tuple[Path, Path]
) -> tuple[dict[int, float], dict[int, float]]:
    """Smatch and S²Match of each pair, of graphs that are read alike."""
    vector_options = vectors(commands.setting.data)
    return (
        commands.scores(*files, "--metric", "smatch", "--profile", "s2match"),
        commands.scores(*files, "--metric", "s2match", *vector_options),
    )


def _draw(path: Path, points: dict[str, dict[str, tuple[Vector, Vector]]]) -> None:
    from matplotlib.figure import Figure

    from exactmatch.views import pictures as plots

    figure = Figure(figsize=(6.4, 3.4))
    for axes, (metric, banks) in zip(
        figure.subplots(1, len(points)), points.items(), strict=True
    ):
        axes.plot((0, 1), (0, 1), color="#bbbbbb", linewidth=0.8)
        for (bank, (x, y)), colour in zip(
            banks.items(), ("#0b6e4f", "#c1440e", "#3b5998"), strict=True
        ):
            axes.plot(x, y, "o", color=colour, markersize=2, label=bank)
        axes.set_title(metric, fontsize=9)
        axes.set_xlabel("(A, B)")
        axes.set_ylabel("(B, A)")
        axes.set_aspect("equal")
        axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=7)
    figure.tight_layout()
    plots.save(str(path), figure)
