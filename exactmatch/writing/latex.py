r"""Tables for papers: LaTeX ``tabular`` that compiles whatever stands in its cells.

Text is escaped, control characters are written visibly, and a row never begins with
``[`` or ``*``, which LaTeX would take for an argument of the ``\\`` before it.
Characters that pdfLaTeX has not been told about get a definition that shows their
number; other engines, and packages that do define them, take no notice of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def escaped(text: str) -> str:
    """The text with LaTeX's special characters escaped."""
    return "".join(_SPECIAL.get(c, c) for c in visible(text))


def tabular(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose first column is set flush left, the others flush right."""
    lines = [_row(head) + r" \hline", *map(_row, rows)]
    body = "\n".join(lines)
    start = rf"\begin{{tabular}}{{l{'r' * (len(head) - 1)}}}"
    return f"{_definitions(body)}{start}\n{body}\n\\end{{tabular}}\n"


def _row(cells: Sequence[str]) -> str:
    line = " & ".join(map(escaped, cells))
    return ("{}" if line.startswith(("[", "*")) else "") + line + r" \\"


def _definitions(body: str) -> str:
    """What stands for a character that pdfLaTeX, or a plain preamble, does not know."""
    others = sorted({c for c in body if ord(c) > 127})
    mark = r"\providecommand{\checkmark}{$\surd$}%" + "\n"
    return (mark if r"\checkmark" in body else "") + "".join(
        rf"\expandafter\providecommand\csname u8:\detokenize{{{c}}}\endcsname"
        f"{{U+{ord(c):04X}}}%\n"
        for c in others
    )


def comments(lines: Iterable[str]) -> str:
    """Lines that LaTeX does not read."""
    return "".join(f"% {visible(line)}".rstrip() + "\n" for line in lines)
