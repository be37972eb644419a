"""What cannot be compared is refused in a sentence, and what is deep is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.command import Cli

import exactmatch
from exactmatch import InputError

REFUSED: list[tuple[Any, Any, dict[str, Any], str]] = [
    ('{"a": 1', "{}", {}, "is not JSON: .*line 1"),
    ({1: 2}, {}, {}, "has the key 1 at the top"),
    ({"a": {1, 2}}, {}, {}, "has a set at a, which JSON does not have"),
    ({}, {}, {"weights": {"a": -1}}, "weight of a is -1"),
    ({}, {}, {"weights": {"a": "x"}}, "which is not a number"),
    ({}, {}, {"weights": {"a..b": 1}}, "is not a path; write"),
    ({}, {}, {"weights": 3}, "is not a path, list of paths or mapping"),
    ({}, {}, {"tolerance": 1}, "from 0 to less than 1"),
    ({}, {}, {"refs": {"a": "q"}}, "refers to 'q', which is not a path of ids"),
    (
        {},
        {"p": [{"id": 1}, {"id": 1}]},
        {"ids": ["p[].id"]},
        "is a reference and has two objects with the identifier '1' at p",
    ),
    (
        {"p": [{"id": 1}]},
        {},
        {"ids": ["p[].id"], "order": "all"},
        "the list p is ordered and may hold identifiers",
    ),
    ("[" * 10_001 + "]" * 10_001, "[]", {}, "nests more than 10,000 levels deep"),
]


@pytest.mark.parametrize(("pred", "gold", "options", "message"), REFUSED, ids=str)
def test_refused(pred: Any, gold: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.score(pred, gold, metric="json", **options)


def test_a_reference_of_a_file_is_named(cli: Cli, tmp_path: Path) -> None:
    pred, gold = tmp_path / "p.jsonl", tmp_path / "g.jsonl"
    one, twice = '{"p": [{"id": 1}]}', '{"p": [{"id": 1}, {"id": 1}]}'
    pred.write_text(f"{one}\n{one}\n")
    gold.write_text(f"{one}\n{twice}\n")
    files = (str(pred), str(gold), "--metric", "json")
    outcome = cli(*files, "--id-paths", "p[].id")
    assert outcome.code == 2
    assert "g.jsonl:2: " in outcome.err
    assert "two objects with the identifier '1' at p[].id" in outcome.err


def test_documents_may_be_deep() -> None:
    texts = ["[" * 900 + word + "]" * 900 for word in ('"abc"', '"abd"', "1")]
    scores = [exactmatch.score(one, texts[0], metric="json").f1 for one in texts]
    assert scores == [1, pytest.approx(1 / 3), 0]


@pytest.mark.parametrize(
    ("pred", "gold", "f1"),
    [
        ("[1e500]", "[1e500]", 1),
        ("[1e500]", "[1e501]", 0),
        ("9" * 5000, "9" * 5000, 1),
        ("9" * 5000, "8" * 5000, 0),
        ("[NaN]", "[NaN]", 1),
        ("[-0]", "[0.0]", 1),
        ('["2024-01-05T10:00:00+02:00"]', '["2024-01-05T08:00:00Z"]', 1),
        ('{"a": 1, "a": 2}', '{"a": 2}', 1),
        ("null", "[]", 1),
        (None, {}, 1),
        (None, {"a": 1}, 0),
    ],
)
def test_numbers_and_instants_by_value(pred: Any, gold: Any, f1: float) -> None:
    assert exactmatch.score(pred, gold, metric="json").f1 == f1
