"""Agreement of annotators: how alike several people's graphs of the same texts are.

Every two annotators are compared on the *units* (graphs, or documents) that both have
annotated, by the exact score of a metric that aligns variables.  Of documents with
sentences, only common sentences count.  Agreement by role, and by kind of triple
(:mod:`exactmatch.studies.agreement.results`), is the F1 score of the triples of a role:
twice the number of matched triples, divided by the sum of the triples of both sides.
If several alignments are optimal, the triples are counted under the most plausible one
(:mod:`exactmatch.engine.preferred`).

**Corrected for chance.**  Two graphs of different texts have something in common, too.
With the distance d = 1 - F1 of two annotations,

    α = 1 - D_o / D_e,

where D_o is the mean distance of annotations of the same unit and D_e that of any two:

    D_o = 1/n · Σ_u 1/(m_u - 1) · Σ_{i ≠ j in u} d(i, j)
    D_e = 1/(n (n - 1)) · Σ_{i ≠ j} d(i, j),

where n is the number of annotations of all units with m_u ≥ 2 annotations, and (i, j)
are ordered pairs.
1 is perfect agreement, 0 is what chance gives, less is systematic disagreement.  Where
there are too many pairs to compare all, D_e is the mean of some drawn at random.

**Intervals.**  Annotations of one unit depend on each other, and so do the pairs of
annotators; units are independent, because they are a sample of texts.  So the units
are split at random into halves, each unit with all its annotations, and each half has
its own D_o and D_e (:mod:`exactmatch.scoring.exchange`): if D_e were
constant, intervals of α would be too narrow.  (With the bootstrap methods it is.)

Source: Krippendorff (2004), "Content Analysis", chapter 11, for α and missing
annotations; Skjærholt (2014), "A chance-corrected measure of inter-annotator agreement
for syntax", for distances of structures in it.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from exactmatch.base.errors import callers_not_warned
from exactmatch.base.numbers import several
from exactmatch.base.options import function
from exactmatch.engine.candidates import corresponding, overlapping_pairs
from exactmatch.engine.preferred import preferred
from exactmatch.graphs.document import Document
from exactmatch.graphs.graph import Graph
from exactmatch.many.matrix import pdist
from exactmatch.metrics import ALIGNING
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.metrics.base import SolvedPair, Statistics, add
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.exchange import TIE, Matrix, Vector, intervals_of_splits
from exactmatch.scoring.reporter import CALLER, Listener
from exactmatch.scoring.resampling import FEWEST, Interval, Sampling
from exactmatch.scoring.rows import Codes, erring, mean_scorer, summed
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
    """Return a document with some of its sentences only.

    A variable is kept if one of its sentences is kept, or if it belongs to no sentence
    (a constant).  A triple is kept if all its variables are; a document-level triple
    only if its sentence is kept, too.

    The *places* of sentences are their indices from 0.  The top is ``None`` if it was
    not kept.
    """
    document = graph.document or Document()
    if len(places) == len(document.sentences):
        return graph
    new_place_of = {old: new for new, old in enumerate(sorted(places))}
    kept = (
        variable
        for variable in range(len(graph.variables))
        if not (home := document.home(variable))
        or not new_place_of.keys().isdisjoint(home)
    )
    triples = (t for t in document.triples if t.sentence in new_place_of)
    homes = (
        tuple(new_place_of[old] for old in home if old in new_place_of)
        for home in document.homes
    )
    part = replace(
        document,
        sentences=tuple(document.sentences[old] for old in new_place_of),
        homes=tuple(homes),
        triples=tuple(t._replace(sentence=new_place_of[t.sentence]) for t in triples),
    )
    return graph.revised(document=part).part(kept)


def study(options: AgreementOptions, reporter: Listener = CALLER) -> Agreement:
    """Compare several annotators' graphs of the same texts.

    Raises:
        GraphError: if a graph cannot be read.
        InputError: if there are fewer than two annotators, their units cannot be
            paired, or the metric does not align variables.

    >>> import exactmatch
    >>> result = exactmatch.agreement({
    ...     "Ann": ["(b / bark-01 :ARG0 (d / dog))", "(s / sleep-01)"],
    ...     "Bob": ["(b / bark-01 :ARG0 (c / cat))", "(s / sleep-01)"],
    ... })
    >>> round(result.mean, 3), round(result.chance.alpha, 3)
    (0.833, 0.743)
    """
    metric = aligning(options.one_metric("agreement", ALIGNING))
    graphs, lost = annotated(options, metric, reporter)
    result = _Comparison(options, metric, graphs).agreement(lost)
    if result.intervals is not None and result.intervals.mean is None:
        few = several(result.intervals.units, "unit")
        needed = "more units whose annotations differ"
        if options.interval != "halves":
            needed = f"{FEWEST} or more"
        reporter.note(
            f"no confidence intervals: two annotators share {few}, and intervals need "
            f"{needed}"
        )
    return result


agreement = function("agreement", AgreementOptions, study)


class _Comparison:
    """Compares every two annotators, unit by unit."""

    def __init__(
        self,
        options: AgreementOptions,
        metric: AligningMetric[Any],
        graphs: Mapping[str, Mapping[str, Graph]],
    ) -> None:
        self.options, self.metric, self.graphs = options, metric, graphs
        self.limits = Limits(seed=options.seed)
        self.roles, self.kinds = Tally(), Tally()
        self.scored_units: list[tuple[UnitAgreement, Statistics]] = []
        self.chance_distances: ChanceDistances | None = None
        self.prepared = cache(lambda name, unit: metric.prepare(graphs[name][unit]))
        counts = Counter(unit for units in self.graphs.values() for unit in units)
        self.annotations = {unit: m for unit, m in counts.items() if m > 1}

    def agreement(self, lost: Losses) -> Agreement:
        """Compare all annotators; *lost* is what the reader left out."""
        sampling = self.options.intervals()
        pairs = [self._pair(a, b) for a, b in combinations(self.graphs, 2)]
        scores = [pair.score.score for pair in pairs if pair.score is not None]
        units = [unit for unit, _ in self.scored_units if unit.score.is_defined]
        counts = self.roles.total
        places = {kind: place for place, kind in enumerate(TITLES)}
        chance = self._chance()
        if sampling:
            intervals = self._intervals(chance.expected, sampling)
        return Agreement(
            tuple(self.graphs),
            tuple(pairs),
            self.roles.rows(lambda role: (role != CONCEPT, -counts[role], role)),
            self.kinds.rows(lambda kind: (places.get(kind, len(places)), kind)),
            tuple(sorted(units, key=lambda unit: unit.score.score)),
            chance,
            math.fsum(scores) / len(scores) if scores else None,
            all(unit.score.proven for unit, _ in self.scored_units),
            (
                ("metric", self.metric.name),
                *self.metric.signature(),
                ("seed", str(self.limits.seed)),
                *self._choices(),
                *([sampling.signature(intervals.units)] if sampling else ()),
            ),
            intervals if sampling else None,
            lost,
        )

    def _choices(self) -> Iterator[tuple[str, str]]:
        """Yield other options that change numbers and are not at their defaults."""
        options = self.options
        if options.chance_pairs != options.DECLARED["chance_pairs"].default:
            yield "chance-pairs", str(options.chance_pairs)
        if options.by_id:
            yield "pairs", "by-id"
        if options.on_error in ("skip", "empty"):
            yield "unreadable", options.on_error

    def _pair(self, first: str, second: str) -> Agreed:
        first_graphs, second_graphs = self.graphs[first], self.graphs[second]
        shared = [unit for unit in first_graphs if unit in second_graphs]
        sums: Statistics = self.metric.identity()
        for unit in shared:
            solved = self._solved(first, second, unit)
            numbers = solved.statistics
            sums = add(sums, numbers)
            agreement = UnitAgreement(unit, first, second, self.metric.scores(numbers))
            self.scored_units.append((agreement, numbers))
            self._count(solved)
        of_all = self.metric.scores(sums)
        is_known = shared and of_all.is_defined
        return Agreed(first, second, len(shared), of_all if is_known else None)

    def _distance(self, agreement: UnitAgreement) -> float:
        """Return the term that two annotations of a unit contribute to n · D_o."""
        return 2 * (1 - agreement.score.score) / (self.annotations[agreement.unit] - 1)

    def _solved(self, first: str, second: str, unit: str) -> SolvedPair:
        """Align two annotations of a unit, restricted to their common sentences."""
        graphs = self.graphs[first][unit], self.graphs[second][unit]
        sides = zip((first, second), graphs, _in_common(*graphs), strict=True)
        prepared = [
            self.prepared(name, unit) if part is graph else self.metric.prepare(part)
            for name, graph, part in sides
        ]
        return self.metric.compare(*prepared, limits=self.limits)

    def _count(self, pair: SolvedPair) -> None:
        """Count the triples of each role and kind, and those that both sides have."""
        problem = pair.problem
        overlapping = overlapping_pairs(problem.left.graph, problem.right.graph)
        alignment = preferred(
            problem, pair.solution, self.metric.solver, self.limits, overlapping
        )
        sides = [
            named(coded, problem.profile) for coded in (problem.left, problem.right)
        ]
        for tally, left, right in zip((self.roles, self.kinds), *sides, strict=True):
            tally.count(left, right, alignment)

    def _chance(self) -> Chance:
        sides, units = self.graphs.items(), self.annotations
        annotations = [
            (name, unit)
            for unit in units
            for name, side_units in sides
            if unit in side_units
        ]
        if not annotations:
            return Chance(None, None, None, 0, 0)
        distances = math.fsum(
            self._distance(agreement) for agreement, _ in self.scored_units
        )
        observed = distances / len(annotations)
        mean, drawn = self._chance_mean(annotations)
        expected = 1 - mean
        alpha = None
        if len(units) == 1:
            alpha = 0.0 if observed else None
        elif expected > 0:
            alpha = 1 - observed / expected
        return Chance(alpha, observed, expected, len(annotations), len(units), drawn)

    def _chance_mean(
        self, annotations: Sequence[tuple[str, str]]
    ) -> tuple[float, int | None]:
        """Return the mean score of any two annotations, and how many pairs were drawn.

        The number is ``None`` where all pairs were compared.
        """
        options, max_pairs = self.options, self.options.chance_pairs
        if math.comb(len(annotations), 2) <= max_pairs:
            graphs = [self.graphs[name][unit] for name, unit in annotations]
            jobs, executor = options.jobs, options.executor
            with callers_not_warned():  # they were given when the graphs were read
                scores = pdist(graphs, self.metric, jobs=jobs, executor=executor)
            first, second = np.triu_indices(len(annotations), 1)
            self._keep(annotations, first, second, scores)
            return float(scores.mean()), None
        rng = random.Random(options.seed)
        drawn = [rng.sample(range(len(annotations)), 2) for _ in range(max_pairs)]
        scores = np.empty(max_pairs)
        for place, ks in enumerate(drawn):
            prepared_sides = [self.prepared(*annotations[k]) for k in ks]
            pair = self.metric.compare(*prepared_sides, limits=self.limits)
            scores[place] = self.metric.scores(pair.statistics).score
        first, second = np.array(drawn, dtype=np.intp).T
        self._keep(annotations, first, second, scores)
        return math.fsum(scores) / max_pairs, max_pairs

    def _keep(
        self,
        annotations: Sequence[tuple[str, str]],
        first: Any,
        second: Any,
        scores: Vector,
    ) -> None:
        """Keep the distances whose mean is D_e, with the units of both sides."""
        if self.options.confidence is None:
            return
        order = {unit: k for k, unit in enumerate(self._units())}
        of = np.array([order[unit] for _, unit in annotations], dtype=np.intp)
        self.chance_distances = ChanceDistances(of[first], of[second], 1 - scores)

    def _units(self) -> list[str]:
        """Return the units that two annotators share, in order."""
        return [*dict.fromkeys(agreement.unit for agreement, _ in self.scored_units)]

    def _documents(self, units: Sequence[str]) -> Codes | None:
        """Return each unit's document, if documents are split as wholes."""
        if self.options.unit == "pair":
            return None
        documents = Documents()
        for k, unit in enumerate(units):
            sides = (graphs for graphs in self.graphs.values() if unit in graphs)
            documents.add(k, next(sides)[unit])
        return documents.codes(range(len(units)))

    def _intervals(
        self, expected: float | None, sampling: Sampling
    ) -> AgreementIntervals:
        """Return intervals from split units or documents, or from a bootstrap.

        The bootstrap holds D_e at the *expected* value.
        """
        pairs = [*combinations(self.graphs, 2)]
        units = self._units()
        width = len(self.metric.identity()) + 1
        rows = np.zeros((len(units), len(pairs) * width + 2))
        row_of = dict(zip(units, rows, strict=True))
        for agreement, statistics in self.scored_units:
            row, pair = (
                row_of[agreement.unit],
                pairs.index((agreement.first, agreement.second)),
            )
            # 1 (both annotated this unit), then the statistics
            row[pair * width : (pair + 1) * width] = 1, *statistics
            row[-2:] = (
                row[-2] + self._distance(agreement),
                self.annotations[agreement.unit],
            )

        def numbers(sums: Matrix, expected: Any) -> Matrix:
            """Return each pair's score, their mean and α, from sums over units."""
            parts = sums[:, :-2].reshape(-1, width)
            f1 = self.metric.score_rows(parts[:, 1:])[:, 2]  # after P and R
            defined_f1 = np.where(parts[:, 0] > 0, f1, np.nan)
            scores = defined_f1.reshape(len(sums), len(pairs))
            counted = np.nansum(scores, axis=1), (~np.isnan(scores)).sum(axis=1)
            mean = mean_scorer(np.column_stack(counted))
            alpha = np.full_like(mean, np.nan)
            if expected is not None and len(units) > 1:
                alpha = 1 - mean_scorer(sums[:, -2:]) / expected
            return np.hstack((scores, mean, alpha))

        codes = self._documents(units)
        of_units = summed(rows, codes)
        if sampling.method == "halves":
            intervals = self._halves(rows, of_units, codes, numbers, sampling)
        else:
            held_chance = expected or None
            intervals = sampling.intervals(
                of_units, lambda sums: numbers(sums, held_chance)
            )
            for k in range(len(pairs)):
                if (summed(rows[:, [k * width]], codes) > 0).sum() < FEWEST:
                    intervals[k] = None
        *of_pairs, mean, alpha = intervals
        unit = "unit" if codes is None else "document"
        sampling_key = len(of_units), sampling.level, sampling.method, unit
        return AgreementIntervals(tuple(of_pairs), mean, alpha, *sampling_key)

    def _halves(
        self,
        rows: Matrix,
        of_units: Matrix,
        codes: Codes | None,
        numbers: Callable[[Matrix, Any], Matrix],
        sampling: Sampling,
    ) -> list[Interval | None]:
        """Return intervals from random halves, each with a D_e of its own."""
        total, distances = rows.sum(axis=0), self.chance_distances
        if distances is None:
            return [None] * numbers(total[None], None).shape[1]
        expected = distances.means(len(rows))

        def both(coins: Matrix) -> tuple[Matrix, Matrix]:
            inside = coins if codes is None else coins[:, codes]
            part = inside @ rows
            return (
                numbers(part, expected(inside)[:, None]),
                numbers(total - part, expected(1 - inside)[:, None]),
            )

        n = len(of_units)
        all_ends = intervals_of_splits(
            n,
            both,
            sampling.drawn(n),
            sampling.seed,
            sampling.level,
            rows.shape[1] + len(distances.distance),
        )
        # to count the units that determine an interval of α, take D_e as 1
        alphas = numbers(of_units, np.ones((n, 1)))
        return [
            sampling.between(ends, erring(alphas[:, k]))
            for k, ends in enumerate(all_ends)
        ]


