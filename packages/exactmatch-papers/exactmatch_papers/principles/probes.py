"""The probes that every metric is put to: pairs, variants, trees and synonyms.

Each probe is scored on its own, so the results do not depend on the number of
processes:

* a *pair* of the user's graphs: scored both ways round and again and again;
* a *varied* graph, the user's or a generated one: held against a copy of itself and
  against versions with known errors, all made once for all metrics
  (:mod:`exactmatch_papers.principles.edits`);
* what needs no data: *trees* with one wrong concept, and near-*synonyms*.

Whether two graphs are equal, and their Jaccard index, come from the exact Smatch of
the ``clean`` profile.

The probes of metrics on sentences are their counterparts: pairs of the user's
sentences, sentences with one known error, and near-synonyms in a sentence that is
otherwise the same.  What a principle says of nodes and triples has no counterpart.  Two
sentences are equal if they have the same words, which are what stands between spaces.

Sources: Opitz, Parcalabescu and Frank (2020), "AMR Similarity Metrics from
Principles", sections 2.1 and 4, figure 2 and table 4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from exactmatch import Limits
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.base import Metric, Pair
from exactmatch.metrics.score import Score
from exactmatch.metrics.smatch import Smatch
from exactmatch.scoring.results import PairResult, ProofCounts
from exactmatch_papers.principles.edits import (
    copy_of,
    edited,
    generated,
    position,
    refilled,
    tree,
    with_concept,
)

Kind: TypeAlias = Literal["graph", "text"]
"""Kinds of things that metrics read."""


@dataclass(frozen=True, slots=True)
class Setting:
    """Setting of the scoring of probes.

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


class PairScores(NamedTuple):
    """Metric's scores of a pair: in full, the other way round, of further runs."""

    forward: PairResult
    backward: float
    again: tuple[float, ...]

    @property
    def score(self) -> float:
        """Pair's score."""
        return self.forward.score.score


class VariedScores(NamedTuple):
    """Metric's scores of the versions of a graph or sentence.

    For wrong concepts it is what each loses against the graph itself.
    """

    copied: float
    different: tuple[float, ...]
    losses: Mapping[str, float]
    edits: tuple[float, ...]


class FixedScores(NamedTuple):
    """Metric's scores of trees and synonyms.

    Attributes:
        losses: by place and degree, what wrong concepts lose; ``leaves`` are
            as many as the degree.
        synonyms: scores of each near-synonym and of the unrelated concept.
    """

    losses: dict[str, float]
    synonyms: tuple[tuple[float, float], ...]


Scores: TypeAlias = PairScores | VariedScores | FixedScores


class Response(NamedTuple):
    """Metric's answer to one probe: scores by their meaning, every score, proofs."""

    scores: Scores
    seen: list[float]
    proofs: ProofCounts


class Judge:
    """One metric at work; keeps count of what it says."""

    def __init__(self, metric: Metric, setting: Setting) -> None:
        self._metric = metric
        self.prepare = metric.prepare
        self.setting = setting
        self.seen: list[float] = []
        self.proofs = ProofCounts()

    def compared(
        self, pred: Any, gold: Any, place: int = 0, run: int = 0
    ) -> tuple[Pair, Score]:
        """Compare what was prepared; every run of every pair has its own seed."""
        setting = self.setting
        words = np.random.SeedSequence([setting.seed, run, place])
        limits = replace(setting.limits, seed=int(words.generate_state(1)[0]))
        pair = self._metric.compare(pred, gold, limits=limits)
        score = self._metric.scores(pair.statistics)
        self.seen.append(score.score)
        checked = rejected = False
        if setting.check_proofs and pair.problem is not None and pair.solution:
            checked = True
            rejected = bool(pair.solution.refusal(pair.problem.problem))
        self.proofs += ProofCounts(score.proven is False, checked, rejected)
        return pair, score

    def score(self, pred: Any, gold: Any, place: int = 0, run: int = 0) -> float:
        """Score what was prepared."""
        return self.compared(pred, gold, place, run)[1].score


def answer(
    task: tuple[int, Probe], metrics: Sequence[Metric], setting: Setting
) -> Response:
    """Put a probe to one of the metrics; a task is the metric's place and the probe."""
    number, probe = task
    judge = Judge(metrics[number], setting)
    scores = probe.put(judge)
    return Response(scores, judge.seen, judge.proofs)


