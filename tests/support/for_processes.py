"""What the tests send to other processes, which import it under this name."""

from __future__ import annotations

import os
import subprocess
from typing import Any


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os._exit, (3,)


def doubled(item: Any) -> Any:
    return item * 2


def one_over(number: int) -> float:
    return 1 / number


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
