"""Search by the partners of one node: no alignment is lost, bounds are true."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems

from exactmatch.edit.options import GedOptions
from exactmatch.edit.problem import edit_problem
from exactmatch.solvers import get_solver, node_tree
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.node_tree import NodeTree, forest_side
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal


def labelled(graph: Any, rng: random.Random) -> Any:
    for node in graph:
        graph.nodes[node]["atom"] = rng.choice("CCN")
    for ends in graph.edges:
        graph.edges[ends]["weight"] = rng.choice((1, 1.5, 2))
    return graph


def a_tree(rng: random.Random, most: int) -> Any:
    graph = nx.Graph()
    graph.add_node(0)
    for i in range(1, rng.randint(2, most)):
        graph.add_edge(i, rng.randrange(i))
    return labelled(graph, rng)


def with_rings(rng: random.Random, most: int) -> Any:
    return labelled(
        nx.gnp_random_graph(rng.randint(3, most), 0.5, rng.getrandbits(30)), rng
    )


MAKERS = {
    "left": (a_tree, with_rings),
    "right": (with_rings, a_tree),
    "both": (a_tree, a_tree),
}
"""Which sides are trees."""


def a_problem(seed: int, which: str, most: int = 5) -> AlignmentProblem:
    rng = random.Random(seed)
    left, right = (make(rng, most) for make in MAKERS[which])
    return edit_problem(GedOptions(left, right, costs="mces")).problem


def bounded(bound_of: Callable[[AlignmentProblem], int]) -> type[BranchAndBound]:
    """Return a ``bnb`` that only bounds, until no candidate has a rival."""

    def search(
        _: Any, problem: AlignmentProblem, progress: Progress, **__: Any
    ) -> Proposal:
        left, right = problem.left.tolist(), problem.right.tolist()
        if len({*left}) == len({*right}) == len(left):
            images = [-1] * problem.n_left
            for i, j in zip(left, right, strict=True):
                images[i] = j
            progress.offer(images)
            return Proposal(progress.alignment, problem.value(tuple(images)))
        return Proposal(progress.alignment, max(bound_of(problem), progress.above))

    return type("Bounded", (BranchAndBound,), {"search": search})


BY_ROWS = bounded(AlignmentProblem.row_bound)
"""So weak that many parts stay open."""

EXACTLY = bounded(brute_force)
"""So strong that a part which is lost lowers the bound."""


def searched(
    problem: AlignmentProblem, side: int, above: int = 0, most: int = 10**9
) -> tuple[int, Progress, NodeTree]:
    """Return the bound of a search, its progress, and the search itself."""
    progress = Progress(problem, Limits(above=above))
    tree = NodeTree(progress, side)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node_tree, "MOST_OPEN", most)
        proposal = tree.search(problem, problem.total_weight())
    assert proposal.bound is not None
    assert proposal.alignment == progress.alignment
    return proposal.bound, progress, tree


def check_goals(problem: AlignmentProblem) -> int:
    """Check that the optimum is found if it is above what is known.

    Returns:
        How many parts stayed open.
    """
    optimum, step, opened = brute_force(problem), problem.lattice(), 0
    for side in (0, 1):
        for above in {0, max(optimum - step, 0), optimum, optimum + step}:
            bound, progress, tree = searched(problem, side, above)
            assert bound == max(optimum, above)
            assert progress.value <= optimum
            assert above >= optimum or progress.value == optimum
            opened += tree._open
    return opened


@pytest.mark.parametrize("which", MAKERS)
@pytest.mark.parametrize("begin", range(0, 120, 10))
def test_what_is_searched_is_the_optimum_for_any_goal(which: str, begin: int) -> None:
    for seed in range(begin, begin + 10):
        check_goals(a_problem(seed, which))


@pytest.mark.parametrize("which", MAKERS)
@pytest.mark.parametrize("most", range(-1, 4))
def test_parts_that_are_not_bounded_count(
    which: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_tree, "BranchAndBound", EXACTLY)
    for seed in range(10):
        problem = a_problem(seed, which)
        optimum = brute_force(problem)
        for side in (0, 1):
            bound, progress, _ = searched(problem, side, most=most)
            assert progress.value <= optimum <= bound


@pytest.mark.parametrize("which", MAKERS)
@pytest.mark.parametrize("begin", range(0, 60, 10))
def test_no_alignment_is_lost_where_bounds_are_weak(
    which: str, begin: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_tree, "BranchAndBound", BY_ROWS)
    opened = [check_goals(a_problem(seed, which)) for seed in range(begin, begin + 10)]
    assert sum(opened) > 10


@settings(max_examples=examples(100), deadline=None)
@given(
    problem=problems(max_nodes=4),
    side=st.sampled_from((0, 1)),
    above=st.integers(0, 12),
)
def test_a_bound_is_that_of_the_optimum(
    problem: AlignmentProblem, side: int, above: int
) -> None:
    assert searched(problem, side, above)[0] == max(brute_force(problem), above)


@settings(max_examples=examples(100), deadline=None)
@given(
    problem=problems(max_nodes=4, costs=False),
    side=st.sampled_from((0, 1)),
    above=st.integers(0, 12),
    most=st.integers(-1, 4),
)
def test_a_search_that_is_cut_short_encloses_the_optimum(
    problem: AlignmentProblem, side: int, above: int, most: int
) -> None:
    optimum = max(brute_force(problem), above)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node_tree, "BranchAndBound", EXACTLY)
        bound, progress, tree = searched(problem, side, above, most)
    assert optimum <= bound <= max(problem.total_weight(), above)
    assert progress.value <= optimum
    assert bound == optimum or tree._open > most


def test_time_that_is_over_leaves_an_interval() -> None:
    problem = a_problem(1, "left", 9)
    progress = Progress(problem, Limits(seconds=0))
    proposal = NodeTree(progress, 0).search(problem, problem.total_weight())
    assert proposal.bound is not None
    assert progress.value <= brute_force(problem) <= proposal.bound


def test_a_goal_that_is_reached_elsewhere_closes_parts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(node_tree, "BranchAndBound", BY_ROWS)
    taken, opened = NodeTree._bounded, [0, 0]
    for seed in range(10):
        problem = a_problem(seed, "left")
        optimum, progress, tree = searched(problem, 0)
        opened[0] += tree._open
        best = progress.alignment

        def told(tree: NodeTree, child: Any, best: Any = best) -> list[Any]:
            tree.progress.offer(best)
            return taken(tree, child)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(NodeTree, "_bounded", told)
            bound, _, tree = searched(problem, 0)
        opened[1] += tree._open
        assert bound == optimum
    assert opened[1] < opened[0]


@pytest.mark.parametrize("seed", range(8))
def test_relief_is_what_a_node_s_absence_saves(seed: int) -> None:
    rng = random.Random(seed)
    forest = nx.disjoint_union(a_tree(rng, 12), a_tree(rng, 6))

    def squares(graph: Any) -> int:
        return sum(len(piece) ** 2 for piece in nx.connected_components(graph))

    relief = node_tree._relief({node: {*forest[node]} for node in forest})
    assert relief.keys() == {*forest}
    for node in forest:
        rest = forest.subgraph({*forest} - {node})
        assert relief[node] == squares(forest) - squares(rest)


@pytest.mark.parametrize(
    ("left", "right", "side"),
    [
        (nx.path_graph(4), nx.cycle_graph(6), 0),
        (nx.cycle_graph(6), nx.path_graph(4), 1),
        (nx.cycle_graph(4), nx.path_graph(6), None),
        (nx.cycle_graph(4), nx.cycle_graph(6), None),
        (nx.path_graph(4), nx.path_graph(4), 0),
        (nx.path_graph(6), nx.path_graph(4), 1),
    ],
)
def test_the_smaller_side_is_searched_if_it_is_a_forest(
    left: Any, right: Any, side: int | None
) -> None:
    for graph in (left, right):
        nx.set_node_attributes(graph, "C", "atom")
        nx.set_edge_attributes(graph, 1, "weight")
    problem = edit_problem(GedOptions(left, right, costs="mces")).problem
    assert forest_side(problem) == side


@pytest.mark.parametrize("which", ["left", "right"])
@pytest.mark.parametrize("seed", range(4))
def test_distances_are_those_of_bnb(
    which: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def forest(problem: AlignmentProblem) -> int:
        calls.append(problem)
        return 0 if which == "left" else 1

    monkeypatch.setattr(node_tree, "forest_side", forest)
    monkeypatch.setattr("exactmatch.solvers.linear.rings.has_rings", lambda _: True)
    open_first(monkeypatch)
    problem = a_problem(seed, which, 9)
    solution = get_solver("auto:rings=1").solve(problem)
    assert solution.is_optimal
    assert solution.value == get_solver("bnb").solve(problem).value
    assert calls
    assert solution.proof == "branch"


def open_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the first search of ``auto`` leave everything open."""

    def search(_: Any, problem: AlignmentProblem, *__: Any, **___: Any) -> Proposal:
        return Proposal((-1,) * problem.n_left, problem.total_weight() + 1, "dual")

    first = type("First", (BranchAndBound,), {"search": search})
    monkeypatch.setattr("exactmatch.solvers.auto.BranchAndBound", first)
