"""Where an answer comes from: the command, the files it read, and when."""

import os
import shlex
from collections import Counter
from collections.abc import Sequence
from time import gmtime, strftime, struct_time
from typing import Any, NamedTuple

from exactmatch.base.version import __version__

_SHOWN = 12
"""Hexadecimal digits of a checksum that people are shown, as git does."""


class InputFile(NamedTuple):
    """A file that was read.

    Attributes:
        path: as it was named; ``-`` is standard input.
        sha256: the SHA-256 of its bytes in hexadecimal digits, of a folder that of its
            files' bytes in order; empty if it can no longer be read.
    """

    path: str
    sha256: str

    @property
    def short(self) -> str:
        """The beginning of the checksum, which people are shown."""
        return self.sha256[:_SHOWN] or "unreadable"


class Provenance(NamedTuple):
    """Which command made an answer, from which files, and when.

    Attributes:
        command: the command line, quoted for a shell.
        files: what was read, in the order in which it was asked for.
        date: when, in UTC.
    """

    command: str
    files: tuple[InputFile, ...]
    date: struct_time

    @property
    def names(self) -> list[str]:
        """Names of the files: their last parts, if these differ."""
        names = [_last_name(file.path) for file in self.files]
        uses = Counter(names)
        return [
            name if uses[name] == 1 else file.path
            for name, file in zip(names, self.files, strict=True)
        ]

    @property
    def minute(self) -> str:
        """The date for people."""
        return strftime("%Y-%m-%d %H:%M UTC", self.date)

    def line(self) -> str:
        """All in one line: command, files with short checksums, date.

        >>> file = InputFile("data/gold.amr", "b5bb9d8014a0f9b1d61e21e796d78dcc")
        >>> Provenance("exactmatch lint", (file,), gmtime(0)).line()
        'provenance: exactmatch lint | gold.amr b5bb9d8014a0 | 1970-01-01 00:00 UTC'
        """
        files = ", ".join(
            f"{name} {file.short}"
            for name, file in zip(self.names, self.files, strict=True)
        )
        parts = filter(None, (self.command, files, self.minute))
        return f"provenance: {' | '.join(parts)}"

    def record(self) -> dict[str, Any]:
        """Return it as plain data, with whole checksums."""
        return {
            "command": self.command,
            "files": [
                {"name": name, "sha256": file.sha256 or None}
                for name, file in zip(self.names, self.files, strict=True)
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


def command_line(arguments: Sequence[str]) -> str:
    """The arguments of exactmatch as a line for a shell."""
    return shlex.join(["exactmatch", *arguments])


def now() -> struct_time:
    """The time in UTC, or that which ``SOURCE_DATE_EPOCH`` asks for.

    Source: https://reproducible-builds.org/specs/source-date-epoch/
    """
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return gmtime(int(given) if given.isascii() and given.isdecimal() else None)
