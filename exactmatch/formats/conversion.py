"""Convert files of graphs from one format to another, and report every loss.

A graph is read as it stands and written; what was written is read again, and the two
graphs are compared.  Their differences are what the target format cannot express.
"""

from __future__ import annotations

import io
import json
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, read_blocks
from exactmatch.formats.formats import (
    FORMATS,
    PENMAN,
    Format,
    format_by_name,
    get_format,
)
from exactmatch.formats.pairs import Warn
from exactmatch.formats.reading import HowRead
from exactmatch.formats.remarks import left_out
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph

_PARTS = {
    "sentences": "sentences",
    "homes": "what sentence a variable belongs to",
    "anchors": "anchors",
    "unit": "anchors",
    "constants": "which nodes are constants",
    "triples": "document-level triples",
    "tops": "tops",
    "edge_facts": "what is said of single relations",
}
"""The parts of a document's content."""


def differences(before: Graph, after: Graph) -> list[str]:
    """Name the parts of *before* that *after* lacks or has changed.

    Returns:
        A phrase for each part; none if the graphs are equal.  If the numbers of
        variables differ, nothing else is compared.

    Example:
        >>> one = Graph.from_triples([("d", "instance", "dog")])
        >>> other = Graph.from_triples([("d", "instance", "cat")])
        >>> differences(one, other)[0]
        "1 triple (lost, such as 'd instance dog')"
    """
    changes: dict[str, None] = {}
    if set(before.variables) != set(after.variables):
        if len(before.variables) != len(after.variables):
            return ["variables"]
        changes["names of variables"] = None
        after = replace(after, variables=before.variables)
    triples_before, kept = Counter(before.triples()), Counter(after.triples())
    for triples, consequence in (
        (triples_before - kept, "lost"),
        (kept - triples_before, "new"),
    ):
        if triples:
            first = " ".join(next(iter(triples)))
            many = "triple" if triples.total() == 1 else "triples"
            changes[f"{triples.total()} {many} ({consequence}, such as {first!r})"] = (
                None
            )
    tops = (None if g.top is None else g.variables[g.top] for g in (before, after))
    if len({*tops}) > 1:
        changes["the top"] = None
    for key in before.metadata.keys() | after.metadata.keys():
        if before.metadata.get(key) != after.metadata.get(key):
            changes[f"metadata {key!r}"] = None
    written, read_back = (
        (g.document or Document()).content(g.variables) for g in (before, after)
    )
    for key, name in _PARTS.items():
        if written.get(key) != read_back.get(key):
            changes[name] = None
    return list(changes)


def format_of_name(path: str) -> str:
    """Choose the format by a file's suffix; ``.gz`` behind it makes no difference.

    Raises:
        InputError: if no format has that suffix.

    Example:
        >>> format_of_name("gold.mrp.gz")
        'mrp'
    """
    if form := format_by_name(path):
        return form.name
    suffix = os.path.splitext(path.removesuffix(".gz"))[1] or "none"
    suffixes = ", ".join(dict.fromkeys(f.suffix for _, f in FORMATS.working()))
    raise InputError(
        f"{path}: no format has the ending {suffix!r} (known: {suffixes}); name one by "
        "--to"
    )


def converted(
    source: str,
    target: Format,
    *,
    format_in: HowRead = None,
    framework: str | None = None,
    lossy: bool = False,
    warn: Warn,
) -> Iterator[str]:
    """Yield the graphs of a file as texts of another format.

    Args:
        lossy: write graphs although something is lost, and warn of it.
        warn: called with the kind and text of each warning.

    Raises:
        GraphError: if a graph cannot be read, or cannot be written without loss.
        InputError: if a file cannot be opened.
    """
    for block in read_blocks(source, format_in, framework):
        reading = get_format(block.format or PENMAN).read(block)
        graph = reading.graph
        for reason in reading.lenient:
            warn("lenient", str(graph.origin.error(reason)))
        for kind, count in reading.dropped:
            warn("dropped", str(graph.origin.error(f"loses {left_out(kind, count)}")))
        text = target.write(graph)
        lost = lost_in(text, graph, target) + _lost_values(block, text, target)
        if lost and not lossy:
            raise graph.origin.error(
                f"cannot be written as {target.name} without loss of "
                f"{'; '.join(lost)}; --lossy writes it all the same"
            )
        if target.name == PENMAN and None in graph.concepts():
            name = graph.variables[graph.concepts().index(None)]
            reason = (
                f"is written with {name!r} and perhaps other variables without a "
                "concept, which the readers of most profiles refuse; as node-link or "
                "triples it can be scored"
            )
            warn("conceptless", str(graph.origin.error(reason)))
        for kind in lost:
            warn("lost", str(graph.origin.error(f"loses {kind}")))
        yield text


def lost_in(text: str, graph: Graph, target: Format) -> list[str]:
    """Name the losses when a graph is written and read again.

    Returns:
        A phrase for each part that is lost or changed; none if nothing is.

    Example:
        >>> from exactmatch.graphs.graph import Graph
        >>> from exactmatch.formats.formats import get_format
        >>> graph = Graph.from_triples([("d", "instance", "dog")], metadata={"id": "1"})
        >>> lost_in("(d / dog)", graph, get_format("penman"))
        ["metadata 'id'"]
    """
    try:
        blocks = list(target.blocks(io.StringIO(text, newline=None), None))
        if len(blocks) != 1:
            return [f"its being one graph: its text is {len(blocks)}"]
        again = get_format(blocks[0].format or PENMAN).read(blocks[0]).graph
    except InputError as error:
        reason = error.reason if isinstance(error, GraphError) else str(error)
        return [f"its form: it {reason} when it is read again"]
    return differences(graph, again)


def _lost_values(block: Block, text: str, target: Format) -> list[str]:
    """Name the contents of JSON that the same graph in the same format lacks."""
    if target.name not in ("mrp", "node-link") or block.format != target.name:
        return []
    before, after = (_values(json.loads(line)) for line in (block.content[0], text))
    return [
        f"{several((before - after).total(), 'value')} as written, such as {value}"
        for value in islice(before - after, 1)
    ]


def _values(data: Any) -> Counter[str]:
    """Count the strings, numbers and truth values of JSON, each as JSON has it."""
    if isinstance(data, (dict, list)):
        parts = data.values() if isinstance(data, dict) else data
        return sum(map(_values, parts), Counter())
    return Counter([] if data is None else [json.dumps(data, ensure_ascii=False)])
