"""Work that is sent to another process, and the answers that come back."""

from __future__ import annotations

import os
import pickle
import platform
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, TypeVar

from exactmatch.base.solver_errors import sendable
from exactmatch.scoring.processes import WorkerError

Result = TypeVar("Result")


def pack(given: Any, what: str) -> bytes:
    """Make bytes of something.

    Raises:
        WorkerError: if that is impossible.
    """
    import cloudpickle

    try:
        packed: bytes = cloudpickle.dumps(given)
    except Exception as error:  # whatever its class does when it is packed
        raise WorkerError(
            f"{what} cannot be sent to another process ({error}); use one process"
        ) from error
    return packed


UNKNOWN = b"unknown to "
"""How the answer of a process begins that was not sent the function yet."""

_KEPT = 4

_functions: dict[str, Callable[[Any], Any]] = {}
"""The last few functions that were sent to this process, by their keys."""


def work_on(key: str, function: bytes | None, item: bytes) -> bytes:
    """Apply a function to an item, both packed, and pack the result."""
    known = _functions.get(key)
    if known is None:
        if function is None:
            return UNKNOWN + f"{platform.node()} {os.getpid()}".encode()
        known = pickle.loads(function)
        while len(_functions) >= _KEPT:
            _functions.pop(next(iter(_functions)), None)
        _functions[key] = known
    answer: Returned[Any] | Raised
    try:
        answer = Returned(known(pickle.loads(item)))
    except Exception as error:  # raised again where the answer is waited for
        answer = Raised(sendable(error, WorkerError), traceback.format_exc())
    try:
        return pack(answer, "a result")
    except WorkerError as error:
        return pack(Raised(error, traceback.format_exc()), "an error")


@dataclass(frozen=True, slots=True)
class Returned(Generic[Result]):
    """What a function returned in another process."""

    value: Result

    def result(self) -> Result:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class Lost:
    """That there is no answer.

    Attributes:
        why: what an executor says of it; empty where processes died over it.
    """

    why: str


@dataclass(frozen=True, slots=True)
class Raised:
    """What a function raised in another process."""

    error: Exception
    trace: str

    def result(self) -> NoReturn:
        """Raise it here."""
        raise self.error from _ElsewhereError(self.trace)


class _ElsewhereError(Exception):
    """Carries the traceback of another process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"
