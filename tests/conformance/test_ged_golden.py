"""Edit distances against those that other programs have proved.

Reads ``golden/ged_imdb.dev.jsonl`` and ``golden/ged_fori.dev.jsonl``, and the graphs
under ``data/ged``, in the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch.edit.packed import pack
from exactmatch.formats.networks import read_graphs

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

SMALL = ("AIDS_21_30", "Muta_21_30")
"""Classes of which every pair takes some hundredths of a second."""


def records(name: str) -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_imdb_has_the_published_distances() -> None:
    rows = records("golden/ged_imdb.dev.jsonl")
    for row in rows:
        one, other = ({"n": row[k]["n"], "edges": row[k]["edges"]} for k in "ab")
        assert exactmatch.ged_matrix([one], [other])[0, 0] == row["distance"]
    assert len(rows) == 1500


@pytest.mark.parametrize("name", ["aids", "linux"])
def test_small_graphs_have_the_distances_of_any_costs(name: str) -> None:
    graphs = records(f"data/ged/neural/{name}.jsonl")[:24]
    found = exactmatch.ged_matrix(graphs)
    packed = pack(graphs)
    networks = [packed.network(number) for number in range(len(graphs))]
    for i, k in np.ndindex(found.shape):
        if i < k:
            pair = networks[i], networks[k]
            wanted = exactmatch.ged(*pair, node_match=lambda a, b: a == b).distance
            assert found[i, k] == wanted


@pytest.mark.parametrize("which", SMALL)
def test_molecules_have_the_distances_that_gurobi_proved(which: str) -> None:
    rows = [r for r in records("golden/ged_fori.dev.jsonl") if r["set"] == which]
    for row in rows:
        one, other = (
            read_graphs(str(Path(str(FOLDER), "data", "ged", f"{row[side]}.gxl")))[0]
            for side in "ab"
        )
        found = exactmatch.ged(one.graph, other.graph, costs="chem2")
        assert found.proven
        assert found.distance == pytest.approx(row["distance"])
    assert len(rows) == 30
