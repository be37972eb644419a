"""Find every fault in a graph's PENMAN text, and repair the text.

Models that generate graphs sometimes write broken ones.  A reader refuses such a text
and names its first fault.  Here all its faults are found and classified, so that they
can be counted over a corpus, and :func:`repaired` completes the text to a graph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from exactmatch.graphs.graph import TAG

EMPTY = "empty"
MISSING = "missing"
NO_GRAPH = "no graph"
TEXT_AROUND = "text around the graph"
SEVERAL = "several graphs"
SPLIT = "one of several graphs of an answer"
UNCLOSED = "unclosed bracket"
UNOPENED = "bracket too many"
OPEN_STRING = "unclosed quote"
DUPLICATE = "duplicate variable"
NO_VARIABLE = "no variable"
NO_CONCEPT = "no concept"
NO_ROLE = "no role"
NO_VALUE = "role without value"
FENCE = "markdown fence"
BOX = "box of TeX"
THOUGHTS = "thoughts before the answer"
ESCAPES = "escapes of markdown"
UNKNOWN_END = "edge to an unknown node"
NO_EDGES = "no edges"
NO_END = "edge without two ends"
COMMA = "comma too many or too few"
QUOTES = "no double quotes"
WORD = "word without quotes"
HALF = "half a character"
OTHER = "other"

KINDS = (
    *(MISSING, EMPTY, NO_GRAPH, TEXT_AROUND, SEVERAL, UNCLOSED, UNOPENED, OPEN_STRING),
    *(DUPLICATE, NO_VARIABLE, NO_CONCEPT, NO_ROLE, NO_VALUE, FENCE, THOUGHTS),
    *(BOX, ESCAPES, SPLIT),
    *(UNKNOWN_END, NO_EDGES, NO_END, COMMA, QUOTES, WORD, HALF, OTHER),
)
"""Every kind of fault; ``missing`` means that there is no text at all, and ``other``
that a reader refuses the text for a reason that has no kind of its own."""

AROUND = frozenset((FENCE, BOX, TEXT_AROUND, THOUGHTS, SEVERAL, SPLIT))
"""Marks of what stands around a graph that is itself well-formed."""

INVENTED = "_"
"""The concept that a repair gives to a node without one."""

_FENCES = ("```", "~~~")

_TOKEN = re.compile(
    r'(?P<string>"(?:\\.|[^"\\])*")|(?P<quote>")|(?P<open>\()|(?P<close>\))'
    r"|(?P<role>:[^\s()\"]*)|(?P<word>(?:(?!:[A-Za-z])[^\s()\"])+)"
)

_UNREADABLE = re.compile("[/:]")
"""Signs within a word at which one reader or another parts it."""

_NO_NAME = re.compile("[/:~]")
_TAGGED = re.compile(rf"(?:{TAG})+\Z")
_TAGS_ALONE = re.compile(rf"(?:{TAG})+")


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """Yield each token of a text, with its kind before it."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "quote":  # up to the end of the text, for it is not closed
            yield kind, text[match.start() :]
            return
        if kind == "word" and match[0].startswith("/"):
            rest = match[0].lstrip("/")
            yield from [("slash", "/")] * (len(match[0]) - len(rest))
            yield from _tokens(rest)
        else:
            yield kind, match[0]


