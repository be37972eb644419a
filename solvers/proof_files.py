"""Problems and proofs of optimality in files that others' checkers read.

A checker reads a proof of any content and says that it holds; what it holds for, its
*claim*, stands in the file.  It is read here, of proofs that have no rules but ours:
others, such as VeriPB's assumptions, would let a proof claim anything.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.files import replacing
from exactmatch.solvers.certificate import CertificateError
from exactmatch.solvers.cutting_planes import write_proof
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.proof_lines import VERSIONS
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Solution

_HEAD = ["pseudo-Boolean", "proof", "version"]
_RULES = {"f", "p", "pol", "o", "soli", "e", "i", "c", "red", "proofgoal", "end", "qed"}
_RULES |= {"output", "conclusion", "d", "del"}


def claimed_interval(lines: Iterable[str], n_constraints: int) -> tuple[int, int]:
    """Return the least and the greatest value that the optimum may have, as claimed.

    Values are those of alignments, which the problem's objective is minus.

    Args:
        lines: the proof.
        n_constraints: how many constraints the problem has.

    Raises:
        CertificateError: if it is no proof as we write them.
    """
    given = (line.strip().removesuffix(";").split() for line in lines)
    words = next(given, [])
    version = words[-1] if words else ""
    if words[:-1] != _HEAD or version not in VERSIONS:
        raise CertificateError("the proof is of no known format")
    claims: dict[str, list[str]] = {}
    depth = 0
    for words in given:
        rule = words[0] if words else "*"
        if rule not in _RULES:
            raise CertificateError(
                f"the proof has a rule {rule!r:.40}, which none needs"
            )
        begins = rule == "proofgoal" or words[-1:] in (["begin"], ["subproof"])
        depth += begins - (rule in ("end", "qed"))
        if rule == "end" and words[1:] == ["pseudo-Boolean", "proof"]:
            break
        if rule in ("d", "del") and not _deletes_derived(words, n_constraints):
            raise CertificateError("the proof deletes what it is about")
        if depth == 0 and rule in ("f", "o", "soli", "e", "i", "c", "conclusion"):
            if rule in claims:
                raise CertificateError(f"the proof has two lines {rule!r}")
            claims[rule] = words
    try:
        if int(claims["f"][1]) != n_constraints:
            raise CertificateError("the proof is about another number of constraints")
        if version != "1.2":
            numbers = claims["conclusion"]
            if numbers[1] != "BOUNDS":
                raise CertificateError("the proof concludes no bounds")
            return -int(numbers[-1]), -int(numbers[2])
        value = int(claims["e"][-1]) - 1
        return value, value if "c" in claims else -int(claims["i"][-1])
    except CertificateError:
        raise
    except (KeyError, ValueError, IndexError):
        raise CertificateError("the proof states no claim") from None


def _deletes_derived(words: list[str], n_constraints: int) -> bool:
    """Whether a line deletes nothing of the problem itself."""
    numbers = words[1:] if words[0] == "d" else words[2:]
    if words[0] == "d" and numbers[-1:] == ["0"]:
        numbers = numbers[:-1]
    is_by_number = words[0] == "d" or words[1:2] == ["id"]
    return is_by_number and all(
        number.isdecimal() and int(number) > n_constraints for number in numbers
    )


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
