"""Write files whole or not at all.

A file is written under another name beside its place, and takes the place when it is
complete, so an error half way, or Ctrl-C, leaves neither half a file nor half a table
behind.  What a killed process leaves behind is removed by the next one that writes to
the same place: a process locks its unfinished file for as long as it lives, so one
that nobody has locked is abandoned.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.visible import visible_lines

if sys.platform != "win32":
    import fcntl
if TYPE_CHECKING:  # a command that writes no file does without
    from pathlib import Path

_ORIGIN = "(?m)^(?:signature|provenance): .*$"
_DIM = "\x1b[2m\\g<0>\x1b[22m"
_STYLED = r"\\x1b(\[(?:1|31|32)m *[\d.+<-]+)\\x1b(\[0m)"
_COLOURED = r"(?m)^\\x1b(\[3[345]m  .*)\\x1b(\[0m)$"  # lines of differences
_IN_MEMORY = 8 * 2**20
_AT_ONCE = 2**16
_NAME_KEPT = 40  # characters of a file's name that its unfinished version keeps


@contextmanager
def atomic_output(path: str | None, *, short: bool = False) -> Iterator[TextIO]:
    """Open a stream whose text is written to *path* if the block ends without error.

    ``None`` and ``-`` are standard output; a *short* text may wait in memory.

    Raises:
        InputError: if the file cannot be written; found out before any work.
    """
    if path is not None and path != "-" and not _is_special(path):
        with (
            replacing(path) as file,
            io.TextIOWrapper(file, encoding="utf-8", newline="") as stream,
        ):
            yield stream
        return
    spool: Any = io.StringIO(newline="")
    if not short:
        from tempfile import SpooledTemporaryFile

        spool = SpooledTemporaryFile(  # noqa: SIM115  # closed below
            _IN_MEMORY, "w+", encoding="utf-8", newline=""
        )
    with spool:
        yield spool
        spool.seek(0)
        _copy(spool, path)


def _copy(spool: TextIO, path: str | None) -> None:
    """Copy text to standard output, or to a device or pipe."""
    if path is None or path == "-":
        try:
            _copy_to(sys.stdout, spool)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever read it has read enough
            raise
        except OSError as error:
            raise _unwritable("standard output", error) from None
        return
    with as_input_error(path), open(path, "w", encoding="utf-8", newline="") as stream:
        _copy_to(stream, spool)


def _copy_to(stream: TextIO, spool: TextIO) -> None:
    """Copy text as it is; on a terminal control characters are made visible.

    Where it takes colour, the lines about the answer's provenance are dimmed, and the
    styles of numbers and the colours of differences stay.
    """
    if stream.isatty():
        without_colour = not takes_colour(stream)
        while some := spool.readlines(_AT_ONCE):
            shown = visible_lines("".join(some))
            if not without_colour:
                for styled in (_STYLED, _COLOURED):
                    shown = re.sub(styled, "\x1b\\1\x1b\\2", shown)
                shown = re.sub(_ORIGIN, _DIM, shown)
            stream.write(shown)
    else:
        while text := spool.read(_AT_ONCE):
            stream.write(text)


def takes_colour(stream: TextIO) -> bool:
    """Tell whether a stream is to be coloured, by its kind and the environment.

    Source: https://no-color.org and https://force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    is_terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
    return is_terminal or bool(os.environ.get("FORCE_COLOR"))


def cache_root() -> Path:
    """Return the folder of caches: ``$XDG_CACHE_HOME`` or the system's own."""
    return _root("XDG_CACHE_HOME", ".cache", "LOCALAPPDATA", "Local", "Caches")


def config_root() -> Path:
    """Return the folder of a user's files: ``$XDG_CONFIG_HOME`` or the system's."""
    mac = "Application Support"
    return _root("XDG_CONFIG_HOME", ".config", "APPDATA", "Roaming", mac)


def _root(xdg: str, unix: str, appdata: str, windows: str, mac: str) -> Path:
    from pathlib import Path

    if folder := os.environ.get(xdg):
        root = Path(folder)
    elif sys.platform == "win32":
        root = Path(os.environ.get(appdata) or Path.home() / "AppData" / windows)
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / mac
    else:
        root = Path.home() / unix
    return root / "exactmatch"


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file at once and whole."""
    with replacing(path) as file:
        file.write(content)


def check_writable(path: str) -> None:
    """Refuse a file that could not be written, before any work is done."""
    if not _is_special(path):
        with suppress(_Untouched), replacing(path):
            raise _Untouched


class _Untouched(Exception):  # noqa: N818  no error
    """Leaves a file as it was."""


@contextmanager
def replacing(path: str | Path) -> Iterator[BinaryIO]:
    """Open a new file that replaces *path* if the block ends without error.

    After an error or Ctrl-C the old file is unchanged, and no other file is left.  A
    device or a pipe is not replaced: what was written is copied to it at the end.

    Raises:
        InputError: if the file cannot be written.
    """
    from pathlib import Path

    if _is_special(path):
        with _copied(path) as spool:
            yield spool
        return
    with as_input_error(path):
        if Path(path).is_dir():
            raise InputError(f"{path}: is a folder; name a file to write")
        place = Path(os.path.realpath(path))  # a link is followed, not replaced
    if place.is_symlink():
        raise InputError(f"{path}: cannot be written: links go in circles")
    if place.exists() and not os.access(place, os.W_OK):
        raise InputError(f"{path}: is write-protected; name another file")
    _remove_abandoned(place)
    # known before the file is there, which is to be removed
    part = _part_of(place)
    try:
        with as_input_error(path):
            file, descriptor = _created(part, place, path)
        try:
            yield file
            with as_input_error(path):
                file.close()
                _put_in_place(part, place)
        finally:
            _close(file, descriptor)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


@contextmanager
def _copied(path: str | Path) -> Iterator[BinaryIO]:
    """Open a temporary file, which is copied to a device or a pipe in the end."""
    from shutil import copyfileobj
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(_IN_MEMORY) as spool:
        yield spool  # type: ignore[misc]  # it has every method of a binary file
        spool.seek(0)
        with as_input_error(path), open(path, "wb") as stream:
            copyfileobj(spool, stream)


def _is_special(path: str | Path) -> bool:
    """Return whether the path is a device or a pipe, which is written to as it is."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


