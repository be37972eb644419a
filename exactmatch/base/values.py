"""Readers of options' values: counts, shares, seconds, levels, names.

Each function reads a value as Python gives it or as text from a command line or a file,
so that both have the same ranges and the same messages.

Raises:
    ValueError: if the value is refused; the message is a clause that names it.
"""

import math
import operator
import os
from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from exactmatch.base.errors import InputError, unknown
from exactmatch.base.registry import imported

MOST_DIGITS = 17  # a score says nothing beyond these


def name_in(place: str) -> Callable[[Any], Any]:
    """Return a reader of names of the registry at *place*, imported when it is needed.

    A value that is not a text is returned as it is; the caller checks its kind.
    """

    def read(value: Any) -> Any:
        registry = imported(place)
        if isinstance(value, str) and value not in registry:
            raise ValueError(unknown(registry.kind, value, registry))
        return value

    return read


def integer(value: Any, least: int | None = None) -> int:
    """Read an integer, of at least *least*."""
    at_least = "" if least is None else f" of at least {least}"
    refused = ValueError(f"{value!r} is not a whole number{at_least}")
    try:
        number = int(value) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        raise refused from None
    is_plain = not isinstance(value, str) or (value.isascii() and "_" not in value)
    if (
        isinstance(value, bool)
        or not is_plain
        or (least is not None and number < least)
    ):
        raise refused
    return number


positive_int = partial(integer, least=1)
natural_int = partial(integer, least=0)


def port(value: Any) -> int:
    """Read the number of a port; 0 is any that is free."""
    return _at_most(2**16 - 1, natural_int(value))


def runs(value: Any) -> int:
    """Read how often something is done over, at most a million times."""
    return _at_most(10**6, positive_int(value))


def _at_most(limit: int, number: int) -> int:
    if number > limit:
        raise ValueError(f"{number} is more than {limit:,}")
    return number


def jobs(value: Any) -> int:
    """Read a number of workers; -1 is one for each core."""
    try:
        number = integer(value, -1)
    except ValueError:
        number = 0
    if number == 0:
        raise ValueError(f"{value!r} is not a number of workers from 1, nor -1")
    return number if number > 0 else os.cpu_count() or 1


def digits(value: Any) -> int:
    """Read a number of decimals that a floating-point number can have."""
    number = natural_int(value)
    if number > MOST_DIGITS:
        raise ValueError(
            f"{value!r} is more decimals than numbers have here; ask for {MOST_DIGITS} "
            "at most"
        )
    return number


COUNTING = (integer, positive_int, natural_int, port, runs, jobs, digits)
"""The readers of one whole number, which help calls N unless somebody says else."""


def restart_counts(value: Any) -> tuple[int, ...]:
    """Read numbers of restarts; they come in order, each once."""
    parts = value.split(",") if isinstance(value, str) else value
    parts = parts if isinstance(parts, Iterable) else (parts,)
    if not parts:
        raise ValueError("no number of restarts is named; give one or more")
    return tuple(sorted({natural_int(part) for part in parts}))


def real(value: Any) -> float:
    """Read any number; the caller checks its range."""
    number = _float(value)
    if math.isnan(number):
        raise ValueError(f"{value!r} is not a number")
    return number


def not_negative(value: Any) -> float:
    """Read a number of at least 0."""
    number = _float(value)
    if not number >= 0:
        raise ValueError(f"{value!r} is not a number of at least 0")
    return int(number) if number.is_integer() else number


def positive_float(value: Any) -> float:
    """Read a finite number above 0."""
    number = _float(value)
    if not 0 < number < math.inf:
        raise ValueError(f"{value!r} is not a number above 0")
    return number


def price(value: Any) -> float:
    """Read a finite number of at least 0."""
    number = _float(value)
    if not 0 <= number < math.inf:
        raise ValueError(f"{value!r} is not a number of at least 0")
    return number


def share(value: Any) -> float:
    """Read a score, as a share of 1 or, above 1, in percent."""
    number = _float(value)
    number = number / 100 if number > 1 else number
    if not 0 <= number <= 1:
        raise ValueError(
            f"{value!r} is not a score between 0 and 1, or a percentage up to 100"
        )
    return number


