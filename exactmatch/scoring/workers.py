"""Workers: an executor that works on functions and items, both packed as bytes.

:class:`Workers` are those of an executor that the caller brings, :class:`Processes` our
own.  Items are packed here, and not inside an executor, so that an error can name
the item.
"""

import gc
import os
import pickle
import platform
import signal
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, wait
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from exactmatch.base.errors import ExactmatchError, sendable

_AHEAD = 3  # tasks under way for each process, so that none waits for its next one
_UNKNOWN_SIZE = 32  # workers of an executor whose number is not known
_LOOK_EVERY = 1.0  # seconds without an answer after which processes are looked at
_COLLECT_EVERY = 50_000  # objects between garbage collections: graphs have no cycles
UNKNOWN = b"unknown to "  # the answer of a process that lacks the function
_KEPT = 4
_functions: dict[str, Callable[[Any], Any]] = {}  # the last ones sent here, by keys


class WorkerError(ExactmatchError, RuntimeError):
    """A process died unexpectedly."""


class _ElsewhereError(Exception):
    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class TaskAnswer(NamedTuple):
    """Result or error of a function in another process, and where it raised that."""

    value: Any = None
    error: Exception | None = None
    trace: str = ""
    lost: str | None = None  # why no worker answered; empty if processes died

    def result(self) -> Any:
        """Return the value, or raise the error here."""
        if self.error is not None:
            raise self.error from _ElsewhereError(self.trace)
        return self.value


def pack(item: Any, what: str) -> bytes:
    """Pickle an item as bytes, or raise a WorkerError if that is impossible."""
    import cloudpickle

    try:
        packed: bytes = cloudpickle.dumps(item)
    except Exception as error:  # whatever its class does when it is packed
        raise WorkerError(
            f"{what} cannot be sent to another process ({error}); use one process"
        ) from error
    return packed


def work_on(key: str, function: bytes | None, item: bytes) -> bytes:
    """Apply a function to an item, both packed, and pack the :class:`TaskAnswer`."""
    known = _functions.get(key)
    if known is None:
        if function is None:
            return UNKNOWN + f"{platform.node()} {os.getpid()}".encode()
        known = pickle.loads(function)
        while len(_functions) >= _KEPT:
            _functions.pop(next(iter(_functions)), None)
        _functions[key] = known
    try:
        answer = TaskAnswer(known(pickle.loads(item)))
    except Exception as error:  # raised again where the answer is waited for
        answer = TaskAnswer(None, sendable(error, WorkerError), traceback.format_exc())
    try:
        return pack(answer, "a result")
    except WorkerError as error:
        return pack(TaskAnswer(None, error, traceback.format_exc()), "an error")


class Workers:
    """The workers of an executor that belongs to the caller, who manages them."""

    def __init__(self, executor: Executor, jobs: int) -> None:
        if isinstance(executor, type) or not hasattr(executor, "submit"):
            what = executor.__name__ if isinstance(executor, type) else repr(executor)
            raise WorkerError(
                f"executor is {what}, which is not an executor; make one, such as "
                "concurrent.futures.ProcessPoolExecutor()"
            )
        self.ahead = _AHEAD * (jobs if jobs > 1 else _UNKNOWN_SIZE)  # calls under way
        self._name = type(executor).__name__
        self._executor = executor

    def submit(self, *call: Any) -> Future[bytes]:
        """Have :func:`work_on` called."""
        try:
            return self._executor.submit(work_on, *call)
        except BrokenExecutor:
            raise
        except Exception as error:  # whatever it raises when it is closed
            raise WorkerError(
                f"the executor ({self._name}) takes no work: "
                f"{type(error).__name__}: {error}"
            ) from error

    def result(self, future: Future[bytes]) -> bytes:
        """Wait for the answer.

        After a BrokenExecutor all calls that were not done are lost; after any other
        error, this call alone.
        """
        return future.result()

    def renew(self) -> None:
        """Go on with other processes after some have died, if we may make them."""
        raise WorkerError(
            f"the executor ({self._name}) is broken: one of its "
            "workers ended before its work; make a new one, or let -j make processes"
        )

    def alone(self, *call: Any) -> bytes:
        """Make a call apart from all others, and wait for the answer."""
        return self.submit(*call).result()

    def end(self, futures: Iterable[Future[bytes] | None] = ()) -> None:
        """Leave the executor to its owner, without calls that have not begun."""
        for future in futures:
            if future is not None:
                future.cancel()


