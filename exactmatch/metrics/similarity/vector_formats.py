"""Files of word vectors: recognising their format, and reading some words.

The format is recognised by the content, not by the name:

* *gzip*, whatever is inside: the bytes ``1f 8b`` come first;
* *header*, the first line is two whole numbers (word2vec and fastText
  ``.vec``): the number of words and of dimensions, which the file must keep to;
* *binary* (word2vec): a header, and behind it no line of text but control
  characters or what is not UTF-8.  An entry is a word, a blank, its numbers as
  little-endian 32-bit floats, and perhaps a line feed;
* *text* otherwise (GloVe has no header): a word and its numbers, with blanks
  between.  Words may hold blanks; the first line's word may not.

Every line is checked: it must have as many numbers as the first, and nothing else.
Only the vectors of the requested words are turned into numbers and kept.  Of a
word that stands twice, the last vector counts, as in S²match's own reader.

No light library does this: gensim reads whole files into memory, recognises no format,
and takes a short line for the end of the file.
"""

from __future__ import annotations

import codecs
import gzip
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile
from operator import methodcaller
from typing import IO, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.unpacking import unpacked

Vector: TypeAlias = npt.NDArray[np.float64]
Entries: TypeAlias = Iterator[tuple[str, Vector]]

_GZIP = b"\x1f\x8b"
_SAMPLE = 1 << 16
_CHUNK = 1 << 22
_LONGEST = 1 << 20  # bytes of a word and its numbers
_DIGITS = 18  # of a number in the first line
_NUMERIC = b"0123456789+-.eE \t"
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r"))


def read_vectors(path: str, words: Iterable[str] | None) -> dict[str, Vector]:
    """Read the vectors of words, or of all words, as far as a file has them.

    Raises:
        InputError: if the file cannot be opened, is truncated, or has a corrupt
            line, which is named.
    """
    word_filter: WordFilter = methodcaller("decode", "utf-8", "replace")
    if words is not None:
        word_filter = {
            word.encode("utf-8", "surrogatepass"): word for word in words
        }.get
    try:
        with open(path, "rb") as raw:
            packed = raw.read(2) == _GZIP
            raw.seek(0)
            if not packed:
                return dict(_entries(path, raw, word_filter))
            return dict(_entries(path, unpacked(raw, path), word_filter))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: is not a whole gzip file ({error})") from None
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"cannot read vectors {path!r}: {reason}") from None


ByteFile: TypeAlias = "IO[bytes] | gzip.GzipFile"
"""A file of bytes, unpacked as it is read."""

WordFilter: TypeAlias = Callable[[bytes], "str | None"]
"""Turns a word's bytes into the word, or into ``None`` to skip it."""


def _entries(path: str, file: ByteFile, word_filter: WordFilter) -> Entries:
    mark = codecs.BOM_UTF8
    start = len(mark) if file.read(len(mark)) == mark else 0
    file.seek(start)
    header = file.readline(_LONGEST).split()
    sample = file.read(_SAMPLE)
    file.seek(start)
    if len(header) != 2 or not all(map(bytes.isdigit, header)):
        return _text(path, file, word_filter)
    file.readline()
    if max(map(len, header)) > _DIGITS:
        raise InputError(f"{path}:1: has a number of more than {_DIGITS} digits")
    count, dimensions = map(int, header)
    if 4 * dimensions > _LONGEST:
        raise InputError(f"{path}:1: says {dimensions:,} dimensions: too many")
    if dimensions < 1:
        raise InputError(f"{path}:1: says {dimensions} dimensions; it takes at least 1")
    if _is_binary(sample, dimensions):
        return _binary(path, file, count, dimensions, word_filter)
    return _text(path, file, word_filter, count, dimensions)


def _is_binary(sample: bytes, dimensions: int) -> bool:
    numbers = sample.partition(b"\n")[0].split()[-dimensions:]
    if len(numbers) == dimensions and all(map(is_number, numbers)):
        return False
    if len(sample.translate(None, _CONTROL)) < len(sample):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return True
    return False


