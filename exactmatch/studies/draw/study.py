"""Draw a graph or a pair of graphs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import name_of
from exactmatch.base.markup import Markup
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.base.paths import path_of
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.formats.reading import of_file
from exactmatch.formats.readings import GraphLike
from exactmatch.graphs.graph import Graph
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.studies.draw.options import DrawOptions


def study(asked: DrawOptions, reporter: Listener = CALLER) -> Markup:
    """Draw a graph, or a prediction beneath its reference with the differences marked.

    Variables that correspond have the same place and tint.

    Returns:
        An SVG document as text; notebooks show it as a picture.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if a file has several graphs and none is chosen.

    >>> import exactmatch
    >>> drawn = exactmatch.draw("(b / bark-01 :ARG0 (d / dog))")
    >>> drawn.startswith("<svg ")
    True
    """
    from exactmatch.engine.differences import marks
    from exactmatch.graphs.drawing.drawing import DrawnSide
    from exactmatch.graphs.drawing.drawing import draw as laid_out
    from exactmatch.graphs.drawing.source_text import text_lines
    from exactmatch.graphs.drawing.svg import sheet, svg
    from exactmatch.scoring.reading import read_item
    from exactmatch.studies.errors.errors import pair_errors
    from exactmatch.studies.pairs import note_exchanged

    pred, gold = asked.graph, asked.gold
    paths = path_of(pred), path_of(gold)
    if paths[0] is not None and paths[1] is not None:
        note_exchanged([paths[1]], {name_of(paths[0]): paths[0]}, reporter)
    metric = aligning(asked.one_metric("a drawing", ALIGNING))
    graph = _given(asked, metric, pred)
    if gold is None:
        read = read_item(metric, graph)
        is_labelled = hasattr(read, "as_graph")
        read = read.as_graph() if is_labelled else metric.standardise(read)
        return svg(laid_out(DrawnSide(read, lines=text_lines(read, _text(graph)))))
    reference = _given(asked, metric, gold, 1)
    left, right = read_item(metric, graph), read_item(metric, reference)
    pair = metric.compare(metric.prepare(left), metric.prepare(right))
    texts = _text(graph), _text(reference)
    found = pair_errors(pair.problem, pair.solution.alignment, texts=texts)
    gold_marks, pred_marks = marks(found.differences.edits)
    above, own = found.gold, found.pred
    aligned, unsure = found.differences.alignment, found.uncertain
    drawing = laid_out(
        DrawnSide(above.graph, (), gold_marks, above.lines),
        DrawnSide(own.graph, aligned, pred_marks, own.lines, uncertain=unsure),
    )
    return sheet(drawing, ("Reference", "Prediction"))


draw = function("draw", DrawOptions, study)


def _text(given: GraphLike) -> str | None:
    """The text of a graph that was given as text."""
    return given if isinstance(given, str) else None


def _given(
    asked: DrawOptions,
    metric: AligningMetric[Any],
    side: GraphLike,
    place: int = 0,
) -> GraphLike:
    """A graph; that of a file as its text, or in another format than PENMAN as read."""
    path = path_of(side)
    if path is None:
        if asked.id is not None or asked.number is not None:
            raise InputError("id and number choose a graph of a file; give its Path")
        return side
    block = _chosen(asked, path, place)
    read = metric.read(block)  # what is wrong with a text would not name its file
    if block.format is None:
        return "\n".join(block.lines)
    if not isinstance(read.item, Graph):
        found: GraphLike = read.item  # of nodes and edges, as they stand
        return found
    graph = read.item
    kept = graph.origin._replace(text=block.lines, format=block.format)
    return replace(graph, origin=kept)


def _chosen(asked: DrawOptions, path: str, place: int) -> Block:
    """The graph that was asked for, or the only one there is."""
    if None not in (asked.id, asked.number):
        raise InputError("a graph is chosen by --id or by --number, not by both")
    found: list[Block] = []
    count = 0
    blocks = read_blocks(path, of_file(asked.how_read, place), asked.framework)
    for count, block in enumerate(blocks, 1):
        if asked.number is None and asked.id in (None, block.id):
            found.append(block)
        elif asked.number == count - 1:
            return block
    if len(found) == 1:
        return found[0]
    if asked.number is not None:
        what = several(count, "graph")
        fault = f"no graph number {asked.number}; it holds {what}, numbered from 0"
    elif not found:
        fault = "no graph" if asked.id is None else f"no graph with the id {asked.id!r}"
    elif asked.id is None:
        fault = "several graphs; choose one with --id or --number"
    else:
        is_framed = len({block.framework for block in found}) > 1
        way = "--framework" if is_framed else "--number"
        what = several(len(found), "graph")
        fault = f"{what} with the id {asked.id!r}; choose by {way}"
    raise InputError(f"{path}: holds {fault}")
