"""Files that a run reads, their checksums, and the provenance of an answer.

Every reader notes its files here, and they are kept only within
:func:`inputs_noted`, which the command line uses.  Checksums are computed at the end,
except those of pipes, which are computed during reading.  Reading a pipe a second time
is refused: only its rest, or nothing, would be there.
"""

from __future__ import annotations

import io
import math
import os
import stat
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from time import gmtime, strftime, struct_time
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.records import NamedTuple
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
    name: str  # the last part of the path, or the parts that distinguish it
    sha256: str  # empty if it can no longer be read

    @property
    def short(self) -> str:
        """Return the beginning of the checksum, as people see it."""
        return self.sha256[:_SHOWN] or "unreadable"


class Provenance(NamedTuple):
    """Command line, input checksums and time of a result."""

    command: str
    files: tuple[InputFile, ...]
    date: struct_time  # in UTC

    @property
    def minute(self) -> str:
        """Return the date for people."""
        return strftime("%Y-%m-%d %H:%M UTC", self.date)

    def line(self) -> str:
        """Return all in one line: command, files with short checksums, date.

        >>> file = InputFile("data/gold.amr", "gold.amr", "b5bb9d8014a0f9b1d61e21e796")
        >>> Provenance("exactmatch lint", (file,), gmtime(0)).line()
        'provenance: exactmatch lint | gold.amr b5bb9d8014a0 | 1970-01-01 00:00 UTC'
        """
        files = ", ".join(f"{file.name} {file.short}" for file in self.files)
        parts = filter(None, (self.command, files, self.minute))
        return f"provenance: {' | '.join(parts)}"

    def without_folders(self, text: str) -> str:
        """Write the files' names for their paths, which are nobody else's business.

        >>> file = InputFile("/home/me/gold.amr", "gold.amr", "")
        >>> Provenance("", (file,), gmtime(0)).without_folders("/home/me/gold.amr:3")
        'gold.amr:3'
        """
        for file in sorted(self.files, key=lambda file: -len(file.path)):
            if os.sep in file.path:
                text = text.replace(file.path, file.name)
        return text

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


def names_apart(paths: Iterable[str]) -> dict[str, str]:
    """Return the last part of each path, or the parts that distinguish the paths.

    >>> names_apart(["runs/a/x.amr", "runs/b/x.amr", "runs/gold.amr"])
    {'runs/a/x.amr': 'a/x.amr', 'runs/b/x.amr': 'b/x.amr', 'runs/gold.amr': 'gold.amr'}
    """
    names = {path: _last_name(path) for path in paths}
    parts = {path: os.path.normpath(path).split(os.sep) for path in names}
    for count in range(2, max(map(len, parts.values()), default=0) + 1):
        uses = Counter(names.values())
        same_named = [path for path, name in names.items() if uses[name] > 1]
        if not same_named:
            break
        names |= {path: os.sep.join(parts[path][-count:]) for path in same_named}
    uses = Counter(names.values())
    return {path: n if uses[n] == 1 else path for path, n in names.items()}


class Inputs:
    """The input files of a command line, in order.

    Each of their graphs may be *max_bytes* long.
    """

    def __init__(self, max_bytes: int = MAX_BYTES, command: str = "") -> None:
        self.max_bytes = max_bytes
        self.command = command
        self._files: dict[str, Sequence[str]] = {}
        self._behind: set[str] = set()
        self._digests: dict[str, Any] = {}
        self._emptied: set[tuple[int, int]] = set()

    def add(self, path: str, files: Sequence[str]) -> None:
        """Add a path and the files behind it, unless it is behind an added one."""
        if os.path.dirname(path) not in self._files and path not in self._behind:
            self._files.setdefault(path, files)
            self._behind.update(files)

    def digest(self, path: str) -> Any:
        """Return a running SHA-256 for a file that can be read only once."""
        place = _pipe(path)
        if place in self._emptied:
            raise InputError(
                f"{'standard input' if path == '-' else path}: can be read only once, "
                "and is wanted again; save it as a file and name that"
            )
        if place is not None:
            self._emptied.add(place)
        digest = self._digests[path] = _sha256()
        return digest

    def files(self) -> tuple[InputFile, ...]:
        """Return every path with its checksum."""
        names = names_apart(self._files)
        inputs = []
        for path, files in self._files.items():
            name = names[path]
            read = self._digests.get(path)
            digest = sha256_of(*files) if read is None else str(read.hexdigest())
            inputs.append(InputFile(path, name, digest))
        return tuple(inputs)


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
    """Return device and inode of a pipe; ``None`` for other files."""
    try:
        status = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
    except (OSError, ValueError):
        return None
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    return None if is_device else (status.st_dev, status.st_ino)


