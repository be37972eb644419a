"""A large problem that has lost most candidates is stated anew, without them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.base import compiled as kernels
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

SEARCH = kernels.load_interpreted("exactmatch.solvers.kernel.search")


@pytest.fixture(scope="module", autouse=True)
def every_problem_is_large() -> Iterator[None]:
    """Partners help in every round, and every problem may shrink."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SEARCH, "MANY", 0)
        patch.setattr(SEARCH, "FIX_EVERY", 1)
        yield


def searched(
    problem: AlignmentProblem, above: int, deep: bool, nodes: int = 0
) -> Proposal:
    """The answer of the interpreted kernel."""
    solver = BranchAndBound(nodes=nodes)
    solver._load = kernels.load_interpreted
    progress = Progress(problem, Limits())
    return solver.search(problem, progress, above=above, deep=deep)


@settings(max_examples=examples(150), deadline=None)
@given(problem=problems(max_nodes=4), above=st.integers(0, 12), deep=st.booleans())
def test_the_optimum_is_that_of_all_alignments(
    problem: AlignmentProblem, above: int, deep: bool
) -> None:
    optimum = brute_force(problem)
    found = searched(problem, above, deep)
    assert found.bound is not None
    assert max(found.bound, above) == max(optimum, above)
    if optimum > above:
        assert problem.value(found.alignment) == optimum


@settings(max_examples=examples(100), deadline=None)
@given(problem=problems(max_nodes=4), above=st.integers(0, 12), deep=st.booleans())
def test_what_is_left_holds_every_better_alignment(
    problem: AlignmentProblem, above: int, deep: bool
) -> None:
    found = searched(problem, above, deep, nodes=1)
    optimum, value = brute_force(problem), problem.value(found.alignment)
    assert found.bound is not None
    assert max(found.bound, above) >= optimum
    if found.still_open is None:
        assert optimum <= max(value, above)
        return
    keep = np.zeros(problem.n_candidates, dtype=np.bool_)
    keep[list(found.still_open)] = True
    rest = max(brute_force(problem.restricted(keep)), value, above)
    assert rest == max(optimum, above)
    if deep:
        assert found.shares is not None
        assert len(found.shares) == problem.n_terms


def test_it_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window of one value keeps few of the candidates of this problem."""
    parts = []
    restricted = AlignmentProblem.restricted

    def counted(problem: AlignmentProblem, keep: np.ndarray) -> AlignmentProblem:
        parts.append(restricted(problem, keep))
        return parts[-1]

    monkeypatch.setattr(AlignmentProblem, "restricted", counted)
    problem = random_problem(6, 20, 20, density=1.0)
    best = BranchAndBound().solve(problem).value
    found = searched(problem, best - 1, deep=True)
    assert found.bound == problem.value(found.alignment) == best
    assert parts
    assert 2 * parts[0].n_candidates < problem.n_candidates
