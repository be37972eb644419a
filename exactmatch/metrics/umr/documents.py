"""Triples, nodes and chains that two UMR documents share under one alignment.

Of all alignments that are optimal for Smatch the most plausible one is taken
(:mod:`exactmatch.engine.preferred`), and everything else is counted in it.

A *chain* is a set of mentions that refer to the same entity or event.  Its mentions
are hashable; those of the two sides correspond if they are equal.  With the chains K
of the reference (key) and R of the prediction (response), each mention being in one
chain of a side:

======  ==================================  =============  ===================
score   what both have                      of R           of K
======  ==================================  =============  ===================
MUC     Σ over K ∩ R ≠ ∅ of abs(K ∩ R) - 1  Σ abs(R) - 1   Σ abs(K) - 1
B³      Σ abs(K ∩ R)² / abs(R), for recall  Σ abs(R)       Σ abs(K)
        divided by abs(K)
CEAF-e  the best one-to-one assignment of   number of R    number of K
        chains, each two worth
        2 abs(K ∩ R) / (abs(K) + abs(R))
======  ==================================  =============  ===================

Source: Vilain et al. (1995); Bagga and Baldwin (1998); Luo (2005); put together by
Pradhan et al. (2014), "Scoring coreference partitions of predicted mentions: a
reference implementation", whose program's test cases are our tests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.engine.candidates import corresponding, words_of
from exactmatch.engine.problem import (
    CodedGraph,
    CountedTriple,
    counted_triples,
    renamed,
)
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Profile
from exactmatch.graphs.standardise import TURNED
from exactmatch.metrics.base import SolvedPair

if TYPE_CHECKING:
    from exactmatch.solvers.problem import Alignment


Chains: TypeAlias = Sequence[Set[Hashable]]


class ChainCounts(NamedTuple):
    """The counts behind precision and recall; those of several documents add up."""

    precise: float  # correct part of the prediction's total
    recalled: float  # recalled part of the reference's total
    pred_total: float
    gold_total: float

    def ratios(self) -> tuple[float, float, float]:
        """Compute precision, recall and F1; zero where a side is empty."""
        precision = self.precise / self.pred_total if self.pred_total else 0.0
        recall = self.recalled / self.gold_total if self.gold_total else 0.0
        ratio_sum = precision + recall
        return (
            precision,
            recall,
            2 * precision * recall / ratio_sum if ratio_sum else 0.0,
        )


def chains_of(links: Iterable[tuple[Hashable, Hashable]]) -> list[frozenset[Hashable]]:
    """Return the chains of coreferent pairs of mentions: connected components."""
    from networkx import Graph, connected_components

    graph = Graph()
    graph.add_edges_from(links)
    return [frozenset(chain) for chain in connected_components(graph)]


def muc(pred: Chains, gold: Chains) -> ChainCounts:
    """Count the links within chains that both sides have (Vilain et al. 1995)."""
    n_common = float(sum(common - 1 for common in _overlaps(pred, gold).values()))
    links = (float(sum(len(chain) - 1 for chain in side)) for side in (pred, gold))
    return ChainCounts(n_common, n_common, *links)


def b_cubed(pred: Chains, gold: Chains) -> ChainCounts:
    """Sum for each mention the right share of its chain (Bagga and Baldwin 1998)."""
    overlaps = _overlaps(pred, gold).items()
    precise = math.fsum(common**2 / len(pred[i]) for (i, _), common in overlaps)
    recalled = math.fsum(common**2 / len(gold[j]) for (_, j), common in overlaps)
    mentions = (float(sum(map(len, side))) for side in (pred, gold))
    return ChainCounts(precise, recalled, *mentions)


def ceaf_e(pred: Chains, gold: Chains) -> ChainCounts:
    """Return the best one-to-one assignment of chains, by φ₄ of Luo (2005)."""
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    worth = np.zeros((len(pred), len(gold)))
    for (i, j), common in _overlaps(pred, gold).items():
        worth[i, j] = 2 * common / (len(pred[i]) + len(gold[j]))
    best = float(worth[linear_sum_assignment(worth, maximize=True)].sum())
    return ChainCounts(best, best, float(len(pred)), float(len(gold)))


MEASURES = {"muc": muc, "b-cubed": b_cubed, "ceaf-e": ceaf_e}
"""The three scores by name."""


def _overlaps(pred: Chains, gold: Chains) -> Counter[tuple[int, int]]:
    """Count the common mentions of each two chains that have any."""
    gold_chain_of = {mention: j for j, chain in enumerate(gold) for mention in chain}
    return Counter(
        (i, gold_chain_of[mention])
        for i, chain in enumerate(pred)
        for mention in chain
        if mention in gold_chain_of
    )


IDENTITY = frozenset(("same-entity", "same-event"))
"""Document-level roles of two mentions of the same thing; a part of a set
(``subset-of``) is another thing."""

SENTENCE = "sentence"  # the level of triples of a sentence's own graph


class LevelTriple(NamedTuple):
    """A triple that counts, normalised, with its level."""

    level: str
    triple: CountedTriple


@dataclass(frozen=True, slots=True, eq=False)
class CodedDocument:
    """A document, prepared for the comparison."""

    coded: CodedGraph  # all of its triples that count
    levels: Mapping[CountedTriple, str]  # of document-level triples; the first stated
    chains: Chains  # of coreference, mentions being numbers of variables

    @property
    def document(self) -> Document:
        """Return the document with sentences and tokens."""
        return self.coded.graph.document or Document()

    def nodes(self) -> list[int]:
        """Return the variables that have a concept."""
        return sorted({v for v, _ in self.coded.graph.instances})

    def token_sets(self) -> set[tuple[tuple[int, ...], frozenset[int]]]:
        """Return the sets of words aligned with nodes, each after its sentences."""
        aligned = ((v, frozenset(words_of(self.document, v))) for v in self.nodes())
        return {(self.document.home(v), words) for v, words in aligned if words}


def coded_document(graph: Graph, coded: CodedGraph, profile: Profile) -> CodedDocument:
    """Find the levels and coreference chains of a document as it was read."""
    normalise = NORMALISERS[profile.comparison]
    levels: dict[CountedTriple, str] = {}
    links: list[tuple[Hashable, Hashable]] = []
    for t in (graph.document or Document()).triples:
        source, role, target = t.source, t.role, t.target
        if role in TURNED:
            source, role, target = target, TURNED[role], source
        triple = CountedTriple("relation", normalise(role), source, target)
        levels.setdefault(triple, t.level.lower())
        if role in IDENTITY:
            links.append((source, target))
    return CodedDocument(coded, levels, chains_of(links))


@dataclass(frozen=True, eq=False)
class AlignedDocuments:
    """Two documents under one alignment."""

    pair: SolvedPair  # an optimal alignment as Smatch found and proved it
    pred: CodedDocument
    gold: CodedDocument
    alignment: Alignment  # the most plausible of the optimal ones

    @cached_property
    def triples(self) -> tuple[frozenset[LevelTriple], frozenset[LevelTriple]]:
        """Distinct counted triples of both sides, with their levels."""
        aligned: Any = self.pair.problem

        def of(side: CodedDocument, graph: Graph) -> frozenset[LevelTriple]:
            counted, level = counted_triples(graph, aligned.profile), side.levels.get
            return frozenset(LevelTriple(level(t, SENTENCE), t) for t in counted)

        return of(self.pred, aligned.left.graph), of(self.gold, aligned.right.graph)

    @cached_property
    def matches(self) -> tuple[tuple[LevelTriple, LevelTriple], ...]:
        """Triples that both sides have, each in both sides' numbers."""
        gold_statements = {statement.triple: statement for statement in self.triples[1]}
        pairs = []
        for pred_statement in self.triples[0]:
            triple = renamed(pred_statement.triple, self.alignment)
            if triple in gold_statements:
                pairs.append((pred_statement, gold_statements[triple]))
        return tuple(pairs)

    def mentions(self) -> tuple[Chains, Chains]:
        """Return the chains of either side; aligned mentions are the same one.

        An unaligned mention of the prediction equals no other.
        """
        constants = self.gold.document.constants
        names = {self.gold.coded.graph.variables[v]: v for v in constants}
        pred_variables = self.pred.coded.graph.variables
        unaligned = self.pred.document.constants

        def counterpart(v: Any) -> Any:
            if v in unaligned:
                return names.get(pred_variables[v], pred_variables[v])
            return self.alignment[v] if self.alignment[v] != -1 else pred_variables[v]

        pred = [frozenset(map(counterpart, chain)) for chain in self.pred.chains]
        return pred, self.gold.chains


