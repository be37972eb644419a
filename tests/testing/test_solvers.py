"""The checks of solvers: ours pass, and each deliberate break is noticed."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch.solvers import SOLVERS, get_solver
from exactmatch.solvers.base import Solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Proposal
from exactmatch.testing import check_solver, solver_checks
from exactmatch.testing.solvers import optimum_of, small_problem

SLOW = ("cbc", "pulp")


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in SOLVERS.own if name not in SLOW])
@pytest.mark.parametrize("check", solver_checks())
def test_ours_pass(name: str, check: str) -> None:
    solver_checks()[check](get_solver(name))


def test_small_problems_are_of_every_kind() -> None:
    problems = [small_problem(seed) for seed in range(40)]
    assert any(not len(p.left) for p in problems)
    assert any(len(p.weight) for p in problems)
    assert any((p.unary < 0).any() for p in problems)
    assert any(p.n_left != p.n_right for p in problems)
    assert sum(optimum_of(p) > 0 for p in problems) > 15


class Honest(BranchAndBound):
    """What the breaks below begin with."""

    name = "honest"


class Lazy(Honest):
    """Claims to be exact and stops at the empty alignment."""

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        progress.tell()
        return Proposal((-1,) * problem.n_left, None)


class Boastful(Honest):
    """Claims that what it found is the optimum."""

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        found = get_solver("hillclimb:restarts=0").propose(problem, progress)
        value = problem.appraise(found.alignment)[0]
        return Proposal(found.alignment, value, "branch")


class Forgetful(Honest):
    """Answers otherwise each time."""

    calls = 0

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        type(self).calls += 1
        if type(self).calls % 2:
            return super()._solve(problem, progress)
        return Proposal((-1,) * problem.n_left, None)


class Meddling(Honest):
    """Changes the problem."""

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        found = super()._solve(problem, progress)
        for array in (problem.unary,):
            array.flags.writeable = True
            array += 1
        return found


class Unsendable(Honest):
    """Holds what cannot be pickled."""

    def __init__(self) -> None:
        super().__init__()
        self.key: Any = lambda: None


class Nameless(Honest):
    """Has a signature of another solver."""

    def signature(self) -> str:
        return "bnb|broken"


def test_an_honest_solver_passes() -> None:
    check_solver(Honest())


@pytest.mark.parametrize(
    "broken", [Lazy, Boastful, Forgetful, Meddling, Unsendable, Nameless]
)
def test_a_break_is_noticed(broken: type[Solver]) -> None:
    with pytest.raises(Exception) as found:  # noqa: PT011  a pickling error or ours
        check_solver(broken())
    assert not isinstance(found.value, KeyboardInterrupt)
