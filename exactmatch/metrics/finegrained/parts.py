"""Parts of a graph, for fine-grained scores.

An *item* is what a counting score counts; an *edge* is a relation or attribute with
numbered variables.  A *part* of a graph keeps its variables and their numbers but
only some triples, so that one alignment serves the whole and its parts.

The parts that the published tools make carry quirks, which are kept: amrlib adds an
attribute for each role, with the concept of its variable as value; Damonte's tool
marks the first variable as root; both take an inverted role that their reader left
alone (``:ARG0-of b`` before the last role) for a role of the other variable.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import lru_cache, partial
from typing import TypeAlias

from exactmatch.graphs.graph import Graph, GraphCoder
from exactmatch.graphs.standardise import TOP_ROLE, TOP_VALUE

Edge: TypeAlias = "tuple[int | str, str, int | str]"
"""Source, role, target; a variable is a number, a constant a string."""

Chosen: TypeAlias = "Callable[[Graph, list[Edge]], list[Edge]]"
"""Chooses among the edges of a graph, as a tool sees them."""

Row: TypeAlias = tuple[int, int, int]  # source, role, target, as graphs have them
Items: TypeAlias = "Callable[[Graph], Iterable[Hashable]]"
FRAME = re.compile(r"-\d\d$")  # the end of a PropBank frame: its sense, in two digits
_INVERSE = "-of"


def edges(graph: Graph) -> Iterator[tuple[int, str, int | str]]:
    """Yield the attributes, then the relations."""
    labels = graph.labels
    for v, role, value in graph.attributes:
        yield v, labels[role], labels[value]
    for source, role, target in graph.relations:
        yield source, labels[role], target


def concepts(graph: Graph) -> list[str]:
    """Return the concept of each variable."""
    return [graph.labels[concept] for _, concept in graph.instances]


def frames(graph: Graph) -> list[str]:
    """Return the concepts that are frames."""
    return [concept for concept in concepts(graph) if _lemma_of(concept) is not None]


def frames_without_sense(graph: Graph) -> list[str]:
    """Return the frames without their senses."""
    lemmas = map(_lemma_of, concepts(graph))
    return [lemma for lemma in lemmas if lemma is not None]


@lru_cache(maxsize=1 << 16)
def _lemma_of(concept: str) -> str | None:
    """Return the part before the sense of a frame; ``None`` for other concepts."""
    return FRAME.sub("", concept) if FRAME.search(concept) else None


def concepts_with(
    role: str, graph: Graph, value: str | None = None
) -> list[str | None]:
    """Return the concepts of variables that have a role, with any value or *value*."""
    by_variable = graph.concepts()
    ends = [(v, end) for v, name, end in edges(graph) if name == role]
    return [by_variable[v] for v, end in ends if value is None or value == end]


def wiki_values(graph: Graph) -> list[str]:
    """Return the values of ``:wiki``; a variable's name where it is one."""
    ends = [end for _, role, end in edges(graph) if role == "wiki"]
    return [graph.variables[end] if isinstance(end, int) else end for end in ends]


def named_entities(graph: Graph) -> list[Hashable]:
    """Return the concept of each node that has a ``:name``, together with the name."""
    named: list[tuple[int, int]] = []
    parts: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for v, role, end in edges(graph):
        if isinstance(end, int):
            if role == "name":
                named.append((v, end))
        elif role.startswith("op"):
            parts[v].append((role, end))
    by_variable = graph.concepts()
    return [(by_variable[v], tuple(sorted(parts[name]))) for v, name in named]


def triples_of_concepts(graph: Graph) -> list[Hashable]:
    """Return every relation and attribute with concepts in place of variables."""
    by_variable = graph.concepts()
    return [
        (role, by_variable[v], by_variable[end] if isinstance(end, int) else end)
        for v, role, end in edges(graph)
    ]


def triples_of_concepts_and_top(graph: Graph) -> list[Hashable]:
    """List the triples of concepts, and the mark of the root."""
    triples = triples_of_concepts(graph)
    if graph.top is not None:
        triples.append((TOP_ROLE, graph.concept(graph.top), TOP_VALUE))
    return triples


def without_roles(graph: Graph) -> Graph:
    """Return the graph with one and the same role on every edge."""
    labels = graph.labels
    if "label" not in labels:
        labels = (*labels, "label")
    role = labels.index("label")
    return graph.revised(
        labels=labels,
        attributes=tuple([(v, role, value) for v, _, value in graph.attributes]),
        relations=tuple([(s, role, t) for s, _, t in graph.relations]),
    )


