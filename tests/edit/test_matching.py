"""Graph matching problems against enumeration."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch.base.errors import InputError
from exactmatch.edit.matching import MatchingProblem, read_dd, read_matching
from exactmatch.solvers import auto, get_solver
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.solution import Limits

COSTS = st.sampled_from([-3, -1, -0.5, 0, 0.25, 1, 2])
REAL = st.floats(-5, 5, allow_nan=False, width=32)


@st.composite
def matchings(draw: st.DrawFn, costs: Any = COSTS) -> MatchingProblem:
    sizes = draw(st.integers(0, 3)), draw(st.integers(0, 3))
    every = list(itertools.product(range(sizes[0]), range(sizes[1])))
    matches = {c: draw(costs) for c in every if draw(st.booleans())}
    pairs = {
        (c, d): draw(costs)
        for c, d in itertools.combinations(sorted(matches), 2)
        if c[0] != d[0] and c[1] != d[1] and draw(st.booleans())
    }
    return MatchingProblem(sizes, matches, pairs)


def alignments(problem: MatchingProblem) -> Iterator[Any]:
    for alignment in itertools.product(
        range(-1, problem.sizes[1]), repeat=problem.sizes[0]
    ):
        used = [j for j in alignment if j >= 0]
        known = all(
            (i, j) in problem.matches for i, j in enumerate(alignment) if j >= 0
        )
        if known and len(set(used)) == len(used):
            yield alignment


def cost_of(problem: MatchingProblem, alignment: Any) -> float:
    chosen = [(i, j) for i, j in enumerate(alignment) if j >= 0]
    return sum(problem.matches[c] for c in chosen) + sum(
        problem.pairs.get((c, d), 0) for c, d in itertools.combinations(chosen, 2)
    )


def least(problem: MatchingProblem) -> Any:
    return min(cost_of(problem, alignment) for alignment in alignments(problem))


@settings(max_examples=examples(100))
@given(problem=matchings(), name=st.sampled_from(["auto", "bnb"]))
def test_the_least_cost_is_computed(problem: MatchingProblem, name: Any) -> None:
    """Rewards and penalties, of matches and of pairs."""
    as_problem = problem.as_alignment()
    solution = get_solver(name).solve(as_problem.problem)
    alignment = as_problem.alignment(solution.alignment)
    assert problem.cost(alignment) == cost_of(problem, alignment) == least(problem)
    assert as_problem.least_cost(solution.bound) == least(problem)
    assert as_problem.rounding == 0


@settings(max_examples=examples(50))
@given(problem=matchings(REAL))
def test_real_costs_are_rounded_and_it_says_how_far(problem: MatchingProblem) -> None:
    as_problem = problem.as_alignment()
    solution = get_solver("auto").solve(as_problem.problem)
    alignment = as_problem.alignment(solution.alignment)
    truth = least(problem)
    assert as_problem.least_cost(solution.bound) <= truth + 1e-12
    assert problem.cost(alignment) <= truth + 2 * as_problem.rounding + 1e-9


def test_a_file_is_read() -> None:
    text = """c comment
p 2 3 3 3
a 0 0 0 -1.5
a 2 1 1 2
a 1 0 1 0.5
i0 0 {1} {2}
e 2 0 -4
e 0 2 1
e 0 1 7
"""
    problem = read_dd(text.splitlines(), "x.dd")
    assert problem.sizes == (2, 3)
    assert problem.matches == {(0, 0): -1.5, (1, 1): 2, (0, 1): 0.5}
    assert problem.pairs == {((0, 0), (1, 1)): -3}  # two of one node never meet
    assert least(problem) == -2.5


HEAD = "p 1 1 1 0"


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ([], "x: holds no graph matching problem, which begins with a line 'p"),
        (["a 0 0 0 1"], "x:1: the line 'p left right matches pairs' must come first"),
        ([HEAD, HEAD], "x:2: the line .* occurs twice"),
        (["p 1 1"], "x:1: cannot be understood"),
        (["p 1 1 1 -1"], "x:1: cannot be understood"),
        ([HEAD, "a 0 0 1 1"], "x:2: cannot be understood"),
        ([HEAD, "a 0 0 0 inf"], "x:2: cannot be understood"),
        ([HEAD, "a 0 0 0"], "x:2: cannot be understood"),
        ([HEAD, "a 0 0 0 1", "a 1 0 0 1"], "x:3: a match of this number or"),
        ([HEAD, "a 0 0 0 1", "e 0 1 1"], "x:3: the pair has a match that no"),
        ([HEAD], "x: holds 0 matches, but its line 'p' declares 1"),
        (["p 1 1 0 2"], "x: holds 0 pairs, but its line 'p' declares 2"),
    ],
)
def test_what_cannot_be_understood_is_named(lines: list[str], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_dd(lines, "x")


def test_nothing_to_match_costs_nothing() -> None:
    as_problem = read_dd(["p 0 0 0 0"], "x").as_alignment()
    assert math.isclose(as_problem.least_cost(0), 0)


@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 4), st.data())
def test_the_least_cost_of_a_problem_of_qaplib(n: int, data: st.DataObject) -> None:
    """All nodes are matched, whatever that costs, also where time is over at once."""
    numbers = st.lists(st.integers(-2, 9), min_size=n, max_size=n)
    matrices = st.lists(numbers, min_size=n, max_size=n)
    flows, distances = data.draw(matrices), data.draw(matrices)
    rows = [[n], *flows, *distances]
    text = "\n".join(" ".join(map(str, row)) for row in rows)

    def cost(images: Any) -> int:
        every = itertools.product(range(n), repeat=2)
        return sum(flows[i][k] * distances[images[i]][images[k]] for i, k in every)

    as_problem = read_matching(text, "some.dat").as_alignment()
    costs = [cost(images) for images in itertools.permutations(range(n))]
    for solver, seconds in (("auto", None), ("bnb", None), ("hungarian", 0.0)):
        solution = get_solver(solver).solve(as_problem.problem, Limits(seconds))
        alignment = as_problem.alignment(solution.alignment)
        assert sorted(alignment) == [*range(n)]
        assert as_problem.matching.cost(alignment) == cost(alignment)
        assert as_problem.least_cost(solution.bound) <= min(costs)
        if seconds is None:
            assert (
                cost(alignment) == min(costs) == as_problem.least_cost(solution.bound)
            )


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("2 1 2 3", "two matrices, 8 numbers, and here are 3"),
        ("1 x 2", "only numbers"),
        ("1 inf 2", "not finite"),
        ("99999 1", "two matrices"),
        ("100 " + "1 " * 20_000, "too large"),
    ],
)
def test_what_is_no_problem_of_qaplib_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=f"some.dat: .*{why}"):
        read_matching(text, "some.dat")


def test_a_wide_gap_is_searched_at_once() -> None:
    """A window is one step wide: of this problem there would be thousands."""
    n, rng = 9, random.Random(1)
    rows = [[rng.randint(0, 99) for _ in range(n)] for _ in range(2 * n)]
    text = f"{n}\n" + "\n".join(" ".join(map(str, row)) for row in rows)
    problem = read_matching(text, "some.dat").as_alignment().problem
    windows: list[int] = []

    class Watched(BranchAndBound):
        def search(self, *args: Any, **options: Any) -> Any:
            windows.append(options.get("above", 0))
            assert len(windows) <= 4
            return super().search(*args, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auto, "BranchAndBound", Watched)
        solution = get_solver("auto:nodes=1").solve(problem)
    assert solution.is_optimal
