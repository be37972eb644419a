"""``exactmatch nearest``: the graphs of a bank that are most similar to each query."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

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
    from exactmatch.many.bank import Bank


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    parser.add_argument(
        "bank", metavar="BANK", help="graphs, or a bank that --save has written"
    )
    parser.add_argument(
        "queries",
        nargs="?",
        metavar="QUERIES",
        help="graphs to look for, or a bank of them",
    )
    parser.add_argument(
        "-k",
        type=values.positive_int,
        metavar="N",
        help="how many for each query (default: 10; under --at-least: all)",
    )
    parser.add_argument(
        "--at-least",
        type=values.share,
        metavar="SCORE",
        help="only graphs with such a score or a higher one",
    )
    parser.add_argument(
        "--save", metavar="FILE", help="write the bank, prepared for further searches"
    )
    options.add_format(parser.add_argument_group("reading"))
    graphs.add_comparing(parser, arguments, "queries")
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Find the most similar graphs of a bank, provably.

    Bounds tell which graphs cannot be among the best; only the others are solved.
    Equal scores stand in the order of the bank.

    Example:
      exactmatch nearest bank.amr queries.amr -k 10
      exactmatch nearest bank.amr --save bank.smatch
      exactmatch nearest bank.smatch queries.amr --at-least 0.8
    """
    if args.queries is None and args.save is None:
        raise InputError("name a file of queries after the bank, or a file to --save")
    if args.save is not None:
        check_writable(args.save)
    if args.queries is None:
        asked = {"-k": args.k, "--at-least": args.at_least, "-o": args.output}
        for option, value in asked.items():
            if value is not None:
                raise InputError(
                    f"{option} is for a search; name a file of queries, too"
                )
        _tables(args)
        return 0
    with atomic_output(args.output) as stream:
        write_answer(args, stream, _tables(args))
    return 0


def _tables(args: argparse.Namespace) -> Tables:
    """What is found; the bank is saved on the way, if it is to be."""
    from exactmatch.many.bank import Bank
    from exactmatch.many.search import search

    metric, bank, names = graphs.bank_from(args, args.bank)
    read: list[Block] = []
    if args.save is not None:
        if not isinstance(bank, Bank):
            read += bank
            bank = Bank.build(bank, metric)
        bank.save(args.save)
        if args.queries is None:
            graphs.lost_in(args, read, metric)
            return Tables("Nearest", (), {})
    queries: Bank | list[Block]
    if isinstance(bank, Bank):
        _, queries, query_names = graphs.bank_from(args, args.queries)
    elif Bank.is_bank(args.queries):
        raise InputError(
            f"{args.queries}: is a bank, and {args.bank} is none; make a bank of it, "
            "too, with --save"
        )
    else:
        queries = graphs.blocks_from(args, args.queries, metric)
        query_names = graphs.names_of(queries)
    k = 10 if args.k is None and args.at_least is None else args.k
    asked = None if isinstance(bank, Bank) else metric
    executor, workers = settings.workers_from(args)
    found = search(
        bank,
        queries,
        k,
        at_least=args.at_least,
        metric=asked,
        workers=workers,
        executor=executor,
    )
    rows = [
        {
            "query": query,
            "rank": rank,
            "index": index + 1,
            "id": names[index],
            "score": score,
        }
        for query, neighbours in zip(query_names, found, strict=True)
        for rank, (index, score) in enumerate(neighbours, 1)
    ]
    table = Table("", _COLUMNS, rows)
    asked_for = [("k", str(k))] if k is not None else []
    if args.at_least is not None:
        asked_for.append(("at-least", f"{args.at_least:g}"))
    signature = graphs.signature_of(metric, *asked_for)
    answer = Tables(
        "Nearest",
        (table,),
        {"neighbours": rows, "signatures": [signature]},
        signatures=(signature,),
    )
    read += [b for side in (bank, queries) if isinstance(side, list) for b in side]
    compared = []
    if isinstance(bank, list) and isinstance(queries, list):
        compared.append((queries, bank))
    return with_losses(answer, graphs.lost_in(args, read, metric, compared))


_COLUMNS = (
    Column("query", "query"),
    Column("rank", "rank"),
    Column("index", "number"),
    Column("id", "graph"),
    Column("score", "score", Share(4)),
)
