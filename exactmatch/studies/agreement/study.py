"""Agreement of annotators: how alike several people's graphs of the same texts are.

Every two annotators are compared on the *units* (graphs, or documents) that both have
annotated, by the exact score of a metric that aligns variables.  Of documents with
sentences those count that both have.  Agreement by role, and by kind of triple
(:mod:`exactmatch.studies.agreement.results`), counts the triples of a role that both
sides of a pair state, twice, over all that either side states: the F1 score of these
triples.  Of several optimal alignments it is read off the one that people believe
(:mod:`exactmatch.engine.preferred`).

**Corrected for chance.**  Two graphs of different texts have something in common, too.
With the distance d = 1 - F1 of two annotations,

    α = 1 - D_o / D_e,

where D_o is the mean distance of annotations of the same unit and D_e that of any two:

    D_o = 1/n · Σ_u 1/(m_u - 1) · Σ_{i ≠ j in u} d(i, j)
    D_e = 1/(n (n - 1)) · Σ_{i ≠ j} d(i, j),

over the n annotations of units that have m_u ≥ 2 of them, i and j being ordered pairs.
1 is perfect agreement, 0 what chance would give, less is systematic disagreement.
Of more pairs than can be compared in short, D_e is the mean of some, drawn at random.

**Intervals.**  Annotations of one unit depend on each other, and so do the pairs of
annotators; units, texts that happened to be chosen, do not.  So whole units are drawn
with replacement, each with all its annotations.  D_e is the mean of so many more pairs
than D_o that it hardly varies; it is held at its value.

Source: Krippendorff (2004), "Content Analysis", chapter 11, for α and missing
annotations; Skjærholt (2014), "A chance-corrected measure of inter-annotator agreement
for syntax", for distances of structures in it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np

from exactmatch.base.errors import callers_not_warned
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.engine.candidates import corresponding, overlapping_pairs
from exactmatch.engine.preferred import preferred
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.many.matrix import pdist
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.base import SolvedPair, Statistics, add
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.scoring.resampling import FEWEST, Bootstrap, Matrix, mean_scorer
from exactmatch.scoring.tables import Losses
from exactmatch.solvers.solution import Limits
from exactmatch.studies.agreement.options import AgreementOptions
from exactmatch.studies.agreement.results import (
    CONCEPT,
    TITLES,
    Agreed,
    Agreement,
    AgreementIntervals,
    Chance,
    Tally,
    UnitAgreement,
    named,
)
from exactmatch.studies.agreement.units import annotated


def only_sentences(graph: Graph, places: Collection[int]) -> Graph:
    """Keep only what belongs to some sentences of a document.

    A variable is kept if one of its sentences is, or if it belongs to no sentence, as
    constants do.  A triple is kept if all its variables are; a document-level triple
    only if the sentence that states it is kept, too.

    The *places* of sentences are their indices from 0.  The top is ``None`` if it was
    not kept.
    """
    document = graph.document or Document()
    if len(places) == len(document.sentences):
        return graph
    now = {old: new for new, old in enumerate(sorted(places))}
    kept = (
        variable
        for variable in range(len(graph.variables))
        if not (home := document.home(variable)) or not now.keys().isdisjoint(home)
    )
    stated = (t for t in document.triples if t.sentence in now)
    homes = (tuple(now[old] for old in home if old in now) for home in document.homes)
    part = replace(
        document,
        sentences=tuple(document.sentences[old] for old in now),
        homes=tuple(homes),
        triples=tuple(t._replace(sentence=now[t.sentence]) for t in stated),
    )
    return graph.revised(document=part).part(kept)


def study(asked: AgreementOptions, reporter: Listener = CALLER) -> Agreement:
    """Compare what several annotators made of the same texts.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two annotators, their units cannot be
            paired, or the metric does not align variables.

    >>> import exactmatch
    >>> found = exactmatch.agreement({
    ...     "Ann": ["(b / bark-01 :ARG0 (d / dog))", "(s / sleep-01)"],
    ...     "Bob": ["(b / bark-01 :ARG0 (c / cat))", "(s / sleep-01)"],
    ... })
    >>> round(found.mean, 3), round(found.chance.alpha, 3)
    (0.833, 0.743)
    """
    metric = aligning(asked.one_metric("agreement"))
    graphs, lost = annotated(asked, metric, reporter)
    found = _Comparison(asked, metric, graphs).agreement(lost)
    if found.intervals is not None and found.intervals.units < FEWEST:
        few = several(found.intervals.units, "unit")
        reporter.note(
            f"no confidence intervals of {few} that two have annotated; they take "
            f"{FEWEST} or more"
        )
    return found


agreement = function("agreement", AgreementOptions, study)


class _Comparison:
    """Compares every two annotators, unit by unit."""

    def __init__(
        self,
        asked: AgreementOptions,
        metric: AligningMetric[Any],
        graphs: Mapping[str, Mapping[str, Graph]],
    ) -> None:
        self.asked, self.metric, self.graphs = asked, metric, graphs
        self.limits = Limits(seed=asked.seed)
        self.roles, self.kinds = Tally(), Tally()
        self.found: list[tuple[UnitAgreement, Statistics]] = []
        self.prepared = cache(lambda name, unit: metric.prepare(graphs[name][unit]))
        counts = Counter(unit for units in self.graphs.values() for unit in units)
        self.annotations = {unit: m for unit, m in counts.items() if m > 1}

    def agreement(self, lost: Losses) -> Agreement:
        """Everything about all annotators, and what was *lost* of their graphs."""
        bootstrap = self.asked.intervals()
        pairs = [self._pair(a, b) for a, b in combinations(self.graphs, 2)]
        scores = [pair.score.score for pair in pairs if pair.score is not None]
        units = [unit for unit, _ in self.found if unit.score.is_defined]
        stated = self.roles.stated
        places = {kind: place for place, kind in enumerate(TITLES)}
        chance = self._chance()
        return Agreement(
            tuple(self.graphs),
            tuple(pairs),
            self.roles.found(lambda role: (role != CONCEPT, -stated[role], role)),
            self.kinds.found(lambda kind: (places.get(kind, len(places)), kind)),
            tuple(sorted(units, key=lambda unit: unit.score.score)),
            chance,
            sum(scores) / len(scores) if scores else None,
            all(unit.score.proven for unit, _ in self.found),
            (
                ("metric", self.metric.name),
                *self.metric.signature(),
                ("seed", str(self.limits.seed)),
                *([bootstrap.signature()] if bootstrap else ()),
            ),
            self._intervals(chance.expected, bootstrap) if bootstrap else None,
            lost,
        )

    def _pair(self, first: str, second: str) -> Agreed:
        ours, theirs = self.graphs[first], self.graphs[second]
        shared = [unit for unit in ours if unit in theirs]
        sums: Statistics = self.metric.identity()
        for unit in shared:
            solved = self._solved(first, second, unit)
            numbers = solved.statistics
            sums = add(sums, numbers)
            found = UnitAgreement(unit, first, second, self.metric.scores(numbers))
            self.found.append((found, numbers))
            self._count(solved)
        of_all = self.metric.scores(sums)
        is_known = shared and of_all.is_defined
        return Agreed(first, second, len(shared), of_all if is_known else None)

    def _distance(self, found: UnitAgreement) -> float:
        """The share of two annotations of a unit in n D_o."""
        return 2 * (1 - found.score.score) / (self.annotations[found.unit] - 1)

    def _solved(self, first: str, second: str, unit: str) -> SolvedPair:
        """Align two annotations of a unit, as far as both have its sentences."""
        graphs = self.graphs[first][unit], self.graphs[second][unit]
        sides = zip((first, second), graphs, _in_common(*graphs), strict=True)
        ready = [
            self.prepared(name, unit) if part is graph else self.metric.prepare(part)
            for name, graph, part in sides
        ]
        return self.metric.compare(*ready, limits=self.limits)

    def _count(self, pair: SolvedPair) -> None:
        """Count the triples of each role and kind, and those that both state."""
        stated = pair.stated
        overlapping = overlapping_pairs(stated.left.graph, stated.right.graph)
        alignment = preferred(
            stated, pair.solution, self.metric.solver, self.limits, overlapping
        )
        sides = [named(coded, stated.profile) for coded in (stated.left, stated.right)]
        for tally, left, right in zip((self.roles, self.kinds), *sides, strict=True):
            tally.count(left, right, alignment)

    def _chance(self) -> Chance:
        sides, units = self.graphs.items(), self.annotations
        given = [(name, unit) for unit in units for name, own in sides if unit in own]
        if not given:
            return Chance(None, None, None, 0, 0)
        observed = sum(self._distance(found) for found, _ in self.found) / len(given)
        mean, drawn = self._mean_of_any(given)
        expected = 1 - mean
        alpha = None
        if len(units) == 1:
            alpha = 0.0 if observed else None
        elif expected > 0:
            alpha = 1 - observed / expected
        return Chance(alpha, observed, expected, len(given), len(units), drawn)

    def _mean_of_any(
        self, given: Sequence[tuple[str, str]]
    ) -> tuple[float, int | None]:
        """The mean score of any two annotations, and of how many, if not of all."""
        asked, most = self.asked, self.asked.chance_pairs
        if math.comb(len(given), 2) <= most:
            graphs = [self.graphs[name][unit] for name, unit in given]
            jobs, executor = asked.jobs, asked.executor
            with callers_not_warned():  # they have been, of what is compared on purpose
                scores = pdist(graphs, self.metric, jobs=jobs, executor=executor)
            return float(scores.mean()), None
        rng = random.Random(asked.seed)
        total = 0.0
        for _ in range(most):
            both = [self.prepared(*given[k]) for k in rng.sample(range(len(given)), 2)]
            found = self.metric.compare(*both, limits=self.limits)
            total += self.metric.scores(found.statistics).score
        return total / most, most

    def _intervals(
        self, expected: float | None, bootstrap: Bootstrap
    ) -> AgreementIntervals:
        """Resample the units, with D_e held at what is expected."""
        pairs = [*combinations(self.graphs, 2)]
        units = [*dict.fromkeys(one.unit for one, _ in self.found)]
        width = len(self.metric.identity()) + 1
        rows = np.zeros((len(units), len(pairs) * width + 2))
        row_of = dict(zip(units, rows, strict=True))
        for one, numbers in self.found:
            row, pair = row_of[one.unit], pairs.index((one.first, one.second))
            # that the pair is there, and its numbers
            row[pair * width : (pair + 1) * width] = 1, *numbers
            row[-2:] = row[-2] + self._distance(one), self.annotations[one.unit]

        def scored(sums: Matrix) -> Matrix:
            """Each pair's score, their mean and α, of sums over units."""
            parts = sums[:, :-2].reshape(-1, width)
            f1 = self.metric.score_rows(parts[:, 1:])[:, 2]  # after P and R
            known = np.where(parts[:, 0] > 0, f1, np.nan)
            scores = known.reshape(len(sums), len(pairs))
            counted = np.nansum(scores, axis=1), (~np.isnan(scores)).sum(axis=1)
            mean = mean_scorer(np.column_stack(counted))
            alpha = np.full_like(mean, np.nan)
            if expected and len(units) > 1:
                alpha = 1 - mean_scorer(sums[:, -2:]) / expected
            return np.hstack((scores, mean, alpha))

        *of_pairs, mean, alpha = bootstrap.intervals(rows, scored)
        for k in range(len(pairs)):
            if rows[:, k * width].sum() < FEWEST:
                of_pairs[k] = None
        level = bootstrap.level
        return AgreementIntervals(tuple(of_pairs), mean, alpha, len(units), level)


def _in_common(left: Graph, right: Graph) -> tuple[Graph, Graph]:
    """Two graphs, of documents the sentences that both have alone."""
    ours, theirs = left.document, right.document
    if not (ours and theirs and ours.sentences and theirs.sentences):
        return left, right
    pairs = corresponding(ours.sentences, theirs.sentences)
    return only_sentences(left, pairs), only_sentences(right, {*pairs.values()})
