"""Files of human judgement: a number a line, or a preference for every two pairs.

* *Scores*: line *n* is the similarity of pair *n*; a file of graphs may go on
  beyond the scores, and what is beyond has none.
* *Preferences*: lines 2k and 2k + 1 are two graphs for the same sentence.  The
  first says which is better, 1 the first, 0 the second, 0.5 neither, in the first of
  its columns; the second says "see above".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from exactmatch.errors import InputError
from exactmatch.scoring.resampling import Vector

_ABOVE = "see above"


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """What people said.

    Attributes:
        values: a similarity for each pair of graphs, or a preference for every
            two of them.
        prefers: whether they are preferences.
    """

    values: Vector
    prefers: bool


def read_judgement(path: str) -> Judgement:
    """Read a file of scores or of preferences; which it is shows in its lines.

    Raises:
        InputError: if it cannot be read, or a line is neither; the message names
            the line.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text") from None
    lines = text.splitlines()
    while lines and not lines[-1].strip():
        lines.pop()
    if not lines:
        raise InputError(f"{path}: holds no judgement")
    if any(line.strip().lower() == _ABOVE for line in lines):
        return Judgement(_preferences(path, lines), prefers=True)
    values = [_number(path, number, line) for number, line in enumerate(lines, 1)]
    return Judgement(np.array(values), prefers=False)


def _preferences(path: str, lines: Sequence[str]) -> Vector:
    found = []
    for number, line in enumerate(lines, 1):
        if number % 2 == 0:
            if line.strip().lower() != _ABOVE:
                raise InputError(f"{path}:{number}: must say {_ABOVE!r}")
            continue
        value = _number(path, number, line)
        if value not in (0.0, 0.5, 1.0):
            raise InputError(
                f"{path}:{number}: the preference is {value:g}; it must be 1, 0 or 0.5"
            )
        found.append(value)
    if len(lines) % 2:
        raise InputError(f"{path}: ends after the first of two graphs")
    return np.array(found)


def _number(path: str, number: int, line: str) -> float:
    columns = line.split()
    try:
        value = float(columns[0])
    except (ValueError, IndexError):
        raise InputError(
            f"{path}:{number}: {line.strip()!r} does not begin with a number"
        ) from None
    if not np.isfinite(value):
        raise InputError(f"{path}:{number}: {columns[0]} is no judgement")
    return value
