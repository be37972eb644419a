"""Work in several processes, in order and with the same results as in one.

:func:`mapped` applies a function to items; :func:`results_in_order` scores pairs.  The
work is done by an executor of :mod:`concurrent.futures`: by processes of this machine,
or by one that the caller brings (Dask's, MPI's, Ray's).

The function is sent once to each process, however many items follow.  No more items
are taken than the processes can keep busy, and what they make of them comes back in
order.  When a process dies (out of memory, a crash inside a solver), what was under way
is tried again in other processes, then each item alone; an item that ends two processes
of its own is named.
"""

from __future__ import annotations

import hashlib
import pickle
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import GivenPair, Omission
from exactmatch.graphs.graph import Graph
from exactmatch.scoring.pair import Known, Notes, PairScorer
from exactmatch.scoring.processes import Crew, WorkerError, crew_of, memory_kills
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.scoring.sent import UNKNOWN, Lost, Raised, Returned, pack, work_on

_TRIES_ALONE = 2

_MOST_WORK = 2**25
"""Work in a batch, as :func:`_work` counts it: about 80 pairs of sentences."""

_MOST_PAIRS = 64
_FIRST_PAIRS = 4
"""Pairs in the first batch; the next ones grow, so that few pairs are shared out."""

_AGAIN = 3
"""How often an item is sent without the function to a process that should know it."""

_SMALL = 20_000
"""A function of up to this many bytes is sent along with every item."""

Item = TypeVar("Item")
Result = TypeVar("Result")


