"""The range of a part's value over all optimal alignments, against enumeration."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import value_of
from support.strategies import problems

from exactmatch.base.errors import ProblemError
from exactmatch.solvers.enumeration import OptimalFace
from exactmatch.solvers.problem import AlignmentProblem


def alignments(problem: AlignmentProblem) -> Iterator[Any]:
    """Every one-to-one partial mapping of the nodes."""
    choices = [(-1, *range(problem.n_right))] * problem.n_left
    for alignment in itertools.product(*choices):
        used = [j for j in alignment if j != -1]
        if len(set(used)) == len(used):
            yield alignment


def optimal(problem: AlignmentProblem) -> list[Any]:
    every = list(alignments(problem))
    best = max(value_of(problem, alignment) for alignment in every)
    return [a for a in every if value_of(problem, a) == best]


@st.composite
def wholes_and_parts(draw: st.DrawFn) -> tuple[AlignmentProblem, AlignmentProblem]:
    """A problem, and one with some of its weight."""
    whole = draw(problems(costs=False, max_nodes=4, max_weight=2))
    pairs = list(zip(whole.left.tolist(), whole.right.tolist(), strict=True))
    unary = {
        c: draw(st.integers(0, w))
        for c, w in zip(pairs, whole.unary.tolist(), strict=True)
    }
    pairwise = {}
    for c, d, w in zip(
        whole.first.tolist(), whole.second.tolist(), whole.weight.tolist(), strict=True
    ):
        kept = draw(st.integers(0, w))
        if kept:
            pairwise[pairs[c], pairs[d]] = kept
    part = AlignmentProblem.from_weights(whole.n_left, whole.n_right, unary, pairwise)
    return whole, part


@settings(deadline=None, max_examples=examples(60))
@given(wholes_and_parts())
def test_the_range_is_that_of_all_optimal_alignments(both: Any) -> None:
    whole, part = both
    found = optimal(whole)
    worth = [value_of(part, alignment) for alignment in found]
    assert OptimalFace(whole, found[-1]).range(part) == (min(worth), max(worth))


@settings(deadline=None, max_examples=examples(60))
@given(problems(costs=False, max_nodes=4, max_weight=2))
def test_optima_agree_if_all_of_them_collect_the_same_weights(
    problem: AlignmentProblem,
) -> None:
    found = optimal(problem)
    collected = set()
    for alignment in found:
        chosen = problem.chosen(alignment)
        together = chosen[problem.first] & chosen[problem.second]
        useful = chosen & (problem.unary > 0)
        collected.add((tuple(useful.tolist()), tuple(together.tolist())))
    assert OptimalFace(problem, found[0]).agree == (len(collected) == 1)


def test_two_optima_that_differ_in_a_part() -> None:
    """Either of two equal concepts may be matched; only one has the attribute."""
    whole = AlignmentProblem.from_weights(2, 1, {(0, 0): 2, (1, 0): 2}, {})
    part = AlignmentProblem.from_weights(2, 1, {(0, 0): 1}, {})
    optima = OptimalFace(whole, (0, -1))
    assert not optima.agree
    assert optima.range(part) == (0, 1)


def test_a_part_must_be_one() -> None:
    whole = AlignmentProblem.from_weights(2, 1, {(0, 0): 1}, {})
    optima = OptimalFace(whole, (0, -1))
    for part in (
        AlignmentProblem.from_weights(1, 1, {(0, 0): 1}, {}),
        AlignmentProblem.from_weights(2, 1, {(1, 0): 1}, {}),
        AlignmentProblem.from_weights(2, 1, {(0, 0): 2}, {}),
    ):
        with pytest.raises(ProblemError, match="part"):
            optima.range(part)


def test_negative_weights_are_refused() -> None:
    problem = AlignmentProblem.from_weights(1, 1, {(0, 0): -1}, {})
    with pytest.raises(ProblemError, match="without negative weights"):
        OptimalFace(problem, (-1,))
