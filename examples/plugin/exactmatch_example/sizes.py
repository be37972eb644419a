"""A command: ``exactmatch sizes FILE`` prints how large graphs are."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import exactmatch


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    parser.add_argument("file", metavar="FILE", help="graphs of any format")


def run(args: argparse.Namespace) -> int:
    """Print the number of variables and triples of each graph.

    Example:
      exactmatch sizes gold.amr
    """
    for number, graph in enumerate(exactmatch.load(Path(args.file)), 1):
        triples = sum(1 for _ in graph.triples())
        print(f"{graph.id or number}\t{len(graph.variables)}\t{triples}")
    return 0
