"""A cache of the word vectors that have been used, keyed by the file's content.

Reading a few thousand words from a file of millions takes minutes, so the vectors
that were found and the words that the file lacks are kept in the user's cache folder.
An entry belongs to the SHA-256 of the whole file, so a changed, replaced or
truncated file never meets an old entry, and copies of one file share theirs.
An entry that cannot be read or whose checksum is wrong is ignored and written
anew; writing is atomic; a cache that cannot be written is done without.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from pathlib import Path

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.files import cache_root, write_bytes

Matrix = npt.NDArray[np.float64]

_VERSION = 2
_ARRAYS = 3
"""The arrays of an entry: known words, missing words, vectors, in this order."""


def cache_folder() -> Path:
    """The folder of the entries, in the user's cache folder."""
    return cache_root() / "vectors"


def load(digest: str) -> tuple[dict[str, int], Matrix, frozenset[str]] | None:
    """Load the entry of the file with that digest.

    Returns:
        Each word's row number; the vectors, of shape ``(words, dimensions)``; and the
        words that the file does not have.  ``None`` if there is no valid entry.
    """
    try:
        content = memoryview(_place(digest).read_bytes())
        checksum, payload = content[:32], content[32:]
        if hashlib.sha256(payload).digest() != checksum:
            return None
        stream = io.BytesIO(payload)
        words, missing, matrix = (
            np.load(stream, allow_pickle=False) for _ in range(_ARRAYS)
        )
    except (OSError, ValueError, EOFError):
        return None
    rows = {word: row for row, word in enumerate(_words(words))}
    return rows, matrix, frozenset(_words(missing))


def store(
    digest: str, rows: dict[str, int], matrix: Matrix, missing: frozenset[str]
) -> None:
    """Remember what was found in the file with that digest."""
    payload = io.BytesIO()
    words = sorted(rows, key=rows.__getitem__)
    for array in (_packed(words), _packed(sorted(missing)), matrix):
        np.save(payload, array)
    content = payload.getvalue()
    place = _place(digest)
    with contextlib.suppress(OSError, InputError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(place, hashlib.sha256(content).digest() + content)


def _place(digest: str) -> Path:
    return cache_folder() / f"v{_VERSION}-{digest}.npy"


def _packed(words: list[str]) -> npt.NDArray[np.uint8]:
    """Words as bytes, one a line; no word of a vector file holds a line feed."""
    text = "\n".join(words).encode("utf-8", "surrogatepass")
    return np.frombuffer(text, dtype=np.uint8)


def _words(packed: npt.NDArray[np.uint8]) -> list[str]:
    text = packed.tobytes().decode("utf-8", "surrogatepass")
    return text.split("\n") if text else []
