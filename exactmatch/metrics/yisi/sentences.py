"""The scorer of a document: YiSi-0, YiSi-1 and YiSi-2, with and without frames.

    P = β srl_p + (1 - β) s_p(sentence),    R = β srl_r + (1 - β) s_r(sentence)
    YiSi = P R / (α P + (1 - α) R)

``s_p`` and ``s_r`` are the phrasal, ``srl_p`` and ``srl_r`` the structural precision
and recall.  The variants differ in how words are compared and where their
weights come from:

* *YiSi-0*: longest common substring; idf from the references;
* *YiSi-1*: cosine of word vectors; idf from the references;
* *YiSi-2*: no reference: the hypothesis against its input in another language;
  cosine of vectors of both; each side's idf from its own text.

The score of a document is the mean of its sentences' scores.

Source: Lo (2019), "YiSi - a Unified Semantic MT Quality Evaluation and Estimation
Metric for Languages with Different Levels of Available Resources", §2.  Where
NRC's program does something else, ``official`` follows the program and ``paper``
the paper; ``docs/metrics/yisi.md`` lists the differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from exactmatch.base.errors import InputError
from exactmatch.metrics.yisi.conll import ROLE_TYPES, Sentence
from exactmatch.metrics.yisi.frames import (
    Compare,
    Filler,
    FrameWeights,
    Likeness,
    Rules,
    estimated_role_weights,
    structural_similarity,
)
from exactmatch.metrics.yisi.words import (
    OFFICIAL_FLOOR,
    CosineSimilarity,
    Idf,
    Similarity,
    SubstringSimilarity,
    VectorTable,
    Weight,
    exact_similarity,
    phrasal_share,
    phrasal_similarity,
    similarity_table,
    uniform_weight,
)

Edition: TypeAlias = Literal["official", "paper"]
WordSimilarity: TypeAlias = Literal["lcs", "exact", "vectors"]

ALPHA = 0.7
"""Weight of precision in the F-score's denominator, as in evaluation (§2.1)."""

BETA = 0.1
"""Share of the frames in precision and recall, where there are any (§2.1)."""

NGRAM = 3
"""n-gram length of the configurations that NRC's program comes with."""


@dataclass(frozen=True, slots=True)
class YisiScore:
    """YiSi of one sentence.

    Attributes:
        score: the F-score of precision and recall.
        precision, recall: phrasal and structural ones, mixed by β.
        phrasal_precision, phrasal_recall: of the whole sentence.
        structural_precision, structural_recall: of its frames.
    """

    score: float
    precision: float
    recall: float
    phrasal_precision: float
    phrasal_recall: float
    structural_precision: float
    structural_recall: float


class Weights(NamedTuple):
    """Lexical weights of the hypothesis and of the other side."""

    own: Weight
    other: Weight


def f_score(precision: float, recall: float, alpha: float) -> float:
    """``P R / (α P + (1 - α) R)``; 0 if either is 0.

    With α = 0.5 it is F1; a larger α gives recall more say.
    """
    if precision <= 0 or recall <= 0:
        return 0.0
    return precision * recall / (alpha * precision + (1 - alpha) * recall)


