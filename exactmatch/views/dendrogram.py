"""Draw a tree of clusters with its leaves' names and the line that cuts it."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import several

_STEP, _WIDTH, _NAMES, _FLOOR = 16, 480, 240, 28
_LETTERS = 34


def dendrogram(
    tree: Sequence[Sequence[float]], names: Sequence[str], cut: float
) -> Markup:
    """Draw a tree from its root on the left to its leaves on the right, as SVG.

    Args:
        tree: SciPy's linkage matrix, as rows of two clusters, a distance and a size.
        names: what the leaves are called.
        cut: the distance at which it is cut into clusters.
    """
    leaves = len(names)
    if leaves < 2:
        return Markup()
    order: list[int] = []
    waiting = [2 * leaves - 2]
    while waiting:
        node = waiting.pop()
        if node < leaves:
            order.append(node)
        else:
            waiting += [int(child) for child in tree[node - leaves][1::-1]]
    most = max(1.0, *(row[2] for row in tree))

    def across(distance: float) -> float:
        return _WIDTH * (1 - distance / most) + 1

    spots = {leaf: (across(0), _STEP * k + 12.0) for k, leaf in enumerate(order)}
    parts = []
    for number, (first, second, distance, *_) in enumerate(tree, leaves):
        (x1, y1), (x2, y2) = spots[int(first)], spots[int(second)]
        x = across(distance)
        path = f"M{x1:.1f} {y1:.1f}H{x:.1f}V{y2:.1f}H{x2:.1f}"
        said = element("title", f"score {1 - distance:.4f}")
        parts.append(element("path", said, d=path, class_="branch"))
        spots[number] = x, (y1 + y2) / 2
    for leaf in order:
        name, y = names[leaf], f"{spots[leaf][1] + 4:g}"
        short = name if len(name) <= _LETTERS else f"{name[: _LETTERS - 1]}…"
        label = element("title", name), short
        parts.append(element("text", *label, x=str(_WIDTH + 8), y=y, class_="named"))
    height = _STEP * leaves + _FLOOR
    for distance in (0, most / 2, most):
        x = min(max(across(distance), 12), _WIDTH)
        tick = f"{1 - distance:.2f}"
        parts.append(
            element("text", tick, x=f"{x:.0f}", y=str(height - 6), text_anchor="middle")
        )
    line = {"x1": f"{across(cut):.1f}", "y1": "2", "y2": str(height - _FLOOR + 6)}
    parts.append(element("line", x2=line["x1"], class_="here", **line))
    told = f"tree of {several(leaves, 'graph')}, by score"
    drawing = element(
        "svg",
        *parts,
        viewBox=f"0 0 {_WIDTH + _NAMES} {height}",
        width=str(_WIDTH + _NAMES),
        height=str(height),
        role="img",
        aria_label=told,
    )
    caption = element("figcaption", f"{told}; dashed: cut at {1 - cut:.4f}")
    return element(
        "figure", caption, element("div", drawing, class_="scroll", tabindex="0")
    )
