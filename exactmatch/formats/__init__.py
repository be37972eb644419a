"""Reads and writes graphs, one file for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exactmatch.base.fronts import front

if TYPE_CHECKING:
    from exactmatch.formats.convert import from_networkx as from_networkx
    from exactmatch.formats.convert import from_penman as from_penman
    from exactmatch.formats.convert import to_networkx as to_networkx
    from exactmatch.formats.convert import to_penman as to_penman
    from exactmatch.formats.readings import GraphLike as GraphLike
    from exactmatch.formats.readings import iter_graphs as iter_graphs

__getattr__, __dir__ = front(
    __name__,
    {
        "exactmatch.formats.readings": "GraphLike iter_graphs",
        "exactmatch.formats.convert": "from_networkx from_penman to_networkx to_penman",
    },
)
