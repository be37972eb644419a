"""Pseudo-terminals, for tests of what a terminal shows."""

from __future__ import annotations

import pytest


def open_terminal() -> tuple[int, int]:
    """Open a pseudo-terminal: our end and theirs; skip the test where there is none."""
    pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
    try:
        ends: tuple[int, int] = pty.openpty()
    except OSError as error:
        pytest.skip(f"no pseudo-terminals here: {error}")
    return ends
