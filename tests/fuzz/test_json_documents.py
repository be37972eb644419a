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
from support.json_documents import (
    IDS,
    OPTIONS,
    REFS,
    check,
    groups,
    near,
    oracle_of,
    trees,
)
from support.json_oracle import Oracle

from exactmatch import make_metric
from exactmatch.metrics.json.json_metric import JsonMatch
from exactmatch.metrics.json.references import problem_of
from exactmatch.solvers import get_solver

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


def test_references_match_as_an_integer_program_says() -> None:
    """Larger documents than every matching can be tried for, by HiGHS."""
    metric = JsonMatch(ids=IDS, refs=REFS)
    auto, program = get_solver("auto"), get_solver("highs")
    for seed in range(FIRST, FIRST + CASES):
        draw = random.Random(f"program {seed}")
        sides = [crowd(draw) for _ in range(2)]
        if draw.random() < 0.7:
            sides[0] = near(draw, sides[1])
            names = [repr(one.get("id")) for one in sides[0].get("p", [])]
            if len(set(names)) < len(names):
                continue
        trees_of = [metric.prepare(metric.read([side]).item) for side in sides]
        aligned = problem_of(metric.matcher(trees_of, 2**40), trees_of)
        assert aligned is not None
        if aligned.problem is None:
            continue
        ours, theirs = auto.solve(aligned.problem), program.solve(aligned.problem)
        assert ours.value == ours.bound == theirs.value, seed


def crowd(draw: random.Random) -> Any:
    """Return a document with up to seven objects that refer to each other."""
    names = draw.sample(range(40), draw.randrange(2, 8))
    people = [
        {
            "id": name,
            "n": draw.choice(("ab", "aba", "ba")),
            "to": draw.choice([*names, 99]),
            "of": draw.sample(names, draw.randrange(3)),
        }
        for name in names
    ]
    pairs = [[draw.choice(names), draw.choice(names)] for _ in range(len(names))]
    return {"p": people, "rel": pairs, "lead": draw.choice(names)}
