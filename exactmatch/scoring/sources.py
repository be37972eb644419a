"""Sources of pairs: files, or graphs in memory.

A source of pairs can be gone through more than once (but for standard input), because
some metrics learn from all references before the first pair is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from copy import copy
from typing import Any, Protocol

from exactmatch.base.errors import InputError, shortened
from exactmatch.base.numbers import is_missing as is_no_number
from exactmatch.base.paths import path_of, refuse_name
from exactmatch.base.records import NamedTuple
from exactmatch.formats.blocks import Block, first_id
from exactmatch.formats.files import is_read_once, named
from exactmatch.formats.pairs import (
    Pairer,
    UnreadPair,
    checked_counts,
    is_mrp,
    only_block,
    sources,
    unequal,
)
from exactmatch.formats.reading import HowRead, of_documents, of_file
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric


class Sources(Protocol):
    """Source of pairs."""

    references: int  # of a pair
    read_once: bool  # whether they can be gone through only once

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int | None:
        """Return the number of pairs, if it can be known beforehand.

        It is an error if there are none, or if the metrics would make different ones.
        """

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[UnreadPair]:
        """Return the pairs, in order."""

    def sides(self, as_sentences: bool) -> Sequence[Iterable[Any]]:
        """Return all predictions, then all references of each source of references."""

    def of_documents(self) -> Sources:
        """Return the same source, where files hold JSON documents to be compared."""


class File(NamedTuple):
    """A file that the command line names, which a ``Path`` would name otherwise."""

    path: str  # .gz or not, a folder, or - for standard input

    def __fspath__(self) -> str:
        return self.path


def paths_of(side: Any) -> list[str]:
    """Return the paths of a side of files; empty where it is anything else."""
    if (path := path_of(side)) is not None:
        return [path]
    if not isinstance(side, list | tuple):
        return []
    paths = list(map(path_of, side))
    return [] if None in paths else [path for path in paths if path is not None]


class Files(Sources):
    """Files, folders or ``-`` of graphs or sentences, predictions first."""

    def __init__(
        self,
        paths: Sequence[str],
        format_in: HowRead = None,
        framework: str | None = None,
    ) -> None:
        self._paths = tuple(paths)
        self._how = (format_in, framework)
        self.references = len(paths) - 1
        self.read_once = any(map(is_read_once, paths))

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int | None:
        del metrics
        return checked_counts(self._paths, by_id, *self._how)

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[UnreadPair]:
        preds, *golds = self.sides(as_sentences)
        any_pair = False
        for pair in pairer.pairs(preds, tuple(golds)):
            any_pair = True
            yield pair
        if not (any_pair or pairer.omitted):  # a pipe: other files have been counted
            raise InputError(f"{named(self._paths[0])}: holds no graph")

    def sides(self, as_sentences: bool) -> tuple[Iterator[Block], ...]:
        return sources(self._paths, as_sentences, *self._how)

    def of_documents(self) -> Sources:
        how, framework = self._how
        return Files(self._paths, of_documents(how), framework)


def as_list(graphs: Any) -> list[Any]:
    """Return the graphs or sentences of a list, or of a column of a data frame."""
    if isinstance(graphs, str | bytes):
        raise _one_text(str(graphs))
    if (path := path_of(graphs)) is not None:
        raise InputError(f"{path}: is a file where a list of graphs is wanted")
    columns = getattr(graphs, "columns", getattr(graphs, "column_names", None))
    if columns is not None:
        name = next(map(str, columns), "amr")
        raise InputError(
            f"a {type(graphs).__name__} is given where a list of graphs is wanted; "
            f"give one of its columns, such as frame[{name!r}]"
        )
    if isinstance(graphs, Set | Mapping):  # the order of a set differs from run to run
        raise InputError(
            f"a {type(graphs).__name__} is given where a list of graphs is wanted; its "
            "graphs have no order that pairs or numbers could rely on"
        )
    for method in ("to_pylist", "to_list", "tolist"):  # pyarrow; pandas, polars; numpy
        if hasattr(graphs, method):
            graphs = getattr(graphs, method)()
            break
    if not isinstance(graphs, Iterable):
        raise InputError(
            f"{type(graphs).__name__} is not a list of graphs; give a list of graphs"
        )
    return list(graphs)


def _one_text(text: str) -> InputError:
    """Return the error of a text where a list of graphs is wanted."""
    shown = repr(shortened(text, 60))
    try:
        refuse_name(text, is_unreadable=True)
    except InputError as error:
        return error
    return InputError(
        f"{shown} is one text where a list of graphs is wanted; give a list, such as "
        "exactmatch.load(text), or the Path of a file"
    )


def expanded(items: Iterable[Any], blocks: Callable[[str], Iterable[Any]]) -> list[Any]:
    """Return a list in which the *blocks* of files take the places of their paths."""
    graphs: list[Any] = []
    for one in items:
        path = path_of(one)
        graphs += [one] if path is None else blocks(path)
    return graphs


def is_missing(value: Any) -> bool:
    """Return whether this is the missing value of a data frame."""
    return type(value).__name__ == "NAType" or is_no_number(value)


class Items(Sources):
    """Graphs or sentences in memory, paired by position or by id.

    By id, both sides may be mappings of ids.  Among references, a list of graphs or
    sentences stands for several of one prediction.  A ``Path`` among them is a file
    that holds one.
    """

    read_once = False

    def __init__(
        self,
        preds: Any,
        golds: Any,
        by_id: bool = False,
        how: HowRead = None,
        framework: str | None = None,
    ) -> None:
        self._by_id, self._how = by_id, (how, framework)
        self._ids: tuple[list[str | None], ...] | None = None
        if isinstance(preds, Mapping) != isinstance(golds, Mapping):
            raise InputError("give both sides as mappings of ids to graphs, or neither")
        if isinstance(preds, Mapping):
            self._by_id = True
            self._ids = tuple([str(key) for key in side] for side in (preds, golds))
            preds, golds = preds.values(), golds.values()
        self._preds = as_list(preds)
        self._listed = as_list(golds)
        self._golds = [references_of(gold) for gold in self._listed]
        self._opened: dict[bool, tuple[list[Any], list[tuple[Any, ...]]]] = {}
        if not self._by_id and len(self._preds) != len(self._golds):
            raise _unequal(self._preds, self._golds)
        self.references = max(map(len, self._golds), default=1)

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int:
        del metrics, by_id
        if not (self._preds or self._golds):
            raise InputError("both sides are empty; give one graph or more on each")
        return len(self._golds)

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[UnreadPair]:
        preds, golds = self._open(as_sentences)
        if self._by_id:
            made = self._pairs_by_id(pairer, preds, golds)
        else:
            both = enumerate(zip(preds, golds, strict=True))
            made = (UnreadPair(k, None, pred, own) for k, (pred, own) in both)
        pairs = [_check(pair, pairer) for pair in made]
        if pairer.sentences is not None:
            for pair in pairs:
                sides = (pair.pred, *pair.golds)
                ids = [*map(id_of, sides)]
                is_open = None in ids or len({*ids}) > 1 or is_mrp(pair.pred)
                if is_open and not pair.reason:
                    pairer.compare_sentences(pair.index, sides)
            pairer.say_differences()
        known: dict[str | int, int] = {}  # the same object has the same number
        last: dict[int, int] = {}
        numbers = []
        for place, pair in enumerate(pairs):
            sides = () if pair.reason else (pair.pred, *pair.golds)
            keys = [side if isinstance(side, str) else id(side) for side in sides]
            own = tuple([known.setdefault(key, len(known)) for key in keys])
            last |= dict.fromkeys(own, place)
            numbers.append(own)
        for place, (pair, own) in enumerate(zip(pairs, numbers, strict=True)):
            done = tuple([number for number in own if last[number] == place])
            yield pair._replace(numbers=own, done=done)

    def _open(self, as_sentences: bool) -> tuple[list[Any], list[tuple[Any, ...]]]:
        """Return both sides, with the graphs of files in the places of their paths."""
        if as_sentences not in self._opened:
            how, framework = self._how

            def read(one: Any, place: int) -> Any:
                path = path_of(one)
                if path is None:
                    return one
                return only_block(path, as_sentences, of_file(how, place), framework)

            preds = [read(pred, 0) for pred in self._preds]
            golds = [tuple(read(one, 1) for one in own) for own in self._golds]
            self._opened[as_sentences] = preds, golds
        return self._opened[as_sentences]

    def _pairs_by_id(
        self, pairer: Pairer, preds: Sequence[Any], golds: Sequence[tuple[Any, ...]]
    ) -> Iterator[UnreadPair]:
        """Yield references in their order, each with the prediction of its id."""
        ids = self._ids or (list(map(id_of, preds)), list(map(_id_of_first, golds)))
        by_id = _index(preds, ids[0], "prediction", pairer)
        references = _index(golds, ids[1], "reference", pairer)
        pairer.without_id = len(pairer.omitted)
        if bool(by_id) != bool(references) and not pairer.omitted:
            raise unequal([len(by_id), len(references)])
        for index, (name, own) in enumerate(references.items()):
            if name in by_id:
                yield UnreadPair(index, name, by_id.pop(name), own)
                continue
            why = InputError(f"reference {name!r} has no prediction of that id")
            yield UnreadPair(index, name, None, own, pairer.refuse(why))
        for name in by_id:
            why = InputError(f"prediction {name!r} has no reference of that id")
            pairer.leave_out(name, why)

    def sides(self, as_sentences: bool) -> tuple[Sequence[Any], ...]:
        preds, golds = self._open(as_sentences)
        return preds, [one for own in golds for one in own]

    def of_documents(self) -> Sources:
        """Return the same, where a list among references is one document."""
        other = copy(self)
        how, framework = self._how
        other._how = of_documents(how), framework
        other._golds = [(gold,) for gold in self._listed]
        other._opened = {}
        other.references = 1
        return other


def _unequal(preds: Sequence[Any], golds: Sequence[tuple[Any, ...]]) -> InputError:
    """Return the error of lists of different lengths, with a way to pair them."""
    sides = {*map(id_of, preds)} - {None}, {*map(_id_of_first, golds)} - {None}
    way = (
        "no graph has the '# ::id' of one of the other side; give one for each, or "
        "mappings of ids to graphs on both sides, {'id': graph}"
    )
    if sides[0] & sides[1]:
        is_partial = sides[0] != sides[1] or len(sides[0]) != len(preds)
        more = ", on_error='skip'" if is_partial else ""
        way = f"pair them with by_id=True{more}"
    return unequal([len(preds), len(golds)], way)


def references_of(reference: Any) -> tuple[Any, ...]:
    """Return the references of one prediction: one, or those of a list.

    A list of triples is one graph.
    """
    if not isinstance(reference, list | tuple) or not reference:
        return (reference,)
    first = reference[0]
    is_triple = isinstance(first, list | tuple) and all(
        isinstance(part, str) for part in first
    )
    return (reference,) if is_triple else tuple(reference)


def id_of(graph: Any) -> str | None:
    """Return the ``# ::id`` of whatever stands for a graph, or ``None``."""
    if isinstance(graph, str):
        return first_id(graph)
    if isinstance(graph, Graph | Block):
        return graph.id
    for name in ("metadata", "graph"):  # penman's graphs and trees; networkx's graphs
        metadata = getattr(graph, name, None)
        if isinstance(metadata, Mapping) and metadata.get("id") is not None:
            return str(metadata["id"])
    return None


