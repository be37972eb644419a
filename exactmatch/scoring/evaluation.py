"""Score pairs of graphs, one by one and as a corpus.

:class:`Evaluation` is the streaming core: it takes pairs of blocks or graphs,
yields a ``PairResult`` for each pair and metric, and keeps only sums.  A ``Report`` is
what remains at the end, or at any moment before (:mod:`exactmatch.scoring.results`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from exactmatch.errors import GraphError
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric, Score, Statistics, add
from exactmatch.reading.blocks import Block
from exactmatch.reading.pairs import Omission, OnError, PairOfBlocks, unequal
from exactmatch.scoring.proofs import check_proof
from exactmatch.scoring.results import CorpusScore, PairResult, Report
from exactmatch.solvers.solution import Limits
from exactmatch.version import __version__

if TYPE_CHECKING:
    from exactmatch.scoring.resampling import Bootstrap, Interval


@dataclass(slots=True)
class _Sums:
    """The running sums of one metric."""

    statistics: Statistics
    pairs: int = 0
    proven: int = 0
    searched: bool = False
    totals: dict[str, float] = field(default_factory=dict)
    kept: list[tuple[Statistics, Score]] = field(default_factory=list)


_AVERAGED = ("precision", "recall", "f1", "score")


class Evaluation:
    """Scores a stream of pairs under several metrics and keeps the sums."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        limits: Limits | None = None,
        on_error: OnError = "fail",
        strict: bool = False,
        keep_graphs: bool = False,
        warn: Callable[[str, str], None] | None = None,
        bootstrap: Bootstrap | None = None,
        check_proofs: bool = False,
        keep_problems: bool = False,
    ) -> None:
        """State what is measured and how trouble is met.

        Args:
            metrics: what to measure, each with its own profile.
            limits: time, threads and seed for each pair's solver.
            on_error: whether a graph that cannot be read ends the evaluation,
                is left out with its partner, or counts as an empty graph.
            strict: treat what only leniency could read as unreadable.
            keep_graphs: keep both graphs in each result.
            warn: called with a kind and a text for each warning.
            bootstrap: how intervals are computed; none by default.
            check_proofs: have each solution's certificate checked.
            keep_problems: keep the alignment problem in each result.
        """
        self.metrics = tuple(metrics)
        self.limits = limits or Limits()
        self.on_error = on_error
        self.strict = strict
        self.keep_graphs = keep_graphs
        self.bootstrap = bootstrap
        self.check_proofs = check_proofs
        self.keep_problems = keep_problems
        self.omitted: list[Omission] = []
        self.warnings: Counter[str] = Counter()
        self.partial = False
        self._warn = warn
        self._sums = {m.name: _Sums(m.identity()) for m in metrics}

    def warn(self, kind: str, text: str) -> None:
        """Count a warning and pass it on."""
        self.warnings[kind] += 1
        if self._warn is not None:
            self._warn(kind, text)

    def results(self, pairs: Iterable[PairOfBlocks]) -> Iterator[PairResult]:
        """Score pairs of blocks; one result per pair and metric, in order.

        Raises:
            GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
        """
        for pair in pairs:
            yield from self.pair(pair)

    def pair(self, pair: PairOfBlocks) -> list[PairResult]:
        """Score one pair of blocks under every metric; none if it is left out."""
        read = self.read(pair)
        if read is None:
            return []
        items, problem = read
        known: dict[Any, list[Any]] = {}
        results = []
        for metric, compared in zip(self.metrics, items, strict=True):
            key = (metric.preparation, metric.reading)
            prepared = known.get(key)
            if prepared is None:
                prepared = known[key] = [metric.prepare(item) for item in compared]
            results.append(
                self.score(metric, pair.index, pair.id, compared, prepared, problem)
            )
        return results

    def read(self, pair: PairOfBlocks) -> tuple[list[list[Any]], str | None] | None:
        """Read one pair of blocks for every metric.

        Returns:
            For each metric what it compares, the prediction first, and what was
            wrong where an empty graph stands in for a bad one; ``None`` if the
            pair is left out.

        Raises:
            GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
        """
        read: dict[tuple[int, Any], Any] = {}
        problem = pair.reason
        blocks = (pair.pred, *pair.golds)
        for metric in self.metrics:
            for side, block in enumerate(blocks):
                key = (side, metric.reading)
                if key in read:
                    continue
                try:
                    read[key] = self._read(metric, block)
                except GraphError as error:
                    if self.on_error == "fail":
                        raise
                    problem = problem or str(error)
                    read[key] = metric.empty
        if problem is not None:
            skip = self.on_error == "skip"
            self.omitted.append(
                Omission(pair.index, pair.id, problem, "skipped" if skip else "empty")
            )
            if skip:
                return None
        sides = range(len(blocks))
        keys = [metric.reading for metric in self.metrics]
        return [[read[side, key] for side in sides] for key in keys], problem

    def score(
        self,
        metric: Metric,
        index: int,
        name: str | None,
        items: Sequence[Any],
        prepared: Sequence[Any],
        problem: str | None = None,
    ) -> PairResult:
        """Compare one pair under one metric, and add it up.

        Args:
            metric: one of the evaluation's.
            index, name: the pair's number and id.
            items: the prediction and its references, as they were read.
            prepared: the same, as the metric prepared them.
            problem: what was wrong, where an empty graph stands in for a bad one.
        """
        pair = metric.compare(prepared[0], *prepared[1:], limits=self.limits)
        score = metric.scores(pair.statistics)
        self._add(metric.name, pair.statistics, score)
        pred, gold = items[:2]
        rejected = None
        if pair.stated is not None and pair.solution is not None:
            pred, gold = pair.stated.left.graph, pair.stated.right.graph
            if self.check_proofs:
                rejected = check_proof(pair.stated, pair.solution)
        return PairResult(
            index,
            name,
            score,
            pair.statistics,
            pair.solution,
            pred if self.keep_graphs else None,
            gold if self.keep_graphs else None,
            problem,
            rejected,
            pair.stated if self.keep_problems else None,
        )

    def absorb(
        self,
        results: Iterable[PairResult],
        omitted: Iterable[Omission] = (),
        warnings: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Add up what was scored elsewhere."""
        for result in results:
            self._add(result.metric, result.statistics, result.score)
        self.omitted += omitted
        for kind, text in warnings:
            self.warn(kind, text)

    def _add(self, metric: str, statistics: Statistics, score: Score) -> None:
        sums = self._sums[metric]
        sums.statistics = add(sums.statistics, statistics)
        sums.pairs += 1
        if self.bootstrap is not None:
            sums.kept.append((statistics, score))
        if score.proven is not None:
            sums.searched = True
            sums.proven += score.proven
        totals = sums.totals
        totals["score"] = totals.get("score", 0.0) + score.score
        if score.precision is not None:
            totals["precision"] = totals.get("precision", 0.0) + score.precision
        if score.recall is not None:
            totals["recall"] = totals.get("recall", 0.0) + score.recall
        if score.f1 is not None:
            totals["f1"] = totals.get("f1", 0.0) + score.f1

    def _read(self, metric: Metric, block: Block | None) -> Any:
        if block is None:
            return metric.empty
        read = metric.read(block)
        for error in read.lenient:
            if self.strict:
                raise error
            self.warn("lenient", f"{error}; read as {read.reader} does")
        return read.item

    def report(self, pairs: Iterable[PairResult] = ()) -> Report:
        """What was found out so far."""
        scores = tuple(self._corpus_score(metric) for metric in self.metrics)
        return Report(
            scores,
            tuple(pairs),
            tuple(self.omitted),
            dict(self.warnings),
            self.partial,
        )

    def _corpus_score(self, metric: Metric) -> CorpusScore:
        sums = self._sums[metric.name]
        macro = {
            name: sums.totals[name] / sums.pairs if name in sums.totals else None
            for name in _AVERAGED
        }
        proven = sums.proven if sums.searched else None
        return CorpusScore(
            metric.scores(sums.statistics),
            macro,
            sums.pairs,
            proven,
            self.signature(metric),
            *self._intervals(metric, sums),
            confidence=self.bootstrap.level if self.bootstrap else None,
        )

    def _intervals(
        self, metric: Metric, sums: _Sums
    ) -> tuple[dict[str, Interval], dict[str, Interval]]:
        """Bootstrap intervals of the metric's numbers and of their means."""
        if self.bootstrap is None:
            return {}, {}
        from exactmatch.scoring.resampling import score_intervals

        return score_intervals(metric, sums.kept, self.bootstrap)

    def signature(self, metric: Metric) -> str:
        """One line that names everything that determines the metric's number."""
        sums = self._sums[metric.name]
        items = [("metric", metric.name), *metric.signature()]
        if sums.searched:
            items.append(("proven", f"{sums.proven}/{sums.pairs}"))
            if self.limits.seconds is not None:
                items.append(("limit", f"{self.limits.seconds:g}s"))
            if metric.draws:
                items.append(("seed", str(self.limits.seed)))
        if self.bootstrap is not None:
            items.append(self.bootstrap.signature())
        actions = Counter(omission.action for omission in self.omitted)
        items += [(action, str(n)) for action, n in sorted(actions.items())]
        if self.partial:
            items.append(("partial", "yes"))
        items.append(("version", __version__))
        return "|".join(f"{key}:{value}" for key, value in items)


def evaluate_items(
    evaluation: Evaluation, preds: Sequence[Any], golds: Sequence[Any]
) -> Iterator[PairResult]:
    """Score graphs or sentences that are already in memory, by position.

    Args:
        evaluation: the metrics, and what keeps the sums.
        preds, golds: predictions and references; an object that occurs again is
            read and prepared once.

    Raises:
        InputError: if the numbers differ.
    """
    if len(preds) != len(golds):
        raise unequal([len(preds), len(golds)])
    known = _Known()
    for metric in evaluation.metrics:
        if metric.needs_references and not metric.fitted:
            metric.fit(known.of(metric, gold)[1] for gold in golds)
    for index, (pred, gold) in enumerate(zip(preds, golds, strict=True)):
        for metric in evaluation.metrics:
            items, prepared = zip(
                known.of(metric, pred), known.of(metric, gold), strict=True
            )
            name = items[1].id if isinstance(items[1], Graph) else None
            yield evaluation.score(metric, index, name, items, prepared)


class _Known:
    """What was read and prepared of each object."""

    def __init__(self) -> None:
        self._items: dict[Any, Any] = {}
        self._prepared: dict[Any, tuple[Any, Any]] = {}

    def of(self, metric: Metric, given: Any) -> tuple[Any, Any]:
        """An object as it is read, and as it is prepared for a metric."""
        same = given if isinstance(given, str) else _Same(given)
        key = (metric.preparation, metric.reading, same)
        found = self._prepared.get(key)
        if found is None:
            place = (metric.reading, same)
            item = self._items.get(place)
            if item is None:
                item = self._items[place] = metric.read(given).item
            found = self._prepared[key] = (item, metric.prepare(item))
        return found


class _Same:
    """An object as a key: equal to itself alone, and kept alive."""

    __slots__ = ("_object",)

    def __init__(self, given: Any) -> None:
        self._object = given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)
