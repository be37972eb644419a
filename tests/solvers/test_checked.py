"""What every answer is checked for, whichever solver gave it."""

from __future__ import annotations

from typing import ClassVar

import pytest

from exactmatch.base.errors import SolverError
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import Certificate
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal, check_solution

# Two left nodes want right node 0, and two right nodes want left node 2; the bound that
# costs nothing to compute counts all on either side.
PROBLEM = AlignmentProblem.from_weights(
    3, 3, {(0, 0): 6, (1, 0): 5, (2, 1): 6, (2, 2): 5}, {}
)
BEST, WORSE = (0, -1, 1), (-1, 0, 1)
CHEAP = PROBLEM.row_bound()


class Forgetful(Solver):
    """Tells its progress one thing and answers another."""

    name: ClassVar[str] = "forgetful"
    exact: ClassVar[bool] = False
    summary: ClassVar[str] = "forgets"

    def __init__(
        self,
        told: tuple[Alignment, int],
        answered: tuple[Alignment, int | None],
        certificate: Certificate | None = None,
    ) -> None:
        self.told = told
        self.answered = answered
        self.certificate = certificate

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        assert progress.problem is problem
        alignment, bound = self.told
        progress.offer(alignment)
        progress.prove(bound, "lp")
        alignment, known = self.answered
        return Proposal(alignment, known, "dual", self.certificate)


def test_the_problem_is_what_its_comment_says() -> None:
    assert PROBLEM.value(BEST) == 12
    assert PROBLEM.value(WORSE) == 11
    assert BranchAndBound().solve(PROBLEM).bound == 12
    assert CHEAP == 17


@pytest.mark.parametrize("answered", [None, CHEAP, 13])
def test_the_least_bound_that_was_proved_counts(answered: int | None) -> None:
    """Also where the solver forgets it."""
    forgetful = Forgetful((BEST, 12), (BEST, answered))
    solution = forgetful.solve(PROBLEM)
    assert (solution.bound, solution.proof) == (12, "lp")
    assert solution.is_optimal


def test_a_better_answer_than_what_was_told_counts() -> None:
    solution = Forgetful((WORSE, 13), (BEST, 12)).solve(PROBLEM)
    assert (solution.value, solution.bound, solution.proof) == (12, 12, "dual")


@pytest.mark.parametrize("answered", [(-1, -1, -1), WORSE, (0, -1, -1)])
def test_the_best_alignment_that_was_found_counts(answered: Alignment) -> None:
    solution = Forgetful((BEST, 12), (answered, 12)).solve(PROBLEM)
    assert (solution.alignment, solution.value) == (BEST, 12)


def test_a_bound_below_what_was_found_is_refused() -> None:
    with pytest.raises(SolverError, match="claims the bound 11 below its own"):
        Forgetful((BEST, 11), (BEST, None)).solve(PROBLEM)
    with pytest.raises(SolverError, match="claims the bound 11 below its own"):
        Forgetful((BEST, 13), (WORSE, 11)).solve(PROBLEM)


def test_a_bound_with_a_certificate_is_kept() -> None:
    """What can be checked is worth more than a unit of an interval."""
    proof = BranchAndBound(record_proof=1).solve(PROBLEM).certificate
    assert proof is not None
    higher = Certificate(13, proof.nodes)
    forgetful = Forgetful((BEST, 12), (BEST, 13), higher)
    solution = forgetful.solve(PROBLEM, Limits(record_proof=True))
    assert (solution.bound, solution.certificate) == (13, higher)
    check_solution(PROBLEM, solution)
