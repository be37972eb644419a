"""The package is found by its entry points alone, as those of others are."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Iterator

import pytest
from support.command import Cli
from support.files import Files

import exactmatch_papers
from exactmatch.cli.commands import COMMANDS, INSTALLED_APART
from exactmatch.cli.plugins import REGISTRIES


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Entry points are read anew, in the test and after it."""
    for registry in REGISTRIES:
        registry.__dict__.pop("active_entry_points", None)
    yield
    for registry in REGISTRIES:
        registry.__dict__.pop("active_entry_points", None)


def test_the_commands_are_those_that_exactmatch_names() -> None:
    ours = {
        row.name
        for row in COMMANDS.declared()
        if (row.package or "").startswith("exactmatch-papers ")
    }
    assert ours == {*INSTALLED_APART}
    assert not ours & {*COMMANDS.own}


def test_they_are_listed_without_a_problem(cli: Cli) -> None:
    rows = cli.json("plugins")["plugins"]
    ours = {r["name"]: r for r in rows if r["package"].startswith("exactmatch-papers ")}
    assert set(ours) == {*INSTALLED_APART, "sets"}
    assert {row["problem"] for row in ours.values()} == {None}


def test_they_are_suggested(cli: Cli) -> None:
    assert "did you mean 'principles'?" in cli.refusal("principels")
    assert "did you mean 'kgrams'?" in cli.refusal("help", "kgram")


def test_a_folder_of_that_name_is_not_meant(cli: Cli, files: Files) -> None:
    files.enter()
    files.one("data/a.amr", "(a / b)")
    assert "lp-1.6" in cli.out("data", "list")
    files.one("kgrams", "(a / b)")
    assert cli.out("kgrams", "kgrams", "-q") == "1.0000\n"


@pytest.mark.usefixtures("forgotten")
def test_what_is_not_installed_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    for command in INSTALLED_APART:
        assert "pip install ./packages/exactmatch-papers" in cli.refusal(command, "a")
    assert cli.refusal("kgram", "a") == "exactmatch: error: kgram: no such file\n"


def test_the_front_has_the_functions() -> None:
    assert set(dir(exactmatch_papers)) == {
        *("Kgrams", "Principles", "list_kgrams", "measure_principles")
    }
