"""Functions that tests send to other processes, importable under this name."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from multiprocessing.connection import Connection
from typing import Any

from exactmatch import Scorer
from exactmatch.base.deadline import reading, reading_limits, reading_within
from exactmatch.base.errors import InputError


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def doubled(item: Any) -> Any:
    return item * 2


def one_over(number: int) -> float:
    return 1 / number


def longer_than(item: str, text: str) -> bool:
    return len(item) > len(text)


def killed_once(path: str) -> str:
    """End the process that does this first, as the system does for want of memory."""
    if not os.path.exists(path):
        with open(path, "w", encoding="ascii"):
            os.kill(os.getpid(), signal.SIGKILL)
    return path


def killed_while_answering(item: tuple[str, str]) -> str:
    """Have the process that does this first killed when half its answer is sent."""
    path, _ = item
    if not os.path.exists(path):
        with open(path, "w", encoding="ascii"):
            Connection._send = _send_half  # type: ignore[attr-defined]  # private
    return "y" * 1_000_000


def _send_half(connection: Any, data: bytes, write: Any = os.write) -> None:
    write(connection.fileno(), bytes(data[: len(data) // 2]))
    os.kill(os.getpid(), signal.SIGKILL)


class UnpackableError(Exception):
    """Needs more to be made than it keeps."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what}: {why}")


def refused(item: Any) -> Any:
    raise UnpackableError(str(item), "no")


def described(report: Any, seconds: float | None, what: str) -> tuple[int, str]:
    """Say something on the way, and who is at work on what."""
    del seconds
    report("begun")
    print("a package's own remark")
    report("done")
    return os.getpid(), what


def failing(report: Any, seconds: float | None, error: Exception) -> None:
    del report, seconds
    raise error


def failing_unpackably(report: Any, seconds: float | None) -> None:
    del report, seconds
    raise UnpackableError("this", "that")


def dying(report: Any, seconds: float | None) -> None:
    del report, seconds
    os._exit(7)


def endless(report: Any, seconds: float | None) -> None:
    """Start a process and wait for it, as PuLP does; say which two they are."""
    del seconds
    other = subprocess.Popen(["sleep", "1000"])
    report((os.getpid(), other.pid))
    other.wait()


def scored_part(part: tuple[list[str], list[str]]) -> Scorer:
    scorer = Scorer()
    scorer.update(*part)
    return scorer


def read_slowly(seconds: float) -> str:
    """Read within a tenth of a second what takes longer and looks at no clock."""
    try:
        with reading_within(reading_limits(each=0.1)), reading("slow"):
            time.sleep(seconds)
    except InputError as error:
        return str(error)
    return "read"