def mapped(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int = 1,
    executor: Executor | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to items in several processes; the results come in order.

    Each item should be work enough to be sent: about a millisecond or more.

    Args:
        function: what is applied.  It is packed with cloudpickle, so that it may be
            defined anywhere, and its last version is kept where it was sent to.
        items: taken as they are needed.
        jobs: how many processes; with one and no executor all is done here.
        executor: who works instead of processes of our own; *jobs* is then how many
            workers it has, or 1 if that is not known.

    Raises:
        WorkerError: if an item ends its process whenever it is tried, or cannot be
            sent.
    """
    if jobs == 1 and executor is None:
        yield from map(function, items)
        return
    kills = memory_kills()
    with closing(_answers(function, items, crew_of(jobs, executor))) as answers:
        for _, answer in answers:
            if isinstance(answer, Lost):
                raise WorkerError(
                    f"work was lost whenever it was tried: {answer.why}"
                    if answer.why
                    else "a process ended before its work, whenever it was tried"
                    + _memory(kills)
                )
            yield answer.result()


def results_in_order(
    scorer: PairScorer,
    pairs: Iterable[GivenPair],
    jobs: int,
    executor: Executor | None = None,
) -> Iterator[tuple[int, list[PairResult], Notes]]:
    """Score pairs in several processes, in batches of like work.

    Args:
        scorer: what is done with each pair.
        pairs: taken as they are needed.
        jobs: how many processes.
        executor: who works instead of processes of our own; *jobs* is then how many
            workers it has, or 1 if that is not known.

    Yields:
        How many pairs a batch had, their results in order, and what is to be said.

    Raises:
        WorkerError: if a pair ends its process whenever it is tried and ``on_error``
            is ``fail``.
        GraphError: if a graph cannot be read and ``on_error`` is ``fail``.
    """
    kills = memory_kills()
    score, crew = _ScoreBatch(scorer), crew_of(jobs, executor)
    with closing(_answers(score, _batches(pairs), crew, _singly)) as answers:
        for batch, answer in answers:
            if isinstance(answer, Lost):
                notes = Notes()
                lost = _deadly(scorer, batch[0], answer.why, _memory(kills))
                notes.omitted.append(lost)
                yield len(batch), [], notes
                continue
            results, notes = answer.result()
            yield len(batch), results, notes


def _deadly(scorer: PairScorer, pair: GivenPair, why: str, cause: str) -> Omission:
    """The omission of a pair whose processes died, or that an executor lost.

    Raises:
        WorkerError: if ``on_error`` is ``fail``.
    """
    name = name_of(pair.index, pair.id)
    if why:
        reason = f"{name} was lost by the executor whenever it was tried: {why}"
    else:
        reason = (
            f"{name} ended the process that scored it, {_TRIES_ALONE} times when it "
            f"was alone{cause}"
        )
    if scorer.settings.on_error == "fail":
        raise WorkerError(f"{reason}; --on-error skip leaves it out")
    return Omission(pair.index, pair.id, reason, "skipped")


def _memory(kills_before: int) -> str:
    """A clause that names lack of memory, if the system killed processes for it."""
    if memory_kills() > kills_before:
        return "; the system ran out of memory: lower -j or --max-terms"
    return ""


@dataclass(frozen=True, slots=True)
class _ScoreBatch:
    """Scores the pairs of a batch."""

    scorer: PairScorer

    def __call__(self, batch: list[GivenPair]) -> tuple[list[PairResult], Notes]:
        notes, known = Notes(), Known()
        found = [r for pair in batch for r in self.scorer.score(pair, notes, known)]
        if self.scorer.cache is not None:
            self.scorer.cache.close()
        return found, notes


def _batches(pairs: Iterable[GivenPair]) -> Iterator[list[GivenPair]]:
    """Group pairs into batches of about equal work."""
    batch: list[GivenPair] = []
    work, most = 0, _FIRST_PAIRS
    for pair in pairs:
        more = _work(pair)
        if batch and (work + more > _MOST_WORK or len(batch) >= most):
            yield batch
            batch, work, most = [], 0, min(2 * most, _MOST_PAIRS)
        batch.append(pair)
        work += more
    if batch:
        yield batch


def _work(pair: GivenPair) -> int:
    """An estimate of a pair's work: the product of its sides' lengths."""
    return _length(pair.pred) * sum(map(_length, pair.golds))


def _length(given: Any) -> int:
    """About how many characters something has."""
    if isinstance(given, Block):
        return sum(map(len, given.content))
    if isinstance(given, str):
        return len(given)
    if isinstance(given, Graph):
        return 40 * len(given.variables)
    return 500


def _singly(batch: list[GivenPair]) -> list[list[GivenPair]]:
    return [[pair] for pair in batch]


# --------------------------------------------------------------- items in order


@dataclass(slots=True)
class _Task(Generic[Item]):
    """An item on its way.

    Attributes:
        item: the item.
        deaths: how often a process died while this item was under way.
        unknown: how often it came to a process that did not know the function.
        future: gives the answer.
    """

    item: Item
    deaths: int = 0
    unknown: int = 0
    future: Future[bytes] | None = None

    def is_done(self) -> bool:
        """Whether there is an answer."""
        future = self.future
        if future is None or future.cancelled() or not future.done():
            return False
        return future.exception() is None


def _answers(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    crew: Crew,
    split: Callable[[Item], Sequence[Item]] = lambda item: [item],
) -> Generator[tuple[Item, Returned[Result] | Raised | Lost], None, None]:
    """Each item in order, with its answer if it has one.

    Args:
        function: what is applied.
        items: taken as they are needed.
        crew: does the work; its processes are ended at the end.
        split: the parts of an item that are tried apart after a process has died.
    """
    line: _Line[Item] = _Line(function, crew, split)
    source = iter(items)
    is_over = False
    try:
        while True:
            for item in islice(source, max(crew.ahead - len(line.tasks), 0)):
                line.append(_Task(item))
            if not line.tasks:
                is_over = True
                return
            yield line.first()
    finally:
        line.cancel()
        crew.end(at_once=not is_over)


class _Line(Generic[Item]):
    """Tasks in the order in which their answers are yielded."""

    def __init__(
        self,
        function: Callable[[Item], Any],
        crew: Crew,
        split: Callable[[Item], Sequence[Item]],
    ) -> None:
        self.tasks: deque[_Task[Item]] = deque()
        self._crew = crew
        self._split = split
        self._packed = pack(function, "what is to be done")
        self._key = hashlib.sha256(self._packed).hexdigest()
        self._is_small = len(self._packed) <= _SMALL
        self._told: set[bytes] = set()

    def append(self, task: _Task[Item]) -> None:
        """Add a task to the end and have it begun."""
        self.tasks.append(task)
        self._begin(task, self._is_small)

    def first(self) -> tuple[Item, Any]:
        """Take the first task off, with its answer."""
        while True:
            task = self.tasks[0]
            answer: bytes | Lost
            if task.deaths > 1:
                answer = self._alone(task)
            else:
                try:
                    answer = self._result(task)
                except BrokenExecutor:
                    self._crew.renew()
                    self._begin_again(list(self.tasks))
                    continue
                except WorkerError:
                    raise
                except Exception:  # of an executor that does not break as a whole
                    if task.is_done():
                        raise
                    self._begin_again([task])
                    continue
            if isinstance(answer, Lost):
                return self.tasks.popleft().item, answer
            if answer.startswith(UNKNOWN):
                self._begin(task, self._has_to_be_told(task, answer))
                continue
            return self.tasks.popleft().item, pickle.loads(answer)

    def cancel(self) -> None:
        """Take back what has not begun."""
        for task in self.tasks:
            if task.future is not None:
                self._crew.take_back(task.future)

    def _begin(self, task: _Task[Item], with_function: bool) -> None:
        packed = pack(task.item, "an item")
        function = self._packed if with_function else None
        try:
            task.future = self._crew.submit(work_on, self._key, function, packed)
        except BrokenExecutor:  # which shows when the answer is wanted
            task.future = None

    def _has_to_be_told(self, task: _Task[Item], process: bytes) -> bool:
        """Whether the function has to be sent for a process that does not know it.

        It is sent once for each process, and again where another one has got it.
        """
        task.unknown += 1
        is_new = process not in self._told
        self._told.add(process)
        return is_new or task.unknown > _AGAIN

    def _result(self, task: _Task[Item]) -> bytes:
        if task.future is None:
            raise BrokenExecutor
        return self._crew.result(task.future)

    def _begin_again(self, lost: Sequence[_Task[Item]]) -> None:
        """Try again what was lost: first in parts, later each part alone."""
        affected = {id(task) for task in lost if not task.is_done()}
        before, self.tasks = self.tasks, deque()
        for task in before:
            if id(task) not in affected:
                self.tasks.append(task)
                continue
            parts = self._split(task.item) if not task.deaths else [task.item]
            for item in parts:
                part = _Task(item, task.deaths + 1)
                self.tasks.append(part)
                if part.deaths == 1:
                    self._begin(part, self._is_small)

    def _alone(self, task: _Task[Item]) -> bytes | Lost:
        """The answer to a task that is tried in a process of its own."""
        packed = pack(task.item, "an item")
        why = ""
        for _ in range(_TRIES_ALONE):
            try:
                return self._crew.alone(work_on, self._key, self._packed, packed)
            except WorkerError:
                raise
            except BrokenExecutor:  # a process died
                why = ""
            except Exception as error:  # whatever else an executor says
                why = f"{type(error).__name__}: {error}".removesuffix(": ")
        return Lost(why)
