"""Values without a name in signatures: a digest of their contents."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import CodeType
from typing import Any

_SHORT = 12  # hexadecimal digits of a digest


def digest(content: bytes | str) -> str:
    """Return the beginning of the SHA-256 of some content."""
    raw = content
    if isinstance(raw, str):
        raw = raw.encode("utf-8", "surrogatepass")
    return hashlib.sha256(raw).hexdigest()[:_SHORT]


def signed_array(array: Any) -> str:
    """Return how a signature names an array, by shape and content.

    >>> signed_array([[1.0, 0.5]])
    'array@9f8fced3a464'
    """
    import numpy as np

    table = np.ascontiguousarray(array, dtype=np.float64)
    return f"array@{digest(str(table.shape).encode() + table.tobytes())}"


def signed_mapping(mapping: Mapping[Any, Any]) -> str:
    """Return the name of a mapping in a signature: a digest of its items, in order.

    >>> signed_mapping({"US": "USA"}) != signed_mapping({"US": "us"})
    True
    """
    import json  # here: scoring a pair does without it

    rows = [[str(key), str(value)] for key, value in mapping.items()]
    return f"mapping@{digest(json.dumps(rows, ensure_ascii=False))}"


def signed_function(function: Callable[..., Any]) -> str:
    """Return how a signature names a function: its name and a digest of its code.

    The digest tells two functions of one name apart.  It does not determine what a
    function returns, which may depend on more than its code.

    >>> signed_function(lambda a, b: 1.0) == signed_function(lambda a, b: 0.0)
    False
    """
    name = getattr(function, "__qualname__", type(function).__qualname__)
    module = getattr(function, "__module__", None) or ""
    code = getattr(function, "__code__", None)
    content = repr((module, name, None if code is None else _parts(code)))
    parts = [getattr(function, "__defaults__", None)]
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # of a cell that is not filled yet
            parts.append(cell.cell_contents)
    plain_values = [repr(value) for value in parts if _is_plain(value)]
    return f"function:{name}@{digest(content + repr(plain_values))}".replace("|", "%7C")


def _parts(code: CodeType) -> tuple[Any, ...]:
    """Return what code does, without where it stands."""
    constants = [
        _parts(constant) if isinstance(constant, CodeType) else repr(constant)
        for constant in code.co_consts
    ]
    return code.co_code, code.co_names, code.co_varnames, constants


def _is_plain(value: Any) -> bool:
    """Tell a value whose text says what it is, and not where it lies in memory."""
    if isinstance(value, list | tuple):
        return all(map(_is_plain, value))
    return value is None or isinstance(value, str | int | float | bool)
