"""S²match's official reading of a graph, to the letter.

S²match comes with an older reader of smatch's, which counts other triples than
today's:

* of two relations between the same two variables the last counts, and of two
  attributes of one variable with the same role; so nothing occurs twice;
* every ``:X-of`` with a variable in brackets is inverted; written without
  brackets only as the last role of its variable, and then what inverts to a
  constant is dropped; ``:mod`` is left alone;
* quotes are dropped, and a closing one leaves a ``_`` behind (which, unlike in
  smatch, stays when labels are compared: ``"David"`` is not ``David``), unless
  quotes are *unmarked*;
* a value is what stands before the first blank; blanks in a concept are
  dropped; lines are joined without a blank;
* the root is marked by its concept (the profile's ``top``); a ``:TOP`` of the
  root that is written out is lost.

Source: the reading facts of the implementation published with Opitz,
Parcalabescu and Frank (2020), "AMR Similarity Metrics from Principles".
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import exactmatch.formats.remarks as remarks
from exactmatch.base import compiled as kernels
from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import Block
from exactmatch.formats.remarks import Reading, counted
from exactmatch.graphs.graph import Graph, Origin, Parts

_TOKEN = re.compile(r'["():/]|[^"():/]+')

# Which sign came last.
_START, _NAME, _ROLE, _CONCEPT, _DONE = range(5)


class Scanner:
    """Smatch's first reader, from which those of S²match and SemBleu descend.

    It knows four signs, and between them collects characters:

    * ``(`` begins a variable, ``/`` its concept, ``:`` a role (and its value, if
      that is not in brackets), ``)`` ends a variable;
    * blanks are dropped, except in a role and its value;
    * a missing ``)`` at the end goes unnoticed, a surplus one does not; brackets and
      words that stand where none belongs become part of what comes next.

    What a careful reader would refuse of this is remarked upon.  A plain text
    (:mod:`exactmatch.formats.dialects._plain`), as nearly all are, is scanned by a
    kernel, with the same outcome.

    Attributes:
        order: the variables as they are begun.
        open: the variables that have not ended.
        pending: the characters that no sign has used up.
        line, text: number and text of the line that is being scanned.
        token: which token of it is being scanned; ``None`` behind the last line.
        strings: how many quotes have closed since characters were last used up.
        lenient: what a careful reader would refuse.
        stated: variables and values as they are begun, as ``(source, role, target,
            whether it is a variable in brackets, last)``.
        cut: how many quoted values have more than one word.
    """

    def __init__(self, origin: Origin, quotes: tuple[str, str]) -> None:
        self.origin = origin
        self.quotes = quotes
        self.concepts: dict[str, str] = {}
        self.order: list[str] = []
        self.open: list[str] = []
        self.role = ""
        self.quoted = False
        self.pending: list[str] = []
        self.state = _START
        self.line: int | None = None
        self.text = ""
        self.token: int | None = None
        self.strings = 0
        self.lenient: dict[str, None] = {}
        self.relations: list[tuple[str | None, str | None, str, bool, bool]] = []
        self.cut = 0

    def sign_in_quotes(self, sign: str) -> None:
        """Take a bracket, colon or slash in quotes, where it has no meaning."""
        self.pending.append(sign)

    def value(self, role: str, words: list[str], *, last: bool) -> None:
        """File a role whose value is written without brackets, one word at least."""
        self.relations.append((self.open[-1], role, words[0], False, last))

    def scan(
        self, lines: list[tuple[int, str]], joint: str = ""
    ) -> list[tuple[str | None, str | None, str, str | None, bool]]:
        """Scan all lines, joined by *joint*, and check that there is a graph.

        Returns:
            Its statements, as the kernel's ``scan`` gives those of a plain text.

        Raises:
            GraphError: where the published readers stop.
        """
        signs = {"(": self.begin, ":": self.colon, "/": self.slash, ")": self.end}
        last = "("
        for number, line in lines:
            if joint and self.line is not None:
                line = joint + line
            elif self.quoted or (line[0] not in "(:/)" and last not in "(/"):
                self.lenient[remarks.GLUED] = None
            last = line[-1]
            self.line = number
            self.text = line
            for self.token, token in enumerate(_TOKEN.findall(line)):
                if token in signs:
                    if self.quoted:
                        self.sign_in_quotes(token)
                    else:
                        signs[token]()
                elif token == '"':
                    self.strings += self.quoted
                    self.pending.append(self.quotes[self.quoted])
                    self.quoted = not self.quoted
                else:
                    self.word(token)
        self.token = None
        if not self.order:
            raise self.error("has no node; a graph is '(variable / concept ...)'")
        for name in self.order:
            if name not in self.concepts:
                raise self.error(f"has no concept for variable {name!r}")
        if self.open:
            self.lenient[remarks.UNCLOSED] = None
        elif self.state != _DONE or any(self.pending):
            self.lenient[remarks.STRAY] = None
        if self.quoted:
            self.lenient[remarks.OPEN_QUOTE] = None
        return [
            (source, role, target, self.concepts[target] if defines else None, last)
            for source, role, target, defines, last in self.relations
        ]

    def word(self, token: str) -> None:
        """Scan characters between signs; blanks count in a role and its value."""
        if "~" in token and not self.quoted:
            self.lenient[remarks.TAGGED] = None
        if self.state != _ROLE:
            if "\t" in token:
                self.lenient[remarks.TABBED] = None
            if " " in token:
                if " " in token.strip(" "):
                    self.lenient[remarks.BLANK] = None
                token = token.replace(" ", "")
        self.pending.append(token)

    def begin(self) -> None:
        """Scan ``(``: a variable's name follows."""
        if self.state == _ROLE:
            if self.role:
                raise self.error(f"has role {self.role!r} without a value")
            self.role = self.collected().strip()
            if not self.role:
                self.lenient[remarks.NAMELESS_ROLE] = None
            elif " " in self.role:
                self.lenient[remarks.BLANK] = None
        elif self.state in (_NAME, _CONCEPT) or any(self.pending):
            self.lenient[remarks.STRAY] = None
        elif self.open:
            self.lenient[remarks.ROLELESS] = None
        elif self.order:
            self.lenient[remarks.SEVERAL_GRAPHS] = None
        self.state = _NAME

    def slash(self) -> None:
        """Scan ``/``: the variable's name is complete, its concept follows."""
        if self.state != _NAME:
            raise self.error("has a '/' that is not in '(variable / concept'")
        name = self.collected()
        if name in self.concepts:
            raise self.error(f"defines variable {name!r} twice; rename one")
        parent = self.parent(self.role) if self.role else None
        self.relations.append((parent, self.role or None, name, True, False))
        self.role = ""
        self.open.append(name)
        self.order.append(name)
        self.state = _CONCEPT

    def colon(self) -> None:
        """Scan ``:``: a role follows."""
        self.complete(last=False)
        self.state = _ROLE

    def end(self) -> None:
        """Scan ``)``: the variable ends."""
        if not self.open:
            raise self.error(remarks.NO_OPENING)
        self.complete(last=True)
        self.open.pop()
        self.role = ""
        self.state = _DONE

    def complete(self, *, last: bool) -> None:
        """File the concept, or the role and its value, that a sign ends."""
        if self.state == _CONCEPT:
            self.concepts[self.open[-1]] = concept = self.collected()
            if not concept.strip():
                self.lenient[remarks.CONCEPTLESS] = None
        elif self.state == _ROLE:
            in_quotes = self.strings > 0
            text = self.collected()
            words = text.split()
            if len(words) < 2:
                raise self.error(remarks.without_value(text.strip()))
            self.cut += len(words) > 2 and in_quotes
            if len(words) > 2 and not in_quotes:
                self.lenient[remarks.UNQUOTED] = None
            self.parent(words[0])
            self.value(words[0], words[1:], last=last)
        elif self.state == _NAME or any(self.pending):
            self.lenient[remarks.STRAY] = None

    def parent(self, role: str) -> str:
        """Return the innermost open variable, which a role belongs to."""
        if not self.open:
            raise self.error(f"has role {role!r} outside of any node")
        return self.open[-1]

    def collected(self) -> str:
        """Return the characters that no sign has used up, now used."""
        text = "".join(self.pending)
        self.pending.clear()
        self.strings = 0
        return text

    def error(self, reason: str) -> GraphError:
        """Return the error that names the line and what is being scanned in it."""
        if self.token is None:
            return self.origin.error(reason, self.line)
        before = _TOKEN.findall(self.text)[: self.token]
        column = len("".join(before)) + 1
        return self.origin.error(reason, self.line, column, self.text)


_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

QUOTE_MARK = "_"
"""What a closing quote leaves behind."""


def read_s2match(
    block: Block,
    reader: str = "s2match",
    *,
    content: tuple[str, ...] | None = None,
    mark_quotes: bool = True,
    collapse: bool = True,
) -> Reading:
    """Read a block the way S²match's own code does.

    Args:
        content: the text that is read instead of the block's own content.
        mark_quotes: whether a closing quote leaves ``_`` behind; without it
            ``"David"`` is ``David``.
        collapse: whether of relations between the same two variables, and of
            attributes with the same role, the last alone counts; smatch's first
            releases, which are read so otherwise, kept them all.

    Raises:
        GraphError: where the official code stops; file, line and id are named.
    """
    statements = _kernel.scan(block.content if content is None else content)
    mark = QUOTE_MARK if mark_quotes else ""
    coded = (
        None if statements is None else _kernel.code_early(statements, mark, collapse)
    )
    lenient: tuple[str, ...] = ()
    cut = 0
    if coded is None:
        official = Scanner(block.origin(), ("", mark))
        rewritten = [(official.origin.line or 1, line) for line in content or ()]
        statements = official.scan(block.numbered() if content is None else rewritten)
        if len(set(official.order)) < len(official.order):
            raise official.error("defines a variable in its own concept; rename one")
        coded = _kernel.code_early(statements, mark, collapse)
        cut, lenient = official.cut, tuple(official.lenient)
    parts: Parts
    parts, (also_cut, inverted, replaced, second_tops) = coded
    graph = Graph.trusted(parts, 0, block.metadata(), block.origin(), reader)
    dropped = counted(
        (remarks.CUT, cut + also_cut),
        (remarks.INVERTED_CONSTANTS, inverted),
        (remarks.REPLACED, replaced),
        (remarks.SECOND_TOPS, second_tops),
    )
    return Reading(graph, lenient, dropped)


read_unmarked = partial(read_s2match, reader="s2match-unmarked", mark_quotes=False)
