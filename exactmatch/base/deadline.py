"""Limits of time that hold for all that is done meanwhile, not for searches alone.

Whoever has a limit works ``within`` it; a loop that may take long calls ``check``, and
needs to know no limit.  A limit belongs to one thread, and does not reach others.

>>> with within(seconds=60.0):
...     check()

What is read has the limits of the question that it is read for: a question answers
``reading_within`` limits, and whoever reads a graph or a file does so within
``reading``.  A graph may take as long as a pair (``--time-limit``): the graphs of ten
pairs may take ten limits together.  All of them may take as long as all pairs
(``--total-time``) and a little more, because a pair counts although no time is left for
its search.  So short texts are always read.

Other packages do not look at the clock.  A process of its own, as the command line is,
lets a signal do so while it reads (``look_by_signal``).
"""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from itertools import count
from types import FrameType
from typing import Any, TypeVar

from exactmatch.base.errors import InputError, place_of
from exactmatch.base.records import NamedTuple

T = TypeVar("T")

_ENDS: ContextVar[float] = ContextVar("ends", default=math.inf)
_EVERY = 64
"""How many items are done between two looks at the clock."""

_MORE, _SHARE = 0.4, 20
"""Seconds, and the part of the total time, by which reading may exceed the limits."""


class OutOfTimeError(InputError):
    """A limit of time ended before there was an answer."""


@contextmanager
def within(seconds: float | None = None, until: float | None = None) -> Iterator[None]:
    """Limit the time of the block; an earlier end that is set already stays.

    Args:
        seconds: how long it may take; ``None`` for no limit.
        until: when it ends, on the clock of ``time.time()``; ``None`` for no end.
    """
    ends = _ENDS.get()
    if seconds is not None:
        ends = min(ends, time.perf_counter() + seconds)
    if until is not None:
        ends = min(ends, time.perf_counter() + until - time.time())
    token = _ENDS.set(ends)
    try:
        yield
    finally:
        _ENDS.reset(token)


def seconds_left() -> float:
    """Return how much time is left, in seconds; infinite without a limit."""
    ends = _ENDS.get()
    return ends if ends == math.inf else ends - time.perf_counter()


def is_limited() -> bool:
    """Return whether there is a limit, without a look at the clock."""
    return _ENDS.get() != math.inf


def check(ahead: float = 0.0) -> None:
    """Raise an error where no time is left.

    Args:
        ahead: seconds that pass before the next look at the clock.

    Raises:
        OutOfTimeError: if the limit is over, or will be by then.
    """
    ends = _ENDS.get()
    if ends != math.inf and time.perf_counter() + ahead >= ends:
        if _IS_READING.get():
            raise ReadingStopped
        raise OutOfTimeError(
            "the time limit is over before there is an answer; give more time, or none"
        )


def in_time(items: Iterable[T]) -> Iterable[T]:
    """Yield items, and look at the clock now and then.

    Raises:
        OutOfTimeError: if the limit is over.
    """
    return _in_time(items) if is_limited() else items


def _in_time(items: Iterable[T]) -> Iterator[T]:
    for number, item in enumerate(items, 1):
        if number % _EVERY == 0:
            check()
        yield item


# ------------------------------------------------------------------------ reading


