"""``exactmatch lint``: lines for people and programs, and the exit code."""

from __future__ import annotations

import json

import pytest
from support.command import Cli
from support.files import Files

FINE = "(a / b)\n"
BROKEN = "# ::id one\n(a / b :ARG0 (c))\n\n# ::id one\n(d / e\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    files.one("fine.amr", FINE)
    files.one("broken.amr", BROKEN)


def test_nothing_wrong_is_0(cli: Cli) -> None:
    assert cli.out("lint", "fine.amr") == "nothing is wrong\n"
    assert cli.out("lint", "-q", "fine.amr") == ""


def test_something_wrong_is_1(cli: Cli) -> None:
    ran = cli("lint", "fine.amr", "broken.amr")
    assert ran.code == 1
    assert ran.out == (
        "broken.amr:2: warning: graph 'one' has no concept for 'c' [no-concept]\n"
        "broken.amr:5: warning: graph 'one' has the id of the graph on line 1 "
        "[repeated-id]\n"
        "broken.amr:5: error: graph 'one' lacks 1 closing parenthesis; '(d' on line 5 "
        "is not closed [unreadable]\n"
        "3 found: 1 no-concept, 1 repeated-id, 1 unreadable\n"
    )


def test_programs_read_it_too(cli: Cli) -> None:
    ran = cli("lint", "broken.amr", "--format", "json")
    assert ran.code == 1
    data = json.loads(ran.out)
    assert data["counts"] == {"no-concept": 1, "repeated-id": 1, "unreadable": 1}
    assert data["findings"][0] == {
        "path": "broken.amr",
        "line": 2,
        "id": "one",
        "severity": "warning",
        "rule": "no-concept",
        "message": "has no concept for 'c'",
    }


def test_a_missing_file_is_2(cli: Cli) -> None:
    code, out, err = cli("lint", "fine.amr", "nowhere.amr")
    assert code == 2
    assert out == ""
    assert err.startswith("exactmatch: error: nowhere.amr")
