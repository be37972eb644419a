"""The measures of graphs that machines write, on graphs made by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

machine: Any = pytest.importorskip("benchmarks.machine")

CHAIN = {
    "nodes": ["START", "open door", "walk in", "close door", "END"],
    "edges": [[0, 1], [1, 2], [2, 3], [3, 4]],
}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A workflow, an answer, and vectors of their words."""
    (tmp_path / "machine").mkdir()
    (tmp_path / "vectors").mkdir()
    flows = tmp_path / "machine" / "worfbench.gold.jsonl"
    flows.write_text(json.dumps(CHAIN) + "\n")
    gold = [["Alan_Bean", "birthPlace", "Texas"], ["Alan_Bean", "job", '"astronaut"']]
    pred = [["Alan Bean", "birthPlace", "texas"], ["Alan Bean", "wife", "Sue"]]
    answer = {"triples": pred, "published": {"f1": 2 / 3}}
    row = {"gold": gold, "vicuna": answer, "alpaca": answer}
    answers = tmp_path / "machine" / "text2kg.dbpedia.dev.jsonl"
    answers.write_text(json.dumps(row) + "\n")
    words = ["start", "open", "door", "walk", "in", "close", "end", "shut"]
    lines = [
        f"{word} {' '.join('1' if k == n else '0.1' for k in range(8))}"
        for n, word in enumerate(words)
    ]
    import gzip

    with gzip.open(tmp_path / "vectors" / "concepts.100d.txt.gz", "wt") as stream:
        stream.write("\n".join(lines) + "\n")
    return tmp_path


def test_the_published_procedure_calls_a_reversed_chain_perfect(data: Path) -> None:
    flows = machine.Workflows(data)
    back = machine.reordered(CHAIN, [3, 2, 1])
    assert back["nodes"] == ["START", "close door", "walk in", "open door", "END"]
    assert not machine.is_same(back, CHAIN)
    assert flows.published(back, CHAIN) == 1
    other = machine.relisted(CHAIN, [0, 3, 2, 1, 4])
    assert machine.is_same(other, CHAIN)
    assert flows.published(other, CHAIN) < 1
    assert flows.published({"nodes": ["x"], "edges": []}, CHAIN) == 0


def test_tables_are_printed(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.main(["--data", str(data), "text2kg", "worfbench", "guesses"]) == 0
    out = capsys.readouterr().out
    assert "gives the published F1 of 2 of 2 answers" in out
    assert "| steps in reverse order | 1 | 1.000 | 1 |" in out
    assert "| listed in another order (the same) | 1 | " in out


def test_parts_are_measured(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert machine.main(["--data", str(data), "parts"]) == 0
    out = capsys.readouterr().out
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith("| a ")]
    by_name = {row[0].removeprefix("| "): row[1:] for row in rows}
    assert by_name["a step missing"][1] == by_name["a step missing"][2]
    assert "| 0% | 0 of 0 |" in out
