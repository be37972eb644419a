"""MPI and Ray find what one process finds, where their packages are installed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ENGINES = {
    "mpi": ("mpi4py", ["mpiexec", "-n", "2"], ["-m", "mpi4py.futures"]),
    "ray": ("ray", [], []),
}
"""For each its package, what starts its processes, and what Python runs first."""


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_finds_what_one_process_finds(engine: str, tmp_path: Path) -> None:
    package, launcher, runner = ENGINES[engine]
    pytest.importorskip(package)
    if launcher and not shutil.which(launcher[0]):
        pytest.skip(f"{launcher[0]} is not installed")
    graphs = [
        f"(w / want-01 :ARG0 (b / {who}) :ARG1 (g / {what} :ARG0 b))"
        for who in ("boy", "girl", "dog")
        for what in ("go-02", "leave-11")
    ]
    (tmp_path / "graphs.amr").write_text("\n\n".join(graphs), "utf-8")
    arguments = ["-m", "exactmatch", "nearest", "graphs.amr", "graphs.amr"]

    def answer(*command: str) -> list[str]:
        done = subprocess.run(
            [*command, "-q", "--format", "csv"],
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )
        assert done.returncode == 0, done.stderr
        return [row for row in done.stdout.splitlines() if "provenance" not in row]

    alone = answer(sys.executable, *arguments)
    shared = answer(
        *launcher, sys.executable, *runner, *arguments, "--executor", engine
    )
    assert shared == alone
    assert len(alone) > len(graphs)
