"""Consensus: the candidate for a sentence that agrees best with all candidates.

The *expected score* of a candidate is the mean of its scores with all candidates (its
own with itself included), each weighted as its system is: the score that it would have
on average if one of the candidates, drawn by weight, were right.  The candidate with
the highest one minimises the Bayes risk under the metric (Kumar and Byrne 2004); it is
the weighted medoid.

Source: Kumar and Byrne (2004), "Minimum Bayes-risk decoding for statistical machine
translation".  Hoang et al. (2021), "Ensembling graph predictions for AMR parsing",
choose among parses so, with hill-climbed Smatch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Executor
from contextlib import nullcontext
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from exactmatch.base.errors import (
    GraphError,
    InputError,
    ItemError,
    callers_not_warned,
    is_caller_warned,
)
from exactmatch.base.numbers import several
from exactmatch.formats.anything import GraphLike
from exactmatch.many.arguments import one_metric, refuse_text, workers_of
from exactmatch.many.blocks import (
    Block,
    PackedSides,
    PreparedSides,
    Sides,
    in_order,
    sides_of,
)
from exactmatch.many.packed import Floats, PackedScorer
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reading import read_items

_ROUNDING = 1e-9
"""No rounding of an expected score is as large; what is closer is not pruned."""

_TASK = 32
"""Sentences in a task for another process."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The candidate that was chosen for a sentence.

    Attributes:
        index: its number among the candidates; of equally good ones the first.
        expected: each candidate's expected score; NaN for one that a bound proved to
            be worse before all its scores were known.
        oracle: the candidate with the best score against the reference, if there is
            one.
        gold: each candidate's score against the reference, if there is one.

    >>> import exactmatch
    >>> parses = ["(b / bark-01)", "(b / bark-01)", "(d / dog)"]
    >>> (choice,) = exactmatch.ensemble([parses])
    >>> parses[choice.index]
    '(b / bark-01)'
    """

    index: int
    expected: tuple[float, ...]
    oracle: int | None = None
    gold: tuple[float, ...] | None = None

    @property
    def score(self) -> float:
        """The expected score of the chosen candidate."""
        return self.expected[self.index]


def ensemble(
    candidates: Iterable[Sequence[GraphLike]],
    metric: str | Metric = "smatch",
    *,
    weights: Sequence[float] | Iterable[Sequence[float]] | None = None,
    golds: Iterable[GraphLike] | None = None,
    prune: bool = False,
    workers: int = 1,
    executor: Executor | None = None,
    **options: Any,
) -> list[Choice]:
    """Choose for each sentence the candidate with the highest expected score.

    A metric that learns from references learns, for the expected scores of a sentence,
    from its candidates; for the scores against *golds*, from all of these.

    Args:
        candidates: for each sentence its candidates: whatever :func:`evaluate` takes.
            Sentences may have different numbers of them.
        metric: the metric, by name or made by :func:`make_metric`.
        weights: one of each system, the same for every sentence, or for each sentence
            one of each candidate; zero or more, not all zero.  Default: all equal.
        golds: the reference of each sentence; the result then also tells which
            candidate would have been best (the oracle).
        prune: skip a candidate once a bound proves its expected score to be below the
            best; its expected score is then NaN.
        workers: how many processes; -1 for one per core.
        executor: an executor that is used instead, see :func:`cdist`.
        **options: profile, solver and the metric's own, as :func:`make_metric` takes
            them.

    Returns:
        For each sentence the chosen index and every candidate's expected score.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if a sentence has no candidate, weights make no sense, or there is
            not one reference for each sentence.

    Example:
        >>> import exactmatch
        >>> bark, cat = "(b / bark-01 :ARG0 (d / dog))", "(c / cat)"
        >>> [choice] = exactmatch.ensemble([[cat, bark, bark]])
        >>> choice.index, [round(score, 2) for score in choice.expected]
        (1, [0.56, 0.78, 0.78])
    """
    made = one_metric(metric, options)
    refuse_text(candidates)
    sentences = []
    for sentence in candidates:
        refuse_text(sentence)
        sentences.append(list(sentence))
    references: list[Any] | None = None
    if golds is not None:
        refuse_text(golds)
        references = list(golds)
        if len(references) != len(sentences):
            raise InputError(
                f"{several(len(sentences), 'sentence')} but "
                f"{several(len(references), 'reference')}"
            )
    shares = list(_shares(sentences, weights))
    learned = None
    if references is not None and made.learns and not made.fitted:
        learned = made.copy()
        references = [
            made.prepare(gold) for gold in read_items(made, references, "reference")
        ]
        learned.fit(references)
    items = [
        _Sentence(number, *one)
        for number, one in enumerate(
            zip(sentences, shares, references or [None] * len(sentences), strict=True)
        )
    ]
    task = _Choose(made, prune, references is not None, learned, is_caller_warned())
    if workers_of(workers) == 1 and executor is None:
        return task(items)
    parts = (items[i : i + _TASK] for i in range(0, len(items), _TASK))
    found = in_order(task, parts, workers_of(workers), executor)
    return [choice for part in found for choice in part]


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence.

    Attributes:
        number: its place, from 0.
        candidates: what it may be.
        shares: their weights, which add up to 1.
        gold: its reference, prepared if the metric has learned from all references.
    """

    number: int
    candidates: list[Any]
    shares: Floats
    gold: Any


