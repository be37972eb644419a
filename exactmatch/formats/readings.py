r"""Read a graph from a text, or from another object that represents one.

One small graph on its way, from a file's bytes to a :class:`Graph`::

    b"# ::id 7\n(d / dog\n   :mod (b / big))\n"     the file
            |   files.opened: decoded, its format recognised (PENMAN)
            v
    Block(content=("(d / dog", ":mod (b / big))"),    blocks.read_blocks: one a graph
          line=1, comment_id="7")
            |   read_block: the reader that the profile names
            v
    Reading(graph, lenient=(), dropped=())            graph, accepted faults, omissions
            |
            v
    graph.variables  ("d", "b")                       Graph: triples as integers
    graph.labels     ("dog", "big", "domain")
    graph.instances  ((0, 0), (1, 1))                 d is a dog, b is big
    graph.relations  ((1, 2, 0),)                     b :domain d, as smatch reads :mod

A reader takes a block and returns a :class:`~exactmatch.formats.remarks.Reading`: the
graph, the faults that only a lenient reader accepts, and the number of parts that were
left out.  A new reader is one file and one line in
:data:`~exactmatch.graphs.profile.OUR_READERS`; a profile of another package names its
own reader as ``module:function``.

A graph must have the same score in every form.  So triples, penman graphs and networkx
graphs are read as the profile's reader would read their PENMAN text
(:mod:`exactmatch.formats.graph_as_text`).  :data:`GraphLike` is the type of all these
forms.  Most graphs are texts, so modules for the other forms are imported when needed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.records import replace
from exactmatch.base.registry import Registry
from exactmatch.formats.blocks import (
    Block,
    blocks_of_lines,
    graphs_of_text,
    no_graph,
    read_blocks,
    refuse_idle_field,
)
from exactmatch.formats.formats import get_format
from exactmatch.formats.pairs import OnError, error_action, only_block
from exactmatch.formats.reading import Extract, HowRead, how_read
from exactmatch.formats.remarks import (
    REPEATED,
    TAGS,
    Reading,
    count_repeated,
    count_tags,
    counted,
    without_tags,
)
from exactmatch.graphs.graph import Graph, GraphCoder
from exactmatch.graphs.profile import NORMALISERS, OUR_READERS, Profile, get_profile

if TYPE_CHECKING:
    import penman

ReadBlock: TypeAlias = Callable[[Block], Reading]

READERS: Registry[ReadBlock] = Registry(
    "reader",
    OUR_READERS,
    callable,
    "a function of a Block that returns a Reading",
)
"""The readers by name; imported at their first use."""


@cache
def get_reader(name: str) -> ReadBlock:
    """Import the reader that a profile's ``reader`` field names."""
    return READERS.find(name)


def read_block(block: Block, profile: Profile) -> Reading:
    """Read a block as a profile says.

    Returns:
        The graph, the faults that a careful reader would refuse, and the parts that
        were left out.
    """
    if block.format is not None:
        return _read_graph(block, block.format, profile)
    tags = 0
    if profile.strip_alignments and profile.reader != "penman":
        tags = count_tags("\n".join(block.content))
        if tags:
            block = replace(
                block,
                lines=tuple(
                    line if line[:1] == "#" else without_tags(line)
                    for line in block.lines
                ),
                content=tuple(map(without_tags, block.content)),
            )
    try:
        reading = get_reader(profile.reader)(block)
    except GraphError as error:
        from exactmatch.formats.penman_graphs import clearer

        raise block.located(clearer(error, block)) from None
    repeated = 0
    if profile.duplicates == "set":
        repeated = count_repeated(reading.graph, NORMALISERS[profile.comparison])
    if tags or repeated:
        tags_and_repeats = counted((TAGS, tags), (REPEATED, repeated))
        reading = reading._replace(dropped=reading.dropped + tags_and_repeats)
    return reading


def _read_graph(block: Block, format_name: str, profile: Profile) -> Reading:
    """Read a block of another format as the profile would read its PENMAN text."""
    as_written = get_format(format_name).read(block)
    if profile.reader == "drs" and format_name == "sbn":
        from exactmatch.formats.sbn import split_synsets

        graph, _, dropped = split_synsets(as_written.graph)
        as_written = as_written._replace(
            graph=graph, dropped=as_written.dropped + dropped
        )
    try:
        as_counted = _read_as_text(as_written.graph, profile)
    except GraphError as error:
        raise block.origin().error(error.reason) from None
    lenient = dict.fromkeys((*as_written.lenient, *as_counted.lenient))
    return Reading(
        as_counted.graph, tuple(lenient), as_written.dropped + as_counted.dropped
    )


def _read_as_text(graph: Graph, profile: Profile) -> Reading:
    """Read a graph that has no text as the profile's reader would read its text."""
    from exactmatch.formats.graph_as_text import read_as_text

    return read_as_text(graph, profile, read_block)


