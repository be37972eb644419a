"""Work in several processes, in order and with the same results as in one.

The work is done by an executor of :mod:`concurrent.futures`: by processes of this
machine, or by one that the caller brings (Dask's, MPI's, Ray's).  The function is sent
once to each process, and no more items are taken than the processes can keep busy.
When a process dies (out of memory, a crash inside a solver), what was under way is
tried again in other processes, then each item alone; an item that ends two processes of
its own is named.
"""

import hashlib
import pickle
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import Omission, UnreadPair
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Metric, Pair
from exactmatch.scoring.notes import Notes
from exactmatch.scoring.pair import PairScorer
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.scoring.workers import (
    PATIENCE,
    SMALL,
    UNKNOWN,
    Processes,
    TaskAnswer,
    WorkerError,
    Workers,
    check_answer,
    memory_kills,
    pack,
)

if TYPE_CHECKING:
    from exactmatch.scoring.cache import PairCache

_TRIES_ALONE = 2
_MOST_WORK = 2**25  # in a batch, as _batches counts it: about 80 pairs of sentences
_MOST_PAIRS = 64
_FIRST_PAIRS = 4  # in the first batch; the next grow, so that few pairs are shared out
_AGAIN = 3  # times an item is sent without the function that a process should know
_MOST_HELD = 2**26  # bytes of answers that wait for an earlier one

_OURS = __name__.partition(".")[0]
_OUR_SOLVERS = ("auto", "bnb", "hillclimb")

_TRIED = 64  # pairs after which it is decided whether processes are worth their start
_UNTIMED = 8  # the first of them load what is loaded once
_WORTH = 2.0  # seconds of work that make other processes worth their start
_LONGEST = 4000  # characters of a small graph

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int = 1,
    executor: Executor | None = None,
) -> Generator[Result, None, None]:
    """Apply a function to items in several processes; the results come in order.

    Each item, taken as it is needed, should be work enough to be sent: about a
    millisecond or more.  The function is packed with cloudpickle, so that it may be
    defined anywhere.  With one job and no executor this process does all the work; for
    an executor, *jobs* is the number of its workers, or 1 if that is not known.

    Raises:
        WorkerError: if an item ends its process whenever it is tried, or cannot be
            sent.
    """
    if jobs == 1 and executor is None:
        yield from map(function, items)
        return
    kills = memory_kills()
    line: _TaskQueue[Item] = _TaskQueue(function, jobs, executor)
    with closing(line.answers(items)) as answers:
        for _, answer in answers:
            if answer.lost:
                raise WorkerError(f"work was lost whenever it was tried: {answer.lost}")
            if answer.lost is not None:
                died = "a process ended before its work, whenever it was tried"
                raise WorkerError(died + _memory(kills))
            yield answer.result()


def results_in_order(
    scorer: PairScorer,
    pairs: Iterable[UnreadPair],
    jobs: int = 1,
    executor: Executor | None = None,
    total: int | None = None,
) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
    """Score pairs here or in several processes, as :func:`map_in_order` works.

    Processes take half a second of computing to start, which is more than one of them
    needs for a thousand pairs of sentences.  So the first pairs are scored here, and
    all *total* pairs if the first ones were fast.

    Yields:
        a number of pairs, their results in order, and their notes.

    Raises:
        WorkerError: if a pair ends its process whenever it is tried and ``on_error``
            is ``fail``.
    """
    pairs = iter(pairs)
    if executor is None:
        trial = Trial(scorer.metrics, total)
        yield from scorer.score_all(trial.pairs(pairs))
        if trial.is_over:
            return
        pairs = chain(trial.left, pairs)
    if executor is not None and scorer.cache is not None:
        yield from _beside_cache(scorer, scorer.cache, pairs, jobs, executor)
        return
    kills = memory_kills()
    score = partial(_score_batch, scorer)
    line: _TaskQueue[list[UnreadPair]] = _TaskQueue(
        score, jobs, executor, split=lambda batch: [[pair] for pair in batch]
    )
    with closing(line.answers(_batches(pairs))) as answers:
        for batch, answer in answers:
            if answer.lost is None:
                yield len(batch), *answer.result()
                continue
            (pair,), why = batch, answer.lost
            name = name_of(pair.index, pair.id)
            reason = f"{name} was lost by the executor whenever it was tried: {why}"
            if not why:
                reason = (
                    f"{name} ended the process that scored it, {_TRIES_ALONE} times "
                    f"when it was alone{_memory(kills)}"
                )
            if scorer.settings.on_error == "raise":
                raise WorkerError(f"{reason}; --on-error skip leaves it out")
            omission = Omission(pair.index, pair.id, reason, "skipped")
            left_out = Notes()
            left_out.omitted.append(omission)
            yield 1, [], left_out