class _Named(io.FileIO):
    """A file whose errors name the path that it will have."""

    def __init__(
        self, part: Path, opener: Callable[[str, int], int], named: str | Path
    ) -> None:
        super().__init__(part, "xb", opener=opener)
        self._named = named

    def write(self, content: Any, /) -> int:
        try:
            return super().write(content)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(self._named)) from None


def _created(part: Path, place: Path, named: str | Path) -> tuple[BinaryIO, int | None]:
    """Make the unfinished file, as private as the final one; lock it if possible."""
    mode = place.stat().st_mode & 0o777 if place.exists() else 0o666

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, mode)

    file = io.BufferedWriter(_Named(part, opened, named))
    descriptor = None
    if sys.platform != "win32":
        descriptor = os.dup(file.fileno())  # stays locked when the file is closed
        with suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        if os.fstat(descriptor).st_nlink == 0:  # removed before it was locked
            _close(file, descriptor)
            return _created(part, place, named)
    return file, descriptor


def _put_in_place(part: Path, place: Path) -> None:
    """Replace the old file by the finished one, which takes its mode."""
    if place.exists():
        part.chmod(place.stat().st_mode & 0o777)
    os.replace(part, place)


def _close(file: BinaryIO, descriptor: int | None) -> None:
    file.close()
    if descriptor is not None:
        os.close(descriptor)


def _remove_abandoned(place: Path) -> None:
    """Remove unfinished versions of a file whose writers are no more."""
    start = re.escape(f".{place.name[:_NAME_KEPT]}.exactmatch-")
    pattern = re.compile(rf"{start}[0-9a-f]{{16}}\.part")
    with suppress(OSError), os.scandir(place.parent) as entries:
        for part in (e.path for e in entries if pattern.fullmatch(e.name)):
            with suppress(OSError):
                if sys.platform == "win32":
                    os.unlink(part)  # refused while a process has it open
                else:
                    with open(part, "rb") as file:
                        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                        os.unlink(part)


def lock(number: int, path: str | Path) -> None:
    """Lock an open file or folder for one writer, until it is closed.

    Where the system or the file system has no such locks, nothing is locked.

    Raises:
        InputError: if another process or thread has the lock.
    """
    if sys.platform != "win32":
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(
                f"{path}: another process or thread is writing to it; wait until that "
                "is done, or name another place"
            ) from None
        except OSError:  # no locks on this file system
            return


def new_locked(path: str | Path, content: bytes) -> BinaryIO | None:
    """Make a file that is locked and has its content when others first see it.

    Returns:
        The open file; ``None`` if another writer has made one.

    Raises:
        OSError: if it cannot be written.
    """
    from pathlib import Path

    place = Path(path)
    _remove_abandoned(place)
    part = _part_of(place)
    file = open(part, "x+b")  # noqa: SIM115  for the caller to close
    try:
        lock(file.fileno(), path)
        file.write(content)
        file.flush()
        os.link(part, place)
    except (FileExistsError, FileNotFoundError):
        file.close()
        return None
    except BaseException:
        file.close()
        raise
    finally:
        with suppress(OSError):
            part.unlink()
    return file


def _part_of(place: Path) -> Path:
    """Name a new unfinished file beside the place that it is to take."""
    kept, random_suffix = place.name[:_NAME_KEPT], os.urandom(8).hex()
    return place.with_name(f".{kept}.exactmatch-{random_suffix}.part")


@contextmanager
def locked_folder(path: str | Path) -> Iterator[None]:
    """Lock a folder against other writers within this context manager.

    Raises:
        InputError: if another process or thread does so.
    """
    if sys.platform == "win32":
        yield
        return
    with as_input_error(path):
        number = os.open(path, os.O_RDONLY)
    try:
        lock(number, path)
        yield
    finally:
        os.close(number)


@contextmanager
def as_input_error(path: str | Path) -> Iterator[None]:
    """Turn the system's errors of writing *path* into one sentence."""
    try:
        yield
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(place: str | Path, error: OSError) -> InputError:
    return InputError(f"{place}: cannot be written: {error.strerror}")