def is_number(text: str | bytes) -> bool:
    """Return whether a text is a number as Python reads it."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def _text(
    path: str,
    lines: ByteFile,
    word_filter: WordFilter,
    count: int | None = None,
    dimensions: int | None = None,
) -> Entries:
    """Yield the entries of lines of text; a header may give their number and length."""
    blank = read = 0
    first = 1 if count is None else 2
    one_by_one = iter(partial(lines.readline, _LONGEST + 1), b"")
    for number, written in enumerate(one_by_one, first):
        line = written.rstrip()
        if len(written) > _LONGEST:
            raise _corrupt(path, number, f"is longer than {_LONGEST:,} bytes")
        if not line:
            blank = blank or number
            continue
        if blank:
            raise _corrupt(path, blank, "is empty")
        read += 1
        if dimensions is None:
            dimensions = len(line.split()) - 1
            if dimensions < 1:
                raise _corrupt(path, number, "has no numbers")
        word, _, numbers = line.partition(b" ")
        if not word or numbers.count(b" ") != dimensions - 1 or b"\t" in line:
            word, numbers = _fields(path, number, line, dimensions)
        if numbers.translate(None, _NUMERIC):
            raise _corrupt(path, number, f"has {_not_numeric(numbers)}")
        kept_word = word_filter(word)
        if kept_word is not None:
            yield kept_word, _vector(path, number, numbers, dimensions)
    if dimensions is None:
        raise _corrupt(path, first, "is empty")
    if count not in (None, read):
        raise InputError(
            f"{path}:1: says {several(count, 'word')}, but {read} follow; the file is "
            "truncated or its header wrong"
        )


def _fields(
    path: str, number: int, line: bytes, dimensions: int
) -> tuple[bytes, bytes]:
    """Return the word and the numbers of a line with more than one blank or tab."""
    parts = line.split()
    numeric = sum(1 for _ in takewhile(is_number, reversed(parts[1:])))
    if numeric < dimensions and len(parts) > dimensions:
        raise _corrupt(path, number, f"has {_not_numeric(b' '.join(parts[1:]))}")
    if len(parts) <= dimensions or any(map(is_number, parts[1:-dimensions])):
        raise _corrupt(
            path, number, f"has {several(numeric, 'number')}, not {dimensions}"
        )
    return b" ".join(parts[:-dimensions]), b" ".join(parts[-dimensions:])


def _vector(path: str, number: int, numbers: bytes, dimensions: int) -> Vector:
    try:
        vector = np.array(numbers.split(), dtype=np.float64)
    except ValueError:
        raise _corrupt(path, number, f"has {_not_numeric(numbers)}") from None
    if len(vector) != dimensions:
        raise _corrupt(
            path, number, f"has {several(len(vector), 'number')}, not {dimensions}"
        )
    if not np.isfinite(vector).all():
        raise _corrupt(path, number, "has a number that is not finite")
    return vector


def _not_numeric(numbers: bytes) -> str:
    """Return the first word that is not a number, for messages."""
    for part in numbers.split():
        if not is_number(part) or part.translate(None, _NUMERIC):
            return f"{part.decode('utf-8', 'replace')[:40]!r}, which is not a number"
    return "what is not a number"


def _corrupt(path: str, number: int, reason: str) -> InputError:
    return InputError(f"{path}:{number}: {reason}; a line is a word and its numbers")


def _binary(
    path: str, file: ByteFile, count: int, dimensions: int, word_filter: WordFilter
) -> Entries:
    width = 4 * dimensions
    buffer, at = b"", 0
    for number in range(1, count + 1):
        end = buffer.find(b" ", at)
        while end < 0 or len(buffer) < end + 1 + width:
            chunk = file.read(_CHUNK)
            if not chunk:
                raise InputError(
                    f"{path}: ends within word {number} of {count}; "
                    "the file is truncated or its header wrong"
                )
            if end < 0 and len(buffer) - at > _LONGEST:
                raise InputError(
                    f"{path}: word {number} of {count} is longer than {_LONGEST:,} "
                    "bytes; the file is corrupt"
                )
            buffer, at = buffer[at:] + chunk, 0
            end = buffer.find(b" ")
        kept_word = word_filter(buffer[at:end].lstrip(b"\n"))
        at = end + 1
        if kept_word is not None:
            vector = np.frombuffer(buffer, "<f4", dimensions, at).astype(np.float64)
            if not np.isfinite(vector).all():
                raise InputError(
                    f"{path}: word {number} of {count}, {kept_word!r}, has a number "
                    "that is not finite; the file is corrupt"
                )
            yield kept_word, vector
        at += width
    if (buffer[at:] + file.read(_CHUNK)).strip():
        raise InputError(
            f"{path}:1: says {several(count, 'word')}, but more follow; its header is "
            "wrong"
        )
