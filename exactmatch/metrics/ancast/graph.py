"""Sentences as AnCast sees them: nodes in the order of the text, words, facts.

A fact is a source, a role and a target, all of them text; roles are in lower case and
lead away from the node that has the argument.  ``mod`` is the inverse of ``mod-of``,
and every role that ends in ``-of`` is turned around.

Source: what umr4nlp/ancast 0.1.1 counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import INVERSE, Graph

Fact: TypeAlias = tuple[str, str, str]
_SENSE = re.compile(r"-([0-9]{2})")
_VARIABLE = re.compile(r"s[0-9]+[a-z]+[0-9]*")


@dataclass(slots=True)
class Node:
    """A node of a sentence.

    Attributes:
        name: its concept in lower case, up to the sense.
        sense: two digits behind a hyphen; 0 without.
        place: its place in the order of the text.
        span: first and last word that it is aligned with; zeros without.
        constants: its attributes, the last of each role.
        roles: the roles of its relations and attributes, from its own side.
    """

    name: str
    sense: int
    place: int = 0
    span: tuple[int, int] = (0, 0)
    constants: dict[str, str] = field(default_factory=dict)
    roles: set[str] = field(default_factory=set)

    @property
    def spelled(self) -> str:
        """Return its name with the parts ``op1``, ``op2`` … of its spelling."""
        parts = (text for role, text in self.constants.items() if role[:2] == "op")
        return self.name + "".join(parts).lower()


@dataclass(slots=True)
class SentenceGraph:
    """The graph of a sentence.

    Attributes:
        text: the sentence, in lower case.
        header: the text above its graph, in lower case.
        nodes: by variable, in the order of the text.
        facts: relations and attributes.
        arguments: pairs of places of nodes, from a node to its argument.
        inward: the same, from the side of the arguments.
        triples: document-level triples, by level.
        is_left_out: whether the published program cannot read it, and leaves it and
            its partner out.
    """

    number: int | None = None
    text: str = ""
    header: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    facts: set[Fact] = field(default_factory=set)
    arguments: set[tuple[int, int]] = field(default_factory=set)
    inward: set[tuple[int, int]] = field(default_factory=set)
    triples: dict[str, list[Fact]] = field(default_factory=dict)
    is_left_out: bool = False

    def add_node(self, variable: str, concept: str, span: tuple[int, int]) -> None:
        """Add a node behind the others; a variable that is defined keeps its node."""
        name, sense = concept, 0
        if match := _SENSE.search(name):
            name, sense = name[: match.start()], int(match[1])
        node = Node(name.lower(), sense, len(self.nodes), span)
        self.nodes.setdefault(variable, node)

    def add_attribute(self, variable: str, role: str, value: str) -> None:
        """Add a constant of a node, under a role as it is written."""
        name, text = role.lower(), value.lower()
        node = self.nodes[variable]
        node.roles.add(role)
        if name == "mod":
            self.facts.add((text, "mod-of", variable))
        elif not is_inverse(name):
            node.constants[name] = text
            self.facts.add((variable, name, text))

    def add_relation(self, source: str, role: str, target: str) -> None:
        """Add a relation of two nodes, under a role as it is written."""
        self.nodes[source].roles.add(role)
        self.nodes[target].roles.add(reverse(role))
        name = role.lower()
        head, tail = source, target
        if is_inverse(name):
            name, head, tail = reverse(name), target, source
        self.facts.add((head, name, tail))
        pair = self.nodes[head].place, self.nodes[tail].place
        if head != tail:
            self.arguments.add(pair)
            self.inward.add(pair[::-1])
        elif is_inverse(role.lower()):
            self.inward.add(pair)
        else:
            self.arguments.add(pair)


def reverse(role: str) -> str:
    """Return the role from the other side.

    >>> reverse("ARG0"), reverse("ARG0-of"), reverse("mod")
    ('ARG0-of', 'ARG0', 'mod-of')
    """
    return role.removesuffix(INVERSE) if role.endswith(INVERSE) else role + INVERSE


def is_inverse(role: str) -> bool:
    """Return whether a role in lower case leads from an argument to its node.

    >>> is_inverse("arg0-of"), is_inverse("mod"), is_inverse("mod-of")
    (True, True, False)
    """
    return role == "mod" or (role.endswith(INVERSE) and role != "mod-of")


def sentence_graphs(graph: Graph) -> list[SentenceGraph]:
    """Return the sentences of a document, or the one that a graph is."""
    document = graph.document or Document()
    if document.sentences:
        graphs = [SentenceGraph(sentence.number) for sentence in document.sentences]
    else:
        graphs = [SentenceGraph(text=graph.metadata.get("snt", "").lower())]
    for sentence, annotated in zip(graphs, document.sentences, strict=False):
        facts = dict(annotated.facts)
        sentence.text = facts.get("snt", "").lower()
        tiers = [("Words", " ".join(annotated.tokens)), *annotated.tiers]
        lines = [f"# :: snt{annotated.number}\t{facts.pop('snt', '')}"]
        lines += [f"# meta-info :: {key} = {value}" for key, value in facts.items()]
        if annotated.tokens:
            lines.append(
                f"Index: {' '.join(map(str, range(1, len(annotated.tokens) + 1)))}"
            )
            lines += [f"{key}: {text}" for key, text in tiers]
        sentence.header = "\n".join(lines).lower()
    homes = [_home(document, v) for v in range(len(graph.variables))]
    _add_nodes(graphs, graph, document, homes)
    _add_attributes(graphs, graph, homes)
    _add_relations(graphs, graph, homes)
    names = graph.variables
    for triple in document.triples:
        written = names[triple.source], triple.role, names[triple.target]
        level = graphs[triple.sentence].triples.setdefault(triple.level, [])
        level.append(written)
    return graphs


def _home(document: Document, v: int) -> int | None:
    """Return the place of a variable's sentence; ``None`` for document constants."""
    if not document.sentences:
        return 0
    return next(iter(document.home(v)), None)


def _add_nodes(
    sentences: list[SentenceGraph],
    graph: Graph,
    document: Document,
    homes: list[int | None],
) -> None:
    for v, (concept, home) in enumerate(zip(graph.concepts(), homes, strict=True)):
        if home is not None:
            spans = document.spans(v)
            span = spans[0] if spans and spans[0][0] > 0 else (0, 0)
            sentences[home].add_node(graph.variables[v], concept or "", span)


def _add_attributes(
    sentences: list[SentenceGraph], graph: Graph, homes: list[int | None]
) -> None:
    for v, code, value in graph.attributes:
        home, label = homes[v], graph.labels[value]
        if home is not None and not _VARIABLE.fullmatch(label):
            if len(label) > 1 and label[0] == label[-1] == '"':
                label = label[1:-1]
            sentences[home].add_attribute(graph.variables[v], graph.labels[code], label)


def _add_relations(
    sentences: list[SentenceGraph], graph: Graph, homes: list[int | None]
) -> None:
    names = graph.variables
    turned = (graph.document or Document()).inverse
    for source, code, target in graph.relations:
        home, role = homes[source], graph.labels[code]
        if home is None or home != homes[target]:
            continue
        if source == target and (source, role, target) in turned:
            role = reverse(role)
        sentences[home].add_relation(names[source], role, names[target])


def by_ends(facts: Iterable[Fact]) -> dict[tuple[str, str], set[str]]:
    """Return the roles between each source and target."""
    roles_of: dict[tuple[str, str], set[str]] = {}
    for source, role, target in facts:
        roles_of.setdefault((source, target), set()).add(role)
    return roles_of
