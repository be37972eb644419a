"""Pictures for papers: PNG, SVG and PDF, by matplotlib where it is installed."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.errors import InputError, MissingExtraError
from exactmatch.writing.files import check_writable, write_bytes

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

KINDS = ("png", "svg", "pdf")
_COLOURS = ("#c1440e", "#0b6e4f", "#3b5998", "#8a6d3b", "#6b2d5c", "#444444")


def check(path: str | None) -> None:
    """Refuse a picture that could not be drawn, before any work is done.

    Raises:
        InputError: if the file's name does not say which kind of picture it is, or
            it cannot be written.
        MissingExtraError: if matplotlib is not installed.
    """
    if path is None:
        return
    if Path(path).suffix.lower().removeprefix(".") not in KINDS:
        raise InputError(f"{path}: a picture's name ends in .png, .svg or .pdf")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise MissingExtraError(
            "--plot needs matplotlib: pip install 'exactmatch[plot]'"
        ) from None
    check_writable(path)


def save(path: str, figure: Any) -> None:
    """Write a figure, at once and whole."""
    import matplotlib

    kind = Path(path).suffix.lower().removeprefix(".")
    content = io.BytesIO()
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context({"svg.hashsalt": "exactmatch"}):
        figure.savefig(
            content,
            format=kind,
            dpi=160,
            bbox_inches="tight",
            metadata=dated.get(kind),
        )
    write_bytes(path, content.getvalue())


@dataclass(frozen=True, slots=True)
class Band:
    """Corpus scores over restarts.

    Attributes:
        name: who searched.
        restarts: the numbers of restarts.
        low, mean, high: minimum, mean and maximum over the runs.
        below: share of pairs below the optimum.
    """

    name: str
    restarts: Sequence[int]
    low: Sequence[float]
    mean: Sequence[float]
    high: Sequence[float]
    below: Sequence[float]


@dataclass(frozen=True, slots=True)
class Panel:
    """The search error of one metric.

    Attributes:
        title: the metric, where there are several.
        optimum: the proven corpus score.
        bands: who searched, and what was found.
    """

    title: str
    optimum: float
    bands: Sequence[Band]


def search_errors(path: str, panels: Sequence[Panel]) -> None:
    """Draw corpus F1 (minimum, mean, maximum) and failed pairs over restarts.

    The left half is figure 2 of Song and Gildea (2019), with the optimum added;
    each metric has a row.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 3.4 * len(panels)))
    rows = figure.subplots(len(panels), 2, squeeze=False)
    for panel, (left, right) in zip(panels, rows, strict=True):
        _draw_search_error(panel, left, right)
    figure.tight_layout()
    save(path, figure)


def _draw_search_error(panel: Panel, left: Any, right: Any) -> None:
    left.axhline(100 * panel.optimum, color="black", linewidth=1, label="optimum")
    for band, colour in zip(panel.bands, _COLOURS, strict=False):
        low, mean, high = (
            [100 * v for v in vs] for vs in (band.low, band.mean, band.high)
        )
        left.fill_between(
            band.restarts, low, high, color=colour, alpha=0.2, linewidth=0
        )
        left.plot(
            band.restarts, mean, "o-", color=colour, markersize=3, label=band.name
        )
        share = [100 * value for value in band.below]
        right.plot(
            band.restarts, share, "o-", color=colour, markersize=3, label=band.name
        )
    left.set_ylabel("corpus F1 (minimum, mean, maximum)")
    right.set_ylabel("pairs below the optimum (%)")
    right.set_ylim(bottom=0)
    for axes in (left, right):
        axes.set_xlabel("restarts")
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize=8)
        axes.set_title(panel.title, loc="left", fontsize=10)
        axes.locator_params(axis="x", integer=True)
    left.ticklabel_format(useOffset=False)


