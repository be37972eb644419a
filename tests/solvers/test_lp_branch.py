"""Branch and bound by relaxations: optimal, honest when cut short."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from oracle import brute_force, value_of
from strategies import problems, random_problem

from exactmatch.solvers import get_solver
from exactmatch.solvers.lp_branch import Incumbent, prove, restricted
from exactmatch.solvers.problem import AlignmentProblem


def nothing(problem: AlignmentProblem) -> Incumbent:
    return Incumbent((-1,) * problem.n_left, 0)


def hard_problem(seed: int, scale: int = 1) -> AlignmentProblem:
    """Few labels and many equal edges: the relaxation alone does not do."""
    return random_problem(seed, 9, 9, density=1.4, max_weight=scale, scale=scale)


@settings(max_examples=100, deadline=None)
@given(problem=problems(max_nodes=4))
def test_it_proves_the_optimum(problem):
    incumbent = nothing(problem)
    outcome = prove(problem, incumbent)
    assert outcome is not None
    assert outcome.bound == incumbent.value == brute_force(problem)
    assert value_of(problem, incumbent.alignment) == incumbent.value


@settings(max_examples=60, deadline=None)
@given(problem=problems(max_nodes=4, max_weight=1000, scale=100))
def test_it_proves_the_optimum_of_scaled_weights(problem):
    """Windows of one unit of score then hold many different values."""
    incumbent = nothing(problem)
    outcome = prove(problem, incumbent)
    assert outcome is not None
    assert outcome.bound == incumbent.value == brute_force(problem)


@pytest.mark.parametrize("scale", [1, 50])
def test_it_branches_where_one_relaxation_is_not_enough(scale):
    most = 0
    for seed in range(8):
        problem = hard_problem(seed, scale)
        incumbent = nothing(problem)
        outcome = prove(problem, incumbent)
        assert outcome is not None
        assert outcome.bound == incumbent.value
        assert incumbent.value == get_solver("cpsat").solve(problem).value
        most = max(most, outcome.nodes)
    assert most > 2


def test_a_good_start_is_kept_and_still_proved():
    problem = hard_problem(1)
    best = get_solver("cpsat").solve(problem)
    incumbent = Incumbent(best.alignment, best.value)
    outcome = prove(problem, incumbent)
    assert outcome is not None
    assert outcome.bound == incumbent.value == best.value


@pytest.mark.parametrize("max_nodes", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("scale", [1, 50])
def test_cut_short_it_says_what_it_proved(max_nodes, scale):
    """The bound must cover the branches that were never entered."""
    for seed in range(6):
        problem = hard_problem(seed, scale)
        optimum = get_solver("cpsat").solve(problem).value
        incumbent = nothing(problem)
        outcome = prove(problem, incumbent, max_nodes=max_nodes)
        assert outcome is not None
        assert incumbent.value <= optimum <= outcome.bound
    

def test_after_the_deadline_there_is_nothing_to_report():
    problem = hard_problem(0)
    assert prove(problem, nothing(problem), deadline=time.perf_counter()) is None


@settings(max_examples=100, deadline=None)
@given(problem=problems(max_nodes=4))
def test_a_restriction_is_the_problem_without_some_candidates(problem):
    keep = np.arange(problem.n_candidates) % 3 != 1
    part = restricted(problem, keep)
    checked = AlignmentProblem(  # the constructor checks what "trusted" did not
        part.n_left,
        part.n_right,
        part.left,
        part.right,
        part.unary,
        part.first,
        part.second,
        part.weight,
        part.scale,
        part.start,
    )
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    kept = {pair for pair, flag in zip(pairs, keep.tolist(), strict=True) if flag}
    left_over = set(zip(part.left.tolist(), part.right.tolist(), strict=True))
    assert left_over <= kept
    unary = {
        pair: weight
        for pair, weight in zip(pairs, problem.unary.tolist(), strict=True)
        if pair in kept
    }
    pairwise = {
        (pairs[c], pairs[d]): weight
        for c, d, weight in zip(
            problem.first.tolist(),
            problem.second.tolist(),
            problem.weight.tolist(),
            strict=True,
        )
        if pairs[c] in kept and pairs[d] in kept
    }
    wanted = AlignmentProblem.from_weights(
        problem.n_left, problem.n_right, unary, pairwise
    )
    assert brute_force(checked) == brute_force(wanted)
