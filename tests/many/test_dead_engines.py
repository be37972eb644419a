"""An engine that is dead or silent is a sentence in time, with the real engines."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SOON = 45  # seconds: 30 to notice it, and the rest to start and to end

SLOW = """
import os, signal, sys, time
from exactmatch.scoring.executors import connect_executor
from exactmatch.scoring.parallel import map_in_order
from exactmatch.scoring.workers import WorkerError

def slow():
    def wait(number):
        import time
        time.sleep(0.5)
        return number
    return wait

spec, pid = sys.argv[1], int(sys.argv[2])
with connect_executor(spec) as (executor, workers):
    try:
        for number in map_in_order(slow(), range(1000), workers, executor):
            if number == 2:
                os.kill(pid, signal.SIGKILL)
    except WorkerError as error:
        print(error)
"""

Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start a module of Dask's command line; it is killed at the end."""
    pytest.importorskip("distributed")
    running: list[subprocess.Popen[bytes]] = []

    def run(module: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *arguments]
        quiet = subprocess.DEVNULL
        running.append(
            subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=tmp_path)
        )
        return running[-1]

    yield run
    for process in running:
        process.kill()
        process.wait()


def scheduler(start: Start, folder: Path) -> tuple[str, int]:
    """Start a scheduler; return its place and process."""
    file = folder / "scheduler.json"
    options = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    process = start("dask_scheduler", *options, "--scheduler-file", str(file))
    for _ in range(100):
        if file.exists() and file.read_text():
            break
        time.sleep(0.2)
    address = json.loads(file.read_text())["address"]
    return f"dask://{address.removeprefix('tcp://')}", process.pid


def run_exactmatch(folder: Path, *arguments: str) -> str:
    """Score one pair, and return the error that ends it."""
    (folder / "one.amr").write_text("(b / bark-01)\n")
    command = [sys.executable, "-m", "exactmatch", "one.amr", "one.amr", *arguments]
    begun = time.monotonic()
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=folder, check=False
    )
    assert done.returncode == 2
    assert time.monotonic() - begun < SOON
    return done.stderr


@pytest.mark.slow
def test_a_scheduler_without_workers_is_a_sentence(
    start: Start, tmp_path: Path
) -> None:
    place, _ = scheduler(start, tmp_path)
    error = run_exactmatch(tmp_path, "--executor", place)
    assert "has not answered for 30 seconds: the scheduler has no worker" in error


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
@pytest.mark.parametrize("victim", ["scheduler", "worker"])
def test_what_dies_in_the_midst_is_a_sentence(
    victim: str, start: Start, tmp_path: Path
) -> None:
    place, pid = scheduler(start, tmp_path)
    address = place.replace("dask", "tcp")
    worker = start("dask_worker", address, "--no-nanny", "--no-dashboard")
    killed = pid if victim == "scheduler" else worker.pid
    begun = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", SLOW, place, str(killed)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert "(ClientExecutor) is dead: the " in done.stdout, done.stderr
    assert time.monotonic() - begun < SOON


@pytest.mark.slow
def test_processes_of_mpi_alone_are_refused_with_the_right_line(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    if not shutil.which("mpiexec"):
        pytest.skip("mpiexec is not installed")
    (tmp_path / "one.amr").write_text("(b / bark-01)\n")
    command = ["-m", "exactmatch", "one.amr", "one.amr", "--executor", "mpi"]
    done = subprocess.run(
        ["mpiexec", "-n", "2", sys.executable, *command],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"OMPI_MCA_rmaps_base_oversubscribe": "1"},
    )
    assert done.returncode != 0
    line = "mpiexec -n 2 python -m mpi4py.futures -m exactmatch"
    assert done.stderr.count(line) == 1
    assert "smatch" not in done.stdout
