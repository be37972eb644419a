"""Judgements of people about pairs of graphs, and the agreement of judges.

A file holds one judge's answers, scores or preferences, in the forms that
docs/trust/people.md describes (:mod:`~exactmatch.studies.correlate.judgement_files`).
The scores of several judges are averaged, and of preferences the majority counts (Song
and Gildea 2019, section 3).
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, starmap
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError, shortened
from exactmatch.base.numbers import several
from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.rows import mean_scorer
from exactmatch.scoring.sources import as_list, is_missing, paths_of
from exactmatch.studies.correlate.judgement_files import CHOICES, judged_in
from exactmatch.studies.correlate.measures import complete, pearson

Answers: TypeAlias = (
    "Iterable[float | None] | Mapping[str, float | None] | "
    "Mapping[str, Iterable[float | None] | Mapping[str, float | None]] | "
    "os.PathLike[str] | Sequence[os.PathLike[str]] | Judgement"
)
"""What a judge answered, in the pairs' order or by their ids; or several judges, by
name; or files of answers."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """The judgements of several people of the same items."""

    answers: Matrix  # a row for each of them; NaN where nothing was judged
    prefers: bool  # whether of every two pairs of graphs, or the similarity of each
    path: str | None = None  # the first file, if there are any
    ids: tuple[str, ...] | None = None  # of the pairs; None where they are by position

    def of_pairs(self, known: Mapping[int, str | None]) -> Judgement:
        """Return the judgement with an item for every pair, in the pairs' order.

        A preference is about two pairs, and is known by the id of the first.

        Args:
            known: the id of every pair by its number; those below 0 are of graphs
                that no pair was made of.

        Raises:
            InputError: if a judgement names no pair, or pairs have the same id.
        """
        if self.ids is None:
            return self
        step = 2 if self.prefers else 1
        items = (1 + max(known, default=-1)) // step
        places: dict[str, int] = {}
        for item in range(items):
            name = known.get(item * step)
            if name in places:
                raise self._error(f"several pairs have the id {name!r}")
            if name is not None:
                places[name] = item
        left_out = {name for number, name in known.items() if number < 0}
        answers = np.full((len(self.answers), items), np.nan)
        for name, column in zip(self.ids, self.answers.T, strict=True):
            if name in places:
                answers[:, places[name]] = column
            elif name not in left_out:
                few = "no pair has an '# ::id'; leave out the column of ids to judge "
                few += "by position"
                raise self._error(
                    f"no pair has the id {name!r}{'' if places else '; ' + few}"
                )
        return Judgement(answers, self.prefers, self.path)

    def _error(self, reason: str) -> InputError:
        return InputError(f"{'' if self.path is None else self.path + ': '}{reason}")

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
    """Read files of scores or of preferences, one or more judges in each.

    The lines themselves tell which of the two they are, and whether they have ids.

    Raises:
        InputError: if one cannot be read, a line is neither, or the files are not
            about the same pairs; the message names file and line.
    """
    read = [one for path in paths for one in judged_in(path)]
    first = read[0]
    for one in read:
        if one.prefers != first.prefers:
            raise InputError(
                f"{one.path}: holds {_what(one.prefers)} but {first.path} "
                f"{_what(first.prefers)}; judges must answer the same question"
            )
        if (one.ids is None) != (first.ids is None):
            with_ids, without = (one, first) if one.ids else (first, one)
            raise InputError(
                f"{with_ids.path}: has ids and {without.path} has none; give them in "
                "all files, or in none"
            )
        if one.ids is None and len(one.values) != len(first.values):
            raise InputError(
                f"{one.path}: judges {several(len(one.values), 'pair')} but "
                f"{first.path} {len(first.values)}; write - where nothing was judged"
            )
    if first.ids is None:
        return Judgement(np.array([r.values for r in read]), first.prefers, first.path)
    by_id = [dict(zip(one.ids or (), one.values, strict=True)) for one in read]
    return judgement_by_id(by_id, first.prefers, first.path)


def judgement_by_id(
    judges: Sequence[Mapping[str, float]], prefers: bool, path: str | None = None
) -> Judgement:
    """Return what judges answered of items that have ids."""
    ids = tuple(dict.fromkeys(name for own in judges for name in own))
    answers = [[own.get(name, math.nan) for name in ids] for own in judges]
    return Judgement(np.array(answers), prefers, path, ids)


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
    judges: Any = [human]
    if isinstance(human, Mapping):
        judges = [*human.values()]
        if judges and all(one is None or isinstance(one, Real) for one in judges):
            judges = [human]  # scores by the ids of pairs
    if judges and all(isinstance(judge, Mapping) and judge for judge in judges):
        by_id = [
            {str(name): _answer(said, prefers) for name, said in judge.items()}
            for judge in judges
        ]
        return judgement_by_id(by_id, prefers)
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
        raise InputError(f"{shown} is not a judgement; give a number, or None for none")
    if prefers and number not in CHOICES:
        raise InputError(f"the preference is {said:g}; it must be 1, 0 or 0.5")
    return number


def _what(prefers: bool) -> str:
    return "preferences" if prefers else "scores"


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
