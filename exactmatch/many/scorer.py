"""Scores in the caller's own loop: references are read once, results added up.

A :class:`Scorer` is used as the metrics of torchmetrics and of Hugging Face's
*evaluate* are: ``update`` with predictions and references as they come, ``compute`` the
score of all of them, ``reset`` for the next round.  Several threads may share one.

Where both sides are prepared for Smatch, ``update`` runs in the compiled kernel without
Python's global lock (:mod:`exactmatch.many.packed`), so the threads of one process
score side by side.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, overload
from uuid import uuid4

import numpy as np

from exactmatch.base import values
from exactmatch.base.errors import InputError, PairError, warn_caller
from exactmatch.base.numbers import several
from exactmatch.base.options import documented, flag, option, redeclared, takes
from exactmatch.base.paths import path_of
from exactmatch.base.version import __version__
from exactmatch.formats.pairs import OnError, UnreadPair, only_block, sources
from exactmatch.formats.readings import GraphLike
from exactmatch.many.packed import (
    Floats,
    Keys,
    PackedGraphs,
    PackedScorer,
    UnpackableError,
    pack,
    recode,
)
from exactmatch.metrics.base import Metric
from exactmatch.metrics.options import Making, MetricNames
from exactmatch.metrics.score import Score
from exactmatch.scoring.documents import Documents, naming_of
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.options import (
    Extracting,
    OptionalIntervals,
    Pairing,
    Units,
    limit,
)
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.parts import check_same, identity_of
from exactmatch.scoring.reading import Digest, faults_of, read_one, taken_out
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import Settings
from exactmatch.scoring.sides import PreparedGraph
from exactmatch.scoring.sources import (
    as_list,
    id_of,
    is_missing,
    references_of,
    text_of,
)

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PreparedGraphs(Sequence[PreparedGraph]):
    """Graphs or sentences that a :class:`Scorer` has prepared; can be sliced.

    Attributes:
        graphs: each of them.
        packed: all of them in the form of the kernel, if it can score them.
        keys: the numbers that stand for concepts and roles in ``packed``.

    >>> import exactmatch
    >>> golds = exactmatch.Scorer().prepare(["(b / bark-01)", "(r / rain-01)"])
    >>> golds, len(golds[:1])
    (<2 prepared graphs>, 1)
    """

    graphs: tuple[PreparedGraph, ...]
    packed: PackedGraphs | None = None
    keys: Keys | None = None

    def __repr__(self) -> str:
        return f"<{len(self):,} prepared graph{'' if len(self) == 1 else 's'}>"

    def __len__(self) -> int:
        return len(self.graphs)

    @overload
    def __getitem__(self, key: int) -> PreparedGraph: ...

    @overload
    def __getitem__(self, key: slice) -> PreparedGraphs: ...

    def __getitem__(self, key: int | slice) -> PreparedGraph | PreparedGraphs:
        if not isinstance(key, slice):
            return self.graphs[key]
        is_plain = self.packed is not None and key.step in (None, 1)
        packed = self.packed[key] if self.packed and is_plain else None
        return PreparedGraphs(self.graphs[key], packed, self.keys)


Scorable: TypeAlias = GraphLike | PreparedGraph  # a graph or sentence
References: TypeAlias = Scorable | Sequence[Scorable]  # one, or several of a prediction


class ScorerOptions(OptionalIntervals, Units, Making, MetricNames, purpose="runs"):
    """Options of a :class:`Scorer`."""

    time_limit: float | None = limit("in seconds for each pair")
    seed: int = option(
        "seed of every random draw", default=0, read=values.integer, purpose="measures"
    )
    on_error: OnError = redeclared(
        Pairing,
        "on_error",
        about="what update and add do about a graph that cannot be read: an error "
        "(raise), leave its pair out (skip) or count it as an empty graph (empty)",
    )
    keep_pairs: bool = flag("whether the report holds each pair's result")


class AnswerScorerOptions(Extracting, ScorerOptions):
    """Options of a scorer that finds graphs in answers of models."""


class Scorer:
    """Score pairs in a loop of your own, and add them up.

    Raises:
        InputError: if an option is wrong.

    Example:
        >>> from exactmatch import Scorer
        >>> scorer = Scorer("smatch")
        >>> golds = scorer.prepare(["(w / want-01 :ARG0 (b / boy))", "(s / sleep-01)"])
        >>> scorer.score("(w / want-01 :ARG0 (g / girl))", golds[0]).f1
        0.75
        >>> scorer.update(["(w / want-01)", "(s / sleep-01)"], golds)
        >>> scorer.compute()
        smatch 0.8000 (P 1.0000 R 0.6667), 2 pairs, all proven
    """

    @takes(AnswerScorerOptions)
    def __init__(self, options: AnswerScorerOptions) -> None:
        self.settings = Settings(
            extract=options.extract,
            on_error=options.on_error,
            time_limit=options.time_limit,
            seed=options.seed,
            keep_pairs=options.keep_pairs,
            intervals=options.intervals(),
        )
        self.metric = options.one_metric("a Scorer").copy()
        sampling = self.settings.intervals
        self._has_documents = sampling is not None and sampling.unit == "document"
        self._scorer = PairScorer((self.metric,), self.settings)
        self._keys = Keys()
        self._preparation = _preparation(self.metric)
        self._packs = self.metric.packs
        self._lock = threading.Lock()
        self.reset()

    def __repr__(self) -> str:
        return f"<Scorer of {self.metric.name}: {self._next:,} pairs so far>"

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {k: v for k, v in vars(self).items() if k != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()

    def reset(self) -> None:
        """Forget all pairs; prepared graphs remain prepared."""
        with self._lock:
            self._evaluation = Evaluation((self.metric,), self.settings)
            if self._has_documents:
                self._evaluation.documents = Documents()
            self._pairs: list[PairResult] = []
            self._next = 0
            self._added_ids = {uuid4()}  # of all Scorers whose pairs are in the sums

    def prepare(self, graphs: Iterable[GraphLike] | os.PathLike[str]) -> PreparedGraphs:
        """Read and prepare graphs or sentences once, to be scored many times.

        A metric that learns from references learns from those of the first call.

        Args:
            graphs: a list of graphs or their texts, a column of a data frame, or the
                ``Path`` of a file.

        Raises:
            GraphError: if one of them cannot be read and *on_error* is ``raise``.
        """
        listed = self._listed(graphs)
        metric = self.metric
        if metric.preloads:
            metric.preload(text_of(graph) for graph in listed if not is_missing(graph))
        notes = Notes()
        sides = tuple(self._side_of(graph, notes) for graph in listed)
        with self._lock:
            self._evaluation.add_notes(notes)
        for number, side in enumerate(sides):
            if side.error is not None and self.settings.on_error == "raise":
                raise PairError(number, "prepared graph", side.error)
        readable = [side for side in sides if side.error is None]
        if metric.learns and not metric.fitted:
            metric.fit(side.prepared for side in readable)
            digest = Digest()
            deque(digest.watch(side.item for side in readable), maxlen=0)
            references = digest.checksum().hex()[:12]
            self._preparation = (
                f"{_preparation(metric)}, fitted to references {references}"
            )
            sides = tuple(self._with_preparation(side) for side in sides)
        packed = None
        if self._packs and len(readable) == len(sides):
            items = (side.item for side in sides)
            with self._lock, suppress(UnpackableError):
                packed = pack(metric, items, self._keys, learn=True)
        return PreparedGraphs(sides, packed, self._keys)

    def score(self, pred: Scorable, gold: References) -> Score:
        """Score one pair without adding it to the sums.

        Args:
            pred: the prediction, prepared or not.
            gold: its reference likewise, or a list of several.

        Raises:
            GraphError: if a graph cannot be read.
        """
        notes = Notes()
        sides = self._sides(pred, gold, notes)
        for side in sides:
            if side.error is not None:
                raise side.error
        for _, remark in notes.warnings:
            warn_caller(remark)
        metric, prepared = self.metric, [side.prepared for side in sides]
        row_of_pair = metric.pair_of(
            metric.compare_shared(prepared, self.settings.limits, "count")
        )
        return metric.scores(row_of_pair.statistics)

    def add(self, pred: Scorable, gold: References) -> PairResult | None:
        """Score one pair and add it to the sums.

        Returns:
            Its result; ``None`` if it is left out.

        Raises:
            GraphError: if a graph cannot be read and *on_error* is ``raise``.
        """
        notes = Notes()
        sides = self._sides(pred, gold, notes)
        name = next((side.id for side in (*sides[1:], sides[0]) if side.id), None)
        with self._lock:
            index = self._next
            self._next += 1
            self._evaluation.predictions += 1
            self._note_documents(index, sides[1:2])
        results: list[PairResult] = []
        try:
            scored_sides = [self._scorer.side(side) for side in sides]
            pair = UnreadPair(index, name, pred, (gold,))
            results = self._scorer.score_sides(pair, scored_sides, notes)
        finally:
            with self._lock:
                if notes:
                    self._evaluation.add_notes(notes)
                for result in results:
                    self._evaluation.add(result)
                    if self.settings.keep_pairs:
                        self._pairs.append(result)
        return results[0] if results else None

    def update(
        self,
        preds: Iterable[Scorable] | os.PathLike[str],
        golds: Iterable[References] | os.PathLike[str],
    ) -> None:
        """Score pairs and add them to the sums.

        If both sides come from :meth:`prepare`, the kernel scores them all without
        Python's global lock, unless pairs are kept or their time is limited.

        Args:
            preds: predictions, prepared or not: a list, or the ``Path`` of a file.
            golds: their references, in the same order.

        Raises:
            GraphError: if a graph cannot be read and *on_error* is ``raise``.
            InputError: if the sides differ in length, or graphs were prepared for
                another metric, with other options, or after other references were
                learned.
        """
        lefts = preds if isinstance(preds, PreparedGraphs) else self._listed(preds)
        rights = golds if isinstance(golds, PreparedGraphs) else self._listed(golds)
        if len(lefts) != len(rights):
            n, m = several(len(lefts), "prediction"), several(len(rights), "reference")
            raise InputError(
                f"{n} but {m}; give one reference, or a list of them, for each "
                "prediction"
            )
        if isinstance(lefts, PreparedGraphs) and isinstance(rights, PreparedGraphs):
            for prepared in (*lefts, *rights):
                self._check(prepared)
            rows = self._count(lefts, rights)
            if rows is not None:
                dropped = [
                    prepared.dropped for side in (lefts, rights) for prepared in side
                ]
                with self._lock:
                    first = self._next
                    self._next += len(rows)
                    self._note_documents(first, rights)
                    self._evaluation.predictions += len(rows)
                    faults = [left.faults for left in lefts if left.faults]
                    self._evaluation.add_notes(Notes(faults=faults))
                    self._evaluation.add_rows(self.metric, rows, dropped, first)
                return
        for pred, gold in zip(lefts, rights, strict=True):
            self.add(pred, gold)

    def merge(self, other: Scorer) -> Self:
        """Add the pairs of another Scorer, of another process or machine, to the sums.

        The report equals, to the last digit, that of one Scorer that was given our
        pairs first and then the other ones.

        Args:
            other: a Scorer with the same options; it stays as it is.

        Returns:
            This Scorer, so that ``functools.reduce(Scorer.merge, scorers)`` adds up
            many.

        Raises:
            InputError: if its options differ, its metric learned from other references,
                or its pairs were added before.

        >>> from exactmatch import Scorer
        >>> one, other = Scorer(), Scorer()
        >>> one.update(["(b / bark-01)"], ["(b / bark-01)"])
        >>> other.update(["(s / sleep-01)"], ["(r / rain-01)"])
        >>> one.merge(other).compute()
        smatch 0.7500 (P 0.7500 R 0.7500), 2 pairs, all proven
        """
        if not isinstance(other, Scorer):
            raise InputError(f"{other!r} is not a Scorer; merge takes a Scorer")
        locks = {id(scorer): scorer._lock for scorer in (self, other)}
        with ExitStack() as held_locks:
            in_order = sorted(locks.items())  # the same order in every thread
            for _, lock in in_order:
                held_locks.enter_context(lock)
            scorers: dict[str, Scorer] = {
                "this Scorer": self,
                "the other Scorer": other,
            }
            check_same(
                {k: identity_of(scorer._evaluation) for k, scorer in scorers.items()}
            )
            if self._preparation != other._preparation:
                raise InputError(
                    f"a Scorer that compares {other._preparation} cannot be merged "
                    f"into one that compares {self._preparation}"
                )
            if self._added_ids & other._added_ids:
                raise InputError(
                    "the pairs of this Scorer were added before; merge each Scorer once"
                )
            self._added_ids |= other._added_ids
            first = self._next
            self._evaluation.merge(other._evaluation)
            self._pairs += [
                replace(pair, index=first + pair.index) for pair in other._pairs
            ]
            self._next += other._next
        return self

    def compute(self) -> Report:
        """Return the score of all pairs so far."""
        with self._lock:
            pairs = sorted(self._pairs, key=lambda pair: pair.index)
            return self._evaluation.report(pairs)

    def _note_documents(self, first: int, golds: Iterable[PreparedGraph]) -> None:
        """Note the documents of references, if they are the units of intervals."""
        documents = self._evaluation.documents
        for index, gold in enumerate(golds if documents is not None else (), first):
            assert documents is not None
            documents.add(index, gold.document)

    def _count(self, lefts: PreparedGraphs, rights: PreparedGraphs) -> Floats | None:
        """Return the statistics of all pairs, a row each, if the kernel can score."""
        settings = self.settings
        if settings.keep_pairs or settings.time_limit is not None or not len(lefts):
            return None
        left_packed, right_packed = lefts.packed, rights.packed
        if (
            left_packed is None
            or right_packed is None
            or lefts.keys is None
            or rights.keys is None
        ):
            return None
        if lefts.keys is not rights.keys:
            right_packed = recode(right_packed, rights.keys, lefts.keys)
        numbers = np.arange(len(lefts), dtype=np.int32)
        scorer = PackedScorer(self.metric, left_packed, right_packed)
        counts = scorer.counts(numbers, numbers)
        return np.hstack((counts[:, [0, 0, 1, 2]], np.ones((len(counts), 2))))

    def _listed(self, graphs: Any) -> list[Any]:
        """Return the graphs or sentences of a list or of files."""
        is_text = self.metric.reads == "text"
        if (path := path_of(graphs)) is not None:
            (blocks,) = sources([path], is_text)
            return list(blocks)
        paths_in = ((item, path_of(item)) for item in as_list(graphs))
        return [
            item if path is None else only_block(path, is_text)
            for item, path in paths_in
        ]

    def _sides(
        self, pred: Scorable, gold: References, notes: Notes
    ) -> list[PreparedGraph]:
        golds = (gold,) if isinstance(gold, PreparedGraph) else references_of(gold)
        return [self._side_of(side, notes) for side in (pred, *golds)]

    def _side_of(self, graph: Any, notes: Notes) -> PreparedGraph:
        """Return a graph read and prepared; an empty graph if it has an error."""
        if isinstance(graph, PreparedGraph):
            self._check(graph)
            return graph
        metric = self.metric
        graph = taken_out(metric, graph, self.settings.extract)
        read = read_one(metric, graph)
        notes.remark(read)
        item = name = None
        if read.error is None:
            item = read.item
            name = item.id if hasattr(item, "id") else id_of(graph)
        prepared, faults = metric.prepare(read.item), faults_of(metric, graph, read)
        side = PreparedGraph(item, prepared, name, read.dropped, read.error, faults)
        if self._has_documents:
            side = side._replace(document=naming_of(graph))
        return self._with_preparation(side)

    def _with_preparation(self, prepared: PreparedGraph) -> PreparedGraph:
        """Return a graph with the identity of the scorer that prepared it."""
        return prepared._replace(preparation=self._preparation)

    def _check(self, prepared: PreparedGraph) -> None:
        """Refuse a graph that was prepared for another metric or other options."""
        if prepared.preparation != self._preparation:
            raise InputError(
                f"a graph was prepared for {prepared.preparation or 'no Scorer'}, but "
                f"this Scorer compares {self._preparation}; prepare it with this Scorer"
            )


def _preparation(metric: Metric) -> str:
    """Return the metric and options that graphs are prepared for, except the solver.

    The signature would not do: it reads a file of vectors, before it is known which
    words the graphs have.
    """
    kind, profile = type(metric), getattr(metric, "profile", None)
    options = vars(metric).get("options") or metric.signature()
    identity = (__version__, kind.__module__, kind.__qualname__, profile, options)
    digest = Digest()
    digest.add(repr(identity).encode())
    under = f"profile {profile.name}, " if profile else ""
    return f"{metric.name} ({under}options {digest.checksum().hex()[:12]})"


Scorer.__doc__ = documented(Scorer.__doc__ or "", AnswerScorerOptions)
