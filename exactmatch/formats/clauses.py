"""DRS clauses, as Boxer and the scorer Counter write them, one a line.

A clause begins with its box; ``%`` begins a comment, with the characters that the
clause is anchored in; structures stand between blank lines::

    b1 REF x1              % He [0...2]
    b1 male "n.02" x1      % He [0...2]
    b1 NOT b2              % does n't [3...11]
    b2 REF e1              % smile [12...17]
    b2 Agent e1 x1         % smile [12...17]
    b2 smile "v.01" e1     % smile [12...17]

A clause has up to three variables (``b2 Agent e1 x1``: box, event, entity), one more
than a relation triple.  So every clause becomes a node of the graph: its concept is the
clause's relation, ``box`` leads to its box, and ``arg1`` and ``arg2`` lead to its
arguments; arguments in quotes are attributes.

Source: van Noord, Abzianidze, Haagsma and Bos (2018), "Evaluating scoped meaning
representations".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from exactmatch.base.deadline import in_time
from exactmatch.formats.blocks import Block, commented_blocks
from exactmatch.formats.remarks import COMMENT_WORDS, Reading, counted
from exactmatch.graphs.document import Document, Span
from exactmatch.graphs.graph import Graph, GraphCoder

BOX_ROLE = "box"
ARGUMENTS = ("arg1", "arg2")

_TOKEN = re.compile(r'"[^"]*"|[^\s"]+|"')
_VARIABLE = re.compile(r"[^\W\d_]+\d+")
_NUMBERED_BOX = re.compile(r"\d+ [A-Z]{3,}")  # PMB has some, such as 1 ALTERNATION b4
_COMMENT = re.compile(r"(?:^|\s)%.*")
_SPAN = re.compile(r"\[(\d+)\.\.\.(\d+)\]")


clauses_blocks = partial(commented_blocks, format_name="clauses")


def read_clauses(block: Block) -> Reading:
    """Read one structure."""
    clauses: list[tuple[list[str], tuple[Span, ...]]] = []
    words = 0
    for number, line in enumerate(in_time(block.lines), block.line):
        bare, comment = line, ""
        if "%" in line:
            bare = _COMMENT.sub("", line)
            comment = line[len(bare) :]
        tokens = _TOKEN.findall(bare) if '"' in bare else bare.split()
        if not tokens:
            continue
        begins_with_variable = _VARIABLE.fullmatch(tokens[0])
        begins_with_variable = begins_with_variable or _NUMBERED_BOX.fullmatch(
            " ".join(tokens[:2])
        )
        if not 3 <= len(tokens) <= 4 or not begins_with_variable:
            reason = f"has {bare.strip()!r}; a clause is a box such as b1, a relation "
            reason += "and one or two arguments"
            raise block.origin().error(reason, number)
        if '"' in tokens or tokens[1].startswith('"'):
            raise block.origin().error("has a quote out of place", number)
        spans: tuple[Span, ...] = ()
        if comment:
            spans = tuple((int(a), int(b)) for a, b in _SPAN.findall(comment))
            words += sum(word != "%" for word in _SPAN.sub("", comment).split())
        clauses.append((tokens, spans))
    if not clauses:
        raise block.origin().error("has no clause")
    graph = _graph_of(clauses, block)
    return Reading(graph, (), counted((COMMENT_WORDS, words)))


def _graph_of(clauses: list[tuple[list[str], tuple[Span, ...]]], block: Block) -> Graph:
    coder = GraphCoder()
    numbers = coder.numbers
    for tokens, _ in clauses:
        for place, token in enumerate((tokens[0], *tokens[2:])):
            if token not in numbers and (not place or _VARIABLE.fullmatch(token)):
                coder.variable(token)
    anchors: list[tuple[Span, ...]] = [()] * len(numbers)
    prefix = "clause"
    while any(name.startswith(prefix) for name in numbers):
        prefix += "_"
    for k, (tokens, spans) in enumerate(clauses, 1):
        v = coder.variable(f"{prefix}{k}")
        anchors.append(spans)
        coder.instances.append((v, coder.label(tokens[1])))
        coder.relations.append((v, coder.label(BOX_ROLE), numbers[tokens[0]]))
        for argument, token in zip(ARGUMENTS, tokens[2:], strict=False):
            role = coder.label(argument)
            if token in numbers:
                coder.relations.append((v, role, numbers[token]))
            else:
                coder.attributes.append((v, role, coder.label(token)))
    document = Document(anchors=tuple(anchors), unit="character")
    kept = document if any(anchors) else None
    top = clauses[0][0][0]
    return coder.graph(top, block.metadata(), block.origin(), document=kept)


class Clause(NamedTuple):
    """One clause of a graph.

    Attributes:
        node: the number of the variable that stands for it.
        arguments: its box, then one or two arguments: numbers of variables, constants.
    """

    node: int
    relation: str
    arguments: tuple[int | str, ...]

    def ending(self) -> tuple[int | str, ...]:
        """Return the last two parts: relation and argument, or two arguments."""
        box, *arguments = self.arguments
        return (box, self.relation, *arguments)[-2:]


def clauses_of_graph(graph: Graph) -> Iterator[Clause]:
    """Recover the clauses of a graph that :func:`read_clauses` made."""
    names, labels = graph.variables, graph.labels
    arguments_of: dict[int, dict[str, int | str]] = {v: {} for v, _ in graph.instances}
    triples: list[tuple[int, str, int | str]] = []
    triples += [(s, labels[r], t) for s, r, t in graph.relations]
    triples += [(v, labels[r], labels[k]) for v, r, k in graph.attributes]
    for v, role, target in triples:
        if v not in arguments_of or role in arguments_of[v]:
            shown = names[target] if isinstance(target, int) else target
            raise graph.origin.error(
                f"has the triple {names[v]} :{role} {shown}, which clauses cannot state"
            )
        arguments_of[v][role] = target
    for v, concept in graph.instances:
        roles = (BOX_ROLE, *ARGUMENTS)[: len(arguments_of[v])]
        if set(roles) != arguments_of[v].keys() or len(roles) < 2:
            raise graph.origin.error(
                f"has the node {names[v]!r}, which clauses cannot state: a clause has "
                "a box and one or two arguments"
            )
        yield Clause(v, labels[concept], tuple(arguments_of[v][role] for role in roles))


def write_clauses(graph: Graph) -> str:
    """Write a graph of clauses, one line each."""
    document = graph.document or Document()
    lines = []
    for node, relation, arguments in clauses_of_graph(graph):
        box, *other_clauses = (
            graph.variables[end] if isinstance(end, int) else end for end in arguments
        )
        line = " ".join((box, relation, *other_clauses))
        spans = " ".join(f"[{a}...{b}]" for a, b in document.spans(node))
        lines.append(f"{line} % {spans}" if spans else line)
    return "\n".join(lines) + "\n"
