"""The climb against a plain rewriting of its definition, and its promises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import value_of
from support.strategies import problems, random_problem

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import SolverError
from exactmatch.solvers import hillclimb
from exactmatch.solvers.hillclimb import HillClimb, PeakSearch, peaks
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits


def plain_climb(problem: AlignmentProblem, start: list[int]) -> list[int]:
    """Steepest ascent by recounting every neighbour, as published.

    Where candidates cost, each may also be given up, and a swap makes at least one
    candidate's pair.
    """
    costs = bool((problem.unary < 0).any())
    pools: list[Any] = [set() for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        pools[i].add(j)
    current, value = list(start), value_of(problem, start)
    while True:
        best, best_value = None, value
        unused = [j for j in range(problem.n_right) if j not in current]
        neighbours = []
        for i in range(problem.n_left):
            for j in unused:
                if j in pools[i]:
                    neighbours.append([*current[:i], j, *current[i + 1 :]])
        for i in range(problem.n_left):
            for k in range(i + 1, problem.n_left):
                swapped = list(current)
                swapped[i], swapped[k] = swapped[k], swapped[i]
                if not costs or swapped[i] in pools[i] or swapped[k] in pools[k]:
                    neighbours.append(swapped)
        if costs:
            for i in range(problem.n_left):
                neighbours.append([*current[:i], -1, *current[i + 1 :]])
        for neighbour in neighbours:
            neighbour_value = value_of(problem, neighbour)
            if neighbour_value > best_value:
                best, best_value = neighbour, neighbour_value
        if best is None:
            return current
        current, value = best, best_value


@pytest.fixture(params=["load", "load_interpreted"], scope="module")
def _kernel(request: pytest.FixtureRequest) -> Iterator[None]:
    """The kernel as it is used, and as Python."""
    kernel = getattr(kernels, request.param)("exactmatch.solvers.kernel.steps")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hillclimb, "_kernel", kernel)
        yield


@pytest.mark.usefixtures("_kernel")
@settings(max_examples=examples(200), deadline=None)
@given(problem=problems(max_nodes=5), data=st.data())
def test_every_step_is_the_published_one(problem: AlignmentProblem, data: Any) -> None:
    """From any start, aligned with candidates or not, to the same peak."""
    nodes = list(range(problem.n_right)) + [-1] * problem.n_left
    start = data.draw(st.permutations(nodes))[: problem.n_left]
    climb = PeakSearch(problem)
    value = climb.run(start)
    assert list(climb.alignment()) == plain_climb(problem, start)
    assert value == value_of(problem, climb.alignment())


@pytest.mark.slow
@pytest.mark.usefixtures("_kernel")
@pytest.mark.parametrize("seed", range(5))
def test_every_step_is_the_published_one_on_larger_problems(seed: int) -> None:
    problem = random_problem(seed, 12, 13, density=0.8)
    rng = random.Random(seed)
    climb = PeakSearch(problem)
    for _ in range(4):
        start = rng.sample(range(13), 12)
        climb.run(start)
        assert list(climb.alignment()) == plain_climb(problem, start)


@pytest.mark.usefixtures("_kernel")
def test_a_candidate_that_costs_is_given_up() -> None:
    climb = PeakSearch(AlignmentProblem.from_weights(1, 1, {(0, 0): -3}, {}))
    assert climb.run([0]) == 0
    assert list(climb.alignment()) == [-1]


@pytest.mark.parametrize("seed", range(5))
def test_gains_that_do_not_add_up_end_the_climb(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps that claim more than they gain would be taken again and again."""
    steps = []

    class TooGood(hillclimb._kernel.Steps):
        def step(self) -> int:
            steps.append(1)
            if len(steps) > 6:
                pytest.fail("more steps than nodes, and no recount")
            return 10

    monkeypatch.setattr(hillclimb, "_kernel", SimpleNamespace(Steps=TooGood))
    problem = random_problem(seed, 6, 6, density=2.0)
    with pytest.raises(SolverError, match=r"steps said to reach .* please report"):
        PeakSearch(problem).run(list(range(6)))