class ChanceDistances(NamedTuple):
    """Distances whose mean is D_e: of all pairs of annotations, or random ones."""

    first: npt.NDArray[np.intp]
    second: npt.NDArray[np.intp]
    distance: Vector

    def means(self, units: int) -> Callable[[Matrix], Vector]:
        """Return a function that computes D_e of each subset of the units.

        A subset is a row of 0 and 1.  D_e is NaN where a subset has no two annotations,
        or none that differ.
        """
        first, second, distance = self
        sums = np.stack((distance, np.ones_like(distance)), axis=1)
        dense = None
        if units * units <= 4 * len(distance):
            dense = np.zeros((2, units, units))
            np.add.at(dense[0], (first, second), distance)
            np.add.at(dense[1], (first, second), 1.0)

        def mean(inside: Matrix) -> Vector:
            if dense is None:
                both = (inside[:, first] * inside[:, second]) @ sums
            else:
                parts = [((inside @ table) * inside).sum(axis=1) for table in dense]
                both = np.stack(parts, axis=1)
            means = np.full(len(inside), np.nan)
            is_defined = both[:, 0] > TIE
            np.divide(both[:, 0], both[:, 1], out=means, where=is_defined)
            return means

        return mean


def _in_common(left: Any, right: Any) -> tuple[Any, Any]:
    """Return two graphs, reduced to common sentences if both are documents.

    A graph that a metric has read as nodes and edges is not a document.
    """
    left_document, right_document = (
        getattr(graph, "document", None) for graph in (left, right)
    )
    if not (
        left_document
        and right_document
        and left_document.sentences
        and right_document.sentences
    ):
        return left, right
    pairs = corresponding(left_document.sentences, right_document.sentences)
    return only_sentences(left, pairs), only_sentences(right, {*pairs.values()})
