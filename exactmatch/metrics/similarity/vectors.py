"""Static word vectors: loaded for the words that occur, and cached.

Formats and their detection: :mod:`exactmatch.metrics.similarity.vector_formats`.

Reading a few thousand words from a file of millions takes minutes, so their vectors and
the words that the file lacks are kept in the user's cache folder.
An entry belongs to the SHA-256 of the whole file, so a changed, replaced or
truncated file never meets an old entry, and copies of one file share theirs.
An entry that cannot be read or whose checksum is wrong is ignored and written
anew; writing is atomic; without a writable cache, files are read every time.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import cache_root, write_bytes
from exactmatch.base.inputs import digest_of, refuse_endless
from exactmatch.base.json_files import value_in
from exactmatch.metrics.similarity.vector_formats import read_vectors

Vector: TypeAlias = npt.NDArray[np.float64]
Matrix: TypeAlias = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Vectors of some words, which are looked up as they are, not in lower case."""

    path: str
    digest: str  # SHA-256 of the file
    rows: dict[str, int]  # by word
    matrix: Matrix  # shape ``(words, dimensions)``

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], words: Iterable[str] | None = None
    ) -> Vectors:
        """Load the vectors of some words from a file, as far as it has them.

        Without *words*, the vectors of all words are read, and not cached.

        Raises:
            InputError: if the file cannot be opened, is truncated, or has a
                corrupt line, which is named.
        """
        name = os.fspath(path)
        refuse_endless(name)
        try:
            digest = digest_of(name)
        except OSError as error:
            reason = error.strerror or error
            raise InputError(f"cannot read vectors {name!r}: {reason}") from None
        if words is None:
            return cls.of(read_vectors(name, None), name, digest)
        needed = frozenset(words)
        entry = _cached(digest)
        vectors, missing = entry or ({}, frozenset())
        if entry is None or not needed <= vectors.keys() | missing:
            to_read = needed | vectors.keys() | missing
            vectors = read_vectors(name, to_read)
            if digest_of(name) == digest:
                _store(digest, vectors, to_read - vectors.keys())
        return cls.of(
            {w: vectors[w] for w in sorted(needed) if w in vectors}, name, digest
        )

    @classmethod
    def of(
        cls, vectors: dict[str, Vector], path: str = "", digest: str = ""
    ) -> Vectors:
        """Make a table from a dictionary of vectors, all of one length."""
        matrix = np.zeros((0, 0))
        if vectors:
            matrix = np.array(list(vectors.values()), dtype=np.float64)
        matrix.flags.writeable = False
        rows = {word: row for row, word in enumerate(vectors)}
        return cls(path, digest, rows, matrix)

    @property
    def name(self) -> str:
        """Name of the file with its checksum, for signatures."""
        return f"{os.path.basename(self.path)}@{self.digest[:12]}"

    def __contains__(self, word: object) -> bool:
        return word in self.rows

    def get(self, word: str) -> Vector | None:
        """Return the vector of a word, shape ``(dimensions,)``, or ``None``."""
        row = self.rows.get(word)
        return None if row is None else self.matrix[row]


def unit_rows(matrix: Matrix) -> Matrix:
    """Scale each row to length 1; a row of zeros stays as it is.

    >>> unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist()
    [[0.6, 0.8], [0.0, 0.0]]
    """
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    scaled: Matrix = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
    return scaled


def of_length_one(vector: Vector) -> Vector:
    """Scale a vector to length 1; a vector of zeros stays as it is."""
    length = math.sqrt(math.fsum((vector * vector).tolist()))
    return vector / length if length else vector


class VectorRows:
    """Vectors in the rows of a growing *matrix*; a missing vector is a row of zeros."""

    def __init__(self) -> None:
        self.matrix: Matrix = np.zeros((0, 0))
        self._filled = 0

    def append(self, vectors: Sequence[Vector | None]) -> None:
        """Add vectors; a longer one than all before makes all rows longer."""
        first, (rows, columns) = self._filled, self.matrix.shape
        self._filled += len(vectors)
        size = max([columns, *(len(v) for v in vectors if v is not None)])
        if self._filled > rows or size > columns:
            grown = np.zeros((2 * self._filled, size))
            grown[:first, :columns] = self.matrix[:first]
            self.matrix = grown
        for row, vector in enumerate(vectors, first):
            if vector is not None:
                self.matrix[row] = vector


class VectorFile:
    """Word vectors, read from their file as late and as rarely as possible.

    After :meth:`preload`, only the vectors of its words are read; at the first other
    word, the whole file is read.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._words: set[str] | None = None
        self._vectors: Vectors | None = None

    def preload(self, words: Iterable[str]) -> None:
        """Collect words that may be looked up, in the same spelling."""
        self._words = (self._words or set()) | set(words)
        self._vectors = None

    def get(self, word: str) -> Vector | None:
        """Return the vector of a word, or ``None``."""
        words = self._words
        if words is not None and word not in words:
            self._words = self._vectors = None
        return self._loaded().get(word)

    def dimensions(self) -> int:
        """Return the number of dimensions of the file's vectors."""
        if not self._loaded().rows:  # none of the announced words is known
            self._words = self._vectors = None
        size: int = self._loaded().matrix.shape[1]
        return size

    def name(self) -> str:
        """Return the name of the file with its checksum, for signatures."""
        if self._words is None and self._vectors is None:
            self._words = set()  # a name needs no vectors
        return self._loaded().name

    def _loaded(self) -> Vectors:
        if self._vectors is None:
            self._vectors = Vectors.load(self.path, self._words)
        return self._vectors


def _cached(digest: str) -> tuple[dict[str, Vector], frozenset[str]] | None:
    """Return the cached vectors of the file with a digest, and its missing words."""
    try:
        content = memoryview(_place(digest).read_bytes())
        checksum, payload = content[:32], content[32:]
        if hashlib.sha256(payload).digest() != checksum:
            return None
        stream = io.BytesIO(payload)
        matrix = np.load(stream, allow_pickle=False)
        words, missing = value_in(stream.read(), tuple[list[str], list[str]])
        return dict(zip(words, matrix, strict=True)), frozenset(missing)
    except (OSError, ValueError, EOFError):
        return None


def _store(digest: str, vectors: dict[str, Vector], missing: frozenset[str]) -> None:
    """Cache the vectors and missing words of the file with that digest."""
    payload = io.BytesIO()
    np.save(payload, np.array(list(vectors.values()), dtype=np.float64))
    payload.write(json.dumps([list(vectors), sorted(missing)]).encode())
    content = payload.getvalue()
    place = _place(digest)
    with contextlib.suppress(OSError, InputError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, hashlib.sha256(content).digest() + content)


def _place(digest: str) -> Path:
    return cache_root() / "vectors" / f"v4-{digest}.npy"
