"""The plug-in of this package is found as those of others are, and before them."""

from __future__ import annotations

import importlib
import importlib.metadata
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.command import Cli

import exactmatch
from exactmatch.cli.commands import COMMANDS, GROUPS
from exactmatch.cli.plugins import REGISTRIES

PAPERS = set(GROUPS["papers"])


@pytest.fixture
def forgotten() -> Iterator[None]:
    """Entry points are read anew, in the test and after it."""
    for registry in REGISTRIES:
        registry.__dict__.pop("added", None)
    yield
    for registry in REGISTRIES:
        registry.__dict__.pop("added", None)


def test_the_help_lists_what_is_declared() -> None:
    assert not PAPERS & set(COMMANDS.own)
    assert {name for name in COMMANDS.added if COMMANDS.is_ours(name)} == PAPERS


def test_the_command_lists_them_without_a_problem(cli: Cli) -> None:
    rows = cli.json("plugins")["plugins"]
    ours = {
        row["name"]: row for row in rows if row["package"].startswith("exactmatch ")
    }
    assert set(ours) == {*PAPERS, "sets"}
    assert {row["problem"] for row in ours.values()} == {None}


def test_they_are_suggested(cli: Cli) -> None:
    assert "did you mean 'principles'?" in cli.refusal("principels")
    assert "did you mean 'kgrams'?" in cli.refusal("help", "kgram")


@pytest.mark.usefixtures("forgotten")
def test_neither_a_file_nor_another_package_comes_first(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a folder called ``data`` the command is meant, as of any other of ours."""
    info = tmp_path / "aaa-1.2.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: aaa\nVersion: 1.2\n")
    (info / "entry_points.txt").write_text("[exactmatch.commands]\ndata = aaa:none\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    assert "lp-1.6" in cli.out("data", "list")
    problems = {
        row["package"]: row["problem"] for row in cli.json("plugins")["plugins"]
    }
    assert problems["aaa 1.2"].endswith("has a command of this name")


@pytest.mark.usefixtures("forgotten")
def test_what_is_not_installed_says_so(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    assert "comes with an installed exactmatch" in cli.refusal("principles", "a", "b")
    assert cli.refusal("kgram", "a") == "exactmatch: error: kgram: no such file\n"


def test_the_front_has_the_functions() -> None:
    assert set(dir(exactmatch.papers)) == {
        *("Kgrams", "Principles", "list_kgrams", "measure_principles")
    }
