"""Pseudo-costs: a tree branches where earlier branches fell furthest."""

from __future__ import annotations

import numpy as np

from exactmatch.solvers.linear.branch import (
    LEFT_OUT,
    TAKEN,
    PseudoCosts,
    names_of,
)
from exactmatch.solvers.problem import AlignmentProblem

PROBLEM = AlignmentProblem.from_weights(
    2, 2, {(0, 0): 3, (0, 1): 2, (1, 0): 2, (1, 1): 3}, {}
)
HALF = np.full(4, 0.5)


def learned(falls: dict[int, tuple[float, float]]) -> PseudoCosts:
    """Pseudo-costs after both branches on some candidates, each half a unit away."""
    costs = PseudoCosts()
    for name, both in falls.items():
        for kind, fall in zip((LEFT_OUT, TAKEN), both, strict=True):
            costs.learn(name, kind, 0.5, fall)
    return costs


def test_at_first_most_is_at_stake() -> None:
    assert PseudoCosts().choose(PROBLEM, HALF, 1.0) in (0, 3)
    assert PseudoCosts().choose(PROBLEM, np.array([1, 0.5, 0.5, 1.0]), 1.0) in (1, 2)


def test_where_both_branches_fell_comes_before_where_one_did() -> None:
    falls = {0: (0.0, 0.9), 1: (0.4, 0.4), 2: (0.0, 0.0), 3: (0.9, 0.0)}
    assert learned(falls).choose(PROBLEM, HALF, 1.0) == 1


def test_a_fall_that_closes_a_branch_is_as_good_as_any_further_one() -> None:
    falls = {0: (0.3, 0.3), 1: (0.2, 9.0), 2: (0.0, 0.0), 3: (0.0, 0.0)}
    assert learned(falls).choose(PROBLEM, HALF, 0.1) in (0, 1)
    assert learned(falls).choose(PROBLEM, HALF, 0.15) == 0
    assert learned(falls).choose(PROBLEM, HALF, 9.0) == 1


def test_unknown_candidates_are_taken_for_the_mean() -> None:
    assert learned({1: (0.1, 0.1)}).choose(PROBLEM, HALF, 1.0) in (0, 3)
    assert learned({1: (0.9, 0.9), 3: (0.1, 0.1)}).choose(PROBLEM, HALF, 1.0) == 1


def test_a_rise_by_rounding_is_no_fall() -> None:
    costs = PseudoCosts()
    costs.learn(0, TAKEN, 0.0, -1e-9)
    assert costs.falls[0] == ([0.0, 1], [0.0, 0.0])


def test_candidates_keep_their_number_in_parts() -> None:
    keep = np.array([False, True, True, True])
    part = PROBLEM.restricted(keep)
    assert names_of(part).tolist() == names_of(PROBLEM)[keep].tolist()


def test_without_rivals_there_is_nothing_to_decide() -> None:
    problem = AlignmentProblem.from_weights(2, 2, {(0, 0): 1, (1, 1): 1}, {})
    assert PseudoCosts().choose(problem, np.full(2, 0.5), 1.0) == -1
    empty = AlignmentProblem.from_weights(1, 1, {}, {})
    assert PseudoCosts().choose(empty, np.zeros(0), 1.0) == -1


def test_whole_values_are_branched_on_where_nothing_else_is_left() -> None:
    assert PseudoCosts().choose(PROBLEM, np.array([1.0, 0.0, 0.0, 1.0]), 0.0) in (0, 3)
