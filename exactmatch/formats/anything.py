"""Read a graph from whatever a caller passes: text, triples, penman, networkx.

A graph must have the same score in every form.  So triples, penman graphs and networkx
graphs are read as the profile's reader would read their PENMAN text
(:mod:`exactmatch.formats.graph_as_text`).  :data:`GraphLike` is the type of all these
forms.
Text is the commonest, so what only the others need is imported when it is met.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block, blocks_of_lines, graphs_of_text
from exactmatch.formats.readings import read_block
from exactmatch.formats.remarks import Reading
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import Profile, get_profile

if TYPE_CHECKING:
    import penman


class NetworkLike(Protocol):
    """A networkx graph, as type checkers see it with stubs of networkx or without.

    Its keys are those of :func:`~exactmatch.formats.convert.from_networkx`.
    """

    def is_directed(self) -> bool:
        """Whether edges have a direction; a graph must."""
        ...

    def is_multigraph(self) -> bool:
        """Whether there can be several edges between two nodes."""
        ...


class PenmanLike(Protocol):
    """A ``penman.Graph`` or ``penman.Tree``, as type checkers see it."""

    @property
    def metadata(self) -> Any:
        """The graph's ``id``, ``snt`` and so on."""
        ...


GraphLike: TypeAlias = (
    str
    | Graph
    | PenmanLike
    | NetworkLike
    | Mapping[str, Any]
    | Iterable[tuple[str, str, str] | list[str]]
)
"""Whatever stands for one graph, for the annotations of those who call us.

PENMAN text; a :class:`Graph`; a ``penman.Graph`` or ``penman.Tree``; a directed
``networkx`` graph; or triples of source, role and target.  For a metric on text a
string may be a sentence, and for the metric ``graph`` a mapping of nodes and edges, or
any networkx graph, stands for a graph.
"""


def read(item: GraphLike, profile: Profile | str = "smatch") -> Graph:
    """Read a graph once, to score it many times.

    Args:
        item: the graph: its text in any format (PENMAN, a UMR document, a line of
            MRP …), triples, or a penman or networkx graph.
        profile: the profile that reads it; metrics with another profile read it again.

    Returns:
        The graph, which you can pass in place of its text.

    Raises:
        GraphError: if it is no graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.

    Example:
        >>> from exactmatch.formats.anything import read
        >>> list(read("(b / bark-01 :ARG0-of (d / dog))").relations)
        [(1, 2, 0)]
    """
    counting = get_profile(profile) if isinstance(profile, str) else profile
    return as_graph(item, counting)


def as_graph(item: Any, profile: Profile) -> Graph:
    """Take whatever stands for one graph and make it a :class:`Graph`.

    Raises:
        GraphError: if it is no graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.
    """
    return read_anything(item, profile).graph


def read_anything(item: Any, profile: Profile) -> Reading:
    """Read whatever stands for one graph.

    Args:
        item: the text of one graph in any format; a ``penman.Graph`` or
            ``penman.Tree``, a ``networkx`` graph, triples, or a :class:`Graph`.
        profile: says how it is read.

    Raises:
        GraphError: if it is no graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.
    """
    if isinstance(item, Graph):
        return _reread(item, profile)
    if isinstance(item, str):
        return _read(item, profile)
    packages = {cls.__module__.partition(".")[0] for cls in type(item).__mro__}
    if "networkx" in packages:
        from exactmatch.formats.convert import from_networkx

        return _read_as_text(_not_empty(from_networkx(item)), profile)
    if "penman" in packages:
        return _read_penman(item, profile)
    if isinstance(item, Iterable) and not isinstance(item, (bytes, Mapping)):
        return _read_as_text(_not_empty(Graph.from_triples(item)), profile)
    raise InputError(
        f"{type(item).__name__} is no graph; give PENMAN text, triples, a penman "
        "graph or a networkx graph"
    )


def _read(text: str, profile: Profile) -> Reading:
    """Read the text of one graph, in any format, as the profile says."""
    blocks = list(graphs_of_text(text))
    if not blocks:
        raise GraphError("is empty; a graph is '(variable / concept ...)'")
    if len(blocks) > 1:
        way = "split it at its blank lines"
        if blocks[0].format is not None:
            way = "give them one by one, or load a file"
        raise InputError(
            f"a text holds {several(len(blocks), 'graph')} where one is wanted; {way}"
        )
    try:
        return _kept(read_block(blocks[0], profile), blocks[0])
    except GraphError:
        if "\n" not in text and os.path.exists(text):
            raise InputError(
                f"{text!r} is a file where the text of a graph is wanted; score files "
                "with the command line, or give what the file holds"
            ) from None
        raise


def _read_as_text(graph: Graph, profile: Profile) -> Reading:
    """A graph without a text as the profile's reader would read its text."""
    from exactmatch.formats.graph_as_text import read_as_text

    return read_as_text(graph, profile, read_block)


def _kept(reading: Reading, block: Block) -> Reading:
    """The same reading, whose graph remembers its text."""
    graph = reading.graph
    if graph.origin.text is block.lines:
        return reading
    origin = graph.origin._replace(text=block.lines, format=block.format)
    return reading._replace(graph=graph.revised(origin=origin))


def _reread(graph: Graph, profile: Profile) -> Reading:
    """A graph as the profile's reader reads it; its text is read again if need be."""
    if graph.reader is None:
        return _read_as_text(graph, profile)
    if graph.reader == profile.reader and not _keeps_tags(graph, profile):
        return Reading(graph)
    lines = graph.origin.text
    if lines is None:
        raise graph.origin.error(
            f"was read as {graph.reader} does and is wanted as {profile.reader} does; "
            f"give its text, or read it with profile={profile.name!r}"
        )
    block = _block_of(graph, lines)
    return _kept(read_block(block, profile), block)


def _block_of(graph: Graph, lines: tuple[str, ...]) -> Block:
    """The block that a graph was read from."""
    path, line, name, _, format_name = graph.origin
    if format_name is None:
        (block,) = blocks_of_lines(lines, path)
        return block
    known = graph.metadata
    return Block(lines, lines, line or 1, path, name, format_name, known)


def _keeps_tags(graph: Graph, profile: Profile) -> bool:
    """Whether a graph may hold alignment tags that the profile removes."""
    return profile.strip_alignments and any("~" in label for label in graph.labels)


def _read_penman(item: penman.Graph | penman.Tree, profile: Profile) -> Reading:
    """Read the text of a penman graph or tree, roles inverted as AMR inverts them."""
    from penman.exceptions import LayoutError

    from exactmatch.graphs.quiet_penman import amr, penman

    if isinstance(item, penman.Tree):
        return _read(penman.format(item), profile)
    try:
        text: str = penman.encode(item, model=amr.model)
    except (LayoutError, TypeError, ValueError):  # of several pieces, or no strings
        from exactmatch.formats.convert import from_penman

        return _read_as_text(_not_empty(from_penman(item)), profile)
    return _read(text, profile)


def _not_empty(graph: Graph) -> Graph:
    if not graph.variables:
        raise graph.origin.error("has no node; give it one, such as (a / amr-empty)")
    return graph