def score_densities(path: str, scores: Mapping[str, npt.NDArray[np.float64]]) -> None:
    """Draw the density of each metric's scores, the first series bold.

    Source: Opitz, Parcalabescu and Frank (2020), figure 9; a Gaussian kernel with
    Scott's bandwidth, by SciPy.
    """
    import numpy as np
    from matplotlib.figure import Figure
    from scipy.stats import gaussian_kde

    figure = Figure(figsize=(5.5, 3.4))
    axes = figure.subplots()
    grid = np.linspace(-0.05, 1.05, 400)
    for number, (name, values) in enumerate(scores.items()):
        colour = "black" if number == 0 else _COLOURS[(number - 1) % len(_COLOURS)]
        if len(values) < 2 or np.ptp(values) == 0:
            axes.axvline(float(values.mean()), color=colour, label=name)
            continue
        density = gaussian_kde(values)(grid)
        axes.plot(grid, density, color=colour, lw=2 if number == 0 else 1.2, label=name)
    axes.set_xlabel("score")
    axes.set_ylabel("density")
    axes.set_xlim(-0.05, 1.05)
    axes.set_ylim(bottom=0)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, fontsize=8)
    figure.tight_layout()
    save(path, figure)


def kgram_growth(path: str, graphs: Sequence[tuple[int, tuple[int, ...]]]) -> None:
    """Draw the k-grams of graphs against their nodes: a panel for each k.

    A point is as large as graphs of these numbers are many; a straight line goes
    through them.

    Args:
        path: the picture's file.
        graphs: of each graph the nodes, and the k-grams of each order.

    Source: Song and Gildea (2019), figure 3.
    """
    import numpy as np
    from matplotlib.figure import Figure

    counts = np.array([(nodes, *totals) for nodes, totals in graphs], dtype=float)
    orders = counts.shape[1] - 1
    figure = Figure(figsize=(2.25 * orders + 0.5, 2.8))
    panels = figure.subplots(1, orders, sharey=True, squeeze=False)[0]
    ends = np.array([0.0, counts[:, 0].max()])
    for k, axes in enumerate(panels, 1):
        points, many = np.unique(counts[:, [0, k]], axis=0, return_counts=True)
        size = 1 + 12 * np.sqrt(many / many.max())
        axes.scatter(*points.T, s=size, color=_COLOURS[1], rasterized=True)
        if len(np.unique(counts[:, 0])) > 1:
            line = np.polynomial.Polynomial.fit(counts[:, 0], counts[:, k], 1)
            axes.plot(ends, line(ends), color=_COLOURS[0], linewidth=1)
        axes.set_title(f"k = {k}", fontsize=10)
        axes.set_xlabel("nodes")
        axes.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylim(bottom=0)
    panels[0].set_ylabel("k-grams")
    figure.tight_layout()
    save(path, figure)


def clusters(
    path: str,
    tree: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    names: Sequence[str],
) -> None:
    """Draw a dendrogram beside the matrix of scores, in the order of its leaves.

    Args:
        path: the file.
        tree: SciPy's linkage matrix of distances (1 less the score).
        scores: the matrix.
        names: what the rows are called; shown where they can be read.
    """
    from matplotlib.figure import Figure
    from scipy.cluster import hierarchy

    n = len(scores)
    size = min(max(4.0, 0.16 * n), 24.0)
    figure = Figure(figsize=(1.6 * size, size))
    left, right = figure.subplots(1, 2, width_ratios=(1, 2))
    drawn = hierarchy.dendrogram(
        tree,
        orientation="left",
        ax=left,
        no_labels=True,
        color_threshold=0,
        above_threshold_color="black",
    )
    left.set_xlabel("1 − score")
    left.spines[["top", "right", "left"]].set_visible(False)
    order = drawn["leaves"][::-1]
    image = right.imshow(
        scores[order][:, order], vmin=0, vmax=1, cmap="viridis", aspect="auto"
    )
    figure.colorbar(image, ax=right, label="score")
    right.set_xticks([])
    if n <= 150:
        right.set_yticks(range(n), [names[k] for k in order], fontsize=6)
    else:
        right.set_yticks([])
    figure.tight_layout()
    save(path, figure)
