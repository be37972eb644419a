"""YiSi-0, YiSi-1 and YiSi-2 of a document, with and without frames, as a metric.

They differ in the comparison of words and the source of their weights
(``docs/metrics/yisi-formulas.md``).  YiSi-2 has no reference: the hypothesis is
compared with its input in another language, each side's idf being from its own text.

A metric of this kind belongs to the document that it has learned its weights from.
"""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from typing import Any, Literal, TypeAlias

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import checked
from exactmatch.formats.pairs import Warn
from exactmatch.metrics.base import ReadItem
from exactmatch.metrics.similarity.vectors import VectorFile
from exactmatch.metrics.yisi.document import (
    Document,
    SentenceBlock,
    occurrence_similarity,
)
from exactmatch.metrics.yisi.files import ROLE_TYPES, read_role_weights, text_lines
from exactmatch.metrics.yisi.frames import (
    FrameWeights,
    Sentence,
    estimated_role_weights,
)
from exactmatch.metrics.yisi.text import BETA, WordSimilarity, YiSiText
from exactmatch.metrics.yisi.words import Idf, Similarity, read_counts, words_to_load

Variant: TypeAlias = Literal["yisi0", "yisi1", "yisi2"]


class YiSiDocument(YiSiText):
    """A variant of YiSi, with weights learned from a document.

    Args:
        document: the sentences that will be scored.
        variant: ``yisi0``, ``yisi1`` or ``yisi2``.
        similarity: of words: ``lcs``, ``exact`` or ``vectors``; default: the variant's.
        vectors: a file of word vectors; for ``yisi2`` also two files with a comma
            between them, the hypotheses' language first.
        beta: share of the frames, 0 to 1; default: 0.1 if there are any.
        idf: ``reference``, ``own``, ``uniform`` or ``counts:FILE``; default:
            ``reference``, for ``yisi2`` ``own``.
        role_weights: ``estimated``, ``uniform``, ``lexical``, or a file of eight
            numbers.
        frame_weights: ``coverage`` or ``uniform``.
        warn: called with the kind and the text of each warning.
        **options: ``ngram``, ``alpha`` and ``yisi``, as sentences have them.

    Raises:
        InputError: if an option has no meaning, or does not go with the others.
    """

    def __init__(
        self,
        document: Document,
        variant: Variant = "yisi0",
        *,
        similarity: WordSimilarity | None = None,
        vectors: str | None = None,
        beta: float | None = None,
        idf: str | None = None,
        role_weights: str = "estimated",
        frame_weights: FrameWeights = "coverage",
        warn: Warn = lambda _kind, _text: None,
        **options: Any,
    ) -> None:
        self._is_contextual = document.is_contextual
        kind = _similarity(variant, document, similarity, vectors)
        super().__init__(similarity=kind, vectors=vectors, **options)
        self.fitted = True
        self.idf = idf or ("own" if variant == "yisi2" else "reference")
        usual = BETA.default if document.names_frames else 0.0
        self.beta = checked("beta", BETA, usual if beta is None else beta)
        self.name = variant
        if self.beta > 0 and document.has_frames:
            self.name += "_srl"
        self._nrefs = 0 if variant == "yisi2" else document.references
        self._units = document.signature()
        self._roles = role_weights
        self.frame_weights = frame_weights
        self._learn(document)
        if vectors is not None:
            self.vectors = _vector_files(variant, vectors, document, warn)
            self.preloads = False  # they are loaded
        if beta and not document.has_frames and self.edition == "official":
            warn("frames", "no frames are given, so --beta lowers every score")
        if self.ngram == 0:
            warn("ngram", "--ngram 0 scores nothing but 0; 3 is usual")

    def _learn(self, document: Document) -> None:
        hypotheses, *reference_sides = map(
            document.sentences, range(document.references + 1)
        )
        references = list(chain.from_iterable(reference_sides))
        kind, _, path = self.idf.partition(":")
        if self.idf in ("reference", "own"):
            hypothesis_weights = reference_weights = Idf.of(
                block.words for block in references
            )
            if self.idf == "own":
                hypothesis_weights = Idf.of(block.words for block in hypotheses)
            self.weights = hypothesis_weights, reference_weights
        elif kind == "counts" and path:
            self.weights = (read_counts(text_lines(path), path),) * 2
        elif self.idf != "uniform":
            raise InputError(
                f"--idf is {self.idf!r}; it is reference, own, uniform or counts:FILE"
            )
        if self._roles == "uniform":
            self.role_weights = dict.fromkeys(ROLE_TYPES, 1.0)
        elif self._roles == "estimated":
            frames = (frame for block in references for frame in block.sentence.frames)
            start = 1.0 if self.edition == "official" else 0.0
            self.role_weights = estimated_role_weights(frames, ROLE_TYPES, start)
        elif self._roles != "lexical":
            self.role_weights = read_role_weights(self._roles)

    @cached_property
    def similarity(self) -> Similarity:
        return occurrence_similarity if self._is_contextual else super().similarity

    def read(self, value: Any) -> ReadItem:
        if isinstance(value, SentenceBlock):
            return ReadItem(value.sentence)
        return super().read(value)

    def prepare(self, item: Any) -> Sentence:
        return item if isinstance(item, Sentence) else super().prepare(item)

    def similarity_signature(self) -> list[tuple[str, str]]:
        if self._is_contextual:
            return [("sim", "contextual"), *self._units]
        return [*super().similarity_signature(), *self._units]

    def signature(self) -> list[tuple[str, str]]:
        items = [*super().signature(), ("nrefs", str(self._nrefs))]
        if self.beta > 0:
            items += [("roles", self._roles), ("frames", self.frame_weights)]
        return items


