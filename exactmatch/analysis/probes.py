"""The probes that every metric is put to, and its answers.

There are three kinds of probe. Each probe is scored on its own, so the results do not
depend on the number of processes:

* a *pair* of the user's graphs: scored both ways round and again and again;
* a *varied* graph, the user's or a generated one: held against a copy of itself and
  against versions with known errors, all made once for all metrics
  (:mod:`exactmatch.analysis.edits`);
* what needs no data: *trees* with one wrong concept, and near-*synonyms*.

Whether two graphs are equal, and their Jaccard index, come from the exact Smatch of
the ``clean`` profile.

Sources: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", sections 2.1 and 4, figure 2 and table 4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from exactmatch.analysis.edits import (
    copy_of,
    edited,
    generated,
    position,
    refilled,
    tree,
    with_concept,
)
from exactmatch.graphs.graph import Graph, Triple
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.proofs import check_proof
from exactmatch.scoring.results import PairResult
from exactmatch.solvers.solution import Limits

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

_SMATCH = Smatch(get_profile("clean"))


@dataclass(frozen=True, slots=True)
class Setting:
    """How probes are scored.

    Attributes:
        runs: how often a pair is scored for determinacy.
        seed: seed of everything random.
        limits: of each comparison; each has a seed of its own.
        check_proofs: whether each solution's certificate is checked.
    """

    runs: int = 5
    seed: int = 0
    limits: Limits = field(default_factory=Limits)
    check_proofs: bool = False


@dataclass(frozen=True, slots=True)
class PairProbe:
    """A pair of the user's graphs, as one metric reads them.

    Attributes:
        place: its place among the pairs; its random numbers are drawn by it.
        index, id: the pair's number and its ``# ::id``.
        pred, gold: the graphs.
    """

    place: int
    index: int
    id: str | None
    pred: Graph
    gold: Graph


@dataclass(frozen=True, slots=True)
class Plain:
    """A pair under the ``clean`` profile, which tells for all metrics if it is equal.

    Attributes:
        pred, gold: the graphs under the ``clean`` profile.
        equal: whether they are the same graph.
    """

    pred: Graph
    gold: Graph
    equal: bool


@dataclass(frozen=True, slots=True)
class VariedProbe:
    """A graph and what was made of it.

    Attributes:
        place: its place among the graphs; its random numbers are drawn by it.
        graph: the graph itself.
        copied: the same with other variables and another order of triples.
        different: the graph with one error: a role refilled, or something else.
        wrong: for each position that occurs, the graph with one wrong concept there.
        edits: the graph with :data:`EDITS` errors.
        overlaps: the Jaccard index of each of them with the graph.
    """

    place: int
    graph: Graph
    copied: Graph
    different: tuple[Graph, ...]
    wrong: dict[str, Graph]
    edits: tuple[Graph, ...]
    overlaps: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FixedProbe:
    """Trees and synonyms, which need no data."""


Probe: TypeAlias = PairProbe | VariedProbe | FixedProbe


@dataclass(frozen=True, slots=True)
class PairScores:
    """A metric's scores of a pair.

    Attributes:
        forward: prediction against reference, in full.
        backward: the score of the same the other way round.
        again: scores of the repeated runs.
    """

    forward: PairResult
    backward: float
    again: tuple[float, ...]

    @property
    def score(self) -> float:
        """The pair's score."""
        return self.forward.score.score


@dataclass(frozen=True, slots=True)
class VariedScores:
    """A metric's scores of a varied graph.

    Attributes:
        copied, different, edits: scores of the versions of those names.
        losses: what each wrong concept loses against the graph itself.
    """

    copied: float
    different: tuple[float, ...]
    losses: dict[str, float]
    edits: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class FixedScores:
    """A metric's scores of trees and synonyms.

    Attributes:
        losses: by place and degree, what wrong concepts lose; ``leaves`` are
            as many as the degree.
        synonyms: scores of the near-synonym and of the unrelated concept.
    """

    losses: dict[str, float]
    synonyms: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """A metric's answer to one probe.

    Attributes:
        scores: the scores by their meaning.
        seen: every score that was given.
        unproven: measurements whose search was left open.
        checked, rejected: certificates.
    """

    scores: PairScores | VariedScores | FixedScores
    seen: tuple[float, ...]
    unproven: int
    checked: int
    rejected: int


