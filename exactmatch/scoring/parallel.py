"""Work in several processes, in order and with the same results as in one.

:func:`mapped` applies a function to items; :func:`results_in_order` scores pairs, in
small batches.  No more items are taken than the processes can keep busy, and what
they make of them comes back in order.  A process that dies (out of memory, a crash
inside a solver) is replaced; its batch of pairs is tried again pair by pair, and a
pair that kills its process twice is named in the error.
"""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, NoReturn, TypeVar

from exactmatch.errors import ExactmatchError
from exactmatch.metrics.base import Metric
from exactmatch.reading.pairs import Omission, OnError, PairOfBlocks
from exactmatch.scoring.evaluation import Evaluation
from exactmatch.scoring.results import PairResult
from exactmatch.solvers.solution import Limits

_BATCH = 16
_AHEAD = 3

Item = TypeVar("Item")
Result = TypeVar("Result")


class WorkerError(ExactmatchError, RuntimeError):
    """A process ended that should not have."""


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
    with closing(_answers(function, items, jobs)) as answers:
        for _, answer in answers:
            if answer is None:
                raise WorkerError(
                    "a process ended before its work; is there memory enough? take "
                    "fewer with -j"
                )
            yield answer.result()


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
    score = _ScoreBatch(
        evaluation.metrics,
        evaluation.limits,
        evaluation.on_error,
        evaluation.strict,
        evaluation.keep_graphs,
        evaluation.check_proofs,
        evaluation.keep_problems,
    )
    source = iter(pairs)
    batches = iter(lambda: list(islice(source, _BATCH)), [])
    with closing(_answers(score, batches, jobs)) as answers:
        for batch, answer in answers:
            parts = [answer.result()] if answer else _one_by_one(score, batch)
            results: list[PairResult] = []
            for part in parts:
                evaluation.absorb(part.results, part.omitted, part.warnings)
                results += part.results
            yield len(batch), tuple(results)


@dataclass(frozen=True, slots=True)
class _Batch:
    """What a process sends back for one batch of pairs."""

    results: tuple[PairResult, ...]
    omitted: tuple[Omission, ...]
    warnings: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _ScoreBatch:
    """Scores a batch as the evaluation would whose settings these are."""

    metrics: Sequence[Metric]
    limits: Limits
    on_error: OnError
    strict: bool
    keep_graphs: bool
    check_proofs: bool
    keep_problems: bool

    def __call__(self, batch: list[PairOfBlocks]) -> _Batch:
        warnings: list[tuple[str, str]] = []
        evaluation = Evaluation(
            self.metrics,
            self.limits,
            self.on_error,
            self.strict,
            self.keep_graphs,
            lambda kind, text: warnings.append((kind, text)),
            check_proofs=self.check_proofs,
            keep_problems=self.keep_problems,
        )
        results = tuple(evaluation.results(batch))
        return _Batch(results, tuple(evaluation.omitted), tuple(warnings))


def _one_by_one(score: _ScoreBatch, batch: list[PairOfBlocks]) -> list[_Batch]:
    """Try a batch again whose process died, each pair in a process of its own."""
    done = []
    for pair in batch:
        with closing(_answers(score, [[pair]], 1)) as answers:
            ((_, answer),) = answers
        if answer is None:
            name = f"pair {pair.index}" + (f" ({pair.id!r})" if pair.id else "")
            raise WorkerError(
                f"{name} ended the process that scored it, twice; is there "
                "memory enough? leave it out or lower --max-terms"
            )
        done.append(answer.result())
    return done


@dataclass(frozen=True, slots=True)
class _Returned(Generic[Result]):
    """What a function returned in another process."""

    value: Result

    def result(self) -> Result:
        """The value."""
        return self.value


@dataclass(frozen=True, slots=True)
class _Raised:
    """What a function raised in another process."""

    error: Exception
    trace: str

    def result(self) -> NoReturn:
        """Raise it here."""
        raise self.error from _ElsewhereError(self.trace)


class _ElsewhereError(Exception):
    """Carries the traceback of another process."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def _answers(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Generator[tuple[Item, _Returned[Result] | _Raised | None], None, None]:
    """Each item in order, with its answer, or ``None`` where the process died."""
    source = enumerate(items)
    idle: list[_Worker] = []
    busy: dict[Any, tuple[_Worker, int, Item]] = {}
    done: dict[int, tuple[Item, _Returned[Result] | _Raised | None]] = {}
    turn = 0
    try:
        while True:
            free = min(jobs - len(busy), jobs * _AHEAD - len(busy) - len(done))
            for number, item in islice(source, max(free, 0)):
                worker = idle.pop() if idle else _Worker(function)
                busy[worker.connection] = (worker, number, item)
                worker.give(item)
            if turn in done:
                yield done.pop(turn)
                turn += 1
                continue
            if not busy:
                return
            for connection in wait(list(busy)):
                worker, number, item = busy[connection]
                answer = worker.taken()
                del busy[connection]
                done[number] = (item, answer)
                if answer is None:
                    worker.end()
                else:
                    idle.append(worker)
    finally:
        for worker in (*idle, *(entry[0] for entry in busy.values())):
            worker.end()


class _Worker:
    """A process that applies a function to one item at a time."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(
            target=_work, args=(theirs, function), daemon=True
        )
        with _interrupts_held():
            self._process.start()
        theirs.close()

    def give(self, item: Any) -> None:
        """Send an item; if the process is dead, that shows when it should answer."""
        with suppress(BrokenPipeError):
            self.connection.send(item)

    def taken(self) -> _Returned[Any] | _Raised | None:
        """The answer to the item, or ``None`` if the process died over it."""
        try:
            answer: _Returned[Any] | _Raised = self.connection.recv()
        except (EOFError, ConnectionResetError):
            return None
        return answer

    def end(self) -> None:
        """End the process, even one that is deep inside a solver."""
        self._process.terminate()
        self._process.join()
        self.connection.close()


_ENDING = {
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
}


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Let Ctrl-C and its like wait while a process is started.

    The new process inherits that, and listens again once it has all that it needs; to
    Ctrl-C never, because it is the parent's business to end it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # at its own start it would let signals in
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _work(connection: Connection, function: Callable[[Any], Any]) -> None:
    """Answer items until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    while True:
        try:
            item = connection.recv()
        except (EOFError, ConnectionResetError):
            return
        answer: _Returned[Any] | _Raised
        try:
            answer = _Returned(function(item))
        except Exception as error:  # raised again where the answer is waited for
            answer = _Raised(_sendable(error), traceback.format_exc())
        try:
            connection.send(answer)
        except BrokenPipeError:  # nobody waits for it any more
            return


def _sendable(error: Exception) -> Exception:
    """The error, or its words where it cannot go from process to process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # whatever its class does when it is packed and unpacked
        return WorkerError(f"{type(error).__name__}: {error}")
    return error
