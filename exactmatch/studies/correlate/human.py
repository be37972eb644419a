"""People's judgements of pairs of graphs, and the agreement of judges.

A file holds judges' scores or preferences in the forms that docs/trust/people.md
describes (:mod:`~exactmatch.studies.correlate.judgement_files`).  The mean of several
judges' scores counts, and the majority of their preferences (Song and Gildea 2019,
section 3).
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
"""A judge's answers, in the order of the pairs or by their ids; or several judges by
name; or files."""


@dataclass(frozen=True, slots=True, eq=False)
class Judgement:
    """Several people's judgements of the same items."""

    answers: Matrix  # a row for each judge; NaN where nothing was judged
    prefers: bool  # preferences between every two pairs of graphs, or scores of each
    path: str | None = None  # the first file, if there are any
    ids: tuple[str, ...] | None = None  # of the pairs; None where they are by position

    def of_pairs(self, system_of_pair: Mapping[int, str | None]) -> Judgement:
        """Return the judgement with an item for every pair, in the pairs' order.

        A preference is about two pairs; its id is that of the first.

        Args:
            system_of_pair: the id of every pair by its number; numbers below 0 are
                graphs that are in no pair.

        Raises:
            InputError: if a judgement names no pair, or pairs have the same id.
        """
        if self.ids is None:
            return self
        step = 2 if self.prefers else 1
        items = (1 + max(system_of_pair, default=-1)) // step
        places: dict[str, int] = {}
        for item in range(items):
            name = system_of_pair.get(item * step)
            if name in places:
                raise self._error(f"several pairs have the id {name!r}")
            if name is not None:
                places[name] = item
        left_out = {name for number, name in system_of_pair.items() if number < 0}
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
        """Return the message for a wrong number of pairs of graphs."""
        kinds = ("score", "each pair"), ("preference", "every two pairs")
        needed, each = kinds[self.prefers]
        where, missing_value = (
            ("", "None") if self.path is None else (f"{self.path}: ", "-")
        )
        return (
            f"{where}{several(self.answers.shape[1], needed)} but "
            f"{several(pairs, 'pair')} of graphs; give one for {each}, {missing_value} "
            "where nobody judged"
        )


def mean(answers: Matrix) -> Vector:
    """Return the mean score of each item; NaN where nobody judged."""
    known = np.nansum(answers, axis=0), (~np.isnan(answers)).sum(axis=0)
    means: Vector = mean_scorer(np.column_stack(known))[:, 0]
    return means


def majority(answers: Matrix) -> Vector:
    """Return the answer of more than half of the judges of each item: 1, 0 or 0.5.

    Without a majority it is 0.5; where nobody judged it is NaN.
    """
    judges = (~np.isnan(answers)).sum(axis=0)
    choices = np.where(judges > 0, 0.5, np.nan)
    for choice in (0.0, 1.0):
        choices[2 * (answers == choice).sum(axis=0) > judges] = choice
    return choices


def standardised(answers: Matrix) -> Matrix:
    """Return each judge's scores minus their mean, divided by their standard deviation.

    Then a judge who is strict or uses only a part of the scale has the same weight as
    others.  The scores of a judge who always gives the same become 0.

    Source: Graham, Baldwin, Moffat and Zobel (2013), "Continuous measurement
    scales in human evaluation of machine translation", section 4.
    """
    result = np.full_like(answers, np.nan)
    for row, scores in zip(result, answers, strict=True):
        is_judged = ~np.isnan(scores)
        if is_judged.any():
            centred = scores[is_judged] - scores[is_judged].mean()
            spread = float(np.sqrt((centred**2).mean()))
            row[is_judged] = centred / spread if spread > 0 else 0.0
    return result


def read_judgement(*paths: str) -> Judgement:
    """Read files of scores or preferences, with one or more judges each.

    The lines show which of the two they are, and whether they have ids.

    Raises:
        InputError: if a file cannot be read, a line is neither, or the files are not
            about the same pairs; the message names file and line.
    """
    judges = [judged for path in paths for judged in judged_in(path)]
    first = judges[0]
    for judged in judges:
        if judged.prefers != first.prefers:
            raise InputError(
                f"{judged.path}: holds {_what(judged.prefers)} but {first.path} "
                f"{_what(first.prefers)}; judges must answer the same question"
            )
        if (judged.ids is None) != (first.ids is None):
            with_ids, without = (judged, first) if judged.ids else (first, judged)
            raise InputError(
                f"{with_ids.path}: has ids and {without.path} has none; give them in "
                "all files, or in none"
            )
        if judged.ids is None and len(judged.values) != len(first.values):
            raise InputError(
                f"{judged.path}: judges {several(len(judged.values), 'pair')} but "
                f"{first.path} {len(first.values)}; write - where nothing was judged"
            )
    if first.ids is None:
        return Judgement(
            np.array([r.values for r in judges]), first.prefers, first.path
        )
    by_id = [
        dict(zip(judged.ids or (), judged.values, strict=True)) for judged in judges
    ]
    return judgement_by_id(by_id, first.prefers, first.path)


