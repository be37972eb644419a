"""Files of word vectors, watched."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from exactmatch.metrics.similarity.vectors import Vectors


def watched_loads(patch: pytest.MonkeyPatch) -> list[set[str] | None]:
    """The words that are read from files from now on; ``None`` for whole files."""
    wanted: list[set[str] | None] = []
    load = Vectors.load

    def watched(path: str, words: Iterable[str] | None = None) -> Vectors:
        wanted.append(None if words is None else set(words))
        return load(path, words)

    patch.setattr(Vectors, "load", watched)
    return wanted
