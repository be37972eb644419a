"""Read and write PENMAN for conversion, as it stands.

The readers of profiles keep only what their metrics count.  This one keeps every triple
and every label as it is written; only inverse roles are stored in their direct form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import partial

from exactmatch.formats.blocks import Block, blocks_of_lines, no_graph
from exactmatch.formats.penman_tree import Tree, parse_tree
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import INVERSE, UPRIGHT, Graph, GraphCoder
from exactmatch.graphs.penman_text import text_of


def penman_blocks(lines: Iterable[str], path: str | None) -> Iterator[Block]:
    """Yield the graphs of a file, one block each."""
    return blocks_of_lines(lines, path)


def read_penman(block: Block) -> Reading:
    """Read one graph.

    Raises:
        GraphError: if its brackets or quotes do not close, or something stands where
            it cannot.
    """
    if not block.content:
        raise no_graph(block)
    origin = block.origin()
    tree = parse_tree(block.numbered(), origin)
    coder = GraphCoder()
    for name in tree.concepts:
        coder.variable(name)
    state(coder, tree)
    graph = coder.graph(tree.top, block.metadata(), origin)
    return Reading(graph, tuple(tree.lenient))


def _read_as(block: Block, reader: str) -> Reading:
    reading = read_penman(block)
    return reading._replace(graph=replace(reading.graph, reader=reader))


read_umr_sentence = partial(_read_as, reader="umr")
read_mrp_sentence = partial(_read_as, reader="mrp")


def state(coder: GraphCoder, tree: Tree) -> list[tuple[int, str, int]]:
    """Add the triples of a tree to a coder that has numbered all its variables.

    Returns:
        The relations that the tree states inversely.
    """
    turned: list[tuple[int, str, int]] = []
    for name, concept in tree.concepts.items():
        if concept is not None:
            coder.instances.append((coder.numbers[name], coder.label(concept)))
    for source, role, target, _ in tree.statements:
        inverted = role.endswith(INVERSE) and role not in UPRIGHT
        if inverted and target in coder.numbers:
            source, target = target, source
            role = role.removesuffix(INVERSE)
            turned.append((coder.numbers[source], role, coder.numbers[target]))
        v, code = coder.numbers[source], coder.label(role)
        if target in coder.numbers:
            coder.relations.append((v, code, coder.numbers[target]))
        else:
            coder.attributes.append((v, code, coder.label(target)))
    return turned


def write_penman(graph: Graph) -> str:
    """Write a graph and its metadata.

    Raises:
        GraphError: if PENMAN cannot express the graph; the message says why.
    """
    lines = [f"# ::{key} {value}".rstrip() for key, value in graph.metadata.items()]
    return "\n".join([*lines, text_of(graph)]) + "\n"
