"""The seven principles of a good metric, each as a measured number.

The principles are those of Opitz, Parcalabescu and Frank (2020), "AMR Similarity
Metrics from Principles", section 2.1.  What is measured, on the user's pairs (A, B)
and on graphs made from them and at random
(:mod:`exactmatch_papers.principles.probes`):

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

Metrics on sentences are measured likewise, on the user's sentences and on sentences
made from them.  V and VI are about the nodes and triples of graphs, and do not apply
to them (:data:`GRAPHS_ONLY`).

A principle is fulfilled (✓), fulfilled with a small error (ε), or not (✗) by the
rules in :data:`RULES`; the number is always given.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np

from exactmatch.base.numbers import percent
from exactmatch.graphs.graph import Graph
from exactmatch.scoring.tables import Losses
from exactmatch.studies.answer import Answer, of_metric
from exactmatch_papers.principles.probes import (
    DEGREES,
    EDITS,
    PLACES,
    FixedScores,
    Kind,
    PairScores,
    Plain,
    Response,
    VariedProbe,
    VariedScores,
)

Tick: TypeAlias = Literal["✓", "ε", "✗", "-"]
T = TypeVar("T")
Measured: TypeAlias = tuple[Tick, str, Mapping[str, float]]
"""Tick, text and numbers of an :class:`Outcome`."""

EQUAL = 1e-9
"""Scores this close are equal; they differ by the order of summation."""

ASYMMETRIC = 1e-4
"""Scores further apart than this violate symmetry (Opitz et al., table 1)."""

SMALL = 0.005
"""A mean symmetry violation or determinacy error up to this is ε: half a point."""

UNBIASED = 2.0
"""The largest ratio of the losses by two wrong concepts that is unbiased."""

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
"""Conditions on which a principle counts as fulfilled."""

GRAPHS_ONLY = {
    "V": "a sentence has no root, branching nodes and leaves",
    "VI": "a sentence has no triples to align",
}
"""The principles that do not apply to metrics on sentences, with reasons."""


class Outcome(NamedTuple):
    """Outcome of one principle for one metric.

    Attributes:
        principle: its Roman numeral.
        metric: the metric's title.
        tick: fulfilled, nearly, not, or not measured.
        shown: the number that decided the tick, as text.
        numbers: all measured numbers, by name.
    """

    principle: str
    metric: str
    tick: Tick
    shown: str
    numbers: Mapping[str, float]


class CounterExample(NamedTuple):
    """Two graphs or sentences that break identity of indiscernibles.

    They are equal and do not score 1, or differ and do.
    """

    metric: str
    score: float
    equal: bool
    first: Graph | str
    second: Graph | str


class Findings(NamedTuple):
    """Responses of one metric to all probes.

    Attributes:
        metric: the metric's title.
        plain: the user's pairs, compared once for all metrics; ``None`` where a side
            cannot be read.
        probes: the varied graphs or sentences.
        responses: the metric's, to pairs and to varied ones in their order.
        reads: whether the metric compares graphs or sentences.
    """

    metric: str
    plain: Sequence[Plain | None]
    probes: Sequence[VariedProbe[Any]]
    responses: Sequence[Response]
    reads: Kind = "graph"

    def scores(self, kind: type[T]) -> list[T]:
        """Return the scores of one kind among the responses."""
        scores_in_order = (response.scores for response in self.responses)
        return [scores for scores in scores_in_order if isinstance(scores, kind)]


@dataclass(frozen=True, eq=False, repr=False)
class Principles(Answer):
    """Outcomes of the seven principles for some metrics.

    ``principles["Smatch", "III"]`` is the outcome of one principle for one metric.

    Attributes:
        findings: the responses of each metric.
        signatures: what determines the measurements of each.
        lost: counts of what their readers left out.

    >>> from exactmatch_papers import measure_principles
    >>> pred, gold = "(b / bark-01 :ARG0 (d / dog))", "(b / bark-01)"
    >>> judged = measure_principles([pred], [gold], metric="smatch", graphs=2, runs=2)
    >>> judged["Smatch", "III"].tick
    '✓'
    """

    VIEW = "exactmatch_papers.principles.view:tables"

    findings: tuple[Findings, ...]
    signatures: tuple[str, ...]
    lost: Losses

    def __getitem__(self, key: tuple[str, str]) -> Outcome:
        metric, principle = key
        result = of_metric({one.metric: one for one in self.findings}, metric)
        return outcomes(result)[list(NAMES).index(principle)]


def outcomes(findings: Findings) -> list[Outcome]:
    """Return the outcomes of all principles for a metric, in order."""
    left_out = GRAPHS_ONLY if findings.reads == "text" else {}
    made = []
    for principle, judge in zip(NAMES, _JUDGES, strict=True):
        why = left_out.get(principle)
        measured: Measured = judge(findings) if why is None else ("-", why, {})
        made.append(Outcome(principle, findings.metric, *measured))
    return made


def _range(findings: Findings) -> Measured:
    seen = [score for response in findings.responses for score in response.seen]
    outside = sum(not -EQUAL <= s <= 1 + EQUAL for s in seen)
    numbers = {
        "outside": outside,
        "scores": len(seen),
        "lowest": min(seen),
        "highest": max(seen),
    }
    return _tick(not outside, False), f"{outside}/{len(seen)}", numbers


def _identity(findings: Findings) -> Measured:
    examples = list(_mistakes(findings))
    short = sum(example.equal for example in examples)
    mistaken = len(examples) - short
    varied = findings.scores(VariedScores)
    copies = len(varied)
    different = sum(len(scores.different) for scores in varied)
    different += sum(plain is not None and not plain.equal for plain in findings.plain)
    lost = [abs(1 - scores.copied) for scores in varied]
    deficit = math.fsum(lost) / copies if copies else 0.0
    tick = _tick(not short and not mistaken, not mistaken and deficit <= SMALL)
    numbers = {
        "mistaken": mistaken,
        "different": different,
        "copies_short": short,
        "copies": copies,
        "copies_mean_deficit": deficit,
    }
    return tick, f"{mistaken}/{different}, {short}/{copies}", numbers


def _mistakes(findings: Findings) -> Iterator[CounterExample]:
    """Yield copies that do not score 1, and different graphs that do."""
    name = findings.metric
    varied = zip(findings.probes, findings.scores(VariedScores), strict=True)
    for probe, scores in varied:
        original, copied = probe.original, scores.copied
        if abs(1 - copied) > EQUAL:
            yield CounterExample(name, copied, True, probe.copied, original)
        for variant, score in zip(probe.different, scores.different, strict=True):
            if score >= 1 - EQUAL:
                yield CounterExample(name, score, False, variant, original)
    for pair, plain in zip(findings.scores(PairScores), findings.plain, strict=True):
        if plain is not None and pair.score >= 1 - EQUAL and not plain.equal:
            yield CounterExample(name, pair.score, False, plain.pred, plain.gold)


def counterexamples(findings: Findings, shown: int) -> list[CounterExample]:
    """Return the probes that break identity, the smallest first."""

    def size(example: CounterExample) -> int:
        first = example.first
        return len(first if isinstance(first, str) else first.variables)

    return sorted(_mistakes(findings), key=size)[:shown]


def _symmetry(findings: Findings) -> Measured:
    pairs = findings.scores(PairScores)
    differences = [abs(scores.score - scores.backward) for scores in pairs]
    ratio = sum(d > ASYMMETRIC for d in differences) / len(differences)
    mean = math.fsum(differences) / len(differences)
    numbers = {
        "violation_ratio": ratio,
        "mean_violation": mean,
        "largest_violation": max(differences),
    }
    shown = f"{percent()(ratio)} %, {mean:.1e}" if ratio else "0 %"
    return _tick(ratio == 0, mean <= SMALL), shown, numbers


def _tick(fulfilled: bool, nearly: bool) -> Tick:
    return "✓" if fulfilled else "ε" if nearly else "✗"


def _determinacy(findings: Findings) -> Measured:
    pairs, deviations = findings.scores(PairScores), []
    for scores in pairs:
        runs = [scores.score, *scores.again]
        spread = max(runs) - min(runs)
        deviations.append(float(np.std(runs, ddof=1)) if spread > EQUAL else 0.0)
    epsilon = math.fsum(deviations) / len(deviations)
    numbers = {
        "determinacy_error": epsilon,
        "undetermined": sum(d > 0 for d in deviations) / len(deviations),
        "runs": 1 + len(pairs[0].again),
    }
    shown = f"{epsilon:.1e}" if epsilon else "0"
    return _tick(epsilon == 0, epsilon <= SMALL), shown, numbers


def _bias(findings: Findings) -> Measured:
    (fixed,) = findings.scores(FixedScores)
    losses = fixed.losses
    single = [losses[f"{place}_{DEGREES[-1]}"] for place in PLACES]
    ratio = max(single) / min(single) if min(single) > EQUAL else math.inf
    tick = _tick(ratio <= UNBIASED + EQUAL, False)
    numbers = {
        "ratio": ratio,
        **losses,
        **_losses_on_data(findings.scores(VariedScores)),
    }
    return tick, f"{ratio:.1f}×", numbers


def _losses_on_data(varied: Sequence[VariedScores]) -> dict[str, float]:
    """Return the mean loss by a wrong concept at each place, relative to its graph."""
    relative: dict[str, list[float]] = {place: [] for place in PLACES}
    for scores in varied:
        mean = math.fsum(scores.losses.values()) / len(scores.losses)
        if len(scores.losses) == len(PLACES) and mean > EQUAL:
            for place, loss in scores.losses.items():
                relative[place].append(loss / mean)
    return {
        f"{place}_data": float(np.mean(values)) if values else math.nan
        for place, values in relative.items()
    }


def _symbolic(findings: Findings) -> Measured:
    compared = agreed = 0
    for probe, scores in zip(
        findings.probes, findings.scores(VariedScores), strict=True
    ):
        for a, b in combinations(range(len(EDITS)), 2):
            overlap = probe.overlaps[a] - probe.overlaps[b]
            if abs(overlap) <= EQUAL:
                continue
            compared += 1
            gain = scores.edits[a] - scores.edits[b]
            agreed += gain * overlap > 0 and abs(gain) > EQUAL
    if not compared:
        return "-", "nothing to compare", {}
    share = agreed / compared
    numbers = {"concordant": share, "comparisons": compared}
    tick = _tick(agreed == compared, share >= 0.95)
    return tick, f"{percent()(share)} %", numbers


def _graded(findings: Findings) -> Measured:
    (fixed,) = findings.scores(FixedScores)
    synonyms = fixed.synonyms
    right = sum(near > far + EQUAL for near, far in synonyms)
    share = right / len(synonyms)
    numbers = {"above": share, "comparisons": len(synonyms)}
    tick = _tick(share == 1, share >= 0.5)
    return tick, f"{right}/{len(synonyms)}", numbers


_JUDGES = (_range, _identity, _symmetry, _determinacy, _bias, _symbolic, _graded)
"""The functions that judge each of the principles, in order."""


def as_record(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as plain data."""
    ticks = {"✓": "yes", "ε": "nearly", "✗": "no", "-": "not measured"}
    return {
        "principle": outcome.principle,
        "name": NAMES[outcome.principle].partition(" ")[2],
        "metric": outcome.metric,
        "tick": ticks[outcome.tick],
        "measured": outcome.shown,
        **outcome.numbers,
    }
