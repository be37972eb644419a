"""Read whatever stands for a graph or sentence: one policy for all that score.

:func:`read_one` gives an empty graph with the error for what cannot be read, and
remarks about what only a reader's leniency can read.  Where there is a report, the
error is raised or counted as the settings say, and the report holds the remarks; where
there is none, :func:`read_item` and :func:`read_items` raise and warn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from exactmatch.base.errors import GraphError, InputError, ItemError, warn_caller
from exactmatch.formats.blocks import Block
from exactmatch.metrics.base import Metric, ReadItem
from exactmatch.scoring.sources import is_missing


def read_one(metric: Metric, given: Any, strict: bool = False) -> ReadItem:
    """Read what a metric compares.

    Args:
        metric: what reads it.
        given: a block of a file, or whatever else stands for a graph or sentence.
        strict: treat what only a reader's leniency can read as unreadable.

    Returns:
        What was read; with its error, what is empty in its place.

    Raises:
        InputError: if a file cannot be compared, whatever its graphs are.
    """
    is_block = isinstance(given, Block)
    try:
        if not is_block:
            given = given.as_py() if hasattr(given, "as_py") else given  # of pyarrow
            if is_missing(given):
                raise InputError("its value is missing")
        read = metric.read(given)
    except InputError as error:
        if is_block and not isinstance(error, GraphError):
            raise
        return ReadItem(metric.empty, error=error)
    if strict and read.lenient:
        return ReadItem(metric.empty, error=read.lenient[0])
    return read


def read_item(metric: Metric, given: Any, place: str = "") -> Any:
    """Read what a metric compares, for a caller who hears errors and warnings.

    Args:
        metric: what reads it.
        given: as for :func:`read_one`.
        place: what remarks begin with, where they do not name a file.

    Raises:
        InputError: if it cannot be read.
    """
    read = read_one(metric, given)
    if read.error is not None:
        raise read.error
    for refusal, remark in zip(read.lenient, read.remarks(), strict=True):
        warn_caller(f"{place}{remark}" if refusal.path is None else remark)
    return read.item


def read_items(
    metric: Metric, given: Iterable[Any], what: str = "item"
) -> Iterator[Any]:
    """The same for each graph or sentence of a list.

    Args:
        metric: what reads them.
        given: the graphs or sentences.
        what: what each of them is called, where there are others.

    Raises:
        GraphError: if one cannot be read; the message names its file and line, or its
            number among those in memory.
    """
    for number, one in enumerate(given):
        try:
            item = read_item(metric, one, f"{what} {number}: ")
        except InputError as error:
            if isinstance(error, GraphError) and error.path is not None:
                raise
            raise ItemError(number, error, what) from None
        yield item


def faults_of(metric: Metric, given: Any, read: ReadItem) -> tuple[str, ...]:
    """List the faults of a prediction that no careful reader would take, by kind."""
    is_faulty = read.error is not None or read.lenient or is_missing(given)
    if metric.reads != "graph" or not is_faulty:
        return ()
    from exactmatch.formats import faults

    if is_missing(given):
        return (faults.MISSING,)
    if isinstance(given, Block) and given.format is None:
        given = "\n".join(given.lines)
    return (isinstance(given, str) and faults.faults_of(given)) or (faults.OTHER,)
