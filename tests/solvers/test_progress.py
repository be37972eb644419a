"""How far a search has come."""

from __future__ import annotations

import pytest

from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits

PROBLEM = AlignmentProblem.from_weights(2, 2, {(0, 0): 1, (1, 1): 2}, {})


def test_an_alignment_is_appraised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was offered last is the answer, mostly, and is not counted again."""
    asked: list[Alignment] = []

    def counted(problem: AlignmentProblem, alignment: Alignment) -> object:
        asked.append(alignment)
        return appraise(problem, alignment)

    appraise = AlignmentProblem.appraise
    monkeypatch.setattr(AlignmentProblem, "appraise", counted)
    progress = Progress(PROBLEM, Limits())
    alignment = (0, 1)
    progress.offer(alignment)
    assert progress.appraise(alignment) == (3, (0, 1))
    assert asked == [alignment]


def test_a_list_that_is_changed_is_appraised_anew() -> None:
    progress = Progress(PROBLEM, Limits())
    alignment = [0, -1]
    progress.offer(alignment)
    assert progress.value == 1
    alignment[1] = 1
    progress.offer(alignment)
    assert progress.value == 3
