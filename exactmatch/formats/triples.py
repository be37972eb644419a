"""Graphs as tab-separated triples: source, role, target, one a line.

Graphs stand between blank lines, metadata in ``# ::key value`` comments::

    # ::id 1
    w	instance	want-01
    w	ARG0	b
    b	instance	boy

The role ``instance`` gives a variable its concept; every source is a variable, and the
first is the top, unless ``# ::top b`` (or ``# ::top`` for none) says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, blocks_of_lines
from exactmatch.formats.items import Items
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import INSTANCE, Graph

TOP = "top"


def triples_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, one block each."""
    for block in blocks_of_lines(lines, path):
        yield replace(block, format="triples", known=block.metadata())


def read_triples(block: Block) -> Reading:
    """Read one graph."""
    triples, items = [], Items(block.path)
    for number, line in enumerate(items.each(block.lines), block.line):
        if line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) != 3:
            raise block.origin().error(
                f"has {several(len(fields), 'field')} where a triple has three: "
                "source, role and target, with tabs between them",
                number,
            )
        triples.append((fields[0], fields[1], fields[2]))
    metadata = dict(block.metadata())
    top = metadata.pop(TOP, None)
    graph = Graph.from_triples(triples, top or None, metadata, block.origin())
    return Reading(replace(graph, top=None) if top == "" else graph)


def write_triples(graph: Graph) -> str:
    """Write a graph's triples, and its metadata as comments."""
    rows = [tuple(triple) for triple in graph.triples()]
    lines = [f"# ::{key} {value}".rstrip() for key, value in graph.metadata.items()]
    top = None if graph.top is None else graph.variables[graph.top]
    if rows and top != rows[0][0]:
        lines.append(f"# ::{TOP} {top or ''}".rstrip())
    for triple in rows:
        if any("\t" in part or "\n" in part for part in triple):
            raise graph.origin.error(
                f"has a tab or line break in {triple!r}, which lines of triples cannot "
                "hold"
            )
        if triple[1] != INSTANCE and triple[1].startswith(":"):
            raise graph.origin.error(
                f"has the role {triple[1]!r}, whose colon would be lost; roles of "
                "triples have none"
            )
        lines.append("\t".join(triple))
    return "\n".join(lines) + "\n"
