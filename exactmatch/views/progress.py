"""Progress bar for long runs, on a terminal only.

Nothing is drawn or imported in the first second, or if standard error is not a
terminal.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from exactmatch.base.visible import visible

_PATIENCE = 1.0


@contextmanager
def progress(label: str, total: int | None, quiet: bool) -> Iterator[Steps]:
    """Show a progress bar; the object that this yields is called after each step."""
    if quiet or not sys.stderr.isatty():
        yield Steps()
        return
    bar = _Bar(visible(label), total)
    try:
        yield bar
    finally:
        bar.stop()


class Steps:
    """Counter of steps that draws nothing."""

    def __call__(self, steps: int = 1) -> None:
        """Count some steps."""

    def searching(self, value: float, bound: float) -> None:
        """Report the matches of the best alignment so far, and their upper bound."""


class _Bar(Steps):
    """Progress bar that is drawn once the work has taken a while."""

    def __init__(self, label: str, total: int | None) -> None:
        self._what = label
        self._total = total
        self._steps = 0
        self._started = time.monotonic()
        self._drawn: Any = None
        self._task: Any = None

    def __call__(self, steps: int = 1) -> None:
        """Count some steps, and draw them if the work is long."""
        self._steps += steps
        self._update("")

    def searching(self, value: float, bound: float) -> None:
        """Draw the progress of the current search, if it is long."""
        gap = f" · {(bound - value) / value:.1%}".replace("%", " %") if value else ""
        self._update(f"bound {bound:.7g} · found {value:.7g}{gap}")

    def _update(self, search: str) -> None:
        if self._drawn is None:
            if time.monotonic() - self._started < _PATIENCE:
                return
            self._draw()
        self._drawn.update(self._task, completed=self._steps, search=search)

    def _draw(self) -> None:
        from rich import progress as bars
        from rich.console import Console

        self._drawn = bars.Progress(
            bars.TextColumn("{task.description}", markup=False),
            bars.BarColumn(bar_width=20),
            bars.MofNCompleteColumn(),
            bars.TimeElapsedColumn(),
            bars.TimeRemainingColumn(),
            bars.TextColumn("{task.fields[search]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._drawn.add_task(self._what, total=self._total, search="")
        self._drawn.start()

    def stop(self) -> None:
        """Remove the bar."""
        if self._drawn is not None:
            self._drawn.stop()