def _sha256(size: float = math.inf) -> Any:
    """Make a SHA-256 for *size* bytes; for few bytes OpenSSL is not loaded."""
    name = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
    try:
        module = import_module(name if size < _FEW else "hashlib")
    except ImportError:
        module = import_module("hashlib")
    return module.sha256()


_inputs: ContextVar[Inputs | None] = ContextVar("inputs", default=None)


def max_bytes() -> int:
    """Return the largest size of a graph, or of a file that is read whole."""
    noted = _inputs.get()
    return MAX_BYTES if noted is None else noted.max_bytes


def command_line() -> str:
    """Return the command line that runs; empty in Python."""
    noted = _inputs.get()
    return "" if noted is None else noted.command


@contextmanager
def inputs_noted(max_bytes: int = MAX_BYTES, command: str = "") -> Iterator[None]:
    """Keep every file that is read within this context manager; see :class:`Inputs`."""
    token = _inputs.set(Inputs(max_bytes, command))
    try:
        yield
    finally:
        _inputs.reset(token)


def provenance() -> Provenance:
    """Return the provenance of an answer, made now or at ``SOURCE_DATE_EPOCH``.

    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    noted = _inputs.get() or Inputs()
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    date = gmtime(int(epoch) if epoch.isascii() and epoch.isdecimal() else None)
    return Provenance(noted.command, noted.files(), date)


def note_input(
    path: str | os.PathLike[str],
    files: Sequence[str] = (),
    content: bytes | None = None,
) -> None:
    """Keep an input that will be read: a file, a folder with its files, or ``-``.

    The *content* is that of an input that cannot be read again.
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
        file_name = "standard input" if name == "-" else name
        raise InputError(
            f"{file_name}: is a device that has no end; name a file or a pipe"
        )


def _is_endless(path: str) -> bool:
    try:
        status = os.fstat(sys.stdin.fileno()) if path == "-" else os.stat(path)
        if not stat.S_ISCHR(status.st_mode):
            return False
        if os.path.samestat(status, os.stat(os.devnull)):
            return False
        if path == "-":
            return not sys.stdin.isatty()
        with open(path, "rb", buffering=0) as stream:
            return not stream.isatty()
    except (OSError, ValueError):  # whoever opens it says why it cannot be
        return False


_ENOUGH = 1024  # bytes of a pipe that tell its format; it may be written slowly
_PIPES = 64  # beginnings that are kept, of pipes long gone
_begun: dict[tuple[str, int, int], bytes] = {}
"""The beginnings of pipes that were looked at, by path, device and number."""
_open: dict[str, int] = {}
"""Descriptors of those that are still to be read, by path."""


def beginning_once(path: str, size: int) -> bytes:
    """Return the beginning of a pipe, which can be read from there as before."""
    file_status = os.stat(path)
    key = path, file_status.st_dev, file_status.st_ino
    if key not in _begun:
        if path in _open:  # another pipe of that name, which nobody has read
            os.close(_open.pop(path))
        _open[path] = os.open(path, os.O_RDONLY)
        head = b""
        while len(head) < _ENOUGH and (chunk := os.read(_open[path], size)):
            head += chunk
        if len(_begun) > _PIPES:
            _begun.clear()
        _begun[key] = head
    return _begun[key]


def opened_once(path: str) -> io.FileIO:
    """Open a pipe, which can be read only once, and compute its checksum on the way."""
    noted = _inputs.get()
    digest = None if noted is None else noted.digest(path)
    if path not in _open:
        return io.FileIO(path) if digest is None else _Summed(path, digest)
    file_status = os.fstat(_open[path])
    return _Summed(
        _open.pop(path), digest, _begun[path, file_status.st_dev, file_status.st_ino]
    )


class _Summed(io.FileIO):
    """A file whose bytes are added to a checksum as they are read.

    Some at its beginning may have been read already.
    """

    def __init__(self, file: str | int, digest: Any, bytes_so_far: bytes = b"") -> None:
        super().__init__(file)
        self._digest, self._begun = digest, bytes_so_far

    def _sum(self, content: Any) -> None:
        if self._digest is not None:
            self._digest.update(content)

    def readinto(self, buffer: Any, /) -> int | None:
        view = memoryview(buffer)
        if self._begun:
            count: int | None = min(len(self._begun), len(view))
            view[:count], self._begun = self._begun[:count], self._begun[count:]
        else:
            count = super().readinto(buffer)
        self._sum(view[: count or 0])
        return count

    def readall(self) -> bytes:
        content = self._begun + super().readall()
        self._begun = b""
        self._sum(content)
        return content
