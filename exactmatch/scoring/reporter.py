"""Whom an evaluation tells how it goes: nobody, unless the caller says otherwise."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

from exactmatch.writing.progress import Steps


class Reporter(Protocol):
    """Is told what happens while an evaluation runs.

    The command line's prints to the terminal; a notebook's or a service's may do
    something else.  Nothing that it is told is missing from the report.
    """

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        """Begin some work.

        Args:
            what: what is being done, such as ``scoring``.
            total: how many steps there will be, if that is known.

        Returns:
            A context manager that gives what to call after each step.
        """

    def warn(self, kind: str, text: str) -> None:
        """Hear a warning.

        Args:
            kind: what it is about in one word; there may be many of a kind.
            text: one sentence.
        """

    def note(self, text: str) -> None:
        """Hear a remark."""


class Silence:
    """Tells nobody."""

    def progress(self, what: str, total: int | None) -> AbstractContextManager[Steps]:
        """Count steps for nobody."""
        del what, total
        return nullcontext(Steps())

    def warn(self, kind: str, text: str) -> None:
        """Say nothing; the report holds the warnings."""

    def note(self, text: str) -> None:
        """Say nothing."""


SILENCE = Silence()
