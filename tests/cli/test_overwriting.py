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
    [
        "ensemble",
        "pred.amr",
        "gold.amr",
        "--oracle",
        "gold.amr",
        "--graphs",
        "gold.amr",
    ],
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


def test_references_that_choices_are_held_against_are_kept(cli: Cli) -> None:
    arguments = ("pred.amr", "pred.amr", "--oracle", "gold.amr", "--graphs", "gold.amr")
    assert "is read, so it cannot be written" in cli.refusal("ensemble", *arguments)
    assert Path("gold.amr").read_text() == GRAPHS


@pytest.mark.parametrize(
    ("arguments", "called"),
    [
        (["pred.amr", "gold.amr", "-o", ""], "-o/--output"),
        (["pred.amr", "gold.amr", "--plot="], "--plot"),
        (["pred.amr", "gold.amr", "--cache", ""], "--cache"),
        (["pred.amr", "gold.amr", "--metric", "s2match", "--vectors="], "--vectors"),
        (["pred.amr", ""], "FILE"),
        (["pred.amr", "--gold", ""], "--gold/--references"),
        (["-f", "", "gold.amr"], "-f"),
        (["lint", "pred.amr", ""], "FILE"),
        (["nearest", "pred.amr", "--save", ""], "--save"),
        (["ensemble", "pred.amr", "pred.amr", "--oracle", ""], "--oracle"),
        (["compare", "gold.amr", "pred.amr", ""], "SYSTEM"),
    ],
    ids=" ".join,
)
def test_an_empty_name_is_told_of(cli: Cli, arguments: list[str], called: str) -> None:
    assert cli.refusal(*arguments) == (
        f"exactmatch: error: {called} is an empty name, ''; is a variable of the shell "
        "not set?\n"
    )


def test_a_text_may_be_empty(cli: Cli) -> None:
    """As the signature of a metric, or the names of roles, it is refused by others."""
    assert "is an empty name" not in cli("pred.amr", "gold.amr", "--only", "").err
