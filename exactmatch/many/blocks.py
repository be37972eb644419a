"""A matrix of scores in blocks, scored in threads, processes or elsewhere.

A block is a rectangle of the matrix.  It carries the graphs that it needs, so that any
process or machine can score it; blocks that are lost are simply scored again.  Packed
graphs are scored in threads, because the kernel does not hold the GIL.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice, tee
from typing import Any, ClassVar, TypeVar

import numpy as np

from exactmatch.many.bank import Bank
from exactmatch.many.packed import (
    Floats,
    Keys,
    PackedGraphs,
    PackedScorer,
    UnpackableError,
    pack,
)
from exactmatch.many.scores import ScoreComparison
from exactmatch.metrics.base import Metric, Statistics
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.reading import Digest

_AHEAD = 3  # blocks under way for each worker
_HELD = 128  # blocks, some hundred KB each, that are done or under way
SHARE = 32  # blocks of a small matrix for each thread, so that none waits long

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Block:
    """A rectangle of the matrix: rows from *top* up to *bottom*, and such columns."""

    top: int
    bottom: int
    start: int
    end: int
    triangle: bool = False  # whether it has only the entries right of the diagonal
    diagonal: int = 0  # the column where the diagonal meets row 0 of a task

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return self.bottom - self.top, self.end - self.start

    def first(self, row: int) -> int:
        """Return the first column of a row that is to be scored."""
        right = self.diagonal + row + 1
        return max(self.start, right) if self.triangle else self.start


@dataclass(frozen=True, slots=True)
class Sides:
    """The graphs of rows and columns."""

    metric: Metric
    left: Any
    right: Any
    cutoff: float  # lower scores become 0
    first: tuple[int, int] = (0, 0)  # numbers of the first row and column, for messages

    block_shape: ClassVar[tuple[int, int]]  # of a block that takes about a second

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""
        return len(self.left), len(self.right)

    def scorer(self) -> Callable[[Block], Floats]:
        """Make a function that scores blocks in this process; one for each thread."""
        score_row = self.row_scorer()

        def score(block: Block) -> Floats:
            rows = np.zeros(block.shape)
            for i in range(block.top, block.bottom):
                first = block.first(i)
                if first < block.end:
                    scores = score_row(i, first, block.end)
                    rows[i - block.top, first - block.start :] = scores
            return rows

        return score

    def row_scorer(self) -> Callable[[int, int, int], Floats]:
        """Make a function that scores a part of a row: its number, begin and end."""
        raise NotImplementedError

    def task(self, block: Block) -> "tuple[Sides, Block]":
        """Cut out the graphs of a block, which any process can score."""
        left = self.left[block.top : block.bottom]
        right = self.right[block.start : block.end]
        first = (block.top, block.start)
        part = type(self)(self.metric, left, right, self.cutoff, first)
        (height, width), diagonal = block.shape, block.top - block.start
        return part, Block(0, height, 0, width, block.triangle, diagonal)


class PackedSides(Sides):
    """The graphs of rows and columns, packed for the kernel."""

    __slots__ = ()
    left: PackedGraphs
    right: PackedGraphs
    block_shape = (128, 512)

    def row_scorer(self) -> Callable[[int, int, int], Floats]:
        scorer = PackedScorer(self.metric, self.left, self.right, self.first)

        def score(i: int, first: int, end: int) -> Floats:
            columns = np.arange(first, end, dtype=np.int32)
            return scorer.scores(i, columns, self.cutoff, 0.0)

        return score


class PreparedSides(Sides):
    """Graphs, or sentences, as any metric prepares them."""

    __slots__ = ()
    left: Sequence[Any]
    right: Sequence[Any]
    block_shape = (32, 32)

    def row_scorer(self) -> Callable[[int, int, int], Floats]:
        metric = self.metric
        metric.expect(self.left, self.right)

        def score(i: int, first: int, end: int) -> Floats:
            rows = [self._count(self.left[i], j) for j in range(first, end)]
            if metric.aligns:  # its rows of statistics are equally long
                scores: Floats = metric.score_rows(np.array(rows))[:, 2]
                for k in np.flatnonzero(np.isnan(scores)):  # neither graph has a part
                    scores[k] = metric.scores(rows[k]).score
            else:
                scores = np.array([metric.scores(row).score for row in rows])
            scores[scores < self.cutoff] = 0.0  # NaN, an undefined score, is kept
            return scores

        return score

    def _count(self, pred: Any, number: int) -> Statistics:
        """Return the statistics of a pair; 0 matches if it cannot reach the cutoff."""
        metric, sides = self.metric, (pred, self.right[number])
        if self.cutoff > 0 and metric.bounds:
            bounded = metric.pair_of(
                metric.compare_shared(sides, None, "bound")
            ).statistics
            if metric.scores((bounded[1], *bounded[1:])).score < self.cutoff:
                return (0.0, *bounded[1:])
        return metric.pair_of(metric.compare_shared(sides, None, "count")).statistics


def _score(task: tuple[Sides, Block]) -> Floats:
    part, block = task
    return part.scorer()(block)


def sides_of(
    comparison: ScoreComparison,
    queries: Bank | list[Any],
    choices: Bank | list[Any],
    cutoff: float,
    digest: Digest | None = None,
) -> Sides:
    """Read and prepare the graphs of rows and columns, each once.

    For a side that is compared with itself, *queries* and *choices* are one object.  A
    *digest* becomes the checksum of every item, or of packed graphs and keys.
    """
    same = choices is queries
    left = comparison.items(queries, "item" if same else "query")
    right = left if same else comparison.items(choices, "choice")
    bank = next((b for b in (right, left) if isinstance(b, Bank)), None)
    sides: Sides
    if bank is not None:
        lefts = bank.packed(left)
        rights = lefts if same else bank.packed(right)
        if digest is not None:
            digest.add(repr((list(bank.keys.unary), list(bank.keys.roles))).encode())
            for side in (lefts, rights):
                digest.add(side.begins.tobytes())
                digest.add(side.cells.tobytes())
        sides = PackedSides(bank.metric, lefts, rights, cutoff)
    else:
        watch: Any = iter if digest is None else digest.watch
        rows, columns = watch(left), None if same else watch(right)
        metric, hear = comparison.metric, comparison.compare
        sides = sides_of_items(metric, rows, columns, cutoff, hear)
    comparison.finish()
    return sides


def sides_of_items(
    metric: Metric,
    lefts: Iterable[Any],
    rights: Iterable[Any] | None,
    cutoff: float,
    hear: Callable[[Sequence[Any], Sequence[Any] | None], object] = lambda *_: None,
) -> Sides:
    """Prepare graphs of rows and columns that have been read.

    Without a right side, the left one is compared with itself; *hear* is called with
    the documents of both sides.
    """
    if metric.packs:
        lefts, lefts_again = tee(lefts)
        rights, rights_again = (None, None) if rights is None else tee(rights)
        with suppress(UnpackableError):
            keys = Keys()
            left = pack(metric, lefts, keys, learn=True)
            right = left if rights is None else pack(metric, rights, keys, learn=False)
            return PackedSides(metric, left, right, cutoff)
        lefts, rights = lefts_again, rights_again
    left_sides, left_documents = _prepare(metric, lefts)
    right_sides, right_documents = (
        (left_sides, None) if rights is None else _prepare(metric, rights)
    )
    hear(left_documents, right_documents)
    metric = metric.copy()
    if metric.learns and not metric.fitted:
        metric.fit(right_sides)
    return PreparedSides(metric, left_sides, right_sides, cutoff)


def _prepare(metric: Metric, items: Iterable[Any]) -> tuple[list[Any], list[Any]]:
    """Return prepared graphs or sentences, and those that are documents."""
    prepared, documents = [], []
    for item in items:
        prepared.append(metric.prepare(item))
        document = getattr(item, "document", None)
        documents.append(item if document and document.sentences else None)
    return prepared, documents


def shared_shape(sides: Sides, blocks: int) -> tuple[int, int]:
    """Return the rows and columns of a block, for about *blocks* blocks in all.

    A block of packed graphs costs nothing but its pairs, so it keeps its width.  One of
    prepared graphs carries them to another process: it is halved along its longer side.
    """
    height, width = sides.block_shape
    rows, columns = sides.shape
    if not isinstance(sides, PreparedSides):
        n_across = max(1, -(-columns // width))
        return max(1, min(height, rows * n_across // blocks)), width
    height, width = max(1, min(height, rows)), max(1, min(width, columns))
    while height * width > 1 and -(-rows // height) * -(-columns // width) < blocks:
        if height >= width:
            height = -(-height // 2)
        else:
            width = -(-width // 2)
    return height, width


def blocks_of(
    shape: tuple[int, int], block_shape: tuple[int, int], triangle: bool
) -> list[Block]:
    """Return the blocks of a matrix, row by row; of a triangle, only its own."""
    height, width = block_shape
    blocks = []
    for top in range(0, shape[0], height):
        bottom = min(top + height, shape[0])
        for start in range(0, shape[1], width):
            end = min(start + width, shape[1])
            if not triangle or end > top + 1:
                blocks.append(Block(top, bottom, start, end, triangle))
    return blocks


def score_blocks(
    sides: Sides, blocks: Sequence[Block], workers: int, executor: Executor | None
) -> Generator[tuple[Block, Floats], None, None]:
    """Score blocks; the results come in the order of the blocks.

    The workers are threads for packed graphs and processes for others, or those of an
    executor.
    """
    results: Iterator[Floats]
    if executor is None and (workers == 1 or isinstance(sides, PackedSides)):
        workers = max(1, min(workers, len(blocks)))
        scorers = [sides.scorer() for _ in range(workers)]  # one for each thread

        def score(block: Block) -> Floats:
            scorer = scorers.pop()
            try:
                return scorer(block)
            finally:
                scorers.append(scorer)

        results = in_order(score, blocks, workers)
    else:
        tasks = map(sides.task, blocks)
        results = map_in_order(_score, tasks, workers, executor)
    yield from zip(blocks, results, strict=True)


def in_order(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    workers: int,
    executor: Executor | None = None,
) -> Iterator[Result]:
    """Apply a function that releases the GIL, in threads; the results come in order.

    The workers are those of an executor if there is one; items are taken as needed.
    """
    if workers == 1 or executor is not None:
        yield from map_in_order(function, items, workers, executor)
        return
    source = iter(items)
    pending: deque[Future[Result]] = deque()
    under_way: set[Future[Result]] = set()
    pool = ThreadPoolExecutor(workers)
    try:
        while True:
            # a hard item at the head keeps no thread waiting
            room = min(workers * _AHEAD - len(under_way), _HELD - len(pending))
            for item in islice(source, max(room, 0)):
                pending.append(pool.submit(function, item))
                under_way.add(pending[-1])
            if not pending:
                return
            while not pending[0].done() and under_way:
                under_way = wait(under_way, return_when=FIRST_COMPLETED).not_done
                if len(under_way) < workers * _AHEAD and len(pending) < _HELD:
                    break
            if pending[0].done():
                under_way.discard(pending[0])
                yield pending.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
