"""Functions that workers keep in files, for the other workers of their machine.

A bank of graphs travels once to each machine: the worker that gets it writes it to a
folder that its user alone can read, under its checksum, and the others find it there.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
import time
from contextlib import suppress
from pathlib import Path

_KEPT = 2  # files in the folder, the newest
_LOOK_EVERY = 0.05  # seconds

CAN_KEEP = hasattr(os, "getuid")
"""Whether a folder can be told to be its user's alone."""


def keep_function(key: str, function: bytes) -> None:
    """Write a packed function to the folder, if that is possible; *key* is its sum."""
    folder = _folder()
    if folder is None:
        return
    with suppress(OSError):
        if kept_function(key, 0) is None:
            descriptor, name = tempfile.mkstemp(dir=folder, prefix=".")
            with open(descriptor, "wb") as file:
                file.write(function)
            os.replace(name, folder / key)
        files = [(path.stat().st_mtime, path) for path in folder.iterdir()]
        for _, path in sorted(files, reverse=True)[_KEPT:]:
            path.unlink()


def kept_function(key: str, patience: float) -> bytes | None:
    """Return the function of a checksum; ``None`` if it is not there in time."""
    folder = _folder()
    until = time.monotonic() + patience
    while folder is not None:
        with suppress(OSError):
            content = (folder / key).read_bytes()
            if hashlib.sha256(content).hexdigest() == key:
                return content
        if time.monotonic() >= until:
            break
        time.sleep(_LOOK_EVERY)
    return None


def _folder() -> Path | None:
    """Return the folder, which is made; ``None`` if others could write to it.

    What it holds is unpickled, so it has to be a folder of this user alone.
    """
    if not CAN_KEEP:
        return None
    folder = Path(tempfile.gettempdir()) / f"exactmatch-{os.getuid()}"
    with suppress(OSError):
        folder.mkdir(mode=0o700, exist_ok=True)
        status = folder.lstat()
        is_private = not stat.S_IMODE(status.st_mode) & 0o077
        if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and is_private:
            return folder
    return None
