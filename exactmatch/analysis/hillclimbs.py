"""What a hill-climber finds, run by run.

Each pair is climbed in several *runs* (seeds).  A run's answer with *r* restarts
is the best of its first *r* + 1 peaks, so one climb with the most restarts serves
all smaller numbers.  Every run of every pair draws its own random numbers, and so
does the climb with the two graphs exchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from exactmatch.solvers.hillclimb import peaks
from exactmatch.solvers.problem import Alignment, AlignmentProblem

RESTARTS = (1, 2, 3, 4, 5, 7, 10)
"""The numbers of restarts in Opitz et al. (2020), table 3, smatch's own 4, and 10."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is climbed.

    Attributes:
        restarts: the numbers of restarts, increasing.
        runs: how often each pair is climbed.
        seed: seed of everything random.
        symmetry: whether pairs are also climbed the other way round.
        reference: the number of restarts whose failures are shown.
    """

    restarts: tuple[int, ...] = RESTARTS
    runs: int = 10
    seed: int = 0
    symmetry: bool = True
    reference: int = 4


@dataclass(frozen=True, slots=True)
class Climbed:
    """What the runs of one pair found, in units of the problem.

    Attributes:
        values: shape ``(runs, restart counts)``.
        mirrored: the same with the graphs exchanged, or ``None``.
        worst: the worst answer with the reference number of restarts.
        worst_seed: the seed that finds it again.
    """

    values: npt.NDArray[np.int64]
    mirrored: npt.NDArray[np.int64] | None
    worst: Alignment
    worst_seed: int


def run_seed(plan: Plan, index: int, run: int, mirrored: bool = False) -> int:
    """The seed of one run of one pair, independent of all others."""
    words = np.random.SeedSequence([plan.seed, index, run, int(mirrored)])
    return int(words.generate_state(1)[0])


def climb_pair(problem: AlignmentProblem, index: int, plan: Plan) -> Climbed:
    """Climb one pair in every run, and the other way round if asked for."""
    reference = place(plan)
    values = np.zeros((plan.runs, len(plan.restarts)), dtype=np.int64)
    worst: tuple[int, Alignment, int] | None = None
    for run in range(plan.runs):
        seed = run_seed(plan, index, run)
        values[run], alignment = _answers(problem, plan.restarts, seed, reference)
        value = int(values[run, reference])
        if worst is None or value < worst[0]:
            worst = (value, alignment, seed)
    assert worst is not None
    mirrored = None
    if plan.symmetry:
        turned = problem.transposed()
        mirrored = np.array(
            [
                _answers(
                    turned, plan.restarts, run_seed(plan, index, run, True), reference
                )[0]
                for run in range(plan.runs)
            ]
        )
    return Climbed(values, mirrored, problem.appraise(worst[1])[1], worst[2])


def place(plan: Plan) -> int:
    """The place of the reference number of restarts, or of the nearest."""
    distance = [abs(r - plan.reference) for r in plan.restarts]
    return distance.index(min(distance))


def _answers(
    problem: AlignmentProblem, restarts: Sequence[int], seed: int, reference: int
) -> tuple[npt.NDArray[np.int64], Alignment]:
    """Values for each number of restarts, and the alignment of one of them."""
    found = list(peaks(problem, restarts[-1], seed))
    best = np.maximum.accumulate([0, *(value for value, _ in found)])[1:]
    known = found[: restarts[reference] + 1]
    alignment = max(known, key=lambda peak: peak[0])[1]
    return best[list(restarts)], alignment
