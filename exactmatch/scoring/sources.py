"""Where pairs come from: files, or what is in memory.

A source of pairs can be gone through more than once (but for standard input), because
some metrics learn from all references before the first pair is scored.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple, Protocol

from exactmatch.base.errors import InputError, shortened
from exactmatch.base.numbers import is_missing as is_no_number
from exactmatch.formats.blocks import Block, graphs_of_text
from exactmatch.formats.files import is_read_once, named
from exactmatch.formats.pairs import (
    GivenPair,
    Pairer,
    checked_counts,
    sources,
    unequal,
)
from exactmatch.formats.reading import HowRead
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.base import Metric


class Sources(Protocol):
    """Where pairs come from."""

    references: int  # of a pair
    read_once: bool  # whether they can be gone through only once

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int | None:
        """The number of pairs, if it can be known beforehand.

        It is an error if there are none, or if the metrics would make different ones.
        """

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        """The pairs, in order."""

    def sides(self, as_sentences: bool) -> Sequence[Iterable[Any]]:
        """All predictions, then all references of each source of references."""


class File(NamedTuple):
    """A file of graphs, where there might be graphs in memory."""

    path: str  # .gz or not, a folder, or - for standard input


def paths_of(side: Any) -> list[str]:
    """Return the paths of one side that is given as files, none where it is not."""
    files = [side] if isinstance(side, File) else side
    if isinstance(files, list) and files and all(isinstance(f, File) for f in files):
        return [file.path for file in files]
    return []


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

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        preds, *golds = self.sides(as_sentences)
        found = False
        for pair in pairer.pairs(preds, tuple(golds)):
            found = True
            yield pair
        if not (found or pairer.omitted):  # a pipe: other files have been counted
            raise InputError(f"{named(self._paths[0])}: holds no graph")

    def sides(self, as_sentences: bool) -> tuple[Iterator[Block], ...]:
        return sources(self._paths, as_sentences, *self._how)


def as_list(given: Any) -> list[Any]:
    """The graphs or sentences of a list, or of a column of a data frame."""
    if isinstance(given, str | bytes | os.PathLike):
        raise InputError(
            f"{shortened(str(given), 60)!r} is one text where a list of graphs is "
            "wanted; give a list, or score files with evaluate_files"
        )
    if isinstance(given, Set | Mapping):  # the order of a set differs from run to run
        raise InputError(
            f"a {type(given).__name__} is given where a list of graphs is wanted; its "
            "graphs have no order that pairs or numbers could rely on"
        )
    for method in ("to_pylist", "to_list", "tolist"):  # pyarrow; pandas, polars; numpy
        if hasattr(given, method):
            given = getattr(given, method)()
            break
    if not isinstance(given, Iterable):
        raise InputError(
            f"{type(given).__name__} is no list of graphs; give a list of graphs"
        )
    return list(given)


def is_missing(given: Any) -> bool:
    """Whether something is what data frames hold in the place of no value."""
    return type(given).__name__ == "NAType" or is_no_number(given)


class Items(Sources):
    """Graphs or sentences in memory, paired by position or by id.

    By id, both sides may be mappings of ids.  Among references, a list of graphs or
    sentences stands for several of one prediction.
    """

    read_once = False

    def __init__(self, preds: Any, golds: Any, by_id: bool = False) -> None:
        self._by_id = by_id
        self._ids: tuple[list[str | None], ...] | None = None
        if isinstance(preds, Mapping) != isinstance(golds, Mapping):
            raise InputError("give both sides as mappings of ids to graphs, or neither")
        if isinstance(preds, Mapping):
            self._by_id = True
            self._ids = tuple([str(key) for key in side] for side in (preds, golds))
            preds, golds = preds.values(), golds.values()
        self._preds = as_list(preds)
        self._golds = [references_of(gold) for gold in as_list(golds)]
        if not self._by_id and len(self._preds) != len(self._golds):
            raise unequal(
                [len(self._preds), len(self._golds)], "pair them with by_id=True"
            )
        self.references = max(map(len, self._golds), default=1)

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int:
        del metrics, by_id
        return len(self._golds)

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        del as_sentences
        if self._by_id:
            made = self._pairs_by_id(pairer)
        else:
            both = enumerate(zip(self._preds, self._golds, strict=True))
            made = (GivenPair(k, None, pred, golds) for k, (pred, golds) in both)
        pairs = [_check(pair, pairer) for pair in made]
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

    def _pairs_by_id(self, pairer: Pairer) -> Iterator[GivenPair]:
        """References in their order, each with the prediction of its id."""
        ids = self._ids or (
            [id_of(pred) for pred in self._preds],
            [id_of(golds[0]) if golds else None for golds in self._golds],
        )
        preds = _index(self._preds, ids[0], "prediction", pairer)
        references = _index(self._golds, ids[1], "reference", pairer)
        if bool(preds) != bool(references) and not pairer.omitted:
            raise unequal([len(preds), len(references)])
        for index, (name, golds) in enumerate(references.items()):
            if name in preds:
                yield GivenPair(index, name, preds.pop(name), golds)
                continue
            why = InputError(f"reference {name!r} has no prediction of that id")
            yield GivenPair(index, name, None, golds, pairer.refuse(why))
        for name in preds:
            why = InputError(f"prediction {name!r} has no reference of that id")
            pairer.leave_out(name, why)

    def sides(self, as_sentences: bool) -> tuple[Sequence[Any], ...]:
        del as_sentences
        return self._preds, [one for golds in self._golds for one in golds]


def references_of(given: Any) -> tuple[Any, ...]:
    """The references of one prediction: a graph or a sentence, or a list of them.

    A list of triples is one graph.
    """
    if not isinstance(given, list | tuple) or not given:
        return (given,)
    first = given[0]
    is_triple = isinstance(first, list | tuple) and all(
        isinstance(part, str) for part in first
    )
    return (given,) if is_triple else tuple(given)


def id_of(given: Any) -> str | None:
    """The ``# ::id`` of whatever stands for a graph, or ``None``."""
    if isinstance(given, str):
        return next((block.id for block in graphs_of_text(given)), None)
    if isinstance(given, Graph):
        return given.id
    for name in ("metadata", "graph"):  # penman's graphs and trees; networkx's graphs
        found = getattr(given, name, None)
        if isinstance(found, Mapping) and found.get("id") is not None:
            return str(found["id"])
    return None


def _index(
    side: Sequence[Any], ids: Sequence[str | None], what: str, pairer: Pairer
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for number, (given, name) in enumerate(zip(side, ids, strict=True)):
        if name is None:
            reason = f"{what} {number} has no '# ::id' to pair it by"
        elif name in found:
            reason = f"{what} {number} repeats the id {name!r}"
        else:
            found[name] = given
            continue
        pairer.leave_out(name, InputError(reason))
    return found


def _check(pair: GivenPair, pairer: Pairer) -> GivenPair:
    """The pair, without what stands in data frames for no value."""
    sides = (pair.pred, *pair.golds)
    lacking = [is_missing(side) for side in sides]
    if pair.reason or not any(lacking):
        return pair
    what = "prediction" if lacking[0] else "reference"
    why = InputError(f"pair {pair.index + 1} has no {what}: its value is missing")
    reason = pairer.refuse(why)
    pred, *golds = (None if is_missing(side) else side for side in sides)
    return pair._replace(pred=pred, golds=tuple(golds), reason=reason)
