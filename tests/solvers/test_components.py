"""Components of a problem: what falls apart is solved apart."""

from typing import Any

import networkx
import numpy as np
import pytest
from hypothesis import given
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.components import components
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits


def side_by_side(*parts: AlignmentProblem) -> AlignmentProblem:
    """One problem that consists of the given ones."""
    unary: dict[tuple[int, int], int] = {}
    terms: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    left = right = 0
    for part in parts:
        pairs = [
            (left + int(i), right + int(j))
            for i, j in zip(part.left, part.right, strict=True)
        ]
        unary |= dict(zip(pairs, part.unary.tolist(), strict=True))
        for c, d, weight in zip(part.first, part.second, part.weight, strict=True):
            terms[pairs[c], pairs[d]] = int(weight)
        left, right = left + part.n_left, right + part.n_right
    return AlignmentProblem.from_weights(left, right, unary, terms)


@given(problem=problems(max_nodes=4))
def test_components_are_those_of_the_graph(problem: AlignmentProblem) -> None:
    """Two candidates are neighbours by a node or by a pair term."""
    graph = networkx.Graph()
    for c, (i, j) in enumerate(zip(problem.left, problem.right, strict=True)):
        graph.add_edges_from([(c, ("left", int(i))), (c, ("right", int(j)))])
    graph.add_edges_from(
        zip(problem.first.tolist(), problem.second.tolist(), strict=True)
    )
    number = components(problem)
    expected = {
        frozenset(c for c in found if isinstance(c, int))
        for found in networkx.connected_components(graph)
    }
    assert {frozenset(np.flatnonzero(number == k)) for k in set(number)} == expected


def test_a_long_chain_is_one_component() -> None:
    terms = {((i, i), (i + 1, i + 1)): 1 for i in range(3000)}
    problem = AlignmentProblem.from_weights(3001, 3001, {}, terms)
    assert not components(problem).any()


@pytest.mark.parametrize("seed", range(4))
def test_what_falls_apart_is_solved_apart(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = []
    restricted = AlignmentProblem.restricted

    def counted(problem: AlignmentProblem, keep: Any) -> AlignmentProblem:
        solved.append(int(keep.sum()))
        return restricted(problem, keep)

    parts = [random_problem(10 * seed + k, 9, 9, density=1.4) for k in range(3)]
    problem = side_by_side(*parts)
    monkeypatch.setattr(AlignmentProblem, "restricted", counted)
    solution = Auto(nodes=1).solve(problem)
    assert solution.is_optimal
    assert {part.n_candidates for part in parts} <= set(solved)
    assert solution.value == sum(BranchAndBound().solve(part).value for part in parts)


@pytest.mark.parametrize("seed", range(4))
def test_out_of_time_the_parts_are_bounded(seed: int) -> None:
    parts = [random_problem(10 * seed + k, 5, 4, density=1.4) for k in range(3)]
    optimum = sum(brute_force(part) for part in parts)
    solution = Auto(nodes=1).solve(side_by_side(*parts), Limits(seconds=0.0))
    assert solution.value <= optimum <= solution.bound