def _similarity(
    variant: Variant,
    document: Document,
    similarity: WordSimilarity | None,
    vectors: str | None,
) -> WordSimilarity:
    """Return the chosen similarity of words, by default the variant's own."""
    if document.is_contextual:
        for flag, argument in (("similarity", similarity), ("vectors", vectors)):
            if argument is not None:
                raise InputError(
                    f"--{flag} is not used with contextual embeddings; leave one out"
                )
        if variant == "yisi0":
            raise InputError(
                "yisi0 does not compare embeddings; choose --variant yisi1 or yisi2"
            )
        return "lcs"
    default_similarity: WordSimilarity = "lcs" if variant == "yisi0" else "vectors"
    kind = default_similarity if similarity is None else similarity
    if kind == "vectors" and similarity is None and not vectors:
        raise InputError(
            f"{variant} compares embeddings; name word vectors with --vectors, or "
            "contextual embeddings with --encoder or --embeddings-hyp …"
        )
    if kind != "vectors" and vectors:
        raise InputError(
            f"--vectors is not used by {variant} with similarity {kind!r}; choose "
            "--similarity vectors or another --variant"
        )
    if kind != "vectors" and variant == "yisi2":
        raise InputError(
            f"yisi2 compares two languages, which similarity {kind!r} cannot; leave "
            "--similarity out"
        )
    return kind


def _vector_files(
    variant: Variant, names: str, document: Document, warn: Warn
) -> tuple[VectorFile, ...]:
    """Return the vectors of the words, the hypotheses' language first.

    Two files in the wrong order would score next to nothing; which language a file
    is of shows in the words it has.
    """
    paths = names.split(",")
    allowed = 2 if variant == "yisi2" else 1
    if len(paths) > allowed or not all(paths):
        raise InputError(
            f"--vectors {names} names {several(len(paths), 'file')}; {variant} takes "
            f"{'one or two' if allowed == 2 else 'one'}"
        )
    hypothesis_words, *other_words = (
        {unit for block in document.sentences(side) for unit in block.sentence.tokens}
        for side in range(document.references + 1)
    )
    words_of_others = set().union(*other_words)
    files = tuple(map(VectorFile, paths))
    for file in files:
        file.preload(words_to_load(hypothesis_words | words_of_others))
    sizes = sorted({file.dimensions() for file in files})
    if len(sizes) > 1:
        raise InputError(
            f"--vectors {names}: the files have {sizes[0]} and {sizes[1]} dimensions; "
            "take two of one space"
        )
    if len(files) == 2:
        first, second = files
        if _known(first, words_of_others) + _known(second, hypothesis_words) > (
            _known(first, hypothesis_words) + _known(second, words_of_others)
        ):
            warn(
                "vectors",
                f"{paths[0]} has the words of the input and {paths[1]} those of the "
                "hypotheses; they are used so",
            )
            return second, first
    return files


def _known(file: VectorFile, words: set[str]) -> int:
    return sum(file.get(word) is not None for word in words)
