"""What holds for every test, and what tests of several folders share."""

from __future__ import annotations

import builtins
import importlib
import inspect
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from support.command import Cli
from support.examples import examples
from support.files import Files
from support.type_checking import Mypy

from exactmatch.scoring import parallel

PORTABLE_NAMES = {
    "test_imports.py",
    "test_front.py",
    "test_reprs.py",
    "base/test_files.py",
    "base/test_options.py",
    "base/test_registry.py",
    "cli/test_completion.py",
    "cli/test_help.py",
    "cli/test_rare_things.py",
    "cli/test_score.py",
    "cli/test_slim.py",
    "edit/test_matrix.py",
    "edit/test_triples.py",
    "engine/test_coding.py",
    "formats/test_machine_formats.py",
    "formats/test_round_trips.py",
    "fuzz/test_what_counts.py",
    "many/test_ensemble.py",
    "metrics/mrp/test_scores.py",
    "metrics/test_s2match.py",
    "metrics/umr/test_umatch.py",
    "metrics/yisi/test_words.py",
    "scoring/test_export.py",
    "scoring/test_parallel.py",
    "scoring/test_references.py",
    "signatures/test_stored.py",
    "solvers/test_bnb.py",
    "solvers/test_matching.py",
    "studies/explain_profile/test_study.py",
    "views/test_csv_programs.py",
    "views/test_data.py",
}
"""Modules of tests marked ``portable``: they read and write files, start processes, add
floats, build command lines and arrays, in which versions of Python and NumPy differ."""

PORTABLE = {Path(__file__).parent / name for name in PORTABLE_NAMES}

# No test depends on how busy the machine is.
settings.register_profile("without_clock", deadline=None, max_examples=examples(100))
settings.load_profile("without_clock")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that are tried on every Python, before ``-m`` selects."""
    for item in items:
        if item.path in PORTABLE:
            item.add_marker(pytest.mark.portable)


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


@pytest.fixture(autouse=True, scope="session")
def _no_sum_of_floats() -> Iterator[None]:
    """Refuse ``sum`` of floats in our code: Python 3.12 changed its last digit.

    ``math.fsum``, integers and NumPy give the same number in every version.
    """
    plain = builtins.sum

    def checked(items: Iterable[Any], /, start: Any = 0) -> Any:
        total = plain(items, start)
        if type(total) is float:
            caller = sys._getframe(1).f_globals.get("__name__", "")
            if caller.partition(".")[0] == "exactmatch":
                raise AssertionError(f"{caller} adds floats with sum: use math.fsum")
        return total

    # PyTorch's compiler compares what it replaces with its own version of it
    checked.__signature__ = inspect.signature(plain)  # type: ignore[attr-defined]  # functions have one
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(builtins, "sum", checked)
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
