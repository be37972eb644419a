"""The probes that every metric on graphs is put to.

There are three kinds of probe. Each probe is scored on its own, so the results do not
depend on the number of processes:

* a *pair* of the user's graphs: scored both ways round and again and again
  (:mod:`exactmatch.papers.principles.judging`);
* a *varied* graph, the user's or a generated one: held against a copy of itself and
  against versions with known errors, all made once for all metrics
  (:mod:`exactmatch.papers.principles.edits`);
* what needs no data: *trees* with one wrong concept, and near-*synonyms*.

Whether two graphs are equal, and their Jaccard index, come from the exact Smatch of
the ``clean`` profile.

Sources: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", sections 2.1 and 4, figure 2 and table 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from exactmatch.graphs.graph import Graph, Triple
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.smatch import Smatch
from exactmatch.papers.principles.edits import (
    copy_of,
    edited,
    generated,
    position,
    refilled,
    tree,
    with_concept,
)
from exactmatch.papers.principles.judging import FixedScores, Judge, VariedScores

DEGREES = (2, 3, 4, 5)
"""Out-degrees of the trees that bias is measured on."""

PLACES = ("root", "branching", "leaf")
"""Where a wrong concept may stand."""

EDITS = (1, 2, 3, 5)
"""Numbers of errors in the variants that must be ordered."""

SYNONYMS = (
    ("kitten", "cat", "giraffe"),
    ("enemy", "foe", "lamp"),
    ("bacterium", "bacteria", "planet"),
    ("kilometer", "km", "idea"),
    ("farming", "agriculture", "violin"),
    ("teacher", "instructor", "mountain"),
    ("car", "automobile", "cloud"),
    ("child", "kid", "engine"),
    ("city", "town", "pencil"),
    ("color", "colour", "fence"),
    ("organization", "organisation", "rabbit"),
    ("annihilate-01", "ruin-01", "sing-01"),
    ("begin-01", "start-01", "freeze-01"),
    ("construct-01", "build-01", "whisper-01"),
)
"""A concept, a near-synonym or variant of it, and an unrelated one; some of them from
Opitz et al. (2020), sections 1 and 4."""

SMATCH = Smatch(get_profile("clean"))
"""Tells graphs apart, and how much two of them share."""


@dataclass(frozen=True, slots=True)
class VariedProbe:
    """A graph and what was made of it.

    Attributes:
        place: its place among the graphs; its random numbers are drawn by it.
        original: the graph itself.
        copied: the same with other variables and another order of triples.
        different: the graph with one error: a role refilled, or something else.
        wrong: for each position that occurs, the graph with one wrong concept there.
        edits: the graph with :data:`EDITS` errors.
        overlaps: the Jaccard index of each of them with the graph.
    """

    place: int
    original: Graph
    copied: Graph
    different: tuple[Graph, ...]
    wrong: dict[str, Graph]
    edits: tuple[Graph, ...]
    overlaps: tuple[float, ...]

    def put(self, judge: Judge) -> VariedScores:
        """Score every version against the graph itself."""
        graph = judge.prepared(self.original)

        def score(variant: Graph) -> float:
            return judge.score(judge.prepared(variant), graph, self.place)

        return VariedScores(
            score(self.copied),
            tuple(map(score, self.different)),
            {
                where: judge.score(graph, graph, self.place) - score(wrong)
                for where, wrong in self.wrong.items()
            },
            tuple(map(score, self.edits)),
        )


@dataclass(frozen=True, slots=True)
class FixedProbe:
    """Trees and synonyms, which need no data."""

    def put(self, judge: Judge) -> FixedScores:
        """Score trees with wrong concepts, and a small graph around each synonym."""
        return FixedScores(_of_trees(judge), _of_synonyms(judge))


def _of_trees(judge: Judge) -> dict[str, float]:
    losses = {}
    for degree in DEGREES:
        graph = tree(degree)
        whole = judge.prepared(graph)
        for place, variables in (
            ("root", ["r"]),
            ("branching", ["b0"]),
            ("leaf", ["l0.0"]),
            ("leaves", [f"l0.{k}" for k in range(degree)]),
        ):
            wrong = graph
            for number, variable in enumerate(variables):
                wrong = with_concept(wrong, variable, f"wrong{number}")
            losses[f"{place}_{degree}"] = 1 - judge.score(judge.prepared(wrong), whole)
    return losses


def _of_synonyms(judge: Judge) -> tuple[tuple[float, float], ...]:
    found = []
    for words in SYNONYMS:
        concept, near, far = (judge.prepared(_sentence(word)) for word in words)
        found.append((judge.score(near, concept), judge.score(far, concept)))
    return tuple(found)


def _sentence(concept: str) -> Graph:
    """*Today somebody saw a …*: a small graph around a concept."""
    return Graph.from_triples(
        [
            Triple("s", "instance", "see-01"),
            Triple("s", "ARG0", "p"),
            Triple("p", "instance", "person"),
            Triple("s", "ARG1", "x"),
            Triple("x", "instance", concept),
            Triple("s", "time", "t"),
            Triple("t", "instance", "today"),
        ]
    )


def varied(graphs: Sequence[Graph], sample: int, seed: int) -> Iterator[VariedProbe]:
    """Draw the user's graphs to vary, generate more, and vary them all.

    Args:
        graphs: the user's references.
        sample: how many of them to draw, and how many to generate.
        seed: seed of everything random.
    """
    rng = np.random.default_rng([seed, 1])
    usable = [graph for graph in graphs if graph.instances]
    chosen = sorted(rng.permutation(len(usable))[:sample].tolist())
    made = [generated(rng) for _ in range(sample)]
    versions, places, errors = (np.random.default_rng([seed, k]) for k in (2, 5, 6))
    for place, graph in enumerate([*(usable[k] for k in chosen), *made]):
        yield _varied(place, graph, versions, places, errors)


def _varied(
    place: int,
    graph: Graph,
    versions: np.random.Generator,
    places: np.random.Generator,
    errors: np.random.Generator,
) -> VariedProbe:
    copied = copy_of(graph, versions)
    others = (refilled(graph, versions), edited(graph, 1, versions))
    edits = tuple(edited(graph, number, errors) for number in EDITS)
    found: dict[str, str] = {}
    for v in places.permutation(len(graph.variables)).tolist():
        variable = graph.variables[v]
        found.setdefault(position(graph, variable), variable)
    return VariedProbe(
        place,
        graph,
        copied,
        tuple(o for o in others if o is not None and not are_equal(o, graph)),
        {where: with_concept(graph, v, "wrong") for where, v in found.items()},
        edits,
        tuple(jaccard(variant, graph) for variant in edits),
    )


def overlap(first: Graph, second: Graph) -> tuple[float, float, float]:
    """Triples that match under the best alignment, and those of either side."""
    pair = SMATCH.compare(SMATCH.prepare(first), SMATCH.prepare(second))
    matched, _, left, right, *_ = pair.statistics
    return matched, left, right


def are_equal(first: Graph, second: Graph) -> bool:
    """Whether two graphs differ in nothing but the names of their variables."""
    left, right = SMATCH.prepare(first), SMATCH.prepare(second)
    if left.total != right.total:
        return False
    return SMATCH.compare(left, right).statistics[0] == left.total


def jaccard(first: Graph, second: Graph) -> float:
    """Triples in both graphs over triples in either, under the best alignment.

    Source: Opitz, Parcalabescu and Frank (2020), section 2.1, principle VI.
    """
    matched, left, right = overlap(first, second)
    union = left + right - matched
    return matched / union if union else 1.0
