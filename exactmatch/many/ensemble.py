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
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.base.files import atomic_output, check_writable
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.base.result_list import ResultList
from exactmatch.formats.blocks import Block as Text
from exactmatch.formats.pairs import different_ids
from exactmatch.many.blocks import (
    Block,
    PackedSides,
    PreparedSides,
    Sides,
    sides_of_items,
)
from exactmatch.many.comparison import for_caller
from exactmatch.many.options import EnsembleOptions
from exactmatch.many.packed import Floats, PackedScorer
from exactmatch.many.scores import ScoreComparison
from exactmatch.metrics.base import Metric
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.sources import as_list, paths_of

_ROUNDING = 1e-9  # larger than any rounding: closer candidates are not pruned
_TASK = 32  # sentences in a task for another process


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


def choices(options: EnsembleOptions, comparison: ScoreComparison) -> list[Choice]:
    """Choose for each sentence the candidate with the highest expected score.

    A metric that learns from references learns from the candidates of each sentence for
    their expected scores, and from all *golds* for the scores against these.

    Returns:
        For each sentence, the chosen index and every candidate's expected score.

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
    sentences, golds = _opened(options, comparison)
    metric = comparison.metric
    if options.graphs is not None:
        path = os.fspath(options.graphs)
        check_writable(path)
        candidates = (candidate for sentence in sentences for candidate in sentence)
        if not all(
            isinstance(candidate, Text) and not candidate.format
            for candidate in candidates
        ):
            raise InputError(
                f"{path}: the chosen graphs are written as they stand in PENMAN files; "
                "name such files of candidates"
            )
    shares = list(_shares(sentences, options.system_weights))
    _warn_of_ids(comparison, sentences, golds)
    learned: Metric | None = None
    references: Iterator[Any] = comparison.read(golds or (), "reference")
    if golds is not None and metric.learns and not metric.fitted:
        learned = metric.copy()
        prepared = list(map(metric.prepare, references))
        learned.fit(prepared)
        references = iter(prepared)

    def read() -> Iterator[list[_Sentence]]:
        part = []
        for number, sentence in enumerate(sentences):
            label = f"sentence {number + 1}, candidate"
            items = list(comparison.read(sentence, label))
            gold = None if golds is None else next(references)
            compared = items if golds is None or learned else [*items, gold]
            comparison.compare(compared, None)
            part.append(_Sentence(number, items, shares[number], gold))
            if len(part) == _TASK:
                yield part
                part = []
        yield part

    task = partial(_chosen, metric, options.prune, learned)
    parts = map_in_order(task, read(), comparison.jobs, comparison.executor)
    choices = ResultList(choice for part in parts for choice in part)
    comparison.finish()
    if options.graphs is not None:
        with atomic_output(os.fspath(options.graphs)) as stream:
            for sentence, choice in zip(sentences, choices, strict=True):
                block = sentence[choice.index]
                end = (
                    "\n\n" if block.known is None else "\n"
                )  # sentences have a line each
                stream.write("\n".join(block.lines).strip("\n") + end)
    return choices


ensemble = function("ensemble", EnsembleOptions, for_caller(choices))


def _opened(
    options: EnsembleOptions, comparison: ScoreComparison
) -> tuple[list[list[Any]], list[Any] | None]:
    """Return the candidates for each sentence, and its reference if there are any."""
    comparison.open()
    if options.on_error == "skip":
        raise InputError(
            "every sentence keeps its candidates; --on-error empty counts one that "
            "cannot be read as an empty graph"
        )
    paths = paths_of(options.candidates)
    names: Sequence[str] = ()
    if paths:
        names, sentences = _of_files(paths, [comparison.blocks(path) for path in paths])
    else:
        sentences = [as_list(sentence) for sentence in as_list(options.candidates)]
    golds = None if options.golds is None else comparison.list(options.golds, 1)
    if golds is not None and len(golds) != len(sentences):
        place = "".join(f"{path}: " for path in paths_of(options.golds))
        raise InputError(
            f"{place}{several(len(sentences), 'sentence')} but "
            f"{several(len(golds), 'reference')}; give one for each"
        )
    comparison.sides, comparison.systems = [sentences], names
    return sentences, golds


def _of_files(
    paths: Sequence[str], files: Sequence[list[Text]]
) -> tuple[list[str], list[list[Any]]]:
    if len(files) == 1:
        sentences = _lists(paths[0], files[0])
        n_candidates = max(map(len, sentences))
        return [f"rank {k + 1}" for k in range(n_candidates)], sentences
    counts = list(map(len, files))
    if len(set(counts)) > 1:
        listed = ", ".join(f"{p}: {n}" for p, n in zip(paths, counts, strict=True))
        raise InputError(
            f"the files hold different numbers of graphs ({listed}); every system has "
            "one graph for each sentence"
        )
    often = Counter(paths)
    names = [
        path if often[path] == 1 else f"{path} ({place})"
        for place, path in enumerate(paths, 1)
    ]
    return names, [list(row) for row in zip(*files, strict=True)]


def _lists(path: str, blocks: Iterable[Text]) -> list[list[Any]]:
    """Return the n-best lists of a file: graphs with one id, or with growing ranks."""
    sentences: list[list[Any]] = []
    ids: set[str] = set()
    last: tuple[str | None, int] = (None, 0)
    for block in blocks:
        text = block.metadata().get("nbest", "")
        # ranks may begin at 0, so 1 is added
        rank = int(text) + 1 if text.isascii() and text.isdigit() else 0
        same = block.id is not None and block.id == last[0]
        if sentences and (same or (block.id is None and 0 < last[1] < rank)):
            sentences[-1].append(block)
        else:
            if block.id in ids:
                raise block.origin().error(
                    f"has the id {block.id!r} of an earlier list; the graphs of one "
                    "n-best list must follow one another"
                )
            sentences.append([block])
        if block.id is not None:
            ids.add(block.id)
        last = (block.id, rank)
    if all(len(sentence) == 1 for sentence in sentences):
        raise InputError(
            f"{path}: no two graphs follow one another with the same '# ::id', nor "
            "with growing '# ::nbest'; name a file of each system, or a file of n-best "
            "lists"
        )
    return sentences


def _warn_of_ids(
    comparison: ScoreComparison, sentences: list[list[Any]], golds: list[Any] | None
) -> None:
    """Warn of graphs at one position of several files whose ids differ."""
    for place, sentence in enumerate(sentences):
        group = [*sentence, *([] if golds is None else [golds[place]])]
        of_files = all(isinstance(candidate, Text) for candidate in group)
        if of_files and len({block.id for block in group} - {None}) > 1:
            comparison.reporter.warn("ids", different_ids(place + 1, group))


class _Sentence(NamedTuple):
    """A sentence; its reference is prepared if the metric learned from references."""

    number: int
    items: list[Any]
    shares: Floats
    gold: Any


def _chosen(
    metric: Metric, prune: bool, learned: Metric | None, sentences: list[_Sentence]
) -> list[Choice]:
    """Choose for some sentences, in one process or thread."""
    chosen_ones = []
    for sentence in sentences:
        try:
            chosen_ones.append(_choice(metric, prune, learned, sentence))
        except InputError as error:
            raise InputError(f"sentence {sentence.number + 1}: {error}") from None
    return chosen_ones


def _choice(
    metric: Metric, prune: bool, learned: Metric | None, sentence: _Sentence
) -> Choice:
    n, items = len(sentence.items), sentence.items
    with_gold = sentence.gold is not None and learned is None
    sides = sides_of_items(
        metric, [*items, sentence.gold] if with_gold else items, None, -math.inf
    )
    gold: Floats | None = None
    if with_gold:
        gold = sides.scorer()(Block(0, n, n, n + 1))[:, 0]
    elif learned is not None:
        prepared_sides = PreparedSides(learned, sides.left, [sentence.gold], -math.inf)
        gold = prepared_sides.scorer()(Block(0, n, 0, 1))[:, 0]
    if prune and isinstance(sides, PackedSides):
        expected = _prune(sides, sentence.shares)
    else:
        matrix = _matrix(sides, n)
        expected = np.array([_expected(row, sentence.shares) for row in matrix])
    index, scores = _best(expected), tuple(expected.tolist())
    if gold is None:
        return Choice(index, scores)
    return Choice(index, scores, _best(gold), tuple(gold.tolist()))


def _best(scores: Floats) -> int:
    """Return the first of the highest scores; an undefined one only if all are."""
    return int(np.argmax(np.where(np.isnan(scores), -math.inf, scores)))


def _expected(scores: Floats, shares: Floats) -> float:
    """Return the weighted mean, rounded once, so that the order is irrelevant."""
    return math.fsum((scores * shares).tolist())


def _prune(sides: PackedSides, shares: Floats) -> Floats:
    """Return expected scores; NaN for a candidate whose bound is below the best one.

    Upper bounds on the scores of pairs bound the expected score of each candidate.  The
    candidate with the highest bound is solved next, and every pair that is solved for
    it tightens the bounds of the others.
    """
    n = len(shares)
    scorer = PackedScorer(sides.metric, sides.left, sides.right)
    scores = np.array([[scorer.bound(i, j) for j in range(n)] for i in range(n)])
    is_scored = np.zeros((n, n), dtype=bool)
    expected = np.full(n, np.nan)
    open_candidates = list(range(n))
    while open_candidates:
        bounds = [_expected(scores[i], shares) for i in open_candidates]
        best = int(np.argmax(bounds))
        if bounds[best] + _ROUNDING < np.nanmax(expected, initial=-math.inf):
            break
        i = open_candidates.pop(best)
        unscored = np.flatnonzero(~is_scored[i]).astype(np.int32)
        row_scores = scorer.scores(i, unscored, -math.inf, 0.0)
        scores[i, unscored] = scores[unscored, i] = row_scores
        is_scored[i, unscored] = is_scored[unscored, i] = True
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
    """Yield the weights of each sentence's candidates, which add up to 1."""
    try:
        if isinstance(weights, str):
            weights = list(map(float, weights.split(",")))
    except ValueError:
        reason = "these are not numbers with commas between them"
        raise InputError(f"the weights {weights}: {reason}") from None
    lists = [] if weights is None else _list_of(weights)
    n_candidates = max(map(len, sentences), default=0)
    each = bool(lists) and not isinstance(lists[0], Real)
    if each and len(lists) != len(sentences):
        raise InputError(
            f"there are weights for {several(len(lists), 'sentence')} but "
            f"{several(len(sentences), 'sentence')}; give weights for each"
        )
    for number, sentence in enumerate(sentences):
        n = len(sentence)
        if not n:
            who = f"sentence {number + 1}"
            raise InputError(f"{who} has no candidate; give it one or more")
        weights_of_sentence = [1.0] * n if weights is None else lists
        if each:
            weights_of_sentence = _list_of(lists[number])
        elif len(lists) == n_candidates:
            weights_of_sentence = lists[:n]
        if len(weights_of_sentence) != n:
            raise InputError(
                f"sentence {number + 1} has {several(n, 'candidate')} but "
                f"{several(len(weights_of_sentence), 'weight')}; "
                "give each candidate one"
            )
        fine = all(
            isinstance(w, Real) and 0 <= float(w) < math.inf
            for w in weights_of_sentence
        )
        if not fine or not 0 < (total := _total(weights_of_sentence)) < math.inf:
            of = f" of sentence {number + 1}" if each else ""
            raise InputError(
                f"the weights {weights_of_sentence}{of} must be numbers, zero or "
                "more, with a finite sum above zero"
            )
        yield np.array(weights_of_sentence, dtype=np.float64) / total


def _total(weights: Iterable[Any]) -> float:
    """Return the sum of weights, infinity where it is too large for a float."""
    try:
        return math.fsum(weights)
    except OverflowError:
        return math.inf


def _list_of(weights: Any) -> list[Any]:
    unordered = isinstance(weights, str | bytes | Mapping | Set)
    if unordered or not isinstance(weights, Iterable):
        raise InputError(f"the weights are {weights!r}; give a list of numbers")
    return list(weights)
