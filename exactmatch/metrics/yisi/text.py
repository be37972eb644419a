"""YiSi on sentences as a metric, and what it shares with YiSi on graphs.

How one sentence is scored is in :mod:`exactmatch.metrics.yisi.sentences`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

from exactmatch.base.errors import InputError
from exactmatch.metrics.base import VECTORS, Option, Pair, TextMetric
from exactmatch.metrics.counts import MeanMetric
from exactmatch.metrics.similarity.vectors import VectorFile
from exactmatch.metrics.yisi.conll import Sentence, tokens_of
from exactmatch.metrics.yisi.frames import FrameWeights
from exactmatch.metrics.yisi.sentences import (
    ALPHA,
    NGRAM,
    Edition,
    Weights,
    WordSimilarity,
    YisiScorer,
    check_ngram,
    check_share,
    word_similarity,
)
from exactmatch.metrics.yisi.words import Idf, Similarity, uniform_weight, words_to_load

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.solvers.solution import Limits


SIMILARITY = Option(
    "similarity",
    "similarity of lemmas or words: longest common substring, exact, or word "
    "vectors (default: vectors if some are named, else lcs)",
    choices=get_args(WordSimilarity),
)
IDF = Option(
    "idf",
    "source of the weights of words or units (default: reference)",
    choices=("reference", "uniform"),
    default="reference",
)
"""The options that YiSi has on sentences and on graphs."""


class YisiMean(MeanMetric):
    """Base of the YiSi metrics, which compare words by similarities or vectors.

    Attributes:
        kind: the similarity of words.
        edition: the official program's way of comparing words, or the paper's.
        vectors: the files of word vectors, if they are compared.
    """

    learns = True
    kind: WordSimilarity
    edition: Edition = "paper"
    vectors: tuple[VectorFile, ...]

    def compare_by(self, similarity: str | None, vectors: str | None) -> None:
        """Choose the similarity of words, when the metric is made."""
        self.kind = word_similarity_name(similarity, vectors)
        self.vectors = (VectorFile(vectors),) if vectors else ()

    @property
    def preloads(self) -> bool:
        return bool(self.vectors)

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the similarity, which each process makes for itself."""
        return {k: v for k, v in self.__dict__.items() if k != "similarity"}

    @cached_property
    def similarity(self) -> Similarity:
        """The similarity of two words or units, made when it is first needed."""
        return word_similarity(self.kind, self.edition, *self.vectors)

    def similarity_signature(self) -> list[tuple[str, str]]:
        """The similarity and its vectors."""
        found = [("sim", str(self.kind))]
        if self.vectors:
            found.append(("vectors", ",".join(file.name() for file in self.vectors)))
        return found


class YiSiText(YisiMean, TextMetric):
    """YiSi-0 or YiSi-1 on sentences, for tables beside other metrics.

    Args:
        similarity: ``lcs`` (YiSi-0, default without vectors), ``exact`` or
            ``vectors`` (YiSi-1).
        **options: the values of :attr:`options`.

    Raises:
        InputError: if an option has no meaning.
    """

    name = "yisi-text"
    title = "YiSi-0"
    summary = "YiSi on sentences: idf-weighted n-gram similarity (Lo 2019)"
    options = (
        SIMILARITY,
        VECTORS,
        Option(
            "ngram", "length of n-grams (default: 3)", int, metavar="N", default=NGRAM
        ),
        Option(
            "alpha",
            "weight of recall in the F-score, 0 to 1 (default: 0.7)",
            float,
            metavar="A",
            default=ALPHA,
        ),
        IDF,
        Option(
            "yisi",
            "follow the official program (default) or the paper",
            choices=get_args(Edition),
            default="official",
        ),
    )
    beta: float = 0.0
    role_weights: Mapping[str, float] | Literal["lexical"] = "lexical"
    frame_weights: FrameWeights = "coverage"

    def __init__(self, *, similarity: str | None = None, **options: Any) -> None:
        asked = self.chosen(options)
        self.compare_by(similarity, asked.vectors)
        self.edition = asked.yisi
        self.ngram = check_ngram(asked.ngram, self.edition)
        self.alpha = check_share("alpha", asked.alpha)
        self.idf: str = asked.idf
        self.weights = Weights(uniform_weight, uniform_weight)

    def preload(self, texts: Iterable[str]) -> None:
        lines = (line for text in texts for line in _sentences_in(text))
        words = words_to_load(token for line in lines for token in tokens_of(line))
        for file in self.vectors:
            file.preload(words)

    def prepare(self, item: str) -> Sentence:
        return Sentence.of(item)

    def fit(self, references: Iterable[Sentence]) -> Self:
        self.fitted = True
        if self.idf == "reference":
            self.weights = _idf_weights(references)
        return self

    def compare(
        self, pred: Sentence, *golds: Sentence, limits: Limits | None = None
    ) -> Pair:
        del limits
        learns = not self.fitted and self.idf == "reference"
        scorer = YisiScorer(
            self.similarity,
            _idf_weights(golds) if learns else self.weights,
            self.ngram,
            self.alpha,
            self.beta,
            self.role_weights,
            self.frame_weights,
            self.edition,
        )
        found = scorer.score(pred, *golds)
        return Pair((found.score, found.precision, found.recall, 1.0))

    def signature(self) -> list[tuple[str, str]]:
        return [
            ("yisi", self.edition),
            *self.similarity_signature(),
            ("ngram", str(self.ngram)),
            ("alpha", f"{self.alpha:g}"),
            ("beta", f"{self.beta:g}"),
            ("idf", self.idf),
        ]


_SNT = re.compile("::snt(.*)")
"""The sentence of a graph, among its comments."""


def _sentences_in(text: str) -> list[str]:
    return _SNT.findall(text) or text.split("\n")


def _idf_weights(references: Iterable[Sentence]) -> Weights:
    idf = Idf.of(reference.tokens for reference in references)
    return Weights(idf, idf)


def word_similarity_name(similarity: str | None, vectors: str | None) -> WordSimilarity:
    """The similarity that the options ask for; ``cosine`` is ``vectors``.

    Raises:
        InputError: if vectors are lacking, or given and not used.
    """
    kinds: dict[str, WordSimilarity] = {kind: kind for kind in get_args(WordSimilarity)}
    given = similarity or ("vectors" if vectors else "lcs")
    name = (kinds | {"cosine": kinds["vectors"]}).get(given)
    if name is None:
        raise InputError(f"--similarity is {given!r}; YiSi knows {', '.join(kinds)}")
    if name == "vectors" and not vectors:
        raise InputError(
            "--similarity vectors needs word vectors; name a file with --vectors"
        )
    if vectors and name != "vectors":
        raise InputError(
            f"--vectors is not used with --similarity {name}; leave one of them out"
        )
    return name
