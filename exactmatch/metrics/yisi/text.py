"""YiSi as a metric beside others: what its variants share, and YiSi on sentences.

What a sentence scores is the business of :mod:`exactmatch.metrics.yisi.sentences`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, get_args

from exactmatch.errors import InputError
from exactmatch.metrics.base import Measurement, Metric, Option, Score, Statistics
from exactmatch.metrics.yisi.conll import Sentence, tokens_of
from exactmatch.metrics.yisi.sentences import (
    ALPHA,
    NGRAM,
    Reading,
    Weights,
    WordSimilarity,
    YisiScorer,
    check_ngram,
    check_share,
    word_similarity,
)
from exactmatch.metrics.yisi.words import (
    Idf,
    Similarity,
    VectorFile,
    Weight,
    uniform_weight,
)

if TYPE_CHECKING:
    from exactmatch.graphs.profile import Profile
    from exactmatch.solvers.solution import Limits


class YisiMean(Metric):
    """What the YiSi metrics share: a corpus scores the mean of its pairs.

    Statistics: score, precision and recall, summed over pairs, and their number.

    Attributes:
        kind: the similarity of words.
        vectors: the file of word vectors, if they are compared.
    """

    def __init__(
        self, profile: Profile | None, similarity: str | None, vectors: str | None
    ) -> None:
        super().__init__(profile)
        self.kind = word_similarity_name(similarity, vectors)
        self.vectors = VectorFile(vectors) if vectors else None

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the similarity, which every process makes for itself."""
        return {k: v for k, v in self.__dict__.items() if k != "similarity"}

    @cached_property
    def similarity(self) -> Similarity:
        """The similarity of two words or units, made when it is first needed."""
        return self.words("official")

    def words(self, reading: Reading) -> Similarity:
        """The similarity of words."""
        return word_similarity(
            self.kind, reading, *([self.vectors] if self.vectors else [])
        )

    def similarity_signature(self) -> list[tuple[str, str]]:
        """Which similarity, and which vectors."""
        found = [("sim", str(self.kind))]
        return [*found, ("vectors", self.vectors.name())] if self.vectors else found

    def score(self, statistics: Statistics) -> Score:
        """The mean score, precision and recall."""
        if not statistics or not statistics[3]:
            return Score(self.name, 0.0, 0.0, 0.0)
        score, precision, recall, pairs = statistics
        return Score(self.name, score / pairs, precision / pairs, recall / pairs)

    def identity(self) -> Statistics:
        """No pair."""
        return (0.0, 0.0, 0.0, 0.0)


class YiSiText(YisiMean):
    """YiSi-0 or YiSi-1 on sentences, for tables beside other metrics.

    Args:
        similarity: ``lcs`` (YiSi-0, default without vectors), ``exact`` or
            ``vectors`` (YiSi-1).
        vectors: a file of word vectors.
        ngram: length of n-grams.
        alpha: weight in the F-score.
        idf: ``reference`` or ``uniform``.
        yisi: ``official`` or ``paper``.

    Raises:
        InputError: if an option has no meaning.
    """

    name = "yisi-text"
    title = "YiSi-0"
    summary = "YiSi on sentences: idf-weighted n-gram similarity (Lo 2019)"
    reads = "text"
    needs_references = True
    options = (
        Option(
            "similarity",
            "of words: longest common substring, exact, or word vectors",
            choices=get_args(WordSimilarity),
        ),
        Option("vectors", "a file of word vectors", metavar="FILE"),
        Option("ngram", "length of n-grams", int, metavar="N"),
        Option("alpha", "say of recall in the F-score, 0 to 1", float, metavar="A"),
        Option("idf", "where word weights come from", choices=("reference", "uniform")),
        Option("yisi", "the official program or the paper", choices=get_args(Reading)),
    )

    def __init__(
        self,
        *,
        similarity: str | None = None,
        vectors: str | None = None,
        ngram: int | None = None,
        alpha: float | None = None,
        idf: str | None = None,
        yisi: Reading | None = None,
    ) -> None:
        super().__init__(None, similarity, vectors)
        self.reading: Reading = yisi or "official"
        self.ngram = check_ngram(NGRAM if ngram is None else ngram, self.reading)
        self.alpha = check_share("alpha", ALPHA if alpha is None else alpha)
        self.idf = idf or "reference"
        self._references: list[tuple[str, ...]] | None = None
        self._weight: Weight = uniform_weight

    @cached_property
    def similarity(self) -> Similarity:
        """The similarity of two words."""
        return self.words(self.reading)

    def foresee(self, texts: Iterable[str]) -> None:
        """See all sentences, so that only their words' vectors are loaded."""
        if self.vectors:
            self.vectors.foresee(token for text in texts for token in tokens_of(text))

    def prepare(self, references: Sequence[str]) -> None:
        """Learn idf weights from all references."""
        self._references = [tokens_of(text) for text in references]
        if self.idf == "reference":
            self._weight = Idf.of(self._references)

    def measure(
        self, pred: str, *golds: str, limits: Limits | None = None
    ) -> Measurement:
        """Score a sentence; without :meth:`prepare`, its references give the idf."""
        del limits
        weight = self._weight
        if self._references is None and self.idf == "reference":
            weight = Idf.of(tokens_of(text) for text in golds)
        scorer = YisiScorer(
            self.similarity,
            Weights(weight, weight),
            self.ngram,
            self.alpha,
            reading=self.reading,
        )
        found = scorer.score(Sentence.of(pred), *map(Sentence.of, golds))
        return Measurement((found.score, found.precision, found.recall, 1.0))

    def signature(self) -> list[tuple[str, str]]:
        """Similarity, n-grams, α, idf and reading."""
        return [
            ("yisi", self.reading),
            *self.similarity_signature(),
            ("ngram", str(self.ngram)),
            ("alpha", f"{self.alpha:g}"),
            ("beta", "0"),
            ("idf", self.idf),
        ]


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
