"""Names that people, programs and models give to the ends and label of an edge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

SOURCES = (
    *("source", "from", "head", "subject", "start", "src"),
    *("entity_1", "entity1", "node_1", "node1", "concept_1", "concept1"),
    *("subj", "head_entity", "source_entity", "subject_entity", "source_node"),
    *("start_node", "source_id", "start_node_id", "source_node_id"),
)
TARGETS = (
    *("target", "to", "tail", "object", "end", "dst"),
    *("entity_2", "entity2", "node_2", "node2", "concept_2", "concept2"),
    *("obj", "tail_entity", "target_entity", "object_entity", "target_node"),
    *("end_node", "target_id", "end_node_id", "target_node_id"),
)
RELATIONS = (
    *("label", "role", "relation", "predicate", "relationship"),
    *("rel", "edge", "property"),
    *("relation_type", "relationship_type", "relation_name", "name", "type"),
)
"""The keys of JSON, those that are asked first standing first."""

NODE_LABELS = ("label", "concept", "name", "text", "title", "description", "content")
"""What a node's label is called, in any format; the first that a node has."""

_NUMBER = re.compile(r"[+-]?\d+")


def are_numbers(names: Iterable[object]) -> bool:
    """Return whether all names are numbers, which only identify nodes.

    Nodes without a label are called by their names, unless they are such.

    >>> are_numbers([1, "2"]), are_numbers(["Alice", 1984])
    (True, False)
    """
    return all(_NUMBER.fullmatch(str(name)) for name in names)


_OF_TABLES = {
    "subject": {*SOURCES, "s"},
    "relation": {*RELATIONS, "p", "r", "verb"} - {"name"},
    "object": {*TARGETS, "o"},
}


def columns_of_triples() -> dict[str, tuple[str, ...]]:
    """Return what each column of a table of triples may be called, in lower case.

    >>> columns_of_triples()["subject"][:3]
    ('entity1', 'from', 'head')
    """
    return {
        column: tuple(
            sorted(names, key=lambda name: ("_" in name, len(name) > 7, name))
        )
        for column, names in _OF_TABLES.items()
    }


def places_of(names: Iterable[str]) -> dict[str, int]:
    """Return the place of each column of triples that a heading names.

    >>> places_of(["#", "Head entity", "Relation", "Tail entity"])
    {'subject': 1, 'relation': 2, 'object': 3}
    """
    plain_names = [
        re.sub(r"[\s_-]+", "_", name.strip(' \t*"`').lower()) for name in names
    ]
    columns: dict[str, int] = {}
    for column, known_columns in _OF_TABLES.items():
        places = [
            place for place, name in enumerate(plain_names) if name in known_columns
        ]
        if places:
            columns[column] = places[0]
    return columns


def is_heading(names: Sequence[str]) -> bool:
    """Return whether names are those of all three columns of triples."""
    return len(places_of(names)) == len(_OF_TABLES)
