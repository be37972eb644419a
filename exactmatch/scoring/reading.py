"""Read whatever stands for a graph or sentence: one policy for all that score.

What cannot be read gives an empty graph with the error, which the caller raises, names
or counts; what only a reader's leniency can read comes with a remark.
"""

from __future__ import annotations

from typing import Any

from exactmatch.base.errors import GraphError, InputError
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


def faults_of(metric: Metric, given: Any, read: ReadItem) -> tuple[str, ...]:
    """What is wrong with a prediction that no careful reader would take, by kind."""
    is_faulty = read.error is not None or read.lenient or is_missing(given)
    if metric.reads != "graph" or not is_faulty:
        return ()
    from exactmatch.formats import faults

    if is_missing(given):
        return (faults.MISSING,)
    if isinstance(given, Block) and given.format is None:
        given = "\n".join(given.lines)
    return (isinstance(given, str) and faults.faults_of(given)) or (faults.OTHER,)
