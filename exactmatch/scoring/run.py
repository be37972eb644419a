"""Score files, or what is in memory: pairs in, results one by one, a report at the end.

All scoring goes through here: sources are paired, metrics are fitted, every pair is
scored in this process or in others, and the results are added up in order.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain
from typing import Any

from exactmatch.base.errors import GraphError, InputError
from exactmatch.base.numbers import several
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import GivenPair, Pairer
from exactmatch.metrics import metrics_of
from exactmatch.metrics.base import Metric, roles_missed
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.pair import Notes, PairScorer, ReadPair
from exactmatch.scoring.reading import Digest
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener, Reporter
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.scoring.sentences import SentencesCompared, with_sentences
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sources import Files, Sources, is_missing
from exactmatch.solvers.solution import Watch


def evaluate_files(
    pred: str | os.PathLike[str],
    *golds: str | os.PathLike[str],
    metrics: str | Metric | Iterable[str | Metric] = "smatch",
    settings: Settings | None = None,
    reporter: Reporter = SILENCE,
    take: Callable[[PairResult], None] | None = None,
) -> Report:
    """Score a file of predictions against one or more files of references.

    Args:
        pred: predicted graphs (or sentences): a file, ``.gz`` or not, a folder, or
            ``-`` for standard input.
        *golds: files of references; with several, the best of them counts for each
            pair, unless the settings say otherwise.
        metrics: the metrics, by name or made by :func:`exactmatch.make_metric`;
            ``all`` for every metric that the files have data for.
        settings: pairing, errors, limits, processes, and the results that are kept.
        reporter: receives progress and warnings; default: nobody.
        take: called with each pair's result under each metric, in order.

    Returns:
        The corpus scores, each pair's result, warnings and omissions.

    Raises:
        InputError: if a file cannot be read, graphs cannot be paired, or no pair can
            be scored.
        KeyboardInterrupt: after Ctrl-C, unless the settings ask for a partial report.

    >>> import exactmatch
    >>> from importlib.resources import files
    >>> sample = files("exactmatch") / "sample"
    >>> paths = [str(sample / name) for name in ("pred.amr", "gold.amr")]
    >>> report = exactmatch.evaluate_files(*paths)
    >>> round(report["smatch"].score.f1, 4)
    0.788
    """
    paths = []
    for path in (pred, *golds):
        if not isinstance(path, str | os.PathLike):
            raise InputError(
                f"{type(path).__name__} is no path of a file; metrics are named by "
                "metrics=, and graphs in memory are scored by exactmatch.evaluate"
            )
        paths.append(os.fspath(path))
    if len(paths) < 2:
        raise InputError("name predictions and references; there are two or more files")
    from exactmatch.formats.mistaken_files import remarks

    chosen = settings or Settings()
    files = Files(paths, chosen.how_read, chosen.framework)
    made = metrics_of(metrics)
    if metrics == "all":
        made = with_sentences(made, files, chosen, reporter)
    run = Run(files, made, chosen, reporter)
    for remark in remarks(paths[1:], {os.path.basename(paths[0]): paths[0]}):
        run.warn("files", remark)
    return run.finish(take)


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
        self._sources = sources
        self._as_sentences = all(metric.reads == "text" for metric in self.metrics)
        if settings.proofs != "leave":
            for metric in self.metrics:
                metric.check_recording()
        self.total = sources.count(self.metrics, settings.by_id)  # if it is known
        self._learned: dict[str, bytes] = {}
        for metric in self.metrics:
            self._teach(metric)
        self._sentences = SentencesCompared()
        self._roles: set[str] = set()

    def _teach(self, metric: Metric) -> None:
        sources = self._sources
        metric.expect_references(sources.references)
        if metric.preloads and not sources.read_once:
            every = chain.from_iterable(sources.sides(metric.reads == "text"))
            metric.preload(map(_text_of, every))
        if not metric.learns:
            return
        if metric.fitted:
            if self.settings.cache is not None:  # what it learned would be overlooked
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
        for given in chain.from_iterable(sides):
            if is_missing(given) or (isinstance(given, Block) and not given.content):
                continue
            try:
                item = metric.read(given).item
            except GraphError:
                if self.settings.on_error == "fail":
                    raise
                continue
            yield item

    def pairs(self) -> Iterator[GivenPair]:
        """The pairs, not yet read."""
        settings, evaluation = self.settings, self.evaluation
        unpaired = evaluation.unpaired
        pairer = Pairer(settings.by_id, settings.on_error, self.warn, unpaired)
        for number, pair in enumerate(self._sources.pairs(pairer, self._as_sentences)):
            if not number:
                evaluation.unpaired_first = len(unpaired)
            yield pair

    def read(self, pair: GivenPair) -> list[ReadPair | None]:
        """Read one pair for each metric; ``None`` where a metric does without it."""
        notes = Notes()
        found = PairScorer(self.metrics, self.settings).read(pair, notes)
        self._hear(notes)
        return found

    def results(self, what: str = "scoring") -> Generator[PairResult, None, None]:
        """Every pair's result under every metric, in order; they are added up.

        Raises:
            InputError: at the end, if there were pairs and none could be scored.
            KeyboardInterrupt: after Ctrl-C; the results of the pair that was being
                searched come first, with the bound that was proved until then.
        """
        with self._reporter.progress(what, self.total) as steps:
            watch = Watch(steps.searching)
            limits = replace(self.settings.limits, watch=watch)
            scorer = PairScorer(self.metrics, self.settings, limits, self._learned)
            for number, results, notes in self._score(scorer):
                if notes:
                    self._hear(notes)
                for result in results:
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
        if self._sentences.all_same:
            self.warn("sentences", self._sentences.warning)
        for remark in roles_missed(self.metrics, self._roles):
            self.warn("roles", remark)
        if stored := self.evaluation.stored:
            found = several(stored, "result")
            self._reporter.note(f"{found} from the cache, proven when stored")
        are_cheap = all(m.packs and not m.aligns_sentences for m in self.metrics)
        if self.settings.cache is not None and are_cheap:
            names = " and ".join(metric.name for metric in self.metrics)
            self._reporter.note(
                f"a cache saves no time under {names}, whose pairs of sentences cost "
                "less than a look-up"
            )
        self._check_scored()

    def _score(
        self, scorer: PairScorer
    ) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
        pairs = self.pairs()
        if any(metric.reads == "text" for metric in self.metrics):
            pairs = self._sentences.watch(pairs)
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
        """Score all pairs and report; see :func:`evaluate_files`."""
        if take is None and not self.settings.keep_pairs:
            self.settings = replace(self.settings, keep_solutions=False)
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
        """Warn the reporter, and in the report."""
        self.evaluation.warn(kind, text)
        self._reporter.warn(kind, text)

    def _hear(self, notes: Notes) -> None:
        self.evaluation.hear(notes)
        self._roles |= notes.roles
        for kind, text in notes.warnings:
            self._reporter.warn(kind, text)

    def _check_scored(self) -> None:
        omitted = self.evaluation.omitted
        if not omitted:
            return
        reason = omitted[0].reason
        idle = self.evaluation.idle()
        if len(idle) == len(self.metrics):
            more = len(omitted) - 1
            others = f" (and {more} more)" if more else ""
            raise InputError(f"no pair could be scored: {reason}{others}")
        for name in idle:
            self.warn("nothing", f"{name} has scored no pair: {reason}")


def _text_of(given: Any) -> str:
    return "\n".join(given.lines) if isinstance(given, Block) else str(given)
