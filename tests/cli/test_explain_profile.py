"""explain-profile: a row for each choice, also where a reader refuses the files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.files import Files


@pytest.fixture
def pair(files: Files) -> list[str]:
    return files.pair("", "")


def rows(cli: Cli, *arguments: str) -> dict[str, Any]:
    answer = cli.json("explain-profile", *arguments, "-q")
    return {row["profile"]: row for row in answer["rows"]} | answer


@pytest.mark.parametrize("action", ["fail", "skip", "empty"])
def test_what_one_profile_refuses_is_a_row_that_says_so(
    cli: Cli, pair: list[str], action: str
) -> None:
    """Smatch cannot read a role without a value; SMATCH++ can, by leniency."""
    for path in pair:
        Path(path).write_text("(a / b :ARG0)\n")
    found = rows(cli, *pair, "--on-error", action)
    assert found["smatchpp"]["f1"] == 1
    assert found["smatchpp"]["change"] is None or action == "empty"
    assert found["remarks"] == {"cannot be read": 2}
    if action == "fail":
        assert "without a role or a value" in found["smatch"]["error"]
    if action == "skip":
        assert "no pair could be scored; " in found["clean"]["error"]
    assert "nan" not in cli("explain-profile", *pair, "--on-error", action, "-q").out


def test_what_no_profile_reads_is_an_error(cli: Cli, pair: list[str]) -> None:
    for path in pair:
        Path(path).write_text("(a / b :ARG0 (a / c)))\n(\n")
    assert "defines variable 'a' twice" in cli.refusal("explain-profile", *pair)


def test_all_commands_agree_about_comments_without_a_graph(
    cli: Cli, pair: list[str]
) -> None:
    """Smatch passes over them; for the other profiles a graph is missing."""
    Path(pair[0]).write_text("# ::id 0\n\n# ::id 1\n(a / b)\n")
    Path(pair[1]).write_text("# ::id 0\n(a / b)\n\n# ::id 1\n(a / b)\n")
    found = rows(cli, *pair, "--on-error", "skip")
    for profile in ("clean", "smatchpp", "smatch"):
        code, _, err = cli(*pair, "--profile", profile, "--on-error", "skip")
        if profile == "smatch":
            assert code == 2
            assert "1 predictions but 2 references" in err
            assert "1 predictions but 2 references" in found[profile]["error"]
        else:
            assert code == 0
            assert found[profile]["pred_total"] == 2
            assert "graph '0' has comments but no graph" in cli.refusal(
                *pair, "--profile", profile
            )


def test_standard_input_is_refused(cli: Cli) -> None:
    assert "once for each profile" in cli.refusal("explain-profile", "-", "gold.amr")


def test_losses_are_counted_by_graph(cli: Cli, pair: list[str]) -> None:
    for path in pair:
        Path(path).write_text('(a / x :op1 "a b" :op2 "c d")\n\n((a / x)\n')
    remarks = rows(cli, *pair)["remarks"]
    assert remarks["has quoted values cut at their first space"] == 2
    assert sum("none belongs" in remark for remark in remarks) == 1
