"""A progress bar for long runs, on a terminal only.

Nothing is drawn, and nothing imported, in the first second or where standard
error is not a terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_PATIENCE = 1.0


@contextmanager
def progress(
    what: str, total: int | None, quiet: bool
) -> Iterator[Callable[..., None]]:
    """Give a function to call after each step, or with a number of them.

    Args:
        what: what is being done, such as ``scoring``.
        total: how many steps there will be, if that is known.
        quiet: draw nothing.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda _steps=1: None
        return
    bar = _Bar(what, total)
    try:
        yield bar.step
    finally:
        bar.stop()


class _Bar:
    """Draws itself once the work has taken a while."""

    def __init__(self, what: str, total: int | None) -> None:
        self._what = what
        self._total = total
        self._steps = 0
        self._started = time.monotonic()
        self._drawn: Any = None
        self._task: Any = None

    def step(self, steps: int = 1) -> None:
        """Count some steps, and draw them if the work is long."""
        self._steps += steps
        if self._drawn is None:
            if time.monotonic() - self._started < _PATIENCE:
                return
            self._draw()
        self._drawn.update(self._task, completed=self._steps)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        self._drawn = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._drawn.add_task(self._what, total=self._total)
        self._drawn.start()

    def stop(self) -> None:
        """Take the bar away."""
        if self._drawn is not None:
            self._drawn.stop()