Counts: TypeAlias = tuple[int, int, int]
Counting: TypeAlias = Callable[[AlignedDocuments], Counts]


@dataclass(frozen=True, slots=True)
class TripleSelection:
    """Counts the statements of some levels, kinds and roles; none means all."""

    levels: tuple[str, ...] = ()  # "document" is every other one than "sentence"
    kinds: tuple[str, ...] = ()  # instance, attribute or relation
    roles: frozenset[str] = frozenset()  # normalised
    others: bool = False  # whether all but these roles are meant

    def __call__(self, documents: AlignedDocuments) -> Counts:
        n_matched = sum(all(map(self.means, pair)) for pair in documents.matches)
        pred, gold = (sum(map(self.means, side)) for side in documents.triples)
        return n_matched, pred, gold

    def means(self, statement: LevelTriple) -> bool:
        """Return whether a statement is one of those."""
        level, triple = statement
        is_beyond = self.levels == ("document",) and level != SENTENCE
        if self.levels and level not in self.levels and not is_beyond:
            return False
        if self.kinds and triple.kind not in self.kinds:
            return False
        return not self.roles or (triple.role in self.roles) != self.others


def mapped_nodes(documents: AlignedDocuments) -> Counts:
    """Count the mapped nodes, and the nodes of both sides."""
    pred, gold = documents.pred.nodes(), documents.gold.nodes()
    ends = set(gold)
    return sum(documents.alignment[v] in ends for v in pred), len(pred), len(gold)


def mapped_triples(documents: AlignedDocuments) -> Counts:
    """Count the sentence triples that start from mapped nodes."""
    mapped = {v: w for v, w in enumerate(documents.alignment) if w != -1}

    def count(statements: Iterable[LevelTriple], nodes: Set[int]) -> int:
        of_sentences = (triple for level, triple in statements if level == SENTENCE)
        return sum(triple.source in nodes for triple in of_sentences)

    pred, gold = documents.triples
    matched = [p for p, g in documents.matches if g.level == SENTENCE]
    ends = frozenset(mapped.values())
    return count(matched, mapped.keys()), count(pred, mapped.keys()), count(gold, ends)


def token_sets(documents: AlignedDocuments) -> Counts:
    """Sets of words that nodes are aligned with, in the reference's sentences."""
    pred_document, gold_document = documents.pred, documents.gold
    places = corresponding(
        pred_document.document.sentences, gold_document.document.sentences
    )
    pred = {
        (tuple(places.get(place, -1 - place) for place in home), words)
        for home, words in pred_document.token_sets()
    }
    gold = gold_document.token_sets()
    return len(pred & gold), len(pred), len(gold)


def mentions(documents: AlignedDocuments) -> Counts:
    """Count the mentions in chains of coreference."""
    pred, gold = (frozenset().union(*chains) for chains in documents.mentions())
    return len(pred & gold), len(pred), len(gold)
