"""Documents, read from JSON texts and from Python's values.

Deeply nested texts are read without recursion, and numbers keep the value that is
written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from json import JSONDecoder
from typing import Any, NamedTuple

from exactmatch.base.errors import DocumentError, json_fault
from exactmatch.base.json_texts import loads
from exactmatch.metrics.json.leaves import Number, number_of

DEEPEST = 10_000
"""How deep the lists and objects of a document may nest."""


class Document(NamedTuple):
    """A document as it is read.

    Attributes:
        value: the value of the text; numbers are ``int``, ``Decimal`` or ``Odd``.
        repeated: number of repeated keys of objects.
        place: file, line and identifier, for messages; empty if it is not from a file.
    """

    value: Any
    repeated: int = 0
    place: tuple[Any, ...] = ()


class Odd(NamedTuple):
    """A number that is compared as it is written: NaN, or one of very many digits."""

    text: str


def _number(text: str) -> Number | Odd:
    value = number_of(text)
    return Odd(value) if isinstance(value, str) else value


def document_of(text: str) -> Document:
    """Read a JSON text.

    Raises:
        DocumentError: if it is not JSON, or nests too deeply.

    >>> document_of('{"a": 1, "a": [1.50]}')
    Document(value={'a': [Decimal('1.50')]}, repeated=1, place=())
    """
    repeated = 0

    def pairs(members: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal repeated
        fields = dict(members)
        repeated += len(members) - len(fields)
        return fields

    try:
        decoder = JSONDecoder(
            object_pairs_hook=pairs,
            parse_float=_number,
            parse_int=_number,
            parse_constant=Odd,
        )
        value = loads(text, decoder)
    except RecursionError:
        value, repeated = _Deep(text, json_fault).value()
    except ValueError as error:
        line, column = getattr(error, "lineno", 1), getattr(error, "colno", 1)
        where = f" (line {line}, column {column})"
        raise DocumentError(f"is not JSON: {json_fault(error)}{where}") from None
    return Document(value, repeated)


_BLANKS = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(
    r'"(?:[^"\\\x00-\x1f]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?'
    r"|true|false|null|NaN|-?Infinity"
)


class _Deep:
    """A reader of well-formed texts that nest deeply, without recursion."""

    def __init__(self, text: str, fault: Callable[[Exception], str]) -> None:
        self._text = text
        self._at = 0
        self._fault = fault
        self._repeated = 0

    def value(self) -> tuple[Any, int]:
        """Return the value of the text, and the number of repeated keys."""
        open_ones: list[tuple[Any, Any]] = []  # containers, and the key of each outside
        key: Any = None
        while True:
            sign = self._next()
            if sign in ("[", "{"):
                self._at += 1
                container: Any = [] if sign == "[" else {}
                end = "]" if sign == "[" else "}"
                open_ones.append((container, key))
                if len(open_ones) > DEEPEST:
                    raise DocumentError(f"nests more than {DEEPEST:,} levels deep")
                if self._next() != end:
                    key = self._key() if sign == "{" else None
                    continue
                self._at += 1
                container, key = open_ones.pop()
            else:
                container = self._scalar()
            while open_ones:  # a value is complete
                outer, outer_key = open_ones[-1]
                if isinstance(outer, dict):
                    self._repeated += key in outer
                    outer[key] = container
                else:
                    outer.append(container)
                sign = self._next()
                self._at += 1
                if sign == ",":
                    key = self._key() if isinstance(outer, dict) else None
                    break
                if sign != ("}" if isinstance(outer, dict) else "]"):
                    raise self._error("expecting ',' or an end")
                open_ones.pop()
                container, key = outer, outer_key
            else:
                if self._next():
                    raise self._error("extra data")
                return container, self._repeated

    def _next(self) -> str:
        blanks = _BLANKS.match(self._text, self._at)
        assert blanks is not None
        self._at = blanks.end()
        return self._text[self._at : self._at + 1]

    def _key(self) -> str:
        if self._next() != '"':
            raise self._error("expecting a key")
        key: str = self._scalar()
        if self._next() != ":":
            raise self._error("expecting ':'")
        self._at += 1
        return key

    def _scalar(self) -> Any:
        scalar = _SCALAR.match(self._text, self._at)
        if scalar is None:
            raise self._error("expecting a value")
        self._at = scalar.end()
        return json.loads(
            scalar[0], parse_float=_number, parse_int=_number, parse_constant=Odd
        )

    def _error(self, reason: str) -> DocumentError:
        line = self._text.count("\n", 0, self._at) + 1
        return DocumentError(f"is not JSON: {reason} (line {line})")
