"""The values of small documents against those of every matching, tried one by one."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from support.json_documents import IDS, OPTIONS, REFS, check, groups, oracle_of, trees
from support.json_oracle import Oracle

from exactmatch import make_metric

TREES = 100
WITH_NAMES = 60


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_trees(options: dict[str, Any]) -> None:
    metric, oracle = make_metric("json", **options), oracle_of(options)
    draw = random.Random(str(options))
    for _ in range(TREES):
        check(metric, oracle, *trees(draw))


@pytest.mark.parametrize("cutoff", [0, 0.4, 0.75])
def test_references(cutoff: float) -> None:
    metric = make_metric("json", ids=IDS, refs=REFS, item_cutoff=cutoff)
    oracle = Oracle(ids=IDS, refs=REFS, cutoff=Fraction(str(cutoff)))
    draw = random.Random(7)
    for _ in range(WITH_NAMES):
        check(metric, oracle, *groups(draw))
