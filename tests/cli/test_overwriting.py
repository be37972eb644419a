"""A file that is read is never written over, and no file is written twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

GRAPHS = "# ::id 1\n(b / bark-01 :ARG0 (d / dog))\n"

SAME = [
    ["pred.amr", "gold.amr", "-o", "pred.amr"],
    ["pred.amr", "gold.amr", "-o", "./folder/../gold.amr"],
    ["pred.amr", "gold.amr", "-o", "link.amr"],
    ["-f", "pred.amr", "gold.amr", "-o", "gold.amr"],
    ["--pred", "pred.amr", "--gold", "gold.amr", "-o", "pred.amr"],
    ["pred.amr", "gold.amr", "--certificates", "gold.amr"],
    ["folder", "gold.amr", "-o", "folder/one.amr"],
    ["convert", "pred.amr", "--to", "triples", "-o", "pred.amr"],
    ["report", "pred.amr", "gold.amr", "-o", "gold.amr"],
    ["nearest", "pred.amr", "--save", "pred.amr"],
    ["ensemble", "pred.amr", "gold.amr", "--oracle", "gold.amr", "-o", "gold.amr"],
]


@pytest.fixture(autouse=True)
def _in_folder_with_files(files: Files) -> None:
    files.enter()
    names = ("pred.amr", "gold.amr", "folder/one.amr")
    files(dict.fromkeys(names, GRAPHS))
    Path("link.amr").symlink_to("pred.amr")


@pytest.mark.parametrize("arguments", SAME, ids=" ".join)
def test_what_is_read_is_not_written_over(cli: Cli, arguments: list[str]) -> None:
    err = cli.refusal(*arguments)
    assert "is read, so it cannot be written as well; name another file" in err
    assert {path.read_text() for path in Path().rglob("*.amr")} == {GRAPHS}


def test_two_answers_do_not_share_a_file(cli: Cli) -> None:
    err = cli.refusal("pred.amr", "gold.amr", "-o", "x", "--certificates", "./x")
    assert "is named by two options that write" in err
    assert not Path("x").exists()


def test_a_word_that_is_no_file_stands_in_nobodys_way(cli: Cli) -> None:
    """A folder may be called as a metric is, and a cache lies where it likes."""
    Path("smatch").mkdir()
    for _ in range(2):
        cli.out("pred.amr", "gold.amr", "--metric", "smatch", "-o", "smatch/out")
        cli.out("pred.amr", "gold.amr", "--cache", ".", "-o", "out")
    assert Path("smatch/out").read_text().startswith(" ")


def test_devices_are_written_to_however_often(cli: Cli) -> None:
    null = "/dev/null"
    cli.out("pred.amr", "gold.amr", "-o", null, "--certificates", null)
