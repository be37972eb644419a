"""Alternation of the compiled search and a solver, for pairs that take long.

The search decides small and dense pairs in a fraction of the time; the solver has
better bounds on large and sparse ones.  Which is faster cannot be predicted, so they
take turns, longer and longer ones, until one of them is done:

    search 0.3 s, solver 0.1 s, search 0.95 s, solver 0.32 s, search 3 s, solver 1 s …
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

FIRST_SECONDS = 0.1
"""The length of a turn of share 1 in the first round."""

GROWTH = math.sqrt(10)
"""The length of a round, divided by that of the one before."""


class Turn(NamedTuple):
    """Participant of an alternation.

    Attributes:
        work: works for some seconds, and returns whether the problem is solved.
        share: the length of its turns, relative to those of others.
    """

    work: Callable[[float], bool]
    share: float = 1.0


def alternate(turns: Sequence[Turn], ends: float) -> None:
    """Let participants work in turns until one is done or the time is over.

    Args:
        turns: the participants, in order.
        ends: the end of the time, by ``time.perf_counter``; infinite for no limit.
    """
    seconds = FIRST_SECONDS
    while True:
        for turn in turns:
            remaining = ends - time.perf_counter()
            if remaining <= 0 or turn.work(min(turn.share * seconds, remaining)):
                return
        seconds *= GROWTH
