"""``exactmatch lint``: lines for people and programs, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exactmatch.cli.main import main

FINE = "(a / b)\n"
BROKEN = "# ::id one\n(a / b :ARG0 (c))\n\n# ::id one\n(d / e\n"


@pytest.fixture(autouse=True)
def _in_folder_with_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("fine.amr").write_text(FINE)
    Path("broken.amr").write_text(BROKEN)


def test_nothing_wrong_is_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "fine.amr"]) == 0
    assert capsys.readouterr().out == "nothing is wrong\n"
    assert main(["lint", "-q", "fine.amr"]) == 0
    assert capsys.readouterr().out == ""


def test_something_wrong_is_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "fine.amr", "broken.amr"]) == 1
    assert capsys.readouterr().out == (
        "broken.amr:2: warning: graph 'one' has no concept for 'c' [no-concept]\n"
        "broken.amr:5: warning: graph 'one' has the id of the graph on line 1 "
        "[repeated-id]\n"
        "broken.amr:5: error: graph 'one' lacks 1 closing parenthesis [unreadable]\n"
        "3 found: 1 no-concept, 1 repeated-id, 1 unreadable\n"
    )


def test_programs_read_it_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "broken.amr", "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["counts"] == {"no-concept": 1, "repeated-id": 1, "unreadable": 1}
    assert data["findings"][0] == {
        "path": "broken.amr",
        "line": 2,
        "id": "one",
        "severity": "warning",
        "rule": "no-concept",
        "message": "has no concept for 'c'",
    }


def test_a_missing_file_is_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint", "fine.amr", "nowhere.amr"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("exactmatch: error: nowhere.amr")
