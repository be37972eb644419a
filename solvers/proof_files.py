"""Proofs of optimality in files that others' checkers read."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output
from exactmatch.solvers.cutting_planes import write_proof
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.pseudo_boolean import write_problem
from exactmatch.solvers.solution import Solution

PROOF, PROBLEM = ".pbp", ".opb"
"""How the names of the two files end."""


def check_proof_path(path: str) -> None:
    """Refuse a file whose name does not end as a proof's does.

    Raises:
        InputError: if it does not.
    """
    if not path.endswith(PROOF):
        raise InputError(f"{path}: the file of a proof is named like NAME{PROOF}")


def write_proof_files(path: str, problem: AlignmentProblem, solution: Solution) -> None:
    """Write the proof to *path*, and the problem beside it.

    Raises:
        SolverError: if the solution is not optimal, or has no certificate.
    """
    with atomic_output(path) as stream:
        write_proof(stream, problem, solution)
    with atomic_output(path.removesuffix(PROOF) + PROBLEM) as stream:
        write_problem(stream, problem)
