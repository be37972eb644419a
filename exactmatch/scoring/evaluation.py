"""Running sums of an evaluation, from which a report can be made at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

from exactmatch.base.errors import InputError
from exactmatch.base.records import replace
from exactmatch.base.version import __version__
from exactmatch.formats.pairs import Omission
from exactmatch.formats.reading import OF_SEVERAL, REPAIRED, TAKEN_OUT, UNREADABLE
from exactmatch.metrics.base import Metric
from exactmatch.scoring.corpus_remarks import CorpusRemarks
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.reading import is_of_several, is_taken_out
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE
from exactmatch.scoring.results import (
    SHARES,
    UPPER,
    CorpusScore,
    PairResult,
    Predictions,
    ProofCounts,
    Warned,
)
from exactmatch.scoring.selection import Counting, Selection
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sums import Sums

if TYPE_CHECKING:
    from exactmatch.scoring.documents import Documents
    from exactmatch.scoring.resampling import Interval

_AVERAGED = (*SHARES, *UPPER)
_EXAMPLES = 5  # how many warnings of each kind keep their text


def _count(warnings: dict[str, Warned], kind: str, more: Warned) -> None:
    """Count warnings of a kind, and keep the texts of the first ones."""
    known = warnings.get(kind, Warned(0, ()))
    examples = (*known.examples, *more.examples)[:_EXAMPLES]
    warnings[kind] = Warned(known.count + more.count, examples)


class Evaluation:
    """Adds up results as they come."""

    def __init__(self, metrics: Sequence[Metric], settings: Settings) -> None:
        self.metrics = tuple(metrics)
        self.settings = settings
        self.corpus = CorpusRemarks()
        self.unpaired: list[Omission] = []  # graphs without a partner
        self.unpaired_first = 0  # how many of them came before the first pair
        self._omitted: list[Omission] = []
        self.partial = False  # whether it was interrupted before its end
        self.is_part = False  # of a corpus: other parts may have scored pairs
        self.chosen: Counting | None = None  # decides which pairs count
        self.references = 1  # the largest number of references of a pair
        self.predictions = self._faulty = 0
        self._faults: Counter[str] = Counter()
        self._warnings: dict[str, Warned] = {}  # about single pairs
        self._conclusions: list[tuple[str, str]] = []  # about the whole corpus
        self._sums = {m.name: Sums(len(m.identity())) for m in metrics}
        if len(self._sums) < len(self.metrics):
            ((twice, _),) = Counter(m.name for m in self.metrics).most_common(1)
            raise InputError(
                f"two metrics are called {twice!r}; give one of them another name with "
                "metric.named('…')"
            )
        self._proof_counts = [0, 0, 0]
        self.documents: Documents | None = None  # the document of each pair, if noted
        self.inputs: list[str] = []  # files of the merged parts
        # the metrics' own parts of the signatures, if parts were merged
        self.merged_signatures: dict[str, list[tuple[str, str]]] = {}

    def add(self, result: PairResult) -> None:
        """Add up one pair's result under one metric."""
        score, statistics = result.score, result.statistics
        sums = self._sums[score.metric]
        sums.statistics.add(statistics)
        sums.pairs += 1
        sums.stored += result.stored
        if self.settings.intervals is not None:
            sums.kept.append((statistics, score))
            sums.indices.append(result.index)
        if score.proven is not None:
            sums.searched = True
            sums.proven += score.proven
            self._proof_counts[0] += not score.proven
        if result.rejected is not None:
            self._proof_counts[1] += 1
            self._proof_counts[2] += bool(result.rejected)
        for what, times in result.dropped:
            sums.dropped[what] += times
        if not score.is_defined:
            return
        ratios = score.precision, score.recall, score.f1
        upper = ratios if score.proven else score.upper() or (None,) * 3
        sums.average((*ratios, score.score, *upper))

    def recount(self, results: Iterable[PairResult], chosen: Counting) -> None:
        """Start again, and add up the results of the *chosen* pairs only."""
        self._sums = {m.name: Sums(len(m.identity())) for m in self.metrics}
        self._proof_counts, self.chosen = [0, 0, 0], chosen
        for result in results:
            self.add(result)

    def add_rows(
        self,
        metric: Metric,
        rows: Any,
        dropped: Iterable[tuple[tuple[str, int], ...]] = (),
        first: int = 0,
    ) -> None:
        """Add up many proven pairs at once, under a metric whose score is F1.

        Each row has the statistics of a pair; the first row is pair number *first*.
        """
        import numpy as np

        sums = self._sums[metric.name]
        sums.statistics.extend(rows.T.tolist())
        for what, times in chain.from_iterable(dropped):
            sums.dropped[what] += times
        sums.pairs += len(rows)
        sums.searched = True
        sums.proven += len(rows)
        ratios = metric.score_rows(rows)
        ratios = ratios[~np.isnan(ratios[:, 2])]
        sums.defined += len(ratios)
        sums.averages.extend(ratios[:, [0, 1, 2, 2, 0, 1, 2]].T.tolist())
        if self.settings.intervals is not None:
            for row in rows.tolist():
                sums.kept.append((tuple(row), metric.scores(tuple(row))))
            sums.indices.extend(range(first, first + len(rows)))

    def warn(self, kind: str, text: str) -> None:
        """Count a warning, and keep the text of the first ones."""
        _count(self._warnings, kind, Warned(1, (text,)))

    def add_notes(self, notes: Notes) -> None:
        """Add the warnings, omissions and faults that came with results."""
        for kind, text in notes.warnings:
            self.warn(kind, text)
        self._omitted += notes.omitted
        self.corpus.names |= notes.roles
        for kinds in notes.faults:
            if is_taken_out(kinds):
                self._faults[TAKEN_OUT] += 1
                self._faults[OF_SEVERAL] += is_of_several(kinds)
                continue
            self._faulty += 1
            self._faults.update(kinds)

    def merge(self, other: Evaluation) -> None:
        """Add the sums of the next part, scored with equal metrics and settings.

        Its pairs get the numbers after those of this part.
        """
        offset = self.predictions
        for name, sums in self._sums.items():
            sums.merge(other._sums[name], offset)
        self._omitted += [
            replace(one, index=offset + one.index) for one in other._omitted
        ]
        before, after = self.unpaired_first, other.unpaired_first
        self.unpaired[before:before] = other.unpaired[:after]
        self.unpaired += other.unpaired[after:]
        self.unpaired_first += after
        self.corpus.merge(other.corpus, offset)
        for kind, warned in other._warnings.items():
            _count(self._warnings, kind, warned)
        self.partial |= other.partial
        self.references = max(self.references, other.references)
        self.predictions += other.predictions
        self._faulty += other._faulty
        self._faults += other._faults
        self._proof_counts = [
            *map(sum, zip(self._proof_counts, other._proof_counts, strict=True))
        ]
        self.inputs += other.inputs
        if self.chosen is not None and other.chosen is not None:
            self.chosen.seen += other.chosen.seen
            self.chosen.chosen += other.chosen.chosen
        if self.documents is not None and other.documents is not None:
            self.documents.merge(other.documents, offset)

    def record(self) -> dict[str, Any]:
        """Return all sums as plain data, from which :meth:`of` makes them again."""
        chosen, documents = self.chosen, self.documents
        return {
            "metrics": {name: sums.record() for name, sums in self._sums.items()},
            "omitted": [one.record() for one in self._omitted],
            "unpaired": [one.record() for one in self.unpaired],
            "unpaired_first": self.unpaired_first,
            "corpus": self.corpus.record(),
            "warnings": {
                kind: [one.count, [*one.examples]]
                for kind, one in self._warnings.items()
            },
            "partial": self.partial,
            "references": self.references,
            "predictions": [self.predictions, self._faulty],
            "faults": dict(self._faults),
            "proofs": self._proof_counts,
            "inputs": self.inputs,
            "chosen": None if chosen is None else [chosen.chosen, chosen.seen],
            "documents": None if documents is None else documents.record(),
        }

    @classmethod
    def of(
        cls, record: Mapping[str, Any], metrics: Sequence[Metric], settings: Settings
    ) -> Evaluation:
        """Make an evaluation from its :meth:`record`."""
        made = cls(metrics, settings)
        for metric in metrics:
            sums = Sums.of(record["metrics"][metric.name], metric)
            made._sums[metric.name] = sums
            metric.scores(sums.statistics.sums())  # raises if the shape is wrong
        made._omitted, made.unpaired = (
            [
                Omission(**{**one, "metrics": tuple(one["metrics"])})
                for one in record[name]
            ]
            for name in ("omitted", "unpaired")
        )
        made.unpaired_first = record["unpaired_first"]
        made.corpus = CorpusRemarks.of(record["corpus"])
        made._warnings = {
            kind: Warned(count, tuple(examples))
            for kind, (count, examples) in record["warnings"].items()
        }
        made.partial, made.references = record["partial"], record["references"]
        made.predictions, made._faulty = record["predictions"]
        made._faults = Counter(record["faults"])
        made._proof_counts, made.inputs = [*record["proofs"]], [*record["inputs"]]
        if record["chosen"] is not None:
            made.chosen = Counting(Selection())
            made.chosen.chosen, made.chosen.seen = record["chosen"]
        if record["documents"] is not None:
            from exactmatch.scoring.documents import Documents

            made.documents = Documents.of(record["documents"])
        return made

    def conclude(self) -> list[tuple[str, str]]:
        """Judge the corpus as a whole, once all pairs are there.

        Returns:
            warnings, with their kinds, about metrics without any pair; the report has
            them, and those of :attr:`corpus`.

        Raises:
            InputError: if there were pairs, and no metric could score any.
        """
        omitted = self.omitted
        idle = [name for name, sums in self._sums.items() if not sums.pairs]
        if omitted and len(idle) == len(self.metrics) and not self.is_part:
            more = len(omitted) - 1
            others = f" (and {more} more)" if more else ""
            raise InputError(f"no pair could be scored: {omitted[0].reason}{others}")
        nothing = [
            ("nothing", f"{name} has scored no pair: {omitted[0].reason}")
            for name in (idle if omitted else ())
        ]
        self._conclusions = [*self.corpus.all(self.metrics), *nothing]
        return nothing

    @property
    def omitted(self) -> list[Omission]:
        """All pairs that were left out, or counted with an empty graph."""
        first, unpaired = self.unpaired_first, self.unpaired
        return [*unpaired[:first], *self._omitted, *unpaired[first:]]

    @property
    def stored(self) -> int:
        """The number of results from a cache."""
        return sum(sums.stored for sums in self._sums.values())

    def report(self, pairs: Iterable[PairResult] = ()) -> Report:
        """Return the report of the results so far."""
        kinds = dict(self._faults)
        marks = (REPAIRED, UNREADABLE, TAKEN_OUT, OF_SEVERAL)
        repaired, unreadable, *from_text = (kinds.pop(mark, 0) for mark in marks)
        reads = {metric.reads for metric in self.metrics}
        noun = "document" if reads == {"document"} else "graph"
        warnings = dict(self._warnings)
        for kind, text in self._conclusions:
            _count(warnings, kind, Warned(1, (text,)))
        return Report(
            tuple(self._corpus_score(metric) for metric in self.metrics),
            tuple(pairs),
            tuple(self.omitted),
            dict(sorted(warnings.items())),
            self.partial,
            ProofCounts(*self._proof_counts),
            Predictions(
                self.predictions,
                self._faulty,
                kinds,
                repaired,
                unreadable,
                noun,
                *from_text,
            ),
        )

    def _corpus_score(self, metric: Metric) -> CorpusScore:
        sums = self._sums[metric.name]
        sampling = self.settings.intervals
        intervals: tuple[dict[str, Interval], dict[str, Interval]] = ({}, {})
        remark = ""
        # no samples after an interruption: the user waits
        if sampling is not None and not self.partial:
            from exactmatch.scoring.resampling import drawing, score_intervals

            codes = self._document_numbers(sums)
            with drawing(self.settings.until, SILENCE.note) as missed:
                intervals = score_intervals(metric, sums.kept, sampling, codes)
            remark = sampling.remark(self._unit_scores(metric, sums))
            if missed:
                remark = "no interval: no time was left to draw samples"
        return CorpusScore(
            metric.scores(sums.statistics.sums()),
            sums.means(_AVERAGED),
            sums.pairs,
            sums.defined,
            sums.proven if sums.searched else None,
            self.signature(metric),
            *intervals,
            confidence=sampling.level if sampling else None,
            dropped=dict(sums.dropped),
            stored=sums.stored,
            title=metric.title,
            interval_remark=remark,
            chosen_of=None if self.chosen is None else self.chosen.seen,
        )

    def _document_numbers(self, sums: Sums) -> Any:
        """Return each pair's document number; ``None`` if the units are pairs."""
        sampling = self.settings.intervals
        if sampling is None or sampling.unit == "pair" or self.documents is None:
            return None
        return self.documents.codes(sums.indices)

    def _unit_scores(self, metric: Metric, sums: Sums) -> list[float]:
        """Return the score of each pair or document whose score is defined."""
        codes = self._document_numbers(sums)
        if codes is None:
            return [score.score for _, score in sums.kept if score.is_defined]
        from exactmatch.scoring.rows import only, rows_of, summed

        are_defined = [score.is_defined for _, score in sums.kept]
        rows = rows_of([row for row, score in sums.kept if score.is_defined])
        scores: list[float] = []
        if len(rows):
            row_codes = only(codes, are_defined)
            scores = metric.score_rows(summed(rows, row_codes))[:, 2].tolist()
        return scores

    def about_documents(self) -> str:
        """Return a sentence on the units of the intervals, if pairs have documents."""
        sampling = self.settings.intervals
        if sampling is None or self.documents is None or self.partial:
            return ""
        indices = next(iter(self._sums.values())).indices
        return self.documents.remark(len(indices), sampling.unit, indices)

    def about(self, metric: Metric) -> list[tuple[str, str]]:
        """Return the metric's own part of the signature."""
        known = self.merged_signatures.get(metric.name)
        own = [("metric", metric.name), *metric.signature()] if known is None else known
        return [*own]

    def signature(self, metric: Metric) -> str:
        """Return one line that names everything that determines the metric's number."""
        sums, settings = self._sums[metric.name], self.settings
        items = self.about(metric)
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
        if self.chosen is not None:
            items.append(("chosen", self.chosen.signed))
        if sums.stored:
            items.append(("cached", f"{sums.stored}/{sums.pairs}"))
        if settings.intervals is not None and not self.partial:
            units = len(self._unit_scores(metric, sums))
            items.append(settings.intervals.signature(units))
        items += settings.paired()
        if metric.reads != "text":
            if settings.extract is not None:
                items.append(("extract", settings.extract))
            counts = ((what, self._faults[what]) for what in (REPAIRED, UNREADABLE))
            items += [(what, str(times)) for what, times in counts if times]
        own = (one for one in self.omitted if one.concerns(metric.name))
        actions = Counter(omission.action for omission in own)
        items += [(action, str(n)) for action, n in sorted(actions.items())]
        if self.partial:
            items.append(("partial", "yes"))
        items.append(("version", __version__))
        return "|".join(f"{key}:{value}" for key, value in items)
