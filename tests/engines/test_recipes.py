"""The recipes of docs/scale.md work on the real engines, and give one run's report."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli
from support.engine_pairs import graphs
from support.files import Files

import exactmatch

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]  # of engines

PAGE = Path(__file__).parents[2] / "docs" / "scale.md"


def block(heading: str, language: str) -> str:
    """Return the first block of code under a heading of the page."""
    section = PAGE.read_text(encoding="utf-8").partition(f"# {heading}\n")[2]
    found = re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found is not None, heading
    return found[1]


@pytest.fixture
def pairs(files: Files) -> tuple[list[str], list[str]]:
    """Write a folder of three Parquet files, as the page says."""
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    files.enter()
    Path("pairs").mkdir()
    preds, golds = graphs(2, 60)
    for number in range(3):
        part = slice(20 * number, 20 * (number + 1))
        columns = {"pred": preds[part], "gold": golds[part]}
        parquet.write_table(arrow.table(columns), f"pairs/part-{number}.parquet")
    return preds, golds


def report_of(heading: str, **known: Any) -> Any:
    """Run the block of a recipe behind the one that it is built on."""
    names: dict[str, Any] = {**known, "__name__": "__main__"}
    for code in (block("In Python", "py"), block(heading, "py")):
        path = str(Path("pairs").resolve())  # Spark has its own current folder
        code = code.replace('"pairs"', repr(path))
        exec(compile(code, str(PAGE), "exec"), names)  # it is our page
    return names["report"].to_dict()


def whole(pairs: tuple[list[str], list[str]]) -> Any:
    scorer = exactmatch.Scorer()
    scorer.update(*pairs)
    return scorer.compute().to_dict()


@pytest.mark.usefixtures("dask_client")
def test_dask_data_frames(pairs: Any) -> None:
    pytest.importorskip("dask.dataframe")
    assert report_of("Dask DataFrame") == whole(pairs)


@pytest.mark.usefixtures("ray_cluster")
def test_ray_data(pairs: Any) -> None:
    pytest.importorskip("ray.data")
    assert report_of("Ray Data") == whole(pairs)


def test_spark(pairs: Any, spark: Any) -> None:
    assert report_of("Spark", spark=spark) == whole(pairs)


@pytest.mark.usefixtures("pairs")
def test_arrays_of_slurm(cli: Cli) -> None:
    """The command of each task, and the one that adds them up, in a shell."""
    line, merge = block("Slurm", "none").strip().splitlines()
    wrapped = re.search("--wrap '(.*)'", line)
    assert wrapped is not None
    folder = str(Path(sys.executable).parent)
    for number in range(3):
        task = {"SLURM_ARRAY_TASK_ID": str(number)}
        path = os.pathsep.join((folder, os.environ["PATH"]))
        command = wrapped[1].replace("exactmatch ", f"{sys.executable} -m exactmatch ")
        environment = os.environ | task | {"PATH": path}
        subprocess.run(["bash", "-ec", command], check=True, env=environment)
    words = merge.split()[1:]
    merged = cli.json(*words)
    one = cli.json("pairs", "pairs", "--field", "pred,gold")
    assert merged["metrics"] == one["metrics"]
