"""``exactmatch cluster``: which graphs of a file belong together."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.numbers import Share, several
from exactmatch.cli import graphs, options, settings
from exactmatch.cli.answer import write_answer
from exactmatch.scoring.losses import with_losses
from exactmatch.views.tables import (
    FORMATS,
    Column,
    Table,
    Tables,
)


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="graphs, those of all files together; or a bank",
    )
    parser.add_argument(
        "--linkage",
        choices=("average", "complete", "single", "weighted"),
        default="average",
        help="how clusters are compared (default: average)",
    )
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument(
        "--at-least",
        type=values.share,
        metavar="SCORE",
        help="join clusters while their score is no lower (default: 0.5)",
    )
    cut.add_argument(
        "--number",
        type=values.positive_int,
        metavar="N",
        help="make at most N clusters",
    )
    parser.add_argument(
        "--plot", metavar="FILE", help="draw dendrogram and heat map: .png, .svg, .pdf"
    )
    options.add_format(parser.add_argument_group("reading"))
    graphs.add_comparing(parser, arguments, "graphs")
    options.add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Put similar graphs together, by hierarchical clustering of exact scores.

    CSV has a row for each graph, with its cluster and whether it is its medoid.

    Example:
      exactmatch cluster graphs.amr --at-least 0.6 --plot clusters.pdf
    """
    from exactmatch.views import pictures

    pictures.check(args.plot)
    with atomic_output(args.output) as stream:
        write_answer(args, stream, _tables(args))
    return 0


def _tables(args: argparse.Namespace) -> Tables:
    from exactmatch.many.clusters import cluster
    from exactmatch.views import pictures

    metric, given, names = graphs.bank_or_blocks(args, args.files)
    blocks = given if isinstance(given, list) else []
    if args.plot is not None and len(names) < 2:
        raise InputError(f"{args.files[0]}: one graph makes no dendrogram")
    executor, workers = settings.workers_from(args)
    found = cluster(
        given,
        metric if isinstance(given, list) else "smatch",
        linkage=args.linkage,
        at_least=args.at_least,
        number=args.number,
        workers=workers,
        executor=executor,
    )
    shown = Share(4)
    rows = []
    for k, medoid in enumerate(found.medoids):
        members = found.members(k)
        rows.append(
            {
                "cluster": k + 1,
                "graphs": len(members),
                "medoid": names[medoid],
                "cohesion": found.cohesion[k],
                "members": [names[m] for m in members],
            }
        )
    columns = (
        Column("cluster", "cluster"),
        Column("graphs", "graphs"),
        Column("medoid", "medoid"),
        Column("cohesion", "mean score", shown),
    )
    flat = [
        {
            "graph": number + 1,
            "id": names[number],
            "cluster": label + 1,
            "medoid": int(found.medoids[label] == number),
        }
        for number, label in enumerate(found.labels)
    ]
    keys = ("graph", "id", "cluster", "medoid")
    members_table = Table("", tuple(Column(key, key) for key in keys), flat)
    cut = ("number", str(args.number))
    if args.number is None:
        cut = ("at-least", f"{0.5 if args.at_least is None else args.at_least:g}")
    signature = graphs.signature_of(metric, ("linkage", args.linkage), cut)
    found_tables = Tables(
        "Clusters",
        (Table("", columns, rows),),
        {"clusters": rows, "graphs": flat, "signatures": [signature]},
        notes=(f"{several(len(names), 'graph')} in {several(len(rows), 'cluster')}",),
        signatures=(signature,),
        rows=members_table,
    )
    if args.plot is not None:
        pictures.clusters(args.plot, found.tree, found.scores, names)
    return with_losses(
        found_tables, graphs.lost_in(args, blocks, metric, [(blocks, None)])
    )