def trap() -> AlignmentProblem:
    """Equal concepts lead to a peak that no move or swap leaves.

    The start aligns i with i for 4; i with i + 1 (cyclic) is worth 4 in pairs
    and 4 more as a whole, but only all steps together gain.
    """
    unary = {(i, i): 2 for i in range(3)}
    ring = [(i, (i + 1) % 3) for i in range(3)]
    pairwise = {(ring[i], ring[k]): 3 for i in range(3) for k in range(i)}
    return AlignmentProblem.from_weights(3, 3, unary, pairwise, start=list(unary))


def test_it_can_be_trapped_and_then_proves_nothing() -> None:
    """The optimum is 9; a value passed off as a bound would say 6."""
    solution = HillClimb(restarts=0).solve(trap())
    assert solution.alignment == (0, 1, 2)
    assert solution.value == 6
    assert solution.bound >= 9
    assert not solution.is_optimal


def test_the_first_round_begins_with_equal_concepts() -> None:
    """Without a start the same single round draws at random."""
    alignments = {
        HillClimb(restarts=0).solve(trap(), Limits(seed=seed)).alignment
        for seed in range(20)
    }
    assert alignments == {(0, 1, 2)}


def test_a_start_candidate_goes_to_the_first_left_node_that_wants_it() -> None:
    """Both nodes have the same concept; the second one must draw."""
    unary = {(0, 0): 1, (1, 0): 1, (1, 1): 0}
    problem = AlignmentProblem.from_weights(2, 2, unary, {}, start=[(0, 0), (1, 0)])
    assert HillClimb(restarts=0).solve(problem).alignment == (0, -1)


def test_a_peak_below_the_empty_alignment_is_not_the_answer() -> None:
    """Each pair alone only costs, and all three together do not pay."""
    pairwise = {((i, i), (k, k)): 5 for i in range(3) for k in range(i)}
    problem = AlignmentProblem.from_weights(
        3, 3, {(i, i): -9 for i in range(3)}, pairwise
    )
    values = [value for value, _ in peaks(problem, restarts=3, seed=0)]
    assert min(values) < 0
    solution = HillClimb().solve(problem)
    assert (solution.value, solution.alignment) == (0, (-1, -1, -1))


def test_restarts_find_what_the_first_round_misses() -> None:
    values = [HillClimb(restarts=r, seed=1).solve(trap()).value for r in (0, 20)]
    assert values == [6, 9]


@pytest.mark.parametrize("restarts", [0, 1, 4])
def test_there_is_one_round_more_than_restarts(restarts: int) -> None:
    problem = random_problem(0, 8, 8)
    assert len(list(peaks(problem, restarts, seed=0))) == restarts + 1
    assert HillClimb(restarts=restarts).solve(problem).value == max(
        value for value, _ in peaks(problem, restarts, seed=0)
    )


def test_the_earliest_of_equally_good_rounds_is_kept() -> None:
    """Nine candidates of equal worth: later rounds find other ones."""
    problem = AlignmentProblem.from_weights(1, 9, {(0, j): 1 for j in range(9)}, {})
    for seed in range(5):
        answers = [
            HillClimb(restarts=r, seed=seed).solve(problem).alignment for r in (0, 4)
        ]
        assert answers[0] == answers[1]


@pytest.mark.slow
def test_more_restarts_with_the_same_seed_are_never_worse() -> None:
    for seed in range(10):
        problem = random_problem(seed, 14, 14, density=1.0)
        values = [
            HillClimb(restarts=r, seed=seed).solve(problem).value for r in range(6)
        ]
        assert values == sorted(values)


def test_its_own_seed_wins_over_that_of_the_limits() -> None:
    problem = random_problem(4, 14, 14, density=1.2)
    by_limits = HillClimb(restarts=1).solve(problem, Limits(seed=7))
    own = HillClimb(restarts=1, seed=7).solve(problem, Limits(seed=8))
    assert own.alignment == by_limits.alignment


def test_different_seeds_climb_differently() -> None:
    problem = random_problem(4, 14, 14, density=1.2)
    answers = {
        HillClimb(restarts=0, seed=seed).solve(problem).alignment for seed in range(10)
    }
    assert len(answers) > 1


def test_the_global_generator_is_left_alone() -> None:
    random.seed(1)
    state = random.getstate()
    HillClimb().solve(random_problem(0, 10, 10))
    assert random.getstate() == state


def test_negative_restarts_are_refused() -> None:
    with pytest.raises(SolverError, match="restarts is -1; it must be 0 or more"):
        HillClimb(restarts=-1)
