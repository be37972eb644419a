"""Sentences are scored, drawn and explained where NumPy is not installed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from exactmatch import smatch

TREE = Path(__file__).parents[1]
ABSENT = ("numpy", "scipy", "networkx", "ortools", "rich", "loky", "pulp", "narwhals")
BEGINS = f"""
import sys
for name in {ABSENT!r}:
    sys.modules[name] = None
sys.path.insert(0, {str(TREE / "docs" / "play")!r})
import json, play
sample = json.loads(play.about())["sample"]
found = [json.loads(play.compare(*pair, "smatch", "smatch")) for pair in sample]
print(json.dumps(found))
"""


@pytest.mark.slow
def test_the_sample_is_scored_drawn_and_explained() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BEGINS], capture_output=True, text=True, cwd=TREE
    )
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    folder = TREE / "exactmatch" / "sample"
    sides = [
        folder.joinpath(name).read_text("utf-8").strip().split("\n\n")
        for name in ("pred.amr", "gold.amr")
    ]
    scores: list[Any] = [smatch(*pair) for pair in zip(*sides, strict=True)]
    assert [pair["score"] for pair in found] == [f"{s.f1:.4f}" for s in scores]
    assert all(pair["value"] == pair["upper"] for pair in found)
    for pair, score in zip(found, scores, strict=True):
        lost = score.pred_total + score.gold_total - 2 * score.matched
        ends = [[each["reference"], each["prediction"]] for each in pair["errors"]]
        assert sum(end is not None for both in ends for end in both) == lost
        assert all(drawing.startswith("<svg ") for drawing in pair["drawings"])
