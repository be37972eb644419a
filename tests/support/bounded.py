"""Cases that run in a process of their own, with little memory and time for each."""

from __future__ import annotations

import os
import resource
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterable

MEMORY, SECONDS = 4 << 30, 30


def bounded(seeds: Iterable[int], run: Callable[[int], str]) -> Counter[str]:
    """Run a case for each seed, under 4 GiB and in 30 s, and count what they return.

    Whatever ends the process, a signal or an exception, fails with the seed.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os._exit(_run_all(seeds, run, writing))
    os.close(writing)
    with open(reading, encoding="utf-8", errors="replace") as pipe:
        lines = pipe.read().split("\n")
    _, status = os.waitpid(child, 0)
    assert status == 0, (os.waitstatus_to_exitcode(status), "\n".join(lines[-40:]))
    return Counter(lines[1::2])


def _run_all(seeds: Iterable[int], run: Callable[[int], str], pipe: int) -> int:
    try:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends C code, too
        for seed in seeds:
            os.write(pipe, f"{seed}\n".encode())
            signal.alarm(SECONDS)
            os.write(pipe, f"{run(seed)}\n".encode())
    except BaseException:
        os.write(pipe, traceback.format_exc().encode("utf-8", "replace"))
        return 1
    return 0
