"""One linear assignment: a worked example, and its bound."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems

from exactmatch.base import compiled as kernels
from exactmatch.solvers import hungarian
from exactmatch.solvers.hungarian import Hungarian, doubled_worths
from exactmatch.solvers.problem import AlignmentProblem

RIVALS = AlignmentProblem.from_weights(
    2, 3, {(0, 0): 2}, {((0, 0), (1, 1)): 5, ((0, 0), (1, 2)): 4}
)
"""Two pair terms that no alignment holds together: they share left node 1."""


@pytest.fixture(params=["load", "load_interpreted"])
def _kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernel as it is used, and as Python."""
    load = getattr(kernels, request.param)
    monkeypatch.setattr(hungarian, "_kernel", load("exactmatch.solvers.kernel.solve"))


def best_choice(partners: list[tuple[Any, int]]) -> int:
    """The largest weight of partners of which no two share a node."""
    if not partners:
        return 0
    (left, right), weight = partners[0]
    others = [p for p in partners[1:] if p[0][0] != left and p[0][1] != right]
    return max(best_choice(partners[1:]), weight + best_choice(others))


@pytest.mark.usefixtures("_kernel")
def test_worths_are_those_of_all_choices_tried() -> None:
    @settings(max_examples=examples(80), deadline=None)
    @given(problem=problems(max_nodes=6, max_weight=9))
    def check(problem: AlignmentProblem) -> None:
        nodes = list(zip(problem.left.tolist(), problem.right.tolist(), strict=True))
        partners: list[list[tuple[Any, int]]] = [[] for _ in nodes]
        terms = (problem.first, problem.second, problem.weight)
        for c, d, weight in zip(*(part.tolist() for part in terms), strict=True):
            partners[c].append((nodes[d], weight))
            partners[d].append((nodes[c], weight))
        expected = [
            2 * own + best_choice(found)
            for own, found in zip(problem.unary.tolist(), partners, strict=True)
        ]
        assert doubled_worths(problem).tolist() == expected

    check()


def test_partners_that_share_a_node_count_once() -> None:
    """Candidates (0, 0), (1, 1), (1, 2): 2·2 + 5, 5 and 4 halves."""
    assert doubled_worths(RIVALS).tolist() == [9, 5, 4]


def test_partners_that_share_a_right_node_count_once() -> None:
    assert sorted(doubled_worths(RIVALS.transposed()).tolist()) == [4, 5, 9]


def test_the_bound_is_rounded_down() -> None:
    solution = Hungarian().solve(RIVALS)
    assert solution.alignment == (0, 1)
    assert solution.value == solution.bound == 7
    assert solution.proof == "assignment"


@settings(max_examples=examples(80), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=5))
def test_value_and_bound_enclose_the_optimum(problem: AlignmentProblem) -> None:
    solution = Hungarian().solve(problem)
    assert solution.value == value_of(problem, solution.alignment)
    assert solution.value <= brute_force(problem) <= solution.bound


@settings(max_examples=examples(50), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=5))
def test_no_split_in_halves_is_worth_less_than_one_alignment(
    problem: AlignmentProblem,
) -> None:
    """What an alignment earns is never more than its candidates' worths."""
    solution = Hungarian().solve(problem)
    chosen = problem.chosen(solution.alignment)
    assert 2 * solution.value <= int(np.sum(doubled_worths(problem)[chosen]))


def test_weights_beyond_exact_doubles_are_bounded_without_them() -> None:
    weight = 2**51
    problem = AlignmentProblem.from_weights(
        2, 2, {(0, 0): weight, (1, 1): weight - 1}, {}
    )
    solution = Hungarian().solve(problem)
    assert solution.value == 2 * weight - 1 <= solution.bound
    assert solution.proof == "none"
