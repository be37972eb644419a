"""A process for a solver's package: it answers, it can be killed, it leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from support import for_processes
from support.strategies import random_problem

from exactmatch.base.errors import SolverError
from exactmatch.solvers.linear import process
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Watch

posix = pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs POSIX sessions")


def run(
    function: Callable[..., Any],
    *arguments: Any,
    seconds: float | None = None,
    hear: Any = None,
    watch: Watch | None = None,
) -> Any:
    progress = Progress(random_problem(0, 3, 3), Limits(seconds, watch=watch))
    imports = ("support.for_processes",)
    return process.run(
        function, *arguments, imports=imports, progress=progress, hear=hear
    )


def is_gone(pid: int) -> bool:
    """Whether a process ended, or ends soon."""
    for _ in range(200):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        with suppress(OSError), open(f"/proc/{pid}/stat") as status:
            if status.read().rpartition(")")[2].split()[0] == "Z":
                return True  # dead, if not yet buried
        time.sleep(0.05)
    return False


def test_it_answers_from_another_process_and_tells_news() -> None:
    heard: list[Any] = []
    pid, what = run(for_processes.described, "a problem", hear=heard.append)
    assert what == "a problem"
    assert pid != os.getpid()
    assert heard == ["begun", "done"]


def test_one_process_serves_many_calls() -> None:
    """Importing a package takes a second, solving a sentence milliseconds."""
    pids = {run(for_processes.described, n)[0] for n in range(5)}
    assert len(pids) == 1


def test_an_error_there_is_raised_here_and_the_process_lives_on() -> None:
    before, _ = run(for_processes.described, "")
    with pytest.raises(KeyError, match="lost"):
        run(for_processes.failing, KeyError("lost"))
    assert run(for_processes.described, "")[0] == before


def test_an_error_that_cannot_be_sent_keeps_its_words() -> None:
    with pytest.raises(SolverError, match="UnpackableError: this: that"):
        run(for_processes.failing_unpackably)


def test_a_process_that_dies_is_an_error_and_is_replaced() -> None:
    with pytest.raises(SolverError, match="died \\(exit code 7\\)"):
        run(for_processes.dying)
    assert run(for_processes.described, "again")[1] == "again"


def test_a_missing_package_is_an_error() -> None:
    progress = Progress(random_problem(0, 3, 3), Limits())
    with pytest.raises(SolverError, match="No module named 'minos'"):
        process.run(for_processes.described, "", imports=("minos",), progress=progress)


@posix
def test_out_of_time_kills_it_and_what_it_started() -> None:
    heard: list[tuple[int, int]] = []
    run(for_processes.described, "to be ready")
    assert run(for_processes.endless, seconds=0.5, hear=heard.append) is None
    assert [is_gone(pid) for pid in heard[0]] == [True, True]


def test_what_is_still_starting_when_time_runs_out_is_kept() -> None:
    """Else a short limit would start processes for ever and never use one."""
    imports = ("support.for_processes", "json")
    for seconds in (1e-6, 1e-4, None):
        progress = Progress(random_problem(0, 3, 3), Limits(seconds))
        process.run(for_processes.described, "", imports=imports, progress=progress)
        assert len(process._idle.get(imports, [])) <= 1
    assert len(process._idle[imports]) == 1


def test_without_time_nothing_is_started() -> None:
    before = {key: list(value) for key, value in process._idle.items()}
    assert run(for_processes.described, "", seconds=0.0) is None
    assert process._idle == before


@posix
@pytest.mark.usefixtures("alarm")
def test_ctrl_c_kills_it_and_what_it_started() -> None:
    heard: list[tuple[int, int]] = []

    def hear(pids: tuple[int, int]) -> None:
        heard.append(pids)
        signal.setitimer(signal.ITIMER_REAL, 0.05)

    with pytest.raises(KeyboardInterrupt):
        run(for_processes.endless, hear=hear)
    assert [is_gone(pid) for pid in heard[0]] == [True, True]


def test_the_watch_is_told_while_nothing_happens() -> None:
    told: list[tuple[float, float]] = []

    def tell(value: float, bound: float) -> None:
        told.append((value, bound))

    assert run(for_processes.endless, seconds=1.0, watch=Watch(tell)) is None
    assert told


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_does_not_outlive_the_one_that_started_it(number: Any) -> None:
    """Nor does what it started: its standard input ends, and so does its session."""
    code = """
    import sys
    sys.path[:] = sys.argv[1:]
    from support import for_processes
    from support.strategies import random_problem
    from exactmatch.solvers.linear import process
    from exactmatch.solvers.progress import Progress
    from exactmatch.solvers.solution import Limits
    process.run(
        for_processes.endless,
        imports=("support.for_processes",),
        progress=Progress(random_problem(0, 3, 3), Limits()),
        hear=lambda pids: print(*pids, flush=True),
    )
    """
    parent = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code), *sys.path],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert parent.stdout is not None
    pids = [int(word) for word in parent.stdout.readline().split()]
    parent.send_signal(number)
    parent.wait()
    parent.stdout.close()
    assert [is_gone(pid) for pid in pids] == [True, True]


@posix
def test_a_forked_copy_leaves_the_process_to_its_owner() -> None:
    before, _ = run(for_processes.described, "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads and fork
        child = os.fork()
    if child == 0:
        process._end_all()
        os._exit(len(process._idle.get(("support.for_processes",), [])))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert run(for_processes.described, "")[0] == before
