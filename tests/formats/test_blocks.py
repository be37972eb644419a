"""Files, folders and strings into blocks; what no reader should have to see."""

from __future__ import annotations

import bz2
import copy
import gzip
import io
import lzma
import os
import pickle
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from exactmatch.base.errors import InputError
from exactmatch.formats import blocks as reading
from exactmatch.formats.blocks import (
    Block,
    blocks_of_lines,
    blocks_of_text,
    count_blocks,
    first_id,
    graphs_of_text,
    read_blocks,
    read_lines,
)
from exactmatch.formats.files import expand, is_read_once
from exactmatch.formats.formats import PENMAN, looks_like
from exactmatch.formats.readings import load

TWO = "# ::id 1 ::date today\n# ::snt A  sentence.\n(a / x\n   :r b)\n\n\n  \n(b / y)\n"


def blocks(text: str) -> list[Block]:
    return list(blocks_of_text(text))


def test_blocks_stand_between_blank_lines() -> None:
    first, second = blocks(TWO)
    assert first.content == ("(a / x", ":r b)")
    assert len(first.lines) == 4
    assert (first.line, second.line) == (1, 8)
    assert second.content == ("(b / y)",)


def test_metadata_are_the_comments_with_two_colons() -> None:
    first, second = blocks(TWO)
    assert first.metadata() == {"id": "1", "date": "today", "snt": "A  sentence."}
    assert dict(second.metadata()) == {}
    (last,) = blocks("# ::id 1\n# plain :: not\n  # ::id 2\n# ::empty\n(a / x)")
    assert last.metadata() == {"id": "2", "empty": ""}


def test_positions_of_the_joined_content_are_found_in_the_file() -> None:
    (block,) = blocks("\n# ::id 1\n  (a / x\n# why\n\t:r b)\n")
    text = "".join(block.content)
    assert block.line == 2
    for place, line, column in (("a", 3, 4), (":r", 5, 2)):
        found = block.error_at("is odd", text.index(place))
        assert (found.line, found.column) == (line, column)
    end = block.error_at("is odd", 1000)
    assert (end.line, end.column, end.text) == (5, 7, "\t:r b)")
    assert end.excerpt() == "     :r b)\n          ^"
    assert block.content_line() == 3
    assert block.origin().graph_id == "1"
    assert block.origin().line == 3


def test_comments_without_a_graph_are_a_block_only_if_they_name_one() -> None:
    named, graph = blocks("# just so\n\n# ::id 1\n\n# ::id 2\n(a / x)")
    assert named.content == ()
    assert graph.content == ("(a / x)",)
    assert blocks("") == []
    assert blocks("\n \n# nothing\n") == []
    assert [block.content for block in blocks("# ::id 1")] == [()]


X, Y, Z = "(x / x)", "(y / y)", "(z / z)"


@pytest.mark.parametrize(
    ("paragraphs", "wanted"),
    [
        (["# ::id 1", X], [("1", X)]),
        (["# ::id 1 ::snt a", "# ::tok b", X], [("1", X)]),
        (["# ::tok b", X], [(None, X)]),
        (["# ::snt a", f"# ::id 1\n{X}"], [("1", X)]),
        (["# ::id 1", f"# ::snt a\n{X}"], [("1", X)]),
        (["# ::id 1", f"# ::id 1 ::annotator b\n{X}"], [("1", X)]),
        (["# ::id 1", X, Y], [("1", X), (None, Y)]),
        (
            ["# ::id 1", f"# ::id 2\n{X}", "# ::id 3", Y],
            [("1", ""), ("2", X), ("3", Y)],
        ),
        (["# ::id 1", "# ::id 2", "# ::id 3", X], [("1", ""), ("2", ""), ("3", X)]),
        (["# ::snt a", f"# ::snt b\n{X}"], [(None, ""), (None, X)]),
        (["# ::snt a", f"# ::snt a\n{X}"], [(None, ""), (None, X)]),
        (["# ::id 1", "# ::snt a", f"# ::id 2\n{X}"], [("1", ""), ("2", X)]),
        ([X, "# ::id 2"], [(None, X), ("2", "")]),
        (
            [f"# ::id 1\n{X}", "# ::id 2", Y, "# ::id 3", Z],
            [("1", X), ("2", Y), ("3", Z)],
        ),
        (["# head", "# ::id 1", "# of it", X, "# foot"], [("1", X)]),
        (["# ::release 3", f"# ::id 1\n{X}"], [("1", X)]),
        (["# ::id 1", f"# ::id 2\n{X}\n{Y}"], [("1", ""), ("2", f"{X}{Y}")]),
    ],
)
def test_comments_belong_to_the_graph_behind_them(
    tmp_path: Path, paragraphs: list[str], wanted: list[tuple[str | None, str]]
) -> None:
    for between in ("\n\n", "\n \n\t\n"):
        text = between.join(paragraphs)
        read = blocks(text)
        assert [(block.id, "".join(block.content)) for block in read] == wanted
        path = write(tmp_path / "a.amr", text.encode())
        assert count_blocks(path) == len(wanted)
        lines = text.split("\n")
        for block in read:
            for number, line in block.numbered():
                assert lines[number - 1] == line
            if block.content:
                assert lines[block.content_line() - 1] == block.content[0]


