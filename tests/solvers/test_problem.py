"""The alignment problem refuses nonsense and counts what it should."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force, value_of
from support.strategies import problems

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import ProblemError
from exactmatch.solvers.problem import AlignmentProblem


def ints(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int32)


def longs(*values: int) -> np.ndarray:
    return np.array(values, dtype=np.int64)


FIELDS = {
    "n_left": 2,
    "n_right": 2,
    "left": ints(0, 0, 1),
    "right": ints(0, 1, 1),
    "unary": longs(1, 0, 2),
    "first": ints(0),
    "second": ints(2),
    "weight": longs(3),
    "scale": 1,
    "start": ints(0, 2),
}


def problem_with(**changes: Any) -> AlignmentProblem:
    fields: dict[str, Any] = {
        name: value.copy() if isinstance(value, np.ndarray) else value
        for name, value in FIELDS.items()
    }
    return AlignmentProblem(**{**fields, **changes})


def test_the_example_itself_is_fine() -> None:
    problem = problem_with()
    assert (problem.n_candidates, problem.n_terms) == (3, 1)
    assert problem.total_weight() == 6
    assert problem.value((0, 1)) == 6
    assert problem.value((1, -1)) == 0


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"n_left": -1}, "negative number of nodes"),
        ({"n_right": 1}, "right node that does not exist"),
        ({"n_left": 1}, "left node that does not exist"),
        ({"scale": 0}, "scale is 0; it must be at least 1"),
        ({"left": longs(0, 0, 1)}, "left must be an array of int32"),
        ({"unary": ints(1, 0, 2)}, "unary must be an array of int64"),
        ({"weight": [3]}, "weight must be an array of int64"),
        ({"left": ints(0, 9, 0, 9, 1, 9)[::2]}, "left must be a contiguous"),
        ({"left": ints(0, 0, 1).reshape(1, 3)}, "left must be a contiguous"),
        ({"left": ints(-1, 0, 1)}, "left node that does not exist"),
        ({"right": ints(0, 1)}, "left, right and unary differ in length"),
        ({"second": ints()}, "first, second and weight differ in length"),
        ({"right": ints(1, 0, 1)}, "candidates must be distinct and sorted"),
        ({"right": ints(1, 1, 1)}, "candidates must be distinct and sorted"),
        ({"first": ints(-1)}, "names a candidate that does not exist"),
        ({"second": ints(3)}, "names a candidate that does not exist"),
        ({"first": ints(2), "second": ints(0)}, "pair terms must be distinct"),
        ({"first": ints(0), "second": ints(0)}, "pair terms must be distinct"),
        ({"weight": longs(0)}, "weight of a pair term is not positive"),
        ({"weight": longs(-3)}, "weight of a pair term is not positive"),
        ({"first": ints(0), "second": ints(1)}, "candidates that share a node"),
        ({"first": ints(1), "second": ints(2)}, "candidates that share a node"),
        ({"start": ints(3)}, "a start names a candidate"),
        ({"start": ints(-1)}, "a start names a candidate"),
        ({"start": ints(2, 0)}, "starts must be distinct and sorted"),
        ({"start": ints(0, 0)}, "starts must be distinct and sorted"),
        ({"weight": longs(2**53)}, r"add up to 2\*\*53 or more"),
        ({"unary": longs(2**62, 2**62, 2**62)}, r"add up to 2\*\*53 or more"),
        ({"unary": longs(2**52, -(2**52), 0)}, r"add up to 2\*\*53 or more"),
        ({"unary": longs(-(2**63), 0, 0)}, r"add up to 2\*\*53 or more"),
    ],
)
def test_nonsense_is_refused_and_named(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ProblemError, match=complaint):
        problem_with(**changes)


def test_a_negative_candidate_is_counted_and_kept() -> None:
    """It is part of what the alignment is worth, even where that is below 0."""
    problem = problem_with(unary=longs(-4, 0, 2))
    assert problem.total_weight() == 9
    assert problem.appraise((0, 1)) == (1, (0, 1))
    assert problem.appraise((0, -1)) == (-4, (0, -1))


def test_a_repeated_pair_term_is_refused() -> None:
    twice = {"first": ints(0, 0), "second": ints(2, 2), "weight": longs(1, 1)}
    with pytest.raises(ProblemError, match="pair terms must be distinct"):
        problem_with(**twice)


def test_it_is_frozen_arrays_included() -> None:
    problem = problem_with()
    with pytest.raises(dataclasses.FrozenInstanceError):
        problem.scale = 2  # type: ignore[misc]  # what is refused
    with pytest.raises(ValueError, match="read-only"):
        problem.unary[0] = 9


@pytest.mark.parametrize(
    ("alignment", "complaint"),
    [
        ((0,), "has length 1, not 2"),
        ((0, 0), "uses a right node twice"),
        ((0, 2), "names a right node that does not exist"),
        ((-2, 0), "names a right node that does not exist"),
        ((2**70, 0), "names a right node that does not exist"),
    ],
)
def test_what_is_no_alignment_is_refused(
    alignment: tuple[int, ...], complaint: str
) -> None:
    with pytest.raises(ProblemError, match=complaint):
        problem_with().check_alignment(alignment)


def test_weights_given_twice_or_in_either_order_add_up() -> None:
    c, d = (0, 0), (1, 1)
    problem = AlignmentProblem.from_weights(2, 2, {}, {(c, d): 1, (d, c): 2})
    assert problem.weight.tolist() == [3]


def test_candidates_that_share_a_node_make_no_term() -> None:
    with pytest.raises(ProblemError, match="share a node"):
        AlignmentProblem.from_weights(2, 2, {}, {((0, 0), (0, 1)): 1})


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), data=st.data())
def test_value_is_the_sum_of_what_is_chosen(
    problem: AlignmentProblem, data: Any
) -> None:
    nodes = list(range(problem.n_right)) + [-1] * problem.n_left
    alignment = tuple(data.draw(st.permutations(nodes))[: problem.n_left])
    assert problem.value(alignment) == value_of(problem, alignment)


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4))
def test_the_cheap_bound_is_a_bound(problem: AlignmentProblem) -> None:
    assert brute_force(problem) <= problem.row_bound() <= problem.total_weight()


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4))
def test_transposing_twice_gives_the_problem_back(problem: AlignmentProblem) -> None:
    twice = problem.transposed().transposed()
    for name in FIELDS:
        assert np.array_equal(getattr(problem, name), getattr(twice, name))


@pytest.mark.parametrize("load", [kernels.load, kernels.load_interpreted])
def test_appraisal_gives_plain_integers(load: Any) -> None:
    """Compiled or interpreted: what goes into JSON is not a NumPy number."""
    problem = AlignmentProblem.from_weights(
        3, 3, {(0, 1): 2, (2, 2): 0}, {((0, 1), (1, 0)): 3}
    )
    value, kept = load("exactmatch.solvers.kernel.objective").appraise(
        (1, 0, 2),
        problem.left,
        problem.right,
        problem.unary,
        problem.first,
        problem.second,
        problem.weight,
    )
    assert (value, kept) == (5, (1, 0, -1))
    assert {type(number) for number in (value, *kept)} == {int}
