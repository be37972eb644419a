"""The seven principles of a good metric, each as a measured number.

The principles are those of Opitz, Parcalabescu and Frank (2020), "AMR Similarity
Metrics from Principles", section 2.1.  What is measured, on the user's pairs (A, B)
and on graphs made from them and at random (:mod:`exactmatch.variants`):

I. range: scores outside [0, 1];

II. identity of indiscernibles: copies that do not score 1, and different graphs
that do;

III. symmetry: violation ratio and mean violation (their equations 4 and 5);

IV. determinacy: standard deviation over repeated runs, ε;

V. no bias: what one wrong concept loses at the root, a branching node and a leaf
of a tree, the largest over the smallest;

VI. symbolic match: share of comparisons ordered as the Jaccard index of the best
alignment orders them;

VII. graded match: share of near-synonyms that score above an unrelated concept in
their place.

A principle is fulfilled (✓), fulfilled with a small error (ε), or not (✗) by the
rules in :data:`RULES`; the number is always given.  Whether two graphs are equal, and
their Jaccard index, come from the exact Smatch of the ``clean`` profile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np

from exactmatch.graph import Graph, Triple
from exactmatch.metrics.base import Metric
from exactmatch.metrics.smatch import Smatch
from exactmatch.profile import get_profile
from exactmatch.solvers.solution import Limits
from exactmatch.variants import (
    copy_of,
    edited,
    generated,
    position,
    refilled,
    tree,
    with_concept,
)

Tick: TypeAlias = Literal["✓", "ε", "✗", "-"]
Pair: TypeAlias = tuple[Graph, Graph]

EQUAL = 1e-9
"""Scores this close are equal; they differ by the order of summation."""

ASYMMETRIC = 1e-4
"""Scores further apart than this violate symmetry (Opitz et al., table 1)."""

SMALL = 0.005
"""A mean symmetry violation or determinacy error up to this is ε: half a point."""

UNBIASED = 2.0
"""One wrong concept weighs at most so many times as much as another."""

DEGREES = (2, 3, 4, 5)
"""Out-degrees of the trees that bias is measured on."""

NAMES = {
    "I": "I. range",
    "II": "II. identity of indiscernibles",
    "III": "III. symmetry",
    "IV": "IV. determinacy",
    "V": "V. no bias",
    "VI": "VI. symbolic match",
    "VII": "VII. graded match",
}
"""The principles, in order."""

RULES = {
    "I": "scores outside [0, 1], of all; ✓ none",
    "II": "different graphs that score 1, of all; copies of a graph that do not, of "
    "all; ✓ none; ε only copies, 0.005 below 1 on average at most",
    "III": "pairs (A, B) more than 0.0001 from (B, A), and the mean difference; ✓ "
    "none; ε mean up to 0.005",
    "IV": "mean standard deviation over runs; ✓ 0; ε up to 0.005",
    "V": "loss by a wrong concept in a tree of degree 5, the weightiest position over "
    "the lightest; ✓ up to 2",
    "VI": "comparisons of two variants ordered as by the Jaccard index; ✓ all; ε at "
    "least 95 %",
    "VII": "near-synonyms above an unrelated concept, of all; ✓ all; ε at least half",
}
"""When a principle counts as fulfilled."""

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


@dataclass(frozen=True, slots=True)
class Outcome:
    """One principle under one metric.

    Attributes:
        principle: its Roman numeral.
        metric: what the metric is called.
        tick: fulfilled, nearly, not, or not measured.
        shown: the number behind the tick, for people.
        numbers: all that was measured, by name.
    """

    principle: str
    metric: str
    tick: Tick
    shown: str
    numbers: dict[str, float]


@dataclass(frozen=True, slots=True)
class CounterExample:
    """Two graphs that break identity of indiscernibles.

    Attributes:
        metric: what the metric is called.
        first, second: the graphs.
        score: what the metric gives them.
        equal: whether they are the same graph.
    """

    metric: str
    first: Graph
    second: Graph
    score: float
    equal: bool


@dataclass(frozen=True, slots=True)
class Material:
    """What every metric is measured on.

    Attributes:
        graphs: the user's references and generated graphs, to be varied.
        runs: how often a pair is scored for determinacy.
        seed: seed of everything random.
    """

    graphs: tuple[Graph, ...]
    runs: int = 5
    seed: int = 0


@dataclass(slots=True)
class Examination:
    """Measures one metric against all principles.

    Attributes:
        name: what the metric is called.
        metric: the metric.
        material: graphs to vary.
        pairs: the user's pairs as the metric reads them, and as they are compared
            for equality; the latter are ``None`` where they cannot be read so.
        advance: called after each pair or graph.
        counterexamples: what breaks identity, at most :attr:`shown` of them.
    """

    name: str
    metric: Metric
    material: Material
    pairs: Sequence[tuple[Pair, Pair | None]]
    advance: Callable[[], None] = lambda: None
    shown: int = 3
    counterexamples: list[CounterExample] = field(default_factory=list)
    _seen: list[float] = field(default_factory=list)

    def outcomes(self) -> list[Outcome]:
        """All principles, in order."""
        forward = [self._score(*pair, 0, k) for k, (pair, _) in enumerate(self.pairs)]
        found = {
            "III": self._symmetry(forward),
            "IV": self._determinacy(forward),
            "II": self._identity(forward),
            "V": self._bias(),
            "VI": self._symbolic(),
            "VII": self._graded(),
        }
        found["I"] = self._range()
        return [found[principle] for principle in NAMES]

    def _score(self, pred: Graph, gold: Graph, run: int = 0, index: int = 0) -> float:
        """Score a pair; every run of every pair has a seed of its own."""
        words = np.random.SeedSequence([self.material.seed, run, index])
        limits = Limits(seed=int(words.generate_state(1)[0]))
        measured = self.metric.measure(pred, gold, limits=limits)
        score = self.metric.score(measured.statistics).score
        self._seen.append(score)
        return score

    def _outcome(
        self, principle: str, tick: Tick, shown: str, **numbers: float
    ) -> Outcome:
        return Outcome(principle, self.name, tick, shown, numbers)

    def _range(self) -> Outcome:
        outside = [s for s in self._seen if not -EQUAL <= s <= 1 + EQUAL]
        return self._outcome(
            "I",
            "✗" if outside else "✓",
            f"{len(outside)}/{len(self._seen)}",
            outside=len(outside),
            scores=len(self._seen),
            lowest=min(self._seen),
            highest=max(self._seen),
        )

    def _identity(self, forward: Sequence[float]) -> Outcome:
        rng = np.random.default_rng([self.material.seed, 2])
        copies, short, lost = 0, 0, 0.0
        different, mistaken = 0, 0
        for number, graph in enumerate(self.material.graphs):
            copied = copy_of(graph, rng)
            score = self._score(copied, graph, index=number)
            copies += 1
            lost += abs(1 - score)
            if abs(1 - score) > EQUAL:
                short += 1
                self._note(copied, graph, score, equal=True)
            for variant in (refilled(graph, rng), edited(graph, 1, rng)):
                if variant is None or are_equal(variant, graph):
                    continue
                score = self._score(variant, graph, index=number)
                different += 1
                if score >= 1 - EQUAL:
                    mistaken += 1
                    self._note(variant, graph, score, equal=False)
            self.advance()
        for score, (_, plain) in zip(forward, self.pairs, strict=True):
            if plain is None:
                continue
            equal = score >= 1 - EQUAL and are_equal(*plain)
            different += not equal
            if score >= 1 - EQUAL and not equal:
                mistaken += 1
                self._note(*plain, score, equal=False)
        deficit = lost / copies if copies else 0.0
        tick: Tick = "✓"
        if short or mistaken:
            tick = "ε" if not mistaken and deficit <= SMALL else "✗"
        return self._outcome(
            "II",
            tick,
            f"{mistaken}/{different}, {short}/{copies}",
            mistaken=mistaken,
            different=different,
            copies_short=short,
            copies=copies,
            copies_mean_deficit=deficit,
        )

    def _note(self, first: Graph, second: Graph, score: float, equal: bool) -> None:
        """Keep a counter-example; small ones drive out large ones."""
        found = CounterExample(self.name, first, second, score, equal)
        self.counterexamples.append(found)
        self.counterexamples.sort(key=lambda c: len(c.first.variables))
        del self.counterexamples[self.shown :]

    def _symmetry(self, forward: Sequence[float]) -> Outcome:
        differences = []
        for index, (score, (pair, _)) in enumerate(
            zip(forward, self.pairs, strict=True)
        ):
            backward = self._score(pair[1], pair[0], 1, index)
            differences.append(abs(score - backward))
            self.advance()
        ratio = sum(d > ASYMMETRIC for d in differences) / len(differences)
        mean = math.fsum(differences) / len(differences)
        tick: Tick = "✓" if ratio == 0 else "ε" if mean <= SMALL else "✗"
        return self._outcome(
            "III",
            tick,
            f"{100 * ratio:.1f} %, {mean:.1e}" if ratio else "0 %",
            violation_ratio=ratio,
            mean_violation=mean,
            largest_violation=max(differences),
        )

    def _determinacy(self, forward: Sequence[float]) -> Outcome:
        deviations = []
        for index, (score, (pair, _)) in enumerate(
            zip(forward, self.pairs, strict=True)
        ):
            runs = [score]
            runs += [
                self._score(*pair, 1 + run, index)
                for run in range(1, self.material.runs)
            ]
            spread = max(runs) - min(runs)
            deviations.append(float(np.std(runs, ddof=1)) if spread > EQUAL else 0.0)
            self.advance()
        epsilon = math.fsum(deviations) / len(deviations)
        tick: Tick = "✓" if epsilon == 0 else "ε" if epsilon <= SMALL else "✗"
        return self._outcome(
            "IV",
            tick,
            f"{epsilon:.1e}" if epsilon else "0",
            determinacy_error=epsilon,
            undetermined=sum(d > 0 for d in deviations) / len(deviations),
            runs=self.material.runs,
        )

    def _bias(self) -> Outcome:
        numbers = {}
        for degree in DEGREES:
            graph = tree(degree)
            for place, variables in (
                ("root", ["r"]),
                ("branching", ["b0"]),
                ("leaf", ["l0.0"]),
                ("leaves", [f"l0.{k}" for k in range(degree)]),
            ):
                wrong = graph
                for number, variable in enumerate(variables):
                    wrong = with_concept(wrong, variable, f"wrong{number}")
                loss = 1 - self._score(wrong, graph)
                numbers[f"{place}_{degree}"] = loss
            self.advance()
        largest = DEGREES[-1]
        single = [numbers[f"{p}_{largest}"] for p in ("root", "branching", "leaf")]
        ratio = max(single) / min(single) if min(single) > EQUAL else math.inf
        numbers |= self._impact_on_data()
        return self._outcome(
            "V",
            "✓" if ratio <= UNBIASED + EQUAL else "✗",
            f"{ratio:.1f}×",
            ratio=ratio,
            **numbers,
        )

    def _impact_on_data(self) -> dict[str, float]:
        """Mean loss by one wrong concept at each position, relative to its graph's."""
        rng = np.random.default_rng([self.material.seed, 5])
        found: dict[str, list[float]] = {"root": [], "branching": [], "leaf": []}
        for index, graph in enumerate(self.material.graphs):
            places: dict[str, str] = {}
            for v in rng.permutation(len(graph.variables)).tolist():
                variable = graph.variables[v]
                places.setdefault(position(graph, variable), variable)
            losses = {
                place: self._score(graph, graph, index=index)
                - self._score(with_concept(graph, v, "wrong"), graph, index=index)
                for place, v in places.items()
            }
            mean = sum(losses.values()) / len(losses)
            if len(losses) == len(found) and mean > EQUAL:
                for place, loss in losses.items():
                    found[place].append(loss / mean)
            self.advance()
        return {
            f"{place}_data": float(np.mean(values)) if values else math.nan
            for place, values in found.items()
        }

    def _symbolic(self) -> Outcome:
        rng = np.random.default_rng([self.material.seed, 6])
        compared = agreed = 0
        for index, graph in enumerate(self.material.graphs):
            variants = [edited(graph, edits, rng) for edits in (1, 2, 3, 5)]
            overlaps = [jaccard(variant, graph) for variant in variants]
            scores = [self._score(variant, graph, index=index) for variant in variants]
            for a, b in combinations(range(len(variants)), 2):
                if abs(overlaps[a] - overlaps[b]) <= EQUAL:
                    continue
                compared += 1
                gain = scores[a] - scores[b]
                agreed += gain * (overlaps[a] - overlaps[b]) > 0 and abs(gain) > EQUAL
            self.advance()
        if not compared:
            return self._outcome("VI", "-", "nothing to compare")
        share = agreed / compared
        tick: Tick = "✓" if agreed == compared else "ε" if share >= 0.95 else "✗"
        return self._outcome(
            "VI",
            tick,
            f"{100 * share:.1f} %",
            concordant=share,
            comparisons=compared,
        )

    def _graded(self) -> Outcome:
        right = 0
        for concept, near, far in SYNONYMS:
            scores = [
                self._score(_sentence(other), _sentence(concept))
                for other in (near, far)
            ]
            right += scores[0] > scores[1] + EQUAL
        share = right / len(SYNONYMS)
        tick: Tick = "✓" if share == 1 else "ε" if share >= 0.5 else "✗"
        return self._outcome(
            "VII",
            tick,
            f"{right}/{len(SYNONYMS)}",
            above=share,
            comparisons=len(SYNONYMS),
        )


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


