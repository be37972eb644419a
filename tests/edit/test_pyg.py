"""Graphs of PyTorch Geometric; the real package where it is installed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError
from exactmatch.formats.network_texts import network_of


class FakeData:
    """The attributes of a ``Data`` that are read, with arrays of NumPy for tensors."""

    def __init__(self, num_nodes: int, edge_index: Any, **more: Any) -> None:
        self.num_nodes = num_nodes
        self.edge_index = np.array(edge_index, dtype=np.int64).reshape(2, -1)
        self.x = None if more.get("x") is None else np.array(more["x"])
        kinds = more.get("edge_attr")
        self.edge_attr = None if kinds is None else np.array(kinds)


def real(num_nodes: int, edge_index: Any, **more: Any) -> Any:
    torch = pytest.importorskip("torch")
    data = pytest.importorskip("torch_geometric.data")
    ends = torch.tensor(edge_index, dtype=torch.long).reshape(2, -1)
    tensors = {name: torch.tensor(value) for name, value in more.items()}
    return data.Data(edge_index=ends, num_nodes=num_nodes, **tensors)


MAKERS = pytest.mark.parametrize("make", [FakeData, real])
PATH = [[0, 1, 1, 2], [1, 0, 2, 1]]
C, N = [1.0, 0.0], [0.0, 1.0]


@MAKERS
def test_distances_are_those_of_the_same_graphs(make: Any) -> None:
    first = make(3, PATH, x=[C, C, N], edge_attr=[1, 1, 2, 2])
    second = make(3, PATH, x=[C, N, N], edge_attr=[1, 1, 1, 1])
    alone = make(1, [[], []], x=[C])
    distances = exactmatch.ged_matrix([first, second, alone], labels="all")
    assert distances.tolist() == [[0, 2, 4], [2, 0, 4], [4, 4, 0]]
    assert exactmatch.ged_matrix([first], [second], labels="x") == 1
    assert exactmatch.ged_matrix([first], [second], labels="edge_attr") == 1
    assert exactmatch.ged(first, second, labels="all").distance == 2
    near = exactmatch.search([first], [second, alone], 1, metric="ged")
    assert near == [[(0, 2)]]


@MAKERS
def test_what_is_there_in_one_direction_is_directed(make: Any) -> None:
    assert not network_of(make(3, PATH)).is_directed()
    assert network_of(make(2, [[0], [1]])).is_directed()
    assert network_of(make(2, [[0, 1], [1, 0]], edge_attr=[1, 2])).is_directed()
    assert not network_of(make(2, [[0], [0]])).is_directed()  # a loop


@MAKERS
def test_what_does_not_fit_is_refused(make: Any) -> None:
    with pytest.raises(InputError, match="from 0 to 1 twice"):
        network_of(make(2, [[0, 0], [1, 1]]))
    with pytest.raises(InputError, match="2 nodes has an edge from 0 to 2"):
        network_of(make(2, [[0], [2]]))
    with pytest.raises(InputError, match="not a list of graphs"):
        exactmatch.ged_matrix(make(3, PATH))
