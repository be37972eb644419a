"""Order, length and end of turns."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import pytest

from exactmatch.edit.turns import FIRST_SECONDS, GROWTH, Turn, alternate


def turns_of(done_after: int, *shares: float) -> tuple[list[tuple[int, float]], bool]:
    """Return who had a turn and for how many seconds, until one was done."""
    calls: list[tuple[int, float]] = []

    def work(who: int) -> Callable[[float], bool]:
        def one(seconds: float) -> bool:
            calls.append((who, seconds))
            return len(calls) == done_after

        return one

    alternate([Turn(work(k), share) for k, share in enumerate(shares)], math.inf)
    return calls, len(calls) == done_after


def test_turns_grow_from_round_to_round_by_their_shares() -> None:
    calls, is_done = turns_of(5, 3.0, 1.0)
    assert is_done
    assert [who for who, _ in calls] == [0, 1, 0, 1, 0]
    rounds = [FIRST_SECONDS * GROWTH**number for number in range(3)]
    expected = [3 * rounds[0], rounds[0], 3 * rounds[1], rounds[1], 3 * rounds[2]]
    assert [seconds for _, seconds in calls] == pytest.approx(expected)


def test_no_turn_goes_beyond_the_end() -> None:
    longest: list[float] = []

    def work(seconds: float) -> bool:
        longest.append(seconds)
        return False

    alternate([Turn(work, 1000.0)], time.perf_counter() + 0.01)
    assert longest
    assert max(longest) <= 0.01
    alternate([Turn(work)], time.perf_counter() - 1)
    assert max(longest) <= 0.01
