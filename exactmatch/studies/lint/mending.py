"""Faults that can be mended safely: missing and surplus brackets at the end of a graph.

A graph is mended only if the careful reader then accepts it, and no profile's reader
that could read it before loses anything.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from exactmatch.base.errors import GraphError
from exactmatch.base.files import replacing
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.formats.files import STANDARD_INPUT, expand
from exactmatch.formats.formats import PENMAN, get_format
from exactmatch.formats.readings import read_block
from exactmatch.graphs.profile import PROFILES

_MOST = 50
"""Brackets that are added or removed, at most."""


def mend(source: str, format_in: str | None = None, *, write: bool) -> Iterator[str]:
    """Mend the files of a folder, or one file; yield the lines of a diff.

    Standard input and packed files are left alone.
    """
    for path in expand(source):
        if path != STANDARD_INPUT and not path.endswith((".gz", ".bz2", ".xz", ".zip")):
            yield from _mended_file(path, format_in, write)


def _mended_file(path: str, format_in: str | None, write: bool) -> Iterator[str]:
    changed = {}
    try:
        for block in read_blocks(path, format_in):
            if (block.format or PENMAN) == PENMAN and (line := _mended(block)):
                changed[block.numbered()[-1][0] - 1] = line
    except ValueError:  # a broken file is a finding, and is not mended
        return
    if not changed:
        return
    old = Path(path).read_bytes().decode("utf-8").splitlines(keepends=True)
    new = list(old)
    for place, line in changed.items():
        body = old[place].rstrip()
        indent = old[place][: len(body) - len(body.lstrip())]
        new[place] = indent + line + old[place][len(body) :]
    yield from (
        line.rstrip("\r\n") for line in difflib.unified_diff(old, new, path, path, n=1)
    )
    if write:
        with replacing(Path(path)) as file:
            file.write("".join(new).encode())


def _mended(block: Block) -> str | None:
    """Return the last line of a graph with the right brackets, if mending is safe."""
    if not block.content or _is_fine(block):
        return None
    last = block.content[-1]
    shorter = [last[:-k] for k in range(1, _MOST) if last.endswith(")" * k)]
    for line in (*(last + ")" * k for k in range(1, _MOST)), *shorter):
        lines, content = (*block.lines[:-1], line), (*block.content[:-1], line)
        tried = replace(block, lines=lines, content=content, indented=())
        if _is_fine(tried):
            return line if _loses_nothing(block, tried) else None
    return None


def _is_fine(block: Block) -> bool:
    try:
        return not get_format(PENMAN).read(block).lenient
    except GraphError:
        return False


def _loses_nothing(before: Block, after: Block) -> bool:
    """Return whether every profile's reader reads all triples that it read before."""
    for profile in PROFILES.values():
        try:
            graph = read_block(before, profile).graph
        except GraphError:
            continue
        try:
            mended = read_block(after, profile).graph
        except GraphError:
            return False
        lost = Counter(graph.triples()) - Counter(mended.triples())
        if lost or mended.top != graph.top:
            return False
    return True
