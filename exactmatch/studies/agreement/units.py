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
    asked: AgreementOptions, metric: Metric, reporter: Listener
) -> tuple[dict[str, dict[str, Graph]], Losses]:
    """Read each annotator's graphs by unit, and say what a careful reader would refuse.

    Beside them is what the metric's reader left out.
    """
    reader = Reader(asked, reporter)
    reader.take(metric)
    found: dict[str, dict[str, Graph]] = {}
    for name, units in _by_unit(asked, reader).items():
        graphs = found[name] = {}
        for unit, given in units.items():
            read = read_one(metric, given)
            place = "" if isinstance(given, Block) else f"{name}, unit {unit}: "
            if read.error is not None:
                if asked.on_error == "raise":
                    raise read.error
                is_left_out = asked.on_error == "skip"
                done = "left out" if is_left_out else "counted as empty"
                reporter.warn("unreadable", f"{place}{read.error}; {done}")
                if is_left_out:
                    continue
            graphs[unit] = read.item
            reader.hear(given, read, f"{name}, unit {unit}")
    for first, second in combinations(found, 2):
        for unit in found[first]:
            if unit in found[second]:
                both = f"unit {unit}, {first} and {second}"
                reader.compare([found[first][unit]], [found[second][unit]], both)
    reader.finish()
    return found, reader.lost


def _by_unit(asked: AgreementOptions, reader: Reader) -> dict[str, Mapping[str, Any]]:
    found: dict[str, Mapping[str, Any]] = {}
    listed: dict[str, list[Any]] = {}
    sides = _named(asked)
    for name, given in sides.items():
        if isinstance(given, Mapping):
            found[name] = given
            continue
        path = path_of(given)
        listed[name] = expanded(
            as_list(given) if path is None else [given], reader.blocks
        )
    by_id = asked.by_id
    if asked.format_in == "umr-sentences" and not by_id:  # of one document, or several
        ids = [[getattr(one, "id", None) for one in side] for side in listed.values()]
        by_id = all(len({*own}) == len(own) for own in ids)
    if len({*map(len, listed.values())}) > 1 and not by_id:
        numbers = ", ".join(f"{name} {len(side)}" for name, side in listed.items())
        paths = [path for path in map(path_of, sides.values()) if path is not None]
        way_out = ways_out(paths, asked.format_in) if paths else "pair them by names"
        raise InputError(
            f"annotators have different numbers of graphs ({numbers}); {way_out}"
        )
    if listed and found:
        raise InputError(
            "some annotators' graphs have names and others' have none; give all of "
            "them by the names of units, or none"
        )
    if by_id:
        warn = None if asked.on_error == "raise" else reader.reporter.warn
        blocks = (one for side in listed.values() for one in side)
        kinds = {getattr(one, "framework", None) for one in blocks}
        by_id_of = partial(_by_id, parts=len(kinds - {None}) > 1, warn=warn)
        return found | {name: by_id_of(name, side) for name, side in listed.items()}
    return found | _by_place(listed, reader.reporter)


def _named(asked: AgreementOptions) -> dict[str, Any]:
    """The graphs of each annotator, by name."""
    given: Any = asked.annotations
    if paths := paths_of(given):
        refuse_pipes(path for path in paths if path == "-")
        return dict(zip(names_of(paths, asked.names, "annotator"), given, strict=True))
    wanted = "each annotator's graphs by name, {'Ann': graphs, 'Bob': others}"
    check_kind("annotations", given, Mapping, wanted)
    if len(given) < 2:
        raise InputError("only one annotator is named; name two or more to compare")
    return dict(given)


def _by_id(
    name: str, side: Iterable[Any], parts: bool, warn: Callable[[str, str], None] | None
) -> dict[str, Any]:
    """One annotator's graphs by their ids, which *parts* in several frameworks share.

    Graphs of files that cannot be paired are left out, of which *warn* hears, or are
    an error where there is none.
    """
    units: dict[str, Any] = {}
    for number, one in enumerate(side, 1):
        unit = one.id if isinstance(one, Block) else id_of(one)
        if parts and unit is not None and isinstance(one, Block):
            unit = f"{unit} ({one.framework})"
        if unit is not None and unit not in units:
            units[unit] = one
            continue
        fault = "has no '# ::id' to pair it by"
        if not isinstance(one, Block):
            fault = fault if unit is None else f"repeats the id {unit!r}"
            raise InputError(f"graph {number} of {name} {fault}")
        if unit is not None:
            fault = f"repeats the id of line {units[unit].content_line()}"
        error = one.origin().error(fault)
        if warn is None:
            raise error
        warn("unreadable", f"{error}; left out")
    return units


def _by_place(
    listed: Mapping[str, Sequence[Any]], reporter: Reporter
) -> dict[str, Mapping[str, Any]]:
    """Graphs by number, with the id behind it where files have ids."""
    names = []
    for number, row in enumerate(zip(*listed.values(), strict=True), 1):
        ids = [block.id for block in row if isinstance(block, Block)]
        if len({*ids} - {None}) > 1:
            reporter.warn("ids", different_ids(number, row))
        names.append(f"{number} ({ids[0]})" if ids and ids[0] else str(number))
    return {name: dict(zip(names, side, strict=True)) for name, side in listed.items()}
