"""``exactmatch matrix``: the scores of every graph with every graph."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, check_writable
from exactmatch.base.numbers import Share
from exactmatch.cli import graphs, options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.scoring.losses import with_losses
from exactmatch.views.tables import FORMATS, Column, Table, Tables

if TYPE_CHECKING:
    from exactmatch.formats.blocks import Block
    from exactmatch.scoring.losses import Losses

ARRAY = ".npy"
"""How the name of a file ends that holds a NumPy array."""


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    parser.add_argument("queries", metavar="QUERIES", help="graphs, or a bank of them")
    parser.add_argument(
        "choices",
        nargs="?",
        metavar="CHOICES",
        help="graphs, or a bank; default: those of QUERIES",
    )
    parser.add_argument(
        "--at-least",
        type=values.share,
        metavar="SCORE",
        help="lower scores become 0, most of them without being computed",
    )
    parser.add_argument(
        "--dtype",
        choices=("f8", "f4"),
        help="of a .npy file: double (default) or single precision",
    )
    options.add_format(parser.add_argument_group("reading"))
    graphs.add_comparing(parser, arguments, "blocks of the matrix")
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Score every graph with every graph, exactly.

    -o FILE.npy fills a NumPy array block by block, which may be larger than memory;
    the same command after an interruption computes the blocks that are missing.

    Example:
      exactmatch matrix parsed.amr gold.amr
      exactmatch matrix graphs.amr -o matrix.npy -j 2
      exactmatch matrix graphs.bank --at-least 0.8 --format csv -o matrix.csv
    """
    if args.output is not None and args.output.endswith(ARRAY):
        if args.format != "text":
            raise InputError(
                f"-o {args.output} is a NumPy array, which has no --format; leave that "
                "out, or name a file with another ending"
            )
        check_writable(args.output)
        found = _Asked(args)
        found.lost()  # before the matrix, which an interruption leaves unfinished
        matrix = found.matrix(args.output)
        rows, columns = matrix.shape
        settings.note(args, f"{args.output}: {rows:,} x {columns:,} scores")
        return 0
    if args.dtype is not None:
        raise InputError(
            "--dtype is the type of a NumPy array; write one with -o FILE.npy"
        )
    with atomic_output(args.output) as stream:
        found = _Asked(args)
        write_answer(args, stream, found.tables(found.matrix(None)))
    return 0


class _Asked:
    """The graphs of rows and columns, and what they are called."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._args = args
        self._metric, self._rows, self._row_names = graphs.bank_from(args, args.queries)
        self._columns, self._column_names = self._rows, self._row_names
        if args.choices is not None:
            queries = {Path(args.queries).name: args.queries}
            settings.note_mistaken(args, [args.choices], queries)
            metric, self._columns, self._column_names = graphs.bank_from(
                args, args.choices
            )
            if not isinstance(self._columns, list):
                self._metric = metric

    def matrix(self, path: str | None) -> Any:
        """The scores, in memory or in a file."""
        from exactmatch.many.matrix import cdist

        banked = not isinstance(self._rows, list) or not isinstance(self._columns, list)
        executor, workers = settings.workers_from(self._args)
        return cdist(
            self._rows,
            self._columns,
            "smatch" if banked else self._metric,
            score_cutoff=self._args.at_least,
            dtype=self._args.dtype or "f8",
            workers=workers,
            executor=executor,
            out=path,
        )

    def tables(self, matrix: Any) -> Tables:
        """The scores as a table: a row for each query, a column for each choice."""
        scores = matrix.tolist()
        columns = [Column("query", "query")]
        for number, name in enumerate(self._column_names, 1):
            columns.append(Column(f"score_{number}", name, Share(4)))
        rows = [
            {"query": name, **{f"score_{k}": s for k, s in enumerate(row, 1)}}
            for name, row in zip(self._row_names, scores, strict=True)
        ]
        at_least = self._args.at_least
        asked = [] if at_least is None else [("at-least", f"{at_least:g}")]
        signature = graphs.signature_of(self._metric, *asked)
        data = {
            "queries": list(self._row_names),
            "choices": list(self._column_names),
            "scores": scores,
            "signatures": [signature],
        }
        table = Table("", tuple(columns), rows)
        answer = Tables("Matrix", (table,), data, signatures=(signature,))
        return with_losses(answer, self.lost())

    def lost(self) -> Losses:
        """What the metric's reader leaves out, of which warnings are given first."""
        sides = (
            [self._rows] if self._columns is self._rows else [self._rows, self._columns]
        )
        listed = [side for side in sides if isinstance(side, list)]
        read = [b for side in listed for b in side]
        compared: list[tuple[list[Block], list[Block] | None]] = []
        if len(listed) == len(sides):  # a bank holds no documents
            compared.append((listed[0], listed[1] if len(listed) > 1 else None))
        return graphs.lost_in(self._args, read, self._metric, compared)
