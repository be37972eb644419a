"""The results of a hill-climber, run by run.

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
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits
from exactmatch.studies.audit.options import RESTARTS


@dataclass(frozen=True, slots=True)
class Plan:
    """How often and with how many restarts pairs are climbed.

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
    """The values of the runs of one pair, in units of the problem.

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


def climb_pair(
    problem: AlignmentProblem, index: int, plan: Plan, limits: Limits | None = None
) -> Climbed | None:
    """Climb one pair in every run, and the other way round if asked for.

    Args:
        limits: how long all that may take; ``None`` is returned where it takes longer,
            because a climb that is cut short says nothing about climbs.
    """
    reference = place(plan)
    clock = Progress(problem, limits or Limits())
    sides = [problem, problem.transposed()] if plan.symmetry else [problem]
    found = np.zeros((len(sides), plan.runs, len(plan.restarts)), dtype=np.int64)
    worst: tuple[int, Alignment, int] | None = None
    for side, stated in enumerate(sides):
        for run in range(plan.runs):
            seed = run_seed(plan, index, run, bool(side))
            answers = _answers(stated, plan.restarts, seed, reference, clock)
            if clock.is_out_of_time():
                return None
            found[side, run], alignment = answers
            value = int(found[side, run, reference])
            if side == 0 and (worst is None or value < worst[0]):
                worst = value, alignment, seed
    assert worst is not None
    mirrored = found[1] if plan.symmetry else None
    return Climbed(found[0], mirrored, problem.appraise(worst[1])[1], worst[2])


def place(plan: Plan) -> int:
    """The place of the reference number of restarts, or of the nearest."""
    distance = [abs(r - plan.reference) for r in plan.restarts]
    return distance.index(min(distance))


def _answers(
    problem: AlignmentProblem,
    restarts: Sequence[int],
    seed: int,
    reference: int,
    clock: Progress,
) -> tuple[npt.NDArray[np.int64], Alignment]:
    """Values for each number of restarts, and the alignment of one of them."""
    own = None
    if clock.deadline is not None:
        own = Progress(problem, clock.limits)
        own.deadline = clock.deadline
    found = list(peaks(problem, restarts[-1], seed, own))
    found += found[-1:] * (restarts[-1] + 1 - len(found))  # if time is over
    best = np.maximum.accumulate([0, *(value for value, _ in found)])[1:]
    known = found[: restarts[reference] + 1]
    alignment = max(known, key=lambda peak: peak[0])[1]
    return best[list(restarts)], alignment
