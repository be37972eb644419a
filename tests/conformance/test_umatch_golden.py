"""juːmæʧ against the published program: 46 documents in five settings.

Everything is equal but the totals of one file that holds two documents, whose names the
program takes for each other's.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.umr.umatch import Umatch

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

UMR = PROFILES["umr"]
SETTINGS: dict[str, Profile] = {
    "default": UMR,
    "top": UMR.with_options(top="constant"),
    "no-document-level": UMR.with_options(beside="nothing"),
    "except-aspect": UMR.with_options(leave_out=("aspect", "modal-strength")),
    "only-concept": UMR.with_options(only=("concept",)),
}

TWO_DOCUMENTS = "umatch-pcedt-gold-conv-0-16"


def records() -> list[Any]:
    if not FOLDER:
        return []
    path = Path(FOLDER) / "golden/umatch.dev.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


def graph_of(text: str) -> Graph:
    umr = FORMATS["umr-file"]
    (block,) = umr.blocks(text.splitlines(keepends=True), None)
    return umr.read(block).graph


def row(stated: Any, matched: str = "correct") -> list[float]:
    return [stated[matched], stated["total_system"], stated["total_gold"]]


@pytest.mark.parametrize("record", records(), ids=lambda record: record["id"])
def test_document(record: Any) -> None:
    pred, gold = graph_of(record["system"]), graph_of(record["gold"])
    for setting, profile in SETTINGS.items():
        metric = Umatch(profile)
        found = metric.scores(metric.measure(pred, gold).statistics)
        values = [found.matched, found.pred_total, found.gold_total]
        parts = {kind: list(part) for kind, part in found.parts.items()}
        stated = record["umatch"][setting]
        expected = row(stated["umatch"])
        assert parts["aligned token sets"] == row(stated["aligned token sets"])
        nodes = row(stated["node projections"], "mapped_gold")
        assert parts["mapped nodes"][1:] == nodes[1:]
        if record["id"] != TWO_DOCUMENTS:
            assert values == expected
            assert found.f1 == pytest.approx(stated["umatch"]["f"] or 0.0, abs=1e-12)
        assert parts["mapped nodes"] == nodes
        assert parts["mapped nodes' values"] == row(stated["triples in mapped nodes"])
