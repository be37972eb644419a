"""The few names of Cython that a kernel uses, for a Python without Cython.

A kernel begins with ``try: import cython`` and falls back on this module, so
that its annotations and decorators mean nothing and the code runs as Python.
"""

from __future__ import annotations

import builtins
from contextlib import nullcontext
from typing import Any

compiled = False

int = short = long = Py_ssize_t = double = bint = char = uchar = ulonglong = object
longlong = builtins.int
p_int = p_longlong = object
void = pointer = struct = union = object


def cfunc(function: Any) -> Any:
    """Leave a function as it is."""
    return function


cclass = inline = cfunc


def returns(*_declared: Any, **_options: Any) -> Any:
    """Ignore the declarations of a function, such as its return type."""
    return cfunc


exceptval = boundscheck = wraparound = cdivision = initializedcheck = returns


def declare(_kind: Any = None, value: Any = None, **_kinds: Any) -> Any:
    """Return a declared variable's initial value."""
    return value


def cast(kind: Any, value: Any, **_options: Any) -> Any:
    """Return a value uncast, but cut a float's fraction off where C would."""
    return kind(value) if kind is longlong and isinstance(value, float) else value


class _NoGil(nullcontext[None]):
    """``with nogil:`` and ``@nogil``, both without effect."""

    def __call__(self, function: Any) -> Any:
        return function


nogil = _NoGil()
