"""MRP, EDM, SDP and UCCA scores against those of mtool.

Reads ``golden/mrp.dev.jsonl`` and ``golden/mrp_drg.dev.jsonl`` under the folder
``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric, add
from exactmatch.metrics.mrp.anchored import Edm, Sdp, Ucca
from exactmatch.metrics.mrp.mces import PIECES, Mrp
from exactmatch.metrics.score import Score
from exactmatch.solvers import get_solver

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

MRP, EDM, SDP, UCCA = Mrp(), Edm(), Sdp(), Ucca()

LEAVES_ONLY = {
    "mrp-ucca-perturbed-20003007",
    "mrp-ucca-lpps-perturbed-105010",
    "mrp-ucca-lpps-perturbed-106080",
}
"""Pairs of which mtool says that its search ended, and where more is in common: of UCCA
it does not try to map nodes with children to nodes without."""


def records() -> list[Any]:
    if not FOLDER:
        return []
    found = []
    for name in ("mrp", "mrp_drg"):
        path = Path(FOLDER) / f"golden/{name}.dev.jsonl"
        found += [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    return found


def graph_of(stated: Any) -> Graph:
    """The graph of a record, read as a line of a file."""
    mrp = FORMATS["mrp"]
    (block,) = mrp.blocks([json.dumps(stated)], None)
    return read_block(block, PROFILES["mrp"]).graph


def score(metric: Metric, record: Any) -> Score:
    pred, gold = (graph_of(record[side]) for side in ("system", "gold"))
    return metric.scores(metric.measure(pred, gold).statistics)


def counts(score: Score) -> dict[str, list[float]]:
    return {
        name: [part.gold_total, part.pred_total, part.matched]
        for name, part in score.parts.items()
    }


def wanted(stated: Any) -> list[int]:
    return [stated["g"], stated["s"], stated["c"]]


@pytest.mark.parametrize("record", records(), ids=lambda record: record["id"])
def test_mces(record: Any) -> None:
    found = score(MRP, record)
    stated = record["mces"]
    assert found.proven
    assert counts(found)["all"] == [found.gold_total, found.pred_total, found.matched]
    assert found.matched is not None
    for piece in (*PIECES, "all"):
        assert counts(found)[piece][:2] == wanted(stated[piece])[:2]
    if record["mces_exact"] and record["id"] not in LEAVES_ONLY:
        for piece in (*PIECES, "all"):
            assert counts(found)[piece] == wanted(stated[piece]), piece
        assert found.precision == stated["all"]["p"]
        assert found.recall == stated["all"]["r"]
        assert found.f1 == pytest.approx(stated["all"]["f"], abs=1e-12)
    else:
        assert found.matched >= stated["all"]["c"]
    if record["id"] in LEAVES_ONLY:
        assert found.matched > stated["all"]["c"]


@pytest.mark.parametrize("name", ["highs", "cpsat"])
def test_other_solvers_find_the_same(name: str) -> None:
    """Every eighth pair, by solvers that share nothing with ours."""
    other = Mrp(solver=get_solver(name))
    for record in records()[::8]:
        assert counts(score(other, record)) == counts(score(MRP, record))


@pytest.mark.parametrize("metric", [EDM, SDP, UCCA], ids=lambda metric: metric.name)
def test_scores_without_search(metric: Any) -> None:
    compared = 0
    sums = metric.identity()
    for record in records():
        if metric.name not in record:
            continue
        stated = record[metric.name]
        pred, gold = (graph_of(record[side]) for side in ("system", "gold"))
        statistics = metric.measure(pred, gold).statistics
        found = counts(metric.scores(statistics))
        for kind, numbers in found.items():
            if kind == "graphs":
                assert numbers[2] == stated["labeled"]["m"]
                continue
            if metric is UCCA and kind == "all":
                continue
            row = stated
            for step in kind.split():
                row = row[step]
            assert numbers == wanted(row), (record["id"], kind)
        sums = add(sums, statistics)
        compared += 1
    assert compared > 20
    assert counts(metric.scores(sums))[metric.kinds[0]][0] > 100
