"""Files of human judgement about pairs of graphs, and how several judges are combined.

A file holds one judge's answers, a line for each pair of graphs; ``-`` where nothing
was judged:

* *Scores*: line *n* is the similarity of pair *n*; a file of graphs may go on
  beyond the scores, and what is beyond has none. The scores of several judges are
  averaged.
* *Preferences*: lines 2k and 2k + 1 are two graphs for the same sentence.  The
  first says which is better, 1 the first, 0 the second, 0.5 neither, in the first of
  its columns; the second says "see above".  Of several judges the majority counts, and
  where there is none the pair is undecided.

Judgement of systems is in :mod:`exactmatch.studies.correlate.assessments`.

Source: Song and Gildea (2019), "SemBleu", section 3, for the majority of judges.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import note_input
from exactmatch.base.numbers import several
from exactmatch.scoring.resampling import Matrix, Vector
from exactmatch.scoring.sources import File, as_list, is_missing, paths_of

_ABOVE = "see above"
_NOTHING = "-"
_CHOICES = (0.0, 0.5, 1.0)

Answers: TypeAlias = (
    "Iterable[float | None] | Mapping[str, Iterable[float | None]] | File | "
    "Sequence[File] | Judgement"
)
"""What a judge answered, or several by name, or files of answers."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The judgements of several people of the same items.

    Attributes:
        answers: a row for each judge: a similarity for each pair of graphs, or a
            preference for every two of them; NaN where nothing was judged.
        prefers: whether they are preferences.
        path: the first file of them; ``None`` of what is in memory.
    """

    answers: Matrix
    prefers: bool
    path: str | None = None

    @property
    def pairs(self) -> int:
        """How many pairs of graphs they are about."""
        answers: int = self.answers.shape[1]
        return 2 * answers if self.prefers else answers

    def refusal(self, pairs: int) -> str:
        """Say that there is another number of pairs of graphs."""
        what, each = "score", "each pair"
        if self.prefers:
            what, each = "preference", "every two pairs"
        where, nothing = ("", "None") if self.path is None else (f"{self.path}: ", "-")
        return (
            f"{where}{several(self.answers.shape[1], what)} but "
            f"{several(pairs, 'pair')} of graphs; give one for {each}, {nothing} where "
            "nobody judged"
        )

    @property
    def values(self) -> Vector:
        """The judges combined: means of scores, or majorities of preferences."""
        return majority(self.answers) if self.prefers else mean(self.answers)


def mean(answers: Matrix) -> Vector:
    """The mean of the judges who scored each item; NaN where none did."""
    given = ~np.isnan(answers)
    found = np.full(answers.shape[1], np.nan)
    total = np.where(given, answers, 0.0).sum(axis=0)
    np.divide(total, given.sum(axis=0), out=found, where=given.any(axis=0))
    return found


def majority(answers: Matrix) -> Vector:
    """The answer of more than half of the judges of each item: 1, 0 or 0.5.

    0.5 where there is no majority, NaN where nobody judged.
    """
    judges = (~np.isnan(answers)).sum(axis=0)
    found = np.where(judges > 0, 0.5, np.nan)
    for choice in (0.0, 1.0):
        found[2 * (answers == choice).sum(axis=0) > judges] = choice
    return found


def standardised(answers: Matrix) -> Matrix:
    """Each judge's scores less their mean, over their standard deviation.

    So a judge who is strict, or who uses a part of the scale only, weighs as any
    other.  The scores of a judge who gives all the same become 0.

    Source: Graham, Baldwin, Moffat and Zobel (2013), "Continuous measurement
    scales in human evaluation of machine translation", section 4.
    """
    found = np.full_like(answers, np.nan)
    for row, scores in zip(found, answers, strict=True):
        given = ~np.isnan(scores)
        centred = scores[given] - scores[given].mean() if given.any() else scores[:0]
        spread = float(np.sqrt((centred**2).mean())) if len(centred) else 0.0
        row[given] = centred / spread if spread > 0 else 0.0
    return found


def read_judgement(*paths: str) -> Judgement:
    """Read files of scores or of preferences, one of each judge.

    The lines themselves tell which of the two they are.

    Raises:
        InputError: if one cannot be read, a line is neither, or the files are not
            about the same pairs; the message names file and line.
    """
    read = [_read(path) for path in paths]
    first, prefers = read[0]
    for path, (values, other) in zip(paths, read, strict=True):
        if other != prefers:
            raise InputError(
                f"{path}: holds {_what(other)} but {paths[0]} {_what(prefers)}; "
                "judges must answer the same question"
            )
        if len(values) != len(first):
            raise InputError(
                f"{path}: judges {several(len(values), 'pair')} but {paths[0]} "
                f"{len(first)}; "
                "write - where nothing was judged"
            )
    return Judgement(np.array([values for values, _ in read]), prefers, paths[0])


def judgement_of(human: Answers, prefers: bool) -> Judgement:
    """Return what people said of pairs, in files or in memory.

    Args:
        human: what they said.
        prefers: whether preferences are wanted, and not scores.

    Raises:
        InputError: if there is no answer, one is not as it should be, or judges gave
            different numbers of them.
    """
    paths = paths_of(human)
    found = human if isinstance(human, Judgement) else None
    if paths:
        found = read_judgement(*paths)
    if found is not None:
        if found.prefers != prefers:
            raise InputError(
                f"{found.path}: holds {_what(found.prefers)}, and {_what(prefers)} "
                "are asked for"
            )
        return found
    judges: Any = human.values() if isinstance(human, Mapping) else [human]
    answers = [[_answer(said, prefers) for said in as_list(judge)] for judge in judges]
    if not any(answers):
        raise InputError("there is no judgement of any pair; give one or more")
    counts = [len(judge) for judge in answers]
    if len(set(counts)) > 1:
        numbers = ", ".join(map(str, counts))
        raise InputError(
            f"judges gave different numbers of answers ({numbers}); give None where "
            "one did not judge"
        )
    return Judgement(np.array(answers), prefers)


def _answer(said: Any, prefers: bool) -> float:
    """Return an answer as a number, NaN where there is none."""
    if is_missing(said):
        return math.nan
    if not isinstance(said, Real) or not math.isfinite(said):
        raise InputError(f"{said!r} is no judgement; give a number, or None for none")
    if prefers and said not in _CHOICES:
        raise InputError(f"the preference is {said:g}; it must be 1, 0 or 0.5")
    return float(said)


def _what(prefers: bool) -> str:
    return "preferences" if prefers else "scores"


def lines_of(path: str) -> list[str]:
    """The lines of a file, without empty ones at its end.

    Raises:
        InputError: if it cannot be read, or is empty.
    """
    try:
        note_input(path)
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
    return lines


def _read(path: str) -> tuple[list[float], bool]:
    """One judge's answers, and whether they are preferences."""
    lines = lines_of(path)
    if any(line.strip().lower() == _ABOVE for line in lines):
        return _preferences(path, lines), True
    return [_number(path, number, line) for number, line in enumerate(lines, 1)], False


