"""One graph in every form that the library takes."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, TypeAlias

import networkx
import penman
from penman.models import amr

from exactmatch.formats.convert import from_penman, to_networkx
from exactmatch.graphs.penman_text import text_of
from exactmatch.graphs.profile import Profile

WRITTEN = ("s2match", "sembleu", "smatchpp-none")
"""Profiles under which it counts where and in which direction a relation is written."""


def forms_with_text(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the forms that know how the graph was written."""
    yield "text", text
    yield "penman", penman.decode(text, model=amr.model)
    yield "penman without a model", penman.decode(text)
    yield "penman tree", penman.parse(text)


def forms_without_text(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the forms that hold its triples alone."""
    graph = from_penman(penman.decode(text, model=amr.model))
    yield "graph", graph
    yield "triples", list(graph.triples())
    network = to_networkx(graph)
    yield "networkx.MultiDiGraph", network
    directed = networkx.DiGraph(network)
    if directed.number_of_edges() == network.number_of_edges():
        yield "networkx.DiGraph", directed


def forms(text: str, profile: Profile) -> Iterator[tuple[str, Any]]:
    """Yield the forms that must count under a profile as a text does.

    Where it counts how a relation is written, triples count as they are written out.
    Every profile is given the same objects, so that nobody may change one.
    """
    with_text, without_text, turns = _forms(text)
    yield from with_text
    if profile.name not in WRITTEN or not turns:
        yield from without_text


Forms: TypeAlias = tuple[tuple[str, Any], ...]


@functools.lru_cache(maxsize=128)  # the sample has 80
def _forms(text: str) -> tuple[Forms, Forms, bool]:
    """Return forms with text and without, and whether these turn a relation around."""
    written = text_of(from_penman(penman.decode(text, model=amr.model)))
    turns = _skeleton(written) != _skeleton(text)
    return tuple(forms_with_text(text)), tuple(forms_without_text(text)), turns


def _skeleton(text: str) -> Any:
    """Return the places of relations, without constants."""
    tree = penman.parse(text)
    variables = {variable for variable, _ in tree.nodes()}

    def relations(node: Any) -> Any:
        variable, branches = node
        return variable, [
            (role, relations(target) if isinstance(target, tuple) else target)
            for role, target in branches
            if isinstance(target, tuple) or target in variables
        ]

    return relations(tree.node)
