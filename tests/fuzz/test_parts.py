"""Random pairs in which parts stand for one node: the optimum of every mapping.

``make fuzz N=5000`` makes a campaign of it.
"""

from __future__ import annotations

import os

import pytest
from support.parts_pairs import random_pair

import exactmatch
from exactmatch.solvers.checker import check_certificate

CASES = int(os.environ.get("EXACTMATCH_FUZZ", "100"))


@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_no_mapping_matches_more_and_every_certificate_holds() -> None:
    with_parts = 0
    certify = exactmatch.Limits(record_proof=True)
    for seed in range(CASES):
        pair = random_pair(seed)
        metric = exactmatch.make_metric("graph", **pair.options)
        sides = [metric.prepare(metric.read(g).item) for g in (pair.pred, pair.gold)]
        found = metric.compare(*sides, limits=certify)
        score = metric.scores(found.statistics)
        best = pair.oracle.best(pair.pred, pair.gold)
        assert score.f1 == pytest.approx(best.f1, abs=1e-9), seed
        assert score.proven, seed
        solution, stated = found.solution, found.problem
        check_certificate(
            stated.problem,
            solution.alignment,
            solution.value,
            solution.certificate,
        )
        pairs = stated.pairs(solution.alignment)
        with_parts += len({u for u, _ in pairs}) < len(pairs)
        with_parts += len({v for _, v in pairs}) < len(pairs)
    assert with_parts > CASES / 20