def answer(
    task: tuple[int, Probe], metrics: Sequence[Metric], setting: Setting
) -> Answer:
    """Put a probe to one of the metrics.

    Args:
        task: the metric's place, and the probe.
        metrics: all metrics.
        setting: how probes are scored.
    """
    number, probe = task
    judge = _Judge(metrics[number], setting)
    scores: PairScores | VariedScores | FixedScores
    if isinstance(probe, PairProbe):
        scores = _of_pair(judge, probe)
    elif isinstance(probe, VariedProbe):
        scores = _of_varied(judge, probe)
    else:
        scores = FixedScores(_of_trees(judge), _of_synonyms(judge))
    return Answer(
        scores, tuple(judge.seen), judge.unproven, judge.checked, judge.rejected
    )


class _Judge:
    """One metric at work; keeps count of what it says."""

    def __init__(self, metric: Metric, setting: Setting) -> None:
        self._metric = metric
        self.setting = setting
        self.seen: list[float] = []
        self.unproven = self.checked = self.rejected = 0

    def prepared(self, graph: Graph) -> Any:
        """A graph as the metric compares it."""
        return self._metric.prepare(graph)

    def compared(
        self, pred: Any, gold: Any, place: int = 0, run: int = 0
    ) -> tuple[Pair, Score]:
        """Compare two prepared graphs; every run of every pair has its own seed."""
        setting = self.setting
        words = np.random.SeedSequence([setting.seed, run, place])
        limits = replace(setting.limits, seed=int(words.generate_state(1)[0]))
        pair = self._metric.compare(pred, gold, limits=limits)
        score = self._metric.scores(pair.statistics)
        self.seen.append(score.score)
        self.unproven += score.proven is False
        if setting.check_proofs and pair.stated is not None and pair.solution:
            self.checked += 1
            self.rejected += bool(check_proof(pair.stated, pair.solution))
        return pair, score

    def score(self, pred: Any, gold: Any, place: int = 0, run: int = 0) -> float:
        """Score two prepared graphs."""
        return self.compared(pred, gold, place, run)[1].score


def _of_pair(judge: _Judge, probe: PairProbe) -> PairScores:
    """Run 0 is forward, run 1 backward, and the repeated ones follow."""
    pred, gold = judge.prepared(probe.pred), judge.prepared(probe.gold)
    pair, score = judge.compared(pred, gold, probe.place)
    forward = PairResult(probe.index, probe.id, score, pair.statistics, pair.solution)
    backward = judge.score(gold, pred, probe.place, 1)
    again = tuple(
        judge.score(pred, gold, probe.place, 1 + run)
        for run in range(1, judge.setting.runs)
    )
    return PairScores(forward, backward, again)


def _of_varied(judge: _Judge, probe: VariedProbe) -> VariedScores:
    graph = judge.prepared(probe.graph)

    def score(variant: Graph) -> float:
        return judge.score(judge.prepared(variant), graph, probe.place)

    return VariedScores(
        score(probe.copied),
        tuple(map(score, probe.different)),
        {
            where: judge.score(graph, graph, probe.place) - score(wrong)
            for where, wrong in probe.wrong.items()
        },
        tuple(map(score, probe.edits)),
    )


def _of_trees(judge: _Judge) -> dict[str, float]:
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


def _of_synonyms(judge: _Judge) -> tuple[tuple[float, float], ...]:
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
    pair = _SMATCH.compare(_SMATCH.prepare(first), _SMATCH.prepare(second))
    matched, _, left, right, *_ = pair.statistics
    return matched, left, right


def are_equal(first: Graph, second: Graph) -> bool:
    """Whether two graphs differ in nothing but the names of their variables."""
    left, right = _SMATCH.prepare(first), _SMATCH.prepare(second)
    if left.total != right.total:
        return False
    return _SMATCH.compare(left, right).statistics[0] == left.total


def jaccard(first: Graph, second: Graph) -> float:
    """Triples in both graphs over triples in either, under the best alignment.

    Source: Opitz, Parcalabescu and Frank (2020), section 2.1, principle VI.
    """
    matched, left, right = overlap(first, second)
    union = left + right - matched
    return matched / union if union else 1.0