def _preferences(path: str, lines: Sequence[str]) -> list[float]:
    found = []
    for number, line in enumerate(lines, 1):
        if number % 2 == 0:
            if line.strip().lower() != _ABOVE:
                raise InputError(
                    f"{path}:{number}: must say {_ABOVE!r}, because every second line "
                    "of preferences does"
                )
            continue
        value = _number(path, number, line)
        if not (np.isnan(value) or value in _CHOICES):
            raise InputError(
                f"{path}:{number}: the preference is {value:g}; it must be 1, 0 or 0.5"
            )
        found.append(value)
    if len(lines) % 2:
        raise InputError(
            f"{path}: ends after the first of two graphs; a line {_ABOVE!r} belongs to "
            "the second"
        )
    return found


def _number(path: str, number: int, line: str) -> float:
    columns = line.split() or [""]
    return np.nan if columns[0] == _NOTHING else number_of(path, number, columns[0])


def number_of(path: str, line: int, text: str) -> float:
    """A judgement as a number.

    Raises:
        InputError: if it is none.
    """
    try:
        value = float(text)
    except ValueError:
        raise InputError(
            f"{path}:{line}: {text!r} is no number; a judgement begins with one, or "
            "with - where nothing was judged"
        ) from None
    if not np.isfinite(value):
        raise InputError(
            f"{path}:{line}: {text} is no judgement; give a finite number, or - where "
            "nothing was judged"
        )
    return value
