"""What the tests send to other processes, which import it under this name."""

from __future__ import annotations

import os
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
