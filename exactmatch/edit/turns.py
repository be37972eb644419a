"""One alternation of the compiled search and a solver, for pairs that take long.

The search decides small and dense pairs in a fraction of the time, and a solver has
better bounds on large and sparse ones; nobody knows beforehand who is faster.  So both
have turns, which grow, until one of them is done:

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
"""A round is so many times as long as the one before."""


class Turn(NamedTuple):
    """One who has turns.

    Attributes:
        work: works for so many seconds, and returns whether the problem is solved.
        share: the length of its turns, beside those of others.
    """

    work: Callable[[float], bool]
    share: float = 1.0


def alternate(turns: Sequence[Turn], ends: float) -> None:
    """Give each its turn, round after round, until one is done or the time is over.

    Args:
        turns: who has turns, in order.
        ends: when the time is over, by ``time.perf_counter``; infinite for no limit.
    """
    seconds = FIRST_SECONDS
    while True:
        for turn in turns:
            left = ends - time.perf_counter()
            if left <= 0 or turn.work(min(turn.share * seconds, left)):
                return
        seconds *= GROWTH
