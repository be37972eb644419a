"""Leaves taken together: the same relaxation, smaller, and duals of the whole one."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import csr_array
from support.oracle import brute_force

from exactmatch.solvers.linear import tightened
from exactmatch.solvers.linear.cuts import Source
from exactmatch.solvers.linear.leaves import quotient
from exactmatch.solvers.linear.model import aggregated_model
from exactmatch.solvers.linear.relaxation import (
    Program,
    Rest,
    proven,
    relaxed,
    searched,
)
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

SEEDS = range(8)


def atoms(rng: random.Random, heavy: int, leaves: int) -> tuple[list[str], Any]:
    """Labels and edges: a path of heavy atoms, and hydrogen on it; one may float."""
    labels = [rng.choice("CN") for _ in range(heavy)] + ["H"] * leaves
    edges = {(k, k + 1): rng.randrange(2) for k in range(heavy - 1)}
    for leaf in range(heavy, heavy + leaves):
        if rng.random() < 0.9:
            edges[rng.randrange(heavy), leaf] = 0
    return labels, edges


def molecules(seed: int, heavy: int = 3, leaves: int = 3) -> AlignmentProblem:
    rng = random.Random(seed)
    (first, bonds), (second, others) = (
        atoms(rng, heavy, leaves - rng.randrange(2)) for _ in "ab"
    )
    unary = {
        (i, j): 20 if first[i] == second[j] else 0
        for i, j in itertools.product(range(len(first)), range(len(second)))
    }
    terms = {
        ((u, x), (v, y)): 6 if kind == other else 3
        for (u, v), kind in bonds.items()
        for pair, other in others.items()
        for x, y in (pair, pair[::-1])
    }
    return AlignmentProblem.from_weights(len(first), len(second), unary, terms)


def value_as_it_is(problem: AlignmentProblem) -> float:
    """The relaxation of the aggregated model, stated without any reduction."""
    model = aggregated_model(problem)
    data = model.coefficients.astype(float)
    shape = model.n_rows, model.n_x + model.n_y
    matrix = csr_array((data, model.columns, model.starts), shape=shape)
    found = linprog(-model.objective, A_ub=matrix, b_ub=model.upper, bounds=(0, 1))
    return float(-found.fun)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_the_relaxation_is_worth_the_same_and_is_smaller(seed: int) -> None:
    problem = molecules(seed)
    groups = quotient(problem)
    assert np.any(groups.block >= 0)
    found = relaxed(None, None, problem)
    assert found is not None
    assert found.value == pytest.approx(value_as_it_is(problem))
    assert len(Program(problem).objective) < problem.n_candidates + problem.n_terms
    assert brute_force(problem) <= found.value + 1e-6


@pytest.mark.parametrize("seed", SEEDS)
def test_duals_of_groups_are_duals_of_the_whole(seed: int) -> None:
    problem = molecules(seed)
    found = relaxed(None, None, problem)
    assert found is not None
    duals = proven(problem, found)
    assert duals.total / duals.denominator == pytest.approx(found.value, abs=1e-3)
    assert np.all((found.x >= -1e-9) & (found.x <= 1 + 1e-9))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_left_of_leaves_is_bounded_too(seed: int) -> None:
    """Without some candidates of leaves the bound may be weaker, never wrong."""
    whole = molecules(seed)
    keep = np.random.default_rng(seed).random(whole.n_candidates) < 0.7
    problem = whole.restricted(keep)
    found = relaxed(None, None, problem)
    assert found is not None
    assert found.value >= value_as_it_is(problem) - 1e-6
    assert proven(problem, found).bound >= brute_force(problem)


def test_interchangeable_leaves_become_one() -> None:
    """Two atoms with two hydrogens each: one group a parent, one row for all four."""
    everything = itertools.product(range(6), repeat=2)
    unary = {(i, j): 20 for i, j in everything if (i < 2) == (j < 2)}
    bonds = [(0, 1), (0, 2), (0, 3), (1, 4), (1, 5)]
    terms = {
        ((u, x), (v, y)): 6
        for u, v in bonds
        for pair in bonds
        for x, y in (pair, pair[::-1])
    }
    problem = AlignmentProblem.from_weights(6, 6, unary, terms)
    groups = quotient(problem)
    for side in (0, 1):
        assert groups.capacity[side].tolist() == [1, 1, 2, 2]
        assert groups.row[side].tolist() == [0, 1, 2, 2]
        assert groups.group[side].tolist() == [0, 1, 2, 2, 3, 3]
    assert sorted(groups.block.tolist())[-4:] == [0] * 4


@pytest.mark.parametrize(
    "other",
    [
        {(2, 2): 19},  # not all of them are worth the same
        {(2, 0): 1},  # one earns something as no leaf
    ],
)
def test_leaves_that_are_not_alike_stay_apart(other: dict[Any, int]) -> None:
    unary = {(0, 0): 20, (1, 1): 20}
    unary |= {(i, j): 20 for i in (2, 3) for j in (2, 3)} | other
    bonds = [(0, 1), (0, 2), (1, 3)]
    terms = {
        ((u, x), (v, y)): 6
        for u, v in bonds
        for pair in bonds
        for x, y in (pair, pair[::-1])
    }
    problem = AlignmentProblem.from_weights(4, 4, unary, terms)
    assert quotient(problem).problem is problem


@pytest.mark.slow
@pytest.mark.usefixtures("in_this_process")
@pytest.mark.parametrize("seed", range(4))
def test_the_last_resort_finds_or_refutes(seed: int) -> None:
    problem = molecules(seed)
    best = brute_force(problem)
    assert searched(None, None, problem, best) == (best, None)
    bound, x = searched(None, None, problem, best - 1)
    assert bound == best
    assert x is not None
    whole = Progress(problem, Limits())
    progress = whole.of_part(problem, best - 1)
    found = Rest().propose(problem, progress)
    assert found.bound == best
    assert progress.value <= best
    refuted = Rest().propose(problem, whole.of_part(problem, best))
    assert (refuted.bound, refuted.proof) == (best, "milp")


@pytest.mark.parametrize("seed", range(4))
def test_cuts_name_items_of_a_problem_with_leaves(seed: int) -> None:
    problem = molecules(seed)
    assert np.any(quotient(problem).block >= 0)
    whole = Source.of(problem, np.ones(problem.n_candidates, dtype=np.bool_))
    solution = relaxed(None, None, problem, 0, whole)
    assert solution is not None
    optimum = brute_force(problem)
    assert proven(problem, solution, whole).bound >= optimum
    again = relaxed(None, None, problem, 0, whole, solution.cuts)
    assert again is not None
    assert again.value == pytest.approx(solution.value)
    part, nodes = tightened.searched(None, None, problem, 0, whole, solution.cuts, 1000)
    assert (part, nodes is None) == (optimum, optimum == 0)
