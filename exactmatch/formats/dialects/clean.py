"""The reader of the ``clean`` profile: penman's, with its AMR model.

Inverted roles are turned around by penman's AMR model; ``:domain`` is turned
into its inverse ``:mod``, so that either notation gives the same triple; roles
and constants are kept as written.  What penman would pass over in silence (text
behind the graph, a role without a value, a variable defined twice) is an error.
A ``#`` begins a comment only at the beginning of a line: ``#Forn`` is a concept.

Nearly all texts are plain (:mod:`exactmatch.formats.dialects._plain`) and are read by
a compiled
kernel, with the same outcome; penman reads the others.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from exactmatch.base import compiled as kernels
from exactmatch.formats.blocks import Block, no_graph
from exactmatch.formats.remarks import NO_OPENING, TAGS, Reading, count_tags, counted
from exactmatch.graphs.graph import INSTANCE, Graph, GraphCoder, Origin, Parts

if TYPE_CHECKING:
    import penman

_kernel: Any = kernels.load("exactmatch.formats.dialects._plain")

_BRACKETS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[()"]')


def read_clean(block: Block) -> Reading:
    """Read a block as penman does.

    Raises:
        GraphError: if the block is not one well-formed graph.
    """
    if not block.content:
        raise no_graph(block)
    statements = _kernel.scan(block.content)
    if statements is None:
        return read_by_penman(block)
    parts: Parts = _kernel.code_upright(statements, _is_inverted)
    return Reading(Graph.trusted(parts, 0, block.metadata(), block.origin(), "penman"))


@lru_cache(2**12)
def _is_inverted(role: str) -> bool:
    """Return whether AMR's model inverts a role that ends in ``-of``."""
    from exactmatch.graphs.quiet_penman import amr

    inverted: bool = amr.model.is_role_inverted(f":{role}")
    return inverted


def read_by_penman(block: Block) -> Reading:
    """Read a block of some content through penman.

    Raises:
        GraphError: if the block is not one well-formed graph.
    """
    from exactmatch.graphs.quiet_penman import amr, penman

    _check_brackets(block)
    origin = block.origin()
    text = "\n".join(block.content)
    hidden = "#"
    if hidden in text:  # would begin a comment for penman
        hidden = next(c for c in map(chr, range(0xE000, 0xF900)) if c not in text)
    try:
        decoded = penman.decode(text.replace("#", hidden), model=amr.model)
    except penman.DecodeError as error:
        reason = f"cannot be read: {str(error.message).lower()}"
        before = sum(map(len, block.content[: (error.lineno or 1) - 1]))
        raise block.error_at(reason, before + (error.offset or 0)) from None
    except RecursionError:
        raise origin.error("nests too deeply to be read") from None
    graph = graph_of(decoded, block, origin)
    if hidden != "#":
        shown = tuple(label.replace(hidden, "#") for label in graph.labels)
        names = tuple(name.replace(hidden, "#") for name in graph.variables)
        graph = replace(graph, labels=shown, variables=names)
    return Reading(graph, (), counted((TAGS, count_tags(text))))


def graph_of(decoded: penman.Graph, block: Block, origin: Origin) -> Graph:
    """Turn what penman decoded into a :class:`Graph`, order kept."""
    coder = GraphCoder()
    triples = decoded.triples
    for source, role, _ in triples:
        if role == ":instance":
            if source is None:
                raise origin.error("has a bracket without a variable")
            if source in coder.numbers:
                raise origin.error(f"defines variable {source!r} twice")
            coder.variable(source)
    for source, role, target in triples:
        name = role.removeprefix(":")
        if target is None:
            if name != INSTANCE:
                raise origin.error(f"has role ':{name}' without a value")
            continue
        if name == "domain" and target in coder.numbers:
            source, name, target = target, "mod", source
        coder.add(source, name, str(target))
    return coder.graph(decoded.top, block.metadata(), origin, "penman")


def _check_brackets(block: Block) -> None:
    """Refuse a block whose brackets do not enclose exactly one graph."""
    text = "".join(block.content)
    if not text.startswith("("):
        raise block.error_at("does not begin with '('", 0)
    depth = 0
    for match in _BRACKETS.finditer(text):
        bracket = match[0]
        if bracket == "(":
            if depth == 0 and match.start() > 0:
                raise block.error_at(
                    "is followed by another; put a blank line between them",
                    match.start(),
                )
            depth += 1
        elif bracket == ")":
            depth -= 1
            if depth < 0:
                raise block.error_at(NO_OPENING, match.start())
            if depth == 0:
                end = match.end()
        elif bracket == '"':
            raise block.error_at("ends inside a string; close the quote", match.start())
    if depth:
        reason = f"lacks {depth} closing parenthes{'is' if depth == 1 else 'es'}"
        raise block.error_at(reason, len(text))
    if end < len(text):
        rest = text[end : end + 20]
        raise block.error_at(f"is followed by {rest!r}; remove it", end)
