"""Score files or graphs in memory: pairs in, results one by one, a report at the end.

All scoring goes through here: sources are paired, metrics are fitted, every pair is
scored in this process or in others, and the results are added up in order.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from itertools import chain, groupby
from typing import Any

from exactmatch.base.errors import GraphError, InputError, warn_caller
from exactmatch.base.numbers import several
from exactmatch.base.records import replace
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import Pairer, UnreadPair
from exactmatch.metrics.base import Metric
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.pair_reader import ReadPair
from exactmatch.scoring.reading import Digest
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import PairResult, name_of, pair_record
from exactmatch.scoring.selection import Counting, Selection
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Sources, is_missing, text_of
from exactmatch.solvers.solution import Watch


class Run:
    """One evaluation, result by result, under fitted copies of the metrics."""

    def __init__(
        self,
        sources: Sources,
        metrics: Iterable[Metric],
        settings: Settings,
        reporter: Reporter = SILENCE,
    ) -> None:
        self.settings = settings
        self.metrics = tuple(metric.copy() for metric in metrics)
        self.evaluation = Evaluation(self.metrics, settings)
        unaligned = [metric.name for metric in self.metrics if not metric.aligns]
        if unaligned and sources.references > 1 and settings.refs != "max":
            raise InputError(
                f"--refs {settings.refs} is for metrics that align variables, and "
                f"{unaligned[0]} does not; leave it out, or name another metric"
            )
        self.evaluation.references = sources.references
        self._reporter = reporter
        self._sources = sources = _as_read(sources, self.metrics)
        self._as_sentences = all(metric.reads == "text" for metric in self.metrics)
        if settings.proofs != "leave":
            for metric in self.metrics:
                metric.check_recording()
        self.total = sources.count(self.metrics, settings.by_id)  # pairs, if known
        self._learned: dict[str, bytes] = {}
        for metric in self.metrics:
            self._fit(metric)
        self._chosen: Counting | None = None
        if settings.notes_documents or settings.intervals is not None:
            from exactmatch.scoring.documents import Documents

            self.evaluation.documents = Documents()

    def _fit(self, metric: Metric) -> None:
        sources = self._sources
        metric.expect_references(sources.references)
        if metric.preloads and not sources.read_once:
            sides = chain.from_iterable(sources.sides(metric.reads == "text"))
            metric.preload(map(text_of, sides))
            if remark := metric.remark():
                self.evaluation.corpus.of_inputs["vectors"] = [remark]
                self._reporter.warn("vectors", remark)
        if not metric.learns:
            return
        if metric.fitted:
            if self.settings.cache is not None:  # its keys lack what was learned
                raise InputError(
                    f"metric {metric.name!r} was fitted before, so its results "
                    "cannot be kept in a cache; give it unfitted, or use no cache"
                )
            return
        if sources.read_once:
            raise InputError(
                f"metric {metric.name!r} reads the references twice; name a file "
                "instead of standard input"
            )
        references = self._references(metric)
        if self.settings.cache is None:
            metric.fit(map(metric.prepare, references))
            return
        digest = Digest()
        metric.fit(map(metric.prepare, digest.watch(references)))
        self._learned[metric.name] = digest.checksum()

    def _references(self, metric: Metric) -> Iterator[Any]:
        sides = self._sources.sides(metric.reads == "text")[1:]
        for reference in chain.from_iterable(sides):
            if is_missing(reference) or (
                isinstance(reference, Block) and not reference.content
            ):
                continue
            try:
                item = metric.read(reference).item
            except GraphError:
                if self.settings.on_error == "raise":
                    raise
                continue
            yield item

    def pairs(self) -> Iterator[UnreadPair]:
        """Yield the pairs, not yet read."""
        settings, evaluation = self.settings, self.evaluation
        unpaired = evaluation.unpaired
        graphs = all(metric.reads == "graph" for metric in self.metrics)
        seen = evaluation.corpus.seen if graphs else None
        pairer = Pairer(
            settings.by_id, settings.on_error, self._warn_of_pairs, unpaired, seen
        )
        for pair in self._sources.pairs(pairer, self._as_sentences):
            evaluation.unpaired_first = pairer.without_id
            if evaluation.documents is not None:
                evaluation.documents.add(pair.index, next(iter(pair.golds), None))
            yield pair
        evaluation.unpaired_first = pairer.without_id

    def read(self, pair: UnreadPair) -> list[ReadPair | None]:
        """Read one pair for each metric; ``None`` where it is left out."""
        notes = Notes()
        reads = PairScorer(self.metrics, self.settings).read(pair, notes)
        self._add_notes(notes)
        return reads

    def results(self, what: str = "scoring") -> Generator[PairResult, None, None]:
        """Yield each pair's result under each metric, in order, and add them up.

        Raises:
            InputError: at the end, if there were pairs and none could be scored.
            KeyboardInterrupt: after Ctrl-C, once the interrupted pair's results are
                yielded with the bounds proved so far.
        """
        with self._reporter.progress(what, self.total) as steps:
            watch = Watch(steps.searching)
            limits = replace(self.settings.limits, watch=watch)
            scorer = PairScorer(self.metrics, self.settings, limits, self._learned)
            for number, results, notes in self._score(scorer):
                if notes:
                    self._add_notes(notes)
                for result in self._select(results):
                    self.evaluation.add(result)
                    if result.rejected:
                        name = f"{name_of(result.index, result.id)}: {result.metric}"
                        reason = f"certificate rejected: {result.rejected}"
                        self._reporter.warn("rejected", f"{name}: {reason}")
                    if isinstance(self._reporter, Listener):
                        self._reporter.pair(result)
                    yield result
                self.evaluation.predictions += number
                steps(number)
                watch.proceed()
        if self._chosen is not None:
            self._chosen.check()
        warns = any(metric.warns_of_names for metric in self.metrics)
        for kind, remark in self.evaluation.corpus.of_pairs(self.metrics):
            self._reporter.warn(kind, remark)
            if kind == "roles" and self._reporter is SILENCE and warns:
                warn_caller(remark)  # not only in the report
        if stored := self.evaluation.stored:
            count = several(stored, "result")
            self._reporter.note(f"{count} from the cache, proven when stored")
        are_cheap = all(m.packs and not m.aligns_sentences for m in self.metrics)
        if self.settings.cache is not None and are_cheap:
            names = " and ".join(metric.name for metric in self.metrics)
            self._reporter.note(
                f"a cache saves no time under {names}: scoring a pair of sentences "
                "takes less time than a look-up"
            )
        for kind, text in self.evaluation.conclude():
            self._reporter.warn(kind, text)

    def choose(self, selection: Selection) -> None:
        """Score only the pairs that a selection's ids and condition choose."""
        if selection.of_scored:
            self._chosen = self.evaluation.chosen = Counting(selection)

    def _select(self, results: Sequence[PairResult]) -> Iterator[PairResult]:
        """Yield the results of the chosen pairs."""
        if self._chosen is None:
            yield from results
            return
        for _, group in groupby(results, lambda result: result.index):
            pair_results = [*group]
            if self._chosen.chooses([*map(pair_record, pair_results)]):
                yield from pair_results

    def _score(
        self, scorer: PairScorer
    ) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
        pairs = self.pairs()
        if any(metric.reads == "text" for metric in self.metrics):
            pairs = self.evaluation.corpus.compared.watch(pairs)
        settings = self.settings
        if settings.executor is None and settings.jobs == 1:
            return scorer.score_all(pairs)
        from exactmatch.scoring.parallel import results_in_order

        return results_in_order(
            scorer, pairs, settings.jobs, settings.executor, self.total
        )

    def finish(
        self, take: Callable[[PairResult], None] | None = None, what: str = "scoring"
    ) -> Report:
        """Score all pairs and report.

        Args:
            take: called with each pair's result under each metric, in order.
            what: the name of the work, for the progress bar.

        Raises:
            KeyboardInterrupt: after Ctrl-C, unless the settings ask for a partial
                report.
        """
        if take is None and not self.settings.keep_pairs:
            self.settings = self.settings.replace(keep_solutions=False)
        kept: list[PairResult] = []
        try:
            with closing(self.results(what)) as results:
                for result in results:
                    if self.settings.keep_pairs:
                        kept.append(result)
                    if take is not None:
                        take(result)
            return self.evaluation.report(kept)
        except KeyboardInterrupt:
            if not self.settings.partial:
                raise
            self.evaluation.partial = True
        return self.evaluation.report(kept)

    def warn(self, kind: str, text: str) -> None:
        """Add a warning to the report, and pass it to the reporter."""
        self.evaluation.warn(kind, text)
        self._reporter.warn(kind, text)

    def _warn_of_pairs(self, kind: str, text: str) -> None:
        """Warn as a pairer does; the evaluation itself warns of the whole corpus."""
        if kind == "sentences":
            self._reporter.warn(kind, text)
        else:
            self.warn(kind, text)

    def _add_notes(self, notes: Notes) -> None:
        self.evaluation.add_notes(notes)
        for kind, text in notes.warnings:
            self._reporter.warn(kind, text)


def _as_read(sources: Sources, metrics: Sequence[Metric]) -> Sources:
    """Return the sources, as JSON documents if the metrics compare those."""
    names = [metric.name for metric in metrics if metric.reads == "document"]
    if not names:
        return sources
    others = [metric.name for metric in metrics if metric.reads != "document"]
    if others:
        raise InputError(
            f"metric {names[0]!r} compares JSON documents, and {others[0]!r} does not; "
            "name them in two runs"
        )
    return sources.of_documents()
