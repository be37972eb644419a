"""Many items are compared as few are: field by field, or each pair by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest

from exactmatch import make_metric
from exactmatch.metrics.json import matching

WORDS = ["red", "blue", "pen", "cup", "box", "lamp", "INV-17", "12.50", "Rome"]


def item(draw: random.Random, depth: int = 2) -> Any:
    kind = draw.random()
    if depth == 0 or kind < 0.2:
        text = " ".join(draw.choices(WORDS, k=draw.randrange(3)))
        return draw.choice([text, text * 5, draw.randrange(4), True, None])
    if kind < 0.35:
        return [item(draw, depth - 1) for _ in range(draw.randrange(4))]
    return {key: item(draw, depth - 1) for key in draw.sample("abcd", 3)}


@pytest.mark.parametrize(
    "options", [{}, {"tolerance": 0.3}, {"nulls": "value"}, {"order": "none"}], ids=str
)
def test_both_ways_agree(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    metric = make_metric("json", **options)
    draw = random.Random(3)
    for _ in range(12):
        gold = [item(draw) for _ in range(draw.randrange(4, 12))]
        pred = [one if draw.random() < 0.3 else item(draw) for one in gold]
        sides = [metric.read({"x": side}).item for side in (pred, gold)]
        found = []
        for many in (0, 10**9):
            monkeypatch.setattr(matching, "MANY_PAIRS", many)
            found.append(metric.measure(*sides).statistics)
        assert found[0] == found[1]
