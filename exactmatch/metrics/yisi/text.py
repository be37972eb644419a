"""YiSi on sentences as a metric, and what it shares with YiSi on graphs.

    P = β srl_p + (1 - β) s_p(sentence),    R = β srl_r + (1 - β) s_r(sentence)
    YiSi = P R / (α P + (1 - α) R)

``s_p`` and ``s_r`` are the phrasal (:mod:`exactmatch.metrics.yisi.words`), ``srl_p``
and ``srl_r`` the structural precision and recall
(:mod:`exactmatch.metrics.yisi.frames`).

Source: Lo (2019), "YiSi - a Unified Semantic MT Quality Evaluation and Estimation
Metric for Languages with Different Levels of Available Resources", §2.  Where
NRC's program does something else, ``official`` follows the program and ``paper``
the paper; ``docs/metrics/yisi-formulas.md`` lists the differences.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast, get_args

import numpy as np

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.options import Options, option, optional
from exactmatch.metrics.base import VECTORS, Statistics, TextMetric
from exactmatch.metrics.counts import MeanMetric
from exactmatch.metrics.similarity.strings import lcs_similarities
from exactmatch.metrics.similarity.vectors import Matrix, VectorFile
from exactmatch.metrics.yisi.frames import (
    Compare,
    Filler,
    Frame,
    FrameWeights,
    Rules,
    Sentence,
    structural_similarity,
    tokens_of,
)
from exactmatch.metrics.yisi.words import (
    OFFICIAL_FLOOR,
    CosineSimilarity,
    Idf,
    Similarity,
    Weight,
    byte_similarity,
    exact_similarity,
    in_turn,
    phrasal_share,
    uniform_weight,
    words_to_load,
)

if TYPE_CHECKING:
    from typing_extensions import Self

Edition: TypeAlias = Literal["official", "paper"]
WordSimilarity: TypeAlias = Literal["lcs", "exact", "vectors"]

_SNT = re.compile("::snt(.*)")  # the sentence of a graph, among its comments

SIMILARITY: Any = optional(
    "similarity of lemmas or words: longest common substring, exact, or word vectors, "
    "which cosine means, too (default: vectors if some are named, else lcs)",
    choices=(*get_args(WordSimilarity), "cosine"),
    purpose="measures",
)
IDF: Any = option(
    "source of the weights of words or units (default: reference)",
    choices=("reference", "uniform"),
    default="reference",
    purpose="measures",
)
"""The options that YiSi has on sentences and on graphs."""


def share_option(meaning: str, metavar: str, default: float) -> Any:
    """Declare an option that is a number from 0 to 1, with its default in the help."""
    return option(
        f"{meaning} (default: {default})",
        default=default,
        metavar=metavar,
        read=values.between(0, 1),
        purpose="measures",
    )


BETA = share_option("weight of frames, 0 to 1", "B", 0.1)
"""Share of the frames in precision and recall, where there are any (§2.1)."""


class YisiMean(MeanMetric):
    """Base of the YiSi metrics, which compare words by similarities or vectors."""

    learns = True
    kind: WordSimilarity
    edition: Edition = "paper"
    vectors: tuple[VectorFile, ...]
    alpha: float
    beta: float = 0.0

    def compare_by(self, similarity: str | None, vectors: str | None) -> None:
        """Set the similarity of words; ``cosine`` is ``vectors``."""
        kinds = get_args(WordSimilarity)
        chosen = similarity or ("vectors" if vectors else "lcs")
        name = "vectors" if chosen == "cosine" else chosen
        if name not in kinds:
            raise InputError(
                f"--similarity is {chosen!r}; YiSi knows {', '.join(kinds)}"
            )
        if name == "vectors" and not vectors:
            raise InputError(
                "--similarity vectors needs word vectors; name a file with --vectors"
            )
        if vectors and name != "vectors":
            raise InputError(
                f"--vectors is not used with --similarity {name}; leave one of them out"
            )
        self.kind = cast("WordSimilarity", name)
        self.vectors = (VectorFile(vectors),) if vectors else ()
        self.preloads = bool(vectors)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the similarity, which each process makes itself."""
        return {k: v for k, v in self.__dict__.items() if k != "similarity"}

    @cached_property
    def similarity(self) -> Similarity:
        """Similarity of words or units, made at its first use."""
        if self.kind == "vectors":
            return CosineSimilarity(*self.vectors)
        is_official = self.edition == "official"
        if self.kind == "lcs":
            return byte_similarity if is_official else lcs_similarities
        return exact_similarity(OFFICIAL_FLOOR if is_official else 0.0)

    def weighed(
        self,
        precision: float,
        recall: float,
        own: Sequence[Frame],
        others: Sequence[Sequence[Frame]],
        ways: Iterable[tuple[Compare, Rules]],
    ) -> Statistics:
        """Return the statistics of a pair; without frames the paper drops β."""
        if self.beta > 0 and (own or all(others) or self.edition == "official"):
            to_references, to_hypothesis = ways
            by_frames = structural_similarity(own, others, *to_references)
            by_side = [
                structural_similarity(frames, [own], *to_hypothesis)
                for frames in others
            ]
            precision += self.beta * (by_frames - precision)
            recall += self.beta * (max(by_side) - recall)
        score = f_score(precision, recall, self.alpha)
        return score, float(precision), float(recall), 1.0

    def similarity_signature(self) -> list[tuple[str, str]]:
        """Return the similarity and its vectors."""
        items = [("sim", str(self.kind))]
        if self.vectors:
            items.append(("vectors", ",".join(file.name() for file in self.vectors)))
        return items


