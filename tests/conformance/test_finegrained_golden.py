"""Fine-grained scores against the values of amrlib and of Damonte's tool.

Reads ``golden/damonte.dev.jsonl`` under the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exactmatch.formats.readings import as_graph
from exactmatch.metrics.finegrained.scores import Style, finegrained

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

NAMES = {
    "Smatch": "smatch",
    "Unlabeled": "unlabeled",
    "No WSD": "no-wsd",
    "Concepts": "concepts",
    "Frames": "frames",
    "Non_sense_frames": "non-sense-frames",
    "Named Ent.": "named-entities",
    "Negations": "negation",
    "Wikification": "wikification",
    "IgnoreVars": "ignore-vars",
    "Reentrancies": "reentrancies",
    "SRL": "srl",
}


def records() -> list[Any]:
    if not FOLDER:
        return []
    path = Path(FOLDER) / "golden/damonte.dev.jsonl"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]


@cache
def metrics(style: Style) -> dict[str, Any]:
    return {metric.name: metric for metric in finegrained(style)}


@pytest.mark.parametrize("style", ["amrlib", "damonte"])
@pytest.mark.parametrize("record", records(), ids=lambda r: r["id"])
def test_every_score_is_the_published_tools(record: Any, style: Style) -> None:
    """Counts are equal, and precision, recall and F1 to nine digits."""
    known = metrics(style)
    assert {NAMES[name] for name in record[style]} == set(known)
    for name, expected in record[style].items():
        metric = known[NAMES[name]]
        assert metric.profile is not None
        pred, gold = (as_graph(record[k], metric.profile) for k in ("amr1", "amr2"))
        score = metric.scores(metric.measure(pred, gold).statistics)
        found = (score.matched, score.pred_total, score.gold_total)
        assert found == (expected["match"], expected["pred"], expected["gold"]), name
        ratios = (score.precision, score.recall, score.f1)
        assert ratios == pytest.approx(expected["prf"], abs=TOLERANCE), name
        assert score.proven in (True, None)
