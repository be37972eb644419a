"""EDM, SDP and UCCA scores, which compare nodes by their anchors without a search.

Where every node is anchored to the input, two nodes are equal if they stand for the
same characters, as profile ``mrp`` counts them, and graphs are compared as sets: of
names, arguments, tops and properties (EDM); of dependencies, the tops among them as
dependencies of nothing (SDP); of edges, known by the words below their ends (UCCA).

Sources: Dridan and Oepen (2011), "Parser Evaluation Using Elementary Dependency
Matching"; Oepen et al. (2014), "SemEval 2014 Task 8"; Hershcovich et al. (2019),
"SemEval-2019 Task 1"; what is normalised: mtool 4cee3a2, as its scores show it.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, TypeAlias

from exactmatch.graphs.graph import Graph, reached
from exactmatch.graphs.standardise import PUNCTUATION, standardise
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.counts import DirectMetric, f1_of
from exactmatch.metrics.mrp.mces import pieces_of
from exactmatch.metrics.score import FScore, Part, parts_of

MAX_YIELDS = 20_000_000  # pairs of a node and a character below it, at most
Elements: TypeAlias = Mapping[str, frozenset[Hashable]]  # the compared items, by kind


class AnchoredMetric(DirectMetric):
    """Base of the scores of anchored graphs.

    Statistics: for each kind the elements in common, those of the system's graph and
    those of the gold one; then the number of graphs in which all that count for the
    score are right, and the number of pairs.
    """

    default_profile = "mrp"
    profiles: ClassVar[tuple[str, ...]] = ("mrp",)
    in_all = False
    kinds: ClassVar[tuple[str, ...]]  # of elements, in order
    counted: ClassVar[tuple[str, ...]]  # those that make up the score

    @property
    def preparation_key(self) -> Hashable:
        return (type(self), self.profile)

    @abstractmethod
    def elements(self, graph: AnchoredGraph) -> dict[str, set[Hashable]]:
        """Return the compared elements of a graph by kind; a kind may be missing."""

    def prepare(self, item: Graph) -> Elements:
        elements = self.elements(AnchoredGraph(standardise(item, self.profile)))
        return {kind: frozenset(elements.get(kind, ())) for kind in self.kinds}

    def statistics(self, pred: Elements, gold: Elements) -> Statistics:
        sets = ((pred[k] & gold[k], pred[k], gold[k]) for k in self.kinds)
        right = all(pred[kind] == gold[kind] for kind in self.counted)
        return (
            *(float(len(items)) for three in sets for items in three),
            float(right),
            1.0,
        )

    def scores(self, sums: Statistics) -> FScore:
        parts = parts_of(self.kinds, sums[:-2])
        chosen = [parts[kind] for kind in self.counted]
        total = Part(*map(math.fsum, zip(*chosen, strict=True)))
        if len(chosen) > 1:
            parts["all"] = total
        return f1_of(self, total, parts)

    def identity(self) -> Statistics:
        return (0.0,) * (3 * len(self.kinds) + 2)


class AnchoredGraph:
    """A graph whose triples are those that profile ``mrp`` counts, taken apart."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.pieces = pieces_of(graph)
        spans: dict[int, frozenset[int]] = dict(self.pieces["anchors"])
        # the characters that each node stands for, from 0; None if it has no anchors
        self.spans = [spans.get(node) for node in range(len(graph.variables))]

    def by_span(self, kind: str) -> set[Any]:
        """Return pieces of single nodes, with the nodes' characters."""
        return {(self.spans[node], value) for node, value in self.pieces[kind]}

    def dependencies(self) -> set[Hashable]:
        """Return the edges as the characters of their ends, with their labels."""
        spans = self.spans
        return {(spans[s], label, spans[t]) for s, t, label in self.pieces["edges"]}


class Edm(AnchoredMetric):
    """Elementary dependency match."""

    name = "edm"
    title = "EDM"
    summary = "F1 of names, arguments, tops and properties by their anchors (EDS)"
    kinds = ("names", "arguments", "tops", "properties")
    counted = kinds

    def elements(self, graph: AnchoredGraph) -> dict[str, set[Hashable]]:
        return {
            "names": graph.by_span("labels"),
            "arguments": graph.dependencies(),
            "tops": {span for span, _ in graph.by_span("tops")},
            "properties": graph.by_span("properties"),
        }


class Sdp(AnchoredMetric):
    """Labelled and unlabelled dependencies, the tops among them."""

    name = "sdp"
    title = "SDP"
    summary = "F1 of labelled dependencies by their anchors (DM, PSD)"
    kinds = ("labeled", "unlabeled")
    counted = ("labeled",)

    def elements(self, graph: AnchoredGraph) -> dict[str, set[Hashable]]:
        tops = {(None, None, span) for span, _ in graph.by_span("tops")}
        spans = graph.spans
        bare = {(spans[s], spans[t]) for s, t, _ in graph.pieces["edges"]}
        return {"labeled": tops | graph.dependencies(), "unlabeled": tops | bare}

    def scores(self, sums: Statistics) -> FScore:
        score = super().scores(sums)
        right, pairs = sums[-2:]
        parts = {**score.parts, "graphs": Part(right, pairs, pairs)}
        return replace(score, parts=parts)


class Ucca(AnchoredMetric):
    """Edges known by the words below their ends."""

    name = "ucca"
    title = "UCCA"
    summary = "F1 of labelled edges by the words below them (UCCA)"
    counted = ("labeled primary", "labeled remote")
    kinds = (*counted, "unlabeled primary", "unlabeled remote")

    def elements(self, graph: AnchoredGraph) -> dict[str, set[Hashable]]:
        remote = {
            (source, target, label)
            for source, target, (label, *fact) in graph.pieces["attributes"]
            if fact == ["remote", "true"]
        }
        words = yields_of(graph, remote)
        elements: defaultdict[str, set[Hashable]] = defaultdict(set)
        for edge in graph.pieces["edges"]:
            source, target, label = edge
            kind = "remote" if edge in remote else "primary"
            ends = words[source], words[target]
            elements[f"labeled {kind}"].add((*ends, label))
            elements[f"unlabeled {kind}"].add(ends)
        return elements


def yields_of(
    graph: AnchoredGraph, remote: set[tuple[int, int, Any]]
) -> list[frozenset[int]]:
    """Return the characters below each node, by primary edges, without punctuation."""
    text = graph.graph.metadata.get("input", "")
    own_characters = [
        {c for c in span or () if c >= len(text) or text[c] not in PUNCTUATION}
        for span in graph.spans
    ]
    size = len(own_characters) * sum(map(len, own_characters))
    if size > MAX_YIELDS:
        raise graph.graph.origin.error(
            f"has {len(own_characters):,} nodes over so much text that UCCA's score "
            f"would compare up to {size:,} characters, more than {MAX_YIELDS:,}"
        )
    below: defaultdict[int, list[int]] = defaultdict(list)
    for source, target, _ in graph.pieces["edges"] - remote:
        below[source].append(target)
    yields = []
    for start in range(len(own_characters)):  # graphs may have cycles
        nodes = reached(start, below.__getitem__)
        yields.append(
            frozenset(chain.from_iterable(own_characters[node] for node in nodes))
        )
    return yields
