"""Default metric of each format, where nobody names one.

A format declares one of these ways to score (:class:`ScoredBy`), or a function that
tells which one from a text, such as one of JSON, which may hold graphs or triples.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from exactmatch.base.records import NamedTuple


class ScoredBy(NamedTuple):
    """Metric and options that score the graphs of a format by default.

    Attributes:
        metric: the name of the metric.
        profile: the profile that counts them; default: the metric's own.
        options: options of the metric, where they are not its defaults.
        more: metrics that fit such graphs as well, for ``all``; ``None`` if every
            metric does that needs no vectors or other files.
        graded: the metric for studies of graded labels, if this one does not grade any.
        why: what it compares in such graphs, as a clause.
    """

    metric: str
    profile: str | None = None
    options: tuple[tuple[str, str], ...] = ()
    more: tuple[str, ...] | None = ()
    graded: str | None = None
    why: str = ""


Scored: TypeAlias = "ScoredBy | Callable[[str], ScoredBy | None]"
"""A way to score, or what tells it from a text, perhaps cut off; ``None`` in doubt."""

AMR = ScoredBy("smatch", more=None, graded="s2match")
UMR = AMR._replace(profile="umr", why="which counts document-level triples, too")
SBN = AMR._replace(profile="drs", why="which counts boxes as nodes")
CLAUSES = ScoredBy("counter", why="which matches clauses, as Counter does")
MRP = ScoredBy(
    "mrp", more=("edm", "sdp", "ucca"), why="which matches the parts of MRP graphs"
)
NODES_AND_EDGES = ScoredBy("graph", why="which matches nodes and edges")
TRIPLES = ScoredBy(
    "graph", options=(("count", "edges"),), why="which matches triples by their names"
)
DOCUMENTS = ScoredBy("json", why="which matches fields")
WAYS = (AMR, UMR, SBN, CLAUSES, MRP, NODES_AND_EDGES, TRIPLES, DOCUMENTS)
"""Every way to score that a format of ours may choose."""


def as_triples(text: str) -> ScoredBy:
    """Tell triples of names from an AMR in triples, which says what its nodes are."""
    rows = (line.split("\t") for line in text.split("\n") if line[:1] != "#")
    has_concepts = any(len(r) > 1 and r[1].lstrip(":") == "instance" for r in rows)
    return AMR if has_concepts else TRIPLES


def as_node_link(text: str) -> ScoredBy:
    """Tell any graph from an AMR in node-link JSON, whose nodes have concepts."""
    return AMR if '"concept"' in text else NODES_AND_EDGES


def as_json(text: str) -> ScoredBy | None:
    """Tell triples in JSON from nodes and edges; an empty list may be either."""
    from exactmatch.formats.machine.json_graphs import TRIPLES as LISTS
    from exactmatch.formats.machine.network import IS_TRIPLES
    from exactmatch.formats.network_texts import first_object

    beginning = text.lstrip()
    if beginning[:1] == "[" and beginning[1:].lstrip()[:1] in ("[", '"'):
        return TRIPLES
    data, keys = first_object(text)
    if isinstance(data, Mapping) and data:
        return as_data(data)
    if IS_TRIPLES in keys:
        return TRIPLES
    if keys & {"nodes", "vertices", "elements"}:
        return NODES_AND_EDGES
    return TRIPLES if keys & {*LISTS, "subject", "head"} else None


def as_data(data: Any) -> ScoredBy | None:
    """Tell triples from nodes and edges in data as JSON has them."""
    from exactmatch.formats.machine import json_graphs
    from exactmatch.formats.machine.network import IS_TRIPLES

    if isinstance(data, Mapping):
        if data.get(IS_TRIPLES) is True:
            return TRIPLES
        if isinstance(data.get("graphs"), list):
            return as_data(next(iter(data["graphs"]), None))
        lists = [key for key in json_graphs.TRIPLES if isinstance(data.get(key), list)]
        nodes = [k for k in json_graphs.NODES if isinstance(data.get(k), list | dict)]
        lists = [key for key in lists if data[key]]
        if lists and (not nodes or (nodes[0] == "entities" and "relations" in data)):
            return TRIPLES
        if nodes or "elements" in data:
            return NODES_AND_EDGES if any(map(data.get, (*nodes, "elements"))) else None
    if not data:
        return None
    if json_graphs.is_triple(data) or json_graphs.is_graph(data):
        return TRIPLES
    inside = data.values() if isinstance(data, Mapping) else data
    parts = inside if isinstance(data, Mapping | list) else ()
    return next(filter(None, map(as_data, parts)), None)
