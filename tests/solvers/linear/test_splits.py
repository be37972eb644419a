"""Windows that are split: what is closed holds nothing better."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("scipy")
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.oracle import brute_force
from support.strategies import problems, random_problem

from exactmatch.solvers import auto
from exactmatch.solvers.auto import Auto
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.linear import splits
from exactmatch.solvers.linear.splits import Part, is_closed
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

FEW = 60
"""So few pair terms that small problems are split."""


def hard(seed: int) -> AlignmentProblem:
    """A problem whose relaxation is not integral."""
    return random_problem(seed, 14, 14, density=1.6)


def halves(problem: AlignmentProblem) -> Part:
    """The whole problem, with half of each weight at either end, in 2**16ths."""
    return Part(problem, problem.weight.astype(np.int64) << 15)


@settings(max_examples=examples(60), deadline=None)
@given(problem=problems(max_nodes=4), floor=st.integers(0, 12))
def test_what_is_closed_holds_nothing_better(
    problem: AlignmentProblem, floor: int
) -> None:
    optimum = brute_force(problem)
    progress = Progress(problem, Limits())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splits, "FEW_TERMS", 0)
        patch.setattr(splits, "NEAR_TERMS", 0)
        closed = is_closed(
            halves(problem), progress, floor, lambda rest: brute_force(rest) <= floor
        )
    assert progress.value <= optimum
    assert not closed or optimum <= floor


@pytest.fixture
def split(monkeypatch: pytest.MonkeyPatch) -> list[list[Part]]:
    """The parts of every split."""
    made, children = list[list[Part]](), splits._children

    def kept(part: Part, bound: int, progress: Progress) -> list[Part]:
        made.append(children(part, bound, progress))
        return made[-1]

    monkeypatch.setattr(splits, "FEW_TERMS", FEW)
    monkeypatch.setattr(splits, "NEAR_TERMS", FEW)
    monkeypatch.setattr(splits, "_children", kept)
    return made


@pytest.mark.parametrize("below", [0, 1])
@pytest.mark.parametrize("seed", [3, 8])
def test_parts_hold_every_alignment_of_a_window(
    seed: int, below: int, split: list[list[Part]]
) -> None:
    problem = hard(seed)
    floor = BranchAndBound().solve(problem).value - below

    def is_part_closed(part: AlignmentProblem) -> bool:
        assert part.n_terms <= FEW
        return BranchAndBound().solve(part).value <= floor

    progress = Progress(problem, Limits())
    assert is_closed(halves(problem), progress, floor, is_part_closed) == (below == 0)
    assert below or len(split) > 1


@pytest.mark.parametrize("seed", [3, 8])
def test_the_optimum_is_proven_by_splits(
    seed: int, split: list[list[Part]], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("ortools")
    monkeypatch.setattr(auto, "WINDOW_NODES", 1)
    problem = hard(seed)
    solution = Auto(nodes=1).solve(problem)
    assert solution.is_optimal
    assert solution.value == BranchAndBound().solve(problem).value
    assert split


def test_a_part_without_time_is_not_closed() -> None:
    progress = Progress(hard(3), Limits(seconds=0.0))
    assert not is_closed(halves(hard(3)), progress, 0, lambda _: True)
