"""Laws over every option of every command: it is declared, and says what it is for."""

from __future__ import annotations

from typing import get_args

import pytest

from exactmatch.base.options import Options, Purpose, option
from exactmatch.cli.commands import COMMANDS
from exactmatch.cli.parsers import Parser, make_parser

UNDECLARED = {"help", "help_all", "no_config"}
"""Options about the command line itself."""


@pytest.fixture(scope="module")
def parsers() -> dict[str, Parser]:
    """The parser of each command, with every option."""
    return {
        name: make_parser(COMMANDS[name], name, ["--help-all"]) for name in COMMANDS
    }


def test_every_option_says_what_it_is_for(parsers: dict[str, Parser]) -> None:
    for name, parser in parsers.items():
        for action in parser._actions:
            if action.dest in UNDECLARED:
                continue
            declared = parser.declared[action]
            assert declared.purpose in get_args(Purpose), (name, action.dest)
            assert action.help, (name, action.dest)


SEVERAL = {
    "at-least": "leaves out what is shown, and in cluster says what is together",
    "idf": "may be a file where YiSi compares sentences",
    "role-weights": "may be a file where YiSi compares sentences",
    "number": "chooses the pair that draw shows, and how many clusters there are",
    "only": "chooses roles, and in finegrained the scores that are shown",
    "proofs": "is a folder that score writes; report checks proofs",
}
"""Names of options that are for one thing in one command, for another elsewhere."""


def test_one_name_has_one_purpose(parsers: dict[str, Parser]) -> None:
    purposes: dict[str, set[str | None]] = {}
    for parser in parsers.values():
        for name, action in parser.long_options().items():
            if action.dest not in UNDECLARED:
                purposes.setdefault(name, set()).add(parser.declared[action].purpose)
    several = {name for name, found in purposes.items() if len(found) > 1}
    assert several == set(SEVERAL)


def test_an_option_without_purpose_is_refused() -> None:
    with pytest.raises(TypeError, match=r"the purpose of Nameless\.size is None"):
        type("Nameless", (Options,), {"size": option("how large", default=1)})
