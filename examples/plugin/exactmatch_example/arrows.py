"""A format: a line a relation, ``b/bark -ARG0-> d/dog``; blank lines between graphs.

A node without relations has a line of its own, ``d/dog``.  ``# ::id 7`` names a graph,
and the first node is its top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from exactmatch.formats.blocks import Block, blocks_of_lines
from exactmatch.formats.formats import Format
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import INSTANCE, Graph

NODE = r"([^\s/]+)/([^\s/]+)"
LINE = re.compile(rf"{NODE}(?:\s+-(\S+)->\s+{NODE})?")


def blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Cut a file into the lines of one graph each."""
    for block in blocks_of_lines(lines, path):
        yield replace(block, format="arrows", known=block.metadata())


def read(block: Block) -> Reading:
    """Read the graph of a block."""
    concepts: dict[str, str] = {}
    relations = []
    for number, line in enumerate(block.lines, block.line):
        if line.startswith("#"):
            continue
        match = LINE.fullmatch(line)
        if match is None:
            raise block.origin().error(f"has no arrow in {line!r}", number)
        source, concept, role, target, other = match.groups()
        concepts[source] = concept
        if role:
            concepts[target] = other
            relations.append((source, role, target))
    instances = [(name, INSTANCE, concept) for name, concept in concepts.items()]
    triples = [*instances, *relations]
    return Reading(Graph.from_triples(triples, None, block.metadata(), block.origin()))


def write(graph: Graph) -> str:
    """Write a graph; one that says more than concepts and relations is refused."""
    if graph.attributes:
        raise graph.origin.error("has constants, which arrows cannot say")
    nodes = [f"{v}/{c}" for v, c in zip(graph.variables, graph.concepts(), strict=True)]
    joined = {end for source, _, target in graph.relations for end in (source, target)}
    lines = [f"# ::id {graph.id}"] if graph.id else []
    lines += [nodes[v] for v in range(len(nodes)) if v not in joined]
    lines += [
        f"{nodes[s]} -{graph.labels[r]}-> {nodes[t]}" for s, r, t in graph.relations
    ]
    return "\n".join(lines) + "\n"


def recognises(head: str) -> bool:
    """Tell whether a text is in this format, by its beginning."""
    lines = [line for line in head.splitlines() if line.strip() and line[0] != "#"]
    return (
        bool(lines)
        and "->" in lines[0]
        and LINE.fullmatch(lines[0].strip()) is not None
    )


ARROWS = Format(
    "arrows",
    "nodes and arrows, a relation a line",
    ".arrows",
    "exactmatch_example.arrows",
    ("blocks", "read", "write"),
    recognises=recognises,
)
