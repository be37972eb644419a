"""YiSi-1 on subword units against values of NRC's program, through the command line.

Reads ``golden/yisi_uemb.dev.jsonl`` under the folder ``EXACTMATCH_DATA``.  Each
document is written as the files that the program reads; precision, recall and
score of every sentence and the score of the document are compared, by the units'
embeddings (runs ``uemb``) and by their letters (runs ``unit-lcs``).
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

FOLDER = os.environ.get("EXACTMATCH_DATA")
TOLERANCE = 1e-9
PRECISION, RECALL = 1, 3
"""Where the program's line of features has them."""

pytestmark = pytest.mark.skipif(not FOLDER, reason="EXACTMATCH_DATA is not set")


def golden() -> list[Any]:
    if not FOLDER:
        return [{}]
    text = (Path(FOLDER) / "golden/yisi_uemb.dev.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


HEADER, *RECORDS = golden() if FOLDER else [{}, {"id": "none", "runs": {"": {}}}]
RUNS = [(record, run) for record in RECORDS for run in record["runs"]]


def written(record: dict[str, Any], side: str, form: str) -> list[str]:
    """Write a side's files; returns the options that name them.

    Args:
        record: a document.
        side: ``hyp`` or ``ref``.
        form: ``numbered`` as the program reads them, ``named`` in one file, ``units``
            without embeddings.
    """
    Path(side).write_text("".join(f"{text}\n" for text in record[f"{side}s"]), "utf-8")
    units, vectors = record[f"{side}_units"], record[f"{side}_embeddings"]
    tokens = record[f"{side}_tokens_of_units"]
    Path(f"{side}.units").write_text(
        "".join(" ".join(u) + "\n" for u in units), "utf-8"
    )
    blocks = []
    for of_sentence in zip(units, tokens, vectors, strict=True):
        lines = []
        for k, (unit, token, vector) in enumerate(zip(*of_sentence, strict=True)):
            first = unit if form == "named" else f"{k} {token}"
            lines.append(f"{first} {' '.join(map(repr, vector))}\n")
        blocks.append("".join(lines) + "\n")
    Path(f"{side}.embeddings").write_text("".join(blocks), "utf-8")
    options = []
    if form != "named":
        options += [f"--units-{side}", f"{side}.units"]
    if form != "units":
        options += [f"--embeddings-{side}", f"{side}.embeddings"]
    return options


@pytest.mark.parametrize(
    ("record", "run"), RUNS, ids=[f"{r['id']}-{n}" for r, n in RUNS]
)
@pytest.mark.parametrize("form", ["numbered", "named"])
def test_every_sentence_and_the_document(
    record: dict[str, Any],
    run: str,
    form: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    cli: Cli,
) -> None:
    monkeypatch.chdir(tmp_path)
    kind, ngram = run.split(",n")
    if kind == "unit-lcs":
        form = "units"
    options = [*written(record, "hyp", form), *written(record, "ref", form)]
    if kind == "uemb":
        options += ["--variant", "yisi1"]
    shown = ["--ngram", ngram, "--beta", "0", "--per-pair"]
    recorded = record["runs"][run]
    for alpha in ("0.5", "0.7"):
        report = cli.record("yisi", "hyp", "ref", *options, *shown, "--alpha", alpha)
        scores = recorded[f"alpha={alpha}"]
        features = recorded["features"]
        for pair, values in zip(report["per_pair"], features, strict=True):
            assert pair["precision"] == pytest.approx(values[PRECISION], abs=TOLERANCE)
            assert pair["recall"] == pytest.approx(values[RECALL], abs=TOLERANCE)
        found = [pair["score"] for pair in report["per_pair"]]
        assert found == pytest.approx(scores["sentences"], abs=TOLERANCE)
        document = report["score"]
        assert document == pytest.approx(scores["document"], abs=TOLERANCE)


def test_no_record_is_left_out() -> None:
    assert len(RECORDS) == HEADER["records"]
    assert {run.split(",n")[0] for _, run in RUNS} == {"uemb", "unit-lcs"}
