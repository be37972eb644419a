"""Files of JSON documents: one a file, one a line, and in answers of models."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import Cli
from support.files import Files

from exactmatch.formats.machine.whole_documents import document_in

DOCUMENT = {"a": [1, 2.50], "b": "x"}
GOLD = json.dumps(DOCUMENT)


def scored(cli: Cli, pred: str, gold: str, *more: str) -> tuple[float, int]:
    found = cli.json(pred, gold, "--metric", "json", *more)["metrics"][0]
    return found["f1"], found["pairs"]


@pytest.mark.parametrize(
    "answer",
    [
        GOLD,
        f"```json\n{GOLD}\n```",
        f"<think>{{}}</think>Here it is:\n```\n{GOLD}\n```\nDone.",
        f"The answer is {GOLD} as you asked.",
        GOLD.replace('"', "'"),
        GOLD[:-1],
        f"Thus $\\boxed{{{GOLD}}}$.",
        "\\boxed{\\{" + GOLD[1:-1] + "\\}}",
        f"\\boxed{{3}}\n```json\n{GOLD}\n```",
    ],
)
def test_answers(answer: str) -> None:
    found, _ = document_in(answer, "repair")
    assert found is not None
    assert json.loads(found) == DOCUMENT


def test_no_document_is_none() -> None:
    assert document_in("I cannot say.", "repair")[0] is None
    assert document_in("", "repair")[0] is None


def test_rows(cli: Cli, files: Files) -> None:
    rows = [{"id": k, "response": f"Sure: {GOLD}"} for k in range(3)]
    pred = files.one("p.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    plain = files.one("g.jsonl", f"{GOLD}\n" * 3)
    column = files.one("h.jsonl", f'{{"id": 1, "expected": {GOLD}}}\n' * 3)
    assert scored(cli, pred, plain) == (1, 3)
    assert scored(cli, pred, column) == (1, 3)
    assert scored(cli, pred, column, "--field", "response,expected") == (1, 3)


def test_whole_files(cli: Cli, files: Files) -> None:
    indented = files.one("p.json", json.dumps([DOCUMENT, 1], indent=2))
    assert scored(cli, indented, files.one("g.json", f"[1, {GOLD}]")) == (1, 1)


def test_a_reference_that_is_no_json_is_an_error(cli: Cli, files: Files) -> None:
    pred, gold = files.one("p.json", GOLD), files.one("g.json", GOLD[:-1])
    told = cli.refusal(pred, gold, "--metric", "json")
    assert "g.json:1: " in told
    assert "is not JSON" in told


def test_every_command_reads_answers_and_objects(cli: Cli, files: Files) -> None:
    golds = [{"id": k, "gold": {"a": f"N{k}", "b": [k]}} for k in range(4)]
    answers = [
        {"id": k, "response": f"So:\n```json\n{json.dumps(row['gold'])}\n```"}
        for k, row in enumerate(golds)
    ]
    pred = files.lines("answers.jsonl", map(json.dumps, answers))
    gold = files.lines("objects.jsonl", map(json.dumps, golds))
    assert "entirely right" in cli.out("finegrained", pred, gold)
    page = Path(pred).with_name("page.html")
    cli("report", pred, gold, "-o", str(page))
    assert "Wrong values by field" in page.read_text()
    for near in (pred, gold), (gold, pred), (gold, gold):
        rows = cli.out("nearest", *near, "-k", "1", "--format", "csv").splitlines()
        assert [row.rpartition(",")[2] for row in rows[1:]] == ["1.0"] * 4
    assert "1.0000" in cli.out("compare", gold, pred, gold)
