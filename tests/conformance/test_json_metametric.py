"""Lists of objects match as metametric matches them, with a solver of its own."""

from __future__ import annotations

import random
from typing import Any

import pytest

import exactmatch

pytestmark = pytest.mark.slow

LISTS = 300
WORDS = ("red", "blue", "green", "cup", "pen")


def items(draw: random.Random, size: int) -> list[dict[str, Any]]:
    return [
        {
            "name": draw.choice(WORDS),
            "qty": draw.randrange(4),
            "tags": [draw.choice(WORDS) for _ in range(draw.randrange(1, 4))],
        }
        for _ in range(size)
    ]


def test_matches_are_those_of_metametric() -> None:
    core: Any = pytest.importorskip("metametric.core.matching_metrics")
    metric_of: Any = pytest.importorskip("metametric.core.metric")
    tags = core.SetMatchingMetric(
        metric_of.Metric.from_function(lambda a, b: float(a == b)), "1:1"
    )

    def alike(left: dict[str, Any], right: dict[str, Any]) -> float:
        fields = sum(left[name] == right[name] for name in ("name", "qty"))
        return fields + float(tags.score(left["tags"], right["tags"]))

    theirs = core.SetMatchingMetric(metric_of.Metric.from_function(alike), "1:1")
    draw = random.Random(5)
    for _ in range(LISTS):
        pred, gold = (items(draw, draw.randrange(1, 9)) for _ in range(2))
        score = exactmatch.score(pred, gold, metric="json", strings="exact")
        assert score.matched == pytest.approx(theirs.score(pred, gold)), (pred, gold)
