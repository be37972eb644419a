"""What people say about pairs of graphs, and how far several judges agree.

A file holds one judge's answers, scores or preferences, in the forms that
docs/trust/people.md describes: a line for each pair of graphs, ``-`` where nothing was
judged.  The scores of several judges are averaged, and of preferences the majority
counts (Song and Gildea 2019, section 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, starmap
from numbers import Real
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError, shortened
from exactmatch.base.inputs import note_input
from exactmatch.base.numbers import several
from exactmatch.scoring.resampling import Matrix, Vector, mean_scorer
from exactmatch.scoring.sources import File, as_list, is_missing, paths_of
from exactmatch.studies.correlate.measures import complete, pearson

_ABOVE = "see above"
_CHOICES = (0.0, 0.5, 1.0)

Answers: TypeAlias = (
    "Iterable[float | None] | Mapping[str, Iterable[float | None]] | File | "
    "Sequence[File] | Judgement"
)
"""What a judge answered, or several by name, or files of answers."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The judgements of several people of the same items."""

    answers: Matrix  # a row for each of them; NaN where nothing was judged
    prefers: bool  # whether of every two pairs of graphs, or the similarity of each
    path: str | None = None  # the first file, if there are any

    def refusal(self, pairs: int) -> str:
        """Say that there is another number of pairs of graphs."""
        kinds = ("score", "each pair"), ("preference", "every two pairs")
        what, each = kinds[self.prefers]
        where, nothing = ("", "None") if self.path is None else (f"{self.path}: ", "-")
        return (
            f"{where}{several(self.answers.shape[1], what)} but "
            f"{several(pairs, 'pair')} of graphs; give one for {each}, {nothing} where "
            "nobody judged"
        )


def mean(answers: Matrix) -> Vector:
    """The mean of the judges who scored each item; NaN where none did."""
    known = np.nansum(answers, axis=0), (~np.isnan(answers)).sum(axis=0)
    means: Vector = mean_scorer(np.column_stack(known))[:, 0]
    return means


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
        if given.any():
            centred = scores[given] - scores[given].mean()
            spread = float(np.sqrt((centred**2).mean()))
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
                f"{len(first)}; write - where nothing was judged"
            )
    return Judgement(np.array([values for values, _ in read]), prefers, paths[0])


def judgement_of(human: Answers, prefers: bool) -> Judgement:
    """Return people's scores of pairs, or preferences, in files or in memory."""
    if paths := paths_of(human):
        human = read_judgement(*paths)
    if isinstance(human, Judgement):
        if human.prefers != prefers:
            raise InputError(
                f"{human.path}: holds {_what(human.prefers)}, and {_what(prefers)} "
                "are asked for"
            )
        return human
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
    try:
        number = float(said) if isinstance(said, Real) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        shown = shortened(repr(said), 90)
        raise InputError(f"{shown} is no judgement; give a number, or None for none")
    if prefers and number not in _CHOICES:
        raise InputError(f"the preference is {said:g}; it must be 1, 0 or 0.5")
    return number


def _what(prefers: bool) -> str:
    return "preferences" if prefers else "scores"


def lines_of(path: str) -> list[str]:
    """The lines of a file, without empty ones at its end; it must hold some."""
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
    prefers = any(line.strip().lower() == _ABOVE for line in lines)
    found = []
    for number, line in enumerate(lines, 1):
        place = f"{path}:{number}"
        if prefers and number % 2 == 0:
            if line.strip().lower() != _ABOVE:
                raise InputError(
                    f"{place}: must say {_ABOVE!r}, because every second line of "
                    "preferences does"
                )
            continue
        text, *_ = line.split() or [""]
        value = math.nan if text == "-" else number_of(place, text)
        if prefers and not (math.isnan(value) or value in _CHOICES):
            raise InputError(
                f"{place}: the preference is {value:g}; it must be 1, 0 or 0.5"
            )
        found.append(value)
    if prefers and len(lines) % 2:
        raise InputError(
            f"{path}: ends after the first of two graphs; a line {_ABOVE!r} belongs to "
            "the second"
        )
    return found, prefers


