"""A graph under a profile: normalised, counted, and coded to be compared.

Coding happens once per graph.  Each distinct label is normalised as the
profile's ``comparison`` says; equal triples are merged and counted; what is
left is one array of integers.  A coded graph is compared with many others without being
coded again.
"""

from array import array
from collections.abc import Iterator
from typing import Any, NamedTuple

from exactmatch.base import compiled as kernels
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Profile, as_written
from exactmatch.graphs.standardise import TOP_ROLE, TOP_VALUE

_kernel: Any = kernels.load("exactmatch.engine._coding")


class CountedTriple(NamedTuple):
    """A triple that counts, in normalised strings."""

    kind: str  # instance, attribute or relation
    role: str  # empty for an instance
    source: int  # number of the variable it starts from
    target: int | str  # number of a variable (a relation), or a concept or constant


class CodedGraph(NamedTuple):
    """A graph's counted triples as an array of integers.

    Attributes:
        graph: the graph itself.
        n_variables: how many variables it has.
        total: how many triples count, duplicates as the profile counts them.
        cells: the triples in 32-bit numbers, as ``exactmatch/engine/_coding.py``
            describes them.
        unary_keys, role_keys, start_keys: number of each key: a concept, or a
            role with its constant; a role; a concept as written.
        instances, attributes, relations, labels: the triples that count, with
            the mark of the root, and the normalised labels.
    """

    graph: Graph
    n_variables: int
    total: int
    cells: "array[int]"
    unary_keys: dict[Any, int]
    role_keys: dict[Any, int]
    start_keys: dict[Any, int]
    instances: tuple[tuple[int, int], ...]
    attributes: tuple[tuple[int, int, int], ...]
    relations: tuple[tuple[int, int, int], ...]
    labels: list[str]


def encode(graph: Graph, profile: Profile) -> CodedGraph:
    """Code a graph, as the profile's reader made it, so that it can be compared."""
    normalise = NORMALISERS[profile.comparison]
    written = graph.labels
    labels = _kernel.plain_labels(written, normalise)
    instances, attributes, relations = _counted(graph, profile)
    mark = _top_mark(graph, profile)
    if mark is not None:
        attributes = (*attributes, (mark[0], len(labels), len(labels) + 1))
        labels += (normalise(TOP_ROLE), normalise(mark[1]))
    triples = (instances, attributes, relations, labels)
    cells, unary, roles, starts, repeated = _kernel.code(
        *triples, graph.instances, written, profile.duplicates == "set"
    )
    total = len(instances) + len(attributes) + len(relations) - repeated
    keys = (unary, roles, starts)
    return CodedGraph(graph, len(graph.variables), total, cells, *keys, *triples)


def matches(
    left: CodedGraph, right: CodedGraph, profile: Profile, alignment: tuple[int, ...]
) -> int:
    """Count the triples that an alignment matches.

    The count uses neither the problem nor its weights, so every solution's value is
    checked against it.
    """
    kernel: Any = kernels.load("exactmatch.engine._matched")
    product = profile.duplicates == "product"
    counted: int = kernel.aligner().count(left, right, product, alignment)
    return counted


def _counted(graph: Graph, profile: Profile) -> tuple[Any, Any, Any]:
    """The graph's instances, attributes and relations, as far as they count."""
    just = profile.just
    if just is None:
        return graph.instances, graph.attributes, graph.relations
    return (
        graph.instances if just == "instance" else (),
        graph.attributes if just == "attribute" else (),
        graph.relations if just == "relation" else (),
    )


def _top_mark(graph: Graph, profile: Profile) -> tuple[int, str] | None:
    """The root and the value that marks it, where such a mark counts."""
    top = None if profile.top == "none" else graph.top
    if top is None or profile.just not in (None, "attribute"):
        return None
    concept = graph.concept(top) if profile.top == "concept" else None
    return top, concept or TOP_VALUE


def counted_triples(
    graph: Graph, profile: Profile, *, raw: bool = False
) -> Iterator[CountedTriple]:
    """The triples that count, one by one and in the reader's order.

    With *raw* their labels are left as they stand, for people.
    """
    normalise = as_written if raw else NORMALISERS[profile.comparison]
    labels = [normalise(label) for label in graph.labels]
    instances, attributes, relations = _counted(graph, profile)
    for v, concept in instances:
        yield CountedTriple("instance", "", v, labels[concept])
    for v, role, value in attributes:
        yield CountedTriple("attribute", labels[role], v, labels[value])
    if mark := _top_mark(graph, profile):
        top, value = mark
        yield CountedTriple("attribute", normalise(TOP_ROLE), top, normalise(value))
    for source, role, target in relations:
        yield CountedTriple("relation", labels[role], source, target)
