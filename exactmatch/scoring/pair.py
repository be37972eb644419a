"""One pair under every metric: read, prepared, compared, its proof checked.

A :class:`PairScorer` is all that a process needs to score pairs.  It keeps no sums, so
pairs may be scored in any order and in any process; warnings and omissions go into
:class:`Notes`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.base.errors import InputError, PairError
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import GivenPair, Omission
from exactmatch.metrics.base import Metric, Pair, ReadItem, chooses_roles
from exactmatch.scoring.reading import faults_of, read_one, taken_out
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import Settings
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:
    from exactmatch.engine.problem import StatedProblem
    from exactmatch.scoring.cache import PairCache


_NOTHING: Mapping[str, bytes] = {}


@dataclass(eq=False)
class Notes:
    """Warnings and omissions that come with results.

    Attributes:
        warnings: the kind and the text of each.
        omitted: the pairs that were left out, or have an empty graph in a place.
        faults: what is wrong with each prediction that is not well-formed.
        roles: those of the graphs, for metrics that choose some.
    """

    warnings: list[tuple[str, str]] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    faults: list[tuple[str, ...]] = field(default_factory=list)
    roles: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        return bool(self.warnings or self.omitted or self.faults or self.roles)

    def warn(self, kind: str, text: str) -> None:
        """Add a warning."""
        self.warnings.append((kind, text))

    def remark(self, read: ReadItem) -> None:
        """Add a warning about each thing that a careful reader would have refused."""
        for remark in read.remarks():
            self.warn("lenient", remark)

    def clear(self) -> None:
        """Forget what was said."""
        for noted in vars(self).values():
            noted.clear()


class ReadPair(NamedTuple):
    """A pair as a metric reads it.

    Attributes:
        items: the prediction, then its references.
        problem: what was wrong, where an empty graph stands in for a bad one.
        dropped: what the reader left out, and how often.
    """

    items: tuple[Any, ...]
    problem: str | None = None
    dropped: tuple[tuple[str, int], ...] = ()


class Ready(NamedTuple):
    """One side of a pair, read without trouble and prepared."""

    item: Any
    prepared: Any
    dropped: tuple[tuple[str, int], ...]
    id: str | None


class Side:
    """One side of a pair, and what was made of it under each reading."""

    __slots__ = ("content", "faults", "given", "read", "ready")

    def __init__(self, given: Any) -> None:
        self.given = given
        self.read: dict[int, ReadItem] = {}
        self.ready: dict[int, Ready] = {}
        self.content: bytes | None = None
        self.faults: tuple[str, ...] = ()


Known: TypeAlias = dict[int, Side]
"""The sides that come up again, by their numbers."""


class PairScorer:
    """Scores pairs under several metrics.

    Attributes:
        metrics: what is measured.
        settings: what happens to unreadable graphs, what a solver may do, what is kept.
        limits: those of the settings, with a watch on the solvers.

    Args:
        learned: for each metric that has learned from references, their checksum.
    """

    def __init__(
        self,
        metrics: Iterable[Metric],
        settings: Settings,
        limits: Limits | None = None,
        learned: Mapping[str, bytes] = _NOTHING,
    ) -> None:
        self.metrics = tuple(metrics)
        self.settings = settings
        self._learned = learned
        self.limits = settings.limits if limits is None else limits
        self._want = settings.want
        self._places = []
        self._comparisons: list[int] = []
        numbers: dict[Any, int] = {}
        for metric in self.metrics:
            reading = _number(numbers, metric.reading)
            preparation = _number(numbers, (reading, metric.preparation))
            comparison = _number(numbers, (preparation, metric.comparison))
            self._places.append((metric, reading, preparation))
            self._comparisons.append(comparison)
        graphs = {r: m for m, r, _ in self._places if m.reads == "graph"}
        self._of_graphs = tuple(graphs.items())
        self._choose_roles = tuple(map(chooses_roles, self.metrics))
        self.cache: PairCache | None = None
        if settings.cache is not None:  # few have one, and SQLite takes its time
            from exactmatch.scoring.cache import PairCache, metric_key

            self.cache = PairCache(settings.cache)
            self._keys = [
                metric_key(metric, settings.seed, learned.get(metric.name, b""))
                for metric in self.metrics
            ]

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for another process, which scores pairs in itself alone."""
        settings = self.settings.elsewhere()
        return type(self), (self.metrics, settings, self.limits, self._learned)

    def score(
        self, pair: GivenPair, notes: Notes, known: Known | None = None
    ) -> list[PairResult]:
        """Score one pair under every metric that can read it.

        Args:
            pair: what is to be compared.
            notes: receives warnings and omissions.
            known: what is known of objects that come up again; it is added to.

        Raises:
            GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
        """
        if self.settings.extract is not None and self._of_graphs:
            pair = self._taken_out(pair)
        results = self.score_sides(pair, _sides(pair, known), notes)
        if known is not None:
            for number in pair.done:
                known.pop(number, None)
        return results

    def _taken_out(self, pair: GivenPair) -> GivenPair:
        """The pair with the graphs in answers that are texts in memory."""
        extract, (_, metric) = self.settings.extract, self._of_graphs[0]
        golds = tuple(taken_out(metric, gold, extract) for gold in pair.golds)
        return pair._replace(pred=taken_out(metric, pair.pred, extract), golds=golds)

    def side(
        self, read: ReadItem | None, ready: Ready, faults: tuple[str, ...]
    ) -> Side:
        """A side under the one metric, as it was read and prepared before.

        Args:
            read: what was read; may be ``None`` where no side of the pair has an error.
            ready: what was prepared.
            faults: what is wrong with the text.
        """
        side = Side(ready)
        ((_, reading, preparation),) = self._places
        side.faults = faults
        if read is not None:
            side.read[reading] = read
        if read is None or read.error is None:
            side.ready[preparation] = ready
        return side

    def score_sides(
        self, pair: GivenPair, sides: Sequence[Side], notes: Notes
    ) -> list[PairResult]:
        """The same for sides of which something may be read or prepared already."""
        results: list[PairResult] = []
        checked: list[tuple[Solution, str]] = []
        reads: Sequence[ReadPair | None] | None = None
        known_of_pair: dict[int, Any] = {}
        for place, (metric, reading, preparation) in enumerate(self._places):
            problem = None
            ready = _all_ready(sides, preparation)
            if ready is None:
                if reads is None:
                    reads = self._read(pair, sides, notes)
                read = reads[place]
                if read is None:
                    continue
                problem = read.problem
                ready = [
                    self._ready(metric, side, item, reading, preparation)
                    for side, item in zip(sides, read.items, strict=True)
                ]
                if self._choose_roles[place]:
                    assert chooses_roles(metric)
                    notes.roles.update(*map(metric.role_names, read.items))
            shown = 1
            if metric.takes_one and len(ready) > 2:
                found, shown = self._combine(
                    place, sides, ready, known_of_pair, checked
                )
            else:
                found = self._found(place, sides, ready, known_of_pair)
            if shown > 1:
                ready = [*ready[:1], ready[shown], *ready[1:shown], *ready[shown + 1 :]]
            result = self._result(metric, pair, ready, problem, found, checked)
            if self.settings.keep_graphs:
                texts = _text_of(sides[0], reading), _text_of(sides[shown], reading)
                result = replace(result, texts=texts)
            results.append(result)
        self._note_faults(sides[0])
        if faults := sides[0].faults:
            notes.faults.append(faults)
            results = [replace(result, faults=faults) for result in results]
        return results

    def score_all(
        self, pairs: Iterable[GivenPair], notes: Notes | None = None
    ) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
        """Score pairs one by one, and write what is to be kept in a cache.

        Args:
            pairs: taken as they are needed.
            notes: receives what is to be said of all pairs; default: those of each
                pair, which are cleared when the next one is asked for.

        Yields:
            The number 1, with the results and what is to be said.
        """
        known, ours = Known(), Notes() if notes is None else notes
        interrupted = True
        try:
            for pair in pairs:
                yield 1, self.score(pair, ours, known), ours
                if notes is None and ours:
                    ours.clear()
            interrupted = False
        finally:
            if self.cache is not None:
                self.cache.close(hurry=interrupted)

    def _compare(
        self, place: int, ready: Sequence[Ready], known: dict[int, Any]
    ) -> Pair:
        """Compare a pair under one metric.

        Args:
            place: the metric's.
            ready: both sides, or more.
            known: what metrics that compare alike have found of this pair.
        """
        metric, comparison = self.metrics[place], self._comparisons[place]
        found = known.get(comparison)
        if found is None:
            found = known[comparison] = metric.find(
                [side.prepared for side in ready], self.limits, self._want
            )
        return metric.row(found)

    def _combine(
        self,
        place: int,
        sides: Sequence[Side],
        ready: Sequence[Ready],
        known: dict[int, Any],
        checked: list[tuple[Solution, str]],
    ) -> tuple[Pair, int]:
        """Compare with each reference by itself, and make one pair of all.

        Returns:
            The pair, and the place of the reference that is shown among the sides.
        """
        from exactmatch.scoring.references import combined

        pairs = [
            self._found(
                place,
                [sides[0], sides[k]],
                [ready[0], ready[k]],
                known.setdefault(-k, {}),
            )
            for k in range(1, len(ready))
        ]
        found, chosen = combined(self.metrics[place], pairs, self.settings.refs)
        if self.settings.proofs == "check" and found.solution is not None:
            # the proof of the best reference rests on those of all others
            refused = (
                _rejection(pair.stated, pair.solution, [])
                for pair in pairs
                if pair.stated is not None and pair.solution is not None
            )
            checked.append((found.solution, "; ".join(filter(None, refused))))
        return found, 1 + chosen

    def _found(
        self,
        place: int,
        sides: Sequence[Side],
        ready: Sequence[Ready],
        known: dict[int, Any],
    ) -> Pair:
        """The same, from the cache if it is there and no more is asked for.

        The cache keeps neither alignment problems nor certificates.
        """
        if self.cache is None:
            return self._compare(place, ready, known)
        metric, reading, _ = self._places[place]
        contents = _contents(sides, ready, reading)
        key = self.cache.key(self._keys[place], contents)
        more = self._want == "problem" or self.settings.keep_graphs
        if not (metric.aligns and more):
            kept = self.cache.get(key)
            if kept is not None:
                return kept
        found = self._compare(place, ready, known)
        self.cache.put(key, found)
        return found

    def _ready(
        self, metric: Metric, side: Side, item: Any, reading: int, preparation: int
    ) -> Ready:
        if (ready := side.ready.get(preparation)) is not None:
            return ready
        prepared = metric.prepare(item)
        read = side.read[reading]
        if read.error is not None:
            return Ready(item, prepared, (), None)
        name = None if isinstance(side.given, Block) else getattr(item, "id", None)
        ready = Ready(item, prepared, read.dropped, name)
        if side.given is not None:
            side.ready[preparation] = ready
        return ready

    def read(self, pair: GivenPair, notes: Notes) -> list[ReadPair | None]:
        """Read one pair for every metric; ``None`` where a metric does without it.

        Raises:
            GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
        """
        return self._read(pair, _sides(pair, None), notes)

    def _read(
        self, pair: GivenPair, sides: Sequence[Side], notes: Notes
    ) -> list[ReadPair | None]:
        found: list[ReadPair | None] = []
        troubled = False
        for metric, reading, _ in self._places:
            items, problem = [], pair.reason
            dropped: tuple[tuple[str, int], ...] = ()
            for side in sides:
                item = side.read.get(reading)
                if item is None:
                    item = side.read[reading] = self._item(metric, side.given, notes)
                if item.error is not None:
                    error = _pair_error(item.error, pair, side.given, side is sides[0])
                    if self.settings.on_error == "fail":
                        raise error
                    problem = problem or str(error)
                items.append(item.item)
                dropped += item.dropped
            troubled |= problem is not None
            if metric.aligns_sentences and not found:
                from exactmatch.scoring.sentences import misnumbering_warnings

                for told in misnumbering_warnings(items):
                    notes.warn("numbers", f"pair {pair.index + 1}: {told}")
            found.append(ReadPair(tuple(items), problem, dropped))
        return self._leave_out(pair, found, notes) if troubled else found

    def _note_faults(self, side: Side) -> None:
        for reading, metric in self._of_graphs:
            if (read := side.read.get(reading)) is None or side.faults:
                continue
            broken = isinstance(side.given, Block) and side.given.faults
            if read.error is not None or read.lenient or broken or side.given is None:
                side.faults = faults_of(metric, side.given, read)

    def _item(self, metric: Metric, given: Any, notes: Notes) -> ReadItem:
        if given is None:
            return ReadItem(metric.empty)
        read = read_one(metric, given, self.settings.strict)
        if read.lenient:
            notes.remark(read)
        return read

    def _leave_out(
        self, pair: GivenPair, found: Sequence[ReadPair | None], notes: Notes
    ) -> list[ReadPair | None]:
        """Note what could not be read, and leave it out under ``on_error='skip'``."""
        settings = self.settings
        action: Any = "skipped" if settings.on_error == "skip" else "empty"
        reasons: dict[str, list[str]] = {}
        fine = 0
        for (metric, _, _), read in zip(self._places, found, strict=True):
            if read is None or read.problem is None:
                fine += 1
            else:
                reasons.setdefault(read.problem, []).append(metric.name)
        if not fine or (settings.common and action == "skipped"):
            reasons = {next(iter(reasons)): []}
        for reason, names in reasons.items():
            omission = Omission(pair.index, pair.id, reason, action, tuple(names))
            notes.omitted.append(omission)
        if action == "empty":
            return list(found)
        if settings.common:
            return [None] * len(found)
        return [None if read is None or read.problem else read for read in found]

    def _result(
        self,
        metric: Metric,
        pair: GivenPair,
        ready: Sequence[Ready],
        problem: str | None,
        found: Pair,
        checked: list[tuple[Solution, str]],
    ) -> PairResult:
        settings, stated, rejected = self.settings, found.stated, None
        pred = gold = None
        if settings.proofs == "check" and stated is not None and found.solution:
            rejected = _rejection(stated, found.solution, checked)
        if settings.keep_graphs:
            pred, gold = ready[0].item, ready[1].item
            if stated is not None:
                pred, gold = stated.left.graph, stated.right.graph
        return PairResult(
            pair.index,
            ready[1].id if pair.id is None else pair.id,
            metric.scores(found.statistics),
            found.statistics,
            found.solution,
            pred,
            gold,
            problem,
            rejected,
            stated if settings.keep_problems else None,
            sum([r.dropped for r in ready if r.dropped], ()),
            stored=found.stored,
        )


