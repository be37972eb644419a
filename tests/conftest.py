"""What holds for every test, and what tests of several folders share."""

from pathlib import Path

import pytest
from hypothesis import settings
from support.command import Cli
from support.files import Files

# No test depends on how busy the machine is.
settings.register_profile("without_clock", deadline=None)
settings.load_profile("without_clock")


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs command lines; gives exit code, standard output and standard error."""
    return Cli(capsys)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """Writes the files that a test is about."""
    return Files(tmp_path, monkeypatch)
