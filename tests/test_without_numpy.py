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
answers = [json.loads(play.compare(*row[1:])) for row in play.examples()[8:]]
print(json.dumps(answers))
"""


@pytest.mark.slow
def test_the_sample_is_scored_drawn_and_explained() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BEGINS], capture_output=True, text=True, cwd=TREE
    )
    assert ran.returncode == 0, ran.stderr
    answers = json.loads(ran.stdout)
    folder = TREE / "exactmatch" / "sample"
    sides = [
        folder.joinpath(name).read_text("utf-8").strip().split("\n\n")
        for name in ("pred.amr", "gold.amr")
    ]
    scores: list[Any] = [smatch(*pair) for pair in zip(*sides, strict=True)]
    assert [each["score"] for each in answers] == [f"{s.f1:.4f}" for s in scores]
    for answer, score in zip(answers, scores, strict=True):
        html = answer["html"]
        lost = score.pred_total + score.gold_total - 2 * score.matched
        assert html.count("<td><code>") - html.count("<td><code>–<") == lost
        assert "proven optimal" in html
        assert html.count("<svg ") == 2
