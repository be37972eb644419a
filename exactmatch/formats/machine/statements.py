"""Triples in the lines of a text, in any notation that models use.

Relations ``r(a, b)``; brackets ``(a; r; b)``; tables of markdown, of tabs or of commas
below a heading, also of HTML (:mod:`.html_tables`); arrows and paths of Cypher
(:mod:`.paths`); fields with names, such as ``Subject: a``; and the marks of
:mod:`.marked`.  Brackets and commas may be wide (:mod:`.wide_signs`).  A line that is
none of these is counted and passed over, and so is a triple with an empty end.  Time is
linear in the text.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from exactmatch.formats.machine.columns import is_heading, places_of
from exactmatch.formats.machine.html_tables import with_lines_of_html
from exactmatch.formats.machine.markdown import plain_line
from exactmatch.formats.machine.marked import marked_in
from exactmatch.formats.machine.paths import Paths, arrows_in, statements_of
from exactmatch.formats.machine.relations import (
    closing,
    has_ends,
    parts_of,
    relations_between,
    relations_in,
)
from exactmatch.formats.machine.wide_signs import with_narrow_signs

Triple = tuple[str, str, str]

_AROUND = " \t\"'`,;.“”"
"""What may stand before the brackets of a triple."""

_QUOTES = (("'", "'"), ("`", "`"), ("“", "”"), ("‘", "’"), ("«", "»"))
_ROUND = (("(", ")"), ("[", "]"), ("<", ">"), ("{", "}"))
_BRACKETS = ("()", "[]", "<>", "{}")
"""What stands in the place of a name that is not there."""

_PAIRS = {"(": "()", "[": "[]", "<": "<>", "⟨": "⟨⟩"}
_INTRODUCED = re.compile(r"[^()\[\]<>⟨⟩|\"\n]{0,80}:\s+(?=[(\[<⟨])")
_BETWEEN = re.compile(r"[\s,;.|]*(?:and\s+)?", re.IGNORECASE)
_UNDERLINED = re.compile(r"^(__?)(?=[^_\s])(.*[^_])\1$")
_BAR = re.compile(r"(?<!\\)\|")
_CYPHER = re.compile(
    r"(?i)(?:CREATE|MERGE|MATCH|WITH|UNWIND|SET|ON|RETURN|OPTIONAL)\b[\s(:]"
)
_FIELD = re.compile(r"[\"'`]?([A-Za-z][\w -]{0,30}?)[\"'`]?\s{0,3}[:=]\s{0,3}(?=\S)")


@dataclass
class Statements:
    """Statements of the lines of a text.

    Attributes:
        triples: the triples, each with two ends.
        entities: things that are named beside them.
        others: how many lines are not triples.
        broken: how many have the signs of a triple and are none, as an end is empty.
        facts: how many attributes of nodes and of edges were left out.
    """

    triples: list[Triple] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)
    others: int = 0
    broken: int = 0
    facts: int = 0


def statements_in(text: str, *, between_words: bool = True) -> Statements:
    """Return the triples of a text.

    Args:
        between_words: whether relations within sentences count.
    """
    if marked := marked_in(text):
        return Statements(
            marked.triples, marked.entities, 0, marked.broken, marked.facts
        )
    return _Lines(text, between_words).statements


def lines_of_relations(text: str) -> list[Triple]:
    r"""Return the triples of the lines of a text that are relations and nothing else.

    >>> lines_of_relations("In short, r(a, b)\n- s(c, d)")
    [('c', 's', 'd')]
    """
    lines = [plain_line(line) for line in text.splitlines() if "(" in line]
    calls = [_of_call(call) for line in lines for call in relations_in(line)]
    return [*filter(has_ends, calls)]


class _Lines:
    """Reads a text line by line; tables and fields reach over several."""

    def __init__(self, text: str, between_words: bool) -> None:
        self.statements = Statements()
        self._between_words = between_words
        self._columns: dict[str, int] | None = None
        self._sign = ""
        self._rows = 0
        self._row: tuple[list[str], int, int] | None = None
        self._fields: dict[str, str] = {}
        self._paths = Paths()
        lines = with_lines_of_html(text).splitlines()
        lines = [line for line in lines if line.strip()]
        plain_lines = [
            part for line in lines for part in statements_of(plain_line(line))
        ]
        self._paths.learn(plain_lines)
        for line in plain_lines:
            self._paths.rename(line)
            self._take(line)
        self._end_fields()
        self.statements.facts += self._paths.facts

    def _take(self, line: str) -> None:
        if not line.strip("`~ \t"):
            return
        if line.count('"') % 2:  # a quote without a partner
            line = "".join(line.rsplit('"', 1))
        if self._is_cypher(line):
            return
        narrow = with_narrow_signs(line)
        triples = _triples_in(line) or (_triples_in(narrow) if narrow != line else [])
        if self._is_field(line, is_triple=bool(triples)):
            return
        if not triples:
            if self._is_row(line):
                return
            if arrow := arrows_in(_ended(_introduced(line))):
                triples = [_named(arrow)]
        self._rows = 0
        if not triples:
            self.statements.others += 1
            if self._between_words:
                calls = relations_between(line) or relations_between(narrow)
                triples = [*map(_of_call, calls)]
        self._keep(triples)

    def _add(self, triples: Iterable[Sequence[str]]) -> None:
        self._keep(map(_named, triples))

    def _keep(self, triples: Iterable[Triple]) -> None:
        for triple in triples:
            if has_ends(triple):
                self.statements.triples.append(triple)
            else:
                self.statements.broken += 1

    def _is_cypher(self, line: str) -> bool:
        triples = self._paths.triples_in(line)
        self._add(triples)
        is_node = line[:1] == "(" and "{" in line
        if triples or not (is_node or _CYPHER.match(line)):
            return bool(triples)
        nodes = self._paths.nodes_in(line)
        self.statements.entities += nodes
        return bool(nodes)

    # ------------------------------------------------------------------ tables

    def _is_row(self, line: str) -> bool:
        """Take a row of a table, its heading, or the rule below that."""
        if "-" in line and not line.strip(" \t|:+=-") and {*line} & {*"|+"}:
            if self._rows == 1 and self._row is not None:
                cells, before, self.statements.broken = self._row
                del self.statements.triples[before:]
                self._head(cells)
            return self._rows > 0 or "|" in line
        sign = next((sign for sign in ("|", "\t") if sign in line), "")
        if not sign and self._sign and self._sign in line:
            sign = self._sign
        for separator in [sign] if sign else [",", ";"]:
            cells = _cells(line, separator)
            if is_heading(cells):
                self._head(cells)
                self._sign = separator
                return True
        if not sign:
            return False
        self._rows += 1
        self._row = cells, len(self.statements.triples), self.statements.broken
        columns = self._columns
        if columns is None and len(cells) == 3:
            columns = {"subject": 0, "relation": 1, "object": 2}
        if columns is None or max(columns.values()) >= len(cells):
            is_table = columns is not None or (line[:1] == "|" and len(cells) > 1)
            self.statements.broken += is_table
            return is_table
        self._add([[cells[place] for place in columns.values()]])
        return True

    def _head(self, cells: list[str]) -> None:
        """Take the names of the columns of a table."""
        self._rows, self._row = 2, None
        names = ("subject", "relation", "object")
        places = places_of(cells)
        if len(places) == len(names):
            self._columns = {name: places[name] for name in names}
        elif len(cells) in (3, 4):  # the first of four counts the rows
            first = len(cells) - 3
            self._columns = {name: first + k for k, name in enumerate(names)}
        else:
            self._columns = None

    # ------------------------------------------------------------------ fields

    def _is_field(self, line: str, *, is_triple: bool) -> bool:
        """Take fields with names: ``Subject: a``, alone in a line or side by side."""
        fields = _fields(line.strip("{}()[]<> ,;"))
        if not fields or (is_triple and len(fields) < 2):
            return False
        for column, value in fields.items():
            if column in self._fields:
                self._end_fields()
            self._fields[column] = value
        if len(self._fields) == 3:
            self._end_fields()
        return True

    def _end_fields(self) -> None:
        names = ("subject", "relation", "object")
        if len(self._fields) == len(names):
            self._add([[self._fields[name] for name in names]])
        else:
            self.statements.broken += bool(self._fields)
        self._fields = {}


def _fields(text: str) -> dict[str, str]:
    """Return the fields of a line by their columns of triples."""
    fields: dict[str, str] = {}
    column = ""
    start = 0
    for name in _FIELD.finditer(text):
        places = places_of([name[1]])
        is_first = not fields and (name.start() == 0 or start == name.start())
        if not places:
            if name.start() == 0:  # "Triple 1: Subject: …"
                start = name.end()
            continue
        if (
            not is_first
            and text[max(0, name.start() - 9) : name.start()].rstrip()[-1:] not in ",;|"
        ):
            continue
        if fields:
            fields[column] = text[start : name.start()].rstrip(" ,;|")
        column = next(iter(places))
        if column in fields:
            return {}
        start = name.end()
        fields[column] = ""
    if fields:
        fields[column] = text[start:]
    return fields


def _triples_in(line: str) -> list[Triple]:
    """Return the relations, or else the triples in brackets, of a line of them."""
    return [*map(_of_call, relations_in(line))] or _bracketed(line)


def _cells(line: str, sign: str) -> list[str]:
    """Split a row into cells: a bar may be escaped, and quotes may hold commas."""
    if sign == "|":
        parts = _BAR.split(line.strip())
        parts = parts[1:] if line.lstrip()[:1] == "|" else parts
        parts = parts[:-1] if len(parts) > 1 and not parts[-1].strip() else parts
        return [part.replace("\\|", "|").strip() for part in parts]
    with suppress(csv.Error, StopIteration):
        return [cell.strip() for cell in next(csv.reader([line], delimiter=sign))]
    return [cell.strip() for cell in line.split(sign)]


def _introduced(line: str) -> str:
    """Return a line without the words and colon before its bracket."""
    match = _INTRODUCED.match(line)
    return line[match.end() :] if match else line


def _bracketed(line: str) -> list[Triple]:
    """Return the triples in brackets that a line begins with."""
    text = _introduced(line).lstrip(_AROUND)
    triples, at = list[Triple](), 0
    while at < len(text) and (pair := _PAIRS.get(text[at])):
        end = closing(text, at + 1, pair)
        if end is None:
            break
        inner = text[at + 1 : end]
        if "{" in inner:
            break
        if calls := relations_in(inner) or relations_between(inner):
            triples += map(_of_call, calls)
            break
        for sign in ";|,":
            parts = parts_of(inner, sign, limit=4)
            if len(parts) == 3 and parts[1]:
                triples.append(_named(parts))
                break
        else:
            if not (arrow := arrows_in(inner)):
                break
            triples.append(_named(arrow))
        between = _BETWEEN.match(text, end + 1)
        at = between.end() if between else end + 1
    return triples


def _named(triple: Sequence[str]) -> Triple:
    """Return a triple with bare names."""
    source, label, target = triple
    return _bare(source), _UNDERLINED.sub(r"\2", _bare(label)), _bare(target)


def _of_call(triple: Sequence[str]) -> Triple:
    """Return the triple of a relation, whose ends keep brackets but for empty ones."""
    source, target = (
        "" if end in _BRACKETS else _bare(end, _QUOTES) for end in triple[::2]
    )
    return source, _named(triple)[1], target


def _bare(text: str, around: Sequence[tuple[str, str]] = (*_QUOTES, *_ROUND)) -> str:
    """Return a name without the blanks, quotes and brackets around it."""
    text = text.strip(' \t"')
    for begin, end in around:
        if len(text) > 1 and text[0] == begin and text[-1] == end:
            inner = text[1:-1]
            if begin not in inner and end not in inner:
                text = inner.strip(' \t"')
    return text.replace('\\"', '"').replace("\\'", "'")


def _ended(line: str) -> str:
    """Drop the full stop of a sentence; that of an abbreviation stays.

    >>> _ended("A -> in -> B."), _ended("A -> in -> D.C.")
    ('A -> in -> B', 'A -> in -> D.C.')
    """
    text = line.rstrip(" \t,;")
    is_full_stop = text[-1:] == "." and "." not in text[:-1].rpartition(" ")[2]
    return text[:-1] if is_full_stop else text
