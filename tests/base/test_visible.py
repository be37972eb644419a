"""What a terminal would obey is shown instead."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.base.visible import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("S²Match 中 é \N{SMILING FACE WITH SMILING EYES}", None),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("\x9b2J", r"\x9b2J"),
        ("a\tb\r\nc", r"a\tb\r\nc"),
        ("\u202ereversed\u2069", r"\u202ereversed\u2069"),
        ("line\u2028feed", r"line\u2028feed"),
        ("half \udcff", r"half \udcff"),
        ("back\\slash", None),
    ],
)
def test_controls_become_escapes_and_the_rest_stays(
    text: str, shown: str | None
) -> None:
    assert visible(text) == (text if shown is None else shown)


@pytest.mark.slow
@given(st.text())
def test_nothing_is_left_that_moves_a_cursor_or_turns_a_line(text: str) -> None:
    """Categories from the Unicode database; bidirectional classes of the nine."""
    turning = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    for character in visible(text):
        assert unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        assert unicodedata.bidirectional(character) not in turning