Item = TypeVar("Item", Graph, str)
"""A graph or a sentence."""

DEGREES = (2, 3, 4, 5)
"""Out-degrees of the trees that bias is measured on."""

PLACES = ("root", "branching", "leaf")
"""Positions of a wrong concept."""

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

_SENSE = re.compile(r"-\d+$")

_STRANGE = "xyzzy"
"""Word that replaces a word."""


@dataclass(frozen=True, slots=True)
class PairProbe:
    """Pair of the user's graphs or sentences, as one metric reads them.

    Its random numbers are drawn by its place among the pairs.
    """

    place: int
    index: int
    id: str | None
    pred: Any
    gold: Any

    def put(self, judge: Judge) -> PairScores:
        """Run 0 is forward, run 1 backward, and the repeated ones follow."""
        pred, gold = judge.prepare(self.pred), judge.prepare(self.gold)
        pair, score = judge.compared(pred, gold, self.place)
        forward = PairResult(self.index, self.id, score, pair.statistics, pair.solution)
        backward = judge.score(gold, pred, self.place, 1)
        runs = range(2, judge.setting.runs + 1)
        again = tuple(judge.score(pred, gold, self.place, run) for run in runs)
        return PairScores(forward, backward, again)


class Plain(NamedTuple):
    """Pair of graphs under the ``clean`` profile, or of sentences, for all metrics.

    Whether it is equal says if it is the same graph, or the same words.
    """

    pred: Graph | str
    gold: Graph | str
    equal: bool


@dataclass(frozen=True, slots=True)
class VariedProbe(Generic[Item]):
    """Graph or sentence, and what was made of it.

    Attributes:
        place: its place among all; its random numbers are drawn by it.
        original: the graph itself.
        copied: the same with other variables and another order of triples; of a
            sentence, the same.
        different: the same with one error: a role refilled, or something else; of a
            sentence, a word replaced, a word left out, two words exchanged.
        wrong: for each position that occurs, the graph with one wrong concept there.
        edits: the graph with :data:`EDITS` errors.
        overlaps: the Jaccard index of each of them with the graph.
    """

    place: int
    original: Item
    copied: Item
    different: tuple[Item, ...]
    wrong: Mapping[str, Item] = field(default_factory=dict)
    edits: tuple[Item, ...] = ()
    overlaps: tuple[float, ...] = ()

    def put(self, judge: Judge) -> VariedScores:
        """Score every version against the original."""
        whole = judge.prepare(self.original)

        def score(variant: Item) -> float:
            return judge.score(judge.prepare(variant), whole, self.place)

        return VariedScores(
            score(self.copied),
            tuple(map(score, self.different)),
            {
                where: judge.score(whole, whole, self.place) - score(wrong)
                for where, wrong in self.wrong.items()
            },
            tuple(map(score, self.edits)),
        )


@dataclass(frozen=True, slots=True)
class FixedProbe:
    """Trees with wrong concepts, for graphs, and near-synonyms, which need no data."""

    reads: Kind = "graph"

    def put(self, judge: Judge) -> FixedScores:
        """Score trees, and a small graph or sentence around each synonym."""
        is_graph = self.reads == "graph"
        losses = _of_trees(judge) if is_graph else {}
        around = _graph_around if is_graph else _sentence_around
        synonyms = []
        for words in SYNONYMS:
            word, near, far = (judge.prepare(around(w)) for w in words)
            synonyms.append((judge.score(near, word), judge.score(far, word)))
        return FixedScores(losses, tuple(synonyms))


Probe: TypeAlias = PairProbe | VariedProbe[Any] | FixedProbe
"""A probe of a metric, which is scored on its own."""


def _of_trees(judge: Judge) -> dict[str, float]:
    losses = {}
    for degree in DEGREES:
        graph = tree(degree)
        whole = judge.prepare(graph)
        for place, variables in (
            ("root", ["r"]),
            ("branching", ["b0"]),
            ("leaf", ["l0.0"]),
            ("leaves", [f"l0.{k}" for k in range(degree)]),
        ):
            wrong = graph
            for number, variable in enumerate(variables):
                wrong = with_concept(wrong, variable, f"wrong{number}")
            losses[f"{place}_{degree}"] = 1 - judge.score(judge.prepare(wrong), whole)
    return losses


