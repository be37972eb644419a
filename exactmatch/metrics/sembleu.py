"""SemBleu: BLEU over the paths of two graphs.

A *k-gram* of a graph is a path of *k* nodes with the roles between them,
``ask-01 :ARG1 leave-11 :ARG0 boy``.  With ``m_k`` the k-grams of the prediction
that its references have too (each no more often than one of them has it),
``t_k`` all k-grams of the prediction, ``c`` and ``r`` the numbers of nodes plus
edges of the prediction and of its reference,

    SemBleu = BP · exp(Σ_k w_k log p_k),    p_k = m_k / t_k,
    BP = exp(min(1 - r / c, 0)).

Orders without a match are smoothed, and those that do not exist left out.  A corpus
sums ``m_k``, ``t_k``, ``c`` and ``r`` over its pairs.

Source: Song and Gildea (2019), "SemBleu: A Robust Metric for AMR Parsing Evaluation",
equations 1 and 2 and section 2.2; Chen and Cherry (2014), "A Systematic Comparison of
Smoothing Techniques for Sentence-Level BLEU", section 3 (smoothing 3).
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import Options, option, optional
from exactmatch.formats.dialects.sembleu import CONSTANT_MARK
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import NORMALISERS, Comparison, Profile, as_written
from exactmatch.graphs.standardise import without_vacant
from exactmatch.metrics.base import GraphMetric, Statistics
from exactmatch.metrics.counts import SearchlessMetric
from exactmatch.metrics.score import Score

Variant: TypeAlias = Literal["official", "paper"]

WEIGHTS: dict[Variant, tuple[float, ...]] = {
    "official": (0.34, 0.33, 0.34),  # which add up to 1.01
    "paper": (1 / 3, 1 / 3, 1 / 3),  # section 3
}
"""The weights of orders unless *n* is given."""

MAX_ORDER = 4

Spelling: TypeAlias = Callable[[str], str]
"""The words of a label, a blank before each."""

Edges: TypeAlias = list[list[tuple[int, str, int]]]
"""For each node of a graph ``(edge number, role and label, target)``."""


@dataclass(frozen=True, slots=True)
class PathGraph:
    """A graph as SemBleu sees it: nodes with a label each, numbered edges."""

    labels: list[str]  # of each node, each of its words after a blank
    edges: Edges
    roots: list[int]  # nodes without an incoming edge, or the root if there is none
    length: int  # nodes plus edges, which the brevity penalty compares
    skipped: dict[int, int]  # the edge that the official code passes over at a constant


def path_graph(graph: Graph, profile: Profile) -> PathGraph:
    """Make every variable and every constant of a graph a node.

    Nodes and edges are numbered as the official code meets them: a node's label counts
    as an edge too, and a constant is met with its only edge.
    """
    written, names = graph.labels, graph.variables
    words_of, role_words = _spellings(profile.comparison)
    labels = [""] * len(names)
    for node, label in reversed(graph.instances):
        labels[node] = words_of(written[label])
    constants = {node: node for node, name in enumerate(names) if name[:1] == ":"}
    triples = list(graph.relations)
    for source, role, value in graph.attributes:
        triples.append((source, role, len(labels)))
        labels.append(words_of(written[value]))
    edges: Edges = [[] for _ in labels]
    number = len(names) - len(constants)
    for source, role, target in triples:
        if target in constants or source in constants:
            number += 1
        step = role_words(written[role]) + labels[target]
        edges[source].append((number, step, target))
        number += 1
    children = {target for _, _, target in triples}
    roots = [node for node in range(len(labels)) if node not in children]
    if not roots and graph.top is not None:
        roots = [graph.top]
    return PathGraph(labels, edges, roots, len(labels) + len(triples), constants)


def _with_attributes(graph: Graph) -> Graph:
    """Turn edges to constants into attributes, as other readers do."""
    sources = {source for source, _, _ in graph.relations}
    values = {
        v: label
        for v, label in graph.instances
        if graph.variables[v].startswith(CONSTANT_MARK) and v not in sources
    }
    added = ((s, role, values[t]) for s, role, t in graph.relations if t in values)
    changed = graph.revised(
        instances=tuple(row for row in graph.instances if row[0] not in values),
        attributes=(*graph.attributes, *added),
        relations=tuple(row for row in graph.relations if row[2] not in values),
    )
    return without_vacant(changed)


@cache
def _spellings(comparison: Comparison) -> tuple[Spelling, Spelling]:
    """Return the normalisers of concepts and constants, and of roles.

    The official code ignores the case of nodes and respects that of roles.
    """
    of_nodes = NORMALISERS[comparison]
    of_roles = as_written if comparison == "lower" else of_nodes
    return (
        lru_cache(1 << 16)(lambda label: _spaced(of_nodes(label))),
        lru_cache(1 << 12)(lambda role: _spaced(":" + of_roles(role))),
    )


def _spaced(text: str) -> str:
    words = text.split()
    return " " + " ".join(words) if words else ""


def start_nodes(graph: PathGraph, variant: Variant) -> list[int]:
    """Return the nodes from which k-grams start: those reachable from the roots.

    Nodes on a cycle that no root leads to are left out.  In the paper every node starts
    k-grams, as "the number of extracted unigrams is exactly the number of AMR nodes"
    (section 3.3).
    """
    if variant == "paper":
        return list(range(len(graph.labels)))
    edges, queue = graph.edges, list(graph.roots)
    reached = set(queue)
    for node in queue:
        for _, _, target in edges[node]:
            if target not in reached:
                reached.add(target)
                queue.append(target)
    return sorted(reached)


def kgrams(graph: PathGraph, order: int, variant: Variant) -> list[Counter[str]]:
    """Count the k-grams of a graph for k = 1 … *order*.

    A path may come back to a node, but takes no edge twice.  A k-gram is the
    words of its labels and roles, a blank before each.
    """
    labels, edges = graph.labels, graph.edges
    skipped = graph.skipped if variant == "official" else {}
    paths: list[tuple[str, list[tuple[int, str, int]], tuple[int, ...]]]
    paths = [
        (labels[node], edges[node], (skipped.get(node, -1),))
        for node in start_nodes(graph, variant)
    ]
    counts = [Counter([words for words, _, _ in paths])]
    for _ in range(order - 2):
        paths = [
            (words + step, edges[target], (*used, number))
            for words, onward, used in paths
            for number, step, target in onward
            if number not in used
        ]
        counts.append(Counter([words for words, _, _ in paths]))
    if order > 1:  # no path goes on from the last ones
        longest = [
            words + step
            for words, onward, used in paths
            for number, step, _ in onward
            if number not in used
        ]
        counts.append(Counter(longest))
    return counts


class Paths(NamedTuple):
    """The k-grams of a graph, for each order, and its length: nodes plus edges."""

    kgrams: list[Counter[str]]
    length: int


class SemBleuOptions(Options, purpose="measures"):
    """Options of SemBleu: the k-grams that count, and the weight of each order."""

    sembleu: Variant = option(
        "follow the official code (default) or the paper",
        choices=get_args(Variant),
        default="official",
    )
    ngram: int | None = optional(
        "highest order, 1 to 4, with equal weights (default: 3, weighted as published)",
        metavar="N",
        read=values.between(1, MAX_ORDER, whole=True),
    )
    weights: str | Sequence[float] | None = optional(
        "a weight for each order",
        metavar="WEIGHT,…",
        read=values.words,
        is_list=True,
    )


class SemBleu(SearchlessMetric, GraphMetric):
    """Song and Gildea's SemBleu, as published or as programmed.

    Args:
        profile: how graphs are read; default ``sembleu``, as their program reads them.

    Statistics: matches of each order, k-grams of the prediction of each order,
    length of the prediction, length of the closest reference.

    Raises:
        InputError: if an option has no meaning.
    """

    name = "sembleu"
    title = "SemBleu"
    summary = "BLEU over the paths of the graphs (Song and Gildea 2019)"
    default_profile = "sembleu"
    options_class = SemBleuOptions

    def __init__(self, profile: Profile | str | None = None, **keywords: Any) -> None:
        super().__init__(profile, **keywords)
        options = self.options
        self.variant: Variant = options.sembleu
        self.weights = _weights(self.variant, options.ngram, options.weights)
        self.order = len(self.weights)
        self.width = 2 * self.order + 2

    @property
    def preparation_key(self) -> Hashable:
        return (SemBleu, self.profile, self.variant, self.order)

    def prepare(self, item: Graph) -> Paths:
        if not self._is_standard:
            item = self.as_whole(_with_attributes(item))
        graph = path_graph(item, self.profile)
        return Paths(kgrams(graph, self.order, self.variant), graph.length)

    def statistics_of(self, pred: Paths, golds: Sequence[Paths]) -> Statistics:
        allowed = golds[0].kgrams
        for gold in golds[1:]:
            allowed = list(map(operator.or_, allowed, gold.kgrams))
        matches = [
            sum([min(n, limit[gram]) for gram, n in count.items() if gram in limit])
            for count, limit in zip(pred.kgrams, allowed, strict=True)
        ]
        totals = [count.total() for count in pred.kgrams]
        _, closest = min((abs(g.length - pred.length), g.length) for g in golds)
        return *matches, *totals, pred.length, closest

    def scores(self, sums: Statistics) -> Score:
        if not sums:
            return Score(self.name, 0.0)
        *counts, length, reference = sums
        matches, totals = counts[: self.order], counts[self.order :]
        if matches[0] == 0 or length == 0:
            is_defined = self.has_score(length, reference)
            return Score(self.name, 0.0, is_defined=is_defined)
        exist = max(k for k, total in enumerate(totals, 1) if total > 0)
        weights = self.weights
        if exist < self.order:
            weights = (1.0 / exist,) * exist
        zeros = 0
        terms = []
        for weight, match, total in zip(weights, matches, totals, strict=False):
            zeros += match == 0
            precision = match / total if match else 1 / (2**zeros * max(1, total))
            terms.append(weight * math.log(precision))
        penalty = 1.0 if length > reference else math.exp(1 - reference / length)
        return Score(self.name, penalty * math.exp(math.fsum(terms)))

    def score_rows(self, sums: Any) -> Any:
        import numpy as np

        scores = np.full((len(sums), 3), np.nan)
        if sums.shape[1] != 2 * self.order + 2:
            return super().score_rows(sums)
        matches, totals = sums[:, : self.order], sums[:, self.order : -2]
        length, reference = sums[:, -2], sums[:, -1]
        exist = np.where(
            (totals > 0).any(axis=1),
            self.order - np.argmax(totals[:, ::-1] > 0, axis=1),
            1,
        )[:, None]
        weights = np.where(exist < self.order, 1.0 / exist, np.array(self.weights))
        weights = np.where(np.arange(self.order) < exist, weights, 0.0)
        zeros = np.cumsum(matches == 0, axis=1)
        missed = 1 / (2.0**zeros * np.maximum(1, totals))
        precision = np.where(matches > 0, matches / np.maximum(totals, 1), missed)
        is_zero = (matches[:, 0] == 0) | (length == 0)
        ratio = np.where(is_zero, 1.0, reference / np.where(is_zero, 1.0, length))
        penalty = np.where(ratio < 1, 1.0, np.exp(1 - ratio))
        values = penalty * np.exp((weights * np.log(precision)).sum(axis=1))
        for row in np.flatnonzero(is_zero).tolist():
            defined = self.has_score(float(length[row]), float(reference[row]))
            values[row] = 0.0 if defined else np.nan
        scores[:, 2] = values
        return scores

    def signature(self) -> list[tuple[str, str]]:
        return [
            ("sembleu", self.variant),
            ("ngram", str(self.order)),
            ("weights", ",".join(f"{weight:.4g}" for weight in self.weights)),
            ("smooth", "nist"),
            *self.profile.signature(),
        ]


def _weights(
    variant: Variant, ngram: int | None, weights: Sequence[str] | None
) -> tuple[float, ...]:
    if weights is None:
        return WEIGHTS[variant] if ngram is None else (1.0 / ngram,) * ngram
    argument = f"--weights is {','.join(weights)!r}"
    try:
        numbers = tuple(map(float, weights))
    except ValueError:
        raise InputError(
            f"{argument}; it must be numbers with commas, such as 0.5,0.25,0.25"
        ) from None
    if not all(0 <= weight < math.inf for weight in numbers) or not any(numbers):
        raise InputError(f"{argument}; weights are zero or more, and not all zero")
    has = f"--weights has {several(len(numbers), 'number')}"
    if not 1 <= len(numbers) <= MAX_ORDER:
        raise InputError(f"{has}; it must have 1 to {MAX_ORDER}")
    if ngram is not None and ngram != len(numbers):
        raise InputError(f"{has} and --ngram is {ngram}; give one weight per order")
    return numbers
