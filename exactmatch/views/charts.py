"""Drawings for pages, as SVG: histograms, intervals and trees of clusters."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import fixed, several
from exactmatch.views.tables import Histogram, Intervals

_WIDTH = 400


def _figure(
    caption: str, parts: Iterable[Markup], width: int, height: int, label: str
) -> Markup:
    """Return a drawing with its caption; a wide one scrolls."""
    drawing = element(
        "svg",
        *parts,
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=label,
    )
    if width > _WIDTH:
        drawing = element("div", drawing, class_="scroll", tabindex=0)
    return element("figure", element("figcaption", caption), drawing)


def _line(kind: str, x1: str, y1: int, x2: str, y2: int) -> Markup:
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def _text(text: str, x: str, y: int, anchor: str) -> Markup:
    return element("text", text, x=x, y=y, text_anchor=anchor)


_BINS = 20
_CEILING, _FLOOR, _BOTTOM = 18, 112, 130


def histogram(chart: Histogram) -> Markup:
    """Draw a histogram; empty if there are fewer than two numbers.

    Numbers below 0 count in the first bar, numbers above 1 in the last.
    """
    if len(chart.values) < 2:
        return Markup()
    counts = [0] * _BINS
    for value in chart.values:
        counts[min(max(int(value * _BINS), 0), _BINS - 1)] += 1
    pairs = several(len(chart.values), "pair")
    label = f"{pairs} by score, at most {max(counts)} in a bar"
    parts = [*_bars(counts), _line("axis", "0", _FLOOR, str(_WIDTH), _FLOOR)]
    parts += [_label(f"{share:g}", share, _BOTTOM - 3) for share in (0, 0.5, 1)]
    if chart.mark is not None:
        share = min(max(chart.mark, 0), 1)
        x = f"{_WIDTH * share:.1f}"
        parts.append(_line("here", x, _CEILING - 6, x, _FLOOR))
        parts.append(_label(chart.mark_text, share, _CEILING - 9))
    caption = f"{chart.title}: {label}; dashed: the corpus"
    if chart.unproven:
        caption += f"; {several(chart.unproven, 'pair')} not proven, at the lower end"
    return _figure(caption, parts, _WIDTH, _BOTTOM, label)


def _bars(counts: Sequence[int]) -> Iterable[Markup]:
    """Yield a bar for each count, with the count as its tooltip."""
    step = _WIDTH / _BINS
    highest = max(counts)
    for k, pairs in enumerate(counts):
        height = (_FLOOR - _CEILING) * pairs / highest
        end = f"to {(k + 1) / _BINS:.2f}" if k + 1 < _BINS else "and more"
        yield element(
            "rect",
            element("title", f"{k / _BINS:.2f} {end}: {pairs}"),
            x=f"{k * step + 1:g}",
            y=f"{_FLOOR - height:.1f}",
            width=f"{step - 2:g}",
            height=f"{height:.1f}",
            class_="bar",
        )


def _label(text: str, share: float, y: int) -> Markup:
    """Return a text at a share of the width, aligned to stay on the drawing."""
    side = "start" if share < 0.05 else "end" if share > 0.95 else "middle"
    return _text(text, f"{_WIDTH * share:.1f}", y, side)


_ROW = 40
_LEFT, _RIGHT = 12, _WIDTH - 12
_TICKS = 5


def intervals(chart: Intervals) -> Markup:
    """Draw each interval as a line with a dot for its number.

    Intervals without two finite ends are left out; empty if there are no others.
    """
    rows = [row for row in chart.rows if all(map(math.isfinite, row[1:4]))]
    if not rows:
        return Markup()
    ends = [end for row in rows for end in row[1:4]]
    if chart.mark is not None:
        ends.append(chart.mark)
    room = (max(ends) - min(ends)) * 0.05 or 0.01
    low, high = min(ends) - room, max(ends) + room

    def across(number: float) -> str:
        return f"{_LEFT + (number - low) / (high - low) * (_RIGHT - _LEFT):.1f}"

    floor = _ROW * len(rows) + 14
    parts = []
    for tick, text in _ticks(low, high):
        x = across(tick)
        parts += [_line("axis", x, 8, x, floor), _text(text, x, floor + 15, "middle")]
    if chart.mark is not None:
        x = across(chart.mark)
        parts.append(_line("here", x, 8, x, floor))
    for k, (name, *numbers, top) in enumerate(rows):
        y = _ROW * k + 34
        first, middle, last = map(across, numbers)
        low_place, value, high_place = (chart.shown(number) for number in numbers)
        value += "" if top is None else f"..{chart.shown(top)}"
        written = f"{value} [{low_place}, {high_place}]"
        parts += [
            element("text", name, x=_LEFT, y=y - 12, class_="named"),
            _text(written, str(_RIGHT), y - 12, "end"),
            _line("span", first, y, last, y),
            element("circle", cx=middle, cy=y, r=4, class_="bar"),
        ]
    label = f"{chart.title}: {several(len(rows), 'interval')}"
    return _figure(chart.title, parts, _WIDTH, floor + 20, label)


def _ticks(low: float, high: float) -> Iterable[tuple[float, str]]:
    """Yield the round numbers of an axis, with their texts."""
    rough = (high - low) / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * n for n in (1, 2, 5, 10) if power * n >= rough)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    for k in range(math.ceil(low / step), math.floor(high / step) + 1):
        yield k * step, f"{k * step:.{decimals}f}"


_HUES = 6


def _hue(label: int) -> str:
    return f"c{label % _HUES}"


def _shared(first: int | None, second: int | None) -> int | None:
    return first if first == second else None


_LEAF, _TREE, _NAMES, _MARGIN = 16, 480, 240, 28
_LETTERS = 34


def dendrogram(
    tree: Sequence[Sequence[float]],
    names: Sequence[str],
    cut: float,
    labels: Sequence[int] = (),
) -> Markup:
    """Draw a tree from its root on the left to its leaves, which have names.

    The *tree* is SciPy's linkage matrix, with rows of two clusters, a distance and a
    size, and is *cut* into clusters at a distance.  *Labels* number the leaves'
    clusters; names then have the number in front, and clusters have colours.
    """
    leaves = len(names)
    if leaves < 2:
        return Markup()
    order: list[int] = []
    stack = [2 * leaves - 2]
    while stack:
        node = stack.pop()
        if node < leaves:
            order.append(node)
        else:
            stack += [int(child) for child in tree[node - leaves][1::-1]]
    highest = max(1.0, *(row[2] for row in tree))

    def across(distance: float) -> float:
        return _TREE * (1 - distance / highest) + 1

    cluster_of: list[int | None] = [None] * (leaves + len(tree))
    cluster_of[: len(labels)] = labels
    spots = {leaf: (across(0), _LEAF * k + 12.0) for k, leaf in enumerate(order)}
    parts = []
    for number, (first, second, distance, *_) in enumerate(tree, leaves):
        (x1, y1), (x2, y2) = spots[int(first)], spots[int(second)]
        x = across(distance)
        path = f"M{x1:.1f} {y1:.1f}H{x:.1f}V{y2:.1f}H{x2:.1f}"
        tooltip = element("title", f"score {fixed(1 - distance, 4)}")
        label = cluster_of[number] = _shared(
            cluster_of[int(first)], cluster_of[int(second)]
        )
        kind = "branch" if label is None else f"branch {_hue(label)}"
        parts.append(element("path", tooltip, d=path, class_=kind))
        spots[number] = x, (y1 + y2) / 2
    for leaf in order:
        name, y = names[leaf], f"{spots[leaf][1] + 4:g}"
        short = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
        label, kind = cluster_of[leaf], "named"
        if label is not None:
            short, kind = f"{label + 1} · {short}", f"named {_hue(label)}"
        text = element("title", name), short
        parts.append(element("text", *text, x=_TREE + 8, y=y, class_=kind))
    height = _LEAF * leaves + _MARGIN
    for distance in (0, highest / 2, highest):
        x = min(max(across(distance), 12), _TREE)
        parts.append(_text(fixed(1 - distance, 2), f"{x:.0f}", height - 6, "middle"))
    here = f"{across(cut):.1f}"
    parts.append(_line("here", here, 2, here, height - _MARGIN + 6))
    summary = f"tree of {several(leaves, 'graph')}, by score"
    caption = f"{summary}; dashed: cut at {fixed(1 - cut, 4)}"
    return _figure(caption, parts, _TREE + _NAMES, height, summary)
