"""What a solver does, and leaves undone, when time is over."""

from __future__ import annotations

import pickle
import time
from typing import Any

import numpy as np
import pytest
from support.oracle import brute_force, value_of
from support.strategies import random_problem

from exactmatch.solvers import (
    auto,
    base,
    components,
    cpsat,
    enumeration,
    get_solver,
    progress,
)
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.enumeration import optimal_alignments
from exactmatch.solvers.linear.model import aggregated_model
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Solution, Watch

PROBLEM = random_problem(3, 6, 6, density=1.4)


def counted(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[Any]:
    """The calls of a method from now on."""
    calls: list[Any] = []
    method = getattr(owner, name)

    def call(*given: Any, **more: Any) -> Any:
        calls.append(given)
        return method(*given, **more)

    monkeypatch.setattr(owner, name, call)
    return calls


def check_interval(solution: Solution, problem: AlignmentProblem = PROBLEM) -> None:
    assert solution.value == value_of(problem, solution.alignment)
    assert solution.value <= brute_force(problem) <= solution.bound


@pytest.mark.slow
@pytest.mark.parametrize("name", ["auto", "bnb", "hillclimb", "highs", "cpsat"])
def test_after_the_total_time_nothing_is_begun(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solver = get_solver(name)
    calls = counted(monkeypatch, type(solver), "_solve")
    check_interval(solver.solve(PROBLEM, Limits(until=time.time() - 1)))
    assert not calls


def test_before_it_is_over_it_changes_nothing() -> None:
    limited = get_solver("auto").solve(PROBLEM, Limits(until=time.time() + 600))
    assert limited.value == limited.bound == brute_force(PROBLEM)


def test_of_two_limits_the_first_counts() -> None:
    now = time.time()
    for seconds, until, least, most in ((5, now + 900, 4, 5), (900, now + 5, 4, 5)):
        left = Progress(PROBLEM, Limits(seconds=seconds, until=until)).seconds_left()
        assert least < left <= most


def test_a_large_problem_is_not_begun_when_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = get_solver("bnb")
    calls = counted(monkeypatch, BranchAndBound, "_solve")
    check_interval(solver.solve(PROBLEM, Limits(seconds=0.0)))
    assert len(calls) == 1
    monkeypatch.setattr(base, "AT_ONCE", 0)
    check_interval(solver.solve(PROBLEM, Limits(seconds=0.0)))
    assert len(calls) == 1


def test_a_large_problem_is_not_begun_when_its_arrays_take_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its nodes are aligned by the weights of their labels alone."""
    calls = counted(monkeypatch, BranchAndBound, "_solve")
    monkeypatch.setattr(base, "AT_ONCE", 0)
    monkeypatch.setattr(progress, "SECONDS_A_TERM", 1e6)
    solution = get_solver("bnb").solve(PROBLEM, Limits(seconds=60.0))
    check_interval(solution)
    assert solution.value >= value_of(PROBLEM, PROBLEM.greedy()) > 0
    assert not calls


def test_auto_begins_no_other_stage_of_a_large_problem_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = random_problem(1, 16, 16, density=1.4)
    calls = counted(monkeypatch, BranchAndBound, "search")
    monkeypatch.setattr(auto, "AT_ONCE", 0)
    monkeypatch.setattr(progress, "SECONDS_A_TERM", 1e6)
    taken_apart = counted(monkeypatch, components, "components")
    solution = get_solver("auto:nodes=1").solve(problem, Limits(seconds=60.0))
    assert solution.value < solution.bound
    assert len([given for given in calls if given[1] is problem]) == 1
    assert not taken_apart


@pytest.mark.parametrize("seed", range(20))
def test_a_greedy_alignment_takes_the_heaviest_candidate_that_is_free(
    seed: int,
) -> None:
    problem = random_problem(seed, 6, 5, density=1.4)
    weights = dict(
        zip(zip(problem.left, problem.right, strict=True), problem.unary, strict=True)
    )
    taken: set[int] = set()
    for i, j in enumerate(problem.greedy()):
        free = {k: w for (h, k), w in weights.items() if h == i and k not in taken}
        best = max((w for w in free.values() if w >= 0), default=None)
        assert (j == -1) == (best is None)
        if best is not None:
            assert free[j] == best
            taken.add(j)


def test_one_stage_of_auto_is_enough_when_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = random_problem(1, 16, 16, density=1.4)
    solver = get_solver("auto:nodes=1")
    calls = counted(monkeypatch, BranchAndBound, "search")
    solution = solver.solve(problem, Limits(seconds=0.0))
    assert solution.value < solution.bound  # else there would be no other stage
    assert len([given for given in calls if given[1] is problem]) == 1


def test_limits_travel_without_their_watch() -> None:
    limits = Limits(1.0, 2, 3, Watch(), True, 4, 5.0)
    again = pickle.loads(pickle.dumps(limits))
    assert again == limits
    assert again.watch is None


@pytest.mark.parametrize("reason", ["work", "time"])
def test_a_list_of_optima_that_is_given_up_costs_nothing_more(
    reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each part would have to be cut out of the whole problem, which may be large."""
    known = get_solver("bnb").solve(PROBLEM).alignment
    assert sum(j >= 0 for j in known) > 2
    until = time.time() - 1 if reason == "time" else None
    if reason == "work":
        monkeypatch.setattr(enumeration, "WORK", 0)
    calls = counted(monkeypatch, AlignmentProblem, "restricted")
    found = optimal_alignments(PROBLEM, known, until=until)
    assert len(calls) == (reason == "work")
    assert found == enumeration.Optima((known,), False, frozenset())


# What old versions of the packages need


def test_highs_is_given_numbers_of_32_bits() -> None:
    """SciPy before 1.15 takes no others."""
    matrix = aggregated_model(PROBLEM).matrix()
    assert matrix.indices.dtype == matrix.indptr.dtype == np.int32


@pytest.mark.usefixtures("in_this_process")
def test_cp_sat_is_given_hints_that_are_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """OR-Tools before 9.11 takes no truth values."""
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    calls = counted(monkeypatch, cp_model.CpModel, "add_hint")
    cpsat.CpSat().solve(PROBLEM)
    assert calls
    assert {type(value) for _, _, value in calls} == {int}
