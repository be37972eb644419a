"""What does the work of an evaluation: our own processes, or the caller's executor.

A :class:`Crew` takes calls and gives futures.  Arguments and return values are bytes,
so that what cannot be packed or unpacked is noticed where it can be named, and not
inside an executor.
"""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from typing import Any, Protocol, TypeAlias

from exactmatch.base.errors import ExactmatchError

Work: TypeAlias = Callable[..., bytes]

_AHEAD = 3
"""Tasks under way for each process, so that none waits for its next one."""

_UNKNOWN_SIZE = 32
"""How many workers an executor is taken to have that does not say so."""

_LOOK_EVERY = 1.0
"""Seconds without an answer after which processes are looked at."""

_COLLECT_EVERY = 50_000
"""Objects between two garbage collections: graphs are many and hold no cycles."""


class WorkerError(ExactmatchError, RuntimeError):
    """A process died unexpectedly."""


class Crew(Protocol):
    """Runs calls in processes that may die.

    Attributes:
        ahead: how many calls should be under way at a time.
    """

    ahead: int

    def submit(self, work: Work, *arguments: Any) -> Future[bytes]:
        """Have something done."""

    def result(self, future: Future[bytes]) -> bytes:
        """Wait for what was done.

        Raises:
            BrokenExecutor: if a process died; all calls that were not done are lost.
            Exception: if this call alone is lost.
        """

    def take_back(self, future: Future[bytes]) -> None:
        """Have something not done, if it has not begun."""

    def renew(self) -> None:
        """Go on with other processes after some have died.

        Raises:
            WorkerError: if that cannot be.
        """

    def alone(self, work: Work, *arguments: Any) -> bytes:
        """Make a call while nothing else is under way, and wait for it.

        Raises:
            Exception: if it cannot be done.
        """

    def end(self, *, at_once: bool) -> None:
        """End the processes; *at_once* even if they are still at work."""


def crew_of(jobs: int, executor: Executor | None = None) -> Crew:
    """Who is to work.

    Args:
        jobs: how many processes; of an executor, how many workers it has, or 1 if
            that is not known.
        executor: who works instead of processes of our own.
    """
    return Processes(jobs) if executor is None else Borrowed(executor, jobs)


class Borrowed:
    """An executor that belongs to the caller, who manages its processes.

    Raises:
        WorkerError: if it is none.
    """

    def __init__(self, executor: Executor, jobs: int) -> None:
        if isinstance(executor, type) or not hasattr(executor, "submit"):
            what = executor.__name__ if isinstance(executor, type) else repr(executor)
            raise WorkerError(
                f"executor is {what}, which is no executor; make one, such as "
                "concurrent.futures.ProcessPoolExecutor()"
            )
        self.ahead = _AHEAD * (jobs if jobs > 1 else _UNKNOWN_SIZE)
        self._executor = executor

    def submit(self, work: Work, *arguments: Any) -> Future[bytes]:
        """Have something done.

        Raises:
            WorkerError: if the executor takes no work, as when it was shut down.
        """
        try:
            return self._executor.submit(work, *arguments)
        except BrokenExecutor:
            raise
        except Exception as error:  # whatever it raises when it is closed
            raise WorkerError(
                f"the executor ({type(self._executor).__name__}) takes no work: "
                f"{type(error).__name__}: {error}"
            ) from error

    def result(self, future: Future[bytes]) -> bytes:
        """Wait for what was done."""
        return future.result()

    def take_back(self, future: Future[bytes]) -> None:
        """Leave the workers to others."""
        future.cancel()

    def renew(self) -> None:
        """Refuse: only its owner could make a new one."""
        raise WorkerError(
            f"the executor ({type(self._executor).__name__}) is broken: one of its "
            "workers ended before its work; make a new one, or let -j make processes"
        )

    def alone(self, work: Work, *arguments: Any) -> bytes:
        """Have something done and wait for it."""
        return self.submit(work, *arguments).result()

    def end(self, *, at_once: bool) -> None:
        """Leave the executor to its owner."""


class Processes:
    """Processes of this machine, replaced when one of them dies."""

    def __init__(self, jobs: int) -> None:
        self.ahead = _AHEAD * jobs
        self._jobs = jobs
        self._pool: _Pool | None = None
        self._single: _Pool | None = None

    def submit(self, work: Work, *arguments: Any) -> Future[bytes]:
        """Have something done in one of the processes."""
        if self._pool is None:
            self._pool = _Pool(self._jobs)
        return self._pool.submit(work, *arguments)

    def result(self, future: Future[bytes]) -> bytes:
        """Wait for what was done."""
        if self._pool is None or future.done():  # by processes that are no more
            return future.result()
        return self._pool.result(future)

    def take_back(self, future: Future[bytes]) -> None:
        """Do nothing: the processes are killed, and loky cannot fail what is cancelled.

        A thread of loky's would end in a traceback.
        """

    def renew(self) -> None:
        """Begin with new processes when something is submitted."""
        if self._pool is not None:
            self._pool.end(at_once=True)
            self._pool = None

    def alone(self, work: Work, *arguments: Any) -> bytes:
        """Have something done in a process of its own."""
        pool, self._single = self._single or _Pool(1), None
        try:
            answer = pool.result(pool.submit(work, *arguments))
        except BaseException:
            pool.end(at_once=True)
            raise
        self._single = pool
        return answer

    def end(self, *, at_once: bool) -> None:
        """End all processes."""
        for pool in (self._pool, self._single):
            if pool is not None:
                pool.end(at_once=at_once)
        self._pool = self._single = None


