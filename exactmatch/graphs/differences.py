"""Name the differences of two graphs, such as a conversion's losses."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

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
    found: dict[str, None] = {}
    if set(before.variables) != set(after.variables):
        if len(before.variables) != len(after.variables):
            return ["variables"]
        found["names of variables"] = None
        after = replace(after, variables=before.variables)
    stated, kept = Counter(before.triples()), Counter(after.triples())
    for triples, how in ((stated - kept, "lost"), (kept - stated, "new")):
        if triples:
            first = " ".join(next(iter(triples)))
            many = "triple" if triples.total() == 1 else "triples"
            found[f"{triples.total()} {many} ({how}, such as {first!r})"] = None
    if _top(before) != _top(after):
        found["the top"] = None
    for key in before.metadata.keys() | after.metadata.keys():
        if before.metadata.get(key) != after.metadata.get(key):
            found[f"metadata {key!r}"] = None
    found.update(_of_documents(before, after))
    return list(found)


def _top(graph: Graph) -> str | None:
    return None if graph.top is None else graph.variables[graph.top]


def _of_documents(before: Graph, after: Graph) -> dict[str, None]:
    empty = Document()
    one = (before.document or empty).content(before.variables)
    other = (after.document or empty).content(after.variables)
    return {
        name: None for key, name in _PARTS.items() if one.get(key) != other.get(key)
    }