def _beside_cache(
    scorer: PairScorer,
    cache: "PairCache",
    pairs: Iterator[UnreadPair],
    jobs: int,
    executor: Executor,
) -> Iterator[tuple[int, Sequence[PairResult], Notes]]:
    """Have an executor score the pairs that a cache of this machine lacks.

    Its results are put into the cache as they come, so that an interrupted run goes on
    from there.
    """
    stored: deque[tuple[int, list[PairResult], Notes]] = deque()
    keys_sent: dict[int, dict[str, bytes]] = {}
    sent = done = 0

    def lacking() -> Iterator[UnreadPair]:
        nonlocal sent
        for pair in pairs:
            keys = scorer.cache_keys(pair)
            if keys and scorer.is_stored(keys):
                notes = Notes()
                stored.append((sent, scorer.score(pair, notes), notes))
                continue
            keys_sent[pair.index] = keys or {}
            sent += 1
            yield pair

    def until(place: int) -> tuple[int, list[PairResult], list[Notes]]:
        """Return the stored pairs before the sent one of that number."""
        count, results, notes = 0, list[PairResult](), []
        while stored and stored[0][0] <= place:
            _, own, own_notes = stored.popleft()
            count += 1
            results += own
            notes.append(own_notes)
        return count, results, notes

    remote = scorer.without_cache()
    interrupted = True
    try:
        for number, results, notes in results_in_order(
            remote, lacking(), jobs, executor
        ):
            for result in results:
                key = keys_sent.get(result.index, {}).get(result.score.metric)
                if key is not None:
                    cache.put(key, Pair(result.statistics, result.solution))
            done += number
            more, others, other_notes = until(done)
            for one in other_notes:
                notes.add(one)
            merged = sorted([*results, *others], key=lambda result: result.index)
            yield number + more, merged, notes
            for index in {result.index for result in results}:
                keys_sent.pop(index, None)
        more, others, other_notes = until(sent)
        if more:
            notes = Notes()
            for one in other_notes:
                notes.add(one)
            yield more, others, notes
        interrupted = False
    finally:
        cache.close(hurry=interrupted)


def _memory(kills_before: int) -> str:
    """Return a clause on lack of memory, if the system killed processes for it."""
    if memory_kills() > kills_before:
        return "; the system ran out of memory: lower -j or --max-terms"
    return ""


def _score_batch(
    scorer: PairScorer, batch: list[UnreadPair]
) -> tuple[list[PairResult], Notes]:
    notes = Notes()
    scored = scorer.score_all(batch, notes)
    return [result for _, results, _ in scored for result in results], notes


def _batches(pairs: Iterable[UnreadPair]) -> Iterator[list[UnreadPair]]:
    batch: list[UnreadPair] = []
    work, most = 0, _FIRST_PAIRS
    for pair in pairs:
        more = _length(pair.pred) * sum(map(_length, pair.golds))
        if batch and (work + more > _MOST_WORK or len(batch) >= most):
            yield batch
            batch, work, most = [], 0, min(2 * most, _MOST_PAIRS)
        batch.append(pair)
        work += more
    if batch:
        yield batch