def judgement_by_id(
    judges: Sequence[Mapping[str, float]], prefers: bool, path: str | None = None
) -> Judgement:
    """Return the judgement of items that have ids."""
    ids = tuple(
        dict.fromkeys(name for answers_of_judge in judges for name in answers_of_judge)
    )
    answers = [
        [answers_of_judge.get(name, math.nan) for name in ids]
        for answers_of_judge in judges
    ]
    return Judgement(np.array(answers), prefers, path, ids)


def judgement_of(human: Answers, prefers: bool) -> Judgement:
    """Return people's scores of pairs, or preferences, in files or in memory."""
    if paths := paths_of(human):
        human = read_judgement(*paths)
    if isinstance(human, Judgement):
        if human.prefers != prefers:
            raise InputError(
                f"{human.path}: holds {_what(human.prefers)}, not {_what(prefers)}"
            )
        return human
    judges: Any = [human]
    if isinstance(human, Mapping):
        judges = [*human.values()]
        if judges and all(
            answer is None or isinstance(answer, Real) for answer in judges
        ):
            judges = [human]  # scores by the ids of pairs
    if judges and all(isinstance(judge, Mapping) and judge for judge in judges):
        by_id = [
            {str(name): _answer(answer, prefers) for name, answer in judge.items()}
            for judge in judges
        ]
        return judgement_by_id(by_id, prefers)
    answers = [
        [_answer(answer, prefers) for answer in as_list(judge)] for judge in judges
    ]
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


def _answer(answer: Any, prefers: bool) -> float:
    """Return an answer as a number; NaN if it is missing."""
    if is_missing(answer):
        return math.nan
    try:
        number = float(answer) if isinstance(answer, Real) else math.nan
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        shown = shortened(repr(answer), 90)
        raise InputError(f"{shown} is not a judgement; give a number, or None for none")
    if prefers and number not in CHOICES:
        raise InputError(f"the preference is {answer:g}; it must be 1, 0 or 0.5")
    return number


def _what(prefers: bool) -> str:
    return "preferences" if prefers else "scores"


@dataclass(frozen=True, slots=True)
class JudgesAgreement:
    """Agreement of judges; NaN where a number is not defined."""

    judges: int
    items: int  # judged by at least two
    unanimous: float  # share of these with equal answers by all
    pairwise: float  # share of equal answers among every two to one item
    kappa: float  # Fleiss' κ, where all items have equally many answers
    alpha: float  # Krippendorff's α, where not all answers are the same
    correlation: float  # mean Pearson's r of every two judges, for scores


def judges_agreement(answers: Matrix, numbers: bool) -> JudgesAgreement | None:
    """Measure how far judges agree; ``None`` for a single judge.

    The answers have the shape ``(judges, items)``; NaN where a judge gave none.
    *numbers* says that they are numbers and differ by more or less; else they are
    equal or not.

    Fleiss' κ is (P - Pₑ) / (1 - Pₑ), with P the pairwise agreement and Pₑ = Σ pⱼ² the
    agreement of judges who answer j at random with probability pⱼ.  Krippendorff's α is
    1 - Dₒ / Dₑ: the mean distance of two answers to one item, divided by that of any
    two.  A distance is 0 or 1 or, for numbers, the squared difference.

    Sources: Fleiss (1971), "Measuring nominal scale agreement among many raters";
    Krippendorff (2011), "Computing Krippendorff's alpha-reliability", sections C and D.
    """
    if len(answers) < 2:
        return None
    answered = (column[~np.isnan(column)] for column in answers.T)
    shared = [column for column in answered if len(column) > 1]
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
    """Return how often each value occurs."""
    counts: list[int] = np.unique(values, return_counts=True)[1].tolist()
    return counts


def _alpha(shared: list[Vector], numbers: bool) -> float:
    """Return Krippendorff's α of items with two or more answers each."""

    def distances(values: Vector) -> float:
        """Return the sum of the distances of each value from each other."""
        n = len(values)
        if not numbers:
            return float(n * n - sum(count**2 for count in _counts(values)))
        centred = values - values.mean()
        return float(2 * n * (centred**2).sum())

    all_values = np.concatenate(shared)
    n = len(all_values)
    within = math.fsum(distances(c) / (len(c) - 1) for c in shared) / n
    between = distances(all_values) / (n * (n - 1))
    return 1 - within / between if between > 0 else math.nan


def _mean_correlation(answers: Matrix) -> float:
    """Return the mean Pearson's r of every two judges on the items that both scored."""
    complete_answers = starmap(complete, combinations(answers, 2))
    correlations = [pearson(x, y).value for x, y in complete_answers]
    defined_correlations = [r for r in correlations if not math.isnan(r)]
    return float(np.mean(defined_correlations)) if defined_correlations else math.nan
