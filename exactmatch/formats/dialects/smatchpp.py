"""SMATCH++'s reading of a graph, and the standardisation it begins with.

There are three readings, one for each of SMATCH++'s standardisations:

* ``none``: triples as written; ``:ARG0-of`` is a role like any other.
* ``generic``: case, quotes and apostrophes are ignored, even in the names of
  variables: ``A`` and ``a`` are one variable, and a constant ``"b"`` is the
  variable ``b`` where there is one.  Every ``-of`` at the end of a role turns the
  relation around, ``:consist-of`` included, and twice if it is written twice.
* ``amr``: as ``generic``, and ``:domain`` is ``:mod`` turned around.  What else
  this one does (reified nodes, repeated triples, the root's concept) is done
  after reading, because other fields of the profile say so.

A role that turns around to begin at a constant, as in ``:ARG0-of 1``, gives a triple
that begins at a constant.  A :class:`~exactmatch.graphs.graph.Graph` has it as an
attribute whose role ends in ``-of``, as no other role then does.

A text is read word by word: ``(variable / concept``, a ``:role`` behind a blank, a
value, ``)``.  Where SMATCH++ itself only guesses, this reader stops: at a value
without a role, at roles of a variable without a concept, behind the last bracket.
Comments are never read as triples; quotes hold a value together whatever is in it;
``(a/b)`` is ``(a / b)``.  A plain text (:mod:`exactmatch.formats.dialects._plain`) is
scanned by
a kernel, with the same outcome.

Source: Opitz (2023), "SMATCH++: Standardized and Extended Evaluation of Semantic
Graphs", and what smatchpp 1.8.0 makes of texts that probe it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import islice
from typing import Any, NoReturn, TypeAlias

import exactmatch.formats.remarks as remarks
from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block, no_graph
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import INSTANCE, INVERSE, GraphCoder
from exactmatch.graphs.profile import NORMALISERS, as_written

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

_TOKEN = re.compile(
    r'\(\s*[^\s()/":][^\s()/"]*\s*/?'  # "(variable /", or "(variable" alone
    r"|[()]"
    r'|(?:"(?:[^"\\]|\\.)*"|[^\s()"])+'  # a word; quotes hold blanks and brackets
    r'|"',
    re.DOTALL,
)
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_BLANKS = re.compile(r"\s+")

TWICE = "defines a variable twice and keeps both concepts"

Turn: TypeAlias = "Callable[[str], tuple[str, bool]]"
"""From a role to its direct form, and whether the role was inverse."""


@lru_cache(2**16)
def upright(role: str) -> tuple[str, bool]:
    """Take every ``-of`` from the end of a role.

    Returns:
        The role without them, and whether their number was odd, so that source and
        target change places.

    Example:
        >>> upright("ARG0-of"), upright("ARG0-of-of"), upright("consist-of")
        (('ARG0', True), ('ARG0', False), ('consist', True))
    """
    turned = False
    while role[-len(INVERSE) :].lower() == INVERSE:
        role = role[: -len(INVERSE)]
        turned = not turned
    return role, turned


def upright_amr(role: str) -> tuple[str, bool]:
    """Do the same as :func:`upright`, and take ``domain`` for ``mod-of``.

    Example:
        >>> upright_amr("domain"), upright_amr("domain-of")
        (('mod', True), ('mod', False))
    """
    lower = role.lower()
    if lower in ("domain", "domain-of"):
        return "mod", lower == "domain"
    return upright(role)


def _read(block: Block, reader: str, key: Callable[[str], str], turn: Turn) -> Reading:
    """Read a block.

    Args:
        key: maps names of variables; names with the same result are one variable.
        turn: gives a role's direct form, and whether the role was inverse.

    Raises:
        GraphError: where SMATCH++ would guess; file, line and id are named.
    """
    if not block.content:
        raise no_graph(block)
    written = _Words(block)
    coder = GraphCoder()
    names: list[str] = []
    for name, concept in written.concepts:
        if key(name) not in coder.numbers:
            names.append(name)
        coder.instances.append((coder.variable(key(name)), coder.label(concept)))
    written_names = {name for name, _ in written.concepts}
    named = 0  # values that a variable's name decides about, as "b" beside (b / boy)
    for name, role, value in written.links:
        v, target = coder.numbers[key(name)], coder.numbers.get(key(value))
        role, turned = turn(role)
        if target is not None:
            named += value not in written_names
            source, target = (target, v) if turned else (v, target)
            coder.relations.append((source, coder.label(role), target))
        elif key(role) == INSTANCE:
            coder.instances.append((v, coder.label(value)))
        else:
            code = coder.label(role + INVERSE if turned else role)
            coder.attributes.append((v, code, coder.label(value)))
    if len(names) < len(coder.instances):
        written.remarks[TWICE] = None
        marking = [row for row in coder.instances if row[0] == 0][-1]
        coder.instances.remove(marking)
        coder.instances.insert(0, marking)  # the root's last concept marks it
    top = next(iter(coder.numbers))
    graph = coder.graph(top, block.metadata(), block.origin(), reader)
    graph = graph.revised(variables=tuple(names))
    return Reading(
        graph, tuple(written.remarks), remarks.counted((remarks.NAMED, named))
    )


_unquoted = NORMALISERS["unquoted"]
read_smatchpp = partial(_read, reader="smatchpp", key=_unquoted, turn=upright_amr)
read_smatchpp_generic = partial(
    _read, reader="smatchpp-generic", key=_unquoted, turn=upright
)
read_smatchpp_none = partial(
    _read, reader="smatchpp-none", key=as_written, turn=lambda role: (role, False)
)
"""The readers, one for each standardisation."""


class _Words:
    """The words of a block, one after the other.

    Attributes:
        concepts: ``(variable, concept)`` in order; the first is the root's.
        links: ``(variable, role, value)`` in order, as written.
    """

    def __init__(self, block: Block) -> None:
        self.concepts: list[tuple[str, str]] = []
        self.links: list[tuple[str, str, str]] = []
        self.remarks: dict[str, None] = {}
        self._block = block
        self._text = "\n".join(block.content)
        self._at = -1  # which token is taken
        self._open: list[str] = []  # the variables whose bracket is open
        self._naming = False  # whether the last of them waits for its concept
        self._role: str | None = None  # waits for its value
        statements = _kernel.scan(block.content)
        if statements is None:
            self._scan()
            return
        for source, role, target, concept, _ in statements:
            if concept is not None:
                self.concepts.append((target, concept))
            elif '"' in target:
                target = _BLANKS.sub(" ", target)
            if source is not None:
                self.links.append((source, role, target))

    def _scan(self) -> None:
        for at, match in enumerate(_TOKEN.finditer(self._text)):
            self._at, token = at, match[0]
            first = token[0]
            if self._naming and first in "():":
                self._stop(f"has no concept for variable {self._open[-1]!r}")
            if at == 0 and first != "(":
                self._stop("does not begin with '('")
            if token == '"':
                self._stop("ends inside a string; close the quote")
            if not self._open and at and token != ")":
                self._stop("goes on behind its end; put a blank line there")
            if first == "(":
                self._begin(token)
            elif first == ")":
                self._drop_role()
                if self._open:
                    self._open.pop()
                else:
                    self.remarks[remarks.NO_OPENING] = None
            elif first == ":":
                if not self._open[-1]:
                    self._stop("has roles of a variable without a concept")
                self._drop_role()
                self._role = token[1:]
                if not self._role:
                    self.remarks[remarks.NAMELESS_ROLE] = None
            else:
                word = _BLANKS.sub(" ", token) if '"' in token else token
                if self._naming:
                    self.concepts.append((self._open[-1], word))
                    self._naming = False
                else:
                    self._link(word)
        if self._naming:
            self._stop(f"has no concept for variable {self._open[-1]!r}")
        if self._open:
            self.remarks[remarks.UNCLOSED] = None
        if "~" in self._text and "~" in _STRING.sub("", self._text):
            self.remarks[remarks.TAGGED] = None

    def _begin(self, token: str) -> None:
        """Take ``(variable /``, or ``(variable`` alone."""
        self._naming = token[-1] == "/"
        name = token[1:].removesuffix("/").strip()
        if not name:
            self._stop("has a bracket without a variable")
        if self._open:
            self._link(name)
        elif not self._naming:
            self._stop(f"has no concept for variable {name!r}")
        if not self._naming:
            self.remarks["has a variable in brackets without a concept"] = None
            name = ""
        self._open.append(name)

    def _drop_role(self) -> None:
        if self._role is not None:
            self.remarks[remarks.VALUELESS] = None
            self._role = None

    def _link(self, value: str) -> None:
        if self._role is None:
            self._stop(f"has {value!r} without a role in front of it")
        self.links.append((self._open[-1], self._role, value))
        self._role = None

    def _stop(self, reason: str) -> NoReturn:
        position = next(islice(_TOKEN.finditer(self._text), self._at, None)).start()
        position -= self._text.count("\n", 0, position)
        raise self._block.error_at(reason, position)
