"""One pair under every metric: read, prepared, compared, its proof checked.

Here Smatch and another metric, which reads graphs the same way, score one pair:

    "(b / bark-01)"              "(c / bark-01)"      two sides (scoring/sides)
          │ read                       │              once for both metrics
       Graph(b, bark-01)            Graph(c, bark-01)
          │ prepare                    │              once for each metric
       coded triples                coded triples
          └──────────┬─────────────────┘ compare      metric.find, metric.row
               Pair(statistics, solution)
                     │ scores
               PairResult(score, statistics, solution …)

A :class:`PairScorer` is all that a process needs to score pairs.  It keeps no sums, so
pairs may be scored in any order and in any process; warnings and omissions go into
:class:`~exactmatch.scoring.notes.Notes`.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from exactmatch.base.deadline import reading_limits, reading_within
from exactmatch.base.errors import ExactmatchError
from exactmatch.base.records import replace
from exactmatch.formats.pairs import UnreadPair
from exactmatch.metrics.base import Metric, Pair, ReadItem
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.pair_reader import PairReader, ReadPair
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import (
    Known,
    Plan,
    PreparedGraph,
    Side,
    contents_of,
    kept_graph,
    plans_of,
    prepare_side,
    sides_of,
    source_of,
)
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:
    from exactmatch.engine.problem import GraphProblem
    from exactmatch.scoring.cache import PairCache

_FREE_READING_SHARE = 0.05
"""Share of a pair's time limit that reading may take without shortening the search."""