class ReadingTime:
    """Time that reading took, and may take, by the pairs seen so far.

    Args:
        of_pair: the seconds that the reading of a pair may take.
    """

    def __init__(self, of_pair: float) -> None:
        self._of_pair = of_pair
        self._spent = 0.0
        self._graphs = 1  # of the file that has the most
        self._readings = 0

    def left(self, graphs: int | None = None) -> float:
        """Return how much time is left for one more reading, in seconds.

        Args:
            graphs: the number of the graph in its file, where that is known; default:
                two readings are a pair.
        """
        self._readings += graphs is None
        pairs = max(self._graphs, graphs or 0, (self._readings + 1) // 2)
        self._graphs = max(self._graphs, graphs or 0)
        return pairs * self._of_pair - self._spent

    def add(self, seconds: float) -> None:
        """Add what a reading took."""
        self._spent += seconds

    def of_pair(self) -> float:
        """Return how many seconds of reading there were for a pair, on average."""
        return self._spent / max(self._graphs, (self._readings + 1) // 2)


class ReadingLimits(NamedTuple):
    """Time limits of reading: for one graph, and for all of them."""

    each: float | None = None  # seconds
    until: float | None = None  # on the clock of time.time()
    time: ReadingTime | None = None  # shared by the graphs of all pairs


class ReadingStopped(BaseException):
    """The time for reading is over.

    Readers and the packages behind them try one way after another, and catch whatever
    else is raised.
    """


_NONE = ReadingLimits()
_READING: ContextVar[ReadingLimits] = ContextVar("reading", default=_NONE)
_IS_READING: ContextVar[bool] = ContextVar("is_reading", default=False)


def reading_limits(
    each: float | None = None, until: float | None = None, total: float | None = None
) -> ReadingLimits:
    """Return the limits of reading, of limits of searches; known ones stay.

    Args:
        each: seconds that a pair has; ``None`` for no limit.
        until: when the time of all pairs ends, on the clock of ``time.time()``.
        total: the seconds that all pairs have.
    """
    limits = _READING.get()
    if limits != _NONE or (each is None and until is None):
        return limits
    spent = None
    if each is not None:
        each += _MORE
        spent = ReadingTime(each)
    if until is not None:
        until = max(until, time.time()) + max(_MORE, (total or 0.0) / _SHARE)
    return ReadingLimits(each, until, spent)


def reading_within(limits: ReadingLimits) -> AbstractContextManager[None]:
    """Read meanwhile within limits."""
    return nullcontext() if limits is _READING.get() else _reading_within(limits)


@contextmanager
def _reading_within(limits: ReadingLimits) -> Iterator[None]:
    token = _READING.set(limits)
    try:
        yield
    finally:
        _READING.reset(token)


def reading(name: str | None = None) -> AbstractContextManager[None]:
    """Read one graph or file within the limits of reading.

    Args:
        name: the file that errors name.
    """
    limits = _READING.get()
    return nullcontext() if limits == _NONE else _reading(limits, name)


def in_reading_time(
    function: Callable[[Any], T], item: Any, name: str | None = None
) -> T:
    """Return ``function(item)``, computed within the limits of reading."""
    if _READING.get() is _NONE:  # of every graph, where a context costs as much as it
        return function(item)
    with reading(name):
        return function(item)


@contextmanager
def _reading(
    limits: ReadingLimits, name: str | None, graphs: int | None = None
) -> Iterator[None]:
    each, until, spent = limits
    is_inner = _IS_READING.get()
    started = time.perf_counter()
    if each is not None and spent is not None and not is_inner:
        each = min(each, spent.left(graphs))
    try:
        with within(each, until), _is_reading():
            _set_alarm()
            yield
    except ReadingStopped:
        raise OutOfTimeError(
            f"{place_of(name, None)}the time limit is over before it is read; give "
            "more time, or none"
        ) from None
    finally:
        _set_alarm()
        if spent is not None and not is_inner:
            spent.add(time.perf_counter() - started)


@contextmanager
def _is_reading() -> Iterator[None]:
    token = _IS_READING.set(True)
    try:
        yield
    finally:
        _IS_READING.reset(token)


def each_in_time(items: Iterable[T], name: str | None = None) -> Iterator[T]:
    """Yield graphs of a file; each is read within the limits of reading.

    Args:
        items: the graphs, which are read when they are taken.
        name: the file that errors name.
    """
    if _READING.get() == _NONE:
        yield from items
        return
    iterator = iter(items)
    for number in count(1):
        with _reading(_READING.get(), name, number):
            if number % _EVERY == 0:
                check()
            try:
                item = next(iterator)
            except StopIteration:
                return
        yield item


# ----------------------------------------------------------------------- signals

_AGAIN = 2.0  # seconds after which a signal comes again, if its error was ignored


def look_by_signal() -> None:
    """Interrupt the running code when a limit of reading is over.

    It takes the alarm of the process, for a program of its own; where a system has
    none, nothing is done.
    """
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, _look)


def _look(_number: int, _frame: FrameType | None) -> None:
    if _IS_READING.get():
        check()
    else:
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _set_alarm() -> None:
    """Set the alarm to the end of the limit of the graph or file that is read."""
    if not hasattr(signal, "SIGALRM") or signal.getsignal(signal.SIGALRM) is not _look:
        return
    import threading  # here: few have an alarm

    if threading.current_thread() is threading.main_thread():
        remaining = seconds_left() if _IS_READING.get() else math.inf
        after = 0.0 if remaining == math.inf else max(remaining, 1e-6)
        signal.setitimer(signal.ITIMER_REAL, after, _AGAIN if after else 0.0)
