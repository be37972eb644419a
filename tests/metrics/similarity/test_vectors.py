"""Files of word vectors: every format, every kind of damage, and the cache."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import os
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.files import Files

from exactmatch.base.errors import InputError
from exactmatch.base.files import cache_root
from exactmatch.metrics.labelled.source_layers import CosineLayer
from exactmatch.metrics.similarity import vectors as module
from exactmatch.metrics.similarity.concepts import VectorSimilarity
from exactmatch.metrics.similarity.vector_formats import read_vectors
from exactmatch.metrics.similarity.vectors import Vectors

Table = dict[str, list[float]]

WORDS: Table = {
    "cat": [0.5, -1.25, 2.0],
    "Käse": [1e-3, 0.0, -4.0],
    "hot-dog": [0.25, 0.5, 0.75],
}


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def glove(table: Table) -> bytes:
    lines = [f"{word} {' '.join(map(repr, row))}\n" for word, row in table.items()]
    return "".join(lines).encode()


def headed(table: Table) -> bytes:
    return f"{len(table)} {len(next(iter(table.values())))}\n".encode() + glove(table)


def fasttext(table: Table) -> bytes:
    """As fastText writes it: a blank at the end of each line."""
    return headed(table).replace(b"\n", b" \n").replace(b" \n", b"\n", 1)


def binary(table: Table) -> bytes:
    size = len(next(iter(table.values())))
    rows = [
        word.encode() + b" " + struct.pack(f"<{size}f", *row) + b"\n"
        for word, row in table.items()
    ]
    return f"{len(table)} {size}\n".encode() + b"".join(rows)


def binary_without_line_feeds(table: Table) -> bytes:
    size = len(next(iter(table.values())))
    rows = [
        word.encode() + b" " + struct.pack(f"<{size}f", *row)
        for word, row in table.items()
    ]
    return f"{len(table)} {size}\n".encode() + b"".join(rows)


FORMATS = [glove, headed, fasttext, binary, binary_without_line_feeds]


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("written", FORMATS)
def test_every_format_gives_the_same_vectors(
    tmp_path: Path, written: Callable[[Table], bytes], packed: bool
) -> None:
    file = tmp_path / "vectors"
    content = written(WORDS)
    file.write_bytes(gzip.compress(content) if packed else content)
    for _ in range(2):
        vectors = Vectors.load(file, ["cat", "Käse", "dog"])
        assert set(vectors.rows) == {"cat", "Käse"}
        for word in vectors.rows:
            found = vectors.get(word)
            assert found is not None
            single = np.array(WORDS[word], dtype=np.float32).tolist()
            assert found.tolist() in (WORDS[word], single)
    assert set(Vectors.load(file).rows) == set(WORDS)


@settings(max_examples=examples(50))
@example({"0": [0.0, 0.0], "\x1b": [0.0, 0.0]})
@example({"\x1b": [0.0, 0.0], "1": [0.5, 0.0]})
@given(
    st.dictionaries(
        st.text(st.characters(codec="utf-8", exclude_characters=" \t\n\r\x0b\x0c")),
        st.lists(st.floats(-1e6, 1e6, width=32), min_size=2, max_size=2),
        min_size=1,
        max_size=5,
    )
)
def test_text_is_read_as_python_reads_numbers(table: Table) -> None:
    table = {word: row for word, row in table.items() if word.split() == [word]}
    if not table or any(len(word.encode().split()) != 1 for word in table):
        return
    path = cache_root()
    path.mkdir(parents=True, exist_ok=True)
    file = path / "text"
    file.write_bytes(headed(table) if next(iter(table)).isdigit() else glove(table))
    assert {w: v.tolist() for w, v in read_vectors(str(file), table).items()} == table


def test_words_may_hold_blanks_and_the_last_of_two_counts(tmp_path: Path) -> None:
    file = tmp_path / "glove"
    file.write_bytes(b"cat 1 2\n. . . 3 4\ncat 5 6\n")
    vectors = Vectors.load(file)
    assert {
        word: vectors.matrix[row].tolist() for word, row in vectors.rows.items()
    } == {
        "cat": [5.0, 6.0],
        ". . .": [3.0, 4.0],
    }


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ":1: is empty"),
        (b"\n\n", ":1: is empty"),
        (b"cat\n", ":1: has no numbers"),
        (b"cat 1 2\ndog 1\nrat 1 2\n", ":2: has 1 number, not 2"),
        (b"cat 1 2\ndog 1 2 3\n", ":2: has 3 numbers, not 2"),
        (b"cat 1 2\ndog 1 x\n", ":2: has 'x', which is not a number"),
        (b"cat 1 2\nrat 1 x\n", ":2: has 'x', which is not a number"),
        (b"cat 1 2\ndog 1 2.3.4\n", ":2: has '2.3.4', which is not a number"),
        (b"cat 1 2\ndog 1 nan\n", ":2: has 'nan', which is not a number"),
        (b"cat 1 2\ndog 1 1e999\n", ":2: has a number that is not finite"),
        (b"cat 1 2\n\ndog 1 2\n", ":2: is empty"),
        (b"cat 1 2\n 1 2\n", ":2: has 1 number, not 2"),
        (b"2 2\ncat 1 2\n", ":1: says 2 words, but 1 follow"),
        (b"1 2\ncat 1 2\ndog 1 2\n", ":1: says 1 word, but 2 follow"),
        (b"2 2\ncat 1 2\ndog 1\n", ":3: has 1 number, not 2"),
        (b"2 0\ncat\ndog\n", ":1: says 0 dimensions"),
        (binary(WORDS)[:-5], ": ends within word 3 of 3"),
        (binary(WORDS) + b"more", ":1: says 3 words, but more follow"),
        (binary({"dog": [1, float("inf")]}), ": word 1 of 1, 'dog', has a number that"),
    ],
)
def test_damage_is_named(
    tmp_path: Path, content: bytes, message: str, packed: bool
) -> None:
    file = tmp_path / "damaged"
    file.write_bytes(gzip.compress(content) if packed else content)
    for _ in range(2):
        with pytest.raises(InputError, match=f"damaged({message})"):
            Vectors.load(file, ["cat", "dog", "Käse"])


def test_what_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"cannot read vectors .*nowhere.*: No such"):
        Vectors.load(tmp_path / "nowhere", ["cat"])
    with pytest.raises(InputError, match="cannot read vectors"):
        Vectors.load(tmp_path, ["cat"])
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(glove(WORDS))[:-12])
    with pytest.raises(InputError, match=r"cut\.gz: is not a whole gzip file"):
        Vectors.load(cut, ["cat"])


def entries() -> list[Path]:
    return sorted((cache_root() / "vectors").glob("*"))


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths that are really read, as they are read."""
    reads: list[str] = []

    def read(path: str, words: frozenset[str] | None) -> object:
        reads.append(path)
        return read_vectors(path, words)

    monkeypatch.setattr(module, "read_vectors", read)
    return reads


