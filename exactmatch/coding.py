"""A graph under a profile: normalised, counted, and coded for pairing.

Coding happens once per graph.  Each distinct label is normalised as the
profile's ``comparison`` says; equal triples are merged and counted; what is
left are *rows* of integers.  Pairing a coded graph with many others then costs
only the pairing.

:func:`counted_triples` gives the same triples as strings.  Scores are checked
against it, and it shares nothing with the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.graph import Graph
from exactmatch.profile import Comparison, Profile

Rows: TypeAlias = npt.NDArray[np.int32]

TOP_ROLE = "TOP"
TOP_VALUE = "top"


class CountedTriple(NamedTuple):
    """A triple that counts, in normalised strings.

    Attributes:
        kind: ``instance``, ``attribute`` or ``relation``.
        role: the normalised role; empty for an instance.
        source: number of the variable it starts from.
        target: number of a variable (a relation), or a concept or constant.
    """

    kind: str
    role: str
    source: int
    target: int | str


def _like_smatch(label: str) -> str:
    return label.lower().rstrip("_")


def _like_clean(label: str) -> str:
    if len(label) > 1 and label[0] == label[-1] == '"':
        label = label[1:-1]
    return label.lower()


def _as_written(label: str) -> str:
    return label


NORMALISERS: dict[Comparison, Callable[[str], str]] = {
    "smatch": _like_smatch,
    "clean": _like_clean,
    "lower": str.lower,
    "exact": _as_written,
}
"""What each ``comparison`` makes of a label before labels are compared."""


@dataclass(frozen=True, slots=True, eq=False)
class CodedGraph:
    """A graph's counted triples as rows of integers.

    Attributes:
        graph: the graph itself.
        n_variables: how many variables it has.
        total: how many triples count, duplicates as the profile counts them.
        unary_keys, role_keys, start_keys: number of each key: a concept or a
            role with its constant; a role; a concept as written.
        unary, start: rows ``(variable, key, count)``, sorted by key.
        relations: rows ``(source, role, target, count)``, sorted by role.
        unary_from, role_from, start_from: where each key's rows begin, with the
            end of the last.
    """

    graph: Graph
    n_variables: int
    total: int
    unary_keys: dict[Any, int]
    role_keys: dict[Any, int]
    start_keys: dict[Any, int]
    unary: Rows
    relations: Rows
    start: Rows
    unary_from: Rows
    role_from: Rows
    start_from: Rows


def encode(graph: Graph, profile: Profile, *, graded: bool = False) -> CodedGraph:
    """Code a graph for pairing.

    Args:
        graph: the graph, as the profile's reader made it.
        profile: which triples count and when labels are equal.
        graded: leave concepts and TOP out of the rows (but in the total): a
            graded similarity will weigh them.
    """
    normalise = NORMALISERS[profile.comparison]
    labels = [normalise(label) for label in graph.labels]
    just = profile.just
    unary: dict[tuple[int, Any], int] = {}
    relations: dict[tuple[int, str, int], int] = {}
    total = 0
    if just in (None, "instance"):
        total += len(graph.instances)
        if not graded:
            for v, concept in graph.instances:
                row = (v, labels[concept])
                unary[row] = unary.get(row, 0) + 1
    if just in (None, "attribute"):
        total += len(graph.attributes)
        for v, role, value in graph.attributes:
            key = (v, (labels[role], labels[value]))
            unary[key] = unary.get(key, 0) + 1
        top = _top_value(graph, profile)
        if top is not None and graph.top is not None:
            total += 1
            if not graded:
                key = (graph.top, (normalise(TOP_ROLE), normalise(top)))
                unary[key] = unary.get(key, 0) + 1
    if just in (None, "relation"):
        total += len(graph.relations)
        for source, role, target in graph.relations:
            edge = (source, labels[role], target)
            relations[edge] = relations.get(edge, 0) + 1
    if profile.duplicates == "set":
        total -= sum(unary.values()) - len(unary)
        total -= sum(relations.values()) - len(relations)
        unary = dict.fromkeys(unary, 1)
        relations = dict.fromkeys(relations, 1)
    written = graph.labels
    unary_keys, unary_rows, unary_from = _rows(
        [(k, v, (n,)) for (v, k), n in unary.items()]
    )
    role_keys, relation_rows, role_from = _rows(
        [(role, s, (t, n)) for (s, role, t), n in relations.items()]
    )
    start_keys, start_rows, start_from = _rows(
        [(written[c], v, (1,)) for v, c in graph.instances]
    )
    return CodedGraph(
        graph,
        len(graph.variables),
        total,
        unary_keys,
        role_keys,
        start_keys,
        unary_rows,
        relation_rows.reshape(-1, 4),
        start_rows,
        unary_from,
        role_from,
        start_from,
    )


def _top_value(graph: Graph, profile: Profile) -> str | None:
    if profile.top == "none":
        return None
    if profile.top == "constant" or graph.top is None:
        return TOP_VALUE
    return graph.concept(graph.top) or TOP_VALUE


def _rows(
    stated: list[tuple[Any, int, tuple[int, ...]]],
) -> tuple[dict[Any, int], Rows, Rows]:
    """Number the keys, and lay the rows out by key."""
    by_key: dict[Any, list[tuple[int, tuple[int, ...]]]] = {}
    for key, variable, rest in stated:
        by_key.setdefault(key, []).append((variable, rest))
    flat: list[int] = []
    begin = [0]
    width = 2 + len(stated[0][2]) if stated else 3
    for number, rows in enumerate(by_key.values()):
        for variable, rest in rows:
            flat += (variable, number, *rest)
        begin.append(begin[-1] + len(rows))
    keys = {key: number for number, key in enumerate(by_key)}
    return (
        keys,
        np.array(flat, dtype=np.int32).reshape(-1, width),
        np.array(begin, dtype=np.int32),
    )


def counted_triples(
    graph: Graph, profile: Profile, *, as_written: bool = False
) -> Iterator[CountedTriple]:
    """The triples that count, one by one and in the reader's order.

    Args:
        graph: the graph.
        profile: which triples count, and how their labels are normalised.
        as_written: leave the labels as they stand, for people.
    """
    normalise = _as_written if as_written else NORMALISERS[profile.comparison]
    labels, just = graph.labels, profile.just
    if just in (None, "instance"):
        for v, concept in graph.instances:
            yield CountedTriple("instance", "", v, normalise(labels[concept]))
    if just in (None, "attribute"):
        for v, role, value in graph.attributes:
            yield CountedTriple(
                "attribute", normalise(labels[role]), v, normalise(labels[value])
            )
        value_of_top = _top_value(graph, profile)
        if value_of_top is not None and graph.top is not None:
            yield CountedTriple(
                "attribute",
                normalise(TOP_ROLE),
                graph.top,
                normalise(value_of_top),
            )
    if just in (None, "relation"):
        for source, role, target in graph.relations:
            yield CountedTriple("relation", normalise(labels[role]), source, target)
