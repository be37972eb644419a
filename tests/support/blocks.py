"""The blocks of Markdown pages, and the commands in them."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def blocks(page: Path, language: str) -> list[str]:
    """Return the blocks of a language on a page."""
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def commands(block: str) -> list[tuple[str, str]]:
    """Return the commands of a block, each with what it is said to print."""
    shown: list[tuple[str, list[str]]] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            shown.append((line[2:], []))
        elif shown and _goes_on(shown[-1][0]):
            shown[-1] = (f"{shown[-1][0]}\n{line}", [])
        else:
            shown[-1][1].append(line)
    return [(command, "\n".join(lines) + "\n") for command, lines in shown]


def _goes_on(command: str) -> bool:
    """Tell a command that ends in a backslash or within a document up to ``END``."""
    is_open = "<< 'END'" in command and not command.endswith("\nEND")
    return command.endswith("\\") or is_open
