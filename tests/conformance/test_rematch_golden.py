"""Rematch against the values of the published program.

Reads ``golden/rematch.dev.jsonl`` under the folder ``EXACTMATCH_DATA``: its values for
PropBank frames.  Those for VerbAtlas classes need a file that is not there.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from exactmatch.base.errors import GraphError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.metrics.base import add
from exactmatch.metrics.rematch import Rematch

FOLDER = os.environ.get("EXACTMATCH_DATA")

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

REMATCH = Rematch()


def records() -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / "golden/rematch.dev.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines[1:]]


def motifs_of(text: str) -> Any:
    (block,) = blocks_of_text(text)
    return REMATCH.prepare(REMATCH.read(block).item)


@pytest.mark.parametrize("record", records(), ids=lambda record: record["id"])
def test_pairs(record: Any) -> None:
    wanted = record["propbank"]
    if "error" in wanted:
        with pytest.raises(GraphError):
            list(map(motifs_of, (record["amr1"], record["amr2"])))
        return
    pred, gold = motifs_of(record["amr1"]), motifs_of(record["amr2"])
    found = REMATCH.compare(pred, gold).statistics
    assert found == (wanted["intersection"], wanted["union"], 1)
    assert REMATCH.scores(found).score == wanted["score"]


def test_the_corpus_sums_intersections_and_unions() -> None:
    """As the header of the records says."""
    kept = [record for record in records() if "error" not in record["propbank"]]
    sums = REMATCH.identity()
    for record in kept:
        pred, gold = motifs_of(record["amr1"]), motifs_of(record["amr2"])
        sums = add(sums, REMATCH.compare(pred, gold).statistics)
    common = sum(record["propbank"]["intersection"] for record in kept)
    together = sum(record["propbank"]["union"] for record in kept)
    assert REMATCH.scores(sums).score == common / together
