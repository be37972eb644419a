"""Trees of clusters: every branch joins what the linkage joins, where it joins it."""

from __future__ import annotations

import re
from itertools import combinations
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.cluster import hierarchy

from exactmatch.views.charts import dendrogram


@pytest.mark.parametrize("seed", range(5))
def test_branches_are_those_of_the_linkage(seed: int) -> None:
    n = 9
    distances = np.random.default_rng(seed).uniform(0.1, 1, n * (n - 1) // 2)
    tree = hierarchy.linkage(distances, "average")
    names = [f"graph {k}" for k in range(n)]
    root = ElementTree.fromstring(dendrogram(tree.tolist(), names, 0.4))
    spots = {
        (title.text or "").strip(): float(str(text.get("y"))) - 4
        for text in root.iter("text")
        for title in text.iter("title")
    }
    assert sorted(spots) == sorted(names)
    branches = [path for path in root.iter("path") if path.get("class") == "branch"]
    joined: dict[tuple[str, str], float] = {}
    under = {(480 + 1.0, spots[name]): [name] for name in names}
    for path in branches:
        score = float(str(path[0].text).removeprefix("score "))
        x1, y1, x, y2, x2 = map(float, re.findall(r"[\d.]+", str(path.get("d"))))
        sides = [_at(under, x1, y1), _at(under, x2, y2)]
        for one in sides[0]:
            for other in sides[1]:
                first, second = sorted((one, other))
                joined[first, second] = 1 - score
        under[x, (y1 + y2) / 2] = sides[0] + sides[1]
    expected = hierarchy.cophenet(tree)
    for found, (a, b) in zip(expected, combinations(names, 2), strict=True):
        assert joined[a, b] == pytest.approx(found, abs=1e-4)
    cut = next(line for line in root.iter("line") if line.get("class") == "here")
    assert float(str(cut.get("x1"))) == pytest.approx(481 - 480 * 0.4, abs=0.1)


def _at(under: dict[tuple[float, float], list[str]], x: float, y: float) -> list[str]:
    """The leaves under the point of the drawing that lies here."""
    near = min(under, key=lambda spot: abs(spot[0] - x) + abs(spot[1] - y))
    assert abs(near[0] - x) + abs(near[1] - y) < 0.3
    return under[near]


def test_one_graph_makes_no_tree() -> None:
    assert dendrogram([], ["alone"], 0.5) == ""


def test_clusters_have_colours_and_numbers() -> None:
    tree = [[0, 1, 0.2, 2], [2, 3, 0.3, 2], [4, 5, 0.9, 4]]
    drawn = dendrogram(tree, ["a", "b", "c", "d"], 0.5, [1, 1, 0, 0])
    root = ElementTree.fromstring(drawn)
    kinds = [path.get("class") for path in root.iter("path")]
    assert kinds == ["branch c1", "branch c0", "branch"]
    named = [text for text in root.iter("text") if "named" in str(text.get("class"))]
    assert ["".join(text.itertext()) for text in named] == [
        *("a2 · a", "b2 · b", "c1 · c", "d1 · d")
    ]
