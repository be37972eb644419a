"""Write results whole or not at all.

Output is spooled while an evaluation runs and delivered at its end, so an error
half way leaves neither half a file nor half a table behind.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, cast

from exactmatch.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_IN_MEMORY = 8 * 2**20


@contextmanager
def delivered(path: str | None, *, short: bool = False) -> Iterator[TextIO]:
    """Give a stream whose text arrives at *path* if all goes well.

    Args:
        path: the file to write, replaced at once; ``None`` or ``-`` for standard
            output.
        short: whether the text is short and may wait in memory.

    Raises:
        InputError: if the file cannot be written; found out before any work.
    """
    if path is not None and path != "-":
        from pathlib import Path

        with _replaced(Path(path)) as stream:
            yield stream
        return
    if short:
        text = io.StringIO()
        yield text
        sys.stdout.write(text.getvalue())
        sys.stdout.flush()
        return
    import shutil
    import tempfile

    with tempfile.SpooledTemporaryFile(
        _IN_MEMORY, "w+", encoding="utf-8", newline=""
    ) as spool:
        yield cast("TextIO", spool)
        spool.seek(0)
        shutil.copyfileobj(spool, sys.stdout)
        sys.stdout.flush()


@contextmanager
def _replaced(path: Path) -> Iterator[TextIO]:
    """Give a stream whose text replaces the file if all goes well."""
    with (
        _temporary(path) as number,
        open(number, "w", encoding="utf-8", newline="") as stream,
    ):
        yield stream


def write_bytes(path: str, content: bytes) -> None:
    """Write a file at once and whole.

    Raises:
        InputError: if it cannot be written.
    """
    from pathlib import Path

    target = Path(path)
    try:
        with _temporary(target) as number, open(number, "wb") as stream:
            stream.write(content)
    except OSError as error:
        raise _unwritable(target, error) from None


def check_writable(path: str) -> None:
    """Refuse a file that could not be written, before any work is done.

    Raises:
        InputError: if it cannot.
    """
    from pathlib import Path

    number, name = _created(Path(path))
    os.close(number)
    os.unlink(name)


@contextmanager
def _temporary(path: Path) -> Iterator[int]:
    """Give the descriptor of a new file, which takes the path's place at the end.

    Whatever ends the writing early, Ctrl-C included, leaves the path alone and
    nothing beside it.
    """
    number, name = _created(path)
    try:
        yield number
        _like_a_new_file(name, path)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def _created(path: Path) -> tuple[int, str]:
    """Make an empty file beside the path."""
    import tempfile

    if path.is_dir():
        raise InputError(f"{path}: is a folder; name a file to write")
    try:
        return tempfile.mkstemp(
            prefix=f".{path.name}.", suffix=".part", dir=path.parent
        )
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{path}: cannot be written: {error.strerror}")


def _like_a_new_file(name: str, path: Path) -> None:
    """Give a temporary file the mode that the final one has or would have."""
    mask = os.umask(0)
    os.umask(mask)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~mask
    os.chmod(name, mode)
