"""Work in several processes, in order and with the same results as in one.

:func:`mapped` applies a function to items; :func:`results_in_order` scores pairs.

Pairs go out in small batches, no more at a time than the workers can keep busy,
and come back in order; sums are made by the caller alone.  A worker that dies
(out of memory, a crash inside a solver) is replaced, and its batch is tried
again pair by pair; a pair that kills its worker twice is named in the error.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from exactmatch.corpus import Omission, OnError, PairOfBlocks
from exactmatch.errors import ExactmatchError
from exactmatch.evaluation import Evaluation, PairResult
from exactmatch.metrics.base import Metric
from exactmatch.solvers.solution import Limits

_BATCH = 16
_AHEAD = 3

Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerError(ExactmatchError, RuntimeError):
    """A process ended that should not have."""


@dataclass(frozen=True, slots=True)
class Batch:
    """What a worker sends back for one batch of pairs."""

    results: tuple[PairResult, ...]
    omitted: tuple[Omission, ...]
    warnings: tuple[tuple[str, str], ...]


def results_in_order(
    evaluation: Evaluation, pairs: Iterable[PairOfBlocks], jobs: int
) -> Iterator[tuple[int, tuple[PairResult, ...]]]:
    """Score pairs in *jobs* processes and add them up in order.

    Yields:
        How many pairs a batch had, and their results.

    Raises:
        WorkerError: if a pair ends its process twice.
        GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
    """
    source = iter(pairs)
    waiting: deque[tuple[list[PairOfBlocks], Future[Batch]]] = deque()
    pool = _pool(evaluation, jobs)
    try:
        while True:
            while len(waiting) < jobs * _AHEAD:
                batch = list(islice(source, _BATCH))
                if not batch:
                    break
                try:
                    future = pool.submit(_score, batch)
                except BrokenProcessPool:
                    pool = _pool(evaluation, jobs)
                    future = pool.submit(_score, batch)
                waiting.append((batch, future))
            if not waiting:
                return
            batch, future = waiting.popleft()
            try:
                scored = future.result()
            except BrokenProcessPool:
                scored = _one_by_one(evaluation, batch)
            evaluation.absorb(scored.results, scored.omitted, scored.warnings)
            yield len(batch), scored.results
    finally:
        _stop(pool)


def mapped(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Generator[Result, None, None]:
    """Apply a function to items in *jobs* processes; the results come in order.

    Every process gets the function once, and items one by one: each should be work
    enough to be sent.

    Raises:
        WorkerError: if a process ends before its work.
    """
    if jobs == 1:
        yield from map(function, items)
        return
    source = iter(items)
    waiting: deque[Future[Result]] = deque()
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), _start_mapping, (function,)
    )
    try:
        while True:
            for item in islice(source, jobs * _AHEAD - len(waiting)):
                waiting.append(pool.submit(_apply, item))
            if not waiting:
                return
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise WorkerError(
            "a process ended before its work; is there memory enough? take fewer -j"
        ) from None
    finally:
        _stop(pool)


_function: Callable[[Any], Any] | None = None


def _start_mapping(function: Callable[[Any], Any]) -> None:
    """Set a worker up; Ctrl-C is the parent's business."""
    global _function
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _function = function


def _apply(item: Any) -> Any:
    assert _function is not None
    return _function(item)


def _stop(pool: ProcessPoolExecutor) -> None:
    """End the workers, even one that is deep inside a solver."""
    workers = list((getattr(pool, "_processes", None) or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()


def _pool(evaluation: Evaluation, jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        jobs,
        multiprocessing.get_context("spawn"),
        _start,
        (
            evaluation.metrics,
            evaluation.limits,
            evaluation.on_error,
            evaluation.strict,
            evaluation.keep_graphs,
        ),
    )


def _one_by_one(evaluation: Evaluation, batch: list[PairOfBlocks]) -> Batch:
    """Try a batch again whose worker died, each pair in a process of its own."""
    done: list[Batch] = []
    for pair in batch:
        with _pool(evaluation, 1) as pool:
            try:
                done.append(pool.submit(_score, [pair]).result())
            except BrokenProcessPool:
                name = f"pair {pair.index}" + (f" ({pair.id!r})" if pair.id else "")
                raise WorkerError(
                    f"{name} ended the process that scored it, twice; is there "
                    "memory enough? leave it out or lower --max-terms"
                ) from None
    return Batch(
        tuple(result for part in done for result in part.results),
        tuple(omission for part in done for omission in part.omitted),
        tuple(warning for part in done for warning in part.warnings),
    )


_worker: Evaluation | None = None
_warnings: list[tuple[str, str]] = []


def _start(
    metrics: Sequence[Metric],
    limits: Limits,
    on_error: OnError,
    strict: bool,
    keep_graphs: bool,
) -> None:
    """Set a worker up; Ctrl-C is the parent's business."""
    global _worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _worker = Evaluation(metrics, limits, on_error, strict, keep_graphs, _remember)


def _remember(kind: str, text: str) -> None:
    _warnings.append((kind, text))


def _score(batch: list[PairOfBlocks]) -> Batch:
    """Score a batch inside a worker."""
    assert _worker is not None
    _worker.omitted.clear()
    _warnings.clear()
    results = [result for pair in batch for result in _worker.pair(pair)]
    return Batch(tuple(results), tuple(_worker.omitted), tuple(_warnings))