def _length(item: Any) -> int:
    if isinstance(item, Block):
        return sum(map(len, item.content))
    if isinstance(item, str):
        return len(item)
    if isinstance(item, Graph):
        return 40 * len(item.variables)
    return 500


# ------------------------------------------------- which pairs are scored here


class Trial:
    """Decides which pairs are scored in this process.

    These are only small graphs under metrics and solvers of this package, which call no
    foreign code: a pair that could end its process is left to another process.
    """

    def __init__(self, metrics: Iterable[Metric], total: int | None) -> None:
        self.is_over = False  # whether all pairs were scored here
        self.left: list[UnreadPair] = []  # taken, and for other processes
        self._total = total
        self._is_harmless = all(map(_is_ours, metrics))

    def pairs(self, pairs: Iterator[UnreadPair]) -> Iterator[UnreadPair]:
        """Yield the pairs to score here; each is taken after the last was scored."""
        if self._total is None or not self._is_harmless:
            return
        begun = 0.0
        for number, pair in enumerate(pairs):
            if number == _UNTIMED:
                begun = time.process_time()
            spent = time.process_time() - begun if number > _UNTIMED else 0.0
            expected = spent
            if number == _TRIED:
                expected = spent / (_TRIED - _UNTIMED) * (self._total - _TRIED)
            if expected > _WORTH or not all(map(_is_small, (pair.pred, *pair.golds))):
                self.left.append(pair)
                return
            yield pair
        self.is_over = True


def _is_ours(metric: Metric) -> bool:
    """Return whether a metric runs the code of this package alone."""
    if type(metric).__module__.partition(".")[0] != _OURS:
        return False
    return not isinstance(metric, AligningMetric) or metric.solver.name in _OUR_SOLVERS


def _is_small(item: object) -> bool:
    """Return whether this is a graph or sentence of a few lines, or missing."""
    is_known = isinstance(item, Block | Graph | str)
    return item is None or (is_known and _length(item) <= _LONGEST)


# --------------------------------------------------------------- items in order


@dataclass(slots=True)
class _Task(Generic[Item]):
    item: Item
    deaths: int = 0  # how often a process died while it was under way
    unknown: int = 0  # how often it came to a process that did not know the function
    future: Future[bytes] | None = None
    held: int = 0  # bytes of its answer, once that has come

    def is_done(self) -> bool:
        future = self.future
        if future is None or future.cancelled() or not future.done():
            return False
        return future.exception() is None


