"""Averaged steps at the root: the bound falls, but never below the optimum."""

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.base import compiled as kernels
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal, check_solution


def root(problem: AlignmentProblem, **options: Any) -> Proposal:
    """What is known when the root is about to branch."""
    solver = BranchAndBound(nodes=1, **options)
    return solver.search(problem, Progress(problem, Limits()))


def deepened(problem: AlignmentProblem) -> Proposal:
    """The same after deep steps."""
    solver = BranchAndBound(nodes=1)
    return solver.search(problem, Progress(problem, Limits()), deep=True)


def test_the_root_proves_what_steps_along_one_subgradient_do_not() -> None:
    """Without averaged steps the root of this problem ends at 196 to 198."""
    problem = random_problem(2, 150, 150, density=0.2)
    found = root(problem)
    assert problem.value(found.alignment) == found.bound == 198
    assert found.proof == "dual"


@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(max_nodes=4))
def test_what_the_root_drops_is_in_no_better_alignment(
    problem: AlignmentProblem,
) -> None:
    found = root(problem)
    value = problem.value(found.alignment)
    optimum = brute_force(problem)
    assert value <= optimum <= found.bound
    if found.still_open is None:
        assert value == optimum
        return
    whole = problem.unary.copy()
    gone = [c for c in range(problem.n_candidates) if c not in found.still_open]
    whole[gone] = -(10**6)
    rest = type(problem).trusted(
        problem.n_left,
        problem.n_right,
        (
            problem.left,
            problem.right,
            whole,
            problem.first,
            problem.second,
            problem.weight,
            problem.start,
        ),
    )
    assert max(brute_force(rest), value) == optimum


@pytest.mark.parametrize("seed", range(8))
def test_a_search_that_is_cut_short_is_certified(seed: int) -> None:
    problem = random_problem(seed, 14, 14, density=1.6)
    found = root(problem, record_proof=1)
    value = problem.value(found.alignment)
    check_certificate(problem, found.alignment, value, found.certificate)


@pytest.mark.parametrize("seed", range(4))
def test_the_relaxation_continues_what_the_root_proved(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactmatch.solvers.auto.FIRST_NODES", 1)
    problem = random_problem(seed, 14, 14, density=1.6)
    solution = Auto(record_proof=1).solve(problem)
    assert solution.is_optimal
    check_solution(problem, solution)
    assert solution.value == BranchAndBound().solve(problem).value


@pytest.mark.slow
@pytest.mark.parametrize("deep", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_compiled_and_interpreted_go_the_same_way(seed: int, deep: bool) -> None:
    problem = random_problem(seed, 9, 9, density=1.6)
    solvers = [BranchAndBound(nodes=1) for _ in range(2)]
    solvers[1]._load = kernels.load_interpreted
    first = [s.search(problem, Progress(problem, Limits()), deep=deep) for s in solvers]
    assert first[0] == first[1]
    assert (first[0].shares is not None) == (deep and first[0].still_open is not None)
    again = [
        s.search(problem, Progress(problem, Limits()), shares=found.shares, deep=deep)
        for s, found in zip(solvers, first, strict=True)
    ]
    assert again[0] == again[1]


@pytest.mark.parametrize(("seed", "bound", "deep"), [(6, 99, 98), (12, 99, 98)])
def test_deep_steps_lower_the_bound_further(seed: int, bound: int, deep: int) -> None:
    problem = random_problem(seed, 60, 60, density=0.6)
    assert root(problem).bound == bound
    assert deepened(problem).bound == deep


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), above=st.integers(0, 20))
def test_a_search_goes_on_from_the_split_of_another(
    problem: AlignmentProblem, above: int
) -> None:
    """Whatever it begins with, it proves what it says, with its certificate."""
    first = deepened(problem)
    progress = Progress(problem, Limits())
    found = BranchAndBound(record_proof=1).search(
        problem, progress, above=above, shares=first.shares, deep=True
    )
    optimum = brute_force(problem)
    value = problem.value(found.alignment)
    lattice = math.gcd(*problem.unary.tolist(), *problem.weight.tolist()) or 1
    assert found.bound == max(optimum, above - above % lattice)
    assert value == optimum or optimum <= above
    check_certificate(problem, found.alignment, value, found.certificate)


@pytest.mark.parametrize("seed", [6, 12])
def test_the_split_is_not_forgotten(seed: int) -> None:
    """One round of the next search proves what all rounds before proved."""
    problem = random_problem(seed, 60, 60, density=0.6)
    first = deepened(problem)
    assert first.shares is not None
    assert len(first.shares) == problem.n_terms
    progress = Progress(problem, Limits(seconds=0.0))
    found = BranchAndBound(nodes=1).search(problem, progress, shares=first.shares)
    afresh = BranchAndBound(nodes=1).search(problem, progress)
    assert found.bound is not None
    assert afresh.bound is not None
    assert first.bound == found.bound < afresh.bound


@pytest.mark.parametrize("shares", [[-5], [1 << 62]])
def test_a_split_that_is_none_is_made_one(shares: list[int]) -> None:
    problem = random_problem(1, 6, 6, density=1.6)
    found = BranchAndBound(record_proof=1).search(
        problem, Progress(problem, Limits()), shares=shares * problem.n_terms
    )
    value = problem.value(found.alignment)
    assert value == found.bound == brute_force(problem)
    check_certificate(problem, found.alignment, value, found.certificate)


@pytest.mark.parametrize(("n", "seed", "density"), [(20, 3, 1.6), (30, 4, 1.0)])
def test_the_core_holds_a_better_alignment(n: int, seed: int, density: float) -> None:
    """Assignments round up to less than what few of their candidates allow."""
    problem = random_problem(seed, n, n, density=density)
    solver = BranchAndBound(nodes=1)
    progress = [Progress(problem, Limits()) for _ in range(2)]
    alone = solver.search(problem, progress[0], core=False)
    helped = solver.search(problem, progress[1])
    assert problem.value(helped.alignment) > problem.value(alone.alignment)
    assert problem.value(helped.alignment) <= helped.bound <= alone.bound


@pytest.mark.slow
def test_averages_begin_anew_where_few_candidates_are_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever somebody finds is taken in, and what that drops is averaged no more."""
    problem = random_problem(4, 30, 30, density=1.0)
    best = BranchAndBound().solve(problem).alignment
    monkeypatch.setattr("exactmatch.solvers.bnb._improved", lambda *_: list(best))
    found = root(problem)
    assert problem.value(found.alignment) == problem.value(best)
    assert found.bound >= problem.value(best)