@dataclass(frozen=True, slots=True)
class _Choose:
    """Choose for some sentences; the work of one process or thread.

    Attributes:
        metric: what is measured.
        prune: whether hopeless candidates are not solved.
        has_golds: whether sentences have references.
        learned: the metric that has learned from all references, if it learns any.
        warns: whether the caller is to be warned.
    """

    metric: Metric
    prune: bool
    has_golds: bool
    learned: Metric | None
    warns: bool

    def __call__(self, sentences: list[_Sentence]) -> list[Choice]:
        with nullcontext() if self.warns else callers_not_warned():
            return [self._choose(sentence) for sentence in sentences]

    def _choose(self, sentence: _Sentence) -> Choice:
        """The choice for a sentence, which an error names."""
        try:
            return self._choice(sentence)
        except ItemError as error:
            if error.index == len(sentence.candidates):
                raise ItemError(sentence.number, error.cause, "reference") from None
            what = f"sentence {sentence.number}, candidate"
            raise ItemError(error.index, error.cause, what) from None
        except GraphError:
            raise  # it names file and line
        except InputError as error:
            raise InputError(f"sentence {sentence.number}: {error}") from None

    def _choice(self, sentence: _Sentence) -> Choice:
        n = len(sentence.candidates)
        given = list(sentence.candidates)
        if self.has_golds and self.learned is None:
            given.append(sentence.gold)
        sides = sides_of(self.metric, given, given, -math.inf)
        gold: tuple[float, ...] | None = None
        oracle = None
        if self.has_golds:
            column = self._against_gold(sides, sentence)
            gold = tuple(column.tolist())
            oracle = _best(column)
        if self.prune and isinstance(sides, PackedSides):
            expected = _prune(sides, sentence.shares)
        else:
            matrix = _matrix(sides, n)
            expected = np.array([_expected(row, sentence.shares) for row in matrix])
        return Choice(_best(expected), tuple(expected.tolist()), oracle, gold)

    def _against_gold(self, sides: Sides, sentence: _Sentence) -> Floats:
        n = len(sentence.candidates)
        if self.learned is None:
            return sides.scorer()(Block(0, n, n, n + 1))[:, 0]
        assert isinstance(sides, PreparedSides)
        own = PreparedSides(self.learned, sides.left, [sentence.gold], -math.inf)
        return own.scorer()(Block(0, n, 0, 1))[:, 0]


def _best(scores: Floats) -> int:
    """The first of the highest scores; NaN, which is undefined, only where all are."""
    return int(np.argmax(np.where(np.isnan(scores), -math.inf, scores)))


def _expected(scores: Floats, shares: Floats) -> float:
    """The weighted mean, rounded once, so that the candidates' order is irrelevant."""
    return math.fsum((scores * shares).tolist())


def _prune(sides: PackedSides, shares: Floats) -> Floats:
    """Expected scores; NaN for a candidate whose bound is below the best one.

    Upper bounds on the scores of pairs bound the expected score of each candidate.  The
    candidate with the highest bound is solved next, and every pair that is solved for
    it tightens the bounds of the others.
    """
    n = len(shares)
    scorer = PackedScorer(sides.metric, sides.left, sides.right)
    scores = np.array([[scorer.bound(i, j) for j in range(n)] for i in range(n)])
    known = np.zeros((n, n), dtype=bool)
    expected = np.full(n, np.nan)
    waiting = list(range(n))
    while waiting:
        bounds = [_expected(scores[i], shares) for i in waiting]
        best = int(np.argmax(bounds))
        if bounds[best] + _ROUNDING < np.nanmax(expected, initial=-math.inf):
            break
        i = waiting.pop(best)
        others = np.flatnonzero(~known[i]).astype(np.int32)
        found = scorer.scores(i, others, -math.inf, 0.0)
        scores[i, others] = scores[others, i] = found
        known[i, others] = known[others, i] = True
        expected[i] = _expected(scores[i], shares)
    return expected


def _matrix(sides: Sides, n: int) -> Floats:
    score = sides.scorer()
    if not isinstance(sides, PackedSides):
        return score(Block(0, n, 0, n))
    matrix = np.triu(score(Block(0, n, 0, n, triangle=True)), 1)
    matrix += matrix.T
    for i in range(n):
        matrix[i, i] = score(Block(i, i + 1, i, i + 1))[0, 0]
    return matrix


def _shares(sentences: Sequence[Sequence[Any]], weights: Any) -> Iterator[Floats]:
    """The weights of each sentence's candidates, which add up to 1.

    Raises:
        InputError: if a sentence has no candidate, or a weight makes no sense.
    """
    given = [] if weights is None else _list_of(weights)
    each = bool(given) and not isinstance(given[0], Real)
    if each and len(given) != len(sentences):
        raise InputError(
            f"there are weights for {several(len(given), 'sentence')} but "
            f"{several(len(sentences), 'sentence')}; give weights for each"
        )
    for number, sentence in enumerate(sentences):
        if not sentence:
            raise InputError(f"sentence {number} has no candidate; give it one or more")
        own = [1.0] * len(sentence)
        if weights is not None:
            own = _list_of(given[number]) if each else given
        if len(own) != len(sentence):
            raise InputError(
                f"sentence {number} has {several(len(sentence), 'candidate')} but "
                f"{several(len(own), 'weight')}; give each candidate one"
            )
        if not all(isinstance(weight, Real) for weight in own):
            raise InputError(f"the weights {own} are not all numbers")
        try:
            total = math.fsum(own)
        except OverflowError:
            total = math.inf
        if not (0 < total < math.inf) or min(own) < 0:
            of = f" of sentence {number}" if each else ""
            raise InputError(
                f"the weights {own}{of} must be zero or more, finite, and not all zero"
            )
        yield np.array(own, dtype=np.float64) / total


def _list_of(weights: Any) -> list[Any]:
    """Weights as a list.

    Raises:
        InputError: if they are no list.
    """
    unordered = isinstance(weights, str | bytes | Mapping | Set)
    if unordered or not isinstance(weights, Iterable):
        raise InputError(f"the weights are {weights!r}; give a list of numbers")
    return list(weights)
