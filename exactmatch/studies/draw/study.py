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


def study(options: DrawOptions, reporter: Listener = CALLER) -> Markup:
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

    pred, gold = options.graph, options.gold
    paths = path_of(pred), path_of(gold)
    if paths[0] is not None and paths[1] is not None:
        note_exchanged([paths[1]], {name_of(paths[0]): paths[0]}, reporter)
    metric = aligning(options.one_metric("a drawing", ALIGNING))
    graph = _graph_of(options, metric, pred)
    if gold is None:
        graph_item = read_item(metric, graph)
        is_labelled = hasattr(graph_item, "as_graph")
        graph_item = (
            graph_item.as_graph() if is_labelled else metric.standardise(graph_item)
        )
        return svg(
            laid_out(DrawnSide(graph_item, lines=text_lines(graph_item, _text(graph))))
        )
    reference = _graph_of(options, metric, gold, 1)
    left, right = read_item(metric, graph), read_item(metric, reference)
    pair = metric.compare(metric.prepare(left), metric.prepare(right))
    texts = _text(graph), _text(reference)
    errors = pair_errors(pair.problem, pair.solution.alignment, texts=texts)
    gold_marks, pred_marks = marks(errors.differences.edits)
    above, below = errors.gold, errors.pred
    aligned, unsure = errors.differences.alignment, errors.uncertain
    drawing = laid_out(
        DrawnSide(above.graph, (), gold_marks, above.lines),
        DrawnSide(below.graph, aligned, pred_marks, below.lines, uncertain=unsure),
    )
    return sheet(drawing, ("Reference", "Prediction"))


draw = function("draw", DrawOptions, study)


def _text(graph: GraphLike) -> str | None:
    """Return the text of a graph, if it is a text."""
    return graph if isinstance(graph, str) else None


def _graph_of(
    options: DrawOptions,
    metric: AligningMetric[Any],
    side: GraphLike,
    place: int = 0,
) -> GraphLike:
    """Return a graph; from a file its text or, if not PENMAN, what was read."""
    path = path_of(side)
    if path is None:
        if options.id is not None or options.number is not None:
            raise InputError("id and number choose a graph of a file; give its Path")
        return side
    block = _chosen(options, path, place)
    read = metric.read(block)  # here, because errors of a text would not name the file
    if block.format is None:
        return "\n".join(block.lines)
    if not isinstance(read.item, Graph):
        item: GraphLike = read.item  # of nodes and edges, unchanged
        return item
    graph = read.item
    kept = graph.origin._replace(text=block.lines, format=block.format)
    return replace(graph, origin=kept)


def _chosen(options: DrawOptions, path: str, place: int) -> Block:
    """Return the chosen graph, or the only one in the file."""
    if None not in (options.id, options.number):
        raise InputError("a graph is chosen by --id or by --number, not by both")
    matching: list[Block] = []
    count = 0
    blocks = read_blocks(path, of_file(options.how_read, place), options.framework)
    for count, block in enumerate(blocks, 1):
        if options.number is None and options.id in (None, block.id):
            matching.append(block)
        elif options.number == count - 1:
            return block
    if len(matching) == 1:
        return matching[0]
    if options.number is not None:
        fault = (
            f"no graph number {options.number}; it holds {several(count, 'graph')}, "
            "numbered from 0"
        )
    elif not matching:
        fault = (
            "no graph" if options.id is None else f"no graph with the id {options.id!r}"
        )
    elif options.id is None:
        fault = "several graphs; choose one with --id or --number"
    else:
        is_framed = len({block.framework for block in matching}) > 1
        way = "--framework" if is_framed else "--number"
        n_graphs = several(len(matching), "graph")
        fault = f"{n_graphs} with the id {options.id!r}; choose by {way}"
    raise InputError(f"{path}: holds {fault}")