class Processes(Workers):
    """So many processes of this machine, replaced when one of them dies.

    They are loky's, which can be killed at any moment without harm.  A process that is
    killed while it writes an answer leaves a part of it in a pipe, and loky's thread
    waits for the rest; one that is killed while much is written to it leaves the thread
    that writes.  Both end where the pipes' other ends are closed and nobody else holds
    them.
    """

    def __init__(self, jobs: int) -> None:
        self.ahead = _AHEAD * jobs
        self._jobs = jobs
        self._pool: Any = None
        self._single: Processes | None = None  # of one process, for calls made alone

    def submit(self, *call: Any) -> Future[bytes]:
        if self._pool is None:
            from loky import ProcessPoolExecutor

            _start_tracker()
            own = (os.getpid(),)
            pool = ProcessPoolExecutor(self._jobs, initializer=_begin, initargs=own)
            self._processes: dict[int, Any] = pool._processes
            self._ends = pool._call_queue._reader, pool._result_queue._writer
            self._pool = pool
        try:
            with _interrupts_held():
                future: Future[bytes] = self._pool.submit(work_on, *call)
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
        seen = False
        while self._pool is not None and not wait([future], _LOOK_EVERY).done:
            died = any(p.exitcode is not None for p in list(self._processes.values()))
            if died and seen:  # for a whole second, and loky has not said so
                self._kill()
            seen = died
        return future.result()

    def renew(self) -> None:
        """Kill the processes, even those that are deep inside a solver.

        loky waits for them all when it ends them gently, and one that is killed then
        keeps the others from hearing that they may go.
        """
        if self._pool is not None:
            self._kill()
            self._pool.shutdown(wait=True, kill_workers=True)
            self._pool = None

    def alone(self, *call: Any) -> bytes:
        single, self._single = self._single or Processes(1), None
        try:
            answer = single.result(single.submit(*call))
        except BaseException:
            single.end()
            raise
        self._single = single
        return answer

    def end(self, futures: Iterable[Future[bytes] | None] = ()) -> None:
        del futures  # a thread of loky's cannot fail what is cancelled
        self.renew()
        if self._single is not None:
            self._single.end()

    def _kill(self) -> None:
        for process in list(self._processes.values()):
            if process.exitcode is None:
                with suppress(OSError):  # it is gone already
                    os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
        for pipe in self._ends:
            with suppress(OSError):  # loky has just closed it itself
                pipe.close()


_SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
_ENDING = {getattr(signal, name) for name in _SIGNALS if hasattr(signal, name)}


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


_TRACKED: dict[str, int] = {}
"""The process that was told to clean up each name, which is known to no later one."""


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
        if cmd == "REGISTER":
            _TRACKED[name] = pid
        knows_it = cmd == "REGISTER" or _TRACKED.pop(name, pid) == pid
        is_ours = tracker._pid == pid and tracker._fd is not None
        if knows_it and is_ours and tracker._check_alive():
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

    def leave_with_parent() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_EVERY)
        os._exit(1)

    if os.name == "posix":
        threading.Thread(target=leave_with_parent, daemon=True).start()


def memory_kills() -> int:
    """Return how many processes the system killed for lack of memory; 0 if unknown."""
    with suppress(OSError, ValueError), open("/proc/vmstat", encoding="ascii") as file:
        for line in file:
            name, _, count = line.partition(" ")
            if name == "oom_kill":
                return int(count)
    return 0
