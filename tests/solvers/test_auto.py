"""The stages of ``auto``: who is asked, and that they share one deadline."""

from __future__ import annotations

import dataclasses
import importlib.util
import subprocess
import sys
import textwrap
from typing import Any

import pytest
from hypothesis import given, settings
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.linear import branch as lp_branch
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Proposal, Solution, check_solution


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is left to ``bnb``: every problem counts as stubborn."""
    original = BranchAndBound.search

    def give_up(
        self: Any, problem: AlignmentProblem, progress: Any, **known: Any
    ) -> Proposal:
        # not a part of a window
        if known.keys() <= {"above", "deep"} or ("start" in known and self.nodes):
            return Proposal((-1,) * problem.n_left, problem.total_weight())
        return original(self, problem, progress, **known)

    monkeypatch.setattr(BranchAndBound, "search", give_up)
    monkeypatch.setattr(
        auto, "MAX_WINDOWS", 10**9
    )  # bounds that are not bounds are far


SEARCH_WINDOW = lp_branch.TreeSearch._search_window


def only_the_last_resort(self: Any, *arguments: Any) -> tuple[int, Proposal]:
    skipping = dataclasses.replace(self, window_nodes=0, tree_nodes=0)
    return SEARCH_WINDOW(skipping, *arguments)


def test_an_easy_problem_imports_neither_scipy_nor_ortools() -> None:
    code = """
    import sys
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.problem import AlignmentProblem
    terms = {((i, i), (j, j)): 1 for i in range(6) for j in range(i)}
    problem = AlignmentProblem.from_weights(6, 6, {(0, 0): 1}, terms)
    assert get_solver("auto").solve(problem).is_optimal
    print([m for m in ("scipy", "ortools", "pulp") if m in sys.modules])
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"


@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4))
def test_every_solution_is_certified_if_asked_for(problem: AlignmentProblem) -> None:
    solution = Auto(record_proof=1).solve(problem)
    assert solution.value == brute_force(problem)
    check_solution(problem, solution)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("seed", "nodes"),
    [
        *((seed, 6) for seed in range(3, 9)),
        *(pytest.param(seed, 7, marks=pytest.mark.slow) for seed in range(3, 9)),
    ],
)
def test_stubborn_problems_are_proved_by_the_relaxation(seed: int, nodes: int) -> None:
    problem = random_problem(seed, nodes, nodes, density=1.6)
    solution = Auto(record_proof=1).solve(problem)
    assert solution.is_optimal
    assert solution.proof in ("lp", "branch")
    check_solution(problem, solution)


@pytest.mark.slow
@pytest.mark.usefixtures("impatient")
def test_the_last_resort_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without ``bnb`` and the tree, CP-SAT decides and is believed: milp."""
    monkeypatch.setattr(
        lp_branch.TreeSearch, "_search_window", only_the_last_resort, raising=True
    )
    proofs = {
        Auto(record_proof=1).solve(random_problem(seed, 6, 6, density=1.6)).proof
        for seed in range(5, 8)
    }
    assert proofs == {"lp", "milp"}


@pytest.mark.usefixtures("impatient")
def test_all_stages_share_one_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """And with it one deadline."""
    seen = []

    def relaxation(_problem: Any, progress: Any) -> None:
        seen.append(progress)

    monkeypatch.setattr(lp_branch, "relaxation", relaxation)
    solution = Auto().solve(random_problem(0, 6, 6), Limits(seconds=5.0))
    (progress,) = seen
    assert progress.deadline - progress.started == 5.0
    assert solution.bound >= solution.value


@pytest.mark.usefixtures("impatient")
def test_what_is_known_when_time_runs_out_is_the_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Here before the first relaxation: the first stage proved nothing of use."""
    monkeypatch.setattr(lp_branch, "relaxation", lambda *_arguments: None)
    problem = random_problem(0, 6, 6)
    solution = Auto().solve(problem)
    assert (solution.bound, solution.proof) == (problem.row_bound(), "none")


