"""Pairs a second on engines with 1, 2 and 4 workers, and what 50 machines would do.

``python -m benchmarks.engines [ENGINE …]`` tries processes, Dask, Ray and MPI where
they are installed.  Each run is a process of its own, the driver, whose CPU seconds and
bytes sent are counted; Dask's scheduler and all workers are other processes.  Sentences
are scored from text, and graphs of nine nodes have their edit distances computed.  The
figures for 50 machines are calculated: so many times the rate of one worker, but no
more than the driver can send.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import exactmatch
from exactmatch.scoring.executors import connect_executor, size_of

ENGINES = ("processes", "dask", "ray", "mpi")
WORKERS = (1, 2, 4)
MACHINES, WORKERS_EACH = 50, 32
SENTENCES, GRAPHS = 4000, 24
_WORDS = ("boy", "girl", "dog", "city", "book", "man", "house", "country")
_ROLES = ("ARG0", "ARG1", "mod", "location", "time")


class Counting(Executor):
    """Executor that counts the bytes that it is given for another one."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self.sent = 0

    def submit(
        self, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        self.sent += len(pickle.dumps((function, args, kwargs), 5))
        return self._executor.submit(function, *args, **kwargs)

    def size(self) -> int | None:
        return size_of(self._executor)


def sentence(draw: random.Random) -> tuple[str, str]:
    """Return a prediction and a reference of 6 to 16 variables."""
    size = draw.randint(6, 16)
    gold = f"(v0 / {draw.choice(_WORDS)}"
    for number in range(1, size):
        gold += f" :{draw.choice(_ROLES)} (v{number} / {draw.choice(_WORDS)}"
        gold += ")" * (number % 2)
    gold += ")" * (gold.count("(") - gold.count(")"))
    return gold.replace(draw.choice(_WORDS), draw.choice(_WORDS), 2), gold


def network(draw: random.Random) -> Any:
    """Return an undirected graph of nine nodes with three labels."""
    import networkx

    graph = networkx.gnm_random_graph(9, 11, seed=draw.getrandbits(32))
    for node in graph:
        graph.nodes[node]["label"] = draw.choice("CNO")
    return graph


@contextmanager
def engine(name: str, workers: int) -> Iterator[Executor]:
    """Start an engine with that number of workers, and leave it at the end."""
    if name == "processes":
        with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
            yield pool
        return
    with tempfile.TemporaryDirectory() as folder, subprocesses() as start:
        spec = name
        if name == "dask":
            file = Path(folder, "scheduler.json")
            place = ["--scheduler-file", str(file)]
            dask = [sys.executable, "-m", "dask"]
            start([*dask, "scheduler", "--port", "0", "--no-dashboard", *place])
            many = ["--nworkers", str(workers), "--nthreads", "1", "--no-dashboard"]
            start([*dask, "worker", *many, *place])
            while not file.exists() or not file.stat().st_size:
                time.sleep(0.1)
            spec = "dask://" + json.loads(file.read_text())["address"].split("//")[1]
        elif name == "ray":
            import ray

            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
        with connect_executor(spec, 1, str) as (executor, _):
            assert executor is not None
            while (size_of(executor) or 0) < workers:
                time.sleep(0.1)
            yield executor


@contextmanager
def subprocesses() -> Iterator[Callable[[list[str]], None]]:
    """Start programs that end with the block."""
    started: list[subprocess.Popen[bytes]] = []
    quiet = subprocess.DEVNULL

    def start(line: list[str]) -> None:
        started.append(subprocess.Popen(line, stdout=quiet, stderr=quiet))

    try:
        yield start
    finally:
        for process in started:
            process.terminate()
        for process in started:
            process.wait()


def measure(name: str, workers: int) -> list[dict[str, Any]]:
    """Measure one engine, once it is warm."""
    draw = random.Random(1)
    pairs_of_texts = [sentence(draw) for _ in range(SENTENCES)]
    preds, golds = map(list, zip(*pairs_of_texts, strict=True))
    graphs = [network(draw) for _ in range(GRAPHS)]

    def sentences(executor: Executor) -> None:
        exactmatch.evaluate(preds, golds, executor=executor, keep_pairs=False)

    def distances(executor: Executor) -> None:
        exactmatch.ged_matrix(graphs, executor=executor, jobs=workers)

    works = {
        "sentences": (sentences, SENTENCES, sum(map(len, (*preds, *golds)))),
        "edit distances": (distances, GRAPHS * (GRAPHS - 1) // 2, 0),
    }
    lines = []
    with engine(name, workers) as executor:
        for what, (work, pairs, text) in works.items():
            work(executor)  # each worker imports what it needs
            counting = Counting(executor)
            begun, cpu = time.perf_counter(), time.process_time()
            work(counting)
            wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
            line = {"engine": name, "workers": workers, "what": what, "pairs": pairs}
            lines.append(line | {"wall": wall, "driver": cpu, "sent": counting.sent})
            lines[-1]["text"] = text
    return lines


def in_process(name: str, workers: int) -> list[dict[str, Any]]:
    """Measure an engine in a driver of its own."""
    program = ["-m", "benchmarks.engines", "--one", name, str(workers)]
    line = [sys.executable, *program]
    if name == "mpi":
        mpiexec = shutil.which("mpiexec") or "mpiexec"
        line = [mpiexec, "-n", str(workers + 1)]
        line += [sys.executable, "-m", "mpi4py.futures", *program]
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }
    done = subprocess.run(line, capture_output=True, text=True, env=environment)
    if done.returncode:
        words = done.stderr.strip().splitlines() or ["no word"]
        print(f"{name}, {workers}: {words[-1]}")
        return []
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


def table(lines: list[dict[str, Any]]) -> Iterator[str]:
    """Yield the figures as lines of text."""
    yield "engine     workers  work            pairs/s  driver CPU µs  bytes  of text"
    for line in lines:
        pairs = line["pairs"]
        share = f"{line['sent'] / line['text']:.2f}" if line["text"] else ""
        yield (
            f"{line['engine']:10} {line['workers']:7}  {line['what']:14} "
            f"{pairs / line['wall']:8.0f} {1e6 * line['driver'] / pairs:14.1f} "
            f"{line['sent'] / pairs:6.0f}  {share}"
        )
    yield ""
    yield f"calculated for {MACHINES} machines of {WORKERS_EACH} workers, pairs/s:"
    for line in lines:
        if line["workers"] == 1:
            workers = MACHINES * WORKERS_EACH * line["pairs"] / line["wall"]
            driver = line["pairs"] / line["driver"]
            yield (
                f"{line['engine']:10} {line['what']:14} workers {workers:12,.0f}   "
                f"driver {driver:9,.0f}   so {min(workers, driver):9,.0f}"
            )


def main() -> None:
    """Measure the engines that are named, or all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="*", metavar="ENGINE")
    parser.add_argument("--one", nargs=2, metavar=("ENGINE", "WORKERS"))
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one[0], int(args.one[1]))))
        return
    lines = []
    for name in args.engines or ENGINES:
        for workers in WORKERS:
            lines += in_process(name, workers)
    print("\n".join(table(lines)))


if __name__ == "__main__":
    main()
