"""What holds for every test, and what tests of several folders share."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from support.command import Cli
from support.examples import examples
from support.files import Files
from support.type_checking import Mypy

from exactmatch.scoring import parallel

# No test depends on how busy the machine is.
settings.register_profile("without_clock", deadline=None, max_examples=examples(100))
settings.load_profile("without_clock")


def pytest_configure(config: pytest.Config) -> None:
    """Leave out slow tests where none are named, by path, ``-k`` or ``-m``."""
    named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
    if not (named or config.option.keyword or config.option.markexpr):
        config.option.markexpr = "not slow"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Run a module's tests in one process of ``-n``: what they share is made once."""
    scheduler = importlib.import_module("xdist.scheduler")
    return scheduler.LoadFileScheduling(config, log)


_USUAL = parallel._LONGEST


@pytest.fixture(scope="session", autouse=True)
def _settings_of_nobody(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep the secret of caches out of the folder of whoever runs the tests."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))
    os.environ.pop("COLUMNS", None)  # the terminal is as wide as a test says


@pytest.fixture(autouse=True, scope="session")
def processes_for_little() -> Iterator[None]:
    """Where a test asks for two processes, there are two, however little they do."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parallel, "_LONGEST", -1)
        yield


@pytest.fixture
def usual_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work is done in the test's own process, as outside of tests."""
    monkeypatch.setattr(parallel, "_LONGEST", _USUAL)


@pytest.fixture(autouse=True, scope="session")
def _noon() -> Iterator[None]:
    """Let every answer, also of other processes, be of 2026-01-01 12:00 UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOURCE_DATE_EPOCH", "1767268800")
        yield


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs command lines; gives exit code, standard output and standard error."""
    return Cli(capsys)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Files:
    """Writes the files that a test is about."""
    return Files(tmp_path, monkeypatch)


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Mypy:
    """Checks the types of scripts."""
    return Mypy(tmp_path_factory.mktemp("mypy"))
