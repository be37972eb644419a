"""What a profile changes in a graph between reading and counting.

Each step is a function from graph to graph; a profile's fields say which steps
are taken.  Reification follows penman's AMR model.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from exactmatch.graph import INSTANCE, Graph, GraphCoder
from exactmatch.profile import Profile

_SENSE = re.compile(r"(?<=.)-\d\d+$")


def standardise(graph: Graph, profile: Profile) -> Graph:
    """Apply the steps that a profile asks for; no step, the same graph."""
    if profile.reification != "keep":
        graph = reified(graph, inverse=profile.reification == "dereify")
    if not profile.wiki:
        graph = without_role(graph, "wiki")
    if not profile.sense:
        graph = without_senses(graph)
    return graph


def changes_nothing(profile: Profile) -> bool:
    """Whether :func:`standardise` leaves every graph as it is."""
    return profile.reification == "keep" and profile.wiki and profile.sense


def without_role(graph: Graph, role: str) -> Graph:
    """Leave out every attribute and relation with that role, whatever its case."""
    codes = {k for k, label in enumerate(graph.labels) if label.lower() == role}
    if not codes:
        return graph
    return replace(
        graph,
        attributes=tuple(row for row in graph.attributes if row[1] not in codes),
        relations=tuple(row for row in graph.relations if row[1] not in codes),
    )


def without_senses(graph: Graph) -> Graph:
    """Take the sense from every concept: ``want-01`` becomes ``want``."""
    coder = GraphCoder()
    coder.codes.update({label: k for k, label in enumerate(graph.labels)})
    instances = tuple(
        (v, coder.label(_SENSE.sub("", graph.labels[concept])))
        for v, concept in graph.instances
    )
    return replace(graph, labels=tuple(coder.codes), instances=instances)


def reified(graph: Graph, *, inverse: bool = False) -> Graph:
    """Replace the roles that have a reification by it, or the other way round.

    Source: the reification table of ``penman.models.amr``.
    """
    from penman import Graph as PenmanGraph
    from penman import transform
    from penman.models import amr

    top = None if graph.top is None else graph.variables[graph.top]
    triples: list[Any] = [
        (source, f":{role}", target) for source, role, target in graph.triples()
    ]
    before = PenmanGraph(triples, top=top, epidata={t: [] for t in triples})
    step = transform.dereify_edges if inverse else transform.reify_edges
    after = step(before, amr.model)
    coder = GraphCoder()
    for source, role, _ in after.triples:
        if role == f":{INSTANCE}":
            coder.variable(str(source))
    for source, role, target in after.triples:
        coder.add(str(source), role.removeprefix(":"), str(target))
    return coder.graph(after.top, graph.metadata, graph.origin)
