"""What the tests of solvers share."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from exactmatch.solvers.linear import process


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let packages work here, where a test can replace parts of them."""

    def run(function: Any, *arguments: Any, hear: Any = None, **_options: Any) -> Any:
        limit = _options["progress"].seconds_left()
        return function(hear or (lambda _news: None), limit, *arguments)

    monkeypatch.setattr(process, "run", run)


@pytest.fixture
def alarm() -> Iterator[None]:
    """Turn SIGALRM into what Ctrl-C raises."""
    if not hasattr(signal, "SIGALRM"):
        pytest.skip("needs POSIX signals")
    if "coverage" in sys.modules and sys.modules["coverage"].Coverage.current():
        pytest.skip("an interruption may leave the lock of coverage's tracer taken")

    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
