"""A Dask cluster loses nothing when one of its two processes is killed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("distributed")

SCRIPT = """
import os, random, signal, sys, threading, time
import numpy as np
import exactmatch
from exactmatch.many import blocks
from exactmatch.scoring.executors import connect_executor

def graph(rng):
    n = rng.randint(2, 9)
    triples = [(f"v{i}", "instance", rng.choice("abcdef")) for i in range(n)]
    triples += [
        (f"v{rng.randrange(i)}", rng.choice(("ARG0", "ARG1")), f"v{i}")
        for i in range(1, n)
    ]
    return triples

if __name__ == "__main__":
    from distributed import LocalCluster

    rng = random.Random(0)
    graphs = [graph(rng) for _ in range(60)]
    alone = exactmatch.cdist(graphs, graphs)
    blocks.PackedSides.block_shape = (8, 8)
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address.removeprefix("tcp://")
        pids = [worker.pid for worker in cluster.workers.values()]
        seen = []
        whole = blocks.map_in_order

        def watched(*given):
            for number, result in enumerate(whole(*given)):
                if number == 2 and pids:
                    os.kill(pids.pop(), signal.SIGKILL)
                    pids.clear()
                seen.append(number)
                yield result

        blocks.map_in_order = watched
        with connect_executor(f"dask://{address}") as (executor, workers):
            assert workers == 2, workers
            found = exactmatch.cdist(
                graphs, graphs, executor=executor, jobs=workers
            )
            nearest = exactmatch.search(
                graphs, graphs, 3, executor=executor, jobs=workers
            )
        assert np.array_equal(found, alone)
        assert nearest == exactmatch.search(graphs, graphs, 3)
        assert len(seen) > 30
        print("the same")
"""


@pytest.mark.slow
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    script = tmp_path / "scenario.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, str(script)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "the same\n"
