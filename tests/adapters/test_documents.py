"""The scorer of documents is called as every harness calls it."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from exactmatch import InputError
from exactmatch.adapters import documents
from exactmatch.adapters.documents import calls, scorer
from exactmatch.testing import assert_json

GOLD = {"items": [{"name": "pen", "qty": 1}, {"name": "cup", "qty": 2}]}
PRED = '```json\n{"items": [{"name": "cup", "qty": 2}, {"name": "pen", "qty": 3}]}\n```'

CALLS: list[dict[str, Any]] = [
    {"output": PRED, "expected": GOLD, "input": "x"},
    {"output": PRED, "expected_output": GOLD, "metadata": {}},
    {"outputs": PRED, "reference_outputs": GOLD, "inputs": {}},
    {"outputs": PRED, "expectations": {"expected_response": GOLD}},
    {"response": PRED, "reference": GOLD},
    {"completion": PRED, "answer": PRED, "target": GOLD},
]


@pytest.mark.parametrize("named", CALLS, ids=lambda named: ",".join(named))
def test_any_names(named: dict[str, Any]) -> None:
    found = scorer()(**named)
    assert (found, found.precision, found.recall) == (0.75, 0.75, 0.75)
    assert "items[1].qty: 3 should be 1" in found.feedback
    assert found.fields() == {"items[].name": 1.0, "items[].qty": 0.5}
    assert found.to_dict()["fields"]["items[].qty"] == 0.5


def test_feedback_travels() -> None:
    found = scorer()(PRED, GOLD)
    other = pickle.loads(pickle.dumps(found))
    assert (other, other.feedback, other.recall) == (0.75, found.feedback, 0.75)
    assert "items[1].qty: 3 should be 1" in found.feedback


def test_in_order() -> None:
    assert scorer()(PRED, GOLD) == scorer()(PRED, expected=GOLD) == 0.75


@pytest.mark.parametrize(
    ("pred", "gold", "f1"),
    [
        ([{"content": 1, "b": 2}], [{"content": 1, "b": 2}], 1),
        ([{"a": 1}], [{"a": 1}], 1),
        ([], [], 1),
        ({}, {"a": 1}, 0),
        ("no document", {"a": 1}, 0),
        ("", {"a": 1}, 0),
        ([{"role": "user", "content": '{"a": 1}'}], {"a": 1}, 1),
        ("{'a': 1,}", {"a": 1}, 1),
    ],
)
def test_values_answers_and_conversations(pred: Any, gold: Any, f1: float) -> None:
    assert scorer()(output=pred, expected=gold) == f1


def test_dataclasses() -> None:
    @dataclasses.dataclass
    class Total:
        total: int

    assert float(scorer()(Total(3), Total(3))) == 1


def test_what_is_missing_is_said() -> None:
    with pytest.raises(InputError, match="the reference is missing; pass it as expect"):
        scorer()(output="{}")
    with pytest.raises(InputError, match="the prediction is missing"):
        scorer()(expected={})
    with pytest.raises(InputError, match="not 3 values"):
        scorer()(1, 2, 3)
    with pytest.raises(InputError, match="the reference is not a well-formed doc"):
        scorer()(output="{}", expected="not JSON")
    assert "document" in scorer()(output="nothing", expected={"a": 1}).feedback


def test_the_total_is_that_of_the_corpus() -> None:
    score = scorer(weights={"a": 3})
    rows = [score({"a": 1}, {"a": 1}), score({"b": 1}, {"b": 2})]
    assert score.total(rows).f1 == 0.75
    assert score.total([]).f1 == 0
    assert "weights:a=3" in score.version


def test_tool_calls() -> None:
    ours = [{"type": "function", "function": {"name": "f", "arguments": '{"a": 1}'}}]
    theirs = [{"name": "f", "arguments": {"a": 1}}]
    assert float(scorer()(calls(ours), calls(theirs))) == 1
    broken = [{"name": "f", "arguments": "{"}, {"name": "g", "arguments": ""}, 3]
    assert calls(broken) == [
        {"name": "f", "arguments": "{"},
        {"name": "g", "arguments": {}},
        3,
    ]


def test_langsmith_and_promptfoo() -> None:
    found = documents.langsmith()(
        inputs={}, outputs={"a": 1}, reference_outputs={"a": 2}
    )
    assert found["key"] == "json"
    assert found["score"] == 0
    check = documents.promptfoo(at_least=0.7)
    graded = check(PRED, {"vars": {"expected": GOLD}})
    assert (graded["pass"], graded["score"]) == (True, 0.75)
    assert graded["namedScores"]["items[].name"] == 1
    with pytest.raises(InputError, match="'expected' holds no reference"):
        check(PRED, {"vars": {"gold": GOLD}})


def test_assertions() -> None:
    assert_json([1, 2], "[2, 1]")
    assert_json({"a": "red pens"}, {"a": "red pen"}, at_least=0.7)
    with pytest.raises(AssertionError, match=r"scores 0\.0000.*\na: 1 should be 2"):
        assert_json({"a": 1}, {"a": 2})
    with pytest.raises(InputError, match="at_least is 2"):
        assert_json({}, {}, at_least=2)
