"""Scores of JSON documents against values that were derived by hand, as fractions.

Reads every ``golden/json*.jsonl`` under the folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactmatch

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def records() -> list[Any]:
    if not FOLDER:
        return []
    files = sorted((Path(FOLDER) / "golden").glob("json*.jsonl"))
    lines = [line for file in files for line in file.read_text("utf-8").splitlines()]
    rows = [json.loads(line) for line in lines if line.strip()]
    return [row for row in rows if "derivation" in row]


@pytest.mark.parametrize("record", records(), ids=lambda record: record["name"])
@pytest.mark.parametrize("as_text", [False, True], ids=["values", "texts"])
def test_documents(record: Any, as_text: bool) -> None:
    sides = record["pred"], record["gold"]
    pred, gold = map(json.dumps, sides) if as_text else sides
    found = exactmatch.score(pred, gold, metric="json", **record["options"])
    near = pytest.approx
    assert found.proven
    assert found.matched == near(float(Fraction(record["match"])), abs=1e-12)
    assert found.pred_total == near(float(Fraction(record["pred_total"])), abs=1e-12)
    assert found.gold_total == near(float(Fraction(record["gold_total"])), abs=1e-12)
    ratios = found.precision, found.recall, found.f1
    wanted = record["precision"], record["recall"], record["f1"]
    assert ratios == near(wanted, abs=1e-9)
