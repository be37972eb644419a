r"""Answers in a box of TeX: ``\boxed{…}``."""

from __future__ import annotations

import re

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s{0,9}\{")
_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_TOKEN = re.compile(
    r"(?P<font>\\(?:text(?:tt|bf|it|rm|sf|sc|normal)?|math(?:rm|tt|bf|it|sf)|mbox"
    r"|operatorname\*?)\s{0,9}\{)|(?P<open>\{)|(?P<close>\})|\\(?P<sign>[_&%$#{}])"
    r"|(?P<blank>\\(?:q?quad\b|[,;:! ]))|(?P<line>\\\\(?=\s|\Z))"
    r"|(?P<arrow>\\(?:x|long|Long)?(?:rightarrow|Rightarrow|to)\b)"
)


def between_boxes(text: str) -> list[str]:
    r"""Cut a text at its boxes; every second part stands in one, as plain text.

    >>> between_boxes(r"It is $\boxed{\text{lyrics\_by}(A, B)}$.")
    ['It is $', 'lyrics_by(A, B)', '$.']
    """
    parts, at = list[str](), 0
    while begin := _BOX.search(text, at):
        end = _closing(text, begin.end())
        parts += text[at : begin.start()], _plain(text[begin.end() : end])
        at = end + 1
    return [*parts, text[at:]]


def _closing(text: str, at: int) -> int:
    """Return the place of the brace that closes one; the end where none does."""
    depth = 1
    for match in _BRACES.finditer(text, at):
        depth += (match[0] == "{") - (match[0] == "}")
        if not depth:
            return match.start()
    return len(text)


def _plain(text: str) -> str:
    """Undo the commands of TeX in a text; braces that are no command's stay."""
    parts, at, are_fonts = list[str](), 0, list[bool]()
    for match in _TOKEN.finditer(text):
        parts.append(text[at : match.start()])
        at = match.end()
        kind = match.lastgroup
        if kind in ("font", "open"):
            are_fonts.append(kind == "font")
            parts.append("{" * (kind == "open"))
        elif kind == "close":
            is_font = bool(are_fonts) and are_fonts.pop()
            parts.append("}" * (not is_font))
        elif kind == "sign":
            parts.append(match["sign"])
        else:
            parts.append({"blank": " ", "line": "\n"}.get(str(kind), "→"))
    return "".join((*parts, text[at:])).strip().strip("$")
