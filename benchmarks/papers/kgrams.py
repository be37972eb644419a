"""How many k-grams SemBleu extracts from a graph of so many nodes: figure 3."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from benchmarks.papers.corpora import bamboo
from benchmarks.papers.spec import Cell, Finding, Setting, Table
from benchmarks.speed.documents import read_graphs
from exactmatch import PROFILES, GraphError
from exactmatch.metrics.sembleu import kgrams, path_graph
from exactmatch.reading.anything import as_graph

MAX_ORDER = 4
Counts = npt.NDArray[np.float64]


def figure_3(setting: Setting) -> Finding:
    """K-grams against nodes, with a straight line through them."""
    from scipy.stats import linregress

    tables, pictures = [], {}
    corpora = (
        ("Little Prince, gold", [setting.data / "lp" / "gold.amr"]),
        (
            "STS and PARA, dev",
            [
                path
                for task in ("sts", "para")
                for path in bamboo(setting.data, task, "main", "dev")
            ],
        ),
    )
    drawn = {}
    for title, paths in corpora:
        counts, unread = _counts(paths)
        if unread:
            title += f" ({unread} that the official reading refuses left out)"
        drawn[title] = counts
        rows = []
        for k in range(1, MAX_ORDER + 1):
            line = linregress(counts[:, 0], counts[:, k])
            curve = np.polynomial.Polynomial.fit(
                counts[:, 0], counts[:, k], 2
            ).convert()
            bend = curve.coef[2] if len(curve.coef) > 2 else 0.0
            cells = (
                Cell(float(counts[:, k].mean()), form=".1f"),
                Cell(float(line.slope), form=".2f"),
                Cell(float(line.rvalue) ** 2, form=".3f"),
                Cell(float(bend), form=".4f"),
            )
            rows.append((str(k), cells))
        tables.append(
            Table(
                f"{title}: {len(counts)} graphs of {counts[:, 0].mean():.1f} nodes "
                f"(at most {counts[:, 0].max():.0f})",
                (
                    "k",
                    "k-grams a graph",
                    "more a node",
                    "R² of the line",
                    "quadratic term",
                ),
                tuple(rows),
            )
        )
    if setting.draws:
        pictures["kgrams.svg"] = "k-grams of a graph against its nodes"
        _draw(setting.pictures / "kgrams.svg", np.concatenate(list(drawn.values())))
    note = (
        "The paper finds the numbers roughly linear, those of unigrams exactly the "
        "nodes, and more scattered from bigrams to trigrams; it gives a picture and no "
        "numbers. Graphs with fewer unigrams than nodes have a part that no root leads "
        "to; the official code passes over it."
    )
    return Finding(tuple(tables), (), (note,), pictures)


def _counts(paths: list[Path]) -> tuple[Counts, int]:
    """Nodes and k-grams of each distinct graph, and how many cannot be read."""
    profile = PROFILES["sembleu"]
    rows, unread = [], 0
    texts = dict.fromkeys(text for path in paths for text in read_graphs(path))
    for text in texts:
        try:
            network = path_graph(as_graph(text, profile), profile)
        except GraphError:
            unread += 1
            continue
        totals = [c.total() for c in kgrams(network, MAX_ORDER, "official")]
        rows.append([len(network.labels), *totals])
    return np.array(rows, dtype=np.float64), unread


def _draw(path: Path, counts: Counts) -> None:
    """A panel for each k: points as large as graphs are many, and the line."""
    from matplotlib.figure import Figure

    from exactmatch.writing import pictures as plots

    figure = Figure(figsize=(9, 2.8))
    panels = figure.subplots(1, MAX_ORDER, sharey=True)
    ends = np.array([0.0, counts[:, 0].max()])
    for k, axes in enumerate(panels, 1):
        points, many = np.unique(counts[:, [0, k]], axis=0, return_counts=True)
        size = 1 + 12 * np.sqrt(many / many.max())
        axes.scatter(*points.T, s=size, color="#0b6e4f", rasterized=True)
        line = np.polynomial.Polynomial.fit(counts[:, 0], counts[:, k], 1)
        axes.plot(ends, line(ends), color="#c1440e", linewidth=1)
        axes.set_title(f"k = {k}", fontsize=10)
        axes.set_xlabel("nodes")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("k-grams")
    figure.tight_layout()
    plots.save(str(path), figure)
