"""Common typing errors in PENMAN: each message says what is wrong, and where."""

from __future__ import annotations

import pytest
from support.command import Cli
from support.files import Files

import exactmatch
from exactmatch.base.errors import ExactmatchWarning, GraphError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.smatch import read_smatch

GOLD = "(a / b :ARG0 (c / d))"

REFUSED = {
    "(a / b": "line 1:7: the graph lacks 1 closing parenthesis; '(a' on line 1 is not",
    "(a / b\n :ARG0 (c / d": "line 2:14: the graph lacks 2 closing parentheses; '(c'",
    "(a / b))": "line 1:8: the graph has a ')' without its '('",
    "(a b)": "line 1:4: the graph has 'b' where '/' belongs, as in '(a / b'",
    "(a / b :ARG0 (c d))": "line 1:17: the graph has 'd' where '/' belongs",
    "(a)": "line 1: the graph has no concept for variable 'a'; write '(a / concept)'",
    "(a / b\n :ARG0 (c))": "line 2: the graph has no concept for variable 'c'; write",
    "(a / b :ARG0 :ARG1 a)": "the graph has role ':ARG0' without a value",
    "(a / b :ARG0)": "the graph has role ':ARG0' without a value",
    "(a / b ::ARG0 (c / d))": "the graph has a ':' without a role",
    "(a / b ARG0 (c / d))": "line 1:8: the graph has 'ARG0' without a role in front",
    "(a / b :ARG0 (a / c))": "line 1:15: the graph defines variable 'a' twice, first",
    "((a / b))": "line 1:2: the graph has a bracket where a variable or concept",
    "()": "line 1:2: the graph has a bracket without a variable",
    "[a / b]": "line 1:1: the graph does not begin with '(' but with '[a'",
    "boy": "line 1:1: the graph does not begin with '(' but with 'boy'",
}
"""Texts that the default profile refuses, and what its message says."""

READ = {
    "(a / )": "has a '/' without a concept",
    "(a / b) (c / d)": "is followed by another graph in the same block",
    '(a / b :op1 "c)': "ends inside a quoted value",
    "(a\t/\tb)": "has a tab behind a name or a concept",
    "(a / b :ARG0 (": "lacks a closing parenthesis",
    "(a / b :ARG0 (c / d)": "lacks a closing parenthesis",
}
"""Texts that smatch reads all the same, and what is remarked."""

ALSO_READ = {"(a)", "(a / b\n :ARG0 (c))", "[a / b]", "(a / b ::ARG0 (c / d))"}
"""What PENMAN permits, or the reader of another profile calls otherwise."""


@pytest.mark.parametrize("text", REFUSED)
def test_a_message_says_what_is_wrong_and_where(text: str) -> None:
    with pytest.raises(GraphError) as caught:
        exactmatch.smatch(text, GOLD)
    assert REFUSED[text] in str(caught.value)


@pytest.mark.parametrize("profile", ["clean", "s2match"])
@pytest.mark.parametrize("text", sorted(REFUSED.keys() - ALSO_READ))
def test_other_profiles_say_the_same(text: str, profile: str) -> None:
    with pytest.raises(GraphError) as caught:
        exactmatch.smatch(text, GOLD, profile=profile)
    assert REFUSED[text].partition("the graph ")[2] in str(caught.value)


@pytest.mark.filterwarnings("ignore:line 1. the graph lacks")
@pytest.mark.parametrize("text", READ)
def test_what_is_read_all_the_same_is_remarked(text: str) -> None:
    with pytest.warns(ExactmatchWarning, match=READ[text]):
        exactmatch.smatch(text, GOLD)


@pytest.mark.parametrize("profile", ["s2match", "sembleu"])
def test_no_profile_takes_an_empty_concept_in_silence(profile: str) -> None:
    with pytest.warns(ExactmatchWarning, match=READ["(a / )"]):
        exactmatch.smatch("(a / )", GOLD, profile=profile)


def test_the_reader_itself_stops_where_smatch_does() -> None:
    (block,) = blocks_of_text("(a / b")
    with pytest.raises(GraphError, match="has no concept for variable 'a'"):
        read_smatch(block)


def test_the_command_says_it_with_file_line_and_column(cli: Cli, files: Files) -> None:
    files.enter()
    files({"pred.amr": "\n# ::id 7\n  (a / b\n", "gold.amr": GOLD})
    assert (
        "pred.amr:3:9: graph '7' lacks 1 closing parenthesis; '(a' on line 3 is not "
        "closed; --on-error skip"
    ) in cli.refusal("pred.amr", "gold.amr")
