"""Pairs of graphs shared out to threads, or to the workers of an executor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import TypeVar

from exactmatch.base.registry import imported
from exactmatch.edit.packed import Ints

_FOR_EACH = 8
"""Shares for each worker, so that none waits long for a few hard pairs."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def shares_of(
    pairs: Ints, max_pairs: int, jobs: int, executor: Executor | None
) -> list[Ints]:
    """Split pairs into shares of at most *max_pairs*, several for each worker."""
    if jobs > 1 or executor is not None:
        max_pairs = max(1, min(max_pairs, -(-len(pairs) // (_FOR_EACH * jobs))))
    return [pairs[at : at + max_pairs] for at in range(0, len(pairs), max_pairs)]


def over_threads(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """Apply a function to items in threads; the results come in order."""
    if jobs == 1:
        yield from map(function, items)
        return
    with ThreadPoolExecutor(jobs) as threads:
        yield from threads.map(function, items)


def over_workers(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    executor: Executor,
) -> Iterator[Result]:
    """Apply a function to items by an executor; the results come in order."""
    place = "exactmatch.scoring.parallel:map_in_order"  # this room knows no AMR
    yield from imported(place)(function, items, jobs, executor)