class _Pool:
    """loky's processes, which can be killed at any moment without harm.

    A process that is killed while it writes an answer leaves a part of it in a pipe,
    and loky's thread waits for the rest; one that is killed while much is written to
    it leaves the thread that writes.  Both end where the pipes' other ends are closed
    and nobody else holds them.
    """

    def __init__(self, jobs: int) -> None:
        from loky import ProcessPoolExecutor

        _start_tracker()
        self._executor = ProcessPoolExecutor(
            jobs, initializer=_begin, initargs=(os.getpid(),)
        )
        self._processes: dict[int, Any] = self._executor._processes
        self._other_ends = (
            self._executor._call_queue._reader,
            self._executor._result_queue._writer,
        )

    def submit(self, work: Work, *arguments: Any) -> Future[bytes]:
        """Have something done in one of the processes, which may be started now.

        Raises:
            WorkerError: if one cannot be started.
        """
        try:
            with _interrupts_held():
                future: Future[bytes] = self._executor.submit(work, *arguments)
        except (OSError, UnboundLocalError) as error:
            # The latter is loky's own mistake, made over the former.
            cause = error if isinstance(error, OSError) else error.__context__
            if not isinstance(cause, OSError):
                raise
            raise WorkerError(
                f"a process cannot be started: {cause.strerror}; use one process, or "
                "raise the system's limit"
            ) from error
        return future

    def result(self, future: Future[bytes]) -> bytes:
        """Wait for an answer, and check meanwhile that the processes are alive."""
        seen = False
        while not wait([future], _LOOK_EVERY).done:
            died = any(p.exitcode is not None for p in list(self._processes.values()))
            if died and seen:  # for a whole second, and loky has not said so
                self._kill()
            seen = died
        return future.result()

    def end(self, *, at_once: bool) -> None:
        """End the processes, even those that are deep inside a solver.

        They are killed in any case: loky waits for them all when it ends them gently,
        and one that is killed then keeps the others from hearing that they may go.
        """
        del at_once
        self._kill()
        self._executor.shutdown(wait=True, kill_workers=True)

    def _kill(self) -> None:
        for process in list(self._processes.values()):
            if process.exitcode is None:
                with suppress(OSError):  # it is gone already
                    os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        for pipe in self._other_ends:
            with suppress(OSError):  # loky has just closed it itself
                pipe.close()


_ENDING = {
    number
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if (number := getattr(signal, name, None)) is not None
}


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Hold Ctrl-C and other signals back while a process may be started.

    The new process inherits that, and listens again once it has all that it needs; to
    Ctrl-C never, because it is the parent's business to end it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _start_tracker() -> None:
    """Start the process that cleans up after us, before and unlike the others.

    It has to outlive a signal to the whole group; if it is left alone, its warnings are
    of no use to whoever is at the terminal; and while it starts it lets signals in.
    One that was killed is not told what it had to clean up: loky would start another,
    with a warning, to which each name is unknown, with a traceback.
    """
    import warnings

    from loky.backend import resource_tracker

    tracker = resource_tracker._resource_tracker

    def send_to_living(cmd: str, name: str, rtype: str) -> None:
        is_ours = tracker._pid == pid and tracker._fd is not None
        if is_ours and tracker._check_alive():
            type(tracker)._send(tracker, cmd, name, rtype)

    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = "ignore"
    try:
        with _interrupts_held(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tracker.ensure_running()
            pid = tracker._pid
            tracker._send = send_to_living
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before is not None:
            os.environ["PYTHONWARNINGS"] = before


def _begin(parent: int) -> None:
    """Set up a process of ours: it ignores Ctrl-C, and ends when its parent does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
    gc.freeze()
    gc.set_threshold(_COLLECT_EVERY)
    if os.name == "posix":
        threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_LOOK_EVERY)
    os._exit(1)


def memory_kills() -> int:
    """How many processes the system has killed for lack of memory; 0 if unknown."""
    with suppress(OSError, ValueError), open("/proc/vmstat", encoding="ascii") as file:
        for line in file:
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0
