"""SemBleu against the values of the official implementation.

Reads ``golden/sembleu.dev.jsonl`` and the files it names under the folder
``EXACTMATCH_DATA``.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from support.dialects import sembleu_graph

from exactmatch.base.errors import GraphError
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Statistics, add
from exactmatch.metrics.sembleu import SemBleu, kgrams, path_graph

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")

METRICS = {
    "1": SemBleu(ngram=1),
    "2": SemBleu(ngram=2),
    "3": SemBleu(ngram=3),
    "default": SemBleu(),
}
"""What each score of the records was computed with."""


def records(kind: str) -> list[Any]:
    if not FOLDER:
        return []
    lines = (Path(FOLDER) / "golden/sembleu.dev.jsonl").read_text("utf-8").splitlines()
    found = [json.loads(line) for line in lines[1:]]
    return [record for record in found if record["kind"] == kind]


def parametrised(*kinds: str) -> pytest.MarkDecorator:
    found = [record for kind in kinds for record in records(kind)]
    return pytest.mark.parametrize("record", found, ids=lambda r: r["id"])


@lru_cache(maxsize=4)
def file_with(digest: str) -> Path | None:
    """The file under ``data`` whose SHA-256 is given."""
    assert FOLDER
    for path in (Path(FOLDER) / "data").rglob("*.amr"):
        if hashlib.sha256(path.read_bytes()).hexdigest() == digest:
            return path
    return None


def graphs_of(path: Path) -> Iterator[str]:
    block: list[str] = []
    for line in [*path.read_text("utf-8").splitlines(), ""]:
        if line.strip():
            block.append(line)
        elif any(not kept.startswith("#") for kept in block):
            yield "\n".join(block)
            block = []


def statistics_of(pred: str, gold: str, metric: SemBleu) -> Statistics:
    return metric.measure(sembleu_graph(pred), sembleu_graph(gold)).statistics


@parametrised("micro", "pair")
def test_pairs(record: Any) -> None:
    if record["outcome"] == "error":
        with pytest.raises(GraphError):
            statistics_of(record["amr1"], record["amr2"], METRICS["default"])
        return
    *counts, length, closest = statistics_of(
        record["amr1"], record["amr2"], METRICS["default"]
    )
    assert counts == [*record["match"], *record["hyp_ngrams"]]
    assert (length, closest) == (record["hyp_length"], record["ref_length"])
    for place, nodes in (("1", record["nodes1"]), ("2", record["nodes2"])):
        network = path_graph(sembleu_graph(record["amr" + place]), PROFILES["sembleu"])
        assert len(network.labels) == nodes
        found = [count.total() for count in kgrams(network, 3, "official")]
        assert found == record["ngram_totals" + place]
    for name, metric in METRICS.items():
        one = statistics_of(record["amr1"], record["amr2"], metric)
        assert metric.scores(one).score == pytest.approx(
            record["scores"][name], abs=TOLERANCE
        )
        other = statistics_of(record["amr2"], record["amr1"], metric)
        assert metric.scores(other).score == pytest.approx(
            record["scores_swapped"][name], abs=TOLERANCE
        )


@parametrised("ngrams")
def test_ngrams(record: Any) -> None:
    network = path_graph(sembleu_graph(record["amr"]), PROFILES["sembleu"])
    assert (len(network.labels), network.length) == (record["nodes"], record["length"])
    for k, count in enumerate(kgrams(network, 3, "official"), 1):
        assert {path[1:]: n for path, n in count.items()} == dict(
            record["ngrams"][str(k)]
        )


@parametrised("corpus")
def test_corpora(record: Any) -> None:
    pairs = {pair["id"]: pair for pair in [*records("pair"), *records("micro")]}
    for name, metric in METRICS.items():
        total = metric.identity()
        scores = []
        for member in record["members"]:
            pair = pairs[member]
            one = statistics_of(pair["amr1"], pair["amr2"], metric)
            scores.append(metric.scores(one).score)
            total = add(total, one)
        assert metric.scores(total).score == pytest.approx(
            record["scores"][name], abs=TOLERANCE
        )
    mean = sum(scores) / len(scores)
    assert mean == pytest.approx(record["mean_of_pair_default"], abs=TOLERANCE)


def files_of(record: Any) -> list[list[str]]:
    paths = [file_with(record[side + "_sha256"]) for side in ("hyp", "ref")]
    missing = [
        record[side + "_file"]
        for side, path in zip(("hyp", "ref"), paths, strict=True)
        if path is None
    ]
    if missing:
        pytest.skip(f"not under data: {', '.join(missing)}")
    return [list(graphs_of(path)) for path in paths if path is not None]


@parametrised("file")
def test_files(record: Any) -> None:
    preds, golds = files_of(record)
    failing = [number for number, *_ in record.get("failing_pairs", [])]
    assert len(preds) - len(failing) == record["pairs"]
    scores = record.get("scores_without_failing_pairs", record["scores"])
    for name, metric in METRICS.items():
        total = metric.identity()
        failed = []
        for number, (pred, gold) in enumerate(zip(preds, golds, strict=True)):
            try:
                total = add(total, statistics_of(pred, gold, metric))
            except GraphError:
                failed.append(number)
        assert failed == failing
        assert metric.scores(total).score == pytest.approx(scores[name], abs=TOLERANCE)


@parametrised("file-pairs")
def test_file_pairs(record: Any) -> None:
    preds, golds = files_of(record)
    metric = METRICS["default"]
    for number, wanted in enumerate(record["default"], record["first"]):
        if wanted is None:
            continue
        found = metric.scores(statistics_of(preds[number], golds[number], metric))
        assert found.score == pytest.approx(wanted, abs=TOLERANCE)
