"""One pair under every metric: read, prepared, compared, its proof checked.

A :class:`PairScorer` is all that a process needs to score pairs.  It keeps no sums, so
pairs may be scored in any order and in any process; warnings and omissions go into
:class:`Notes`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from exactmatch.base.errors import InputError, PairError
from exactmatch.base.visible import visible
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import GivenPair, Omission
from exactmatch.metrics.base import Metric, Pair, ReadItem, chooses_roles
from exactmatch.scoring.reading import content_of, faults_of, read_one, taken_out
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.settings import Settings
from exactmatch.solvers.solution import Limits, Solution

if TYPE_CHECKING:
    from exactmatch.engine.problem import StatedProblem
    from exactmatch.scoring.cache import PairCache

Dropped: TypeAlias = tuple[tuple[str, int], ...]  # what a reader left out, how often
Faults: TypeAlias = tuple[str, ...]  # what is wrong with a text, by kind


@dataclass(eq=False)
class Notes:
    """Warnings, by kind, omissions and other things that come with results."""

    warnings: list[tuple[str, str]] = field(default_factory=list)
    omitted: list[Omission] = field(default_factory=list)
    faults: list[Faults] = field(default_factory=list)
    roles: set[str] = field(default_factory=set)  # for metrics that choose some

    def __bool__(self) -> bool:
        return bool(self.warnings or self.omitted or self.faults or self.roles)

    def remark(self, read: ReadItem) -> None:
        """Add a warning about each thing that a careful reader would have refused."""
        self.warnings += (("lenient", remark) for remark in read.remarks())


class ReadPair(NamedTuple):
    """A pair as a metric reads it."""

    items: tuple[Any, ...]  # the prediction, then its references
    problem: str | None = None  # where an empty graph stands in for a bad one
    dropped: Dropped = ()


class PreparedGraph(NamedTuple):
    r"""A graph or sentence, read and prepared once by a :class:`~exactmatch.Scorer`.

    Attributes:
        item: the graph or sentence; ``None`` if it cannot be read.
        prepared: what the metric compares.
        id: its ``# ::id``, if it has one.
        dropped: what was left out of its text, and how often.
        error: why it cannot be read.
        faults: what is wrong with its text, if it is not well-formed.

    >>> import exactmatch
    >>> golds = exactmatch.Scorer().prepare(["# ::id 7\n(b / bark-01)"])
    >>> golds[0].id
    '7'
    """

    item: Any
    prepared: Any
    id: str | None = None
    dropped: Dropped = ()
    error: InputError | None = None
    faults: Faults = ()

    def __repr__(self) -> str:
        return f"<prepared graph{'' if self.id is None else f' {visible(self.id)}'}>"


class Side:
    """One side of a pair, and what was made of it under each reading."""

    __slots__ = ("content", "faults", "given", "read", "ready")

    def __init__(self, given: Any) -> None:
        self.given = given
        self.read: dict[int, ReadItem] = {}
        self.ready: dict[int, PreparedGraph] = {}
        self.content: bytes | None = None
        self.faults: Faults = ()


Known: TypeAlias = dict[int, Side]  # those that come up again, by their numbers


class _Place(NamedTuple):
    """A metric, with the numbers of what it may share with others."""

    metric: Metric
    reading: int  # how sides are read
    preparation: int  # how they are prepared
    comparison: int  # how they are compared
    key: bytes  # all that determines its results in a cache, beside the pair itself
    role_names: Callable[[Any], set[str]] | None  # if options say which roles count


class PairScorer:
    """Scores pairs under several metrics."""

    cache: "PairCache | None" = None

    def __init__(
        self,
        metrics: Iterable[Metric],
        settings: Settings,
        limits: Limits | None = None,  # those of the settings, with a watch
        learned: Mapping[str, bytes] | None = None,  # checksums of references
    ) -> None:
        self.metrics = tuple(metrics)
        self.settings = settings
        self.limits = settings.limits if limits is None else limits
        self._learned = learned or {}
        self._want = settings.want
        keys = [b""] * len(self.metrics)
        if settings.cache is not None:  # few have one, and SQLite takes its time
            from exactmatch.scoring.cache import PairCache, metric_key

            self.cache = PairCache(settings.cache)
            keys = [
                metric_key(metric, settings.seed, self._learned.get(metric.name, b""))
                for metric in self.metrics
            ]
        numbers: dict[Any, int] = {}

        def number(shared: Any) -> int:
            return numbers.setdefault(shared, len(numbers))

        self._places: list[_Place] = []
        for metric, key in zip(self.metrics, keys, strict=True):
            reading = number(metric.reading)
            preparation = number((reading, metric.preparation))
            comparison = number((preparation, metric.comparison))
            names = metric.role_names if chooses_roles(metric) else None
            shared = reading, preparation, comparison
            self._places.append(_Place(metric, *shared, key, names))
        of_graphs = (p for p in self._places if p.metric.reads == "graph")
        self._of_graphs = tuple({p.reading: p.metric for p in of_graphs}.items())

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle for another process, which scores pairs in itself alone."""
        settings = replace(self.settings, jobs=1, executor=None)
        return type(self), (self.metrics, settings, self.limits, self._learned)

    def score(
        self, pair: GivenPair, notes: Notes, known: Known | None = None
    ) -> list[PairResult]:
        """Score one pair under every metric that can read it.

        The *notes* receive warnings and omissions.  What is *known* of objects that
        come up again is added to.
        """
        extract = self.settings.extract
        if extract is not None and self._of_graphs:
            metric = self._of_graphs[0][1]
            golds = tuple(taken_out(metric, gold, extract) for gold in pair.golds)
            pred = taken_out(metric, pair.pred, extract)
            pair = pair._replace(pred=pred, golds=golds)
        results = self.score_sides(pair, _sides(pair, known), notes)
        if known is not None:
            for number in pair.done:
                known.pop(number, None)
        return results

    def side(self, one: PreparedGraph) -> Side:
        """A side under the one metric, of what a ``Scorer`` has prepared."""
        (place,) = self._places
        side = Side(one)
        side.faults = one.faults
        item = place.metric.empty if one.error else one.item
        side.read[place.reading] = ReadItem(item, dropped=one.dropped, error=one.error)
        if one.error is None:
            side.ready[place.preparation] = one
        return side

    def score_sides(
        self, pair: GivenPair, sides: Sequence[Side], notes: Notes
    ) -> list[PairResult]:
        """The same for sides of which something may be read or prepared already."""
        results: list[PairResult] = []
        checked: list[tuple[Solution, str]] = []
        reads: Sequence[ReadPair | None] | None = None
        compared: dict[int, Any] = {}
        for number, place in enumerate(self._places):
            metric, problem = place.metric, None
            ready = [
                known
                for side in sides
                if (known := side.ready.get(place.preparation)) is not None
            ]
            if len(ready) < len(sides):
                if reads is None:
                    reads = self.read(pair, notes, sides)
                read = reads[number]
                if read is None:
                    continue
                problem = read.problem
                both = zip(sides, read.items, strict=True)
                ready = [_prepared(place, side, item) for side, item in both]
                if place.role_names is not None:
                    notes.roles.update(*map(place.role_names, read.items))
            shown = 1
            if metric.takes_one and len(ready) > 2:
                found, shown = self._combine(place, sides, ready, compared, checked)
            else:
                found = self._found(place, sides, ready, compared)
            if shown > 1:
                ready = [*ready[:1], ready[shown], *ready[1:shown], *ready[shown + 1 :]]
            result = self._result(metric, pair, ready, problem, found, checked)
            if self.settings.keep_graphs:
                own, other = sides[0], sides[shown]
                texts = _text_of(own, place.reading), _text_of(other, place.reading)
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

        The number 1 comes with the results and what is to be said: in the *notes* of
        all pairs, or in the pair's own.
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

    def _combine(
        self,
        place: _Place,
        sides: Sequence[Side],
        ready: Sequence[PreparedGraph],
        compared: dict[int, Any],
        checked: list[tuple[Solution, str]],
    ) -> tuple[Pair, int]:
        """Compare with each reference, and make one pair of all; say which is shown."""
        from exactmatch.scoring.references import combined

        pairs = []
        for k in range(1, len(ready)):
            both, own = [sides[0], sides[k]], compared.setdefault(-k, {})
            pairs.append(self._found(place, both, [ready[0], ready[k]], own))
        found, chosen = combined(place.metric, pairs, self.settings.refs)
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
        place: _Place,
        sides: Sequence[Side],
        ready: Sequence[PreparedGraph],
        compared: dict[int, Any],
    ) -> Pair:
        """Compare a pair under one metric, unless one that compares alike has.

        It is taken from the cache, which keeps neither alignment problems nor
        certificates, if it is there and no more is asked for.
        """
        metric, cache, key = place.metric, self.cache, b""
        if cache is not None:
            key = cache.checksum(place.key, *_contents(sides, ready, place.reading))
            more = self._want == "problem" or self.settings.keep_graphs
            kept = None if metric.aligns and more else cache.get(key)
            if kept is not None:
                return kept
        found = compared.get(place.comparison)
        if found is None:
            prepared = [side.prepared for side in ready]
            found = metric.find(prepared, self.limits, self._want)
            compared[place.comparison] = found
        row = metric.row(found)
        if cache is not None:
            cache.put(key, row)
        return row

    def read(
        self, pair: GivenPair, notes: Notes, sides: Sequence[Side] | None = None
    ) -> list[ReadPair | None]:
        """Read one pair for every metric; ``None`` where a metric does without it."""
        settings = self.settings
        sides = _sides(pair, None) if sides is None else sides
        found: list[ReadPair] = []
        is_whole = True
        for place in self._places:
            metric, items, problem = place.metric, [], pair.reason
            dropped: Dropped = ()
            for side in sides:
                read = side.read.get(place.reading)
                if read is None:
                    read = ReadItem(metric.empty)
                    if side.given is not None:
                        read = read_one(metric, side.given, settings.strict)
                    if read.lenient:
                        notes.remark(read)
                    side.read[place.reading] = read
                if (error := read.error) is not None:
                    given = side.given
                    if not isinstance(given, Block) or given.path is None:
                        what = "prediction" if side is sides[0] else "reference"
                        error = PairError(pair.index, what, error)
                    if settings.on_error == "fail":
                        raise error
                    problem = problem or str(error)
                items.append(read.item)
                dropped += read.dropped
            if metric.aligns_sentences and not found:
                from exactmatch.scoring.sentences import misnumbering_warnings

                for warning in misnumbering_warnings(items):
                    text = f"pair {pair.index + 1}: {warning}"
                    notes.warnings.append(("numbers", text))
            is_whole &= problem is None
            found.append(ReadPair(tuple(items), problem, dropped))
        return [*found] if is_whole else self._leave_out(pair, found, notes)

    def _note_faults(self, side: Side) -> None:
        for reading, metric in self._of_graphs:
            if (read := side.read.get(reading)) is None or side.faults:
                continue
            broken = isinstance(side.given, Block) and side.given.faults
            if read.error is not None or read.lenient or broken or side.given is None:
                side.faults = faults_of(metric, side.given, read)

    def _leave_out(
        self, pair: GivenPair, found: Sequence[ReadPair], notes: Notes
    ) -> list[ReadPair | None]:
        """Note what could not be read, and leave it out under ``on_error='skip'``."""
        settings = self.settings
        action: Any = "skipped" if settings.on_error == "skip" else "empty"
        reasons: dict[str, list[str]] = {}
        for metric, read in zip(self.metrics, found, strict=True):
            if read.problem is not None:
                reasons.setdefault(read.problem, []).append(metric.name)
        fine = [None if read.problem is not None else read for read in found]
        if not any(fine) or (settings.common and action == "skipped"):
            reasons = {next(iter(reasons)): []}
        for reason, names in reasons.items():
            omission = Omission(pair.index, pair.id, reason, action, tuple(names))
            notes.omitted.append(omission)
        if action == "empty":
            return [*found]
        return [None] * len(found) if settings.common else fine

    def _result(
        self,
        metric: Metric,
        pair: GivenPair,
        ready: Sequence[PreparedGraph],
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


def _prepared(place: _Place, side: Side, item: Any) -> PreparedGraph:
    """A side as it was read, prepared; what can be read is kept with it."""
    if (ready := side.ready.get(place.preparation)) is not None:
        return ready
    prepared, read = place.metric.prepare(item), side.read[place.reading]
    if read.error is not None:
        return PreparedGraph(item, prepared)
    name = None if isinstance(side.given, Block) else getattr(item, "id", None)
    ready = PreparedGraph(item, prepared, name, read.dropped)
    if side.given is not None:
        side.ready[place.preparation] = ready
    return ready


def _rejection(
    stated: "StatedProblem", solution: Solution, checked: list[tuple[Solution, str]]
) -> str:
    """Why a certificate is refused, checked once for each solution of a pair."""
    for known, verdict in checked:
        if known is solution:
            return verdict
    verdict = solution.refusal(stated.problem)
    checked.append((solution, verdict))
    return verdict


def _contents(
    sides: Sequence[Side], ready: Sequence[PreparedGraph], reading: int
) -> Iterator[bytes]:
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
    both = zip(pair.numbers, sides, strict=True)
    return [known.setdefault(number, Side(given)) for number, given in both]