def answered_by(
    monkeypatch: pytest.MonkeyPatch,
    first_bound: int,
    later: Proposal | None,
) -> Solution:
    """Solve a problem whose optimum is 1, the stages proving what is given.

    Twenty terms of which one can be had: the cheapest bound is 10.
    """
    terms = {((0, 0), (1, j)): 1 for j in range(1, 21)}
    problem = AlignmentProblem.from_weights(2, 21, {}, terms)
    first = Proposal((0, 1), first_bound, "dual")

    def search(_solver: Any, _problem: Any, progress: Any, **_known: Any) -> Proposal:
        progress.offer(first.alignment)
        return first

    monkeypatch.setattr(BranchAndBound, "search", search)
    monkeypatch.setattr(auto, "is_symmetric", lambda _problem: False)
    monkeypatch.setattr(lp_branch.TreeSearch, "run", lambda *_arguments: later)
    return Auto().solve(problem)


@pytest.mark.parametrize(
    ("first", "later", "bound", "proof"),
    [
        (1, Proposal((0, 1), 0, "milp"), 1, "dual"),  # never asked
        (2, Proposal((0, 1), 1, "lp"), 1, "lp"),  # one too many is not enough
        (9, Proposal((0, 1), 5, "branch"), 5, "branch"),
        (5, Proposal((0, 1), 5, "milp"), 5, "dual"),
        (5, Proposal((0, 1), 9, "milp"), 5, "dual"),
        (5, None, 5, "dual"),
    ],
)
def test_the_lowest_bound_counts_and_its_proof(
    monkeypatch: pytest.MonkeyPatch, first: int, later: Any, bound: int, proof: str
) -> None:
    solution = answered_by(monkeypatch, first, later)
    assert (solution.value, solution.bound, solution.proof) == (1, bound, proof)


def without(monkeypatch: pytest.MonkeyPatch, *packages: Any) -> None:
    """Make packages look as if they were not installed."""
    find_spec = importlib.util.find_spec

    def find(name: Any, *arguments: Any) -> Any:
        return None if name in packages else find_spec(name, *arguments)

    monkeypatch.setattr(importlib.util, "find_spec", find)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("missing", "instead"),
    [(("scipy", "ortools"), "bnb goes on alone"), (("ortools",), "instead of CP-SAT")],
)
def test_bnb_goes_on_where_a_stage_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, missing: tuple[str, ...], instead: str
) -> None:
    without(monkeypatch, *missing)
    problem = random_problem(6, 6, 6, density=1.6)  # one relaxation is not enough
    with pytest.warns(auto.MissingStageWarning, match=f"{instead}.*pip install"):
        solution = Auto(record_proof=1).solve(problem)
    assert solution.is_optimal
    check_solution(problem, solution)
    assert Auto.version().endswith(f", without {' and '.join(missing)}")
    assert Auto.is_available()


@pytest.mark.parametrize("seed", range(6))
def test_a_stubborn_bound_is_lowered_window_by_window(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the relaxation: a search cut short at its root has a bound to lower."""
    monkeypatch.setattr(auto, "FIRST_NODES", 1)
    monkeypatch.setattr(lp_branch.TreeSearch, "run", None)
    problem = random_problem(seed, 9, 9, density=1.4)
    solution = Auto(record_proof=1).solve(problem)
    assert solution.is_optimal
    assert solution.value == BranchAndBound().solve(problem).value
    check_solution(problem, solution)


def test_a_stubborn_window_leaves_what_was_proved_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(auto, "FIRST_NODES", 1)
    monkeypatch.setattr(auto, "WINDOW_NODES", 1)
    monkeypatch.setattr(lp_branch.TreeSearch, "run", lambda *_: None)
    for seed in range(6):
        problem = random_problem(seed, 12, 12, density=1.6)
        solution = Auto(record_proof=1).solve(problem)
        optimum = BranchAndBound().solve(problem).value
        assert solution.value <= optimum <= solution.bound
        check_solution(problem, solution)
