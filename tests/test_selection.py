"""Which tests run by default, and which of them share a process."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUICK = "test_silenced.py::test_what_is_silenced_has_a_reason"
SLOW = "test_user_script.py::test_mypy_passes_it"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (ROOT / "pyproject.toml").exists(), reason="no repository beside the tests"
    ),
]


def pytest_says(*arguments: str) -> str:
    """What pytest prints where the folder of all tests is one with a few."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-o", "testpaths=tests/types", *arguments],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("named", "is_quick", "is_slow"),
    [
        ((), True, False),
        (("-m", "slow"), False, True),
        (("-k", "silenced or mypy"), True, False),
        (("tests/types",), True, False),
        (("-m", "", "tests/types"), True, True),
    ],
)
def test_slow_tests_run_where_the_marker_says_so(
    named: tuple[str, ...], is_quick: bool, is_slow: bool
) -> None:
    listed = pytest_says("--collect-only", "-q", *named)
    assert (QUICK in listed, SLOW in listed) == (is_quick, is_slow)


def test_the_tests_of_a_module_run_in_one_process() -> None:
    """And processes that are told nothing leave out slow tests, too."""
    pytest.importorskip("xdist")
    listed = pytest_says("-n", "2", "-v", "-p", "no:cacheprovider")
    assert "scheduling tests via LoadFileScheduling" in listed
    assert re.search(rf"\[gw\d\] \[ *\d+%\] PASSED tests/types/{QUICK}", listed)
    assert SLOW not in listed
