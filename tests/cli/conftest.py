"""What tests of commands share."""

import pytest
from support.command import Cli


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs command lines; gives exit code, standard output and standard error."""
    return Cli(capsys)