_CLEAN = get_profile("clean")


def overlap(first: Graph, second: Graph) -> tuple[float, float, float]:
    """Triples that match under the best alignment, and those of either side."""
    metric = Smatch(_CLEAN)
    score = metric.score(metric.measure(first, second).statistics)
    assert score.matched is not None
    assert score.pred_total is not None
    assert score.gold_total is not None
    return score.matched, score.pred_total, score.gold_total


def are_equal(first: Graph, second: Graph) -> bool:
    """Whether two graphs differ in nothing but the names of their variables."""
    matched, left, right = overlap(first, second)
    return matched == left == right


def jaccard(first: Graph, second: Graph) -> float:
    """Triples in both graphs over triples in either, under the best alignment.

    Source: Opitz, Parcalabescu and Frank (2020), section 2.1, principle VI.
    """
    matched, left, right = overlap(first, second)
    union = left + right - matched
    return matched / union if union else 1.0


def material(graphs: Sequence[Graph], sample: int, runs: int, seed: int) -> Material:
    """Draw the user's graphs to vary, and generate as many again.

    Args:
        graphs: the user's references.
        sample: how many of them to draw, and how many to generate.
        runs: how often a pair is scored for determinacy.
        seed: seed of everything random.
    """
    rng = np.random.default_rng([seed, 1])
    usable = [graph for graph in graphs if graph.instances]
    chosen = sorted(rng.permutation(len(usable))[:sample].tolist())
    made = [generated(rng) for _ in range(sample)]
    return Material((*(usable[k] for k in chosen), *made), runs, seed)


def steps(material: Material, pairs: int) -> int:
    """How often an examination advances."""
    return 2 * pairs + 3 * len(material.graphs) + len(DEGREES)


def as_record(outcome: Outcome) -> dict[str, Any]:
    """An outcome as plain data."""
    return {
        "principle": outcome.principle,
        "name": NAMES[outcome.principle].partition(" ")[2],
        "metric": outcome.metric,
        "tick": {"✓": "yes", "ε": "nearly", "✗": "no", "-": "not measured"}[
            outcome.tick
        ],
        "measured": outcome.shown,
        **outcome.numbers,
    }
