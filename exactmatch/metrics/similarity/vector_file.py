"""A file of word vectors that is read when the first of them is asked for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # imports NumPy, which ``--help`` does not need
    from exactmatch.metrics.similarity.vectors import Vectors


class VectorFile:
    """Word vectors, read from their file as late and as rarely as possible.

    If words were announced by :meth:`preload`, only theirs are read; at the first word
    that was not, the whole file is.

    Attributes:
        path: the file.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._wanted: set[str] | None = None
        self._vectors: Vectors | None = None

    def preload(self, words: Iterable[str]) -> None:
        """Announce the words that may be looked up, in the same spelling."""
        self._wanted = (self._wanted or set()) | set(words)
        self._vectors = None

    def get(self, word: str) -> Any:
        """The vector of a word, or ``None``."""
        wanted = self._wanted
        if wanted is not None and word not in wanted:
            self._wanted = self._vectors = None
        return self._loaded().get(word)

    def dimensions(self) -> int:
        """The number of dimensions of the file's vectors."""
        if not len(self._loaded()):  # none of the announced words is known
            self._wanted = self._vectors = None
        size: int = self._loaded().matrix.shape[1]
        return size

    def name(self) -> str:
        """The file by its name and content, for signatures."""
        return self._loaded().name

    def _loaded(self) -> Vectors:
        vectors = self._vectors
        if vectors is None:
            from exactmatch.metrics.similarity.vectors import Vectors

            vectors = self._vectors = Vectors.load(self.path, self._wanted)
        return vectors
