"""Which files a run reads, their checksums, and where an answer comes from.

Every reader notes its files here, and they are kept only within
:func:`inputs_noted`, which the command line uses.  Checksums are computed at the end,
except those of pipes, which cannot be read again: they are computed during reading.
Who reads a pipe again is refused, for nothing would be found there, or the rest.
"""

import io
import math
import os
import stat
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from time import gmtime, strftime, struct_time
from typing import Any, NamedTuple

from exactmatch.base.errors import InputError
from exactmatch.base.version import __version__

MAX_BYTES = 2**26  # how long a graph may be, or a file read whole, if nobody says else
_AT_ONCE = 2**16  # bytes of a file read at once: memory that is used again and again
_FEW = 2**17  # so many bytes are summed by Python itself before OpenSSL is loaded
_SHOWN = 12  # hexadecimal digits of a checksum that people are shown, as git does


class InputFile(NamedTuple):
    """A file that was read, with the SHA-256 of its bytes in hexadecimal digits.

    That of a folder is of its files' bytes in order.
    """

    path: str  # as it was named; - is standard input
    name: str  # the last part of the path, or all of it if others end alike
    sha256: str  # empty if it can no longer be read

    @property
    def short(self) -> str:
        """The beginning of the checksum, which people are shown."""
        return self.sha256[:_SHOWN] or "unreadable"


class Provenance(NamedTuple):
    """Which command, as a shell takes it, made an answer of which files, and when."""

    command: str
    files: tuple[InputFile, ...]
    date: struct_time  # in UTC

    @property
    def minute(self) -> str:
        """The date for people."""
        return strftime("%Y-%m-%d %H:%M UTC", self.date)

    def line(self) -> str:
        """All in one line: command, files with short checksums, date.

        >>> file = InputFile("data/gold.amr", "gold.amr", "b5bb9d8014a0f9b1d61e21e796")
        >>> Provenance("exactmatch lint", (file,), gmtime(0)).line()
        'provenance: exactmatch lint | gold.amr b5bb9d8014a0 | 1970-01-01 00:00 UTC'
        """
        files = ", ".join(f"{file.name} {file.short}" for file in self.files)
        parts = filter(None, (self.command, files, self.minute))
        return f"provenance: {' | '.join(parts)}"

    def record(self) -> dict[str, Any]:
        """Return it as plain data, with whole checksums."""
        return {
            "command": self.command,
            "files": [
                {"name": file.name, "sha256": file.sha256 or None}
                for file in self.files
            ],
            "date": strftime("%Y-%m-%dT%H:%M:%SZ", self.date),
            "version": __version__,
        }


def _last_name(path: str) -> str:
    if path == "-":
        return "<stdin>"
    return path if path.startswith("/dev/") else name_of(path)


def name_of(path: str) -> str:
    """Return the last part of a path, or the path where it has none."""
    return os.path.basename(os.path.normpath(path)) or path


