"""The reference knows every command, every public name and every message."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest

import exactmatch
from exactmatch.cli.commands import COMMANDS

PAGES = Path(__file__).parents[2] / "docs" / "reference_pages.py"


@pytest.fixture(scope="module")
def pages() -> dict[str, Any]:
    return runpy.run_path(str(PAGES))


def test_every_public_name_is_listed(pages: dict[str, Any]) -> None:
    places = dict(pages["_names"]())
    text = "\n".join(pages["_functions"](places))
    for name in exactmatch.__all__:
        assert name.startswith("_") or f"[`{name}`](generated/python/{name}.md)" in text


def test_every_command_has_a_page(pages: dict[str, Any]) -> None:
    text = "\n".join(pages["_commands"]())
    for name in COMMANDS.own:
        assert f"generated/commands/{name}.md" in text
        page = "\n".join(pages["_command"](name)) if name == "align" else ""
        assert "--one-line" in page or name != "align"


def test_functions_of_commands_exist(pages: dict[str, Any]) -> None:
    for name, python in pages["PYTHON"].items():
        assert (pages["_installed"](python) is None) == (python == ""), name


@pytest.mark.slow
def test_messages_are_those_of_the_source(pages: dict[str, Any]) -> None:
    source = """
def refuse(name):
    if name:
        raise InputError(f"{name}: has no concept for "
                         f"variable {name!r}")
    raise SolverError(name)
"""
    assert [*pages["messages_of"](source)] == ["…: has no concept for variable …"]
    assert "has no concept for variable …" in "\n".join(pages["_messages"]())