def _graph_around(concept: str) -> Graph:
    """*Today somebody saw a …*: a small graph around a concept."""
    text = f"(s / see-01 :ARG0 (p / person) :ARG1 (x / {concept}) :time (t / today))"
    graph: Graph = SMATCH.read(text).item
    return graph


def _sentence_around(concept: str) -> str:
    return f"Today somebody said the word {_SENSE.sub('', concept)} to me ."


def varied(
    graphs: Sequence[Graph], sample: int, seed: int
) -> Iterator[VariedProbe[Graph]]:
    """Draw the user's graphs to vary, generate more, and vary them all.

    Args:
        graphs: the user's references.
        sample: how many of them to draw, and how many to generate.
        seed: of everything random.
    """
    rng = np.random.default_rng([seed, 1])
    chosen = _drawn([graph for graph in graphs if graph.instances], sample, rng)
    made = [generated(rng) for _ in range(sample)]
    versions, places, errors = (np.random.default_rng([seed, k]) for k in (2, 5, 6))
    for place, graph in enumerate([*chosen, *made]):
        copied = copy_of(graph, versions)
        others = (refilled(graph, versions), edited(graph, 1, versions))
        edits = tuple(edited(graph, number, errors) for number in EDITS)
        variable_at: dict[str, str] = {}
        for v in places.permutation(len(graph.variables)).tolist():
            variable = graph.variables[v]
            variable_at.setdefault(position(graph, variable), variable)
        yield VariedProbe(
            place,
            graph,
            copied,
            tuple(o for o in others if o is not None and not are_equal(o, graph)),
            {
                where: with_concept(graph, v, "wrong")
                for where, v in variable_at.items()
            },
            edits,
            tuple(jaccard(variant, graph) for variant in edits),
        )


def varied_sentences(
    sentences: Sequence[str], sample: int, seed: int
) -> Iterator[VariedProbe[str]]:
    """Draw the user's sentences to vary, and vary them; empty ones are passed over."""
    usable = [sentence for sentence in sentences if sentence.split()]
    chosen = _drawn(usable, sample, np.random.default_rng([seed, 1]))
    errors = np.random.default_rng([seed, 2])
    for place, sentence in enumerate(chosen):
        others = list(_with_an_error(sentence, errors))
        different = (o for o in others if not same_words(o, sentence))
        yield VariedProbe(place, sentence, sentence, tuple(different))


def _drawn(items: Sequence[Item], sample: int, rng: np.random.Generator) -> list[Item]:
    """Return some of the items, in their order."""
    return [items[k] for k in sorted(rng.permutation(len(items))[:sample].tolist())]


def _with_an_error(sentence: str, rng: np.random.Generator) -> Iterator[str]:
    """Yield the sentence with each kind of error that it has room for."""
    words = sentence.split()
    place = int(rng.integers(len(words)))
    yield " ".join([*words[:place], _STRANGE, *words[place + 1 :]])
    if len(words) > 1:
        yield " ".join([*words[:place], *words[place + 1 :]])
    others = [k for k, word in enumerate(words) if word != words[place]]
    if others:
        other = int(rng.choice(others))
        words[place], words[other] = words[other], words[place]
        yield " ".join(words)


def same_words(first: str, second: str) -> bool:
    """Return whether two sentences differ in nothing but their spaces."""
    return first.split() == second.split()


def are_equal(first: Graph, second: Graph) -> bool:
    """Return whether two graphs differ in nothing but the names of their variables."""
    left, right = SMATCH.prepare(first), SMATCH.prepare(second)
    if left.total != right.total:
        return False
    return SMATCH.compare(left, right).statistics[0] == left.total


def jaccard(first: Graph, second: Graph) -> float:
    """Triples in both graphs over triples in either, under the best alignment.

    Source: Opitz, Parcalabescu and Frank (2020), section 2.1, principle VI.
    """
    pair = SMATCH.compare(SMATCH.prepare(first), SMATCH.prepare(second))
    matched, _, left, right, *_ = pair.statistics
    union = left + right - matched
    return matched / union if union else 1.0
