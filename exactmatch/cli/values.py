"""What an option makes of the text it was given: counts, shares, seconds, levels.

Each is the ``type`` of an argparse option: it returns the value, or says in a sentence
what is wrong with the text.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from exactmatch.base.registry import Registry
from exactmatch.base.solver_errors import unknown

MOST_DIGITS = 17
"""A score says nothing beyond these."""


def name_in(registry: Registry[Any]) -> Callable[[str], str]:
    """Make the type of an option that takes a name of a registry, and refuses others.

    Other packages are asked only where the name is none of ours.
    """

    def checked(text: str) -> str:
        if text not in registry:
            raise argparse.ArgumentTypeError(unknown(registry.kind, text, registry))
        return text

    return checked


def positive_int(text: str) -> int:
    """Convert to an integer of at least 1."""
    if text.isascii() and text.isdigit() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 1")


def natural_int(text: str) -> int:
    """Convert to an integer of at least 0."""
    if text.isascii() and text.isdigit():
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 0")


def digits(text: str) -> int:
    """Convert to a number of decimals that a floating-point number can have."""
    number = natural_int(text)
    if number > MOST_DIGITS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is more decimals than numbers have here; ask for {MOST_DIGITS} "
            "at most"
        )
    return number


def restart_counts(text: str) -> tuple[int, ...]:
    """Convert a list of numbers of restarts; they come in order, each once."""
    return tuple(sorted({natural_int(part) for part in text.split(",")}))


def positive_float(text: str) -> float:
    """Convert to a finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if 0 < number < float("inf"):
        return number
    raise argparse.ArgumentTypeError(f"{text!r} is no number above 0")


def share(text: str) -> float:
    """Convert a score, as a share of 1 or, above 1, in percent."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    number = number / 100 if number > 1 else number
    if 0 <= number <= 1:
        return number
    raise argparse.ArgumentTypeError(
        f"{text!r} is no score between 0 and 1, and no percentage up to 100"
    )


def level(text: str) -> float:
    """Convert a confidence level, in percent or as a share."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{text!r} is no confidence level; name the files before --confidence, "
            "or give it a level such as 95"
        ) from None
    share = number / 100 if number >= 1 else number
    if not 0 < share < 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0 and 100 percent")
    return share
