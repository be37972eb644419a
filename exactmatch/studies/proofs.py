"""Proofs of problems that are no pairs of a corpus."""

from __future__ import annotations

from collections.abc import Iterable

from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.results import ProofCounts
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Solution


def count_proofs(
    solved: Iterable[tuple[str, AlignmentProblem, Solution]],
    unproven: int,
    certify: bool,
    reporter: Listener,
) -> None:
    """Tell a reporter how many results are unproven, and how many proofs are rejected.

    Proofs are those of problems that have names, and are checked if that is asked for.
    """
    from exactmatch.solvers.certificate import CertificateError
    from exactmatch.solvers.solution import check_solution

    counts = ProofCounts(unproven)
    for name, problem, solution in solved if certify else ():
        counts += ProofCounts(checked=1)
        try:
            check_solution(problem, solution)
        except CertificateError as error:
            counts += ProofCounts(rejected=1)
            reporter.note(f"{name}: {error}")
    reporter.proved(counts)