class Inputs:
    """The files that were asked for, in their order, by a command line.

    Each of their graphs may be *max_bytes* long.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, command: str = "") -> None:
        self.max_bytes = max_bytes
        self.command = command
        self._files: dict[str, Sequence[str]] = {}
        self._digests: dict[str, Any] = {}
        self._emptied: set[tuple[int, int]] = set()

    def add(self, path: str, files: Sequence[str]) -> None:
        """Note a path and the files behind it, unless it is in a noted folder."""
        if os.path.dirname(path) not in self._files:
            self._files.setdefault(path, files)

    def digest(self, path: str) -> Any:
        """A running SHA-256 for what can be read only once."""
        place = _pipe(path)
        if place in self._emptied:
            raise InputError(
                f"{'standard input' if path == '-' else path}: can be read only once, "
                "and is wanted again; save it as a file and name that"
            )
        if place is not None:
            self._emptied.add(place)
        found = self._digests[path] = _sha256()
        return found

    def files(self) -> tuple[InputFile, ...]:
        """Every path with its checksum."""
        names = {path: _last_name(path) for path in self._files}
        uses = Counter(names.values())
        found = []
        for path, files in self._files.items():
            name = names[path] if uses[names[path]] == 1 else path
            read = self._digests.get(path)
            digest = sha256_of(*files) if read is None else str(read.hexdigest())
            found.append(InputFile(path, name, digest))
        return tuple(found)


def sha256_of(*files: str) -> str:
    """Return the SHA-256 of regular files, empty if there is anything else."""
    try:
        return digest_of(*files) if all(map(os.path.isfile, files)) else ""
    except (OSError, ValueError):  # a name that no file can have
        return ""


def digest_of(*files: str) -> str:
    """Return the SHA-256 of the bytes of files, in hexadecimal digits."""
    digest = _sha256(sum(map(os.path.getsize, files)))
    for file in files:
        with open(file, "rb", buffering=0) as stream:
            while part := stream.read(_AT_ONCE):
                digest.update(part)
    return str(digest.hexdigest())


def _pipe(path: str) -> tuple[int, int] | None:
    """Device and inode of a pipe; ``None`` of other files, or where it has none."""
    try:
        found = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    is_device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
    return None if is_device else (found.st_dev, found.st_ino)


def _sha256(size: float = math.inf) -> Any:
    """A SHA-256 of so many bytes: few are summed before OpenSSL would be loaded."""
    name = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    try:
        module = import_module(name if size < _FEW else "hashlib")
    except ImportError:
        module = import_module("hashlib")
    return module.sha256()


_inputs: ContextVar[Inputs | None] = ContextVar("inputs", default=None)


def max_bytes() -> int:
    """How long a graph may be, or a file that is read whole."""
    noted = _inputs.get()
    return MAX_BYTES if noted is None else noted.max_bytes


@contextmanager
def inputs_noted(max_bytes: int = MAX_BYTES, command: str = "") -> Iterator[None]:
    """Note every file that is read within this context manager; see :class:`Inputs`."""
    token = _inputs.set(Inputs(max_bytes, command))
    try:
        yield
    finally:
        _inputs.reset(token)


def provenance() -> Provenance:
    """Return where an answer comes from that is made now, or at ``SOURCE_DATE_EPOCH``.

    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    noted = _inputs.get() or Inputs()
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    date = gmtime(int(given) if given.isascii() and given.isdecimal() else None)
    return Provenance(noted.command, noted.files(), date)


def note_input(
    path: str | os.PathLike[str],
    files: Sequence[str] = (),
    content: bytes | None = None,
) -> None:
    """Note what is going to be read: a file, a folder with files behind it, or ``-``.

    If it cannot be read again, its *content* is what it held.
    """
    refuse_endless(path)
    name = os.fspath(path)
    if noted := _inputs.get():
        noted.add(name, files or (name,))
        if content is not None:
            noted.digest(name).update(content)


def refuse_endless(path: str | os.PathLike[str]) -> None:
    """Refuse a device that can be read for ever, such as ``/dev/zero``.

    Of devices that are read character by character there remain terminals, where
    somebody can end what they type, and the one that is always empty.
    """
    name = os.fspath(path)
    if _is_endless(name):
        called = "standard input" if name == "-" else name
        raise InputError(
            f"{called}: is a device that has no end; name a file or a pipe"
        )


def _is_endless(path: str) -> bool:
    try:
        found = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        if not stat.S_ISCHR(found.st_mode):
            return False
        if os.path.samestat(found, os.stat(os.devnull)):
            return False
        if path == "-":
            return not sys.stdin.isatty()
        with open(path, "rb", buffering=0) as stream:
            return not stream.isatty()
    except (OSError, ValueError):  # whoever opens it says why it cannot be
        return False


def opened_once(path: str) -> io.FileIO:
    """Open a pipe, which can be read only once, and compute its checksum on the way."""
    noted = _inputs.get()
    return io.FileIO(path) if noted is None else _Summed(path, noted.digest(path))


class _Summed(io.FileIO):
    """A file whose bytes are added to a checksum as they are read."""

    def __init__(self, path: str, digest: Any) -> None:
        super().__init__(path)
        self._digest = digest

    def readinto(self, buffer: Any, /) -> int | None:
        count = super().readinto(buffer)
        self._digest.update(memoryview(buffer)[: count or 0])
        return count

    def readall(self) -> bytes:
        content = super().readall()
        self._digest.update(content)
        return content
