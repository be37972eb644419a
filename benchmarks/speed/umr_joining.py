"""UMR documents joined to longer ones.

Sentences of two annotations of the same documents are taken in order, again and again,
until the second side defines as many variables as are wanted.  A sentence gets the
next number, its variables too (``s3p`` of the third sentence becomes ``s40p``), and it
is paired with the sentence at the same position; where one side lacks it, it is
missing there.  Coreference, time and modality keep the sentences of one document
together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import cycle

_NUMBER = re.compile(r"#\s*::\s*snt\s*(\d+)", re.IGNORECASE)
_HEADING = re.compile(r"# (sentence level graph|alignment|document level)")
_NAME = re.compile(r'"[^"]*"|\bs(\d+)(?=[^\W\d_])')
_FIRST = re.compile(r"\(\s*s(\d+)")
_DEFINED = re.compile(r'"[^"]*"|\(\s*[^\s()]+\s*/')


@dataclass(frozen=True, slots=True)
class Part:
    """Sentence of one side of a document.

    Attributes:
        lines: as they stand in the file, from its number on.
        part: the document of the file that it belongs to; ``snt1`` begins the next.
        number: its number there, as its variables have it; a heading has a misprint.
    """

    lines: tuple[str, ...]
    part: int
    number: int

    def graph(self) -> str:
        """Its sentence graph, or nothing."""
        label = ""
        is_graph = False
        for line in self.lines:
            if _HEADING.match(line):
                is_graph = "graph" in line
            elif is_graph and not line.startswith("#"):
                label += line.strip() + "\n"
        return label.strip()

    def n_variables(self) -> int:
        """Number of variables of its graph."""
        return sum(not m[0].startswith('"') for m in _DEFINED.finditer(self.graph()))


def sentences(text: str) -> list[Part]:
    """Return the sentences of a file."""
    parts: list[Part] = []
    lines: list[str] = []
    for line in text.splitlines():
        if _NUMBER.match(line) and lines:
            parts.append(_part(lines, parts))
            lines = []
        if lines or _NUMBER.match(line):
            lines.append(line)
    return [*parts, _part(lines, parts)]


def _part(lines: list[str], before: list[Part]) -> Part:
    match = _NUMBER.match(lines[0])
    assert match is not None
    number = int(match[1])
    begun = not before or number == 1
    part = (before[-1].part if before else -1) + begun
    while lines and lines[-1].startswith("#"):
        lines = lines[:-1]
    sentence = Part(tuple(lines), part, number)
    first = _FIRST.match(sentence.graph())
    return sentence if first is None else replace(sentence, number=int(first[1]))


def renumbered(sentence: Part, numbers: Mapping[tuple[int, int], int]) -> str:
    """Return the text of a sentence under another number, with those it refers to."""

    def name(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        number = int(match[1])
        moved = own - sentence.number + number
        return f"s{numbers.get((sentence.part, number), moved)}"

    own = numbers[sentence.part, sentence.number]
    lines = [f"# :: snt{own}"]
    is_named = False
    for line in sentence.lines[1:]:
        is_named = is_named or _HEADING.match(line) is not None
        lines.append(_NAME.sub(name, line) if is_named else line)
    return "\n".join(lines).rstrip() + "\n"


def document(
    size: int, pairs: list[tuple[list[Part], list[Part]]]
) -> tuple[list[str], list[str], int]:
    """Join documents until the second side defines *size* variables.

    Returns:
        The sentences of both sides, and how many variables the second one defines.
    """
    sides: tuple[list[str], list[str]] = ([], [])
    count = number = 0
    for pair in cycle(pairs):
        numbers: tuple[dict[tuple[int, int], int], ...] = ({}, {})
        for position in range(max(map(len, pair))):
            number += 1
            for side in (0, 1):
                if position >= len(pair[side]):
                    continue
                sentence = pair[side][position]
                numbers[side][sentence.part, sentence.number] = number
                sides[side].append(renumbered(sentence, numbers[side]))
                count += side and sentence.n_variables()
            if count >= size:
                return *sides, count
    raise AssertionError("unreachable")
