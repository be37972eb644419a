"""What the scanner of S²match's and SemBleu's readers reads on from is remarked."""

from __future__ import annotations

import pytest

from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.readings import get_reader
from exactmatch.formats.remarks import (
    BLANK,
    GLUED,
    NAMELESS_ROLE,
    OPEN_QUOTE,
    ROLELESS,
    SEVERAL_GRAPHS,
    STRAY,
    TABBED,
    TAGGED,
    UNCLOSED,
    UNQUOTED,
    Reading,
)

READERS = ("s2match", "sembleu")


def read(text: str, reader: str) -> Reading:
    (block,) = blocks_of_text(text)
    return get_reader(reader)(block)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("(a / x :op1 (b / y)", UNCLOSED),
        ('(a / x :op1 "y)', OPEN_QUOTE),
        ("(a / x)(b / y)", SEVERAL_GRAPHS),
        ("(a / x : (b / y))", NAMELESS_ROLE),
        ("(a / x~e.1)", TAGGED),
        ("((a / x)", STRAY),
        ("c (a / x)", STRAY),
        ("(a / x) c", STRAY),
        ("(a / x) :r c", STRAY),
        ("(a / x :r (b / y) c)", STRAY),
        ("(a / x :r (b / y) c :q 1)", STRAY),
        ("(a / x :r (b / y) (c / z))", ROLELESS),
        ("(a b / x)", BLANK),
        ("(a / x y )", BLANK),
        ("(a / x :r q (b / y))", BLANK),
        ("(a / x :r 1 2)", UNQUOTED),
        ("(a / x\t:r 1)", TABBED),
    ],
)
def test_leniency_is_remarked(text: str, remark: str, reader: str) -> None:
    assert remark in read(text, reader).lenient


def test_lines_are_glued_only_where_they_are_joined_without_a_blank() -> None:
    for text in ("(a / x\n y)", '(a / x :r "y\n(z)")', "(a / x :q 1\n2)"):
        assert GLUED in read(text, "s2match").lenient
        assert GLUED not in read(text, "sembleu").lenient


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    "text",
    [
        '(a / x :op1 "y~z" :op2 "New York" :ARG0 (b / y))',
        "( a / x :r ( b / y ) :q 1 )",
        "(\na\n/ x\n:r\n(b /\ny\n)\n)",
        "# ::snt a\n(a / x\n# b\n:q 1)",
    ],
)
def test_what_is_read_without_leniency_is_not_remarked(text: str, reader: str) -> None:
    assert read(text, reader).lenient == ()
