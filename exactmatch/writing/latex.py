r"""Tables for papers: LaTeX ``tabular`` that compiles whatever stands in its cells.

Text is escaped, control characters are written visibly, and a row never begins with
``[`` or ``*``, which LaTeX would take for an argument of the ``\\`` before it.
Characters that pdfLaTeX has not been told about get a definition that shows their
number; other engines, and packages that do define them, take no notice of it.  Tried
with every character from U+00A1 to U+2200 in the class ``article`` without packages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TextIO

from exactmatch.writing.tables import Column, Row, Table, Tables
from exactmatch.writing.visible import visible

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "✓": r"\checkmark{}",
    "✗": r"$\times$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "<": r"$<$",
    ">": r"$>$",
    "Δ": r"$\Delta$",
    "ε": r"$\varepsilon$",
    "ρ": r"$\rho$",
    "τ": r"$\tau$",
    "²": r"$^2$",
    "…": r"\dots{}",
    "|": r"$|$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}

_LATIN = 0xFF
"""The last character that a plain preamble knows, with few exceptions."""

_T1 = {
    "«": r"\guillemetleft",
    "»": r"\guillemetright",
    "Ð": r"\DH",
    "ð": r"\dh",
    "Þ": r"\TH",
    "þ": r"\th",
    "Đ": r"\DJ",
    "đ": r"\dj",
    "Ŋ": r"\NG",
    "ŋ": r"\ng",
    "‚": r"\quotesinglbase",
    "„": r"\quotedblbase",
    "‹": r"\guilsinglleft",
    "›": r"\guilsinglright",
}
"""What only the font encoding T1 has, and the command for it."""

_OGONEK = frozenset("ĄąĘęĮįŲųǪǫ")
"""Letters with an accent that only T1 has."""


def escaped(text: str) -> str:
    """The text with LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(c, c) for c in visible(text))


def write_latex(stream: TextIO, tables: Tables) -> None:
    """Write the details, or else the tables, and all sentences as comments."""
    for number, table in enumerate(tables.details or tables.tables):
        stream.write("\n" if number else "")
        stream.write(comments([table.title] if table.title else ()))
        stream.write(tabular(table))
    signatures = (f"signature: {line}" for line in tables.signatures)
    sentences = (*tables.states, *tables.notes, *tables.warnings, *signatures)
    stream.write(comments(sentences))


def tabular(table: Table) -> str:
    """A table whose texts are set flush left and whose numbers flush right."""
    columns = table.shown("latex")
    rows = [[_cell(column, row) for column in columns] for row in table.rows]
    head = _row([escaped(column.title or column.key) for column in columns])
    body = "\n".join([head + r" \hline", *map(_row, rows)])
    sides = "".join("l" if column.is_text else "r" for column in columns)
    start = rf"\begin{{tabular}}{{l{sides[1:]}}}"
    return f"{_definitions(body)}{start}\n{body}\n\\end{{tabular}}\n"


def _cell(column: Column, row: Row) -> str:
    text = column.cell(row)
    parts = ("--" if text == "-" else text, column.cell_beneath(row).rstrip("-"))
    return escaped(" ".join(filter(None, parts)))


def _row(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _definitions(body: str) -> str:
    """What stands for a character that pdfLaTeX, or a plain preamble, does not know."""
    lines = [r"\providecommand{\checkmark}{$\surd$}"] if r"\checkmark" in body else []
    for character in sorted({c for c in body if ord(c) > 127}):
        number = f"{{U+{ord(character):04X}}}"
        if character in _OGONEK:
            lines.append(_provided(r"?\string\k") + "[1]{#1}")
        elif character in _T1:
            lines.append(_provided(r"?\string" + _T1[character]) + number)
        elif ord(character) > _LATIN:
            lines.append(_provided(r"u8:\detokenize{" + character + "}") + number)
    return "".join(f"{line}%\n" for line in dict.fromkeys(lines))


def _provided(name: str) -> str:
    """Begin the definition of an internal command, where there is none yet."""
    return rf"\expandafter\providecommand\csname {name}\endcsname"


def comments(lines: Iterable[str]) -> str:
    """Lines that LaTeX does not read."""
    return "".join(f"% {visible(line)}".rstrip() + "\n" for line in lines)
