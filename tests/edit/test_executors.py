"""Edit distances are the same by an executor as alone."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any

import networkx as nx
import numpy as np
import pytest

import exactmatch
from exactmatch.edit.matrix import ged_matrix, ged_search
from exactmatch.studies.ged.study import ged
from exactmatch.studies.ground_truth.study import ground_truth

GRAPHS: list[nx.Graph[int]] = [
    *(nx.path_graph(n) for n in range(2, 6)),
    *(nx.cycle_graph(n) for n in range(3, 6)),
    nx.star_graph(3),
]
MOLECULES = [
    {"n": 2, "labels": ["C", "O"], "edges": [[0, 1]]},
    {"n": 3, "labels": ["C", "N", "O"], "edges": [[0, 1], [1, 2]]},
    {"n": 1, "labels": ["N"], "edges": []},
]


class Counted(ThreadPoolExecutor):
    """Counts the tasks that it has."""

    tasks = 0

    def submit(self, *task: Any, **more: Any) -> Any:
        self.tasks += 1
        return super().submit(*task, **more)


@pytest.fixture
def executor() -> Iterator[Counted]:
    with Counted(2) as pool:
        yield pool
        assert pool.tasks > 1


@pytest.mark.parametrize("options", [{}, {"at_most": 2}, {"time_limit": 60.0}])
def test_a_matrix_is_the_same(options: dict[str, Any], executor: Counted) -> None:
    alone = ged_matrix(GRAPHS, **options)
    shared = ged_matrix(GRAPHS, **options, jobs=2, executor=executor)
    assert np.array_equal(alone, shared)
    assert np.array_equal(alone.bounds, shared.bounds)
    assert executor.tasks > 10  # a hard pair keeps few others waiting


def test_a_matrix_under_a_cost_model_is_the_same(executor: Counted) -> None:
    molecules = [nx.path_graph(n) for n in range(1, 5)]
    for molecule in molecules:
        nx.set_node_attributes(molecule, "C", "chem")
        nx.set_edge_attributes(molecule, 1, "valence")
    by_executor: dict[str, Any] = {"jobs": 2, "executor": executor}
    alone = ged_matrix(molecules, costs="chem1")
    assert np.array_equal(alone, ged_matrix(molecules, costs="chem1", **by_executor))
    near = ged_search(molecules[:2], molecules, k=2, costs="chem1", **by_executor)
    assert near == ged_search(molecules[:2], molecules, k=2, costs="chem1")


@pytest.mark.parametrize("limits", [{"k": 2}, {"at_most": 3}])
def test_a_search_is_the_same(limits: dict[str, Any], executor: Counted) -> None:
    queries = GRAPHS[::2]
    alone = ged_search(queries, GRAPHS, **limits)
    assert ged_search(queries, GRAPHS, **limits, executor=executor) == alone


def test_distances_under_the_name_of_a_metric_are_the_same(executor: Counted) -> None:
    alone = exactmatch.cdist(GRAPHS, GRAPHS, metric="ged")
    shared = exactmatch.cdist(GRAPHS, GRAPHS, metric="ged", executor=executor)
    assert np.array_equal(alone, shared)


def test_distances_of_pairs_are_the_same(executor: Counted) -> None:
    def distances(**more: Any) -> list[Any]:
        pairs = ged(GRAPHS, GRAPHS[::-1], **more).pairs
        return [(pair.result.distance, pair.result.bound) for pair in pairs]

    assert distances(executor=executor) == distances()


def test_a_ground_truth_is_the_same(executor: Counted, tmp_path: Any) -> None:
    def table(name: str, **more: Any) -> str:
        folder = tmp_path / name
        ground_truth(MOLECULES, out=str(folder), **more)
        files = sorted(path for path in folder.rglob("*") if path.suffix == ".csv")
        return "".join(path.read_text("utf-8") for path in files)

    assert table("shared", executor=executor) == table("alone")


@pytest.mark.slow
def test_processes_of_others_compute_the_same() -> None:
    spawned: Executor = ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))
    with spawned as executor:
        shared = ged_matrix(GRAPHS, executor=executor, jobs=2)
    assert np.array_equal(shared, ged_matrix(GRAPHS))