@dataclass(frozen=True, slots=True)
class YisiScorer:
    """The scorer of one document.

    Attributes:
        similarity: of a word of the hypothesis and one of the other side.
        weights: lexical weights of the two sides.
        ngram: length of n-grams.
        alpha, beta: as in the formulas above.
        role_weights: weight of each role type, or ``"lexical"``: a phrase weighs
            what its words weigh.
        frame_weights: ``coverage`` or ``uniform``.
        edition: the official program's way or the paper's.
    """

    similarity: Similarity
    weights: Weights
    ngram: int = NGRAM
    alpha: float = ALPHA
    beta: float = 0.0
    role_weights: Mapping[str, float] | Literal["lexical"] = "lexical"
    frame_weights: FrameWeights = "coverage"
    edition: Edition = "official"

    def score(self, hypothesis: Sentence, *others: Sentence) -> YisiScore:
        """Score a sentence against a reference, several, or its input.

        Of several references each component takes the one that serves it best.
        """
        own, words = hypothesis.frames, hypothesis.tokens
        phrasal_p, phrasal_r = self._phrasal(words, [o.tokens for o in others])
        structural_p = structural_r = 0.0
        beta = self.beta
        if beta > 0:
            structural_p = structural_similarity(
                own,
                [other.frames for other in others],
                self._compare(of_hypothesis=True),
                self._rules(of_hypothesis=True),
            )
            compare = self._compare(of_hypothesis=False)
            rules = self._rules(of_hypothesis=False)
            structural_r = max(
                structural_similarity(other.frames, [own], compare, rules)
                for other in others
            )
            if self.edition == "paper" and not (own or all(o.frames for o in others)):
                beta = 0.0
        precision = beta * structural_p + (1 - beta) * phrasal_p
        recall = beta * structural_r + (1 - beta) * phrasal_r
        return YisiScore(
            f_score(precision, recall, self.alpha),
            precision,
            recall,
            phrasal_p,
            phrasal_r,
            structural_p,
            structural_r,
        )

    def _phrasal(
        self, words: Sequence[str], others: Sequence[Sequence[str]]
    ) -> tuple[float, float]:
        precisions, recalls = [], []
        own = list(map(self.weights.own, words))
        for tokens in others:
            alike = similarity_table(self.similarity, words, tokens)
            precisions.append(phrasal_share(own, alike, self.ngram))
            other = list(map(self.weights.other, tokens))
            recalls.append(phrasal_share(other, alike.T, self.ngram))
        return max(precisions), max(recalls)

    def _share(self, *, of_hypothesis: bool) -> Callable[[Filler, Filler], float]:
        """The share of a phrase that is found, of the hypothesis or the other side."""
        weights, similarity = self.weights, self.similarity
        weight = weights.own if of_hypothesis else weights.other

        def alike(word: str, sought: str) -> float:
            return similarity(sought, word)

        compare = similarity if of_hypothesis else alike
        return lambda own, other: phrasal_similarity(
            own.units, other.units, weight, compare, self.ngram
        )

    def _compare(self, *, of_hypothesis: bool) -> Compare:
        """How phrases are compared for structural precision, or else recall."""
        share = self._share(of_hypothesis=of_hypothesis)
        reverse = self._share(of_hypothesis=not of_hypothesis)

        def official(own: Sequence[Filler], others: Sequence[Filler]) -> Likeness:
            values = [[share(a, b) for b in others] for a in own]
            value = np.array(values, dtype=np.float64).reshape(len(own), len(others))
            return Likeness(value, value)

        def paper(own: Sequence[Filler], others: Sequence[Filler]) -> Likeness:
            value = official(own, others).value
            back = [[reverse(b, a) for b in others] for a in own]
            return Likeness((value + np.array(back).reshape(value.shape)) / 2, value)

        return official if self.edition == "official" else paper

    def _rules(self, *, of_hypothesis: bool) -> Rules:
        """The official program overlooks role types for recall."""
        official = self.edition == "official"
        return Rules(
            role_weight=self._role_weight(
                self.weights.own if of_hypothesis else self.weights.other
            ),
            frame_weights=self.frame_weights,
            count_overlap=official,
            same_role="no" if official and not of_hypothesis else "after",
            align_unlike=official,
        )

    def _role_weight(self, weight: Weight) -> Callable[[Filler], float]:
        weights = self.role_weights
        if weights == "lexical":
            return lambda filler: sum(map(weight, filler.units))
        return lambda filler: weights.get(filler.role, 0.0)


def document_role_weights(
    kind: str, sentences: Sequence[Sentence], edition: Edition
) -> Mapping[str, float] | Literal["lexical"]:
    """The weights of the role types, by the name of where they come from.

    Args:
        kind: ``estimated`` from *sentences*, ``uniform`` or ``lexical``.
        sentences: the references, or for YiSi-2 the input.
        edition: the official program starts each count at 1, the paper at 0.
    """
    if kind == "lexical":
        return "lexical"
    if kind == "uniform":
        return dict.fromkeys(ROLE_TYPES, 1.0)
    frames = [frame for sentence in sentences for frame in sentence.frames]
    start = 1.0 if edition == "official" else 0.0
    return estimated_role_weights(frames, ROLE_TYPES, start)


def document_weights(
    kind: str | Idf,
    hypotheses: Sequence[Sequence[str]],
    others: Sequence[Sequence[str]],
) -> Weights:
    """The lexical weights of both sides, by the name of where they come from.

    Args:
        kind: ``reference``: idf of both sides from *others*; ``own``: of each side
            from itself; ``uniform``; or counts that were read from a file.
        hypotheses: the words of the hypotheses, a sentence a document.
        others: those of the references, or for YiSi-2 of the input.
    """
    if isinstance(kind, Idf):
        return Weights(kind, kind)
    if kind == "uniform":
        return Weights(uniform_weight, uniform_weight)
    other = Idf.of(others)
    return Weights(Idf.of(hypotheses) if kind == "own" else other, other)


def word_similarity(
    kind: WordSimilarity, edition: Edition, *vectors: VectorTable
) -> Similarity:
    """The lexical similarity by name.

    Args:
        kind: ``lcs``, ``exact`` or ``vectors``.
        edition: the official program compares bytes, and gives two different
            words 1e-5 under ``exact``.
        vectors: those of the hypothesis's language, and of the input's for YiSi-2.
    """
    if kind == "lcs":
        return SubstringSimilarity(in_bytes=edition == "official")
    if kind == "exact":
        return exact_similarity(OFFICIAL_FLOOR if edition == "official" else 0.0)
    return CosineSimilarity(*vectors)


def check_share(name: str, value: float) -> float:
    """Refuse an α or β outside 0 to 1."""
    if not 0 <= value <= 1:
        raise InputError(f"--{name} is {value:g}; it must be from 0 to 1")
    return value


def check_ngram(value: int, edition: Edition) -> int:
    """Refuse an n-gram length that has no meaning.

    The official program takes 0, its own default, and then scores nothing but 0.
    """
    if value < (0 if edition == "official" else 1):
        raise InputError(f"--ngram is {value}; n-grams have at least one word")
    return value
