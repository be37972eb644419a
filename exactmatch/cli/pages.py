"""Pages: not for a terminal, and where they are once they are written."""

from __future__ import annotations

import argparse
import os
import sys

from exactmatch.base.errors import InputError
from exactmatch.cli.settings import note


def refuse_terminal(args: argparse.Namespace) -> None:
    """Refuse to write a page to a terminal, and to open one that is in no file.

    Raises:
        InputError: if it would be.
    """
    if args.output is None and sys.stdout.isatty():
        raise InputError("a page is not for a terminal; write it with -o page.html")
    if args.open and args.output in (None, "-"):
        raise InputError("--open opens a file; name it with -o page.html")


def tell_where(args: argparse.Namespace) -> None:
    """Say where a page is and how large, and open it where that is asked for."""
    if args.output in (None, "-"):
        return
    path = os.path.abspath(args.output)
    if os.path.isfile(path):
        note(args, f"{path} ({_size(os.path.getsize(path))})")
    if args.open:
        import webbrowser
        from pathlib import Path

        webbrowser.open(Path(path).as_uri())


def _size(count: int) -> str:
    """A number of bytes in words.

    >>> _size(999), _size(89_935), _size(4_200_000)
    ('999 bytes', '90 kB', '4.2 MB')
    """
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1e3:.0f} kB" if count < 999_500 else f"{count / 1e6:.1f} MB"
