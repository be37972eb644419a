"""penman's log messages stay unseen: our readers say what matters."""

from __future__ import annotations

import subprocess
import sys

import pytest

import exactmatch

TWICE = "(a / b~e.2 :ARG0 c :ARG0 c)"
"""A text of which penman logs that a triple stands there twice."""

_SCRIPT = f"""
import exactmatch
exactmatch.read({TWICE!r}, profile="clean")
"""


def test_penmans_log_stays_off_the_terminal() -> None:
    """In a program that has not set up logging."""
    command = [sys.executable, "-c", _SCRIPT]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_a_program_that_logs_hears_penman(caplog: pytest.LogCaptureFixture) -> None:
    exactmatch.read(TWICE, profile="clean")
    assert "duplicate triple" in caplog.text