class NetworkLike(Protocol):
    """A networkx graph for type checkers, with or without stubs of networkx.

    Its keys are those of :func:`~exactmatch.formats.convert.from_networkx`.
    """

    def is_directed(self) -> bool:
        """Return whether edges have a direction; a graph must."""
        ...

    def is_multigraph(self) -> bool:
        """Return whether there can be several edges between two nodes."""
        ...


class PenmanLike(Protocol):
    """A ``penman.Graph`` or ``penman.Tree``, as type checkers see it."""

    @property
    def metadata(self) -> Any:
        """The graph's ``id``, ``snt`` and so on."""
        ...


GraphLike: TypeAlias = (
    str
    | os.PathLike[str]
    | Graph
    | PenmanLike
    | NetworkLike
    | Mapping[str, Any]
    | Iterable[tuple[str, str, str] | list[str]]
)
"""Type of all objects that represent one graph.

A text; a ``pathlib.Path`` of a file that holds one graph; a :class:`Graph`; a
``penman.Graph`` or ``penman.Tree``; a directed ``networkx`` graph; or triples of
source, role and target.  Metrics on text also take a sentence, and the metric ``graph``
any networkx graph, or a mapping of nodes and edges.
"""


def read_anything(item: Any, profile: Profile) -> Reading:
    """Read one graph from any object that represents it.

    Args:
        item: the text of one graph in any format, or the ``Path`` of a file that
            holds one; a ``penman.Graph`` or ``penman.Tree``, a ``networkx`` graph,
            triples, or a :class:`Graph`.
        profile: says how it is read.

    Raises:
        GraphError: if it is not a graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.
    """
    if isinstance(item, Graph):
        return _read_again(item, profile)
    if isinstance(item, str):
        return _read(item, profile)
    path = path_of(item)
    if path is not None:
        block = only_block(path)
        return _with_text(read_block(block, profile), block)
    packages = {cls.__module__.partition(".")[0] for cls in type(item).__mro__}
    if "penman" in packages:
        return _read_penman(item, profile)
    if "networkx" in packages:
        from exactmatch.formats.convert import from_networkx

        return _read_as_text(_not_empty(from_networkx(item)), profile)
    if isinstance(item, Iterable) and not isinstance(item, (bytes, Mapping)):
        item = list(item)
        _refuse_list_of_graphs(item)
        return _read_as_text(_not_empty(Graph.from_triples(item)), profile)
    raise InputError(
        f"{type(item).__name__} is not a graph; give PENMAN text, triples, a penman "
        "graph or a networkx graph"
    )


def _refuse_list_of_graphs(items: list[Any]) -> None:
    """Refuse a list of graphs in the place of one graph's triples."""
    texts = [item for item in items if isinstance(item, str)]
    if items and (len(texts) == len(items) or not isinstance(items[0], Iterable)):
        raise InputError(
            f"a list of {several(len(items), 'graph')} is given where one graph is "
            "wanted; score lists with exactmatch.evaluate(preds, golds)"
        )


def _not_empty(graph: Graph) -> Graph:
    if not graph.variables:
        raise graph.origin.error("has no node; give it one, such as (a / amr-empty)")
    return graph


def _read(text: str, profile: Profile) -> Reading:
    refuse_name(text)
    blocks = list(graphs_of_text(text))
    if not blocks:
        raise GraphError("is empty; a graph is '(variable / concept ...)'")
    if len(blocks) > 1:
        advice = "split it at its blank lines"
        if blocks[0].format is not None:
            advice = "give them one by one, or load a file"
        raise InputError(
            f"a text holds {several(len(blocks), 'graph')} where one is wanted; "
            f"{advice}"
        )
    try:
        return _with_text(read_block(blocks[0], profile), blocks[0])
    except GraphError:
        refuse_name(text, is_unreadable=True)
        raise


def _with_text(reading: Reading, block: Block) -> Reading:
    """Return the reading with a graph that remembers its text."""
    graph = reading.graph
    if graph.origin.text is block.lines:
        return reading
    origin = graph.origin._replace(text=block.lines, format=block.format)
    return reading._replace(graph=graph.revised(origin=origin))


def _read_again(graph: Graph, profile: Profile) -> Reading:
    """Return a graph, from its text again if the profile has another reader."""
    if graph.reader is None:
        return _read_as_text(graph, profile)
    tagged = profile.strip_alignments and any("~" in label for label in graph.labels)
    if graph.reader == profile.reader and not tagged:
        return Reading(graph)
    block = block_of(graph)
    if block is None:
        raise graph.origin.error(
            f"was read by reader {graph.reader!r}, not {profile.reader!r}; "
            f"give its text, or read it with profile={profile.name!r}"
        )
    return _with_text(read_block(block, profile), block)


def block_of(graph: Graph) -> Block | None:
    """Return the block that a graph was read from, if it remembers its text."""
    path, line, name, lines, format_name = graph.origin
    if lines is None:
        return None
    if format_name is None:
        return next(blocks_of_lines(lines, path), None)
    return Block(lines, lines, line or 1, path, name, format_name, graph.metadata)


