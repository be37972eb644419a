"""Scores where several nodes may stand for one, found by brute force elsewhere.

Reads every ``golden/parts*.jsonl`` in the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

import exactmatch

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def records() -> list[Any]:
    files = Path(FOLDER or "").glob("golden/parts*.jsonl") if FOLDER else ()
    lines = [line for path in sorted(files) for line in path.read_text().splitlines()]
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("record", records(), ids=lambda record: record["name"])
def test_a_pair_has_its_score(record: Any) -> None:
    found = exactmatch.score(
        record["pred"], record["gold"], metric="graph", **record["options"]
    )
    assert found.f1 == pytest.approx(record["f1"], abs=1e-8)
    assert found.proven
    assert (found.pred_total, found.gold_total) == pytest.approx(record["totals"])
    if record["splits_unique"]:
        shares = (found.precision, found.recall)
        pairs = zip(record["matched"], record["totals"], strict=True)
        wanted = [own / total if total else 0.0 for own, total in pairs]
        assert shares == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("record", records(), ids=lambda record: record["name"])
def test_one_to_one_is_the_least(record: Any) -> None:
    options = {k: v for k, v in record["options"].items() if k == "edge_share"}
    found = exactmatch.score(record["pred"], record["gold"], metric="graph", **options)
    assert found.f1 == pytest.approx(record["f1_one_to_one"], abs=1e-8)
    assert found.f1 <= record["f1"] + 1e-8


def test_there_are_records() -> None:
    assert len(records()) >= 22
