"""Files of sentences and of weights: what is wrong with one is a sentence."""

from __future__ import annotations

import gzip
import re

import pytest
from support.files import Files

from exactmatch.base.errors import InputError
from exactmatch.metrics.yisi.files import read_role_weights, text_lines

EIGHT = "1 0.5 0 2 1\n1 1 3\n"


def test_lines_are_the_same_packed_and_unpacked(files: Files) -> None:
    text = "\ufeffeins\nzwei\r\n\ndrei"
    plain = text_lines(files.one("plain", text))
    assert text_lines(files.one("packed", gzip.compress(text.encode()))) == plain
    assert [line.strip() for line in plain] == ["eins", "zwei", "", "drei"]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"\x1f\x8bxx", "is not a whole gzip file ("),
        (gzip.compress(b"one\n", mtime=0)[:-9], "is not a whole gzip file ("),
        (b"one\ntwo \xff\n", ":2: byte 0xff is not UTF-8; convert the file"),
    ],
)
def test_a_broken_file_is_named(files: Files, content: bytes, sentence: str) -> None:
    path = files.one("broken", content)
    with pytest.raises(InputError, match=re.escape(path)) as refusal:
        text_lines(path)
    assert sentence in str(refusal.value)


def test_a_file_that_is_not_there_is_named(files: Files) -> None:
    path = str(files.folder / "missing")
    with pytest.raises(InputError, match=f"^{re.escape(path)}: no such file$"):
        text_lines(path)


def test_role_weights_are_eight_numbers(files: Files) -> None:
    found = read_role_weights(files.one("weights", EIGHT))
    assert list(found.values()) == [1, 0.5, 0, 2, 1, 1, 1, 3]
    assert (next(iter(found)), [*found][-1]) == ("did", "how")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 2", "holds 2 numbers; write 8, one for each of did, "),
        ("", "holds 0 numbers; write 8"),
        (f"{EIGHT} 1", "holds 9 numbers; write 8"),
        ("one", "could not convert string to float: 'one'; write 8 numbers"),
        (EIGHT.replace("0.5", "-0.5"), "weights of role types must be 0 or more"),
        (EIGHT.replace("0.5", "nan"), "weights of role types must be 0 or more"),
    ],
)
def test_other_role_weights_are_refused(files: Files, text: str, sentence: str) -> None:
    path = files.one("weights", text)
    with pytest.raises(InputError, match=f"^{re.escape(f'{path}: {sentence}')}"):
        read_role_weights(path)
