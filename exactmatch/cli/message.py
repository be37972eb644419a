"""Messages to the person at the keyboard, on standard error."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # importing typing takes a while
if TYPE_CHECKING:
    import argparse


def say_where_interpreted() -> None:
    """Say how to get compiled kernels if there are none."""
    from exactmatch.base.version import missing_kernels

    if text := missing_kernels():
        say(text)


def say(text: str) -> None:
    """Print a message to standard error, unless it is closed."""
    from contextlib import suppress

    from exactmatch.base.visible import visible

    with suppress(OSError):
        print(f"exactmatch: {visible(text)}", file=sys.stderr)


def note(args: argparse.Namespace, text: str) -> None:
    """Print a message to standard error, unless the options say quiet."""
    if not args.quiet:
        say(text)
