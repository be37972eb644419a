"""explain-profile: a row for each choice, also where a reader refuses the files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from exactmatch.cli.main import main


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    return [str(tmp_path / "pred.amr"), str(tmp_path / "gold.amr")]


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["explain-profile", *arguments, "--format", "json", "-q"]) == 0
    answer = json.loads(capsys.readouterr().out)
    return {row["profile"]: row for row in answer["rows"]} | answer


@pytest.mark.parametrize("action", ["fail", "skip", "empty"])
def test_what_one_profile_refuses_is_a_row_that_says_so(
    capsys: pytest.CaptureFixture[str], files: list[str], action: str
) -> None:
    """Smatch cannot read a role without a value; SMATCH++ can, by leniency."""
    for path in files:
        Path(path).write_text("(a / b :ARG0)\n")
    found = rows(capsys, *files, "--on-error", action)
    assert found["smatchpp"]["f1"] == 1
    assert found["smatchpp"]["change"] is None or action == "empty"
    assert found["remarks"] == {"cannot be read": 2}
    if action == "fail":
        assert "without a role or a value" in found["smatch"]["error"]
    if action == "skip":
        assert "no pair could be scored; " in found["clean"]["error"]
    main(["explain-profile", *files, "--on-error", action, "-q"])
    assert "nan" not in capsys.readouterr().out


def test_what_no_profile_reads_is_an_error(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    for path in files:
        Path(path).write_text("(a / b :ARG0 (a / c)))\n(\n")
    assert main(["explain-profile", *files]) == 2
    assert "defines variable 'a' twice" in capsys.readouterr().err


def test_all_commands_agree_about_comments_without_a_graph(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    """Smatch passes over them; for the other profiles a graph is missing."""
    Path(files[0]).write_text("# ::id 0\n\n# ::id 1\n(a / b)\n")
    Path(files[1]).write_text("# ::id 0\n(a / b)\n\n# ::id 1\n(a / b)\n")
    found = rows(capsys, *files, "--on-error", "skip")
    for profile in ("clean", "smatchpp", "smatch"):
        code = main([*files, "--profile", profile, "--on-error", "skip"])
        err = capsys.readouterr().err
        if profile == "smatch":
            assert code == 2
            assert "1 predictions but 2 references" in err
            assert "1 predictions but 2 references" in found[profile]["error"]
        else:
            assert code == 0
            assert found[profile]["pred_total"] == 2
            assert main([*files, "--profile", profile]) == 2
            assert "graph '0' has comments but no graph" in capsys.readouterr().err


def test_standard_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain-profile", "-", "gold.amr"]) == 2
    assert "once for each profile" in capsys.readouterr().err


def test_losses_are_counted_by_graph(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    for path in files:
        Path(path).write_text('(a / x :op1 "a b" :op2 "c d")\n\n((a / x)\n')
    remarks = rows(capsys, *files)["remarks"]
    assert remarks["has quoted values cut at their first space"] == 2
    assert sum("none belongs" in remark for remark in remarks) == 1
