"""Which time limits make sense, for one pair as for a whole evaluation."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

from exactmatch.base.errors import InputError


def check_time_limit(seconds: Any) -> None:
    """Refuse a time limit that makes no sense.

    Raises:
        InputError: if it is neither ``None`` nor a finite number above 0.
    """
    if seconds is None:
        return
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds < math.inf:
        raise InputError(
            f"the time limit is {seconds!r}; it is a number of seconds above 0, or "
            "None for no limit"
        )


def check_seed(seed: Any) -> None:
    """Refuse a seed that would not make a run repeatable.

    Raises:
        InputError: if it is no whole number; ``None`` draws other numbers every time.
    """
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise InputError(f"the seed is {seed!r}; it is a whole number")
