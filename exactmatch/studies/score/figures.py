"""Graphs in a page: a reference and what is aligned with it, side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.base.markup import Markup, element
from exactmatch.engine.differences import (
    differences,
    gold_marks,
    marks,
    statements,
)
from exactmatch.engine.problem import GraphProblem
from exactmatch.graphs.drawing.drawing import Drawing, DrawnSide, draw
from exactmatch.graphs.drawing.svg import MARGIN, svg
from exactmatch.solvers.problem import Alignment

LEGEND = (
    "Variables that correspond have the same place and tint. − missing from the graph "
    "that is compared, + extra in it, ≠ substituted; small numbers say in which one."
)


class Example(NamedTuple):
    """A pair to open on a page: sentences and graphs, and how a list names it."""

    key: str  # in links
    number: str
    title: str
    figure: str  # a number worth seeing in the list
    said: tuple[str, ...]
    drawing: Markup


def compared(
    stated: GraphProblem,
    alignments: Mapping[str, Alignment],
    reference: str,
    uncertain: Collection[int] = (),
) -> Markup:
    """Draw the two graphs of a pair, the predicted one under each alignment.

    Drawings are called by the names of alignments and of the *reference*.  Other
    optimal alignments may pair *uncertain* variables of the prediction differently.
    """
    pred, gold = stated.left.graph, stated.right.graph
    said = statements(pred, stated.profile), statements(gold, stated.profile)
    found = [differences(*said, alignment) for alignment in alignments.values()]
    own, notes = gold_marks(found)
    sides = [DrawnSide(gold, (), own, notes=notes)]
    sides += [
        DrawnSide(pred, each.alignment, marks(each.edits)[1], uncertain=uncertain)
        for each in found
    ]
    return side_by_side(draw(*sides), (reference, *alignments))


def side_by_side(drawing: Drawing, names: Sequence[str]) -> Markup:
    """Show the pictures of a drawing beside each other, each with its name."""
    width = drawing.placement.width + 2 * MARGIN
    pictures = []
    for k, name in enumerate(names):
        picture = svg(drawing, k, styled=False)
        canvas = element("div", picture, class_="canvas", tabindex="0")
        caption = element("figcaption", name)
        pictures.append(element("figure", caption, canvas, class_="drawing"))
    return element("div", *pictures, class_="drawings", style=f"--own:{width}px")


def link(key: str, number: str, title: str, figure: str) -> Markup:
    """A line of a list of pairs, which leads to the pair of a key."""
    parts = element("i", number), element("span", title), element("b", figure)
    return element("li", element("a", *parts, href=f"#{key}"))


def opened(
    key: str, summary: Iterable[str], *parts: str, is_open: bool = False
) -> Markup:
    """A pair that opens by its summary."""
    line, body = element("summary", *summary), element("div", *parts, class_="pair")
    return element("details", line, body, id=key, open=is_open)


def examples(
    title: str, found: Iterable[Example], *, legend: str = LEGEND
) -> Iterator[Markup]:
    """The part of a page that shows pairs: a list of links, and each to be opened."""
    links: list[Markup] = []
    pairs: list[Markup] = []
    for key, number, name, figure, said, drawing in found:
        links.append(link(key, number, name, figure))
        summary = element("i", number), element("b", figure), element("q", name)
        notes = [element("p", text, class_="note") for text in said]
        pairs.append(opened(key, summary, *notes, drawing, is_open=not pairs))
    if not pairs:
        return
    yield element("h2", title)
    yield element("p", legend, class_="note") if legend else Markup()
    nav = element("nav", element("ol", *links), aria_label="Pairs")
    listed = element("div", *pairs, class_="pairs")
    yield element("div", nav, listed, class_="aside")
