"""Of equal alignments one is searched, and the optimum stays what it is."""

from __future__ import annotations

import random

import networkx as nx
from support.examples import examples
from support.oracle import brute_force

from exactmatch.solvers import orbits
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits

SHAPES = (
    nx.cycle_graph(5),
    nx.complete_bipartite_graph(2, 3),
    nx.star_graph(3),
    nx.hypercube_graph(2),
    nx.path_graph(5),
    nx.DiGraph(nx.cycle_graph(4, create_using=nx.DiGraph)),
    nx.disjoint_union(nx.cycle_graph(3), nx.path_graph(2)),
)


def drawn(rng: random.Random) -> AlignmentProblem:
    """A problem of random flows on the places of a graph with symmetry, or nearly."""
    shape = nx.convert_node_labels_to_integers(rng.choice(SHAPES))
    size, places = rng.randint(1, 3), len(shape)
    worth = [rng.randint(0, 2) for _ in range(size)]
    unary = {(i, j): worth[i] for i in range(size) for j in range(places)}
    if rng.random() < 0.5:
        unary[rng.randrange(size), rng.randrange(places)] += 1
    pairwise = {}
    for i in range(size):
        for k in range(i + 1, size):
            near, far = rng.randint(0, 3), rng.randint(0, 1)
            for j in range(places):
                for m in range(places):
                    weight = near if shape.has_edge(j, m) else far
                    if j != m and weight:
                        pairwise[(i, j), (k, m)] = weight
    if pairwise and rng.random() < 0.3:
        pairwise[rng.choice([*pairwise])] += 1
    problem = AlignmentProblem.from_weights(size, places, unary, pairwise)
    return problem.transposed() if rng.random() < 0.5 else problem


def test_a_part_has_the_same_optimum() -> None:
    rng, fewer = random.Random(4), 0
    for _ in range(examples(150)):
        problem = drawn(rng)
        part = orbits.one_of_each_orbit(problem)
        if part is not None:
            fewer += 1
            assert part.n_candidates < problem.n_candidates
            assert brute_force(part) == brute_force(problem)
    assert fewer > examples(150) / 3


def test_auto_proves_symmetric_problems() -> None:
    rng = random.Random(6)
    for _ in range(examples(60)):
        problem = drawn(rng)
        solution = Auto(nodes=1).solve(problem)
        assert solution.value == solution.bound == brute_force(problem)
        assert problem.value(solution.alignment) == solution.value


def test_a_cube_needs_one_corner() -> None:
    cube = nx.convert_node_labels_to_integers(nx.hypercube_graph(4))
    far = dict(nx.all_pairs_shortest_path_length(cube))
    rng = random.Random(2)
    unary: dict[tuple[int, int], int] = {}
    pairwise: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    for i in range(16):
        unary |= {(i, j): 1 for j in range(16)}
    for _ in range(12):
        i, k = sorted(rng.sample(range(16), 2))
        for j in range(16):
            pairwise |= {((i, j), (k, m)): 5 - far[j][m] for m in range(16) if j != m}
    problem = AlignmentProblem.from_weights(16, 16, unary, pairwise)
    part = orbits.one_of_each_orbit(problem)
    assert part is not None
    assert part.n_candidates == problem.n_candidates - 15


def test_without_symmetry_there_is_no_part() -> None:
    rng = random.Random(3)
    unary = {(i, j): rng.randint(1, 9) for i in range(6) for j in range(6)}
    assert orbits.one_of_each_orbit(AlignmentProblem.from_weights(6, 6, unary, {})) is (
        None
    )
    for size in (0, 1):
        empty = AlignmentProblem.from_weights(size, size, {}, {})
        assert orbits.one_of_each_orbit(empty) is None


def test_a_certificate_is_of_the_whole_problem() -> None:
    rng = random.Random(9)
    for _ in range(examples(10)):
        problem = drawn(rng)
        solution = Auto(nodes=1).solve(problem, Limits(record_proof=True))
        assert solution.refusal(problem) == ""
