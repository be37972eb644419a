"""Read the graphs of a file, all at once or one by one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import no_graph, read_blocks
from exactmatch.formats.pairs import OnError
from exactmatch.formats.reading import Extract, how_read
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile, get_profile


def load(
    path: str | os.PathLike[str],
    profile: Profile | str = "smatch",
    *,
    format_in: str | None = None,
    extract: Extract | None = None,
    field: str | None = None,
    on_error: OnError = "raise",
) -> list[Graph]:
    """Read all graphs of a file, once.

    Args:
        path: a file in any format (``.gz`` or not), a folder, or ``-`` for standard
            input.
        profile: the profile that reads the graphs; metrics with another profile read
            their text again.
        format_in: the format; default: recognised by the beginning of the file.
        extract: how to take the graph out of a model's answer: not at all (``off``),
            remove fences (``fences``), or also repair broken graphs (``repair``);
            default: ``repair`` for rows of answers, ``off`` for graphs.
        field: the column of the answers.
        on_error: whether a graph that cannot be read is an error (``raise``), is left
            out (``skip``) or is an empty graph in its place (``empty``).

    Raises:
        GraphError: if a graph cannot be read; the message names file and line.
        InputError: if the file cannot be read.

    Example:
        >>> from exactmatch.formats.load import load
        >>> from importlib.resources import files
        >>> graphs = load(files("exactmatch.sample") / "gold.amr")
        >>> len(graphs), graphs[0].id
        (40, 'sample.1')
    """
    options: Any = {"format_in": format_in, "extract": extract, "field": field}
    return [*iter_graphs(path, profile, on_error=on_error, **options)]


def iter_graphs(
    path: str | os.PathLike[str],
    profile: Profile | str = "smatch",
    *,
    format_in: str | None = None,
    extract: Extract | None = None,
    field: str | None = None,
    on_error: OnError = "raise",
) -> Iterator[Graph]:
    """Read the graphs of a file one by one; the arguments are those of :func:`load`.

    Example:
        >>> from importlib.resources import files
        >>> from exactmatch.formats.load import iter_graphs
        >>> next(iter_graphs(files("exactmatch.sample") / "gold.amr")).id
        'sample.1'
    """
    counting = get_profile(profile) if isinstance(profile, str) else profile
    for block in read_blocks(path, how_read(format_in, extract, field)):
        try:
            if not block.content:
                raise no_graph(block)
            graph = read_block(block, counting).graph
        except GraphError:
            if on_error in ("raise", "fail"):
                raise
            if on_error == "empty":
                origin = block.origin()
                yield Graph(
                    (), (), (), (), (), metadata=block.metadata(), origin=origin
                )
            continue
        kept = graph.origin._replace(text=block.lines, format=block.format)
        yield replace(graph, origin=kept)
