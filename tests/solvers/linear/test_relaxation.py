"""The linear relaxation and the integer proof made of its duals."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems, random_problem

from exactmatch.solvers.linear.model import aggregated_model
from exactmatch.solvers.linear.relaxation import (
    ProvenDuals,
    Relaxation,
    proven,
    relaxation,
    relaxed,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits


def check_by_hand(problem: AlignmentProblem, duals: ProvenDuals) -> None:
    """Every inequality of the module's docstring, one by one, in Python integers."""
    unit, n_terms = duals.denominator, problem.n_terms
    left, right = problem.left.tolist(), problem.right.tolist()
    worth = [unit * w for w in problem.unary.tolist()]
    shares = duals.share.tolist()
    by_left: dict[tuple[int, int], list[int]] = {}
    by_right: dict[tuple[int, int], list[int]] = {}
    ends = list(zip(problem.first.tolist(), problem.second.tolist(), strict=True))
    halves = [*enumerate(ends), *enumerate(((d, c) for c, d in ends), n_terms)]
    for h, (c, d) in halves:
        by_left.setdefault((c, left[d]), []).append(h)
        by_right.setdefault((c, right[d]), []).append(h)
    inner = []
    for groups, given_duals in ((by_left, duals.inner[0]), (by_right, duals.inner[1])):
        keys = sorted(groups)
        assert len(keys) == len(given_duals)
        paid = dict(zip(keys, given_duals.tolist(), strict=True))
        assert all(dual >= 0 for dual in paid.values())
        for (c, _), dual in paid.items():
            worth[c] += dual
        inner.append(paid)
    for p, weight in enumerate(problem.weight.tolist()):
        assert shares[p] + shares[n_terms + p] == weight * unit
    for h, (c, d) in halves:
        assert inner[0][c, left[d]] + inner[1][c, right[d]] >= shares[h] >= 0
    u, v = duals.u.tolist(), duals.v.tolist()
    assert min([*u, *v, 0]) >= 0
    for c, (i, j) in enumerate(zip(left, right, strict=True)):
        assert duals.slack[c] == u[i] + v[j] - worth[c] >= 0
    assert duals.total == sum(u) + sum(v)
    common = math.gcd(*problem.unary.tolist(), *problem.weight.tolist())
    assert duals.lattice == max(common, 1)
    steps = (sum(u) + sum(v)) // (unit * duals.lattice)
    assert duals.bound == steps * duals.lattice


def solved(problem: AlignmentProblem) -> Relaxation:
    result = relaxed(None, None, problem)
    assert result is not None
    return result


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(max_nodes=4))
def test_the_rounded_duals_prove_their_bound(problem: AlignmentProblem) -> None:
    duals = proven(problem, solved(problem))
    check_by_hand(problem, duals)
    assert duals.bound >= brute_force(problem)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(max_nodes=4))
def test_rounding_costs_next_to_nothing(problem: AlignmentProblem) -> None:
    relaxed = solved(problem)
    assert proven(problem, relaxed).total / 2**20 <= relaxed.value + 1e-3


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=10**6, scale=10**6))
def test_millionths_are_proved_too(problem: AlignmentProblem) -> None:
    duals = proven(problem, solved(problem))
    check_by_hand(problem, duals)
    assert duals.bound >= brute_force(problem)


@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(max_nodes=4), seed=st.integers(0, 2**20))
def test_nonsense_from_the_solver_still_proves_what_it_says(
    problem: AlignmentProblem, seed: int
) -> None:
    """The numbers are only a suggestion: any will do, if only for a worse bound."""
    rng = np.random.default_rng(seed)
    relaxed = solved(problem)
    noise = [np.maximum(a + rng.normal(size=a.shape), 0) for a in relaxed.inner]
    wrong = dataclasses.replace(
        relaxed,
        u=rng.random(problem.n_left),
        v=rng.random(problem.n_right),
        inner=(noise[0], noise[1]),
    )
    duals = proven(problem, wrong)
    check_by_hand(problem, duals)
    assert duals.bound >= brute_force(problem)


def test_the_denominator_shrinks_before_sums_can_overflow() -> None:
    half = 2**51
    unary = {(0, 0): half, (1, 1): half}
    problem = AlignmentProblem.from_weights(2, 2, unary, {((0, 0), (1, 1)): 1})
    duals = proven(problem, solved(problem))
    assert duals.denominator * problem.total_weight() < 2**61
    check_by_hand(problem, duals)


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), below=st.integers(0, 3))
def test_what_is_dropped_is_in_no_better_alignment(
    problem: AlignmentProblem, below: Any
) -> None:
    value = brute_force(problem) - below
    duals = proven(problem, solved(problem))
    still_open = duals.open_candidates(value)
    options: list[list[int]] = [[-1] for _ in range(problem.n_left)]
    pairs = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
    for i, j in pairs:
        options[i].append(j)
    for alignment in itertools.product(*options):
        used = [j for j in alignment if j >= 0]
        if len(set(used)) == len(used) and value_of(problem, alignment) > value:
            held = [c for c, (i, j) in enumerate(pairs) if alignment[i] == j]
            assert still_open[held].all()


def test_much_is_dropped_where_the_bound_is_reached() -> None:
    problem = random_problem(1, 14, 14, density=0.6)
    duals = proven(problem, solved(problem))
    assert not duals.open_candidates(duals.bound).any()


@pytest.mark.slow
@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=5))
def test_the_smaller_program_has_the_value_of_the_whole_relaxation(
    problem: AlignmentProblem,
) -> None:
    """Replacing a candidate by the sum of its terms loses nothing."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    model = aggregated_model(problem)
    relaxed = solved(problem)
    if not model.n_x:
        assert relaxed.value == 0
        return
    shape = (model.n_rows, model.n_x + model.n_y)
    matrix = csr_array((model.coefficients, model.columns, model.starts), shape=shape)
    whole = linprog(
        -model.objective,
        A_ub=matrix if model.n_rows else None,
        b_ub=model.upper if model.n_rows else None,
        bounds=(0, 1),
    )
    assert relaxed.value == pytest.approx(-whole.fun, abs=1e-6)
    assert relaxed.x.min() >= -1e-9
    assert relaxed.x.max() <= 1 + 1e-9
    for nodes in (problem.left, problem.right):
        assert np.bincount(nodes, relaxed.x).max() <= 1 + 1e-2  # leaves have a hint


def test_no_time_is_no_solution() -> None:
    problem = random_problem(0, 12, 12)
    assert relaxed(None, 0.0, problem) is None
    assert relaxation(problem, Progress(problem, Limits(seconds=0.0))) is None


def test_the_relaxation_of_another_process_is_the_same() -> None:
    problem = random_problem(0, 12, 12)
    here, there = solved(problem), relaxation(problem, Progress(problem, Limits()))
    assert there is not None
    assert there[0].value == here.value
    assert np.array_equal(there[0].x, here.x)
    assert there[1].bound == proven(problem, here).bound
