"""Pictures for papers: PNG, SVG and PDF, by matplotlib where it is installed.

Series differ in line, marker and hatching as well as in colour, so that everybody can
tell them apart, on grey paper, too.
"""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.files import check_writable, write_bytes
from exactmatch.base.numbers import fixed
from exactmatch.base.registry import installed

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

KINDS = ("png", "svg", "pdf")
COLUMN, PAGE = 3.3, 6.9  # inches of a paper's column, and of two with the gap
COLOURS = ("#332288", "#cc6677", "#117733", "#ddaa33", "#882255", "#44aa99")
"""Colours of different lightness, so that grey paper and the colour-blind keep them."""

_LOOK: dict[Any, Any] = {
    "text.parse_math": False,
    "font.size": 7,
    "axes.titlesize": 8,
    "axes.titlelocation": "left",
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)), (0, (1, 3)))
_MARKERS = ("o", "s", "^", "D", "v", "P", "X")
_HATCHES = ("//", "\\\\", "..", "xx", "||", "--")


def _series(number: int) -> dict[str, Any]:
    """Return the colour and line of a series; combinations repeat after 42 series."""
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": _LINES[number % len(_LINES)],
        "marker": _MARKERS[number % len(_MARKERS)],
    }


def check(path: str | None) -> None:
    """Refuse a picture that cannot be drawn, before any work is done.

    Raises:
        InputError: if the file's ending is not that of a picture, or the file cannot
            be written.
        MissingExtraError: if matplotlib is not installed.
    """
    if path is None:
        return
    if _kind(path) not in KINDS:
        raise InputError(f"{path}: a picture's name ends in .png, .svg or .pdf")
    installed("matplotlib", "--plot needs", "plot")
    check_writable(path)


def _kind(path: str) -> str:
    return Path(path).suffix.lower().removeprefix(".")


@contextmanager
def picture(path: str, width: float, height: float) -> Iterator[Any]:
    """Yield a figure of a size in inches, and write it to the file at the end.

    Texts are drawn literally: dollars do not begin a formula.  A letter that the font
    lacks is drawn as a box, without a warning from matplotlib.
    """
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_LOOK), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from")
        figure = Figure(figsize=(width, height), layout="constrained")
        yield figure
        save(path, figure)


def save(path: str, figure: Any) -> None:
    """Write a figure to a file, atomically."""
    import matplotlib

    kind = _kind(path)
    content = io.BytesIO()
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind)
    with matplotlib.rc_context({"svg.hashsalt": "exactmatch"}):
        figure.savefig(content, format=kind, dpi=300, metadata=dated)
    write_bytes(path, content.getvalue())


_LETTERS = 24  # of a name on one line of a picture, at most


def in_lines(name: str) -> str:
    """Break a name into lines that leave room for the picture.

    >>> print(in_lines("a-name-that-is-longer-than-a-line"))
    a-name-that-is-longer-
    than-a-line
    """
    return textwrap.fill(name, _LETTERS) or name


class Panel(NamedTuple):
    """Search errors of one metric.

    Each program has a row for each number of restarts: that number, the least, mean and
    greatest corpus score of its runs, and the share of pairs below the optimum.
    """

    title: str  # the metric, where there are several
    optimum: float  # the proven corpus score
    programs: Mapping[str, Sequence[tuple[int, float, float, float, float]]]


def search_errors(path: str, panels: Sequence[Panel]) -> None:
    """Draw corpus F1 (minimum, mean, maximum) and failed pairs over restarts.

    The left half is figure 2 of Song and Gildea (2019), with the optimum added;
    each metric has a row.
    """
    with picture(path, PAGE, 2.4 * len(panels)) as figure:
        rows = figure.subplots(len(panels), 2, squeeze=False, sharex=True)
        for panel, (left, right) in zip(panels, rows, strict=True):
            _draw_search_error(panel, left, right)
        ends = [left.get_ylim() for left, _ in rows]
        half = max(high - low for low, high in ends) / 2  # the same scale in every row
        highest = max(right.get_ylim()[1] for _, right in rows)
        for (left, right), (low, high) in zip(rows, ends, strict=True):
            left.set_ylim((low + high) / 2 - half, (low + high) / 2 + half)
            right.set_ylim(0, highest)