class PairScorer:
    """Scores pairs under several metrics."""

    cache: "PairCache | None" = None

    def __init__(
        self,
        metrics: Iterable[Metric],
        settings: Settings,
        limits: Limits | None = None,  # the settings' limits, with a watch
        learned_checksums: Mapping[str, bytes] | None = None,  # by name of metric
    ) -> None:
        self.metrics = tuple(metrics)
        self.settings = settings
        self.limits = settings.limits if limits is None else limits
        self._learned = learned_checksums or {}
        self._want = settings.want
        self._reading_limits = reading_limits(
            settings.time_limit, settings.until, settings.total_time
        )
        keys = [b""] * len(self.metrics)
        if settings.cache is not None:  # imported here: SQLite is slow to import
            from exactmatch.scoring.cache import PairCache, metric_key

            self.cache = PairCache(settings.cache)
            keys = [
                metric_key(metric, settings.seed, self._learned.get(metric.name, b""))
                for metric in self.metrics
            ]
        self._plans = plans_of(self.metrics, keys)
        self._reader = PairReader(self._plans, settings)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for a worker process; the copy starts no workers of its own."""
        settings = self.settings.replace(jobs=1, executor=None)
        return type(self), (self.metrics, settings, self.limits, self._learned)

    def score(
        self, pair: UnreadPair, notes: Notes, known: Known | None = None
    ) -> list[PairResult]:
        """Score one pair under every metric that can read it.

        Args:
            pair: the pair.
            notes: receives warnings and omissions.
            known: sides that occur in several pairs; those of this pair are added.
        """
        pair = self._reader.extracted(pair)
        results = self.score_sides(pair, sides_of(pair, known), notes)
        if known is not None:
            for number in pair.done:
                known.pop(number, None)
        return results

    def read(self, pair: UnreadPair, notes: Notes) -> list[ReadPair | None]:
        """Read one pair for every metric; ``None`` where it is left out."""
        return self._reader.read(pair, sides_of(pair), notes)

    def side(self, one: PreparedGraph) -> Side:
        """Return the side of a graph that a ``Scorer`` of one metric has prepared."""
        (plan,) = self._plans
        side = Side(one)
        side.faults = one.faults
        item = plan.metric.empty if one.error else one.item
        side.read[plan.reading] = ReadItem(item, dropped=one.dropped, error=one.error)
        if one.error is None:
            side.prepared[plan.preparation] = one
        return side

    def score_sides(
        self, pair: UnreadPair, sides: Sequence[Side], notes: Notes
    ) -> list[PairResult]:
        """Score one pair whose sides may already have been read or prepared."""
        with reading_within(self._reading_limits):  # workers inherit no limits
            return self._score_sides(pair, sides, notes)

    def _score_sides(
        self, pair: UnreadPair, sides: Sequence[Side], notes: Notes
    ) -> list[PairResult]:
        results: list[PairResult] = []
        verdicts: list[tuple[Solution, str]] = []
        reads: Sequence[ReadPair | None] | None = None
        compared: dict[int, Any] = {}
        reading_time = self._reading_limits.time
        begun = time.perf_counter() - (
            0.0 if reading_time is None else reading_time.of_pair()
        )
        for number, plan in enumerate(self._plans):
            metric, problem = plan.metric, None
            prepared = [
                graph
                for side in sides
                if (graph := side.prepared.get(plan.preparation)) is not None
            ]
            if len(prepared) < len(sides):
                if reads is None:
                    reads = self._reader.read(pair, sides, notes)
                read = reads[number]
                if read is None:
                    continue
                problem = read.problem
                sides_and_items = zip(sides, read.items, strict=True)
                prepared = [
                    prepare_side(plan, side, item) for side, item in sides_and_items
                ]
                if plan.names_in is not None:
                    notes.roles.update(*map(plan.names_in, read.items))
            shown_index, limits = 1, self._limits_since(begun)
            if metric.takes_one and len(prepared) > 2:
                row, shown_index = self._combine(
                    plan, sides, prepared, compared, verdicts, limits
                )
            else:
                row = self._compare(plan, sides, prepared, compared, limits)
            if shown_index > 1:
                rest = *prepared[1:shown_index], *prepared[shown_index + 1 :]
                prepared = [prepared[0], prepared[shown_index], *rest]
            shown = sides[0], sides[shown_index]
            results.append(
                self._result(plan, pair, shown, prepared, problem, row, verdicts)
            )
            begun = time.perf_counter()
        if faults := self._reader.note_faults(sides[0]):
            notes.faults.append(faults)
            results = [replace(result, faults=faults) for result in results]
        return results

    def score_all(
        self, pairs: Iterable[UnreadPair], notes: Notes | None = None
    ) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
        """Score pairs one by one, and write the cache if there is one.

        Yields:
            the number of pairs (1), the pair's results, and its notes: in *notes*, if
            given, else in notes of its own.
        """
        known = Known()
        interrupted = True
        try:
            own = Notes() if notes is None else notes
            for pair in pairs:
                yield 1, self.score(pair, own, known), own
                if notes is None and own:
                    own = Notes()
            interrupted = False
        finally:
            if self.cache is not None:
                self.cache.close(hurry=interrupted)

    def cache_keys(self, pair: UnreadPair) -> dict[str, bytes] | None:
        """Return a pair's key in the cache under each metric.

        ``None`` if it has none: it cannot be read, or has several references under a
        metric that takes one.
        """
        assert self.cache is not None
        keys = {}
        try:
            pair = self._reader.extracted(pair)
            sides = sides_of(pair)
            for plan, read in zip(
                self._plans, self._reader.read(pair, sides, Notes()), strict=True
            ):
                if read is None or (plan.metric.takes_one and len(sides) > 2):
                    return None
                prepared = [
                    prepare_side(plan, side, item)
                    for side, item in zip(sides, read.items, strict=True)
                ]
                contents = contents_of(sides, prepared, plan.reading)
                keys[plan.metric.name] = self.cache.checksum(plan.key, *contents)
        except ExactmatchError:  # the one who scores the pair says so
            return None
        return keys

    def is_stored(self, keys: Mapping[str, bytes]) -> bool:
        """Return whether a pair of these keys can be scored from the cache alone."""
        assert self.cache is not None
        stored = (self.cache.get(keys[m.name]) is not None for m in self.metrics)
        return all(map(self._takes_stored, self.metrics)) and all(stored)

    def without_cache(self) -> "PairScorer":
        """Return a scorer for other machines, whose results this one's cache keeps."""
        settings = self.settings.replace(cache=None, keep_solutions=True)
        return type(self)(self.metrics, settings, self.limits, self._learned)

    def _limits_since(self, begun: float) -> Limits:
        """Return the limits, less the time since *begun* unless that is short."""
        seconds, used = self.limits.seconds, time.perf_counter() - begun
        if seconds is None or used < _FREE_READING_SHARE * seconds:
            return self.limits
        return self.limits.after(used)

    def _compare(
        self,
        plan: Plan,
        sides: Sequence[Side],
        prepared: Sequence[PreparedGraph],
        compared: dict[int, Any],
        limits: Limits,
    ) -> Pair:
        """Compare the pair, reusing the result of a metric with the same comparison.

        The statistics come from the cache if it has them; it keeps neither alignment
        problems nor certificates.
        """
        metric, cache, key = plan.metric, self.cache, b""
        if cache is not None:
            key = cache.checksum(plan.key, *contents_of(sides, prepared, plan.reading))
            kept = cache.get(key) if self._takes_stored(metric) else None
            if kept is not None:
                return kept
        comparison = compared.get(plan.comparison)
        if comparison is None:
            graphs = [side.prepared for side in prepared]
            comparison = metric.compare_shared(graphs, limits, self._want)
            compared[plan.comparison] = comparison
        row = metric.pair_of(comparison)
        if cache is not None:
            cache.put(key, row)
        return row

    def _takes_stored(self, metric: Metric) -> bool:
        """Return whether the statistics of a pair are enough, without its problem."""
        needs_problem = self._want == "problem" or self.settings.keep_graphs
        return not (metric.aligns and needs_problem)

    def _combine(
        self,
        plan: Plan,
        sides: Sequence[Side],
        prepared: Sequence[PreparedGraph],
        compared: dict[int, Any],
        verdicts: list[tuple[Solution, str]],
        limits: Limits,
    ) -> tuple[Pair, int]:
        """Compare with each reference; return the combined pair and the shown index."""
        from exactmatch.scoring.references import combined

        rows = []
        for k in range(1, len(prepared)):
            pair_sides, own = [sides[0], sides[k]], compared.setdefault(-k, {})
            pair = [prepared[0], prepared[k]]
            rows.append(self._compare(plan, pair_sides, pair, own, limits))
        row, chosen = combined(plan.metric, rows, self.settings.refs)
        if self.settings.proofs == "check" and row.solution is not None:
            # the best is certified only if every comparison is
            refusals = (
                _rejection(one.problem, one.solution, [])
                for one in rows
                if one.problem is not None and one.solution is not None
            )
            verdicts.append((row.solution, "; ".join(filter(None, refusals))))
        return row, 1 + chosen

    def _result(
        self,
        plan: Plan,
        pair: UnreadPair,
        shown: tuple[Side, Side],
        prepared: Sequence[PreparedGraph],
        problem: str | None,
        compared: Pair,
        verdicts: list[tuple[Solution, str]],
    ) -> PairResult:
        settings, graph_problem, rejection = self.settings, compared.problem, None
        graphs: tuple[Any, Any] = (None, None)
        sources: tuple[Any, Any] = (None, None)
        if (
            settings.proofs == "check"
            and graph_problem is not None
            and compared.solution
        ):
            rejection = _rejection(graph_problem, compared.solution, verdicts)
        elif settings.proofs == "check" and compared.documents is not None:
            rejection = compared.documents.refusal()
        if settings.keep_graphs:
            graphs = prepared[0].item, prepared[1].item
            if graph_problem is not None:
                graphs = graph_problem.left.graph, graph_problem.right.graph
            if not settings.keep_problems:
                own, other = graphs
                graphs = (
                    kept_graph(plan, shown[0], own),
                    kept_graph(plan, shown[1], other),
                )
            sources = (
                source_of(shown[0], plan.reading),
                source_of(shown[1], plan.reading),
            )
        return PairResult(
            pair.index,
            prepared[1].id if pair.id is None else pair.id,
            plan.metric.scores(compared.statistics),
            compared.statistics,
            compared.solution,
            graphs,
            problem,
            rejection,
            graph_problem if settings.keep_problems else None,
            sum([one.dropped for one in prepared if one.dropped], ()),
            stored=compared.stored,
            sources=sources,
            documents=compared.documents if settings.keep_problems else None,
        )


def _rejection(
    graph_problem: "GraphProblem",
    solution: Solution,
    verdicts: list[tuple[Solution, str]],
) -> str:
    """Return why a certificate is refused, checked once for each solution."""
    for known, verdict in verdicts:
        if known is solution:
            return verdict
    verdict = solution.refusal(graph_problem.problem)
    verdicts.append((solution, verdict))
    return verdict
