"""Formats in which the data sets of edit distances are published, one file each.

A format of texts is a function ``(text, path, stem)`` that yields named networkx
graphs, and one that recognises its texts; a set that is a folder or a list of files is
read by :func:`folder_graphs`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from exactmatch.base.registry import imported

if TYPE_CHECKING:
    from exactmatch.formats.network_texts import NamedGraph

_RECOGNISES = {
    "gspan": "exactmatch.formats.sets.gspan:is_gspan",
    "ged-json": "exactmatch.formats.sets.ged_json:is_ged_json",
    "gexf": "exactmatch.formats.sets.gexf:is_gexf",
    "gxl": "exactmatch.formats.sets.xml_roots:is_gxl",
}

_READS = {
    "gspan": "exactmatch.formats.sets.gspan:gspan",
    "ged-json": "exactmatch.formats.sets.ged_json:ged_json",
    "gexf": "exactmatch.formats.sets.gexf:gexf",
}


def recognised(text: str) -> str | None:
    """Return the name of the format that a text is in, if it is one of these."""
    names = (name for name, place in _RECOGNISES.items() if imported(place)(text))
    return next(names, None)


def _read(place: str, text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    yield from imported(place)(text, path, stem)


READERS: dict[str, Callable[[str, str, str | None], Iterator[NamedGraph]]] = {
    name: partial(_read, place) for name, place in _READS.items()
}
"""The readers of texts, by the name of their format; modules are imported late."""
