"""Files of word vectors, watched."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from exactmatch.metrics.similarity.vectors import Vectors


def watched_loads(patch: pytest.MonkeyPatch) -> list[set[str] | None]:
    """Return the list to which words read from files go; ``None`` for whole files."""
    word_sets: list[set[str] | None] = []
    load = Vectors.load

    def watched(path: str, words: Iterable[str] | None = None) -> Vectors:
        word_sets.append(None if words is None else set(words))
        return load(path, words)

    patch.setattr(Vectors, "load", watched)
    return word_sets
