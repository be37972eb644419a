"""Remarks of a reader on a text, beside the graph that it returns.

Published tools read on where a careful reader would stop, and leave out what they
cannot represent.  So every reader returns a :class:`Reading`: the graph, what only a
lenient reader accepts, and how much was left out.  The phrases that several readers
use are defined here, so that the same fault is always reported in the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from exactmatch.base.records import NamedTuple
from exactmatch.graphs.graph import TAG, Graph

NO_OPENING = "has a ')' without its '('"
UNCLOSED = "lacks a closing parenthesis"
OPEN_QUOTE = "ends inside a quoted value"
SEVERAL_GRAPHS = "is followed by another graph in the same block"
NAMELESS_ROLE = "has a role without a name"
VALUELESS = "has a role without a value, which is left out"
ROLELESS = "has a node without a role"
TAGGED = "has '~' alignment tags, which count as part of its labels"
CONCEPTLESS = "has a '/' without a concept"
STRAY = "has a bracket or a word where none belongs, as in '((a / b)'"
BLANK = "has a blank inside a name, a role or a concept"
GLUED = "has a word or quote broken over two lines, which are joined without a space"
UNQUOTED = "has a value of several words without quotes"
TABBED = "has a tab behind a name or a concept, which counts as part of it"
CONSTANT_ALONE = "has no bracket, and is read as one constant"

CUT = "quoted values cut at their first space"
INVERTED_CONSTANTS = "constants of inverted roles left out"
INVERTED_OR_MOD_CONSTANTS = "constants of :mod and of inverted roles left out"
TAGS = "alignment tags left out"
REPLACED = "relations and attributes replaced by a later one"
SECOND_TOPS = "written :TOP roles of the root left out"
SIGNS_IN_QUOTES = "brackets, colons and slashes inside quotes left out"
REPEATED = "repeated triples counted once"
NAMED = "values taken for the variable of their name"
COMMENT_WORDS = "words in comments"
UNTYPED = "types of values that are not strings"
EDGE_FACTS = "attributes of edges"
NESTED = "attributes with a structure of their own"
LINE_BREAKS = "line breaks within labels"
GROUPS = "groups of nodes"
SETTINGS = "settings of nodes"
DEFAULTS = "attributes for all nodes or edges"
GRAPH_FACTS = "attributes of the graph or its groups"
PORTS = "ports"
STYLES = "statements of style"
INVISIBLE = "invisible links"
NESTED_NODES = "nodes of graphs within nodes"
NESTED_EDGES = "edges of graphs within nodes"
NAMED_GRAPHS = "triples of named graphs"
PROSE = "lines that are neither nodes nor edges"
FACTS = "types, descriptions and the like beside triples"

_ONE = {
    CUT: "quoted value cut at its first space",
    INVERTED_CONSTANTS: "constant of an inverted role left out",
    INVERTED_OR_MOD_CONSTANTS: "constant of :mod or of an inverted role left out",
    TAGS: "alignment tag left out",
    REPLACED: "relation or attribute replaced by a later one",
    SECOND_TOPS: "written :TOP role of the root left out",
    SIGNS_IN_QUOTES: "bracket, colon or slash inside quotes left out",
    REPEATED: "repeated triple counted once",
    NAMED: "value taken for the variable of its name",
    COMMENT_WORDS: "word in a comment",
    UNTYPED: "type of a value that is not a string",
    EDGE_FACTS: "attribute of an edge",
    NESTED: "attribute with a structure of its own",
    LINE_BREAKS: "line break within a label",
    GROUPS: "group of nodes",
    SETTINGS: "setting of a node",
    DEFAULTS: "attribute for all nodes or edges",
    GRAPH_FACTS: "attribute of the graph or its groups",
    PORTS: "port",
    STYLES: "statement of style",
    INVISIBLE: "invisible link",
    NESTED_NODES: "node of a graph within a node",
    NESTED_EDGES: "edge of a graph within a node",
    NAMED_GRAPHS: "triple of a named graph",
    PROSE: "line that is neither a node nor edges",
    FACTS: "type, description or the like beside triples",
}


def left_out(kind: str, times: int) -> str:
    """Say what a reader left out and how often, in the singular for once."""
    return f"{times} {_ONE.get(kind, kind) if times == 1 else kind}"


def without_value(role: str) -> str:
    """Say that a role, without its colon, has no value."""
    return f"has role ':{role}' without a value" if role else "has a ':' without a role"


class Reading(NamedTuple):
    """A graph and the remarks made while reading it.

    Attributes:
        graph: the graph.
        lenient: what a careful reader would refuse; the subject of each phrase is the
            graph, such as "lacks a closing parenthesis".
        dropped: what was left out of a well-formed text, and how often (at least
            once).  The numbers of several graphs may be added up.
    """

    graph: Graph
    lenient: tuple[str, ...] = ()
    dropped: tuple[tuple[str, int], ...] = ()


def is_well_formed(lenient: Iterable[str]) -> bool:
    """Return whether these remarks leave a text well-formed, as alignment tags do."""
    return all(remark == TAGGED for remark in lenient)


def counted(*counts: tuple[str, int]) -> tuple[tuple[str, int], ...]:
    """Return those that were left out at least once."""
    return tuple(item for item in counts if item[1])


_TAG = re.compile(TAG)
_QUOTED = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*')


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text, and whether each stands in quotes.

    Where a quote is not closed, nor is any behind a backslash that follows it.
    """
    at = begin = 0
    while match := _QUOTED.search(text, at):
        at = match.end()
        if text.startswith('"', at):
            at += 1
            yield text[begin : match.start()], False
            yield text[match.start() : at], True
            begin = at
    yield text[begin:], False


def without_tags(text: str) -> str:
    """Remove ``~e.N`` alignment tags that stand outside quotes."""
    if "~" not in text:
        return text
    parts = _pieces(text)
    return "".join(
        part if is_quoted else _TAG.sub("", part) for part, is_quoted in parts
    )


def count_tags(text: str) -> int:
    """Count the alignment tags that :func:`without_tags` would remove."""
    if "~" not in text:
        return 0
    parts = _pieces(text)
    return sum(len(_TAG.findall(part)) for part, is_quoted in parts if not is_quoted)


def count_repeated(graph: Graph, normalise: Callable[[str], str]) -> int:
    """Count a graph's repeated triples, with labels normalised."""
    merged = graph.relabelled(tuple(map(normalise, graph.labels)))
    rows = (merged.instances, merged.attributes, merged.relations)
    return sum(len(row) - len(set(row)) for row in rows)
