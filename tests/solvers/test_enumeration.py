"""All optimal alignments, held against trying every alignment."""

import functools
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.oracle import brute_force, value_of
from support.strategies import problems, random_problem

from exactmatch.solvers import enumeration, get_solver
from exactmatch.solvers.enumeration import Optima, optimal_alignments
from exactmatch.solvers.problem import Alignment, AlignmentProblem


def optima(problem: AlignmentProblem) -> set[Any]:
    """All optimal alignments."""
    best = brute_force(problem)
    options = [[-1] for _ in range(problem.n_left)]
    for i, j in zip(problem.left.tolist(), problem.right.tolist(), strict=True):
        options[i].append(j)
    found = set()
    for alignment in itertools.product(*options):
        used = [j for j in alignment if j >= 0]
        if len(set(used)) == len(used) and value_of(problem, alignment) == best:
            found.add(alignment)
    return found


def every_optimum(problem: AlignmentProblem) -> set[Any]:
    """The optimal alignments none of whose pairs can be left out for nothing."""
    found = optima(problem)
    return {
        alignment
        for alignment in found
        if not any(
            j >= 0 and (*alignment[:i], -1, *alignment[i + 1 :]) in found
            for i, j in enumerate(alignment)
        )
    }


@given(problem=problems(max_nodes=4, costs=False))
def test_all_optima_are_listed_once(problem: AlignmentProblem) -> None:
    known = get_solver("bnb").solve(problem).alignment
    found = optimal_alignments(problem, known)
    assert found.complete
    assert found.alignments[0] == known
    assert len(set(found.alignments)) == len(found.alignments)
    assert set(found.alignments) == every_optimum(problem)
    assert found.fixed == {
        i
        for i, j in enumerate(known)
        if j != -1 and all(other[i] == j for other in found.alignments)
    }


@given(problem=problems(max_nodes=4, costs=False), most=st.integers(1, 3))
def test_a_short_list_says_so_and_what_is_fixed_stays_proven(
    problem: AlignmentProblem, most: Any
) -> None:
    known = get_solver("bnb").solve(problem).alignment
    whole = optimal_alignments(problem, known)
    found = optimal_alignments(problem, known, most)
    assert 1 <= len(found.alignments) <= min(most, len(whole.alignments))
    assert set(found.alignments) <= set(whole.alignments)
    assert found.complete == (len(whole.alignments) <= most)
    assert found.fixed == whole.fixed


def test_symmetric_problems_have_many_optima() -> None:
    """Five equal nodes on each side can be aligned in 5! ways."""
    unary = {(i, j): 1 for i in range(5) for j in range(5)}
    problem = AlignmentProblem.from_weights(5, 5, unary, {})
    found = optimal_alignments(problem, (0, 1, 2, 3, 4))
    assert len(found.alignments) == 120
    assert found.complete
    assert not found.fixed


def test_pairs_that_add_nothing_make_no_optimum() -> None:
    problem = AlignmentProblem.from_weights(2, 2, {(0, 0): 1, (1, 1): 0}, {})
    assert optimal_alignments(problem, (0, 1)).alignments == ((0, -1),)


@given(problem=problems(max_nodes=4))
def test_where_pairs_cost_something_the_list_claims_no_end(
    problem: AlignmentProblem,
) -> None:
    known = get_solver("bnb").solve(problem).alignment
    found = optimal_alignments(problem, known)
    best = brute_force(problem)
    assert {value_of(problem, one) for one in found.alignments} == {best}
    assert found.complete == (problem.unary.min(initial=0) >= 0)
    assert all(one[i] == known[i] for one in optima(problem) for i in found.fixed)


def test_two_pairs_that_cost_what_they_earn_may_be_missing() -> None:
    unary = {(0, 0): 1, (1, 1): -1, (2, 2): -1}
    problem = AlignmentProblem.from_weights(3, 3, unary, {((1, 1), (2, 2)): 2})
    found = optimal_alignments(problem, (0, -1, -1))
    assert (found.alignments, found.complete) == (((0, -1, -1),), False)


def test_no_work_is_no_claim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "WORK", 0)
    problem = AlignmentProblem.from_weights(1, 1, {(0, 0): 1}, {})
    found = optimal_alignments(problem, (0,))
    assert (found.alignments, found.complete, found.fixed) == (
        ((0,),),
        False,
        frozenset(),
    )


def test_nothing_to_align_is_one_optimum() -> None:
    problem = AlignmentProblem.from_weights(0, 2, {}, {})
    found = optimal_alignments(problem, ())
    assert (found.alignments, found.complete, found.fixed) == (((),), True, frozenset())


@functools.cache
def all_of(seed: int) -> tuple[AlignmentProblem, Alignment, Optima]:
    """A problem, an optimum, and the list of all optima."""
    problem = random_problem(seed, 12, 12, density=2.0)
    known = get_solver("bnb").solve(problem).alignment
    return problem, known, optimal_alignments(problem, known, 10**6)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "value"), [("NODES", 1), ("WORK", 300_000)])
@pytest.mark.parametrize("seed", range(5))
def test_a_search_that_is_cut_short_claims_nothing(
    seed: int, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With little to spare, what is fixed is still proven and what is listed right."""
    problem, known, whole = all_of(seed)
    monkeypatch.setattr(enumeration, name, value)
    found = optimal_alignments(problem, known, 10**6)
    assert found.fixed <= whole.fixed
    assert found.varying <= whole.varying
    assert set(found.alignments) <= set(whole.alignments)
    if found.complete:
        assert set(found.alignments) == set(whole.alignments)
