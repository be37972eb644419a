"""Where the kernels are not compiled each command that describes itself says so."""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.base import version

SAID = "not compiled and run interpreted"


@pytest.fixture(params=[True, False])
def is_compiled(
    request: pytest.FixtureRequest, files: Files, monkeypatch: pytest.MonkeyPatch
) -> bool:
    """Whether a compiled kernel lies beside its source in what is installed."""
    files.one("engine/_coding.py", "")
    if request.param:
        files.one(f"engine/_coding{EXTENSION_SUFFIXES[0]}", "")
    place = Path(files.one("base/version.py", ""))
    monkeypatch.setattr(version, "__file__", str(place))
    return bool(request.param)


@pytest.mark.parametrize(
    "arguments", ["--version", "solvers", "solvers --format json", "sample -v"]
)
def test_it_is_said_once(is_compiled: bool, cli: Cli, arguments: str) -> None:
    found = cli(*arguments.split())
    assert found.code == 0
    assert found.err.count(SAID) == (not is_compiled)
    assert SAID not in found.out


@pytest.mark.usefixtures("is_compiled")
def test_it_is_not_said_of_every_score(cli: Cli) -> None:
    assert SAID not in cli("sample").err
