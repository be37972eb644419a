"""Run a solver's package in a process of its own, which can be stopped at any moment.

HiGHS, CP-SAT and CBC check the clock only now and then and do not react to Ctrl-C while
they work.  So each works in another process, which is told what to do, answers, and
waits for more.  When time runs out or the caller is interrupted, it is killed, and what
it said until then is what is known.  It begins as a fresh Python with our ``sys.path``:
it never runs the user's script again and inherits no locks.  It leads a session of its
own, so that a terminal's Ctrl-C does not reach it, and what it starts (CBC) is killed
with it.  It ends when we do, because its standard input ends then.
"""

from __future__ import annotations

import atexit
import importlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeAlias

from exactmatch.base.errors import SolverError, sendable
from exactmatch.solvers.progress import TELL_EVERY, Progress
from exactmatch.solvers.solution import Proposal

Report: TypeAlias = Callable[[Any], None]
"""What a function in the process calls with news of its work."""

_BEGIN = (
    "import sys; sys.path[:] = sys.argv[1:]; "
    "from exactmatch.solvers.linear.process import serve; serve()"
)


SCIPY = "scipy.optimize", "scipy.sparse"
"""What the process of SciPy's HiGHS imports."""


class _OutOfTimeError(Exception):
    """The deadline passed before the process was done."""


def search(
    function: Callable[..., Proposal],
    *arguments: Any,
    imports: tuple[str, ...],
    progress: Progress,
) -> Proposal:
    """Let a function search the problem as :func:`run` does, and answer with the best.

    Its result and its reports are proposals; none of them is lost.
    """
    call = progress.problem, *arguments
    last = run(function, *call, imports=imports, progress=progress, hear=progress.take)
    if last is not None:
        progress.take(last)
    return progress.proposal()


def run(
    function: Callable[..., Any],
    *arguments: Any,
    imports: tuple[str, ...],
    progress: Progress,
    hear: Report | None = None,
) -> Any:
    """Call a function in another process and wait for its result.

    If the deadline passes first, the process is killed, and ``None`` is returned.

    Args:
        function: a function of a module.  It is called with a :data:`Report`, with
            how many seconds it may take (or ``None``), and with the arguments.
        imports: the packages that the process imports before it counts as ready.
            One that is still importing when time runs out is kept for the next call.
        hear: called in this process with every report.

    Raises:
        SolverError: if the process dies.
        Exception: any exception of the function.
    """
    if progress.is_out_of_time():
        return None
    idle = _idle.setdefault(imports, [])
    process = idle.pop() if idle else _Process(imports)
    try:
        kind, value = process.call(function, arguments, progress, hear)
    except _OutOfTimeError:
        if process.is_ready:
            process.end()
        else:
            idle.append(process)
        return None
    except BaseException:
        process.end()
        raise
    idle.append(process)
    if kind == "error":
        raise value
    return value


_idle: dict[tuple[str, ...], list[_Process]] = {}
"""Processes that wait for work, by the modules that they have imported."""


class _Process:
    """The other process, and the thread that listens to it."""

    def __init__(self, imports: tuple[str, ...]) -> None:
        self.is_ready = False
        self._answers: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
        self.popen = subprocess.Popen(
            [sys.executable, "-c", _BEGIN, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self._send(imports)

    def call(
        self,
        function: Callable[..., Any],
        arguments: tuple[Any, ...],
        progress: Progress,
        hear: Report | None,
    ) -> tuple[str, Any]:
        """Call a function there; ``done`` and the result, or ``error`` and what."""
        if not self.is_ready:  # until everything is imported
            kind, error = self._answer(progress)
            if kind == "error":
                raise error
            self.is_ready = True
        seconds = progress.seconds_left()
        self._send((function.__module__, function.__qualname__, seconds, arguments))
        while (answer := self._answer(progress))[0] == "news":
            if hear is not None:
                hear(answer[1])
        return answer

    def end(self) -> None:
        """Kill the process and what it started; the listening thread then cleans up."""
        if self.popen.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self.popen.pid, signal.SIGKILL)
                else:
                    self.popen.kill()

    def _send(self, request: Any) -> None:
        assert self.popen.stdin is not None
        with suppress(BrokenPipeError):  # then it is dead, which its answer tells
            pickle.dump(request, self.popen.stdin, pickle.HIGHEST_PROTOCOL)
            self.popen.stdin.flush()

    def _answer(self, progress: Progress) -> tuple[str, Any]:
        while True:
            left = progress.seconds_left()
            wait = TELL_EVERY if left is None else min(left, TELL_EVERY)
            try:
                kind, value = self._answers.get(timeout=wait)
            except queue.Empty:
                progress.tell()
                if progress.is_out_of_time():
                    raise _OutOfTimeError from None
                continue
            if kind == "died":
                raise SolverError(
                    "the process of a solver's package died (exit code "
                    f"{value}); perhaps memory ran out"
                )
            return kind, value

    def _listen(self) -> None:
        stdin, stdout = self.popen.stdin, self.popen.stdout
        assert stdin is not None
        assert stdout is not None
        with suppress(EOFError, pickle.UnpicklingError):
            while True:
                self._answers.put(pickle.load(stdout))
        self._answers.put(("died", self.popen.wait()))
        stdout.close()
        with suppress(BrokenPipeError):  # of what could not be sent
            stdin.close()


def _end_all() -> None:
    for processes in _idle.values():
        while processes:
            process = processes.pop()
            process.end()
            process.listener.join()


def _forget_all() -> None:
    """Leave the processes, in a forked child, to the parent that started them."""
    for processes in _idle.values():
        while processes:
            processes.pop().popen.returncode = 0


atexit.register(_end_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)


# ------------------------------------------------------------- the other side


def serve() -> None:
    """Do what standard input asks for, until it ends; answer on standard output."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # a package may print what it likes

    one_at_a_time = threading.Lock()  # a package may report from threads of its own

    def answer(kind: str, value: Any) -> None:
        with one_at_a_time:
            pickle.dump((kind, value), stream, pickle.HIGHEST_PROTOCOL)
            stream.flush()

    def take_requests() -> None:
        """Queue the requests; when they end, exit at once, even during a call."""
        with suppress(EOFError):
            while True:
                requests.put(pickle.load(sys.stdin.buffer))
        if hasattr(os, "killpg"):
            os.killpg(0, signal.SIGKILL)
        os._exit(1)

    requests: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=take_requests, daemon=True).start()
    try:
        for name in requests.get():
            importlib.import_module(name)
    except ImportError as error:
        answer("error", SolverError(str(error)))
        os._exit(1)
    answer("ready", None)
    while True:
        module, name, seconds, arguments = requests.get()
        try:
            function = getattr(importlib.import_module(module), name)
            result = function(lambda news: answer("news", news), seconds, *arguments)
        except Exception as error:  # raised again on the other side
            answer("error", sendable(error, SolverError))
        else:
            answer("done", result)