def test_comments_far_above_are_metadata_and_places_stay_right(tmp_path: Path) -> None:
    text = "# ::id 1\n# ::snt a b\n\n\n# ::tok a b\n\n  (x / x\n :r\n"
    (block,) = blocks(text)
    assert block.metadata() == {"id": "1", "snt": "a b", "tok": "a b"}
    path = write(tmp_path / "a.amr", text.encode())
    with pytest.raises(InputError) as refused:
        load(path, "clean")
    assert str(refused.value).startswith(f"{path}:8:4: graph '1'")


def test_line_ends_of_other_systems_are_line_ends() -> None:
    assert [b.content for b in blocks("(a / x\r\n:r b)\r\n\r\n(b / y)\r(c)")] == [
        ("(a / x", ":r b)"),
        ("(b / y)", "(c)"),
    ]


def test_lines_from_anywhere_will_do() -> None:
    assert len(list(blocks_of_lines(iter(["(a / x)\n", "\n", "(b / y)"])))) == 2


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def test_lines_in_memory_may_be_empty() -> None:
    lines = [
        "",
        "# ::id 1",
        "  (a / b",
        "\n",
        " \t",
        "",
        "(c / d)",
        "",
        "(e / f)\n",
        "",
    ]
    found = [(block.line, block.content) for block in blocks_of_lines(lines)]
    assert found == [(2, ("(a / b",)), (7, ("(c / d)",)), (9, ("(e / f)",))]
    *_, last = blocks_of_lines(lines)
    assert last.indented == ("(e / f)\n",)


def test_lines_are_taken_as_blocks_are_wanted() -> None:
    lines = iter(["(a / b)", "", "(c / d)", "", "(e / f)"])
    first = next(blocks_of_lines(lines))
    assert first.content == ("(a / b)",)
    assert "(e / f)" in list(lines)


def test_a_file_names_itself(tmp_path: Path) -> None:
    path = write(tmp_path / "a.amr", TWO.encode())
    first, second = read_blocks(path)
    assert first.path == second.path == str(path)
    assert second.origin().line == 8


def test_a_byte_order_mark_is_no_part_of_the_graph(tmp_path: Path) -> None:
    path = write(tmp_path / "a.amr", b"\xef\xbb\xbf(a / x)\n")
    (block,) = read_blocks(path)
    assert block.content == ("(a / x)",)


def test_gzip_and_folders(tmp_path: Path) -> None:
    write(tmp_path / "b.amr.gz", gzip.compress(b"(b / y)"))
    write(tmp_path / "a.amr", b"(a / x)")
    write(tmp_path / ".hidden", b"(h / h)")
    (tmp_path / "sub").mkdir()
    assert [b.content for b in read_blocks(tmp_path)] == [("(a / x)",), ("(b / y)",)]
    assert len(expand(tmp_path)) == 2


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(TWO.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    assert [block.path for block in read_blocks("-")] == ["standard input"] * 2


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("nul.amr", b"(a / x)\n\n(b / \0)\n", r"nul.amr:3: holds a NUL byte"),
        ("nul2.amr", "(é / \0)\n".encode(), r"nul2.amr:1: holds a NUL byte"),
        ("latin.amr", b"\n(a / caf\xe9)\n", r"latin.amr:2: byte 0xe9 is not UTF-8"),
        (
            "cut.gz",
            gzip.compress(b"(a / x)" * 99, mtime=0)[:-9],
            "is not a whole gzip file",
        ),
        ("no.gz", b"(a / x)", "is not a whole gzip file"),
        ("a.amr", "(a / x)".encode("utf-16"), "is UTF-16; convert it"),
        ("a.amr", b"PK\x03\x04zip", "is a zip archive; unpack it"),
        ("a.amr", bz2.compress(b"(a / x)"), "is packed with bzip2; unpack it"),
        ("a.amr", lzma.compress(b"(a / x)"), "is packed with xz; unpack it"),
        ("a.gz", gzip.compress(b"PK\x03\x04", mtime=0), "is a zip archive"),
        ("a.amr", b"\n<?xml version='1.0'?>\n<a/>", "looks like XML"),
        ("a.amr", b'[{"a": 1}]\n', "looks like JSON"),
    ],
)
def test_bad_files_are_one_sentence(
    tmp_path: Path, name: str, data: bytes, words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        list(read_blocks(write(tmp_path / name, data)))
    assert "\n" not in str(caught.value)
    if "UTF-8" not in words and "NUL" not in words:  # known before counting
        with pytest.raises(InputError, match=words):
            count_blocks(tmp_path / name)


LINES = ["", " ", "#", "# ::id 3", " # a : : b", "(a / b)", "\t:x y", "\xa0", "\xa0# c"]
LINES += ["\x0c", "\u3000", "é", "\x1c#", "!", "  "]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lines=st.lists(st.sampled_from(LINES)),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    mark=st.sampled_from(["", "\ufeff"]),
    at_once=st.integers(1, 20),
)
def test_blocks_are_counted_as_they_are_read(
    tmp_path: Path, lines: list[str], end: str, mark: str, at_once: int
) -> None:
    """Wherever one part of the file ends and the next one begins."""
    data = (mark + end.join(lines)).encode()
    path = write(tmp_path / "a.amr", data)
    found = list(read_blocks(path, "penman"))
    with patch.object(reading, "_AT_ONCE", at_once):
        assert count_blocks(path, "penman") == len(found)


