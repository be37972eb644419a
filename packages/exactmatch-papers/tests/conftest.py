"""Command lines and files of the tests, as in the tests of exactmatch."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings
from support.command import Cli
from support.examples import examples
from support.files import Files

settings.register_profile("without_clock", deadline=None, max_examples=examples(100))
settings.load_profile("without_clock")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs command lines; gives exit code, standard output and standard error."""
    return Cli(capsys)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """Writes the files that a test is about."""
    return Files(tmp_path, monkeypatch)
