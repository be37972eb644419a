"""JSON decoded and encoded within limits of time.

Python's decoder and encoder are single calls of C, which nothing interrupts.  Where
there is a limit, what is long is decoded and encoded in pieces, and the clock is looked
at between them.  Values, texts and errors are those of :mod:`json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from json.decoder import scanstring  # type: ignore[attr-defined]  # not in its stubs
from typing import Any

from exactmatch.base.deadline import check, is_limited

_LONG = 2**20
"""How many characters of JSON are decoded at once where there is a limit."""

_PIECE = 2**16
_MEMBERS = 2**10
_NESTED = 6  # levels to which a value is encoded in parts
_FEW = 16
_BLANKS = " \t\n\r"
_PLAIN = JSONDecoder()
_TELLS_COMMAS = sys.version_info >= (3, 13)


def loads(text: str, decoder: JSONDecoder = _PLAIN) -> Any:
    """Return the value of a JSON text, as ``json.loads`` does.

    Raises:
        JSONDecodeError: if it is not JSON.
        RecursionError: if it nests too deeply.
        OutOfTimeError: if the limit of time is over.

    >>> loads('{"a": [1, 2]}')
    {'a': [1, 2]}
    """
    if text.startswith("\ufeff"):
        return json.loads(text)  # which says what is wrong
    value, end = raw_decode(text, _behind_blanks(text, 0), decoder)
    end = _behind_blanks(text, end)
    if end < len(text):
        raise JSONDecodeError("Extra data", text, end)
    return value


def raw_decode(
    text: str, begin: int = 0, decoder: JSONDecoder = _PLAIN
) -> tuple[Any, int]:
    """Return the value that begins somewhere in a text, and where it ends.

    Raises:
        JSONDecodeError: if no value begins there.
        RecursionError: if it nests too deeply.
        OutOfTimeError: if the limit of time is over.
    """
    if len(text) - begin <= _LONG or not is_limited():
        return decoder.raw_decode(text, begin)
    return _Long(text, decoder).value(begin)


def _behind_blanks(text: str, at: int) -> int:
    while text[at : at + 1] in _BLANKS and at < len(text):
        at += 1
    return at


class _Container:
    """A list or an object whose end is not reached.

    Attributes:
        members: the list, or the object's members; pairs where a hook takes them.
        key: the key of the value that is decoded next.
        one_by_one: up to where its members are decoded one after the other.
    """

    __slots__ = ("is_list", "key", "members", "one_by_one")

    def __init__(self, is_list: bool, has_pairs: bool) -> None:
        self.is_list = is_list
        self.members: Any = [] if is_list or has_pairs else {}
        self.key = ""
        self.one_by_one = 0

    def put(self, value: Any) -> None:
        """Add a value."""
        if self.is_list:
            self.members.append(value)
        elif type(self.members) is dict:
            self.members[self.key] = value
        else:
            self.members.append((self.key, value))


class _Long:
    """A long text, decoded in pieces.

    A container that ends in the piece that it begins is decoded at once.  The members
    of any other are decoded by as many as a piece holds: what stands before a comma is
    whole if it can be decoded between brackets, and else is decoded one by one.
    """

    def __init__(self, text: str, decoder: JSONDecoder) -> None:
        self._text = text
        self._scan: Any = vars(decoder)["scan_once"]
        self._pairs_hook: Any = decoder.object_pairs_hook
        self._hook: Any = decoder.object_hook
        self._strict: bool = decoder.strict
        self._open: list[_Container] = []

    def value(self, at: int) -> tuple[Any, int]:
        """Return the value that begins there, and its end."""
        while True:
            is_begun, value, at = self._begun(at)
            while not is_begun:
                if not self._open:
                    return value, at
                self._open[-1].put(value)
                at, is_closed = self._behind_member(at)
                if not is_closed:
                    break
                value = self._made(self._open.pop())

    def _begun(self, at: int) -> tuple[bool, Any, int]:
        """Decode a short value; begin a long one, and go to its first open value."""
        sign = self._text[at : at + 1]
        if sign not in ("[", "{"):
            return False, *self._scanned(self._text, at)
        check()
        piece = self._text[at : at + _PIECE]
        try:
            value, length = self._scan(piece, 0)
            return False, value, at + length
        except (StopIteration, JSONDecodeError):
            container = _Container(sign == "[", self._has_hook)
        first = _behind_blanks(self._text, at + 1)
        if self._text[first : first + 1] == ("]" if container.is_list else "}"):
            return False, self._made(container), first + 1
        self._open.append(container)
        return True, None, self._at_value(first)

    @property
    def _has_hook(self) -> bool:
        return self._pairs_hook is not None or self._hook is not None

    def _made(self, container: _Container) -> Any:
        if container.is_list or type(container.members) is dict:
            return container.members
        if self._pairs_hook is not None:
            return self._pairs_hook(container.members)
        return self._hook(dict(container.members))

    def _scanned(self, text: str, at: int) -> tuple[Any, int]:
        try:
            value: tuple[Any, int] = self._scan(text, at)
        except StopIteration as error:
            raise JSONDecodeError("Expecting value", text, error.value) from None
        return value

    def _at_value(self, at: int) -> int:
        """Decode members up to one that is decoded alone; return where that begins."""
        container = self._open[-1]
        if at >= container.one_by_one and (container.is_list or not self._has_hook):
            at = self._by_many(container, at)
        if container.is_list:
            return at
        text = self._text
        if text[at : at + 1] != '"':
            rule = "Expecting property name enclosed in double quotes"
            raise JSONDecodeError(rule, text, at)
        container.key, at = scanstring(text, at + 1, self._strict)
        at = _behind_blanks(text, at)
        if text[at : at + 1] != ":":
            raise JSONDecodeError("Expecting ':' delimiter", text, at)
        return _behind_blanks(text, at + 1)

    def _behind_member(self, at: int) -> tuple[int, bool]:
        """Return where the next value begins; or the end of the container."""
        text, is_list = self._text, self._open[-1].is_list
        at = _behind_blanks(text, at)
        sign, end = text[at : at + 1], "]" if is_list else "}"
        if sign == end:
            return at + 1, True
        if sign != ",":
            raise JSONDecodeError("Expecting ',' delimiter", text, at)
        comma, at = at, _behind_blanks(text, at + 1)
        if _TELLS_COMMAS and text[at : at + 1] == end:
            kind = "array" if is_list else "object"
            rule = f"Illegal trailing comma before end of {kind}"
            raise JSONDecodeError(rule, text, comma)
        return self._at_value(at), False

    def _by_many(self, container: _Container, at: int) -> int:
        """Decode as many members as a piece holds; return where the next begins."""
        brackets = "[]" if container.is_list else "{}"
        while True:
            check()
            piece = self._text[at : at + _PIECE]
            for comma in _commas(piece):
                try:
                    array_text = f"{brackets[0]}{piece[:comma]}{brackets[1]}"
                    members, length = self._scan(array_text, 0)
                except (StopIteration, JSONDecodeError):
                    continue
                if length == len(array_text) and members:
                    break
            else:
                container.one_by_one = at + _PIECE
                return at
            if container.is_list:
                container.members += members
            else:
                container.members.update(members)
            begin = _behind_blanks(self._text, at + comma + 1)
            if self._text[begin : begin + 1] == brackets[1]:  # an error of the comma
                container.one_by_one = len(self._text)
                return at
            at = begin


def _commas(piece: str) -> Iterator[int]:
    """Yield places of commas that may stand between members, the likeliest first."""
    opening = piece[:1]
    for mark in ("},", "],", ",") if opening in ("{", "[", '"') else (",",):
        at = piece.rfind(mark)
        if at > 0:
            yield at + len(mark) - 1


def dumps(value: Any, **options: Any) -> str:
    """Return a value as JSON, as ``json.dumps`` does with the same options.

    Raises:
        OutOfTimeError: if the limit of time is over.

    >>> dumps({"a": [1, 2.5, None]})
    '{"a": [1, 2.5, null]}'
    """
    if not is_limited() or options.keys() - {"ensure_ascii", "default"}:
        return json.dumps(value, **options)
    return "".join(_encoded(value, 0, options))


def _encoded(value: Any, depth: int, options: dict[str, Any]) -> Iterator[str]:
    """Yield the pieces of a value's text."""
    if type(value) is list and value and depth < _NESTED:
        yield from _encoded_list(value, depth, options)
    elif type(value) is dict and value and depth < _NESTED:
        begin = "{"
        for number, (key, member) in enumerate(value.items(), 1):
            if number % _MEMBERS == 0:
                check()
            if type(member) not in (list, dict):
                text = json.dumps({key: member}, **options)
                yield begin + text[1:-1]
            else:
                yield f"{begin}{json.dumps({key: 0}, **options)[1:-2]}"
                yield from _encoded(member, depth + 1, options)
            begin = ", "
        yield "}"
    else:
        yield json.dumps(value, **options)


def _encoded_list(
    value: list[Any], depth: int, options: dict[str, Any]
) -> Iterator[str]:
    begin = "["
    if len(value) <= _FEW:
        for member in value:
            yield begin
            yield from _encoded(member, depth + 1, options)
            begin = ", "
    else:
        for first in range(0, len(value), _MEMBERS):
            if first:
                check()
            text = json.dumps(value[first : first + _MEMBERS], **options)
            yield begin + text[1:-1]
            begin = ", "
    yield "]"