def _draw_search_error(panel: Panel, left: Any, right: Any) -> None:
    left.axhline(100 * panel.optimum, color="black", linewidth=1, label="optimum")
    for number, (name, rows) in enumerate(panel.programs.items()):
        look = _series(number)
        restarts, *shares = zip(*rows, strict=True)
        low, mean, high, below = (
            [100 * share for share in series] for series in shares
        )
        hatched = {"hatch": _HATCHES[number % len(_HATCHES)], "alpha": 0.35}
        hatched |= {"facecolor": "none", "edgecolor": look["color"], "linewidth": 0.5}
        left.fill_between(restarts, low, high, **hatched)
        for axes, values in ((left, mean), (right, below)):
            axes.plot(restarts, values, markersize=4, label=name, **look)
    left.set_ylabel("corpus F1 (min, mean, max)")
    right.set(ylabel="pairs below the optimum (%)", ylim=(0, None))
    for axes in (left, right):
        axes.set(xlabel="restarts", title=panel.title)
        axes.legend()
        axes.locator_params(axis="x", integer=True)
    left.ticklabel_format(useOffset=False)


def score_densities(path: str, scores: Mapping[str, npt.NDArray[np.float64]]) -> None:
    """Draw the density of each metric's scores, the first series bold.

    Source: Opitz, Parcalabescu and Frank (2020), figure 9; a Gaussian kernel with
    Scott's bandwidth, by SciPy, reflected at 0 and 1, where scores end (Silverman
    1986, section 2.10), so that no density lies where there can be no score.
    """
    with picture(path, COLUMN, 2.4) as figure:
        _draw_densities(figure.subplots(), scores)


def _draw_densities(axes: Any, scores: Mapping[str, npt.NDArray[np.float64]]) -> None:
    import numpy as np

    grid = np.linspace(0.0, 1.0, 401)
    for number, (name, raw) in enumerate(scores.items()):
        if not len(raw):
            continue
        look: dict[str, Any] = {"color": "black", "linestyle": "-"}
        if number:
            look = _series(number - 1)
        values = np.clip(raw, 0.0, 1.0)
        if len(values) < 2 or np.ptp(values) == 0:
            look.pop("marker", None)
            axes.axvline(float(values.mean()), label=name, **look)
            continue
        if number:
            look["markevery"] = 7 * number % 40, 40
        density = reflected_density(values, grid)
        width = 1.2 if number else 2
        axes.plot(grid, density, lw=width, markersize=4, label=name, **look)
    axes.set(xlabel="score", ylabel="density", xlim=(0, 1), ylim=(0, None))
    axes.legend()


def step_functions(
    path: str,
    series: Mapping[str, Sequence[tuple[float, float, float]]],
    x: str,
    y: str,
) -> None:
    """Draw step functions from 0 to 1, each as rows of low, high and value."""
    with picture(path, COLUMN, 2.4) as figure:
        axes = figure.subplots()
        for number, (name, rows) in enumerate(series.items()):
            look = _series(number)
            del look["marker"]
            ends = [rows[0][0], *(high for _, high, _ in rows)]
            values = [value for *_, value in rows]
            axes.stairs(values, ends, baseline=None, label=name, linewidth=1.4, **look)
        axes.set(xlabel=x, ylabel=y, xlim=(0, 1), ylim=(0, None))
        if len(series) > 1:
            axes.legend()


