"""What pairs the graphs of files that hold different numbers of them.

What is proposed has been tried on these very files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, count_blocks, read_blocks
from exactmatch.formats.reading import HowRead, of_file


def ways_out(
    paths: Sequence[str], format_in: HowRead = None, framework: str | None = None
) -> str:
    """Return the options that pair the graphs of files, in a clause."""
    sides = [
        list(read_blocks(path, of_file(format_in, place), framework))
        for place, path in enumerate(paths)
    ]
    ways = [*_frameworks(sides), *_documents(paths, format_in, framework)]
    ways += _ids(sides)
    if ways:
        return "; or ".join(ways)
    for path, side in zip(paths, sides, strict=True):
        if lacking := sum(block.id is None for block in side):
            return (
                f"--by-id cannot pair them either, because {path} has "
                f"{several(lacking, 'graph')} without '# ::id'{_parting(sides)}"
            )
    why = f"no id is on all sides{_parting(sides)}"
    return f"--by-id cannot pair them either, because {why}"


def _frameworks(sides: Sequence[Sequence[Block]]) -> Iterator[str]:
    """The frameworks of which all files have equally many graphs, or the same ids."""
    own = [{block.framework for block in side} - {None} for side in sides]
    if len(set().union(*own)) < 2:
        return
    for name in sorted(filter(None, set.intersection(*own))):
        parts = [[b for b in side if b.framework == name] for side in sides]
        if len({*map(len, parts)}) == 1:
            yield f"--framework {name} finds {several(len(parts[0]), 'pair')}"
        elif by_id := [*_ids(parts)]:
            yield f"--framework {name} {by_id[0]}"


def _documents(
    paths: Sequence[str], format_in: HowRead, framework: str | None
) -> Iterator[str]:
    """Whole files as documents, or sentences each by itself."""
    if not any(path.endswith(".umr") for path in paths):
        return
    for name in ("umr-file", "umr-sentences"):
        if name == format_in:
            continue
        try:
            counts = {count_blocks(path, name, framework) for path in paths}
        except InputError:
            continue
        if len(counts) == 1:
            yield f"--format-in {name} finds {several(counts.pop(), 'pair')}"


def _ids(sides: Sequence[Sequence[Block]]) -> Iterator[str]:
    keys = [[(block.framework, block.id) for block in side] for side in sides]
    shared = set(keys[0]).intersection(*keys[1:])
    shared = {key for key in shared if key[1] is not None}
    if not shared:
        return
    left = sum(map(len, keys)) - len(shared) * len(keys)
    pairs = several(len(shared), "pair")
    if left:
        graphs = several(left, "graph")
        yield f"--by-id --on-error skip finds {pairs} and leaves out {graphs}"
    else:
        yield f"--by-id finds {pairs}"


def _parting(sides: Sequence[Sequence[Block]]) -> str:
    """Where the sentences of both sides begin to differ, if they are stated."""
    for blocks in zip(*sides, strict=False):
        texts = {block.metadata().get("snt") for block in blocks}
        if None in texts:
            return ""
        if len(texts) > 1:
            places = (f"{b.path}:{b.content_line()}" for b in blocks)
            return f"; their sentences differ from {' and '.join(places)} on"
    return ""
