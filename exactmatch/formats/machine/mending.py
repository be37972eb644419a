"""JSON as language models write it, read as far as it goes.

What strict JSON refuses and anyone can see through is taken: single and curly quotes,
quotes inside texts, words without quotes, Python's ``None`` and tuples, comments,
commas too many or too few, and an end that is missing.  Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from typing import Any

import exactmatch.formats.faults as faults
from exactmatch.base.deadline import in_time
from exactmatch.base.json_texts import raw_decode

_DEEPEST = 100
"""How deep brackets nest in an answer that is read."""

_PATIENCE = 100
"""How often strict JSON is tried: each failure counts the lines before it."""

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|\#[^\n]*)|(?P<open>[\[{(])|(?P<close>[\]})])"
    r"|(?P<comma>[,;])|(?P<colon>:|=>?)|(?P<quote>[\"'“”‘`])"
    r"|(?P<word>(?:(?!//)[^\s\[\]{}(),;:=\"“”])+(?:[ \t]+[^\s\[\]{}(),;:=\"“”]+)*)",
    re.DOTALL,
)
_STRICT = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"(?=\s*(?:[,:\]}]|\Z)|\s+"\w)')
_CLOSED_BY = {"“": '[“”"]', "”": '[“”"]', "‘": "[‘’']"}
_WORDS = {"true": True, "false": False, "null": None}
_WORDS_OF_PYTHON = {"True": True, "False": False, "None": None}
_ESCAPED = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_OPENING = re.compile(r"[\[{]")


def values_in(text: str) -> Iterator[tuple[Any, int, int, dict[str, None]]]:
    """Yield the values that begin with a bracket, outermost and in order.

    Yields:
        The value, where it begins and ends, and what had to be mended.
    """
    at = failures = 0
    last_comment = text.rfind("*/")
    while match := _OPENING.search(text, at):
        begin = match.start()
        wrong: dict[str, None] = {}
        try:
            if failures > _PATIENCE:
                raise ValueError
            value, at = raw_decode(text, begin)
        except (ValueError, RecursionError):
            failures += 1
            mended = _Mending(text, begin, last_comment)
            value, at, wrong = mended.value, mended.end, mended.faults
        yield value, begin, at, wrong


class _Mending:
    """Reads one value from an opening bracket on, and repairs it where necessary.

    Args:
        last_comment: where the last comment of the text ends, so that an end that is
            missing is not looked for again and again.

    Attributes:
        value: the value; ``None`` if it nests too deeply.
        end: where it ends.
        faults: what had to be mended.
    """

    def __init__(self, text: str, begin: int, last_comment: int) -> None:
        self.faults: dict[str, None] = {}
        self._text = text
        self._open: list[tuple[str, Any]] = []
        self._keys: list[str | None] = []
        self._before = ""
        self._last_comment = last_comment
        self.value: Any = None
        self.end = begin
        for _ in in_time(count()):
            if self.end >= len(text):
                break
            self._take()
            if not self._open:
                return
            if len(self._open) > _DEEPEST:
                self.value, self.end = None, len(text)
                return
        self.faults[faults.UNCLOSED] = None
        self._drop_unfinished()

    def _drop_unfinished(self) -> None:
        """Drop the item of a list that is cut off in its middle."""
        is_open = faults.OPEN_STRING in self.faults
        is_cut = is_open or self._before in ("open", "comma", "colon")
        if is_cut and len(self._open) > 1:
            (_, outer), (_, inner) = self._open[-2:]
            if isinstance(outer, list) and outer and outer[-1] is inner:
                outer.pop()

    def _skip_comment(self) -> bool:
        """Pass over ``/* … */``; one without end is a word."""
        begin = self.end + 2
        if begin > self._last_comment or not self._text.startswith("/*", self.end):
            return False
        self.end = self._text.index("*/", begin) + 2
        return True

    def _take(self) -> None:
        if self._skip_comment():
            return
        match = _TOKEN.match(self._text, self.end)
        if match is None:  # a sign of no meaning
            self.end += 1
            return
        kind, token = match.lastgroup, match[0]
        self.end = match.end()
        if kind == "blank":
            return
        before, self._before = self._before, str(kind)
        if kind == "open":
            value: Any = {} if token == "{" else []
            self._put(value, before)
            self._open.append((token, value))
            self._keys.append(None)
        elif kind == "close":
            if before == "comma":
                self.faults[faults.COMMA] = None
            self._close(token)
        elif kind == "comma" and before in ("comma", "open"):
            self.faults[faults.COMMA] = None
        elif kind == "comma":
            self._end_item()
        elif kind == "quote":
            self._put(self._string(token), before)
        elif kind == "word":
            self._put(self._word(token.rstrip()), before)

    def _put(self, value: Any, before: str) -> None:
        if not self._open:
            self.value = value
            return
        sign, container = self._open[-1]
        if before not in ("open", "comma", "colon"):
            self.faults[faults.COMMA] = None
            if sign == "{" and self._keys[-1] is None:
                self._end_item()
        if sign != "{":
            container.append(value)
        elif self._keys[-1] is None:
            self._keys[-1] = value if isinstance(value, str) else str(value)
        else:
            container[self._keys[-1]] = value
            self._keys[-1] = None

    def _end_item(self) -> None:
        """End an item of an object; a key may be left without a value."""
        sign, container = self._open[-1]
        if sign == "{" and self._keys[-1] is not None:
            container[self._keys[-1]] = None
            self._keys[-1] = None

    def _close(self, token: str) -> None:
        opening = {"]": "[", "}": "{", ")": "("}[token]
        if opening not in [sign for sign, _ in self._open]:
            self.faults[faults.UNOPENED] = None
            return
        while self._open:
            self._end_item()
            sign, _ = self._open.pop()
            self._keys.pop()
            if sign == opening:
                return
            self.faults[faults.UNCLOSED] = None

    def _string(self, quote: str) -> str:
        begin = self.end
        strict = _STRICT.match(self._text, begin - 1) if quote == '"' else None
        if strict:
            self.end = strict.end()
            return _unescaped(strict[0][1:-1])
        if quote != '"':
            self.faults[faults.QUOTES] = None
        closing = _CLOSED_BY.get(quote, quote)
        ends = re.compile(rf"(?<!\\){closing}(?=\s*(?:[,:;\])}}]|\Z)|\s+{closing}\w)")
        match = ends.search(self._text, begin)
        if match is None:
            self.faults[faults.OPEN_STRING] = None
            self.end = len(self._text)
            return _unescaped(self._text[begin:])
        if quote == '"' and '"' in self._text[begin : match.start()]:
            self.faults[faults.QUOTES] = None
        self.end = match.end()
        return _unescaped(self._text[begin : match.start()])

    def _word(self, token: str) -> Any:
        if token in _WORDS:
            return _WORDS[token]
        for number in (int, float):
            with suppress(ValueError):
                return number(token)
        self.faults[faults.WORD] = None
        return _WORDS_OF_PYTHON.get(token, token)


def _unescaped(text: str) -> str:
    def char(match: re.Match[str]) -> str:
        if match[1]:
            code = bytes.fromhex(match[1].replace("\\u", ""))
            return code.decode("utf-16-be", "replace")
        return _CONTROLS.get(match[2], match[2])

    return _ESCAPED.sub(char, text) if "\\" in text else text