def _number(numbers: dict[Any, int], key: Any) -> int:
    return numbers.setdefault(key, len(numbers))


def _pair_error(
    error: InputError, pair: GivenPair, given: Any, is_prediction: bool
) -> InputError:
    """The error of what is in memory with the number of its pair; files have lines."""
    if isinstance(given, Block) and given.path is not None:
        return error
    side = "prediction" if is_prediction else "reference"
    return PairError(pair.index, side, error)


def _rejection(
    stated: StatedProblem, solution: Solution, checked: list[tuple[Solution, str]]
) -> str:
    """Why a certificate is refused, checked once for each solution of a pair."""
    for known, verdict in checked:
        if known is solution:
            return verdict
    from exactmatch.scoring.proofs import check_proof

    verdict = check_proof(stated, solution)
    checked.append((solution, verdict))
    return verdict


def _all_ready(sides: Sequence[Side], preparation: int) -> list[Ready] | None:
    """All sides as prepared before, or ``None`` if one was not."""
    found = []
    for side in sides:
        ready = side.ready.get(preparation)
        if ready is None:
            return None
        found.append(ready)
    return found


def _contents(
    sides: Sequence[Side], ready: Sequence[Ready], reading: int
) -> Iterator[bytes]:
    from exactmatch.scoring.contents import content_of

    for side, one in zip(sides, ready, strict=True):
        read = side.read.get(reading)
        if read is not None and read.error is not None:
            yield b""  # an empty graph stands in for it
        elif not isinstance(side.given, Block):
            yield content_of(one.item)
        else:
            if side.content is None:
                side.content = content_of(side.given)
            yield side.content


def _text_of(side: Side, reading: int) -> str | None:
    """Return the text of a graph, without comments where it is a file's."""
    read, given = side.read.get(reading), side.given
    if read is None or read.error is not None:
        return None
    if isinstance(given, Block):
        return "\n".join(given.content)
    return given if isinstance(given, str) else None


def _sides(pair: GivenPair, known: Known | None) -> list[Side]:
    """The sides of a pair, with what is known of those that came up before."""
    sides = (pair.pred, *pair.golds)
    if known is None or not pair.numbers:
        return [Side(side) for side in sides]
    found = []
    for number, given in zip(pair.numbers, sides, strict=True):
        side = known.get(number)
        if side is None:
            side = known[number] = Side(given)
        found.append(side)
    return found
