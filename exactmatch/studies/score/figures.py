"""Drawings of pairs for pages: a reference beside the graphs aligned with it."""

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
    """Pair to open on a page: its sentences, its drawing, and its names in a list."""

    key: str  # its anchor in links
    number: str
    title: str
    figure: str  # a number in the list, such as a score
    sentences: tuple[str, ...]
    drawing: Markup


def compared(
    problem: GraphProblem,
    alignments: Mapping[str, Alignment],
    reference: str,
    uncertain: Collection[int] = (),
) -> Markup:
    """Draw the two graphs of a pair, the predicted one under each alignment.

    Drawings are called by the names of alignments and of the *reference*.  Other
    optimal alignments may pair *uncertain* variables of the prediction differently.
    """
    pred, gold = problem.left.graph, problem.right.graph
    pred_statements, gold_statements = (
        statements(graph, problem.profile) for graph in (pred, gold)
    )
    comparisons = [
        differences(pred_statements, gold_statements, each)
        for each in alignments.values()
    ]
    marks_of_gold, notes = gold_marks(comparisons)
    sides = [DrawnSide(gold, (), marks_of_gold, notes=notes)]
    sides += [
        DrawnSide(pred, each.alignment, marks(each.edits)[1], uncertain=uncertain)
        for each in comparisons
    ]
    return side_by_side(draw(*sides), (reference, *alignments))


def side_by_side(drawing: Drawing, names: Sequence[str]) -> Markup:
    """Return the pictures of a drawing beside each other, each with its name."""
    width = drawing.size()[0] + 2 * MARGIN
    pictures = [svg(drawing, k, styled=False) for k in range(len(names))]
    return figures(pictures, names, width)


def figures(
    pictures: Sequence[Markup], names: Sequence[str], width: int = 360
) -> Markup:
    """Return pictures of some width beside each other, each with its name."""
    parts = []
    for picture, name in zip(pictures, names, strict=True):
        canvas = element("div", picture, class_="canvas", tabindex="0")
        caption = element("figcaption", name)
        parts.append(element("figure", caption, canvas, class_="drawing"))
    return element("div", *parts, class_="drawings", style=f"--own:{width}px")


def link(key: str, number: str, title: str, figure: str) -> Markup:
    """Return a line of a list of pairs, with a link to its pair."""
    parts = element("i", number), element("span", title), element("b", figure)
    return element("li", element("a", *parts, href=f"#{key}"))


def opened(
    key: str, summary: Iterable[str], *parts: str, is_open: bool = False
) -> Markup:
    """Return a pair that opens by its summary."""
    line, body = element("summary", *summary), element("div", *parts, class_="pair")
    return element("details", line, body, id=key, open=is_open)


def examples(
    title: str, shown: Iterable[Example], *, legend: str = LEGEND
) -> Iterator[Markup]:
    """Yield the part of a page with pairs: a list of links, and the pairs to open."""
    links: list[Markup] = []
    pairs: list[Markup] = []
    for key, number, name, figure, sentences, drawing in shown:
        links.append(link(key, number, name, figure))
        summary = element("i", number), element("b", figure), element("q", name)
        notes = [element("p", text, class_="note") for text in sentences]
        pairs.append(opened(key, summary, *notes, drawing, is_open=not pairs))
    if not pairs:
        return
    yield element("h2", title)
    yield element("p", legend, class_="note") if legend else Markup()
    nav = element("nav", element("ol", *links), aria_label="Pairs")
    listed = element("div", *pairs, class_="pairs")
    yield element("div", nav, listed, class_="aside")
