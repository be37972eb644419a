"""AnCast and AnCast++ against the published program: sentences and documents.

Every value that the program gives is compared, in all settings.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.ancast.ancast import Ancast

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

SETTINGS: dict[str, dict[str, Any]] = {
    "default": {},
    "use_alignment": {"ancast_anchors": "alignment"},
    "reify": {},  # the program's classes do not hand it on
    "no_top": {"ancast_no_top": True},
}
ROWS = {
    "concept_f": "concepts",
    "labeled_f": "sentence",
    "unlabeled_f": "unlabelled",
    "weighted_f": "weighted",
    "smatch_f": "smatch",
    "sent": "sentence",
    "modal": "modal",
    "temporal": "temporal",
    "coref": "coref",
}


def records(kind: str) -> list[Any]:
    if not FOLDER:
        return []
    return [
        record
        for path in sorted((Path(FOLDER) / "golden").glob("ancast*.jsonl"))
        for record in map(json.loads, path.read_text("utf-8").splitlines()[1:])
        if record["kind"] == kind
    ]


def graph_of(text: str) -> Graph:
    (block,) = FORMATS["umr-file"].blocks(text.splitlines(keepends=True), None)
    item: Graph = Ancast().read(block).item
    return item


def values(record: Any, setting: str) -> dict[str, float]:
    options = dict(SETTINGS[setting])
    if record["kind"] == "sentence":
        options["ancast_level"] = "sentence"
        if setting == "use_alignment":  # the program hands no alignment on
            options["ancast_anchors"] = "none"
    metric = Ancast(**options)
    pair = graph_of(record["umr1"]), graph_of(record["umr2"])
    found = metric.scores(metric.measure(*pair).statistics)
    answer = {
        key: 2 * part.matched / (part.pred_total + part.gold_total)
        if any(part[1:])
        else 0.0
        for key, row in ROWS.items()
        for part in [found.parts[row]]
    }
    answer |= {"f": found.f1, "precision": found.precision, "recall": found.recall}
    return answer | {"comprehensive": found.f1}


@pytest.mark.parametrize("kind", ["sentence", "document"])
def test_golden(kind: str) -> None:
    """No record is left out, and every value that the program gives agrees."""
    read = records(kind)
    assert len(read) >= 67
    for record in read:
        compare(record)


def compare(record: Any) -> None:
    for setting, stated in record["ancast"].items():
        if stated is not None:
            found = values(record, setting)
            expected = pytest.approx(stated, abs=1e-6)
            where = (record["id"], setting)
            assert {key: found[key] for key in stated} == expected, where