def part(
    graph: Graph,
    attributes: Iterable[Row],
    relations: Iterable[Row],
    alone: Iterable[int] = (),
) -> Graph:
    """Return some triples of a graph with the concepts of their variables.

    Variables that are *alone* also keep their concepts.
    """
    attributes, relations = tuple(attributes), tuple(relations)
    touched = {*alone, *(v for v, _, _ in attributes)}
    touched.update(v for source, _, target in relations for v in (source, target))
    return graph.revised(
        instances=tuple([row for row in graph.instances if row[0] in touched]),
        attributes=attributes,
        relations=relations,
        top=None,
        document=None,
    )


def reentrant(graph: Graph) -> Graph:
    """Return the relations into variables that have several of them."""
    arrivals = Counter([target for _, _, target in graph.relations])
    return part(graph, (), [row for row in graph.relations if arrivals[row[2]] > 1])


def with_roles(graph: Graph, chosen: Callable[[str], object]) -> Graph:
    """Return the relations and attributes whose role is chosen."""
    roles = {k for k, label in enumerate(graph.labels) if chosen(label)}
    attributes = [row for row in graph.attributes if row[1] in roles]
    return part(graph, attributes, [row for row in graph.relations if row[1] in roles])


core_roles = partial(with_roles, chosen=re.compile(r"ARG\d+$").match)
"""The relations and attributes whose role is a core role, ``:ARG0`` and so on."""


def published_reentrancies(graph: Graph, seen: list[Edge]) -> list[Edge]:
    """Return the edges that both tools take for re-entrancies, in their order.

    A root whose concept is also a variable's name counts as a parent of that
    variable.
    """
    all_pairs = list(seen)
    concept = None if graph.top is None else graph.concept(graph.top)
    if graph.top is not None and concept in graph.variables:
        all_pairs.insert(0, (graph.top, TOP_ROLE, graph.variables.index(concept)))
    edges = []
    for v in range(len(graph.variables)):
        parents = [edge for edge in all_pairs if edge[2] == v]
        if len(parents) > 1:
            edges += parents
    return edges


def published_roles(graph: Graph, seen: list[Edge]) -> list[Edge]:
    """Return the edges that both tools take for semantic roles, in their order."""
    del graph
    return [
        _inverse(edge, 3) if edge[1].endswith("of") else edge
        for edge in seen
        if edge[1].startswith("ARG")
    ]


def amrlib_part(graph: Graph, choose: Chosen) -> Graph:
    """Make amrlib's part: relations, and for each role its variable's concept."""
    chosen = choose(graph, list(edges(graph)))
    relations: dict[tuple[int | str, int], str] = {}
    fillers: dict[tuple[int | str, str], str] = {}
    by_variable = graph.concepts()
    for source, role, target in chosen:
        if isinstance(target, int):
            relations[source, target] = role
            fillers[source, role] = by_variable[target] or ""
    members: list[Edge] = [(s, role, t) for (s, t), role in relations.items()]
    members += [(s, role, concept) for (s, role), concept in fillers.items()]
    return _of_edges(graph, chosen, members)


def damonte_part(graph: Graph, choose: Chosen) -> Graph:
    """Make Damonte's part: the edges, the first variable marked as root.

    Edges that are still inverted are turned around before.
    """
    seen = [
        _inverse(edge, len(_INVERSE)) if edge[1].endswith(_INVERSE) else edge
        for edge in edges(graph)
    ]
    chosen = choose(graph, seen)
    top = next((v for edge in chosen for v in edge[::2] if isinstance(v, int)), None)
    return _of_edges(graph, chosen, chosen, top)


def _of_edges(
    graph: Graph, touching: list[Edge], members: list[Edge], top: int | None = None
) -> Graph:
    """Make a graph of *members*, with the concepts of the ends of *touching* edges."""
    touched = {end for edge in touching for end in edge[::2] if isinstance(end, int)}
    coder = GraphCoder(graph.variables)
    for v, concept in graph.instances:
        if v in touched:
            coder.instances.append((v, coder.label(graph.labels[concept])))
    for source, role, target in members:
        if isinstance(source, str):
            continue
        if isinstance(target, int):
            coder.relations.append((source, coder.label(role), target))
        else:
            coder.attributes.append((source, coder.label(role), coder.label(target)))
    name_of_top = None if top is None else graph.variables[top]
    return coder.graph(name_of_top, graph.metadata, graph.origin)


def _inverse(edge: Edge, ending: int) -> Edge:
    source, role, target = edge
    return target, role[:-ending], source
