"""Where pairs come from: files, or what is in memory.

A source of pairs can be gone through more than once (but for standard input), because
some metrics learn from all references before the first pair is scored.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from exactmatch.errors import InputError, shortened
from exactmatch.metrics.base import Metric
from exactmatch.reading.blocks import Block
from exactmatch.reading.files import is_read_once
from exactmatch.reading.pairs import (
    GivenPair,
    Pairer,
    checked_counts,
    count_graphs,
    sources,
    unequal,
)


class Sources(Protocol):
    """Where pairs come from."""

    @property
    def references(self) -> int:
        """How many references a pair has."""

    @property
    def read_once(self) -> bool:
        """Whether they can be gone through only once."""

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int | None:
        """The number of pairs, if it can be known beforehand.

        Raises:
            InputError: if there are no pairs to be made, or *metrics* would make
                different ones.
        """

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        """The pairs, in order."""

    def sides(self, as_sentences: bool) -> Sequence[Iterable[Any]]:
        """All predictions, then all references of each source of references."""


@dataclass(frozen=True, slots=True)
class Files:
    """Files of graphs or sentences, predictions first.

    Attributes:
        paths: files, folders, or ``-``.
        format_in: the format of all; default: what each looks like.
        framework: of MRP graphs those of this framework alone.
    """

    paths: tuple[str, ...]
    format_in: str | None = None
    framework: str | None = None

    @property
    def references(self) -> int:
        """How many files of references there are."""
        return len(self.paths) - 1

    @property
    def read_once(self) -> bool:
        """Whether standard input or a pipe is among them."""
        return any(map(is_read_once, self.paths))

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int | None:
        """The number of references; ``None`` if a file can be read only once."""
        keep_bare = any(metric.keeps_bare for metric in metrics)
        total = checked_counts(
            self.paths, by_id, keep_bare, self.format_in, self.framework
        )
        if keep_bare and not (by_id or self.read_once):
            self._check_bare(metrics)
        return total

    def _check_bare(self, metrics: Sequence[Metric]) -> None:
        """Refuse files that two metrics would pair differently by position.

        Some take a block of comments alone for a graph that is missing, and some pass
        it over.
        """
        passing = [metric.name for metric in metrics if not metric.keeps_bare]
        bare = [p for p in self.paths if self._count(p, True) > self._count(p, False)]
        if not passing or not bare:
            return
        places = {
            tuple(k for k, block in enumerate(side) if not block.content)
            for side in self.sides(as_sentences=False)
        }
        if len(places) > 1:
            raise InputError(
                f"{bare[0]}: holds comments without a graph, which {passing[0]} passes "
                "over and other metrics take for a graph; score them apart, or pair "
                "graphs with --by-id"
            )

    def _count(self, path: str, keep_bare: bool) -> int:
        return count_graphs(path, keep_bare, self.format_in, self.framework)

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        """Pairs of blocks."""
        preds, *golds = self.sides(as_sentences)
        return pairer.pairs(preds, tuple(golds))

    def sides(self, as_sentences: bool) -> tuple[Iterator[Block], ...]:
        """The blocks of each file, read as they are asked for."""
        return sources(self.paths, as_sentences, self.format_in, self.framework)


def listed(given: Any) -> list[Any]:
    """The graphs or sentences of a list, or of a column of a data frame.

    Raises:
        InputError: if it is something else.
    """
    if isinstance(given, str | bytes | os.PathLike):
        raise InputError(
            f"{shortened(str(given), 60)!r} is one text where a list of graphs is "
            "wanted; give a list, or score files with evaluate_files"
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
    if given is None or type(given).__name__ == "NAType":
        return True
    return isinstance(given, float) and math.isnan(given)


class Items:
    """Graphs or sentences in memory, paired by position.

    Args:
        preds, golds: predictions and references; an object that comes up again is
            recognised, and prepared once.

    Raises:
        InputError: if their numbers differ.
    """

    references = 1
    read_once = False

    def __init__(self, preds: Sequence[Any], golds: Sequence[Any]) -> None:
        if len(preds) != len(golds):
            raise unequal([len(preds), len(golds)])
        self._sides = (preds, golds)

    def count(self, metrics: Sequence[Metric], by_id: bool) -> int:
        """The number of pairs."""
        del metrics, by_id
        return len(self._sides[0])

    def pairs(self, pairer: Pairer, as_sentences: bool) -> Iterator[GivenPair]:
        """Pairs of objects, the same object under the same number.

        Raises:
            GraphError: if an object is missing and that is an error.
        """
        del as_sentences
        known: dict[Any, int] = {}
        numbers = [
            [
                known.setdefault(
                    given if isinstance(given, str) else _Same(given), len(known)
                )
                for given in side
            ]
            for side in self._sides
        ]
        last = [0] * len(known)
        for index, both in enumerate(zip(*numbers, strict=True)):
            for number in both:
                last[number] = index
        for index, (pred, gold) in enumerate(zip(*self._sides, strict=True)):
            a, b = numbers[0][index], numbers[1][index]
            done: tuple[int, ...] = ()
            if last[a] == index:
                done = (a, b) if last[b] == index else (a,)
            elif last[b] == index:
                done = (b,)
            if is_missing(pred) or is_missing(gold):
                what = "prediction" if is_missing(pred) else "reference"
                error = InputError(f"pair {index} has no {what}: its value is missing")
                if pairer.on_error == "fail":
                    raise error
                pred, gold = (None if is_missing(x) else x for x in (pred, gold))
                yield GivenPair(index, None, pred, (gold,), str(error))
                continue
            yield GivenPair(index, None, pred, (gold,), None, (a, b), done)

    def sides(self, as_sentences: bool) -> tuple[Sequence[Any], ...]:
        """The objects themselves."""
        del as_sentences
        return self._sides


class _Same:
    """A key for an object, equal only for the same object, which it keeps alive."""

    __slots__ = ("_object",)

    def __init__(self, given: Any) -> None:
        self._object = given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self._object is other._object

    def __hash__(self) -> int:
        return id(self._object)
