"""JSON and single triples as language models write them, read as far as they go.

What strict JSON refuses and anyone can see through is taken: single and curly quotes,
quotes inside texts, words without quotes, Python's ``None`` and tuples, comments,
commas too many or too few, and an end that is missing.  Time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from json import JSONDecoder
from typing import Any

import exactmatch.formats.faults as faults

_DEEPEST = 100
"""How deep brackets nest in an answer that is read."""

_PATIENCE = 100
"""How often strict JSON is tried: each failure counts the lines before it."""

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/|\#[^\n]*)|(?P<open>[\[{(])|(?P<close>[\]})])"
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
    decode = JSONDecoder().raw_decode
    at = failures = 0
    while found := _OPENING.search(text, at):
        begin = found.start()
        wrong: dict[str, None] = {}
        try:
            if failures > _PATIENCE:
                raise ValueError
            value, at = decode(text, begin)
        except (ValueError, RecursionError):
            failures += 1
            mended = _Mending(text, begin)
            value, at, wrong = mended.value, mended.end, mended.faults
        yield value, begin, at, wrong


class _Mending:
    """Reads one value from an opening bracket on, whatever it takes.

    Attributes:
        value: the value; ``None`` if it nests too deeply.
        end: where it ends.
        faults: what had to be mended.
    """

    def __init__(self, text: str, begin: int) -> None:
        self.faults: dict[str, None] = {}
        self._text = text
        self._open: list[tuple[str, Any]] = []
        self._keys: list[str | None] = []
        self._before = ""
        self.value: Any = None
        self.end = begin
        while self.end < len(text):
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

    def _take(self) -> None:
        found = _TOKEN.match(self._text, self.end)
        if found is None:  # a sign of no meaning
            self.end += 1
            return
        kind, token = found.lastgroup, found[0]
        self.end = found.end()
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
        """An item of an object ends; a key may be left without a value."""
        sign, container = self._open[-1]
        if sign == "{" and self._keys[-1] is not None:
            container[self._keys[-1]] = None
            self._keys[-1] = None

    def _close(self, token: str) -> None:
        wanted = {"]": "[", "}": "{", ")": "("}[token]
        if wanted not in [sign for sign, _ in self._open]:
            self.faults[faults.UNOPENED] = None
            return
        while self._open:
            self._end_item()
            sign, _ = self._open.pop()
            self._keys.pop()
            if sign == wanted:
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
        found = ends.search(self._text, begin)
        if found is None:
            self.faults[faults.OPEN_STRING] = None
            self.end = len(self._text)
            return _unescaped(self._text[begin:])
        if quote == '"' and '"' in self._text[begin : found.start()]:
            self.faults[faults.QUOTES] = None
        self.end = found.end()
        return _unescaped(self._text[begin : found.start()])

    def _word(self, token: str) -> Any:
        if token in _WORDS:
            return _WORDS[token]
        for number in (int, float):
            with suppress(ValueError):
                return number(token)
        self.faults[faults.WORD] = None
        return _WORDS_OF_PYTHON.get(token, token)


def _unescaped(text: str) -> str:
    def char(found: re.Match[str]) -> str:
        if found[1]:
            code = bytes.fromhex(found[1].replace("\\u", ""))
            return code.decode("utf-16-be", "replace")
        return _CONTROLS.get(found[2], found[2])

    return _ESCAPED.sub(char, text) if "\\" in text else text


# -------------------------------------------------------- triples in a line

_NAME = r"[^\W\d][\w./-]{0,99}(?::[\w./-]{1,99})*(?: [\w./-]{1,99}){0,4}"
_BEGIN = re.compile(rf"({_NAME})\(")
_BETWEEN = re.compile(r"[\s,;.\"'`]*")
_INTRODUCED = re.compile(rf"[^()]{{0,80}}:\s+(?={_NAME}\()")
_BULLET = re.compile(r"(?:[-*•]|\d{1,4}[.)])\s+")
_AROUND = " \t\"'`,;."


def relation_in(line: str) -> tuple[str, str, str] | None:
    """The triple of a line ``relation(subject, object)``, if it is one.

    The subject ends at the first comma that stands in no brackets and no quotes.

    >>> relation_in("- creator(Arion (comics), Jan Duursema)")
    ('Arion (comics)', 'creator', 'Jan Duursema')
    """
    found = relations_in(line)
    return found[0] if len(found) == 1 else None


def relations_in(line: str) -> list[tuple[str, str, str]]:
    """The triples of a line of such relations alone; none of any other line.

    >>> len(relations_in("Output: type(Auburn, City), state(Auburn, Alabama)."))
    2
    """
    text = _bare(line).strip("[]{}")
    if found := _INTRODUCED.match(text):
        text = text[found.end() :].lstrip("[{")
    triples, at = [], 0
    while at < len(text):
        begin = _BEGIN.match(text, at)
        end = begin and _closing(text, begin.end())
        if not begin or not end:
            return []
        parts = _parts(text[begin.end() : end], ",", most=2)
        if len(parts) != 2:
            return []
        triples.append((parts[0], begin[1], parts[1]))
        between = _BETWEEN.match(text, end + 1)
        at = between.end() if between else end + 1
    return triples


def triples_in(line: str) -> list[tuple[str, str, str]]:
    """The triples of a line in any form that models use.

    >>> triples_in("2. (Arion; creator; Jan Duursema)")
    [('Arion', 'creator', 'Jan Duursema')]
    """
    if relations := relations_in(line):
        return relations
    text, signs = _bare(line), "\t|"
    if text[:1] + text[-1:] in ("()", "<>", "[]"):
        text, signs = text[1:-1], ";|,"
    for sign in signs:
        parts = _parts(text, sign, most=4)
        if len(parts) == 3 and all(parts):
            return [(parts[0], parts[1], parts[2])]
    return []


def _bare(line: str) -> str:
    """A line without bullet, quotes and full stop around it."""
    return _BULLET.sub("", line.strip(), count=1).strip(_AROUND)


def _closing(text: str, at: int) -> int | None:
    """The place of the bracket that closes one that is open."""
    depth = 1
    for place, one in _outside_quotes(text, at):
        depth += (one == "(") - (one == ")")
        if not depth:
            return place
    # a quote or a bracket is never closed
    return len(text) - 1 if text[-1:] == ")" else None


def _parts(text: str, sign: str, most: int) -> list[str]:
    """The parts of a text between a sign that is in no brackets and no quotes."""
    parts, begun, depth = list[str](), 0, 0
    for at, one in _outside_quotes(text, 0):
        depth += (one in "([") - (one in ")]")
        if one == sign and depth <= 0 and len(parts) < most - 1:
            parts.append(text[begun:at])
            begun = at + 1
    return [part.strip().strip('"').strip() for part in (*parts, text[begun:])]


def _outside_quotes(text: str, begin: int) -> Iterator[tuple[int, str]]:
    """The signs that stand in no quotes, each behind its place."""
    quote = False
    for place in range(begin, len(text)):
        if text[place] == '"':
            quote = not quote
        elif not quote:
            yield place, text[place]
