"""Triples in several parts of an answer: fences, boxes, and lines between them.

They are one graph.  A fence of which a later one repeats half or more is an earlier
attempt, which does not count; nor do lines between fences of which one does so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from exactmatch.base.errors import GraphError
from exactmatch.formats.block import Block
from exactmatch.formats.machine.json_graphs import labelled_network
from exactmatch.formats.machine.network import JSON, Network
from exactmatch.formats.scored_by import TRIPLES, as_data

Triple = tuple[str, str, str]


@dataclass
class Part:
    """Triples of a part of an answer.

    Attributes:
        triples: the triples, as often as they stand there.
        block: the block that they were read as; ``None`` of lines between fences.
        entities: the nodes, also those in no triple.
        left_out: what was left out, and how often.
    """

    triples: Sequence[Triple]
    block: Block | None = None
    entities: Sequence[str] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)


def part_of(block: Block) -> Part | None:
    """Return the triples of a block; ``None`` if it is another kind of graph."""
    network = None
    if block.format == JSON and as_data(block.parsed_json()) != TRIPLES:
        return None
    with suppress(GraphError, RecursionError):
        network = labelled_network(block)
    if network is None or block.format not in (JSON, "triples"):
        return None
    labels = {name: label or name for name, (label, _) in network.nodes.items()}
    triples = [(labels[s], r or "", labels[t]) for s, r, t in network.edges]
    return Part(triples, block, [*labels.values()], network.left_out)


def parts_that_count(parts: Sequence[Part]) -> list[Part]:
    """Return the parts but for earlier attempts.

    >>> block = Block((), (), 1, None)
    >>> first = Part([("a", "r", "b")], block)
    >>> second = Part([("a", "r", "b"), ("c", "r", "d")], block)
    >>> parts_that_count([first, second]) == [second]
    True
    """
    in_fences: set[Triple] = set()
    kept: set[int] = set()
    numbered = [*enumerate(parts)]
    fences = [(k, part) for k, part in reversed(numbered) if part.block is not None]
    for k, part in (*fences, *((k, part) for k, part in numbered if not part.block)):
        again = sum(triple in in_fences for triple in part.triples)
        if not again or 2 * again < len(part.triples):
            kept.add(k)
            if part.block is not None:
                in_fences.update(part.triples)
    return [part for k, part in numbered if k in kept]


def graph_of(parts: Iterable[Part], name: str | None) -> dict[str, Any]:
    """Return the graph of all triples of the parts as data, with its id."""
    network = Network({} if name is None else {"id": name}, is_triples=True)
    before: set[Triple] = set()
    for part in parts:
        for entity in part.entities:
            network.term(entity)
        for triple in part.triples:
            if triple not in before:
                network.triple(*triple)
        before.update(part.triples)
        network.left_out.update(part.left_out)
    return network.as_data()
