"""Real engines, where they are installed; all tests here are slow."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def importable() -> None:
    """Let the workers of engines import what tests do."""
    folders = [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, folders))


@pytest.fixture(scope="session")
def dask_client() -> Iterator[Any]:
    """A cluster of two processes with one thread each."""
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[ModuleType]:
    """Ray on two processors of this machine."""
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.fixture(scope="session")
def spark() -> Iterator[Any]:
    """Spark with two processes, where Java is there."""
    pyspark = pytest.importorskip("pyspark.sql")
    if not os.environ.get("JAVA_HOME") and not _has_java():
        pytest.skip("Spark needs Java: apt-get install default-jre-headless")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = pyspark.SparkSession.builder.master("local[2]")
    session = builder.config("spark.ui.enabled", "false").getOrCreate()
    yield session
    session.stop()


def _has_java() -> bool:
    from shutil import which

    return which("java") is not None
