"""Graphs of several annotators for the same texts, read and paired by unit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

from exactmatch.base.errors import InputError, check_kind
from exactmatch.base.paths import path_of
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import different_ids, ways_out
from exactmatch.graphs.graph import Graph
from exactmatch.many.reading import Reader
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reading import read_one
from exactmatch.scoring.reporter import Listener, Reporter
from exactmatch.scoring.sources import as_list, expanded, id_of, paths_of
from exactmatch.scoring.tables import Losses
from exactmatch.studies.agreement.options import AgreementOptions
from exactmatch.studies.pairs import names_of, refuse_pipes


def annotated(
    options: AgreementOptions, metric: Metric, reporter: Listener
) -> tuple[dict[str, dict[str, Graph]], Losses]:
    """Read each annotator's graphs by unit; warn of graphs that look wrong.

    The second value is what the metric's reader left out.
    """
    reader = Reader(options, reporter)
    reader.take(metric)
    annotators: dict[str, dict[str, Graph]] = {}
    for name, units in _by_unit(options, reader).items():
        graphs = annotators[name] = {}
        for unit, source in units.items():
            read = read_one(metric, source)
            place = "" if isinstance(source, Block) else f"{name}, unit {unit}: "
            if read.error is not None:
                if options.on_error == "raise":
                    raise read.error
                is_left_out = options.on_error == "skip"
                consequence = "left out" if is_left_out else "counted as empty"
                reporter.warn("unreadable", f"{place}{read.error}; {consequence}")
                if is_left_out:
                    continue
            graphs[unit] = read.item
            reader.hear(source, read, f"{name}, unit {unit}")
    for first, second in combinations(annotators, 2):
        for unit in annotators[first]:
            if unit in annotators[second]:
                label = f"unit {unit}, {first} and {second}"
                reader.compare(
                    [annotators[first][unit]], [annotators[second][unit]], label
                )
    reader.finish()
    return annotators, reader.lost


def _by_unit(options: AgreementOptions, reader: Reader) -> dict[str, Mapping[str, Any]]:
    by_name: dict[str, Mapping[str, Any]] = {}
    listed: dict[str, list[Any]] = {}
    sides = _named(options)
    for name, source in sides.items():
        if isinstance(source, Mapping):
            by_name[name] = source
            continue
        path = path_of(source)
        listed[name] = expanded(
            as_list(source) if path is None else [source], reader.blocks
        )
    by_id = options.by_id
    if options.format_in == "umr-sentences" and not by_id:  # one document, or several
        ids = [
            [getattr(graph, "id", None) for graph in side] for side in listed.values()
        ]
        by_id = all(
            len({*annotator_ids}) == len(annotator_ids) for annotator_ids in ids
        )
    if len({*map(len, listed.values())}) > 1 and not by_id:
        numbers = ", ".join(f"{name} {len(side)}" for name, side in listed.items())
        paths = [path for path in map(path_of, sides.values()) if path is not None]
        way_out = ways_out(paths, options.format_in) if paths else "pair them by names"
        raise InputError(
            f"annotators have different numbers of graphs ({numbers}); {way_out}"
        )
    if listed and by_name:
        raise InputError(
            "some annotators' graphs have names of units and others' have none; name "
            "the units of all annotators, or of none"
        )
    if by_id:
        warn = None if options.on_error == "raise" else reader.reporter.warn
        blocks = (graph for side in listed.values() for graph in side)
        kinds = {getattr(graph, "framework", None) for graph in blocks}
        by_id_of = partial(_by_id, parts=len(kinds - {None}) > 1, warn=warn)
        return by_name | {name: by_id_of(name, side) for name, side in listed.items()}
    return by_name | _by_place(listed, reader.reporter)


def _named(options: AgreementOptions) -> dict[str, Any]:
    """Return each annotator's graphs by the annotator's name."""
    annotations: Any = options.annotations
    if paths := paths_of(annotations):
        refuse_pipes(path for path in paths if path == "-")
        return dict(
            zip(names_of(paths, options.names, "annotator"), annotations, strict=True)
        )
    expected = "each annotator's graphs by name, {'Ann': graphs, 'Bob': others}"
    check_kind("annotations", annotations, Mapping, expected)
    if len(annotations) < 2:
        raise InputError("only one annotator is named; name two or more to compare")
    return dict(annotations)


def _by_id(
    name: str, side: Iterable[Any], parts: bool, warn: Callable[[str, str], None] | None
) -> dict[str, Any]:
    """Return one annotator's graphs by their ids.

    Where the *parts* of a graph in several frameworks share an id, the framework is
    added to it.  A graph of a file that cannot be paired is left out and passed to
    *warn*; without *warn* it is an error.
    """
    units: dict[str, Any] = {}
    for number, graph in enumerate(side, 1):
        unit = graph.id if isinstance(graph, Block) else id_of(graph)
        if parts and unit is not None and isinstance(graph, Block):
            unit = f"{unit} ({graph.framework})"
        if unit is not None and unit not in units:
            units[unit] = graph
            continue
        fault = "has no '# ::id' to pair it by"
        if not isinstance(graph, Block):
            fault = fault if unit is None else f"repeats the id {unit!r}"
            raise InputError(f"graph {number} of {name} {fault}")
        if unit is not None:
            fault = f"repeats the id of line {units[unit].content_line()}"
        error = graph.origin().error(fault)
        if warn is None:
            raise error
        warn("unreadable", f"{error}; left out")
    return units


def _by_place(
    listed: Mapping[str, Sequence[Any]], reporter: Reporter
) -> dict[str, Mapping[str, Any]]:
    """Return graphs by number, followed by the id where files have ids."""
    names = []
    for number, row in enumerate(zip(*listed.values(), strict=True), 1):
        ids = [block.id for block in row if isinstance(block, Block)]
        if len({*ids} - {None}) > 1:
            reporter.warn("ids", different_ids(number, row))
        names.append(f"{number} ({ids[0]})" if ids and ids[0] else str(number))
    return {name: dict(zip(names, side, strict=True)) for name, side in listed.items()}
