"""GEXF, as Gephi and networkx write it, read by networkx.

An edge's ``id`` is no attribute of the edge, and a node's ``label`` none where it
repeats the node's name, as it does in sets that were written by programs.
"""

from __future__ import annotations

import io
from collections.abc import Iterator

from exactmatch.base.errors import InputError
from exactmatch.formats.network_texts import NamedGraph
from exactmatch.formats.sets.xml_roots import root_of


def is_gexf(text: str) -> bool:
    """Whether the root of a text in XML is that of GEXF."""
    return root_of(text) == "gexf"


def gexf(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read the graph of a file.

    Raises:
        InputError: if networkx refuses it.
    """
    from xml.etree.ElementTree import ParseError

    import networkx as nx

    try:
        graph = nx.read_gexf(io.BytesIO(text.encode()))
    except (nx.NetworkXError, ParseError, KeyError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{path}: is not GEXF as networkx reads it: {reason}"
        ) from None
    if all(str(known.get("label")) == str(node) for node, known in graph.nodes.items()):
        for known in graph.nodes.values():
            del known["label"]
    for *_, known in graph.edges(data=True):
        known.pop("id", None)
    yield NamedGraph(stem, graph)
