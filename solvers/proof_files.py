"""Problems and proofs of optimality in files that others' checkers read."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.files import replacing
from exactmatch.solvers.cutting_planes import write_proof
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Solution

PROOF, PROBLEM, ZIPPED = ".pbp", ".opb", ".gz"
"""How the names of the two files end, and those of compressed ones."""


def check_proof_path(path: str) -> None:
    """Refuse a file whose name does not end as a proof's does.

    Raises:
        InputError: if it does not.
    """
    if not path.removesuffix(ZIPPED).endswith(PROOF):
        raise InputError(
            f"{path}: the file of a proof is named like NAME{PROOF}, or like "
            f"NAME{PROOF}{ZIPPED} to be compressed"
        )


def write_proof_files(
    path: str, problem: AlignmentProblem, solution: Solution, version: str = "2.0"
) -> str:
    """Write the proof to *path*, and the problem beside it, whose path is returned.

    Both are compressed if the name ends in ``.gz``.

    Raises:
        SolverError: if the solution has no certificate.
        InputError: if a file cannot be written.
    """
    ending = ZIPPED * path.endswith(ZIPPED)
    beside = path.removesuffix(ending).removesuffix(PROOF) + PROBLEM + ending
    with _written(path) as stream:
        write_proof(stream, problem, solution, version)
    with _written(beside) as stream:
        write_problem(stream, problem)
    return beside


@contextmanager
def _written(path: str) -> Iterator[TextIO]:
    """Open a file that is there as a whole or not at all."""
    with replacing(Path(path)) as file:
        if path.endswith(ZIPPED):  # the same bytes whenever it is written
            with (
                gzip.GzipFile("", "wb", 6, file, mtime=0) as zipped,
                io.TextIOWrapper(zipped, "ascii", newline="") as stream,
            ):
                yield stream
        else:
            with io.TextIOWrapper(file, "ascii", newline="") as stream:
                yield stream


def read_lines(path: str) -> Iterator[str]:
    """Yield the lines of a file, compressed or not.

    Raises:
        InputError: if it cannot be read.
    """
    opened = gzip.open if path.endswith(ZIPPED) else open
    try:
        with opened(path, "rt", encoding="ascii", newline="\n") as stream:
            yield from stream
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error})") from None
