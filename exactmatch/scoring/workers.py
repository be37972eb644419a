"""Workers: an executor that works on functions and items, both packed as bytes.

:class:`Workers` are those of an executor that the caller brings, :class:`Processes` our
own.  Items are packed here, and not inside an executor, so that an error can name
the item.
"""

import gc
import math
import os
import pickle
import platform
import signal
import threading
import time
import traceback
import zlib
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    wait,
)
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple
from weakref import WeakSet

from exactmatch.base.deadline import look_by_signal
from exactmatch.base.errors import ExactmatchError, sendable
from exactmatch.base.version import __version__, has_kernels
from exactmatch.scoring.kept_functions import CAN_KEEP, keep_function, kept_function

_AHEAD = 3  # tasks under way for each process, so that none waits for its next one
_UNKNOWN_SIZE = 32  # workers of an executor whose number is not known
_LOOK_EVERY = 1.0  # seconds without an answer after which processes are looked at
_COLLECT_EVERY = 50_000  # objects between garbage collections: graphs have no cycles
ANSWER_WITHIN = 30.0  # seconds in which an executor answers its first call
_AILING = 14.0  # seconds after which an engine without workers or scheduler is dead
_ASK_EVERY = 4.0  # seconds without an answer after which an engine is asked how it is
UNKNOWN = b"unknown to "  # the answer of a process that lacks the function
REFUSED = b"refused "  # and of one that cannot do the work; the reason follows
SMALL = 20_000  # a function of up to this many bytes is sent along with every item
PATIENCE = 5.0  # seconds in which another worker of a machine keeps a function
_KEPT = 4
_FAST = 1  # level of zlib

_CALL = "exec(code) or answer"
_CODE = """
try:
    import exactmatch
    here = "exactmatch " + exactmatch.__version__
except ImportError as error:
    here = "no exactmatch (%s)" % error
if here == "exactmatch " + version:
    from exactmatch.scoring import workers
    answer = getattr(workers, name)(*call)
else:
    import platform
    answer = b"refused worker %s has %s" % (platform.node().encode(), here.encode())
"""
"""Code of a call that is sent as text, so that a worker without exactmatch, or with
another version, can say so instead of failing to read it."""

_GREETED: "WeakSet[Executor]" = WeakSet()  # executors whose first worker has answered
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
    if known is None and function is None:
        return UNKNOWN + f"{os.getpid()} {platform.node()}".encode()
    try:
        known = known or _learned(key, function or b"")
        content = pickle.loads(item)
    except ModuleNotFoundError as error:
        return _lacking(error)
    try:
        answer = TaskAnswer(known(content))
    except Exception as error:  # raised again where the answer is waited for
        answer = TaskAnswer(None, sendable(error, WorkerError), traceback.format_exc())
    try:
        return pack(answer, "a result")
    except WorkerError as error:
        return pack(TaskAnswer(None, error, traceback.format_exc()), "an error")


def work_elsewhere(
    key: str, function: bytes | None, item: bytes, patience: float
) -> bytes:
    """Do as :func:`work_on` in a worker of an executor, whose calls are compressed.

    A large function is kept in a file for the other workers of the machine, and looked
    for there for *patience* seconds, while one of them is being sent it.
    """
    if key not in _functions:
        if function is None:
            function = kept_function(key, patience)
        else:
            function = zlib.decompress(function)
            if len(function) > SMALL:
                keep_function(key, function)
    return work_on(key, function, zlib.decompress(item))


def greet(key: str, function: bytes) -> bytes:
    """Load a function in a worker, and return what the worker lacks, or nothing."""
    function = zlib.decompress(function)
    try:
        _learned(key, function)
        if len(function) > SMALL:
            keep_function(key, function)
    except ModuleNotFoundError as error:
        return _lacking(error)
    return b"" if has_kernels() else f"worker {platform.node()}".encode()


def _learned(key: str, function: bytes) -> Callable[[Any], Any]:
    """Unpack a function and keep it for later calls."""
    known: Callable[[Any], Any] = pickle.loads(function)
    while len(_functions) >= _KEPT:
        _functions.pop(next(iter(_functions)), None)
    _functions[key] = known
    return known


def _lacking(error: ModuleNotFoundError) -> bytes:
    """Return the refusal of a worker that cannot import a module."""
    reason = (
        f"worker {platform.node()} has no module {error.name!r}, which the work needs: "
        "install it there, or send its file to the workers (Dask: "
        f"client.upload_file('{error.name}.py'); Ray: runtime_env={{'working_dir': "
        "'.'}; elsewhere put its folder on their PYTHONPATH)"
    )
    return REFUSED + reason.encode()


