"""Predicate frames of AMR graphs: what YiSi compares where it has graphs for text.

A *unit* is a node's concept or a constant.  A *frame* is a node whose concept is
a PropBank sense (``want-01``) and that has roles of its own, inverse ones turned
around; its *role fillers* are the units of the sub-graph under each role.  A node
with two parents fills a role of both, as a span of text does in two frames.

Roles are merged into YiSi's eight role types as its own table merges PropBank's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from exactmatch.graphs.graph import Graph
from exactmatch.metrics.similarity.vectors import Matrix
from exactmatch.metrics.yisi.frames import PREDICATE, Filler, Frame
from exactmatch.metrics.yisi.words import Similarity, are_equal

RoleTypes: TypeAlias = Literal["yisi8", "amr", "core"]
Frames: TypeAlias = Literal["propbank", "all"]
Fillers: TypeAlias = Literal["subgraph", "head"]

_SENSE = re.compile(r"(?<=.)-\d\d+$")
_TAG = re.compile(r"~[\w.,]+$")

_BY_TYPE = {
    "who": "ARG0",
    "what": "ARG1",
    "whom": "ARG2 beneficiary accompanier",
    "when": "time duration frequency calendar century day dayperiod decade era "
    "month quarter season timezone weekday year year2",
    "where": "ARG3 ARG4 location source destination direction path",
    "why": "cause purpose reason condition concession",
}
_TYPE_OF = {
    role.lower(): kind for kind, roles in _BY_TYPE.items() for role in roles.split()
}
_CORE = re.compile(r"arg\d+")


def role_type(role: str, kind: RoleTypes = "yisi8") -> str:
    """The type of an AMR role, without its colon, inverse ones turned around.

    Args:
        role: the role.
        kind: ``yisi8``: who, what, whom, when, where, why, and how for the rest;
            ``core``: each numbered argument for itself, the rest together;
            ``amr``: each role for itself.
    """
    name = role.lower()
    if kind == "amr":
        return name
    if kind == "core":
        return name if _CORE.fullmatch(name) else "rest"
    return _TYPE_OF.get(name, "how")


@dataclass(frozen=True, slots=True)
class Meaning:
    """A graph as YiSi sees it: its concepts and constants, normalised, its frames."""

    units: tuple[str, ...]
    frames: tuple[Frame, ...]

    @property
    def whole(self) -> Filler:
        """All units as one phrase."""
        return Filler("", self.units)


def meaning_of(
    graph: Graph,
    normalise: Callable[[str], str],
    frames: Frames = "propbank",
    fillers: Fillers = "subgraph",
    role_types: RoleTypes = "yisi8",
) -> Meaning:
    """Find units and frames of a graph whose inverse roles have been turned around.

    Args:
        graph: the graph.
        normalise: makes equal labels equal strings.
        frames: ``propbank``, or ``all`` nodes with roles.
        fillers: all units of the ``subgraph`` under a role, up to the frame's own
            node, or only its ``head``.
        role_types: which roles are of one type.
    """
    labels = [normalise(label) for label in graph.labels]
    units = [""] * len(graph.variables)
    is_sense = [False] * len(units)
    for node, concept in reversed(graph.instances):
        units[node] = labels[concept]
        is_sense[node] = _has_sense(graph.labels[concept])
    roles: list[list[tuple[str, int]]] = [[] for _ in units]
    for source, role, target in graph.relations:
        roles[source].append((labels[role], target))
    for source, role, value in graph.attributes:
        roles[source].append((labels[role], len(units)))
        units.append(labels[value])
        roles.append([])

    def filler(role: str, head: int, node: int) -> Filler:
        under = [head] if fillers == "head" else _under(head, node, roles)
        places = [place for place in under if units[place]]  # some lack a concept
        words = [units[place] for place in places]
        return Filler(role_type(role, role_types), tuple(words), tuple(places))

    found = [
        Frame(
            Filler(PREDICATE, tuple(filter(None, (units[node],))), (node,)),
            tuple(filler(role, head, node) for role, head in roles[node]),
        )
        for node in range(len(graph.variables))
        if roles[node] and units[node] and (frames == "all" or is_sense[node])
    ]
    return Meaning(tuple(unit for unit in units if unit), tuple(found))


def _under(head: int, frame: int, roles: list[list[tuple[str, int]]]) -> list[int]:
    """The nodes that a filler's head leads to, itself first; not the frame's own."""
    reached = {head: None}
    waiting = [head]
    while waiting:
        for _, node in roles[waiting.pop()]:
            if node not in reached and node != frame:
                reached[node] = None
                waiting.append(node)
    return list(reached)


def unit_similarities(
    own: Iterable[str], others: Iterable[str], words: Similarity, other_sense: float
) -> Matrix:
    """Compare concepts by their lemmas, each of one side with each of the other.

    Args:
        own, others: concepts and constants.
        words: similarity of lemmas or constants; symmetric.
        other_sense: what two senses of one lemma are worth (``play-01`` and
            ``play-11``); 1 makes senses not matter.
    """
    own, others = list(own), list(others)
    mine, theirs = list(map(_lemma_of, own)), list(map(_lemma_of, others))
    found = words(mine, theirs)
    found[are_equal(mine, theirs)] = other_sense
    found[are_equal(own, others)] = 1.0
    return found


@lru_cache(maxsize=1 << 16)
def _has_sense(unit: str) -> bool:
    return _SENSE.search(unit) is not None


@lru_cache(maxsize=1 << 16)
def _lemma_of(unit: str) -> str:
    return _SENSE.sub("", unit)


def spellings(label: str) -> tuple[str, str]:
    """The words that a label may be compared as, alignment tag or not."""
    bare = _TAG.sub("", label)
    return bare, _SENSE.sub("", bare)