def reflected_density(
    values: npt.NDArray[np.float64], grid: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the density on a grid from 0 to 1, reflected at both ends; its area is 1.

    There must be two or more numbers, which are not all equal.
    """
    from scipy.stats import gaussian_kde

    kernel = gaussian_kde(values)
    density: npt.NDArray[np.float64] = kernel(grid) + kernel(-grid) + kernel(2 - grid)
    return density


class Cloud(NamedTuple):
    """Scores of the same things by people and by a metric, in the same order."""

    metric: str
    human: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]
    names: Sequence[str] = ()  # names of the things, if they are few


def human_scatter(
    path: str,
    clouds: Sequence[Cloud],
    scores: Mapping[str, npt.NDArray[np.float64]] | None = None,
) -> None:
    """Draw each metric's scores against people's, and the densities of all beside.

    Each cloud has a panel, with the line of least squares and Pearson's r.  The
    *scores* are the series of the densities, people's first.
    """
    total = len(clouds) + (scores is not None)
    columns = 2 if total == 4 else min(total, 3)
    rows = -(-total // columns)
    width = PAGE if columns > 1 else COLUMN
    with picture(path, width, rows * width / max(columns, 1.2)) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        cloud_panels = panels[: len(clouds)]
        for number, (cloud, axes) in enumerate(zip(clouds, cloud_panels, strict=True)):
            _draw_cloud(axes, cloud, number)
        low = min(axes.dataLim.y0 for axes in cloud_panels) - 0.03
        high = max(axes.dataLim.y1 for axes in cloud_panels) + 0.03
        for axes in cloud_panels:
            axes.set_ylim(low, high)
        if scores is not None:
            _draw_densities(panels[len(clouds)], scores)
        for axes in panels[total:]:
            axes.set_visible(False)


def _draw_cloud(axes: Any, cloud: Cloud, number: int) -> None:
    import numpy as np

    x, y = cloud.human, cloud.scores
    crowded = len(x) > 200
    look = _series(number)
    del look["linestyle"]
    size, alpha = (8, 0.35) if crowded else (20, 0.8)
    spots = spread(x), spread(y)
    axes.scatter(*spots, size, alpha=alpha, linewidths=0, rasterized=crowded, **look)
    if spots[0] is not x:
        axes.set_xticks(np.unique(x))
    title = ""
    if len(x) > 1 and np.ptp(x) > 0 and np.ptp(y) > 0:
        _draw_line(axes, x, y, (x.min(), x.max()))
        title = f"r = {fixed(float(np.corrcoef(x, y)[0, 1]), 3)}"
    for name, left, high in zip(cloud.names, x, y, strict=False):
        beside = {"xytext": (4, 3), "textcoords": "offset points", "fontsize": 7}
        axes.annotate(name, (left, high), **beside)
    axes.margins(x=0.12 if cloud.names else 0.05)
    axes.set(title=title, xlabel="people", ylabel=cloud.metric)


_LEVELS = 10  # different values at most around which numbers are spread


def spread(values: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Spread equal numbers around their value, so that they can be told apart.

    Otherwise judgements of 0 and 1 would hide each other.  A number stays nearer to its
    own value than to any other.

    >>> import numpy as np
    >>> spread(np.array([0.0, 0.0, 0.0, 0.0, 1.0, 1.0])).round(2).tolist()
    [-0.2, 0.0, -0.1, 0.1, 0.8, 1.0]
    """
    import numpy as np

    levels = np.unique(values)
    if not 1 < len(levels) <= min(_LEVELS, len(values) // 3):
        return values
    room = 0.4 * np.diff(levels).min()
    shown = values.copy()
    for level in levels:
        (places,) = np.nonzero(values == level)
        shown[places] += room * (np.array([_bits(k) for k in range(len(places))]) - 0.5)
    return shown


def _bits(number: int) -> float:
    """Return the fraction of a number's bits in reverse (van der Corput 1935)."""
    bits = f"{number:b}"[::-1]
    return int(bits, 2) / (1 << len(bits))


def _draw_line(axes: Any, x: Any, y: Any, ends: tuple[float, float]) -> None:
    import numpy as np

    line = np.polynomial.Polynomial.fit(x, y, 1)
    axes.plot(ends, line(np.array(ends)), color="black", linewidth=1, linestyle="--")


def clusters(
    path: str,
    tree: npt.NDArray[np.float64],
    scores: npt.NDArray[np.float64],
    names: Sequence[str],
    cut: float | None = None,
    labels: Sequence[int] | None = None,
) -> None:
    """Draw a dendrogram beside the matrix of scores, in the order of its leaves.

    The *tree* is SciPy's linkage matrix of distances (1 - score), which is cut into
    clusters at a distance; names are shown where they can be read.  *Labels* number
    the clusters of the graphs, whose branches, names and scores then have colours.
    """
    from scipy.cluster import hierarchy

    n = len(scores)
    leaves = hierarchy.leaves_list(tree)
    with picture(path, PAGE, min(max(2.6, 0.09 * n), 9.0)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1, 2))
        draw_dendrogram(left, tree, leaves, labels)
        if cut is not None:
            left.axvline(cut, color="0.4", linewidth=1, linestyle="--")
        order = leaves[::-1]
        looks = {"vmin": 0, "vmax": 1, "cmap": "Greys", "aspect": "auto"}
        image = right.imshow(scores[order][:, order], **looks)
        figure.colorbar(image, ax=right, label="score")
        right.set_xticks([])
        shown = [in_lines(names[k]) for k in order] if n <= 100 else []
        right.set_yticks(range(len(shown)), shown, fontsize=6)
        if labels is not None:
            _draw_clusters(right, [labels[k] for k in order])


def _colour(label: int) -> str:
    return COLOURS[label % len(COLOURS)]


def _draw_clusters(axes: Any, labels: Sequence[int]) -> None:
    """Frame the scores within each cluster, and write its graphs in its colour."""
    from matplotlib.patches import Rectangle

    begin = 0
    for label, members in groupby(labels):
        size = len(list(members))
        look: dict[str, Any] = {
            "fill": False,
            "edgecolor": _colour(label),
            "linewidth": 1.5,
        }
        axes.add_patch(Rectangle((begin - 0.5, begin - 0.5), size, size, **look))
        where = {"ha": "left", "va": "center", "fontsize": 6, "color": _colour(label)}
        side, middle = begin + size, begin + (size - 1) / 2
        axes.text(side, middle, str(label + 1), **where)
        begin += size
    for name, label in zip(axes.get_yticklabels(), labels, strict=False):
        name.set_color(_colour(label))


def draw_dendrogram(
    axes: Any,
    tree: npt.NDArray[np.float64],
    leaves: npt.NDArray[np.int32],
    labels: Sequence[int] | None = None,
) -> None:
    """Draw a tree from its root on the left to its leaves on the right, from below.

    *Labels* number the clusters of the leaves, whose branches then have colours.
    SciPy's own drawing recurses, so that a chain of a thousand graphs ends it.
    """
    import numpy as np
    from matplotlib.collections import LineCollection

    heights = np.zeros(2 * len(leaves) - 1)
    heights[leaves] = np.arange(len(leaves))
    ends = np.concatenate([np.zeros(len(leaves)), tree[:, 2]])
    lines, colours = [], []
    cluster_of: list[int | None] = [None] * len(heights)  # the cluster of each branch
    cluster_of[: len(leaves)] = labels or cluster_of[: len(leaves)]
    for k, (left, right) in enumerate(tree[:, :2].astype(int), len(leaves)):
        low, high = heights[[left, right]]
        across = (ends[left], ends[k], ends[k], ends[right])
        lines.append([*zip(across, (low, low, high, high), strict=True)])
        heights[k] = (low + high) / 2
        is_within = cluster_of[left] == cluster_of[right]
        label = cluster_of[k] = cluster_of[left] if is_within else None
        colours.append("black" if label is None else _colour(label))
    axes.add_collection(LineCollection(lines, colors=colours, linewidths=1))
    limits = {"xlim": (1.05 * ends.max() or 1.0, 0), "ylim": (-0.5, len(leaves) - 0.5)}
    axes.set(xlabel="1 − score", yticks=[], **limits)
    axes.spines[["left"]].set_visible(False)