def check_answer(answer: bytes) -> bytes:
    """Return the answer of a worker, or raise a WorkerError if it refused the work."""
    if not answer.startswith(REFUSED):
        return answer
    reason = answer.removeprefix(REFUSED).decode()
    if " has exactmatch " in reason or " has no exactmatch" in reason:
        reason += (
            f", and this is exactmatch {__version__}; install exactmatch "
            f"{__version__} on every worker"
        )
    raise WorkerError(reason)


class Workers:
    """The workers of an executor that belongs to the caller, who manages them."""

    def __init__(self, executor: Executor, jobs: int) -> None:
        if isinstance(executor, type) or not hasattr(executor, "submit"):
            what = executor.__name__ if isinstance(executor, type) else repr(executor)
            raise WorkerError(
                f"executor is {what}, which is not an executor; make one, such as "
                "concurrent.futures.ProcessPoolExecutor()"
            )
        self._name = getattr(executor, "name", type(executor).__name__)
        self._executor = executor
        self._jobs, self._size = jobs, 0
        self._size_time = -math.inf
        self._sent = "", b""  # the last function, compressed, and its key
        self._ailing_since: float | None = None
        self._is_dead = False

    @property
    def ahead(self) -> int:
        """Number of calls that may be under way: some for each worker there is now."""
        if time.monotonic() - self._size_time >= _ASK_EVERY and not self._is_dead:
            from exactmatch.scoring.executors import size_of

            known = size_of(self._executor) or self._size
            self._size = max(known, self._jobs if self._jobs > 1 else 0)
            self._size_time = time.monotonic()
        return _AHEAD * (self._size or _UNKNOWN_SIZE)

    def greet(self, key: str, function: bytes) -> None:
        """Wait for the first answer of the executor, unless it answered before.

        Raises:
            WorkerError: if it does not answer in time, or its worker has another
                version of exactmatch or lacks a module.
        """
        if self._executor in _GREETED:
            return
        future = self._call("greet", key, self._compressed(key, function))
        answer = check_answer(self._first_answer(future))
        if answer and has_kernels():
            from exactmatch.scoring.executors import note_of

            note_of(self._executor)(
                f"{answer.decode()} has no compiled kernels and is many times slower; "
                "install exactmatch there with a C compiler, or from a wheel"
            )
        with suppress(TypeError):  # of a class that keeps no weak references
            _GREETED.add(self._executor)

    def submit(
        self, key: str, function: bytes | None, item: bytes, patience: float = 0.0
    ) -> Future[bytes]:
        """Have :func:`work_elsewhere` called."""
        sent = None if function is None else self._compressed(key, function)
        call = key, sent, zlib.compress(item, _FAST), patience
        return self._call("work_elsewhere", *call)

    def place_of(self, unknown: bytes) -> bytes:
        """Return the place that lacks a function, where it is to be sent once.

        These are machines, or processes where a machine keeps no functions.
        """
        _, _, machine = unknown.removeprefix(UNKNOWN).partition(b" ")
        return machine if CAN_KEEP else unknown

    def _compressed(self, key: str, function: bytes) -> bytes:
        """Return a function compressed, once for all calls."""
        if self._sent[0] != key:
            self._sent = key, zlib.compress(function, _FAST)
        return self._sent[1]

    def _call(self, name: str, *call: Any) -> Future[bytes]:
        content = {"code": _CODE, "version": __version__, "name": name, "call": call}
        return self._submit(eval, _CALL, content)

    def _submit(self, *call: Any) -> Future[bytes]:
        try:
            return self._executor.submit(*call)
        except BrokenExecutor:
            raise
        except Exception as error:  # whatever it raises when it is closed
            self._is_dead = True
            words = f"{type(error).__name__}: {error}"
            trouble = self._trouble()
            state = f"is dead: {trouble}" if trouble else f"takes no work: {words}"
            raise WorkerError(f"the executor ({self._name}) {state}") from error

    def _first_answer(self, future: Future[bytes]) -> bytes:
        """Return the answer to a call that takes no time, or raise a WorkerError."""
        if not wait([future], ANSWER_WITHIN).done:
            self._is_dead = True
            trouble = self._trouble() or "has it workers, and can they be reached?"
            raise WorkerError(
                f"the executor ({self._name}) has not answered for "
                f"{ANSWER_WITHIN:.0f} seconds: {trouble}"
            )
        try:
            return future.result()
        except Exception as error:  # whatever an executor raises
            self._is_dead = True
            words = f"{type(error).__name__}: {error}".removesuffix(": ")
            raise WorkerError(
                f"the executor ({self._name}) does no work: {words}"
            ) from error

    def _trouble(self) -> str:
        """Return what the engine behind the executor lacks; empty if nothing is known.

        Only some engines can be asked, see :func:`~.executors.trouble_of`.
        """
        from exactmatch.scoring.executors import trouble_of

        return trouble_of(self._executor)

    def wait(self, futures: Iterable[Future[bytes]]) -> set[Future[bytes]]:
        """Wait until one call or more are done, and return these.

        Raises:
            WorkerError: if the engine has lost its scheduler or all workers.
        """
        futures = list(futures)
        while True:
            done = wait(futures, _ASK_EVERY, FIRST_COMPLETED).done
            if done:
                lost = [one for one in done if one.cancelled() or one.exception()]
                if len(lost) < len(done):  # of a dead engine, calls are lost together
                    self._ailing_since = None
                return done
            trouble, now = self._trouble(), time.monotonic()
            if not trouble:
                self._ailing_since = None
                continue
            self._ailing_since = self._ailing_since or now
            if now - self._ailing_since >= _AILING:
                self._is_dead = True
                raise WorkerError(f"the executor ({self._name}) is dead: {trouble}")

    def result(self, future: Future[bytes]) -> bytes:
        """Return the answer to a call that is done.

        After a BrokenExecutor all calls that were not done are lost; after any other
        error, this call alone.
        """
        return future.result()

    def check_alive(self, lost: str) -> None:
        """Raise a WorkerError if the executor does not even a call of no work.

        What was *lost* is then no fault of the work itself.
        """
        try:
            try:
                future = self._submit(eval, "b'here'", {})
            except BrokenExecutor:
                self.renew()
                future = self._submit(eval, "b'here'", {})
            self._first_answer(future)
        except WorkerError as error:
            is_new = lost and lost not in str(error)
            more = f"; before, work was lost: {lost}" if is_new else ""
            raise WorkerError(f"{error}{more}") from error

    def renew(self) -> None:
        """Go on with other processes after some have died, if we may make them."""
        renew = getattr(self._executor, "renew", None)
        if callable(renew):  # of a factory
            renew()
            _GREETED.discard(self._executor)
            return
        raise WorkerError(
            f"the executor ({self._name}) is broken: one of its "
            "workers ended before its work; make a new one, or let -j make processes"
        )

    def alone(self, *call: Any) -> bytes:
        """Make a call apart from all others, and wait for the answer."""
        try:
            future = self.submit(*call)
            self.wait([future])
            return self.result(future)
        except BrokenExecutor:
            self.renew()  # the next call is made alone, too
            raise

    def end(self, futures: Iterable[Future[bytes] | None] = ()) -> None:
        """Leave the executor to its owner, without calls that have not begun."""
        for future in futures:
            if future is not None and not self._is_dead:  # nobody hears it then
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
        self._jobs = jobs
        self._pool: Any = None
        self._single: Processes | None = None  # of one process, for calls made alone

    @property
    def ahead(self) -> int:
        return _AHEAD * self._jobs

    def greet(self, key: str, function: bytes) -> None:
        del key, function  # processes of this machine have what we have

    def place_of(self, unknown: bytes) -> bytes:
        return unknown

    def check_alive(self, lost: str) -> None:
        del lost  # they are new for each call that is made alone

    def submit(
        self, key: str, function: bytes | None, item: bytes, patience: float = 0.0
    ) -> Future[bytes]:
        del patience  # all processes begin at once, each with its own function
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
                future: Future[bytes] = self._pool.submit(work_on, key, function, item)
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

    def wait(self, futures: Iterable[Future[bytes]]) -> set[Future[bytes]]:
        futures, seen = list(futures), False
        while True:
            done = wait(futures, _LOOK_EVERY, FIRST_COMPLETED).done
            if done or self._pool is None:
                return done
            died = any(p.exitcode is not None for p in list(self._processes.values()))
            if died and seen:  # for a whole second, and loky has not noticed
                self._kill()
            seen = died

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
            future = single.submit(*call)
            single.wait([future])
            answer = single.result(future)
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
    """Set up a process of ours: it ignores Ctrl-C, and ends when its parent does.

    A signal looks at the clock while it reads, as in the command's own process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    look_by_signal()
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