class _TaskQueue(Generic[Item]):
    """Queue of tasks, whose answers are yielded in its order.

    After a process has died, the parts of its item (*split*) are tried one by one.
    """

    def __init__(
        self,
        function: Callable[[Item], Any],
        jobs: int,
        executor: Executor | None,
        split: Callable[[Item], Sequence[Item]] = lambda item: [item],
    ) -> None:
        self._tasks: deque[_Task[Item]] = deque()
        self._under_way: dict[Future[bytes], _Task[Item]] = {}
        self._held = 0  # bytes of answers that have come and are not yielded yet
        self._failure: Exception | None = None  # of the source, after all tasks
        self._workers = Processes(jobs) if executor is None else Workers(executor, jobs)
        self._split = split
        self._packed = pack(function, "what is to be done")
        self._key = hashlib.sha256(self._packed).hexdigest()
        self._is_small = len(self._packed) <= SMALL
        self._informed: set[bytes] = set()

    def answers(
        self, items: Iterable[Item]
    ) -> Generator[tuple[Item, TaskAnswer], None, None]:
        """Yield each item in order with its answer; items are taken as needed.

        So many are under way as the workers can keep busy, however long the first one
        takes, as long as the answers of the others can be held.
        """
        source = iter(items)
        try:
            while True:
                self._fill(source)
                if not self._tasks:
                    if self._failure is not None:
                        raise self._failure
                    return
                answer = self._first(source)
                task = self._tasks.popleft()
                self._forget(task)
                yield task.item, answer
        finally:
            self._workers.end(task.future for task in self._tasks)

    def _fill(self, source: Iterator[Item]) -> None:
        """Begin as many items as the workers can keep busy."""
        while self._failure is None and len(self._under_way) < self._workers.ahead:
            if self._held > _MOST_HELD and self._tasks:
                return
            try:
                item = next(source)
            except StopIteration:
                return
            except Exception as error:  # raised after the answers to all items before
                self._failure = error
                return
            task = _Task(item)
            self._begin(task, self._is_small)
            self._tasks.append(task)

    def _await(self, task: _Task[Item], source: Iterator[Item]) -> None:
        """Wait until a task is done; others begin in the places of those that end."""
        assert task.future is not None
        while not task.future.done():
            for future in self._workers.wait(self._under_way):
                done = self._under_way.pop(future)
                if done.is_done():
                    done.held = len(future.result())
                    self._held += done.held
            self._fill(source)

    def _forget(self, task: _Task[Item]) -> None:
        """Count a task no longer among those that are under way or held."""
        if task.future is not None:
            self._under_way.pop(task.future, None)
        self._held -= task.held
        task.held = 0

    def _first(self, source: Iterator[Item]) -> TaskAnswer:
        while True:
            task = self._tasks[0]
            if task.deaths > 1:
                return self._alone(task)
            try:
                if task.future is None:
                    raise BrokenExecutor
                self._await(task, source)
                answer = self._workers.result(task.future)
            except BrokenExecutor:
                self._workers.renew()
                self._begin_again(list(self._tasks))
            except WorkerError:
                raise
            except Exception:  # of an executor that does not break as a whole
                if task.is_done():
                    raise
                self._begin_again([task])
            else:
                if not check_answer(answer).startswith(UNKNOWN):
                    task_answer: TaskAnswer = pickle.loads(answer)
                    return task_answer
                # send the function once for each machine, where its other processes
                # find it, and again if another machine got it
                task.unknown += 1
                place = self._workers.place_of(answer)
                is_new = place not in self._informed
                self._informed.add(place)
                again = task.unknown > _AGAIN
                self._begin(task, is_new or again, PATIENCE)

    def _begin(
        self, task: _Task[Item], with_function: bool, patience: float = 0.0
    ) -> None:
        self._forget(task)
        packed = pack(task.item, "an item")
        function = self._packed if with_function else None
        try:
            self._workers.greet(self._key, self._packed)
            task.future = self._workers.submit(self._key, function, packed, patience)
            self._under_way[task.future] = task
        except BrokenExecutor:  # _first renews the processes
            task.future = None

    def _begin_again(self, lost: Sequence[_Task[Item]]) -> None:
        """Repeat lost tasks: first in parts, later each part alone."""
        affected = {id(task) for task in lost if not task.is_done()}
        before, self._tasks = self._tasks, deque()
        for task in before:
            if id(task) not in affected:
                self._tasks.append(task)
                continue
            self._forget(task)
            parts = self._split(task.item) if not task.deaths else [task.item]
            for item in parts:
                part = _Task(item, task.deaths + 1)
                self._tasks.append(part)
                if part.deaths == 1:
                    self._begin(part, self._is_small)

    def _alone(self, task: _Task[Item]) -> TaskAnswer:
        """Return the answer to a task that is tried in a process of its own."""
        packed = pack(task.item, "an item")
        why = ""
        for _ in range(_TRIES_ALONE):
            try:
                answer = self._workers.alone(self._key, self._packed, packed)
            except WorkerError:
                raise
            except BrokenExecutor:  # a process died
                why = ""
            except Exception as error:  # whatever else an executor says
                why = f"{type(error).__name__}: {error}".removesuffix(": ")
            else:
                task_answer: TaskAnswer = pickle.loads(check_answer(answer))
                return task_answer
        self._workers.check_alive(why)
        return TaskAnswer(lost=why)
