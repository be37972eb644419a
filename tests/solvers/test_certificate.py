"""The checker accepts every proof."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st
from support.certificates import (
    BY_HAND,
    RING,
    SMALL,
)
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.edit.distance import ged
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.certificate import (
    Certificate,
    ProofNode,
    Round,
)
from exactmatch.solvers.checker import check_certificate
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import check_solution


@settings(max_examples=examples(100), deadline=None)
@given(
    problem=st.sampled_from([1, 4, 10**6, 2**46]).flatmap(
        lambda weight: problems(max_nodes=4, max_weight=weight)
    )
)
def test_every_proof_of_the_kernel_is_accepted(problem: AlignmentProblem) -> None:
    solution = BranchAndBound(record_proof=1).solve(problem)
    check_solution(problem, solution)
    assert solution.certificate.bound == brute_force(problem)


@settings(max_examples=examples(60), deadline=None)
@given(seed=st.integers(0, 10**9), nodes=st.integers(0, 3))
def test_trees_are_accepted_finished_or_not(seed: int, nodes: Any) -> None:
    problem = random_problem(seed, 7, 7, density=1.2, max_weight=10 ** (seed % 7))
    check_solution(problem, BranchAndBound(record_proof=1, nodes=nodes).solve(problem))


def test_every_round_drops_candidates_or_closes_a_node() -> None:
    dense = nx.gnp_random_graph(11, 0.5, seed=1), nx.gnp_random_graph(11, 0.5, seed=2)
    problem = ged(*dense).problem
    for limit in (0, 5):
        solution = BranchAndBound(record_proof=1, nodes=limit).solve(problem)
        check_solution(problem, solution)
        assert solution.is_optimal is (limit == 0)
        nodes, better = solution.certificate.nodes, solution.bound + problem.lattice()
        assert sum(node.branch is not None for node in nodes) > 3
        for evidence in (each for node in nodes for each in node.rounds):
            bound = sum(evidence.left) + sum(evidence.right)
            assert evidence.dropped or bound < better * evidence.unit


def test_an_interrupted_search_proves_its_interval() -> None:
    solution = BranchAndBound(record_proof=1, nodes=2).solve(RING)
    assert not solution.is_optimal
    check_solution(RING, solution)


@settings(max_examples=examples(40), deadline=None)
@given(seed=st.integers(0, 10**9))
def test_json_loses_nothing(seed: int) -> None:
    problem = random_problem(seed, 5, 5, density=1.2)
    certificate = BranchAndBound(record_proof=1).solve(problem).certificate
    text = json.dumps(certificate.to_dict())
    assert Certificate.from_dict(json.loads(text)) == certificate


def test_a_proof_by_hand_is_accepted() -> None:
    check_certificate(SMALL, (0, 1), 4, BY_HAND)


def test_it_need_not_be_about_an_optimal_alignment() -> None:
    check_certificate(SMALL, (1, 0), 3, BY_HAND)


def row_bound_round(problem: AlignmentProblem) -> tuple[int, Round]:
    """A round written from the rules alone: halves, and rows only."""
    terms = list(
        zip(
            problem.first.tolist(),
            problem.second.tolist(),
            problem.weight.tolist(),
            strict=True,
        )
    )
    inner: dict[tuple[int, int], int] = {}
    right: set[tuple[int, int]] = set()
    for c, d, weight in terms:
        for own, other in ((c, d), (d, c)):
            key = (own, int(problem.left[other]))
            inner[key] = max(inner.get(key, 0), weight)
            right.add((own, int(problem.right[other])))
    worth = [2 * w for w in problem.unary.tolist()]
    for (c, _), number in inner.items():
        worth[c] += number
    outer = [0] * problem.n_left
    for i, number in zip(problem.left.tolist(), worth, strict=True):
        outer[i] = max(outer[i], number)
    return sum(outer) // 2, Round(
        unit=2,
        shares=tuple(weight for _, _, weight in terms),
        inner_left=tuple(inner[key] for key in sorted(inner)),
        inner_right=(0,) * len(right),
        left=tuple(outer),
        right=(0,) * problem.n_right,
    )


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4, max_weight=5))
def test_anyone_can_write_a_round(problem: AlignmentProblem) -> None:
    bound, evidence = row_bound_round(problem)
    nothing = (-1,) * problem.n_left
    check_certificate(
        problem, nothing, 0, Certificate(bound, (ProofNode((evidence,)),))
    )
    assert bound >= brute_force(problem)


def test_rounds_that_drop_go_before_the_proof_of_what_is_left() -> None:
    """Nine halves are four already; so whatever is dropped, the rest is proved."""
    whole = BY_HAND.nodes[0].rounds[0]
    dropping = replace(whole, left=(7, 2), dropped=(1,))
    left_over = AlignmentProblem.from_weights(
        2, 2, {(0, 0): 1, (1, 0): 0}, {((0, 0), (1, 1)): 3}
    )
    rest = BranchAndBound(record_proof=1).solve(left_over).certificate
    check_certificate(SMALL, (0, 1), 4, rest.after([dropping]))
