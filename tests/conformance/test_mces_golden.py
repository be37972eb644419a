"""Distances of molecules against those that are published or were proven elsewhere.

Reads all ``golden/mces*.jsonl`` in the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import exactmatch

pytest.importorskip("rdkit")

from exactmatch.adapters.myopic_mces import MCES

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

SMALL = 40
"""Pairs of no more atoms take some hundredths of a second."""

LIMIT = 20.0
"""Seconds for larger ones, whose distance may stay an interval."""


def records() -> list[Any]:
    files = sorted(Path(str(FOLDER), "golden").glob("mces*.jsonl"))
    lines = (line for file in files for line in file.read_text("utf-8").splitlines())
    return [row for row in map(json.loads, lines) if "header" not in row]


def pairs(small: bool) -> list[Any]:
    rows = [row for row in records() if "smiles" in row]
    return [row for row in rows if (max(row["atoms"]) <= SMALL) == small]


def check(row: Any, distance: float, bound: float, proven: bool) -> None:
    least = row["published"]
    lower, upper = row.get("interval") or [row["distance"]] * 2
    assert max(least, lower) <= distance
    assert bound <= upper
    if proven:
        assert distance <= upper
        if least < 10:  # exact; 10 itself is the threshold perhaps
            assert distance == least
        if row.get("distance") is not None:
            assert distance == row["distance"]


def test_small_molecules_have_the_proven_distances() -> None:
    rows = pairs(small=True)
    for row in rows:
        found = exactmatch.ged(*row["smiles"], costs="mces", format_in="smiles")
        assert found.proven
        check(row, found.distance, found.bound, True)
    assert rows


@pytest.mark.slow
def test_large_molecules_have_the_proven_distances() -> None:
    rows = pairs(small=False)
    for row in rows:
        found = exactmatch.ged(
            *row["smiles"], costs="mces", format_in="smiles", time_limit=LIMIT
        )
        check(row, found.distance, found.bound, found.proven)
    assert rows


def test_bounds_above_the_threshold_are_the_published_ones() -> None:
    for row in pairs(small=True) + pairs(small=False):
        if row["published"] > 10:
            assert MCES(*row["smiles"], threshold=10)[1::2] == (row["published"], 4)


def test_a_matrix_of_molecules_has_the_proven_distances() -> None:
    rows = pairs(small=True)[:40]
    texts = [text for row in rows for text in row["smiles"]]
    options: dict[str, Any] = {"costs": "mces", "format_in": "smiles"}
    for limit in (10, 30):
        for row in rows[:10]:
            one, other = row["smiles"]
            made = exactmatch.ged_matrix([one], [other], at_most=limit, **options)
            is_far = row["distance"] > limit
            assert made[0, 0] == (np.inf if is_far else row["distance"])
    near = exactmatch.ged_search(texts[:2], texts, k=1, **options)
    assert [one[0][1] for one in near] == [0, 0]


def as_graph(molecule: Any) -> Any:
    graph = nx.Graph()
    for atom, element in enumerate(molecule["atoms"]):
        graph.add_node(atom, atom=element)
    for i, k, order in molecule["bonds"]:
        graph.add_edge(i, k, weight=order)
    return graph


def test_isomers_have_the_proven_distances() -> None:
    rows = [row for row in records() if row.get("set") == "isomers"]
    for row in rows:
        found = exactmatch.ged(*map(as_graph, row["graphs"]), costs="mces")
        assert found.proven
        assert found.distance == row["distance"]
    assert rows