def test_the_cache_spares_reading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = counted(monkeypatch)
    file, copy = tmp_path / "a", tmp_path / "b"
    file.write_bytes(glove(WORDS))
    copy.write_bytes(glove(WORDS))
    Vectors.load(file, ["cat", "dog"])
    Vectors.load(file, ["dog", "cat"])
    Vectors.load(copy, ["dog"])
    assert len(reads) == 1
    assert "Käse" in Vectors.load(copy, ["Käse"])
    assert len(reads) == 2
    assert set(Vectors.load(file, ["cat", "Käse", "dog"]).rows) == {"cat", "Käse"}
    assert len(reads) == 2
    assert len(entries()) == 1


def test_the_cache_is_not_fooled_by_a_changed_file(tmp_path: Path) -> None:
    """Same name, same size, same time of change: other content all the same."""
    file = tmp_path / "a"
    file.write_bytes(b"cat 1 2\n")
    before = os.stat(file)
    Vectors.load(file, ["cat"])
    file.write_bytes(b"cat 1 3\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    found = Vectors.load(file, ["cat"]).get("cat")
    assert found is not None
    assert found.tolist() == [1.0, 3.0]
    file.write_bytes(b"cat 1\n")
    assert Vectors.load(file, ["cat"]).matrix.shape == (1, 1)


def test_a_damaged_cache_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a"
    file.write_bytes(glove(WORDS))
    Vectors.load(file, ["cat"])
    (entry,) = entries()
    whole = entry.read_bytes()
    reads = counted(monkeypatch)
    damages = [b"", whole[:-7], whole[:100] + b"!" + whole[101:], b"x" * 99]
    for count, damaged in enumerate(damages, 1):
        entry.write_bytes(damaged)
        assert "cat" in Vectors.load(file, ["cat"])
        assert len(reads) == count
        assert entry.read_bytes()[:32] == whole[:32] or len(entries()) == 1


@pytest.mark.parametrize(
    "names", [[], ["cat", "cat", "cat"], [["cat"]], None, [None, None], 1]
)
def test_a_cache_whose_words_do_not_fit_its_rows_is_written_anew(
    names: object, tmp_path: Path
) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"cat 1 2\ndog 3 4\n")
    Vectors.load(file, ["cat", "dog"])
    (entry,) = entries()
    payload = io.BytesIO()
    np.save(payload, np.array([[1.0, 2.0]]))
    payload.write(json.dumps([names, []]).encode())
    content = payload.getvalue()
    entry.write_bytes(hashlib.sha256(content).digest() + content)
    found = Vectors.load(file, ["cat", "dog"])
    assert found.matrix.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_cache_that_cannot_be_written_is_done_without(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.one("file", "no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    file = tmp_path / "a"
    file.write_bytes(glove(WORDS))
    assert "cat" in Vectors.load(file, ["cat"])


def test_signatures_name_the_file_and_its_content(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_bytes(glove(WORDS))
    name = f"words.txt@{hashlib.sha256(glove(WORDS)).hexdigest()[:12]}"
    assert Vectors.load(path).name == name
    own = dict(VectorSimilarity(str(path)).signature())
    assert own["vectors"] == name
    assert CosineLayer(path, None).name == f"cosine:{name}"


@pytest.mark.parametrize("head", [b"", b"2 2\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_a_byte_order_mark_is_no_part_of_the_first_word(
    head: bytes, packed: bool, tmp_path: Path
) -> None:
    path = tmp_path / "vectors"
    content = b"\xef\xbb\xbf" + head + b"go 1 0\nleave 0 1\n"
    path.write_bytes(gzip.compress(content) if packed else content)
    found = read_vectors(str(path), None)
    assert {word: list(vector) for word, vector in found.items()} == {
        "go": [1, 0],
        "leave": [0, 1],
    }
