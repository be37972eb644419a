"""What PuLP's statuses do and do not prove, and what it leaves behind."""

from __future__ import annotations

import importlib.util
import os
import tempfile
from pathlib import Path
from typing import Any

import pulp
import pytest
from support.strategies import random_problem

from exactmatch.base.errors import MissingSolverError, SolverError
from exactmatch.solvers import get_solver, pulp_solvers
from exactmatch.solvers.cpsat import CpSat
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.pulp_solvers import Cbc, Pulp
from exactmatch.solvers.solution import Limits, Proposal


class Stub(pulp.LpSolver):
    """A back-end that aligns nothing and reports the statuses it is told to."""

    name = "STUB"

    def __init__(self, status: int, sol_status: int, chosen: float = 0.0) -> None:
        super().__init__(msg=False)
        self.statuses = (status, sol_status)
        self.chosen = chosen

    def available(self) -> bool:
        return True

    def actualSolve(self, lp: Any, **_options: Any) -> int:  # noqa: N802 (PuLP's name)
        self.folder = Path(self.tmpDir)
        self.folder_was_there = self.folder.is_dir()
        lp.assignVarsVals({v.name: self.chosen for v in lp.variables()})
        lp.assignStatus(*self.statuses)
        return self.statuses[0]


def solve_here(
    monkeypatch: pytest.MonkeyPatch,
    stub: Stub,
    problem: AlignmentProblem,
    seconds: float | None = None,
    gap: float = 0.0,
) -> Proposal:
    """What is made of a back-end's answer."""
    monkeypatch.setattr(Cbc, "_back_end", lambda *_arguments: stub)
    nothing = (-1,) * problem.n_left
    solver = Cbc(gap=gap)
    return pulp_solvers.solved(None, seconds, problem, nothing, Limits(), solver, "")


def solve_with(
    monkeypatch: pytest.MonkeyPatch, status: int, sol_status: int, gap: float = 0.0
) -> tuple[AlignmentProblem, Proposal]:
    problem = random_problem(0, 5, 5)
    stub = Stub(status, sol_status)
    return problem, solve_here(monkeypatch, stub, problem, gap=gap)


def test_optimal_without_a_gap_is_taken_as_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, proposal = solve_with(monkeypatch, 1, 1)
    assert (proposal.bound, proposal.proof) == (0, "milp")


@pytest.mark.parametrize(
    ("status", "sol_status"), [(1, 2), (1, 0), (0, 0), (0, 1), (0, 2)]
)
def test_any_other_status_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, status: int, sol_status: int
) -> None:
    """A time-out is status 1 with solution status 2."""
    _, proposal = solve_with(monkeypatch, status, sol_status)
    assert (proposal.bound, proposal.proof) == (None, "none")


def test_optimal_within_a_gap_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """CBC reports it as plainly optimal."""
    _, proposal = solve_with(monkeypatch, 1, 1, gap=0.5)
    assert (proposal.bound, proposal.proof) == (None, "none")


def test_an_optimal_claim_below_the_truth_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The claim is the back-end's word, and the proof says so: milp."""
    problem, proposal = solve_with(monkeypatch, 1, 1)
    assert problem.value(proposal.alignment) == proposal.bound


def test_a_relaxation_called_optimal_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """CBC does so, in both statuses, if time runs out right after it."""
    problem = random_problem(0, 5, 5)
    proposal = solve_here(monkeypatch, Stub(1, 1, chosen=0.5), problem)
    assert (proposal.bound, proposal.proof) == (None, "none")


def test_optimal_after_the_time_limit_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = random_problem(0, 5, 5)
    proposal = solve_here(monkeypatch, Stub(1, 1), problem, seconds=0.0)
    assert (proposal.bound, proposal.proof) == (None, "none")
    proposal = solve_here(monkeypatch, Stub(1, 1), problem, seconds=1000.0)
    assert (proposal.bound, proposal.proof) == (0, "milp")


def test_large_sums_are_not_proved_to_the_last_unit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A double-precision solver may prune what is better by a millionth."""
    problem = AlignmentProblem.from_weights(1, 1, {(0, 0): 2**50}, {})
    proposal = solve_here(monkeypatch, Stub(1, 1, chosen=1.0), problem)
    assert proposal.bound is not None
    assert proposal.bound > 2**50


@pytest.mark.parametrize("seed", [30, 42])
def test_candidates_are_chosen_wholly(seed: int) -> None:
    """Where the relaxation chooses halves, which are worth more."""
    problem = random_problem(seed, 6, 6, 1.6, max_weight=2)
    solution = Cbc().solve(problem)
    assert solution.value == solution.bound == CpSat().solve(problem).value


def test_no_gap_is_passed_on_unless_it_is_asked_for() -> None:
    """A PuLP back-end's own default may be one part in ten thousand."""
    assert Cbc()._parameters(Limits())["gapRel"] == 0.0
    assert Cbc(gap=0.25)._parameters(Limits())["gapRel"] == 0.25


def test_limits_are_passed_on() -> None:
    parameters = Pulp("COIN_CMD")._parameters(Limits(seconds=3.0, threads=2))
    assert (parameters["timeLimit"], parameters["threads"]) == (3.0, 2)
    assert "timeLimit" not in Pulp("COIN_CMD")._parameters(Limits())


def test_nothing_is_left_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """CBC talks through files: they live in a private folder and go with it."""
    monkeypatch.chdir(tmp_path)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    assert Cbc().solve(random_problem(0, 6, 6)).is_optimal
    assert os.listdir(temporary) == []
    assert os.listdir(tmp_path) == ["tmp"]


@pytest.mark.usefixtures("in_this_process")
def test_files_go_to_a_private_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    stub = Stub(1, 2)
    monkeypatch.setattr(Cbc, "_back_end", lambda *_arguments: stub)
    Cbc().solve(random_problem(0, 5, 5))
    assert stub.folder.name.startswith("exactmatch-")
    assert stub.folder_was_there
    assert not stub.folder.exists()


@pytest.mark.usefixtures("in_this_process")
def test_a_back_end_that_fails_is_a_solver_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pulp_solvers, "cbc_path", lambda _pulp: "/nonexistent/cbc")
    with pytest.raises(SolverError, match="'cbc'"):
        Cbc().solve(random_problem(0, 6, 6))


def test_an_error_of_the_other_process_is_raised_here() -> None:
    with pytest.raises(SolverError, match="PuLP finds no solver 'MINOS' here"):
        Pulp("MINOS").solve(random_problem(0, 6, 6))


@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("spec", ["cbc", "pulp:COIN_CMD"])
def test_the_cbc_inside_pulp_serves_without_cbcbox_and_path(
    monkeypatch: pytest.MonkeyPatch, spec: str
) -> None:
    """As where nothing but PuLP is installed, and no environment is activated."""
    found = importlib.util.find_spec
    without = lambda name: None if name == "cbcbox" else found(name)  # noqa: E731  of one line
    monkeypatch.setattr(pulp_solvers, "find_spec", without)
    monkeypatch.setenv("PATH", "")
    problem = random_problem(0, 6, 6)
    assert "solverdir" in str(pulp_solvers.cbc_path(pulp))
    assert Cbc.is_available()
    assert str(Cbc.version()).endswith("(PuLP)")
    assert get_solver(spec).solve(problem).is_optimal


def test_a_missing_cbc_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """PuLP 4 brings none."""
    monkeypatch.setattr(pulp_solvers, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingSolverError, match=r"pip install 'exactmatch\[cbc\]'"):
        Cbc().solve(random_problem(0, 6, 6))