@pytest.mark.parametrize(
    ("comment", "wanted"),
    [
        ("# ::id 3", "3"),
        ("# ::id  \t3 4", "3 4"),
        ("# ::id 3 ::snt a", "3"),
        ("# ::id 3::4", "3::4"),
        ("# ::id", ""),
        ("# ::idx 3", None),
        ("# ::id \xa03", "\xa03"),
        ("## ::id 3", "3"),
    ],
)
def test_an_id_ends_where_the_next_key_begins(comment: str, wanted: Any) -> None:
    (block,) = blocks_of_text(f"{comment}\n(a / b)")
    assert block.id == wanted
    assert block.metadata().get("id") == wanted


def test_the_first_line_of_the_content() -> None:
    (block,) = blocks_of_text("# ::id 3\n# (a / b)\n(a / b)\n# c\n)", "a.amr")
    assert block.content_line() == 3
    assert replace(block, content=("(a / c)", ")")).content_line() == 3
    assert replace(block, content=()).content_line() == 1
    alone = Block(("# a", "% b", "c"), ("c",), 7, None, format="sbn")
    assert alone.content_line() == 8


def test_a_gzip_file_needs_no_name_for_it(tmp_path: Path) -> None:
    (block,) = read_blocks(write(tmp_path / "a.amr", gzip.compress(b"(a / x)")))
    assert block.content == ("(a / x)",)


def test_a_pipe_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    assert is_read_once(str(path))
    assert is_read_once("-")
    assert not is_read_once(str(tmp_path))
    writer = threading.Thread(target=path.write_bytes, args=(TWO.encode(),))
    writer.start()
    assert len(list(read_blocks(path))) == 2
    writer.join()


@pytest.mark.parametrize(
    "text",
    [
        "# this file: alignment: by hand\n(a / x)",
        "# ::alignments 0-1\n(a / x)",
        "# ::snt a\n# alignment of words\n(a / x)",
        "{ not json\n\n(a / x)",
        "",
    ],
)
def test_what_only_resembles_another_format_is_penman(text: str) -> None:
    assert looks_like(text) == PENMAN


def test_a_file_of_sentences_may_look_like_anything(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", b"<b> he left\n{1}\n")
    assert [block.content for block in read_lines(path)] == [("<b> he left",), ("{1}",)]


def test_nothing_public_of_a_block_fails_to_pickle() -> None:
    first, second = blocks(TWO)
    for block in (first, second):
        found = pickle.loads(pickle.dumps(block.metadata()))
        assert found == block.metadata()
        assert copy.deepcopy(block.metadata()) == block.metadata()
    assert second.metadata() == {}


def test_missing_files_and_empty_folders(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing\.amr: no such file"):
        list(read_blocks(tmp_path / "nothing.amr"))
    with pytest.raises(InputError, match=r"^'': no such file"):
        list(read_blocks(""))
    with pytest.raises(InputError, match="holds no file"):
        list(read_blocks(tmp_path))


def test_metadata_compare_and_print_as_a_dictionary() -> None:
    (block,) = blocks("# ::id 1\n(a / x)")
    assert block.metadata() == {"id": "1"}
    assert list(block.metadata()) == ["id"]
    assert block.metadata().get("snt") is None


_PIECES = [
    *(
        "# ::id 7",
        "# ::id 8 ::date today",
        "# ::id",
        "# ::snt A (b",
        "# note",
        "#::id 9",
    ),
    *("# sentence level graph:", "% b", "b1 REF x1", "(a / x)", "(a / x", ":r b)"),
    *('("1" 2) :p :o .', "(1 2)", "{}", "", " ", "\t(b / y)", "\r", "(", "x"),
]


@given(
    st.lists(st.sampled_from(_PIECES), max_size=8).map("\n".join)
    | st.text("#: id(1)/ab\n\r\t", max_size=30)
    | st.lists(st.sampled_from(_PIECES), max_size=4).map(
        lambda lines: "\n".join(["# ::id 7", *lines])
    )
)
def test_the_first_id_is_that_of_the_first_block(text: str) -> None:
    assert outcome(first_id, text) == outcome(
        lambda text: next((block.id for block in graphs_of_text(text)), None), text
    )


def outcome(function: Any, text: str) -> Any:
    try:
        return function(text)
    except InputError:
        return InputError
