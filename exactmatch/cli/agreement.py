"""``exactmatch agreement``: how far annotators agree."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import several
from exactmatch.cli import graphs, options, settings
from exactmatch.cli.answer import shown_score, write_answer
from exactmatch.cli.terminal import Terminal
from exactmatch.formats.pairs import different_ids
from exactmatch.metrics import ALIGNING
from exactmatch.views.tables import FORMATS

if TYPE_CHECKING:
    from exactmatch.formats.blocks import Block
    from exactmatch.metrics.base import Metric


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options; those of the metric that *arguments* name."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="each annotator's graphs"
    )
    group = parser.add_argument_group("agreement")
    options.add_names(group, "annotators")
    group.add_argument(
        "--by-id",
        action="store_true",
        help="pair graphs by '# ::id', also where annotators have different ones",
    )
    options.add_on_error(group)
    group.add_argument(
        "--show",
        type=values.natural_int,
        default=5,
        metavar="N",
        help="how many of the graphs that are least alike to list (default: 5)",
    )
    group.add_argument(
        "--chance-pairs",
        type=values.positive_int,
        default=10_000,
        metavar="N",
        help="draw so many pairs for what chance would give, if there are more "
        "(default: 10000)",
    )
    options.add_seed(group)
    options.add_format(parser.add_argument_group("reading, pairing and errors"))
    graphs.add_comparing(parser, arguments, "graphs that chance is judged by", ALIGNING)
    options.add_confidence(parser)
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Compare annotators: every two of them, by kind and role, corrected for chance.

    Example:
      exactmatch agreement ann.amr bob.amr cem.amr
      exactmatch agreement ann.amr bob.amr --confidence --format json
      exactmatch agreement ann.umr bob.umr --profile umr
      exactmatch agreement ann.umr bob.umr --profile umr --format-in umr-sentences
    """
    from exactmatch.scoring.losses import with_losses
    from exactmatch.stats.resampling import FEWEST
    from exactmatch.studies.agreement.agreement import agreement
    from exactmatch.studies.agreement.view import tables
    from exactmatch.studies.pairs import refuse_pipes
    from exactmatch.studies.systems import names_of

    refuse_pipes(path for path in args.files if path == "-")
    names = names_of(args.files, args.names, "annotator")
    metric = graphs.metric_from(args)
    blocks = {
        name: _blocks(args, path) for name, path in zip(names, args.files, strict=True)
    }
    units = _by_unit(args, blocks)
    read = (
        units if args.on_error in ("raise", "fail") else _readable(args, units, metric)
    )
    with atomic_output(args.output) as stream:
        executor, workers = settings.workers_from(args)
        found = agreement(
            read,
            metric,
            chance_pairs=args.chance_pairs,
            seed=args.seed,
            jobs=workers,
            executor=executor,
            confidence=args.confidence,
            samples=args.samples,
            interval=args.interval,
        )
        given = chain.from_iterable(named.values() for named in units.values())
        lost = graphs.lost_in(args, given, metric, _compared(units))
        shown = tables(found, args.show, shown_score(args).digits)
        write_answer(args, stream, with_losses(shown, lost))
    if found.intervals is not None and found.intervals.units < FEWEST:
        few = several(found.intervals.units, "unit")
        what = f"no confidence intervals of {few} that two have annotated"
        settings.note(args, f"{what}; they take {FEWEST} or more")
    return 0


def _blocks(args: argparse.Namespace, path: str) -> list[Block]:
    """The graphs of one annotator.

    Raises:
        InputError: if there are none.
    """
    from exactmatch.formats.pairs import sources

    (found,) = sources([path], False, args.format_in, args.framework)
    kept = list(found)
    if not kept:
        raise InputError(f"{path}: holds no graph")
    return kept


def _readable(
    args: argparse.Namespace, units: dict[str, dict[str, Block]], metric: Metric
) -> dict[str, dict[str, Any]]:
    """The graphs as they are read, or empty; *units* keeps those that can be read."""
    terminal = Terminal(args)
    found: dict[str, dict[str, Any]] = {}
    for name, blocks in units.items():
        found[name] = {}
        for unit, block in list(blocks.items()):
            try:
                found[name][unit] = metric.read(block).item
            except GraphError as error:
                done = "left out" if args.on_error == "skip" else "counted as empty"
                terminal.warn("unreadable", f"{error}; {done}")
                del blocks[unit]
                if args.on_error == "empty":
                    found[name][unit] = metric.empty
    terminal.sum_up()
    return found


def _compared(annotations: dict[str, dict[str, Block]]) -> graphs.Compared:
    """Every two annotators' graphs of one unit."""
    names = dict.fromkeys(unit for units in annotations.values() for unit in units)
    for name in names:
        yield [u[name] for u in annotations.values() if name in u], None


def _by_unit(
    args: argparse.Namespace, blocks: dict[str, list[Block]]
) -> dict[str, dict[str, Block]]:
    """Each annotator's graphs, by id where they are paired so.

    Raises:
        GraphError: if a graph has no id, or one that is there already.
        InputError: if numbers differ that are paired by position.
    """
    by_id = args.by_id or args.format_in == "umr-sentences"
    if not by_id:
        counts = {name: len(found) for name, found in blocks.items()}
        if len(set(counts.values())) > 1:
            told = ", ".join(f"{name} {count}" for name, count in counts.items())
            is_umr = any(path.endswith(".umr") for path in args.files)
            way_out = "pair them with --by-id"
            if is_umr and args.format_in != "umr-file":
                way_out += ", or take each file for one document: --format-in umr-file"
            raise InputError(
                f"annotators have different numbers of graphs ({told}); {way_out}"
            )
        _warn_of_ids(args, blocks)
        return _named(blocks)
    found: dict[str, dict[str, Block]] = {}
    for name, given in blocks.items():
        units: dict[str, Block] = {}
        for block in given:
            if block.id is None:
                raise block.origin().error("has no '# ::id' to pair it by")
            if block.id in units:
                first = units[block.id].content_line()
                raise block.origin().error(f"repeats the id of line {first}")
            units[block.id] = block
        found[name] = units
    return found


def _warn_of_ids(args: argparse.Namespace, blocks: dict[str, list[Block]]) -> None:
    """Warn where graphs that are paired by position have different ids."""
    terminal = Terminal(args)
    for number, row in enumerate(zip(*blocks.values(), strict=True), 1):
        if len({block.id for block in row} - {None}) > 1:
            terminal.warn("ids", different_ids(number, row))
    terminal.sum_up()


def _named(blocks: dict[str, list[Block]]) -> dict[str, dict[str, Block]]:
    """Graphs by position, each called by its id and number where it has an id."""
    first = next(iter(blocks.values()))
    names = [
        f"{number} ({block.id})" if block.id else str(number)
        for number, block in enumerate(first, 1)
    ]
    return {
        name: dict(zip(names, found, strict=True)) for name, found in blocks.items()
    }
