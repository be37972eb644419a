"""The sums of an evaluation, and the report that is made of them at any moment."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.version import __version__
from exactmatch.formats.pairs import Omission
from exactmatch.formats.reading import REPAIRED, UNREADABLE
from exactmatch.metrics.base import Metric, Statistics, add
from exactmatch.metrics.score import Score
from exactmatch.scoring.pair import Notes
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import (
    SHARES,
    UPPER,
    CorpusScore,
    PairResult,
    Predictions,
    ProofCounts,
    Warned,
)
from exactmatch.scoring.settings import Settings

if TYPE_CHECKING:
    from exactmatch.scoring.resampling import Interval

_AVERAGED = (*SHARES, *UPPER)
_EXAMPLES = 5  # how many warnings of each kind keep their text


class _Sums:
    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics
        self.pairs = 0
        self.defined = 0
        self.proven = 0
        self.searched = False
        self.stored = 0
        self.totals: list[float | None] = [0.0] * len(_AVERAGED)
        self.kept: list[tuple[Statistics, Score]] = []
        self.dropped: Counter[str] = Counter()


class Evaluation:
    """Adds up results as they come."""

    def __init__(self, metrics: Sequence[Metric], settings: Settings) -> None:
        self.metrics = tuple(metrics)
        self.settings = settings
        self.unpaired: list[Omission] = []  # what has no partner
        self.unpaired_first = 0  # how much of it, before the first pair was made
        self._omitted: list[Omission] = []
        self.partial = False  # whether it was interrupted before its end
        self.references = 1  # that a pair has at most
        self.predictions = self._faulty = 0
        self._faults: Counter[str] = Counter()
        self._warnings: dict[str, Warned] = {}
        self._sums = {m.name: _Sums(m.identity()) for m in metrics}
        if len(self._sums) < len(self.metrics):
            ((twice, _),) = Counter(m.name for m in self.metrics).most_common(1)
            raise InputError(
                f"two metrics are called {twice!r}; give one of them another name with "
                "metric.named('…')"
            )
        self._proofs = [0, 0, 0]

    def add(self, result: PairResult) -> None:
        """Add up one pair's result under one metric."""
        score, statistics = result.score, result.statistics
        sums = self._sums[score.metric]
        sums.statistics = add(sums.statistics, statistics)
        sums.pairs += 1
        sums.stored += result.stored
        if self.settings.intervals is not None:
            sums.kept.append((statistics, score))
        if score.proven is not None:
            sums.searched = True
            sums.proven += score.proven
            self._proofs[0] += not score.proven
        if result.rejected is not None:
            self._proofs[1] += 1
            self._proofs[2] += bool(result.rejected)
        for what, times in result.dropped:
            sums.dropped[what] += times
        if not score.is_defined:
            return
        sums.defined += 1
        ratios = score.precision, score.recall, score.f1
        upper = ratios if score.proven else score.upper() or (None,) * 3
        values = (*ratios, score.score, *upper)
        sums.totals = [
            None if total is None or value is None else total + value
            for total, value in zip(sums.totals, values, strict=True)
        ]

    def add_rows(
        self,
        metric: Metric,
        rows: Any,
        dropped: Iterable[tuple[tuple[str, int], ...]] = (),
    ) -> None:
        """Add up pairs whose search is proven, under a metric that has an F1 score.

        Each row of an array has the statistics of a pair.
        """
        import numpy as np

        sums = self._sums[metric.name]
        sums.statistics = add(sums.statistics, tuple(rows.sum(axis=0).tolist()))
        for what, times in chain.from_iterable(dropped):
            sums.dropped[what] += times
        sums.pairs += len(rows)
        sums.searched = True
        sums.proven += len(rows)
        ratios = metric.score_rows(rows)
        ratios = ratios[~np.isnan(ratios[:, 2])]
        sums.defined += len(ratios)
        for place, column in enumerate((0, 1, 2, 2, 0, 1, 2)):
            total = sums.totals[place]
            if total is not None:  # one by one, as add does
                values = np.concatenate(([total], ratios[:, column]))
                sums.totals[place] = float(np.cumsum(values)[-1])
        if self.settings.intervals is not None:
            for row in rows.tolist():
                sums.kept.append((tuple(row), metric.scores(tuple(row))))

    def warn(self, kind: str, text: str) -> None:
        """Count a warning, and keep the first ones in words."""
        known = self._warnings.get(kind, Warned(0, ()))
        examples = (*known.examples, text)[:_EXAMPLES]
        self._warnings[kind] = Warned(known.count + 1, examples)

    def hear(self, notes: Notes) -> None:
        """Take over what scoring says beside its results."""
        for kind, text in notes.warnings:
            self.warn(kind, text)
        self._omitted += notes.omitted
        self._faulty += len(notes.faults)
        self._faults.update(chain.from_iterable(notes.faults))

    def idle(self) -> list[str]:
        """The names of the metrics that no result was added of."""
        return [name for name, sums in self._sums.items() if not sums.pairs]

    @property
    def omitted(self) -> list[Omission]:
        """All pairs that were left out, or had an empty graph in a bad one's place."""
        first, unpaired = self.unpaired_first, self.unpaired
        return [*unpaired[:first], *self._omitted, *unpaired[first:]]

    @property
    def stored(self) -> int:
        """How many results are from a cache."""
        return sum(sums.stored for sums in self._sums.values())

    def report(self, pairs: Iterable[PairResult] = ()) -> Report:
        """Return the report of the results so far."""
        kinds = dict(self._faults)
        became = [kinds.pop(what, 0) for what in (REPAIRED, UNREADABLE)]
        return Report(
            tuple(self._corpus_score(metric) for metric in self.metrics),
            tuple(pairs),
            tuple(self.omitted),
            dict(self._warnings),
            self.partial,
            ProofCounts(*self._proofs),
            Predictions(self.predictions, self._faulty, kinds, *became),
        )

    def _corpus_score(self, metric: Metric) -> CorpusScore:
        sums = self._sums[metric.name]
        bootstrap = self.settings.intervals
        intervals: tuple[dict[str, Interval], dict[str, Interval]] = ({}, {})
        # who interrupts a run does not wait for samples
        if bootstrap is not None and not self.partial:
            from exactmatch.scoring.resampling import score_intervals

            intervals = score_intervals(metric, sums.kept, bootstrap)
        macro = {
            name: total / sums.defined if total is not None and sums.defined else None
            for name, total in zip(_AVERAGED, sums.totals, strict=True)
        }
        return CorpusScore(
            metric.scores(sums.statistics),
            macro,
            sums.pairs,
            sums.defined,
            sums.proven if sums.searched else None,
            self.signature(metric),
            *intervals,
            confidence=bootstrap.level if bootstrap else None,
            dropped=dict(sums.dropped),
            stored=sums.stored,
            title=metric.title,
        )

    def signature(self, metric: Metric) -> str:
        """One line that names everything that determines the metric's number."""
        sums, settings = self._sums[metric.name], self.settings
        items = [("metric", metric.name), *metric.signature()]
        if self.references > 1 and metric.takes_one:
            items.append(("refs", f"{self.references}:{settings.refs}"))
        if sums.searched:
            items.append(("proven", f"{sums.proven}/{sums.pairs}"))
            if settings.time_limit is not None:
                items.append(("limit", f"{settings.time_limit:g}s"))
            if settings.total_time is not None:
                items.append(("total", f"{settings.total_time:g}s"))
            if metric.draws:
                items.append(("seed", str(settings.seed)))
        if sums.stored:
            items.append(("cached", f"{sums.stored}/{sums.pairs}"))
        if settings.intervals is not None and not self.partial:
            items.append(settings.intervals.signature())
        if settings.common:
            items.append(("pairs", "common"))
        if metric.reads == "graph":
            if settings.extract is not None:
                items.append(("extract", settings.extract))
            found = ((what, self._faults[what]) for what in (REPAIRED, UNREADABLE))
            items += [(what, str(times)) for what, times in found if times]
        own = (one for one in self.omitted if one.concerns(metric.name))
        actions = Counter(omission.action for omission in own)
        items += [(action, str(n)) for action, n in sorted(actions.items())]
        if self.partial:
            items.append(("partial", "yes"))
        items.append(("version", __version__))
        return "|".join(f"{key}:{value}" for key, value in items)
