"""``exactmatch solve``: graph matching problems in files."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.base.values import positive_float
from exactmatch.base.version import __version__
from exactmatch.cli.answer import write_answer
from exactmatch.cli.options import add_files, add_output
from exactmatch.views.progress import progress
from exactmatch.views.tables import FORMATS


def add_arguments(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the command's options."""
    del arguments
    add_files(parser, "graph matching problems (.dd), .gz, folders")
    group = parser.add_argument_group("solving")
    group.add_argument(
        "--solver",
        default="auto",
        metavar="NAME[:option=value,…]",
        help="see 'exactmatch solvers' (default: auto)",
    )
    group.add_argument(
        "--time-limit",
        type=positive_float,
        metavar="SECONDS",
        help="for each problem; what is not proven in time is reported as an interval",
    )
    group.add_argument(
        "--require-optimal",
        action="store_true",
        help="exit with 1 unless every optimum is proven",
    )
    group.add_argument(
        "--proof",
        metavar="FILE.pbp",
        help="of one problem: write it as FILE.opb, and the proof for VeriPB",
    )
    add_output(parser, FORMATS, verbose=False)


def run(args: argparse.Namespace) -> int:
    """Find the matching that costs least, and prove it.

    Example:
      exactmatch solve car1.dd
      exactmatch solve house/ --time-limit 60 --format csv
      exactmatch solve car1.dd --proof car1.pbp
    """
    from exactmatch.edit.matching import read_dd
    from exactmatch.edit.matching_view import MatchingResult, matching_tables
    from exactmatch.formats.files import expand, named
    from exactmatch.formats.networks import read_text
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.proof_files import check_proof_path, write_proof_files
    from exactmatch.solvers.solution import Limits

    solver = get_solver(args.solver)
    paths = [path for file in args.files for path in expand(file)]
    if args.proof is not None:
        check_proof_path(args.proof)
        if len(paths) != 1:
            raise InputError(f"--proof is of one problem, and there are {len(paths)}")
    limits = Limits(args.time_limit, record_proof=args.proof is not None)
    with atomic_output(args.output) as stream:
        solved: list[Any] = []
        with progress("solving", len(paths), args.quiet) as advance:
            for path in paths:
                name = named(path)
                stated = read_dd(read_text(path).splitlines(), name).as_alignment()
                solution = solver.solve(stated.problem, limits)
                solved.append(MatchingResult(name, stated, solution))
                advance()
        proven = sum(found.solution.is_optimal for found in solved)
        signature = (
            f"problem:graph-matching|solver:{solver.signature()}|"
            f"proven:{proven}/{len(solved)}|version:{__version__}"
        )
        write_answer(args, stream, matching_tables(solved, signature))
    if args.proof is not None:
        write_proof_files(args.proof, solved[0].stated.problem, solved[0].solution)
    if args.require_optimal and proven < len(solved):
        if not args.quiet:
            print(
                f"exactmatch: {len(solved) - proven} of {len(solved)} optima are not "
                "proven",
                file=sys.stderr,
            )
        return 1
    return 0
