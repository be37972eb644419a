"""Leaves of documents: numbers by value, texts by their letters, codes as a whole.

A text is *coded*: case and runs of blanks do not count, an instant with an offset is in
UTC, and each token with a digit or a sign, such as a date, an amount or an identifier,
becomes as many copies of one sign as it has letters.  So such tokens are equal or worth
nothing, and words are graded by the letters that they share, in order.

One minus the similarity of two texts is a metric.  Source: Bakkelund (2009), "An
LCS-based string metric", for ``1 - LCS / max``; twice that, at most 1, is a metric,
too.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeAlias

from exactmatch.base import compiled as kernels

_kernel: Any = kernels.load("exactmatch.metrics.json._tables")

Number: TypeAlias = int | Decimal | str
"""A number by value; as text if it is too long, infinite or not a number."""

Letters: TypeAlias = str | tuple[str, ...]
"""The letters of a text; in a tuple, letters of a code are copies of the whole code."""


class Code(str):
    """A coded text that is a single code; it matches only equal codes."""

    __slots__ = ()


REMEMBERED = 2**16
"""Number of texts and numbers that are remembered as they are compared."""

MAX_DIGITS = 4300
MAX_EXPONENT = 400
"""Numbers with more digits, or a larger exponent, are compared as texts."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_INSTANT = re.compile(
    r"(?<![^\s.,;:!?()\[\]{}\"'])"
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})[t ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})"
    r"(?:\.([0-9]+))?)?(?:z|([-+])([0-9]{2}):?([0-9]{2}))"
    r"(?![^\s.,;:!?()\[\]{}\"'])"
)
_EDGES = ".,;:!?()[]{}\"'"
_SIGNS = frozenset(r"0123456789/\@_#=&%+*:<>|~^$")


def nfc(text: str) -> str:
    """Return a text in normal form C."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def folded(text: str) -> str:
    """Return a text without case and runs of blanks."""
    return " ".join(nfc(nfc(text).casefold()).split())


def number_of(text: str) -> Number:
    """Return the value of a number in JSON.

    >>> number_of("1.50") == number_of("15e-1"), number_of("1e999")
    (True, '1e999')
    """
    digits, _, exponent = text.lower().partition("e")
    if len(digits) > MAX_DIGITS:
        return text
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > MAX_EXPONENT):
        return text
    if not exponent and "." not in digits:
        try:
            return int(digits)
        except ValueError:  # NaN, Infinity, -Infinity
            return text
    try:
        return Decimal(text)
    except InvalidOperation:
        return text


def value_of(number: float | Decimal) -> Number:
    """Return the value of a Python number, by its shortest decimal text."""
    if number != number:
        return "NaN"
    if number in (float("inf"), float("-inf")):
        return "Infinity" if number > 0 else "-Infinity"
    if isinstance(number, Decimal):
        if abs(number.adjusted()) < MAX_EXPONENT // 2:
            return number
        return number_of(str(number))
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number_of(float.__repr__(number))


def read_out(text: str) -> bool | Number | None:
    """Return the number or boolean that a text states, if it states one."""
    bare = text.strip()
    if _NUMBER.fullmatch(bare):
        return number_of(bare)
    return {"true": True, "false": False}.get(bare.lower())


def are_near(left: Number, right: Number, tolerance: Fraction) -> bool:
    """Return whether two numbers differ by at most a share of the larger one."""
    if isinstance(left, str) or isinstance(right, str):
        return left == right
    a, b = Fraction(left), Fraction(right)
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def coded(text: str) -> str:
    """Return the coded form of a text, by which it is graded.

    >>> coded("No.  12.50"), letters_of(coded("No.  12.50"))
    ('no. 12.5', ('n', 'o', '.', ' ', '#12.5', '#12.5', '#12.5', '#12.5'))
    """
    return _coded(text) if len(text) < LONG else _newly_coded(text)


def letters_of(coded: str) -> Letters:
    """Return the letters of a coded text; each letter of a code is the whole code."""
    return _letters(coded) if len(coded) < LONG else _newly_parted(coded)


LONG = 1000
"""Texts of this length or longer are not remembered."""


def _newly_coded(text: str) -> str:
    normalised = _INSTANT.sub(_in_utc, folded(text))
    if _SIGNS.isdisjoint(normalised):
        return normalised
    if " " in normalised:
        return " ".join(map(_one_form, normalised.split(" ")))
    code = _one_form(normalised)
    return Code(code) if _code_in(code) == code else code


def _newly_parted(coded: str) -> Letters:
    if _SIGNS.isdisjoint(coded):
        return coded
    letters: list[str] = []
    has_codes = False
    for number, token in enumerate(coded.split(" ")):
        if number:
            letters.append(" ")
        code = _code_in(token)
        if not code:
            letters += token
            continue
        has_codes = True
        begin = token.index(code)
        letters += token[:begin]
        letters += [f"#{code}"] * len(code)
        letters += token[begin + len(code) :]
    return tuple(letters) if has_codes else coded


_coded = lru_cache(REMEMBERED)(_newly_coded)
_letters = lru_cache(REMEMBERED)(_newly_parted)


def _code_in(token: str) -> str:
    """Return the code in a token; an empty text if there is none."""
    bare = token.strip(_EDGES)
    return "" if not bare.isascii() or _SIGNS.isdisjoint(bare) else bare


def _one_form(token: str) -> str:
    """Return a token with a plain decimal in its shortest form; others as they are."""
    code = _code_in(token)
    if not _DECIMAL.fullmatch(code):
        return token
    number = code.rstrip("0").rstrip(".") if "." in code else code
    begin = token.index(code)
    short = "0" if number == "-0" else number
    return token[:begin] + short + token[begin + len(code) :]


def _in_utc(match: re.Match[str]) -> str:
    year, month, day, hour, minute, second = (int(match[k] or 0) for k in range(1, 7))
    offset = timedelta(hours=int(match[9] or 0), minutes=int(match[10] or 0))
    try:
        at = datetime(year, month, day, hour, minute, second)
        at += -offset if match[8] == "+" else offset
    except (ValueError, OverflowError):
        return match[0]
    part = (match[7] or "").rstrip("0")
    return f"{at.isoformat()}{'.' * bool(part)}{part}z"


def common(left: Letters, right: Letters) -> int:
    """Return the length of the longest common subsequence of two texts.

    >>> common("colour", "color")
    5
    """
    length: int = _kernel.longest_common(left, right)
    return length


def as_plain(value: Any) -> Any:
    """Return the JSON value of a Python object; the object itself if it has none."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        return {name: getattr(value, name) for name in value.__dataclass_fields__}
    return value.tolist() if hasattr(value, "tolist") else value
