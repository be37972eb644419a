"""The sides of a pair on their way: unread, read, and prepared.

A side is the prediction or a reference of a pair.  It is read once for all metrics that
read alike, and prepared once for all that prepare alike:

    Side.item       "(b / bark-01)", a block of a file, a networkx graph …
      │  read_side      once for each way to read, such as smatch's
      ▼
    Side.read       {reading: ReadItem(Graph)}
      │  prepare_side   once for each way to prepare, such as Smatch's coding
      ▼
    Side.prepared   {preparation: PreparedGraph}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from exactmatch.base.deadline import in_reading_time
from exactmatch.base.errors import InputError
from exactmatch.base.records import NamedTuple
from exactmatch.base.visible import visible
from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import UnreadPair
from exactmatch.metrics.base import Metric, ReadItem
from exactmatch.scoring.documents import Naming
from exactmatch.scoring.notes import Dropped, Faults, Notes
from exactmatch.scoring.reading import content_of, read_one
from exactmatch.scoring.results import GraphOfText


class PreparedGraph(NamedTuple):
    r"""A graph or sentence, read and prepared once by a :class:`~exactmatch.Scorer`.

    Attributes:
        item: the graph or sentence; ``None`` if it cannot be read.
        prepared: what the metric compares.
        id: its ``# ::id``, if it has one.
        dropped: what was left out of its text, and how often.
        error: why it cannot be read.
        faults: what is wrong with its text, if it is not well-formed.
        preparation: the metric, options and learned data that it was prepared for.
        document: how to name its document, if intervals are over documents.

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
    preparation: str = ""
    document: Naming | None = None

    def __repr__(self) -> str:
        return f"<prepared graph{'' if self.id is None else f' {visible(self.id)}'}>"


class Side:
    """One side of a pair, with what was read and prepared of it.

    Attributes:
        item: the side, unread.
        read: the graph or sentence, by reading.
        prepared: what the metrics compare, by preparation.
        content: all that a metric may use, as bytes for a cache key.
        faults: the kinds of faults of its text.
    """

    __slots__ = ("content", "faults", "item", "prepared", "read")

    def __init__(self, item: Any) -> None:
        self.item = item
        self.read: dict[int, ReadItem] = {}
        self.prepared: dict[int, PreparedGraph] = {}
        self.content: bytes | None = None
        self.faults: Faults = ()


Known: TypeAlias = dict[int, Side]  # sides that occur in several pairs, by number


class Plan(NamedTuple):
    """A metric, with numbers that are equal for metrics that share work.

    Attributes:
        metric: the metric.
        reading: equal for metrics that read sides alike.
        preparation: equal for metrics that also prepare sides alike.
        comparison: equal for metrics that also compare pairs alike.
        key: its part of a cache key: all that its results depend on except the pair.
        names_in: lists the names in an item; ``None`` if no option chooses by name.
    """

    metric: Metric
    reading: int
    preparation: int
    comparison: int
    key: bytes
    names_in: Callable[[Any], set[str]] | None


def plans_of(metrics: Iterable[Metric], keys: Iterable[bytes]) -> list[Plan]:
    """Return the plan of each metric; the keys are for a cache."""
    numbers: dict[Any, int] = {}

    def number(shared: Any) -> int:
        return numbers.setdefault(shared, len(numbers))

    plans = []
    for metric, key in zip(metrics, keys, strict=True):
        reading = number(metric.reading_key)
        preparation = number((reading, metric.preparation_key))
        comparison = number((preparation, metric.comparison_key))
        names = metric.names_in if metric.chooses_names else None
        plans.append(Plan(metric, reading, preparation, comparison, key, names))
    return plans


def sides_of(pair: UnreadPair, known: Known | None = None) -> list[Side]:
    """Return the sides of a pair; *known* sides keep what was read and prepared."""
    sides = (pair.pred, *pair.golds)
    if known is None or not pair.numbers:
        return [Side(side) for side in sides]
    numbered = zip(pair.numbers, sides, strict=True)
    return [known.setdefault(number, Side(item)) for number, item in numbered]


def read_side(plan: Plan, side: Side, notes: Notes, strict: bool) -> ReadItem:
    """Read a side for a metric, unless it is already read so; note remarks."""
    read = side.read.get(plan.reading)
    if read is None:
        read = ReadItem(plan.metric.empty)
        if side.item is not None:
            read = read_one(plan.metric, side.item, strict)
        if read.lenient:
            notes.remark(read)
        side.read[plan.reading] = read
    return read


def prepare_side(plan: Plan, side: Side, item: Any) -> PreparedGraph:
    """Prepare a side that was read, unless it is already prepared so.

    An empty graph in the place of an unreadable one is not kept.
    """
    if (prepared := side.prepared.get(plan.preparation)) is not None:
        return prepared
    comparable = in_reading_time(plan.metric.prepare, item)
    read = side.read[plan.reading]
    if read.error is not None:
        return PreparedGraph(item, comparable)
    name = None if isinstance(side.item, Block) else getattr(item, "id", None)
    prepared = PreparedGraph(item, comparable, name, read.dropped)
    if side.item is not None:
        side.prepared[plan.preparation] = prepared
    return prepared


def contents_of(
    sides: Sequence[Side], prepared: Sequence[PreparedGraph], reading: int
) -> Iterator[bytes]:
    """Yield the content of each side, for the key of a cache."""
    for side, one in zip(sides, prepared, strict=True):
        read = side.read.get(reading)
        if read is not None and read.error is not None:
            yield b""  # an empty graph stands in for it
        elif not isinstance(side.item, Block):
            yield content_of(one.item)
        else:
            if side.content is None:
                side.content = content_of(side.item)
            yield side.content


def source_of(side: Side, reading: int) -> Block | str | None:
    """Return the text, or the block, that a side's graph was read from."""
    read = side.read.get(reading)
    if read is None or read.error is not None:
        return None
    return side.item if isinstance(side.item, Block | str) else None


def kept_graph(plan: Plan, side: Side, counted: Any) -> Any:
    """Return what a result keeps of a side: its graph, or how to read it again."""
    source, read = side.item, side.read.get(plan.reading)
    is_text = isinstance(source, Block | str)
    if plan.metric.packs and is_text and read is not None and read.error is None:
        return GraphOfText(plan.metric, source)
    return counted
