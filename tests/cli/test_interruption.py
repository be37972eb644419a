"""Ctrl-C and the sight of a long search, from the command line on a terminal."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest
from support.command import record_in
from support.files import Files
from support.terminals import open_terminal

pytestmark = pytest.mark.slow

SEARCHING = re.compile(r"bound ([\d.]+) · found ([\d.]+) · ([\d.]+) %")


def ring(*lengths: int) -> str:
    """A graph of rings, all nodes alike, that hang on one root."""
    rings = []
    for number, length in enumerate(lengths):
        inner = f":next r{number}x0"
        for k in range(length - 1, -1, -1):
            inner = f":next (r{number}x{k} / node {inner})"
        rings.append(inner.replace(":next", ":ring", 1))
    return f"(r / rings {' '.join(rings)})\n"


@pytest.fixture
def long_pair(files: Files) -> list[str]:
    """A pair that no solver proves in a minute."""
    return files.pair(ring(60), ring(6, 10, 20, 24))


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """A pseudo-terminal: our end, and the program's."""
    ours, theirs = open_terminal()
    yield ours, theirs
    os.close(ours)


HEARD = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGTERM, signal.SIG_DFL)
from exactmatch.__main__ import main
sys.exit(main())
"""
"""The program; signals are heard where the tests themselves run in the background."""


def interrupted(
    terminal: tuple[int, int], arguments: list[str], number: signal.Signals
) -> tuple[subprocess.Popen[str], str, str]:
    """Start the program, and send a signal once it shows how the search goes.

    Returns:
        The process that has ended, its output, and what the terminal showed.
    """
    ours, theirs = terminal
    process = subprocess.Popen(
        [sys.executable, "-c", HEARD, *arguments],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "120", "NO_COLOR": "1"},
    )
    os.close(theirs)
    shown = ""
    while not SEARCHING.search(shown):
        shown += os.read(ours, 4096).decode()
    process.send_signal(number)
    rest: list[bytes] = []
    reader = threading.Thread(target=_read_all, args=(ours, rest))
    reader.start()  # a terminal that nobody reads would hold the program up
    output, _ = process.communicate()
    reader.join()
    return process, output, shown + b"".join(rest).decode()


def _read_all(terminal: int, parts: list[bytes]) -> None:
    with contextlib.suppress(OSError):  # so a terminal ends
        while part := os.read(terminal, 4096):
            parts.append(part)


@pytest.mark.parametrize("solver", ["auto", "bnb", "cpsat", "highs", "cbc"])
def test_ctrl_c_keeps_what_a_long_search_found(
    long_pair: list[str], terminal: tuple[int, int], solver: str
) -> None:
    """As at a time limit: the pair is in the report, with its value and its bound."""
    process, output, shown = interrupted(
        terminal,
        [*long_pair, "--solver", solver, "--format", "json"],
        signal.SIGINT,
    )
    assert process.returncode == 130, shown
    report = record_in(output)
    assert (report["partial"], report["pairs"], report["proven"]) == (True, 1, 0)
    found = SEARCHING.search(shown)
    assert found is not None
    bound, value, _ = map(float, found.groups())
    assert 0 < value <= report["matched"] < report["bound"] <= bound
    assert "Traceback" not in shown


def test_interruption_leaves_a_partial_report(files: Files) -> None:
    """Ctrl-C while the second graph is awaited: the first is reported."""
    path = files.graphs("two.amr", ["(a / b)", "(c / d)"])
    env = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(
        [sys.executable, "-c", _SLOW, path],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
    )
    assert process.stderr is not None
    assert "waiting" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    found = record_in(out)
    assert (found["partial"], found["pairs"]) == (True, 1)
    assert "partial:yes" in found["signature"]
    assert "Traceback" not in err


_SLOW = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
from exactmatch.cli.main import main
from exactmatch.scoring.pair import PairScorer
score = PairScorer.score
calls = []
def slow(self, *args, **options):
    if calls:
        print("waiting", file=sys.stderr, flush=True)
        time.sleep(60)
    calls.append(1)
    return score(self, *args, **options)
PairScorer.score = slow
sys.exit(main([sys.argv[1], sys.argv[1], "--format", "json"]))
"""