class YiSiTextOptions(Options, purpose="measures"):
    """Options of YiSi on sentences: the similarity of words, and weights."""

    similarity: str | None = SIMILARITY
    vectors: str | None = VECTORS
    # 3 is what NRC's configurations say, and α that of evaluation (§2.1)
    ngram: int = option(
        "length of n-grams (default: 3)", default=3, metavar="N", read=values.integer
    )
    alpha: float = share_option("weight of recall in the F-score, 0 to 1", "A", 0.7)
    idf: str = IDF
    yisi: Edition = option(
        "follow the official program (default) or the paper",
        choices=get_args(Edition),
        default="official",
    )


class YiSiText(YisiMean, TextMetric):
    """YiSi-0 or YiSi-1 on sentences, for tables beside other metrics.

    The similarity ``lcs`` is that of YiSi-0, ``vectors`` that of YiSi-1.

    Raises:
        InputError: if an option has no meaning.
    """

    name = "yisi-text"
    title = "YiSi-0"
    summary = "YiSi on sentences: idf-weighted n-gram similarity (Lo 2019)"
    options_class = YiSiTextOptions
    role_weights: Mapping[str, float] | Literal["lexical"] = "lexical"
    frame_weights: FrameWeights = "coverage"

    def __init__(self, **keywords: Any) -> None:
        super().__init__(**keywords)
        options = self.options
        self.compare_by(options.similarity, options.vectors)
        self.edition = options.yisi
        self.ngram: int = options.ngram
        # The official program takes 0, its own default, and then scores nothing but 0.
        if self.ngram < (0 if self.edition == "official" else 1):
            raise InputError(f"--ngram is {self.ngram}; n-grams have at least one word")
        self.alpha = options.alpha
        self.idf: str = options.idf
        # of the words of the hypothesis, and of the other side
        self.weights: tuple[Weight, Weight] = uniform_weight, uniform_weight

    def preload(self, texts: Iterable[str]) -> None:
        all_sentences = (_SNT.findall(text) or text.split("\n") for text in texts)
        lines = (line for sentences in all_sentences for line in sentences)
        words = words_to_load(token for line in lines for token in tokens_of(line))
        for file in self.vectors:
            file.preload(words)

    def prepare(self, item: str) -> Sentence:
        return Sentence(tokens_of(item))

    def fit(self, references: Iterable[Sentence]) -> Self:
        self.fitted = True
        if self.idf == "reference":
            self.weights = (Idf.of(reference.tokens for reference in references),) * 2
        return self

    def statistics_of(self, pred: Sentence, golds: Sequence[Sentence]) -> Statistics:
        """Return the statistics; each component takes its best reference."""
        weights = (self if self.fitted else self.copy().fit(golds)).weights
        precisions, recalls = [], []
        words = list(map(weights[0], pred.tokens))
        for gold in golds:
            similarities = self.similarity(pred.tokens, gold.tokens)
            precisions.append(phrasal_share(words, similarities, self.ngram))
            gold_weights = list(map(weights[1], gold.tokens))
            recalls.append(phrasal_share(gold_weights, similarities.T, self.ngram))
        frames = pred.frames, [gold.frames for gold in golds]
        ways = (
            self._ways(weights, of_hypothesis=of_hypothesis)
            for of_hypothesis in (True, False)
        )
        return self.weighed(max(precisions), max(recalls), *frames, ways)

    def _ways(
        self, weights: tuple[Weight, Weight], *, of_hypothesis: bool
    ) -> tuple[Compare, Rules]:
        """Return the comparison of frames for structural precision, or for recall.

        The official program ignores role types for recall.
        """
        is_official = self.edition == "official"
        weight, other_weight = weights if of_hypothesis else weights[::-1]

        def shares(own: Filler, other: Filler) -> tuple[float, float]:
            """Return the share of a phrase in another, and the reverse."""
            if of_hypothesis:
                alike = self.similarity(own.units, other.units)
            else:
                alike = self.similarity(other.units, own.units).T
            forth = phrasal_share(list(map(weight, own.units)), alike, self.ngram)
            if is_official:
                return forth, forth
            back = list(map(other_weight, other.units))
            return forth, phrasal_share(back, alike.T, self.ngram)

        def compare(
            own: Sequence[Filler], others: Sequence[Filler]
        ) -> tuple[Matrix, Matrix]:
            values = np.array([[shares(a, b) for b in others] for a in own])
            forth, back = values.reshape(len(own), len(others), 2).transpose(2, 0, 1)
            return (forth + back) / 2, forth

        def role_weight(filler: Filler) -> float:
            if self.role_weights == "lexical":
                return in_turn(map(weight, filler.units))
            return self.role_weights.get(filler.role, 0.0)

        rules = Rules(
            role_weight=role_weight,
            frame_weights=self.frame_weights,
            count_overlap=is_official,
            same_role="no" if is_official and not of_hypothesis else "after",
            align_unlike=is_official,
        )
        return compare, rules

    def signature(self) -> list[tuple[str, str]]:
        return [
            ("yisi", self.edition),
            *self.similarity_signature(),
            ("ngram", str(self.ngram)),
            ("alpha", f"{self.alpha:g}"),
            ("beta", f"{self.beta:g}"),
            ("idf", self.idf),
        ]


def f_score(precision: float, recall: float, alpha: float) -> float:
    """Compute ``P R / (α P + (1 - α) R)``; 0 if either is 0.

    A larger α favours recall.
    """
    if precision <= 0 or recall <= 0:
        return 0.0
    return precision * recall / (alpha * precision + (1 - alpha) * recall)