def text_of(item: Any) -> str:
    """Return the text of a block, or of whatever stands for a graph or sentence."""
    return "\n".join(item.lines) if isinstance(item, Block) else str(item)


def _id_of_first(golds: tuple[Any, ...]) -> str | None:
    """Return the id of the first of several references."""
    return id_of(golds[0]) if golds else None


def _index(
    side: Sequence[Any], ids: Sequence[str | None], what: str, pairer: Pairer
) -> dict[str, Any]:
    graphs: dict[str, Any] = {}
    for number, (graph, name) in enumerate(zip(side, ids, strict=True)):
        if name is None:
            reason = f"{what} {number} has no '# ::id' to pair it by"
        elif name in graphs:
            reason = f"{what} {number} repeats the id {name!r}"
        else:
            graphs[name] = graph
            continue
        pairer.leave_out(name, InputError(reason))
    return graphs


def _check(pair: UnreadPair, pairer: Pairer) -> UnreadPair:
    """Return the pair; sides that a data frame lacks are an error or left out."""
    sides = (pair.pred, *pair.golds)
    lacking = [is_missing(side) for side in sides]
    if pair.reason or not any(lacking):
        return pair
    what = "prediction" if lacking[0] else "reference"
    why = InputError(f"pair {pair.index + 1} has no {what}: its value is missing")
    reason = pairer.refuse(why)
    pred, *golds = (None if is_missing(side) else side for side in sides)
    return pair._replace(pred=pred, golds=tuple(golds), reason=reason)
