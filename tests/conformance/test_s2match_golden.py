"""S²match against the values of the official implementation.

Reads ``golden/s2match.dev.jsonl`` and ``golden/s2match.vectors.txt`` under the
folder ``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from exactmatch.similarity.concepts import ConceptSimilarity, concept_similarity

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def records(kind: str) -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / "golden/s2match.dev.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return [record for record in found if record["kind"] == kind]


def parametrised(*kinds: str) -> pytest.MarkDecorator:
    found = [record for kind in kinds for record in records(kind)]
    return pytest.mark.parametrize("record", found, ids=lambda r: r["id"])


def options_of(key: str) -> dict[str, Any]:
    """The options behind a key such as ``cosine,cutoff=0.5,diffsense=1.0``."""
    kind, cutoff, diffsense = key.split(",")
    return {
        "kind": kind,
        "cutoff": float(cutoff.removeprefix("cutoff=")),
        "diffsense": float(diffsense.removeprefix("diffsense=")),
    }


@cache
def similarity_of(key: str) -> ConceptSimilarity:
    assert FOLDER
    vectors = Path(FOLDER) / "golden/s2match.vectors.txt"
    return concept_similarity(vectors=vectors, **options_of(key))


@parametrised("similarity")
def test_similarities(record: Any) -> None:
    for a, b, values in record["pairs"]:
        for key, value in values.items():
            assert similarity_of(key)(a, b) == pytest.approx(value, abs=TOLERANCE)
            assert similarity_of(key)(b, a) == pytest.approx(value, abs=TOLERANCE)