class _Scan:
    """Reads a text once, notes its faults and writes the repaired graph.

    Attributes:
        written: the tokens of the graph; nothing as long as no bracket is opened.
        says_something: whether any of its nodes has a concept.
    """

    def __init__(self, text: str) -> None:
        self.faults: dict[str, None] = {}
        self.written: list[str] = []
        self._depth = 0
        self._ended = False
        self._variables: dict[str, int] = {}
        self.says_something = False
        self._before = ""
        """What came last within the graph: open, variable, slash, concept, role, value
        or close."""
        lines = [x for x in text.splitlines() if not x.lstrip().startswith("#")]
        unfenced = [x for x in lines if not x.lstrip().startswith(_FENCES)]
        if len(unfenced) < len(lines):
            self._note(FENCE)
        tokens = [*_tokens("\n".join(unfenced))]
        if not any(kind == "open" for kind, _ in tokens):
            self._note(NO_GRAPH if tokens else EMPTY)
            return
        for kind, token in tokens:
            self._take(kind, token)
        if self._depth:
            self._note(UNCLOSED)
        while self._depth:
            self._close()

    def _note(self, fault: str) -> None:
        self.faults[fault] = None

    def _write(self, text: str, state: str) -> None:
        named = state == "concept" and text != INVENTED
        self.says_something |= named and text.strip('"') != ""
        self.written.append(text)
        self._before = state

    def _take(self, kind: str, text: str) -> None:
        if not self._depth:
            self._take_outside(kind)
        elif kind == "open":  # it needs a role, and the node around it a concept
            self._finish_node()
            if self._before != "role":
                self._note(NO_ROLE)
                self._write(":_", "role")
            self._depth += 1
            self._write("(", "open")
        elif kind == "close":
            self._close()
        elif kind == "role":
            self._drop_role()
            self._finish_node()
            if _UNREADABLE.search(_TAGGED.sub("", text[1:])):
                self._note(WORD)
                text = ":" + _UNREADABLE.sub("_", text[1:])
            self._write(text, "role")
        elif kind == "slash":
            if self._before == "open":
                self._name("")
            if self._before == "variable":
                self._write("/", "slash")
            else:
                self._note(NO_ROLE)
        elif _TAGS_ALONE.fullmatch(text):
            self._note(WORD)
        else:
            self._word(kind, text)

    def _take_outside(self, kind: str) -> None:
        if self._ended:
            if SEVERAL not in self.faults:  # what follows belongs to the second one
                self._note({"open": SEVERAL, "close": UNOPENED}.get(kind, TEXT_AROUND))
        elif kind == "open":
            self._depth = 1
            self._write("(", "open")
        else:
            self._note(UNOPENED if kind == "close" else TEXT_AROUND)

    def _word(self, kind: str, text: str) -> None:
        if kind == "quote":
            self._note(OPEN_STRING)
            inside = (text[1:].partition(")")[0].splitlines() or [""])[0]
            escapes = len(inside) - len(inside.rstrip("\\"))
            end = len(inside) - escapes % 2  # the last would escape the quote
            text = f'"{inside[:end]}"'
        else:
            text = self._without_colon(text)
        if self._before == "open" and text.startswith('"'):
            self._name("")
        elif self._before == "open":
            name, slash, concept = text.partition("/")
            self._name(self._without_colon(name))
            if slash:
                self._write("/", "slash")
            for part in _tokens(concept):
                self._take(*part)
        elif self._before in ("slash", "role"):
            if kind == "word" and _UNREADABLE.search(_TAGGED.sub("", text)):
                text = self._quoted(text)
            self._write(text, "concept" if self._before == "slash" else "value")
        else:
            self._note(NO_CONCEPT if self._before == "variable" else NO_ROLE)

    def _quoted(self, word: str) -> str:
        """Quote a word that a reader would part; slashes at its end are left out."""
        self._note(WORD)
        kept = word.rstrip("/").replace("\\", "\\\\")
        return kept if kept and not _UNREADABLE.search(kept) else f'"{kept}"'

    def _without_colon(self, word: str) -> str:
        """Cut colons off the end of a word, which readers would take for a role."""
        if word.endswith(":"):
            self._note(NO_ROLE)
        return word.rstrip(":")

    def _name(self, name: str) -> None:
        """Write a variable; one that is defined before gets a name of its own."""
        if not name:
            self._note(NO_VARIABLE)
            name = f"v{len(self._variables)}"
        if parted := _NO_NAME.search(name):
            self._note(WORD)
            name = name[: parted.start()] or f"v{len(self._variables)}"
        times = self._variables.get(name, 0)
        self._variables[name] = times + 1
        if times:
            self._note(DUPLICATE)
            name = f"{name}_{times}"
        self._write(name, "variable")

    def _finish_node(self) -> None:
        """Complete a node that has no variable or no concept yet."""
        if self._before == "open":
            self._name("")
        if self._before in ("variable", "slash"):
            self._note(NO_CONCEPT)
            if self._before == "variable":
                self._write("/", "slash")
            self._write(INVENTED, "concept")

    def _drop_role(self) -> None:
        if self._before == "role":
            self._note(NO_VALUE)
            self.written.pop()
            self._before = "value"

    def _close(self) -> None:
        self._drop_role()
        self._finish_node()
        self._depth -= 1
        self._write(")", "close")
        self._ended = not self._depth


def faults_of(text: str) -> tuple[str, ...]:
    """List the faults of a text that ought to be one graph in PENMAN, by kind.

    Returns:
        Some of :data:`KINDS`, in the order in which they are met; nothing if the text
        is one well-formed graph.

    Example:
        >>> faults_of("(w / want-01 :ARG0 (b / boy)")
        ('unclosed bracket',)
        >>> faults_of("Sure! (w / want-01 :ARG0 (w))")
        ('text around the graph', 'duplicate variable', 'no concept')
    """
    return tuple(_Scan(text).faults)


def repaired(text: str) -> str | None:
    """Return the first graph of a broken text, completed as far as it goes.

    Brackets and quotes are closed, roles without value left out, variables defined
    twice told apart; a missing concept becomes ``_``, a missing role ``:_``.

    Returns:
        A text without faults, or ``None`` if there is no concept in it.

    Example:
        >>> repaired("(w / want-01 :ARG0 (b / boy) :ARG1")
        '( w / want-01 :ARG0 ( b / boy ) )'
    """
    scan = _Scan(text)
    return " ".join(scan.written) if scan.says_something else None