def number_of(place: str, text: str, is_cell: bool = False) -> float:
    """A judgement, which stands at a place of a file or in a table, as a number."""
    number = "a judgement begins with one, or with -"
    finite = "give a finite number, or -"
    if is_cell:
        number = finite = "leave out the row"
    try:
        value = float(text)
    except ValueError:
        raise InputError(
            f"{place}: {text!r} is no number; {number} where nothing was judged"
        ) from None
    if not math.isfinite(value):
        raise InputError(
            f"{place}: {text} is no judgement; {finite} where nothing was judged"
        )
    return value


@dataclass(frozen=True, slots=True)
class JudgesAgreement:
    """How far judges agree.  NaN where a number is not defined."""

    judges: int
    items: int  # what at least two of them answered
    unanimous: float  # share of these to which all answers are equal
    pairwise: float  # share of equal answers among all two to the same item
    kappa: float  # Fleiss' κ, where all items have equally many answers
    alpha: float  # Krippendorff's α, where not all answers are the same
    correlation: float  # mean Pearson's r of every two judges, for scores


def judges_agreement(answers: Matrix, numbers: bool) -> JudgesAgreement | None:
    """Measure how far judges agree; ``None`` of a single one.

    The answers have the shape ``(judges, items)``, NaN where a judge gave none.
    *Numbers* differ by more or less; other answers are equal or not.

    Fleiss' κ is (P - Pₑ) / (1 - Pₑ), with P the pairwise agreement and Pₑ = Σ pⱼ² what
    judges agree in who answer j with probability pⱼ at random.  Krippendorff's α is
    1 - Dₒ / Dₑ: the mean distance of two answers to the same item over that of any two,
    a distance being 0 or 1 or, of numbers, the squared difference.

    Sources: Fleiss (1971), "Measuring nominal scale agreement among many raters";
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability", sections C and D.
    """
    if len(answers) < 2:
        return None
    given = (column[~np.isnan(column)] for column in answers.T)
    shared = [column for column in given if len(column) > 1]
    if not shared:
        return JudgesAgreement(len(answers), 0, *(math.nan,) * 5)
    couples = [math.comb(len(column), 2) for column in shared]
    counted = [_counts(column) for column in shared]
    equal = [
        sum(math.comb(count, 2) for count in counts) / among
        for counts, among in zip(counted, couples, strict=True)
    ]
    kappa = correlation = math.nan
    if numbers:
        correlation = _mean_correlation(answers)
    elif len({len(column) for column in shared}) == 1:
        shares = np.array(_counts(np.concatenate(shared))) / sum(map(len, shared))
        expected = float((shares**2).sum())
        if expected < 1:
            kappa = (float(np.mean(equal)) - expected) / (1 - expected)
    return JudgesAgreement(
        len(answers),
        len(shared),
        float(np.mean([len(counts) == 1 for counts in counted])),
        float(np.average(equal, weights=couples)),
        kappa,
        _alpha(shared, numbers),
        correlation,
    )


def _counts(values: Vector) -> list[int]:
    """How often each value occurs."""
    counts: list[int] = np.unique(values, return_counts=True)[1].tolist()
    return counts


def _alpha(shared: list[Vector], numbers: bool) -> float:
    """Krippendorff's α of items with two answers or more each."""

    def distances(values: Vector) -> float:
        """The sum of the distances of each value from each other one."""
        n = len(values)
        if not numbers:
            return float(n * n - sum(count**2 for count in _counts(values)))
        centred = values - values.mean()
        return float(2 * n * (centred**2).sum())

    every = np.concatenate(shared)
    n = len(every)
    within = math.fsum(distances(c) / (len(c) - 1) for c in shared) / n
    between = distances(every) / (n * (n - 1))
    return 1 - within / between if between > 0 else math.nan


def _mean_correlation(answers: Matrix) -> float:
    """Mean Pearson's r of every two judges on what both scored."""
    both = starmap(complete, combinations(answers, 2))
    found = [pearson(x, y).value for x, y in both]
    known = [r for r in found if not math.isnan(r)]
    return float(np.mean(known)) if known else math.nan
