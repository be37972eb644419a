"""Graphs in a page: a reference and what is aligned with it, side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from exactmatch.base.markup import Markup, element
from exactmatch.engine.problem import StatedProblem
from exactmatch.graphs.drawing.drawing import Drawing, DrawnSide, draw
from exactmatch.graphs.drawing.svg import MARGIN, svg
from exactmatch.solvers.problem import Alignment
from exactmatch.studies.errors.differences import (
    differences,
    gold_marks,
    marks,
    statements,
)

LEGEND = (
    "Variables that correspond have the same place and tint. − missing from the graph "
    "that is compared, + extra in it, ≠ substituted; small numbers say in which one."
)


class Example(NamedTuple):
    """A pair to open on a page.

    Attributes:
        key: its name in links.
        number: what its link begins with.
        title: what it is.
        figure: a number worth seeing in the list.
        said: sentences about it.
        drawing: its graphs.
    """

    key: str
    number: str
    title: str
    figure: str
    said: tuple[str, ...]
    drawing: Markup


def compared(
    stated: StatedProblem,
    alignments: Mapping[str, Alignment],
    reference: str,
    uncertain: Collection[int] = (),
) -> Markup:
    """Draw the two graphs of a pair, the predicted one under each alignment.

    Args:
        stated: the pair, as it was stated.
        alignments: what each drawing of the predicted graph is called, and how it is
            aligned.
        reference: what the other graph is called.
        uncertain: the predicted graph's variables that other optimal alignments may
            pair differently.
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
    pictures = [
        element(
            "figure",
            element("figcaption", name),
            element(
                "div",
                svg(drawing, k, styled=False),
                class_="canvas",
                tabindex="0",
            ),
            class_="drawing",
        )
        for k, name in enumerate(names)
    ]
    return element("div", *pictures, class_="drawings", style=f"--own:{width}px")


def examples(
    title: str, found: Iterable[Example], *, legend: str = LEGEND
) -> Iterator[Markup]:
    """The part of a page that shows pairs: a list of links, and each to be opened."""
    shown = list(found)
    if not shown:
        return
    links = (
        element(
            "li",
            element(
                "a",
                element("i", each.number),
                element("span", each.title),
                element("b", each.figure),
                href=f"#{each.key}",
            ),
        )
        for each in shown
    )
    pairs = (
        element(
            "details",
            element(
                "summary",
                element("i", each.number),
                element("b", each.figure),
                element("q", each.title),
            ),
            element(
                "div",
                *(element("p", text, class_="note") for text in each.said),
                each.drawing,
                class_="pair",
            ),
            id=each.key,
            open=not place,
        )
        for place, each in enumerate(shown)
    )
    yield element("h2", title)
    yield element("p", legend, class_="note") if legend else Markup()
    yield element(
        "div",
        element("nav", element("ol", *links), aria_label="Pairs"),
        element("main", *pairs),
        class_="aside",
    )
