"""JSON documents at random, compared as by trying every matching.

A campaign, ``make fuzz N=100000``, compares a fifth as many pairs: trees under all
options, and documents with identifiers and references.
"""

from __future__ import annotations

import os
import random
from fractions import Fraction
from typing import Any

import pytest
from support.json_documents import IDS, OPTIONS, REFS, check, groups, oracle_of, trees
from support.json_oracle import Oracle

from exactmatch import make_metric

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "500")) // 5 // (len(OPTIONS) + 1)
FIRST = int(os.environ.get("EXACTMATCH_FUZZ_FIRST", "0"))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_trees(options: dict[str, Any]) -> None:
    metric, oracle = make_metric("json", **options), oracle_of(options)
    for seed in range(FIRST, FIRST + CASES):
        check(metric, oracle, *trees(random.Random(f"{options} {seed}")))


@pytest.mark.parametrize("cutoff", [0, 0.4])
def test_identifiers_and_references(cutoff: float) -> None:
    metric = make_metric("json", ids=IDS, refs=REFS, item_cutoff=cutoff)
    oracle = Oracle(ids=IDS, refs=REFS, cutoff=Fraction(str(cutoff)))
    for seed in range(FIRST, FIRST + CASES):
        check(metric, oracle, *groups(random.Random(seed)))
