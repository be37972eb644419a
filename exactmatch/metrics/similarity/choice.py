"""Make the similarity of concepts that the options of a metric describe."""

from __future__ import annotations

import os
from typing import Literal, TypeAlias, cast, get_args

from exactmatch.base.errors import InputError
from exactmatch.metrics.similarity.concepts import (
    ConceptSimilarity,
    ExactSimilarity,
    LcsSimilarity,
)
from exactmatch.metrics.similarity.embeddings import Distance, VectorSimilarity
from exactmatch.metrics.similarity.encoder import (
    ContextualSimilarity,
    EncoderSimilarity,
)

Kind: TypeAlias = Literal["cosine", "euclidean", "cityblock", "lcs", "exact"]


def concept_similarity(
    kind: str | None = None,
    vectors: str | os.PathLike[str] | None = None,
    encoder: str | None = None,
    cutoff: float = 0.5,
    diffsense: float = 0.5,
    layer: int | None = None,
) -> ConceptSimilarity:
    """Make the similarity of concepts that the options of S²Match describe.

    Args:
        kind: ``cosine``, ``euclidean`` or ``cityblock`` for vectors or an
            encoder, ``lcs`` or ``exact`` for neither; default: ``cosine`` where
            there are vectors or an encoder, else ``lcs``.
        vectors: a file of word vectors.
        encoder: the name or folder of a model that embeds the words of concepts.
        cutoff, diffsense: in [0, 1]; as for ``GradedSimilarity``.
        layer: which hidden layer of the encoder embeds the words that a node is
            aligned to, in their sentence; default: none, and concepts are read alone.

    Raises:
        InputError: if the options contradict each other.
        MissingExtraError: if the encoder's package is not installed.

    Example:
        >>> similarity = concept_similarity("lcs")
        >>> similarity("hit-01", "hit-02"), similarity("cat", "cats")
        (0.5, 0.8571428571428571)
    """
    if vectors is not None and encoder is not None:
        raise InputError("--vectors and --encoder exclude each other; give one of them")
    if layer is not None and encoder is None:
        raise InputError("--layer is of an encoder; name one with --encoder")
    resource = vectors is not None or encoder is not None
    if kind is None:
        kind = "cosine" if resource else "lcs"
    if kind not in get_args(Kind):
        known = ", ".join(get_args(Kind))
        raise InputError(f"unknown similarity {kind!r} (known: {known})")
    if (kind in get_args(Distance)) != resource:
        what = "takes neither --vectors nor --encoder; leave it out"
        if not resource:
            what = "compares vectors; give --vectors FILE or --encoder MODEL"
        raise InputError(f"--similarity {kind} {what}")
    if kind == "exact":
        return ExactSimilarity()
    rules = cutoff, diffsense
    distance = cast("Distance", kind)
    if vectors is not None:
        return VectorSimilarity(vectors, distance, *rules)
    if encoder is None:
        return LcsSimilarity(*rules)
    if layer is not None:
        return ContextualSimilarity(encoder, layer, distance, *rules)
    return EncoderSimilarity(encoder, distance, *rules)
