"""JSON that we, or programs that we know, have written, with its shape checked.

A shape is a type, as annotations write it: ``list[str]``, ``tuple[int, bool]`` (a list
of so many), ``dict[str, Any]``, ``Literal[...]``, ``int | None``; a mapping of fields
that an object must have, others being allowed; or a function that tells whether a value
is what is wanted.  A truth value is not a number, and no number is infinite.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import UnionType
from typing import Any, Literal, TypeAlias, Union, get_args, get_origin

from exactmatch.base.errors import InputError, json_fault, no_json
from exactmatch.base.inputs import max_bytes

Shape: TypeAlias = Any

_TYPES = {dict: "an object", list: "a list", str: "a text", int: "a whole number"}


class ShapeError(ValueError):
    """A text is not JSON, or its value has another shape than is wanted.

    Args:
        reason: a sentence about the text, as "it".
        column: where it stops being JSON, from 1, if that is known.
    """

    def __init__(self, reason: str, column: int | None = None) -> None:
        super().__init__(reason)
        self.column = column


def value_in(content: str | bytes, shape: Shape) -> Any:
    """Return the value of a JSON text that we have written.

    Raises:
        ShapeError: if it is not JSON, or has another shape.

    >>> value_in("[3, true]", tuple[int, bool])
    [3, True]
    >>> value_in("[3]", tuple[int, bool])
    Traceback (most recent call last):
        ...
    exactmatch.base.json_files.ShapeError: it has another shape
    """
    import json  # here: most commands read none of our files

    try:
        value = json.loads(content)
    except (ValueError, RecursionError) as error:
        column: int | None = getattr(error, "colno", None)
        raise ShapeError(f"it is not JSON: {json_fault(error)}", column) from None
    if not fits(value, shape):
        raise ShapeError("it has another shape")
    return value


def fits(value: Any, shape: Shape) -> bool:
    """Return whether a value of JSON has a shape.

    >>> fits({"a": [1], "b": None}, {"a": list[int]})
    True
    >>> fits(True, int | None)
    False
    """
    if shape is Any:
        return True
    if isinstance(shape, Mapping):
        return type(value) is dict and all(
            name in value and fits(value[name], kind) for name, kind in shape.items()
        )
    if (kinds := _types(shape)) is not None:
        return type(value) in kinds
    origin: Any = get_origin(shape)
    parts = get_args(shape)
    if shape is float:
        return type(value) in (int, float) and abs(value) <= sys.float_info.max
    if origin in (Union, UnionType):
        return any(fits(value, part) for part in parts)
    if origin is Literal:
        return any(
            type(value) is type(allowed) and value == allowed for allowed in parts
        )
    if origin is list or (origin is tuple and parts[1:] == (...,)):
        return type(value) is list and _all_fit(value, parts[0])
    if origin is tuple:
        return (
            type(value) is list
            and len(value) == len(parts)
            and all(map(fits, value, parts))
        )
    if origin is dict:
        return type(value) is dict and _all_fit(value.values(), parts[1])
    return bool(shape(value))


def _types(shape: Shape) -> set[type] | None:
    """Return the types of values of a shape that is nothing but these types."""
    if shape is None:
        return {type(None)}
    origin: Any = get_origin(shape)
    if isinstance(shape, type) and origin is None:
        return None if shape is float else {shape}
    if origin in (Union, UnionType):
        each = [_types(part) for part in get_args(shape)]
        if None not in each:
            return set().union(*(types for types in each if types is not None))
    return None


def _all_fit(values: Any, shape: Shape) -> bool:
    if shape is Any:
        return True
    kinds = _types(shape)
    if kinds is not None:  # words by hundred thousands
        return kinds.issuperset(map(type, values))
    return all(fits(value, shape) for value in values)


def read_object(
    path: str,
    what: str,
    fields: Mapping[str, Shape] | None = None,
    limit: int | None = None,
) -> dict[str, Any]:
    """Return the JSON object of a file, in UTF-8 with or without a mark.

    Args:
        what: the name of the object, for messages.
        fields: the fields that it must have, and their shapes.
        limit: how many bytes the file may have; default: ``--max-bytes``.

    Raises:
        InputError: if the file cannot be read, is too long, or holds anything else than
            one object with these fields; the message names it.
    """
    import json

    limit = max_bytes() if limit is None else limit
    try:
        with open(path, "rb") as file:
            content = file.read(limit + 1)
        if len(content) > limit:
            raise InputError(f"{path}: holds more than {limit:,} bytes")
        value = json.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise no_json(error, path) from None
    return object_of(value, what, path, fields)


def object_of(
    value: Any, what: str, place: str, fields: Mapping[str, Shape] | None = None
) -> dict[str, Any]:
    """Return a value of JSON that is an object with some fields.

    Raises:
        InputError: if it is not; the message names the place and the field.
    """
    if not isinstance(value, dict):
        raise InputError(f"{place}: is not {what}, which is a JSON object")
    for name, kind in (fields or {}).items():
        if name not in value or not fits(value[name], kind):
            shape = _TYPES.get(kind, "what it must be")
            raise InputError(
                f"{place}: is not {what}: {name!r} is missing or is not {shape}"
            )
    return value
