r"""Tables for papers: LaTeX ``tabular`` that compiles with any text in its cells.

Rules are those of the package *booktabs*, or plain lines without it.  Scores are in
percent, a minus is typeset as such, and the best score of a group is in bold.

Text is escaped, control characters are written visibly, and a row never begins with
``[`` or ``*``, which LaTeX would take for an argument of the ``\\`` before it.
Characters unknown to pdfLaTeX get a definition that shows their number; other engines,
and packages that define them, ignore it.  Tested with every character from U+00A1 to
U+2200 in the class ``article`` without packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TextIO

from exactmatch.base.numbers import Share
from exactmatch.base.visible import visible
from exactmatch.views.tables import Column, Row, Table, Tables

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
    "→": r"$\rightarrow$",
    "↔": r"$\leftrightarrow$",
    "κ": r"$\kappa$",
    "α": r"$\alpha$",
    "|": r"$|$",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}

_LATIN = 0xFF  # the last character of a plain preamble, with few exceptions
RULES = "".join(
    f"\\providecommand{{\\{name}rule}}{{\\hline}}%\n"
    for name in ("top", "mid", "bottom")
)
"""Definitions of booktabs' rules for documents that do not load the package."""

_T1 = {
    "«": r"\guillemetleft",
    "»": r"\guillemetright",
    "‹": r"\guilsinglleft",
    "›": r"\guilsinglright",
    "‚": r"\quotesinglbase",
    "„": r"\quotedblbase",
    "Ð": r"\DH",
    "ð": r"\dh",
    "Þ": r"\TH",
    "þ": r"\th",
    "Đ": r"\DJ",
    "đ": r"\dj",
    "Ŋ": r"\NG",
    "ŋ": r"\ng",
}
"""Characters that only the font encoding T1 has, with their commands."""

_OGONEK = frozenset("ĄąĘęĮįŲųǪǫ")  # letters with an accent that only T1 has


def escaped(text: str) -> str:
    """Escape the special characters of LaTeX in a text."""
    return "".join(_SPECIAL.get(c, c) for c in visible(text))


def write_latex(stream: TextIO, tables: Tables) -> None:
    """Write the details, or else the tables, and all sentences as comments."""
    shown = tables.details or tables.tables
    if any(isinstance(c.shown, Share) for t in shown for c in t.shown("latex")):
        stream.write(comments(["scores are in percent"]))
    stream.write(RULES)
    for number, table in enumerate(shown):
        stream.write("\n" if number else "")
        stream.write(comments(filter(None, (table.title, table.legend))))
        stream.write(tabular(table.in_percent()))
    stream.write(comments((*tables.states, *tables.notes, *tables.undrawn)))
    stream.write(comments((*tables.warnings, *tables.verdicts)))
    stream.write(comments(f"signature: {line}" for line in tables.signatures))
    if tables.provenance is not None:
        stream.write(comments([tables.provenance.line()]))


def tabular(table: Table) -> str:
    """Return a table with texts flush left and numbers flush right."""
    first, *other_columns = table.shown("latex")
    columns = [first._replace(is_text=True), *other_columns]
    best = table.best(columns)
    rows = [
        [_cell(column, row, is_best=(k, column.key) in best) for column in columns]
        for k, row in enumerate(table.rows)
    ]
    head = _row([escaped(column.title or column.key) for column in columns])
    sides = "".join("l" if column.is_text else "r" for column in columns)
    begin = (rf"\begin{{tabular}}{{{sides}}}", r"\toprule", head, r"\midrule")
    body = "\n".join((*begin, *map(_row, rows), r"\bottomrule", r"\end{tabular}"))
    return f"{_definitions(body)}{body}\n"


_SIGN = re.compile(r"-(?=[\d.])")


def _cell(column: Column, row: Row, *, is_best: bool) -> str:
    text = column.cell(row)
    parts = ("--" if text == "-" else text, column.cell_beneath(row).rstrip("-"))
    shown = escaped(" ".join(filter(None, parts)))
    if not column.is_text:
        shown = _SIGN.sub("$-$", shown)
    if is_best:
        shown = rf"\textbf{{{shown}}}"
    mark = row.get(column.mark, "") if column.mark else ""
    return shown + (rf"$^{{{mark}}}$" if mark else "")


def _row(cells: Sequence[str]) -> str:
    line = " & ".join(cells)
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _definitions(body: str) -> str:
    """Define the characters that pdfLaTeX, or a plain preamble, does not know."""
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
    """Return the beginning of the definition of an internal command, if undefined."""
    return rf"\expandafter\providecommand\csname {name}\endcsname"


def comments(lines: Iterable[str]) -> str:
    """Write lines as LaTeX comments."""
    return "".join(f"% {visible(line)}".rstrip() + "\n" for line in lines)
