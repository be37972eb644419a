"""Where nobody has a rival: the best choice against a minimum cut of networkx."""

from __future__ import annotations

import random
from typing import Any

import networkx as nx
import pytest

from exactmatch.base import compiled as kernels
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import check_solution

LOAD: dict[str, Any] = {
    "compiled": kernels.load,
    "interpreted": kernels.load_interpreted,
}


def closure(seed: int, n: int) -> AlignmentProblem:
    """Node i may be aligned with i only; most nodes cost, terms pay for chains."""
    rng = random.Random(seed)
    unary = {(i, i): rng.randint(-9, 2) for i in range(n)}
    ends = [sorted(rng.sample(range(n), 2)) for _ in range(2 * n)]
    pairwise = {((i, i), (k, k)): rng.randint(1, 7) for i, k in ends}
    return AlignmentProblem.from_weights(n, n, unary, pairwise)


def by_minimum_cut(problem: AlignmentProblem) -> int:
    """Project selection: what all pays, less the cheapest cut."""
    network = nx.DiGraph()
    network.add_nodes_from(["source", "sink"])
    gains = 0
    for c, unary in enumerate(problem.unary.tolist()):
        if unary < 0:
            network.add_edge(c, "sink", capacity=-unary)
        gains += max(unary, 0)
    terms = (problem.first.tolist(), problem.second.tolist(), problem.weight.tolist())
    for p, (c, d, weight) in enumerate(zip(*terms, strict=True)):
        gains += weight
        network.add_edge("source", f"term {p}", capacity=weight)
        network.add_edge(f"term {p}", c)
        network.add_edge(f"term {p}", d)
    return gains - int(nx.minimum_cut_value(network, "source", "sink"))


@pytest.mark.parametrize("kind", list(LOAD))
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("n", [2, 7, 40])
def test_the_best_choice_is_found_and_proved_without_a_branch(
    kind: str, seed: int, n: int
) -> None:
    problem = closure(seed, n)
    solver = BranchAndBound(record_proof=1)
    solver._load = LOAD[kind]
    solution = solver.solve(problem)
    assert solution.value == solution.bound == by_minimum_cut(problem)
    assert len(solution.certificate.nodes) == 1
    check_solution(problem, solution)


def test_some_of_them_need_the_flow() -> None:
    """Else the tests above would say nothing about it."""
    assert any(by_minimum_cut(closure(seed, 7)) > 0 for seed in range(8))
    long_ones = [BranchAndBound().solve(closure(s, 40)) for s in range(8)]
    assert any(solution.proof == "dual" for solution in long_ones)
