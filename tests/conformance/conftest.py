"""Conformance with published implementations, on the data of ``EXACTMATCH_DATA``.

Without that variable everything here is skipped.  ``--full-conformance`` runs every
solver on every pair; otherwise the slow ones see a fixed sample.  What could not be
run, and how fast it was, is said at the end.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

FULL = "--full-conformance"
NOTES = pytest.StashKey[list[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(FULL, action="store_true", help="run every solver on every pair")


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    notes = config.stash.get(NOTES, [])
    if notes:
        terminalreporter.section("conformance")
        for text in notes:
            terminalreporter.write_line(text)


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether every solver sees every pair."""
    return bool(pytestconfig.getoption(FULL, default=False))


@pytest.fixture(scope="session")
def note(pytestconfig: pytest.Config) -> Callable[[str], None]:
    """Say something at the end of the run."""
    return pytestconfig.stash.setdefault(NOTES, []).append
