"""Lines as gSpan and most programs of graph search read them.

``t # 0`` begins a graph, ``v 0 C`` is a node and its label, ``e 0 1 2`` an undirected
edge and its label; both labels may be missing.  ``t # -1`` ends a file.

Source: Yan and Han (2002), "gSpan: graph-based substructure pattern mining".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.formats.network_texts import NamedGraph, empty

_BEGINNING = re.compile(
    r"(?:\s*#[^\n]*\n)*\s*t[ \t]+(?:#[ \t]*)?-?\d+(?:[ \t][^\n]*)?(?:\n|$)"
)
_NEXT = re.compile(r"\s*(?:v[ \t]|t[ \t]|$)")


def is_gspan(text: str) -> bool:
    """Whether a text begins with a graph's line, and a node's or nothing behind it."""
    begun = _BEGINNING.match(text)
    return begun is not None and _NEXT.match(text, begun.end()) is not None


def gspan(text: str, path: str, stem: str | None) -> Iterator[NamedGraph]:
    """Read all graphs of a file.

    Raises:
        InputError: if a line is none of the three, or an edge has no such node.
    """
    del stem
    graph: Any = None
    name = ""
    for number, line in enumerate(text.splitlines(), 1):
        kind, *rest = line.split() or [""]
        if kind[:1] in ("", "#"):
            continue

        def wrong(why: str, place: str = f"{path}:{number}") -> InputError:
            return InputError(f"{place}: {why}")

        if kind == "t":
            if graph is not None:
                yield NamedGraph(name, graph)
            graph, name = empty(directed=False, multiple=False), _name(rest)
            if not name:
                raise wrong("begins a graph without a number; write 't # 0'")
        elif graph is None or name == "-1":
            raise wrong("stands in no graph; a graph begins with 't # 0'")
        elif kind == "v" and len(rest) in (1, 2):
            if rest[0] in graph:
                raise wrong(f"has the node {rest[0]} for the second time")
            graph.add_node(rest[0], **dict(zip(["label"], rest[1:], strict=False)))
        elif kind == "e" and len(rest) in (2, 3):
            for end in rest[:2]:
                if end not in graph:
                    raise wrong(f"has an edge of {end}, which is no node before it")
            if graph.has_edge(*rest[:2]):
                raise wrong(f"has the edge of {rest[0]} and {rest[1]} a second time")
            graph.add_edge(*rest[:2], **dict(zip(["label"], rest[2:], strict=False)))
        else:
            raise wrong(
                f"is {line.strip()[:60]!r}; lines are 't # N', 'v N LABEL' and 'e N N "
                "LABEL'"
            )
    if graph is not None and name != "-1":
        yield NamedGraph(name, graph)


def _name(rest: list[str]) -> str:
    """Return the number of a graph; a ``#`` may stand before it."""
    return next((word.lstrip("#") for word in rest if word != "#"), "")
