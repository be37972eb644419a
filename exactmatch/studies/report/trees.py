"""Two JSON documents side by side, as trees whose partners stand on one line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import fixed, several
from exactmatch.metrics.json.corrections import shown
from exactmatch.metrics.json.differences import Difference

_STEP = re.compile(r'\.?("(?:[^"\\]|\\.)*"|[^.\[\]]+)|(\[\d+\])')

DEEPEST = 20
"""Levels that are shown further and further to the right."""

STYLE = """
.sides { border-collapse: collapse; width: 100%; table-layout: fixed; }
.sides td { padding: .1rem .5rem; overflow-wrap: anywhere; vertical-align: top; }
.sides th { text-align: left; }
.sides .how { width: 6rem; color: var(--quiet); }
.sides .worth { width: 4rem; text-align: right; }
.sides .part td { font-weight: 600; }
.sides :is(.wrong, .similar) td { background: light-dark(#f7e6f2, #3f2338); }
.sides .missing td { background: light-dark(#e3eefa, #1c3550); }
.sides .extra td { background: light-dark(#fbe9df, #4a2a16); }
.sides details { margin: 0; border: 0; }
"""


class _Node:
    """A part of both documents, or of one.

    Attributes:
        pred, gold: its key or place on each side; ``None`` where it is not.
        leaf: the leaf that it is; ``None`` for other parts.
        children: the parts in it.
        number: how many leaves it has, and how many of them are not equal.
        worth: what its leaves match.
        first: the place of its first field.
    """

    __slots__ = (
        *("pred", "gold", "leaf", "children", "by_pred", "by_gold"),
        *("n_leaves", "n_unequal", "worth", "first"),
    )

    def __init__(self, pred: str | None, gold: str | None) -> None:
        self.pred, self.gold = pred, gold
        self.leaf: Difference | None = None
        self.children: list[_Node] = []
        self.by_pred: dict[str, _Node] = {}
        self.by_gold: dict[str, _Node] = {}
        self.n_leaves = self.n_unequal = 0
        self.worth = Fraction(0)
        self.first = 0

    def below(self, pred: str | None, gold: str | None) -> _Node:
        """Return the part at a step from here, which may be new."""
        node = None
        if gold is not None:
            node = self.by_gold.get(gold)
        elif pred is not None:
            node = self.by_pred.get(pred)
        name = pred if gold is None else gold
        has_both = self.pred is not None and self.gold is not None
        if node is None and has_both and name is not None and not name.startswith("["):
            # fields of objects that are partners are partners if they have one name
            others = self.by_pred if pred is None else self.by_gold
            node = others.get(name)
        if node is None:
            node = _Node(pred, gold)
            self.children.append(node)
        if pred is not None:
            node.pred = pred
            self.by_pred[pred] = node
        if gold is not None:
            node.gold = gold
            self.by_gold[gold] = node
        return node

    def order(self) -> tuple[int, int, int]:
        """Return the place among its siblings: as in the reference, then others."""
        name = self.gold if self.gold is not None else self.pred or ""
        if name.startswith("["):
            return self.gold is None, int(name[1:-1]), 0
        return 0, self.first, 0


def side_by_side(leaves: Iterable[Difference], order: Mapping[str, int]) -> Markup:
    """Draw two documents beside each other.

    Args:
        leaves: all leaves of both.
        order: the places of fields in the reference.
    """
    names = ("prediction", "reference")
    head = element(
        "tr",
        *(element("th", name) for name in names),
        element("th", "", class_="how"),
        element("th", "worth", class_="worth"),
    )
    rows = _rows(_tree(leaves, order))
    return element("table", head, *rows, class_="sides")


def _tree(leaves: Iterable[Difference], order: Mapping[str, int]) -> _Node:
    root = _Node("", "")
    # matched leaves first: they say which parts are partners
    for leaf in sorted(leaves, key=lambda leaf: leaf.outcome in ("missing", "extra")):
        pred, gold = _steps(leaf.pred_path), _steps(leaf.gold_path)
        steps = [
            (
                pred[k] if leaf.pred_path is not None else None,
                gold[k] if leaf.gold_path is not None else None,
            )
            for k in range(max(len(pred), len(gold)))
        ]
        node, way = root, [root]
        for step in steps:
            node = node.below(*step)
            way.append(node)
        if node.leaf is not None or node.children:  # a key of a map beside its value
            node = _Node(*steps[-1]) if steps else _Node("", "")
            way[-1].children.append(node)
            way.append(node)
        node.leaf = leaf
        place = order.get(leaf.field, len(order))
        for part in way:
            part.first = place if not part.n_leaves else min(part.first, place)
            part.n_leaves += 1
            part.n_unequal += leaf.outcome != "equal"
            part.worth += leaf.weight * leaf.similarity
    return root


def _steps(path: str | None) -> list[str]:
    return [key or place for key, place in _STEP.findall(path or "")]


def _rows(root: _Node) -> Iterator[Markup]:
    work = [(root, 0)]
    while work:
        node, depth = work.pop()
        if node.leaf is not None and not node.children:
            yield _line(node, node.leaf, depth)
        elif not node.n_unequal:
            yield _folded(node, depth)
        else:
            if node is not root:
                yield _part(node, depth)
            children = sorted(node.children, key=_Node.order, reverse=True)
            if node.leaf is not None:
                yield _line(node, node.leaf, depth + 1)
            work += [(child, depth + (node is not root)) for child in children]


def _indented(content: Sequence[str], depth: int, columns: int = 1) -> Markup:
    style = f"padding-left: {0.5 + 1.2 * min(depth, DEEPEST):.1f}rem"
    more = {"colspan": str(columns)} if columns > 1 else {}
    return element("td", *content, style=style, **more)


def _worth(worth: Fraction) -> Markup:
    return element("td", fixed(float(worth), 2), class_="worth")


def _part(node: _Node, depth: int) -> Markup:
    sides = (_indented([name or ""], depth) for name in (node.pred, node.gold))
    return element(
        "tr", *sides, element("td", class_="how"), _worth(node.worth), class_="part"
    )


def _line(node: _Node, leaf: Difference, depth: int) -> Markup:
    sides = (
        (node.pred, leaf.pred_path, leaf.pred),
        (node.gold, leaf.gold_path, leaf.gold),
    )
    cells = [
        _indented(
            [] if path is None else [f"{name}: " if name else "", shown(value)], depth
        )
        for name, path, value in sides
    ]
    how: str = leaf.outcome
    if leaf.outcome == "similar":
        how += f" {fixed(float(leaf.similarity), 2)}"
    return element(
        "tr",
        *cells,
        element("td", how, class_="how"),
        _worth(node.worth),
        class_=leaf.outcome,
    )


def _folded(node: _Node, depth: int) -> Markup:
    """Return a line that opens, for a part whose leaves are all equal."""
    lines = []
    work = [node]
    while work:
        inner = work.pop()
        if inner.leaf is not None:
            path, value = inner.leaf.gold_path or "", inner.leaf.gold
            lines.append(element("div", f"{path}: {shown(value)}"))
        work += sorted(inner.children, key=_Node.order, reverse=True)
    name = node.gold or "all"
    if node.pred != node.gold:
        name = f"{node.pred} = {node.gold}"
    summary = element("summary", f"{name}: {several(node.n_leaves, 'value')}")
    return element(
        "tr",
        _indented([element("details", summary, joined(lines))], depth, columns=2),
        element("td", "equal", class_="how"),
        _worth(node.worth),
    )
