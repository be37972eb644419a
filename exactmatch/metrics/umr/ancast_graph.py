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
        span: first and last word that it is aligned with; zeros without.
        constants: its attributes, the last of each role.
        roles: the roles of its relations and attributes, from its own side.
    """

    name: str
    sense: int
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
    """

    number: int | None = None
    text: str = ""
    header: str = ""
    nodes: dict[str, Node] = field(default_factory=dict)
    facts: set[Fact] = field(default_factory=set)
    arguments: set[tuple[int, int]] = field(default_factory=set)
    inward: set[tuple[int, int]] = field(default_factory=set)
    triples: dict[str, list[Fact]] = field(default_factory=dict)


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
    places = _add_nodes(graphs, graph, document, homes)
    _add_attributes(graphs, graph, homes)
    _add_relations(graphs, graph, homes, places)
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
) -> list[int]:
    places = [0] * len(homes)
    for v, (concept, home) in enumerate(zip(graph.concepts(), homes, strict=True)):
        if home is None:
            continue
        name, sense = concept or "", 0
        if match := _SENSE.search(name):
            name, sense = name[: match.start()], int(match[1])
        spans = document.spans(v)
        span = spans[0] if spans and spans[0][0] > 0 else (0, 0)
        nodes = sentences[home].nodes
        places[v] = len(nodes)
        nodes[graph.variables[v]] = Node(name.lower(), sense, span)
    return places


def _add_attributes(
    sentences: list[SentenceGraph], graph: Graph, homes: list[int | None]
) -> None:
    for v, role, value in graph.attributes:
        home, label = homes[v], graph.labels[value]
        if home is not None and not _VARIABLE.fullmatch(label):
            _add_attribute(
                sentences[home], graph.variables[v], graph.labels[role], label
            )


def _add_attribute(
    sentence: SentenceGraph, variable: str, role: str, label: str
) -> None:
    name, text = role.lower(), label.lower()
    if len(text) > 1 and text[0] == text[-1] == '"':
        text = text[1:-1]
    node = sentence.nodes[variable]
    node.roles.add(role)
    if name == "mod":
        sentence.facts.add((text, "mod-of", variable))
    elif not is_inverse(name):
        node.constants[name] = text
        sentence.facts.add((variable, name, text))


def _add_relations(
    sentences: list[SentenceGraph],
    graph: Graph,
    homes: list[int | None],
    places: list[int],
) -> None:
    names = graph.variables
    turned = (graph.document or Document()).inverse
    for source, code, target in graph.relations:
        home, role = homes[source], graph.labels[code]
        if home is None or home != homes[target]:
            continue
        sentence, name = sentences[home], role.lower()
        sentence.nodes[names[source]].roles.add(role)
        sentence.nodes[names[target]].roles.add(reverse(role))
        ends = [source, target]
        if is_inverse(name):
            name = reverse(name)
            ends.reverse()
        head, tail = ends
        sentence.facts.add((names[head], name, names[tail]))
        pair = places[head], places[tail]
        if head != tail:
            sentence.arguments.add(pair)
            sentence.inward.add(pair[::-1])
        elif ((source, role, target) in turned) == is_inverse(role.lower()):
            sentence.arguments.add(pair)
        else:
            sentence.inward.add(pair)


def by_ends(facts: Iterable[Fact]) -> dict[tuple[str, str], set[str]]:
    """Return the roles between each source and target."""
    roles_of: dict[tuple[str, str], set[str]] = {}
    for source, role, target in facts:
        roles_of.setdefault((source, target), set()).add(role)
    return roles_of
