"""Write a graph as PENMAN text, so that it can be read again.

PENMAN writes symbols as they are and everything else in quotes; where a triple
stands, and which relations are written inverted, is the layout's choice
(:mod:`exactmatch.graphs.drawing.penman_lines`).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from exactmatch.graphs.drawing.penman_lines import layout
from exactmatch.graphs.graph import TAG, Graph

_SYMBOL = re.compile(r'[^\s"()/:~]+')
_STRING = re.compile(r'"[^"\\\n\r]*(?:\\.[^"\\\n\r]*)*"')
_ROLE = re.compile(r'[^\s"()/:~]*')
_TAG = f"(?:{TAG})?"
_TAGGED_STRING = re.compile(_STRING.pattern + _TAG)


class _Symbols(NamedTuple):
    """Symbols that may be written without quotes, as a label and as a role."""

    symbol: re.Pattern[str]
    role: re.Pattern[str]


_STRICT = _Symbols(re.compile(_SYMBOL.pattern + _TAG), re.compile(_ROLE.pattern + _TAG))
_LAX = _Symbols(re.compile(r'[^\s()":][^\s()"]*'), re.compile(r'[^\s()"]+'))
_LINE_END = re.compile(r"[\n\r]")


def is_symbol(text: str) -> bool:
    """Whether PENMAN can write a name without quotes."""
    return _SYMBOL.fullmatch(text) is not None


def is_role(text: str) -> bool:
    """Whether PENMAN can write a role, given without its colon."""
    return _STRICT.role.fullmatch(text) is not None


def is_atom(text: str) -> bool:
    """Whether PENMAN can write a concept or constant as it stands, tag included."""
    return any(p.fullmatch(text) for p in (_STRICT.symbol, _TAGGED_STRING))


def quoted(text: str) -> str:
    """A concept or constant in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def text_of(graph: Graph, *, indent: bool = True, lax: bool = False) -> str:
    """Write a graph as PENMAN text, without its metadata.

    Args:
        graph: the graph.
        indent: whether every role begins a line; else all is one line.
        lax: whether concepts, constants and roles may have colons, slashes and tildes
            in them, as annotators write them (``0:00``) and penman does not read them.

    Raises:
        GraphError: if PENMAN cannot express the graph: a variable has several
            concepts, a constant is also a variable, PENMAN cannot write a name, role
            or label, or the graph is not connected.

    Example:
        >>> import exactmatch
        >>> text_of(exactmatch.read("(b / bark-01 :ARG0 (d / dog))"), indent=False)
        '(b / bark-01 :ARG0 (d / dog))'
    """
    _check(graph, _LAX if lax else _STRICT)
    lines: list[str] = []
    for line in layout(graph):
        if line.depth == 0 and lines:
            raise graph.origin.error(
                "is not of one piece, which PENMAN cannot write: no relation joins "
                f"{line.name!r} to the rest"
            )
        text = "    " * line.depth if indent else ""
        if line.role or line.depth:
            text += f":{line.role} "
        if line.variable is None:
            text += line.constant
        elif not line.defines:
            text += line.name
        else:
            text += f"({line.name}"
            if line.instances:
                text += f" / {line.concept}"
        lines.append(text + ")" * line.closed if line.closed else text)
    return ("\n" if indent else " ").join(lines)


def _check(graph: Graph, symbols: _Symbols) -> None:
    """Refuse a graph that PENMAN cannot write, or would write as another one."""
    labels = graph.labels
    variables = set(graph.variables)
    for name in graph.variables:
        if not is_symbol(name):
            raise graph.origin.error(
                f"has a variable {name!r}, which PENMAN cannot write; rename it"
            )
    atoms: set[int] = set()
    roles: set[int] = set()
    seen: set[int] = set()
    for v, concept in graph.instances:
        if concept not in atoms:
            _check_atom(graph, labels[concept], symbols)
            atoms.add(concept)
        if v in seen:
            raise graph.origin.error(
                f"has several concepts for variable {graph.variables[v]!r}"
            )
        seen.add(v)
    for _, role, value in graph.attributes:
        if role not in roles:
            _check_role(graph, labels[role], symbols)
            roles.add(role)
        if value not in atoms:
            _check_atom(graph, labels[value], symbols)
            atoms.add(value)
        if labels[value] in variables:
            raise graph.origin.error(
                f"has the constant {labels[value]!r}, which is also a variable; "
                "rename the variable"
            )
    for _, role, _ in graph.relations:
        if role not in roles:
            _check_role(graph, labels[role], symbols)
            roles.add(role)


def _check_atom(graph: Graph, label: str, symbols: _Symbols) -> None:
    if not (symbols.symbol.fullmatch(label) or _TAGGED_STRING.fullmatch(label)):
        why = " because of its line break" if _LINE_END.search(label) else ""
        raise graph.origin.error(
            f"has the label {label!r}, which PENMAN cannot write as it stands{why}"
        )


def _check_role(graph: Graph, role: str, symbols: _Symbols) -> None:
    if not symbols.role.fullmatch(role) or role == "instance":
        raise graph.origin.error(f"has the role {role!r}, which PENMAN cannot write")
