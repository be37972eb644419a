"""Run a command and find out what it cost: wall time, CPU time, peak memory.

The kernel's own account of the finished child is used (``wait4``), its waited-for
children included.  A child begins with its parent's peak memory on its account,
so the process that measures must stay small: heavy packages are imported by the
children alone.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Run:
    """One finished command.

    Attributes:
        wall, cpu: seconds, CPU being user and system time.
        peak: peak resident memory in megabytes.
        output: what it wrote to standard output.
        trouble: why it does not count, or nothing.
    """

    wall: float
    cpu: float
    peak: float
    output: str
    trouble: str = ""


def run(
    command: Sequence[str],
    folder: Path,
    *,
    python_path: bool = True,
    timeout: float | None = None,
    memory: float | None = None,
) -> Run:
    """Run a command to its end, or to its time limit.

    Args:
        command: the program and its arguments.
        folder: where it runs; it must hold nothing that could be imported.
        python_path: whether ``PYTHONPATH`` is passed on.
        timeout: in seconds of wall time; the command is killed then.
        memory: gigabytes of address space that it may take.
    """
    environment = os.environ | _ONE_THREAD
    if not python_path:
        environment.pop("PYTHONPATH", None)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            preexec_fn=_limit(memory),
            start_new_session=True,
        )
        expired = threading.Event()
        timer = None
        if timeout is not None:
            timer = threading.Timer(timeout, _kill, (process.pid, expired))
            timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except BaseException:
            _kill(process.pid, expired)
            raise
        finally:
            if timer is not None:
                timer.cancel()
        wall = time.perf_counter() - started
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        output = out.read().decode("utf-8", "replace")
        lines = err.read().decode("utf-8", "replace").strip().splitlines()
    trouble = ""
    if expired.is_set():
        trouble = f"not finished after {timeout:g} s"
    elif process.returncode != 0:
        trouble = (
            f"failed ({process.returncode}): {lines[-1] if lines else 'no message'}"
        )
    return Run(
        wall,
        usage.ru_utime + usage.ru_stime,
        usage.ru_maxrss * _RSS_UNIT / 2**20,
        output,
        trouble,
    )


def in_turns(
    runs: Mapping[_Key, Callable[[], Run]],
    repeats: int,
    warmup: int,
    say: Callable[[str], None],
) -> dict[_Key, list[Run]]:
    """Run several commands in turns, so that a busy moment meets all of them.

    Args:
        runs: what to run, by key.
        repeats: how often each is run.
        warmup: how often each is run before that, not counted.
        say: told about each run.

    Returns:
        The counted runs of each; one that failed is not tried again.
    """
    finished_runs: dict[_Key, list[Run]] = {key: [] for key in runs}
    failed: set[_Key] = set()
    for turn in range(-warmup, repeats):
        for key, execute in runs.items():
            if key in failed:
                continue
            finished = execute()
            what = "warm-up" if turn < 0 else f"run {turn + 1}"
            say(f"  {key}, {what}: {finished.trouble or f'{finished.wall:.2f} s'}")
            if finished.trouble:
                failed.add(key)
                finished_runs[key] = [finished]
            elif turn >= 0:
                finished_runs[key].append(finished)
    return finished_runs


def _limit(memory: float | None) -> Callable[[], None] | None:
    if memory is None:
        return None
    most = int(memory * 2**30)
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _kill(pid: int, expired: threading.Event) -> None:
    """Kill a child and what it started; it leads a process group of its own."""
    expired.set()
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)
