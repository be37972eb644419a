"""The formats of published sets cut into blocks, for commands on graphs of meaning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exactmatch.formats.block import Block
from exactmatch.formats.machine.packaged import blocks_of
from exactmatch.formats.networks import xml_graphs
from exactmatch.formats.sets import READERS


def gspan_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of lines that gSpan reads."""
    return blocks_of(READERS["gspan"]("".join(lines), path or "the text", None), path)


def ged_json_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of the JSON of SimGNN and GEDGNN."""
    text = "".join(lines)
    return blocks_of(READERS["ged-json"](text, path or "the text", None), path)


def gexf_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graph of GEXF."""
    return blocks_of(READERS["gexf"]("".join(lines), path or "the text", None), path)


def gxl_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of GXL, or of the files that a collection lists."""
    return blocks_of(xml_graphs("".join(lines), path or "the text", None), path)