def _read_penman(item: penman.Graph | penman.Tree, profile: Profile) -> Reading:
    """Read a penman graph or tree from the text that penman writes for it as AMR."""
    from penman.exceptions import LayoutError

    from exactmatch.graphs.quiet_penman import amr, penman

    if isinstance(item, penman.Tree):
        return _read(penman.format(item), profile)
    try:
        text: str = penman.encode(item, model=amr.model)
    except (LayoutError, TypeError, ValueError):  # disconnected, or not strings
        from exactmatch.formats.convert import from_penman

        return _read_as_text(_not_empty(from_penman(item)), profile)
    return _read(text, profile)


def as_graph(item: Any, profile: Profile) -> Graph:
    """Return the :class:`Graph` that an object represents."""
    return read_anything(item, profile).graph


def read(item: GraphLike, profile: Profile | str = "smatch") -> Graph:
    """Read a graph once, to score it many times.

    Args:
        item: the graph: its text in any format (PENMAN, a UMR document, a line of
            MRP …), triples, or a penman or networkx graph.
        profile: the profile that reads it; metrics with another profile read it again.

    Returns:
        The graph, which you can pass in place of its text.

    Raises:
        GraphError: if it is not a graph that the profile's reader can read.
        InputError: if it is something else, or the text of several graphs.

    Example:
        >>> from exactmatch.formats.readings import read
        >>> list(read("(b / bark-01 :ARG0-of (d / dog))").relations)
        [(1, 2, 0)]
    """
    return as_graph(item, get_profile(profile))


def load(
    source: str | os.PathLike[str],
    profile: Profile | str = "smatch",
    *,
    format_in: str | None = None,
    extract: Extract | None = None,
    field: str | None = None,
    on_error: OnError = "raise",
) -> list[Graph]:
    r"""Read all graphs of a file, or of a text, once.

    Args:
        source: the ``Path`` of a file in any format (``.gz`` or not) or of a folder,
            ``Path("-")`` for standard input; or a text with graphs.
        profile: the profile that reads the graphs; metrics with another profile read
            their text again.
        format_in: the format of the file; default: recognised by its beginning.
        extract: how to take the graph out of a model's answer: not at all (``off``),
            remove fences (``fences``), also repair broken graphs (``repair``), or split
            an answer of several fenced graphs as well (``all``); default: ``repair``
            for rows of answers, ``off`` for graphs.
        field: the column of the answers.
        on_error: for a graph that cannot be read, raise an error (``raise``), leave it
            out (``skip``), or put an empty graph in its place (``empty``).

    Raises:
        GraphError: if a graph cannot be read; the message names file and line.
        InputError: if the file cannot be read.

    Example:
        >>> from exactmatch.formats.readings import load
        >>> from importlib.resources import files
        >>> graphs = load(files("exactmatch.sample") / "gold.amr")
        >>> len(graphs), graphs[0].id
        (40, 'sample.1')
        >>> [graph.id for graph in load("(b / bark-01)\n\n# ::id 2\n(c / cat)")]
        [None, '2']
    """
    options: Any = {"format_in": format_in, "extract": extract, "field": field}
    return [*iter_graphs(source, profile, on_error=on_error, **options)]


def iter_graphs(
    source: str | os.PathLike[str],
    profile: Profile | str = "smatch",
    *,
    format_in: str | None = None,
    extract: Extract | None = None,
    field: str | None = None,
    on_error: OnError = "raise",
) -> Iterator[Graph]:
    """Read the graphs of a file or a text one by one, as :func:`load` does.

    Example:
        >>> from importlib.resources import files
        >>> from exactmatch.formats.readings import iter_graphs
        >>> next(iter_graphs(files("exactmatch.sample") / "gold.amr")).id
        'sample.1'
    """
    chosen_profile, action = get_profile(profile), _action(on_error)
    for block in _blocks(source, how_read(format_in, extract, field)):
        try:
            if not block.content:
                raise no_graph(block)
            yield _with_text(read_block(block, chosen_profile), block).graph
        except GraphError:
            if action == "raise":
                raise
            if action == "empty":
                yield GraphCoder().graph(None, block.metadata(), block.origin())


def _action(on_error: str) -> OnError:
    try:
        return error_action(on_error)
    except ValueError as error:
        raise InputError(f"on_error: {error}") from None


def _blocks(source: str | os.PathLike[str], how: HowRead) -> Iterator[Block]:
    """Yield the blocks of a file or of a text."""
    path = path_of(source)
    if path is not None:
        refuse_idle_field([path], how)
        yield from read_blocks(path, how)
        return
    if not isinstance(source, str):
        raise InputError(
            f"{type(source).__name__} is not a file and not a text; give a Path, "
            "exactmatch.load(Path('gold.amr'))"
        )
    refuse_name(source, is_unreadable=source.lstrip()[:1] not in ("(", "#"))
    if how is not None:
        raise InputError(
            "format_in, extract and field say how a file is read, and a text is given; "
            "leave them out, or save the text as a file and give its Path"
        )
    yield from graphs_of_text(source)