def cutoff(value: Any) -> float:
    """Read a score that others have to reach: a share of 1, or a text such as 50%."""
    is_percent = isinstance(value, str) and value.endswith("%")
    number = _float(value[:-1]) / 100 if is_percent else _float(value)
    if not 0 <= number <= 1:
        raise ValueError(
            f"{value!r} is not a score between 0 and 1; one in percent is written as "
            "50%"
        )
    return number


def published_score(value: Any) -> str:
    """Read a printed score, as a share or in percent, with the digits it has."""
    from decimal import Decimal, InvalidOperation

    text = str(value)
    try:
        number = Decimal(text.removesuffix("%"))
    except InvalidOperation:
        raise ValueError(f"{value!r} is not a number") from None
    if number.is_nan() or not 0 <= number <= 100:
        raise ValueError(
            f"{value} is not a score between 0 and 1, or a percentage up to 100"
        )
    is_percent = number > 1 or text.endswith("%")
    return f"{number.scaleb(-2):f}" if is_percent else text  # 75.0 is 0.750


def level(value: Any) -> float:
    """Read a confidence level, in percent or as a share."""
    number = _float(value.removesuffix("%") if isinstance(value, str) else value)
    if math.isnan(number):
        hint = "give a share or a percentage, such as confidence=0.95"
        if isinstance(value, str):
            hint = "name the files before --confidence, or give it a level such as 95"
        raise ValueError(f"{value!r} is not a confidence level; {hint}")
    share = number / 100 if number >= 1 else number
    if not 0 < share < 1:
        raise ValueError(f"{value} is not between 0 and 100 percent")
    return share


def scale(value: Any) -> tuple[float, float]:
    """Read the two ends of a scale: a text with a comma, or two numbers."""
    parts = value.split(",") if isinstance(value, str) else value
    try:
        low, high = map(float, parts)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(
            f"{value!r} is not two numbers with a comma between them, such as 0,100"
        ) from None
    if not low < high:
        raise ValueError(f"{low:g} is not below {high:g}")
    return low, high


def _float(value: Any) -> float:
    """Return a number, NaN where the value is none."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except OverflowError:  # a whole number, or a fraction, of hundreds of digits
        return math.inf if value > 0 else -math.inf
    except (TypeError, ValueError):
        return math.nan


def words(value: Any) -> tuple[str, ...]:
    """Read a list of names: a text with commas, or several texts."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, Iterable):
        raise ValueError(f"{value!r} is not a list of names")
    return tuple(str(part).strip() for part in parts)


def paths(value: Any) -> tuple[str, ...]:
    """Read files: one, or several of which one may be standard input."""
    files = (value,) if isinstance(value, str | os.PathLike) else value
    if not isinstance(files, Iterable):
        raise ValueError(f"{value!r} is not a list of files")
    names = tuple(map(path, files))
    if names.count("-") > 1:
        raise InputError("standard input can be only one of the files")
    return names


def text(value: Any) -> str:
    """Read a text, or the path of a file."""
    content = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(content, str):
        raise ValueError(f"{value!r} is not text")
    return content


def boolean(value: Any) -> bool:
    """Read a truth value, which is not a text."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is not True or False")
    return value


@cache
def between(low: float, high: float, whole: bool = False) -> Callable[[Any], Any]:
    """Return a reader of numbers in a range; equal ranges have the same reader."""

    def read(value: Any) -> float:
        number = integer(value) if whole else real(value)
        if not low <= number <= high:
            raise ValueError(f"{value!r} is not between {low:g} and {high:g}")
        return number

    return read


def named(value: Any) -> str:
    """Read the path of a file of ours, such as certificates, or its name."""
    if not isinstance(value, str | os.PathLike):
        raise ValueError(f"{value!r} is not a file; give its name or Path")
    return os.fsdecode(value)


def all_named(value: Any) -> list[str]:
    """Read the paths of several files of ours, or their names."""
    if isinstance(value, str | os.PathLike):
        raise ValueError(f"{value!r} is one file; give a list")
    return [*map(named, value)]


def path(value: Any) -> str:
    """Read the path of a file, which is a ``Path``: a text would be its content."""
    if isinstance(value, str):
        raise ValueError(f"{value!r} is a text; a file is given as Path({value!r})")
    if not isinstance(value, os.PathLike):
        raise ValueError(f"{value!r} is not a file; give a Path")
    return os.fsdecode(value)
