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
from exactmatch.graphs.profile import Profile
from exactmatch.metrics.base import Metric, Score, Statistics, add
from exactmatch.metrics.smatch import AlignmentMetric
from exactmatch.reading import read_block
from exactmatch.reading.blocks import Block, blocks_of_text
from exactmatch.reading.pairs import Omission, OnError, PairOfBlocks, unequal
from exactmatch.scoring.results import CorpusScore, PairResult, Report
from exactmatch.solvers.solution import Limits
from exactmatch.version import __version__

if TYPE_CHECKING:
    from exactmatch.scoring.resampling import Bootstrap, Interval

EMPTY_GRAPH = Graph((), (), (), (), ())


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
        """
        self.metrics = tuple(metrics)
        self.limits = limits or Limits()
        self.on_error = on_error
        self.strict = strict
        self.keep_graphs = keep_graphs
        self.bootstrap = bootstrap
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
        return [
            self.score(metric, pair.index, pair.id, compared, problem)
            for metric, compared in zip(self.metrics, items, strict=True)
        ]

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
                key = (side, _reading_key(metric))
                if key in read:
                    continue
                try:
                    read[key] = self._read(metric, block)
                except GraphError as error:
                    if self.on_error == "fail":
                        raise
                    problem = problem or str(error)
                    read[key] = EMPTY_GRAPH if metric.reads == "graph" else ""
        if problem is not None:
            skip = self.on_error == "skip"
            self.omitted.append(
                Omission(pair.index, pair.id, problem, "skipped" if skip else "empty")
            )
            if skip:
                return None
        sides = range(len(blocks))
        keys = [_reading_key(metric) for metric in self.metrics]
        return [[read[side, key] for side in sides] for key in keys], problem

    def score(
        self,
        metric: Metric,
        index: int,
        name: str | None,
        items: Sequence[Any],
        problem: str | None = None,
    ) -> PairResult:
        """Measure one pair of graphs or sentences under one metric, and add it up."""
        measured = metric.measure(items[0], *items[1:], limits=self.limits)
        score = metric.score(measured.statistics)
        self._add(metric.name, measured.statistics, score)
        return PairResult(
            index,
            name,
            score,
            measured.statistics,
            measured.solution,
            items[0] if self.keep_graphs else None,
            items[1] if self.keep_graphs else None,
            problem,
            measured.rejected,
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
            return EMPTY_GRAPH if metric.reads == "graph" else ""
        if metric.reads == "text":
            return sentence_of(block)
        assert metric.profile is not None
        reading = read_block(block, metric.profile)
        for reason in reading.lenient:
            error = reading.graph.origin.error(reason)
            if self.strict:
                raise error
            self.warn("lenient", f"{error}; read as {metric.profile.reader} does")
        return reading.graph

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
            metric.score(sums.statistics),
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
            if isinstance(metric, AlignmentMetric) and metric.solver.draws:
                items.append(("seed", str(self.limits.seed)))
        if self.bootstrap is not None:
            items.append(self.bootstrap.signature())
        actions = Counter(omission.action for omission in self.omitted)
        items += [(action, str(n)) for action, n in sorted(actions.items())]
        if self.partial:
            items.append(("partial", "yes"))
        items.append(("version", __version__))
        return "|".join(f"{key}:{value}" for key, value in items)


def sentence_of(block: Block) -> str:
    """The sentence of a block: its ``# ::snt``, or its only line of text.

    Raises:
        GraphError: if it is a graph without ``# ::snt``.
    """
    snt = block.metadata().get("snt")
    if snt is not None:
        return snt
    text = " ".join(block.content)
    if text.startswith("("):
        raise block.origin().error("has no '# ::snt' for a metric on text")
    return text


def _reading_key(metric: Metric) -> Any:
    if metric.reads == "text" or metric.profile is None:
        return "text"
    return (metric.profile.reader, metric.profile.strip_alignments)


def evaluate_items(
    evaluation: Evaluation,
    preds: Sequence[Any],
    golds: Sequence[Any],
    convert: Callable[[Any, Profile], Graph],
) -> Iterator[PairResult]:
    """Score graphs or sentences that are already in memory, by position.

    Args:
        evaluation: the metrics, and what keeps the sums.
        preds, golds: predictions and references; an object that occurs again is
            read once.
        convert: makes a graph of whatever a metric on graphs is given.

    Raises:
        InputError: if the numbers differ.
    """
    if len(preds) != len(golds):
        raise unequal([len(preds), len(golds)])
    known: dict[Any, Any] = {}
    for metric in evaluation.metrics:
        if metric.needs_references:
            metric.prepare([_item(metric, gold, convert, known) for gold in golds])
    for index, (pred, gold) in enumerate(zip(preds, golds, strict=True)):
        for metric in evaluation.metrics:
            items = [_item(metric, side, convert, known) for side in (pred, gold)]
            name = items[1].id if isinstance(items[1], Graph) else None
            yield evaluation.score(metric, index, name, items)


def _item(
    metric: Metric,
    given: Any,
    convert: Callable[[Any, Profile], Graph],
    known: dict[Any, Any],
) -> Any:
    """What a metric compares, made once of each distinct object."""
    key = (_reading_key(metric), given if isinstance(given, str) else id(given))
    found = known.get(key)
    if found is None:
        if metric.reads == "text" or metric.profile is None:
            found = _sentence(given)
        else:
            found = convert(given, metric.profile)
        known[key] = found
    return found


def _sentence(given: Any) -> str:
    """A sentence given as such, or as the ``# ::snt`` of a graph."""
    if isinstance(given, Graph):
        return given.metadata.get("snt", "")
    text = str(given)
    if text.lstrip().startswith(("(", "#")):
        return " ".join(sentence_of(block) for block in blocks_of_text(text))
    return text
