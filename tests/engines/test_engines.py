"""Commands give with the workers of an engine what one process gives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.engine_pairs import graphs
from support.files import Files
from support.for_processes import killed_once

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of engines

COMMANDS = {
    "score": ["p.amr", "g.amr"],
    "matrix": ["p.amr", "g.amr"],
    "matrix-ged": ["left.jsonl", "right.jsonl", "--metric", "ged"],
    "nearest": ["p.amr", "g.amr", "-k", "3"],
    "cluster": ["p.amr"],
    "verify": ["proofs.jsonl"],
}
"""A command of each way in which work is shared out."""


@pytest.fixture
def corpus(cli: Cli, files: Files) -> None:
    files.enter()
    for name, side in zip(("p.amr", "g.amr"), graphs(1, 12), strict=True):
        files.one(name, "\n\n".join(side))
    for name, count in (("left.jsonl", 3), ("right.jsonl", 5)):
        edges = [[node, node + 1] for node in range(count - 1)]
        files.one(name, f"{json.dumps({'n': count, 'edges': edges})}\n" * 4)
    cli.out("p.amr", "g.amr", "--certificates", "proofs.jsonl")


def arguments(name: str) -> list[str]:
    return [name.removesuffix("-ged"), *COMMANDS[name], "--format", "csv", "-q"]


def compare(cli: Cli, name: str, engine: str) -> None:
    expected = cli.out(*arguments(name))
    assert cli.out(*arguments(name), "--executor", engine) == expected


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("name", COMMANDS)
def test_dask(name: str, cli: Cli, dask_client: Any) -> None:
    address = dask_client.scheduler.address.removeprefix("tcp://")
    compare(cli, name, f"dask://{address}")


@pytest.mark.usefixtures("corpus", "ray_cluster")
@pytest.mark.parametrize("name", COMMANDS)
def test_ray(name: str, cli: Cli) -> None:
    compare(cli, name, "ray")


@pytest.fixture(scope="session")
def mpi() -> Callable[..., str]:
    pytest.importorskip("mpi4py")
    mpiexec = shutil.which("mpiexec")
    if mpiexec is None:
        pytest.skip("MPI needs a library: apt-get install openmpi-bin")
    environment = os.environ | {
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        "OMPI_MCA_rmaps_base_oversubscribe": "1",
    }

    def run(*words: str) -> str:
        program = [sys.executable, "-m", "mpi4py.futures", "-m", "exactmatch", *words]
        line = [mpiexec, "-n", "3", *program, "--executor", "mpi"]
        done = subprocess.run(line, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("name", COMMANDS)
def test_mpi(name: str, cli: Cli, mpi: Callable[..., str]) -> None:
    assert mpi(*arguments(name)) == cli.out(*arguments(name))


@pytest.mark.usefixtures("corpus")
def test_a_worker_of_dask_that_is_killed_is_replaced(
    cli: Cli, dask_client: Any, tmp_path: Path
) -> None:
    """The matrix is the same, and what was finished is not scored again."""
    expected = cli.out(*arguments("matrix-ged"))
    killed = dask_client.submit(killed_once, str(tmp_path / "killed"), pure=False)
    address = dask_client.scheduler.address.removeprefix("tcp://")
    words = arguments("matrix-ged")
    assert cli.out(*words, "--executor", f"dask://{address}") == expected
    assert killed.result(timeout=60)
