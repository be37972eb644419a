"""Tool calls match in any order, and arguments may have several right values."""

from __future__ import annotations

import json
import random
from itertools import permutations, product
from typing import Any

import pytest

from exactmatch import InputError
from exactmatch.adapters.tool_calls import tool_calls

RIGHT = [{"book": {"city": ["Rome", "Paris"]}}, {"book": {"city": ["Rome"]}}]


def f1(pred: Any, gold: Any) -> float:
    return float(tool_calls()(pred, gold))


def booked(*cities: Any) -> list[Any]:
    return [{"name": "book", "arguments": {"city": city}} for city in cities]


@pytest.mark.parametrize("cities", [("Rome", "Paris"), ("Paris", "Rome")])
def test_the_order_of_right_calls_does_not_matter(cities: Any) -> None:
    assert f1(booked(*cities), RIGHT) == 1


def test_forms_of_calls() -> None:
    score = tool_calls()
    openai = [{"function": {"name": "book", "arguments": '{"city": "Paris"}'}}]
    right = [{"name": "book", "arguments": {"city": {"$any": ["Rome", "Paris"]}}}]
    for pred in (openai, booked("Paris"), openai[0], [{"book": {"city": "Paris"}}]):
        assert float(score(output=pred, expected=right)) == 1
    fenced = f"I call:\n```json\n{json.dumps(booked('Paris'))}\n```"
    assert f1(fenced, json.dumps(right)) == 1
    assert f1("no calls", right) == 0
    assert f1([], []) == 1
    assert f1(booked("Oslo"), right) == 0.5
    found = score(booked("Oslo"), right)
    assert "[0].arguments.city" in found.feedback
    assert score.total([found, score(openai, right)]).f1 == 0.75


def test_arguments_that_may_be_left_out() -> None:
    right = [{"f": {"a": [1, 2], "b": ["", "x"]}}, {"f": {"a": [1]}}]
    both = [{"f": {"a": 1}}, {"f": {"a": 2, "b": "x"}}]
    assert f1(both, right) == f1(both[::-1], right) == 1
    assert f1([{"f": {"a": 1}}, {"f": {"a": 2}}], right) == 1
    assert f1([{"f": {"a": 1}}, {"f": {"a": 2, "b": "y"}}], right) < 1


def test_values_may_be_lists_and_numbers_are_not_texts() -> None:
    right = [{"f": {"xs": [["a", "b"], ["c"]]}}]
    assert f1([{"f": {"xs": ["c"]}}], right) == 1
    assert f1([{"f": {"xs": ["b", "a"]}}], right) == 1
    assert f1([{"f": {"x": "1"}}], [{"f": {"x": [1]}}]) < 1


@pytest.mark.parametrize("seed", range(30))
def test_against_all_choices(seed: int) -> None:
    """With scalars every choice weighs the same: the best F1 of all is found."""
    draw = random.Random(seed)

    def right() -> Any:
        return {"f": {name: draw.sample("xyz", draw.randint(1, 3)) for name in "ab"}}

    golds = [right() for _ in range(draw.randint(1, 3))]
    preds = [
        {"name": "f", "arguments": {name: draw.choice("xyz") for name in "ab"}}
        for _ in range(draw.randint(1, 3))
    ]
    size = 3 * (len(preds) + len(golds))
    most = 0
    for order in permutations(range(max(len(preds), len(golds)))):
        pairs: list[tuple[Any, Any]] = [
            (preds[i]["arguments"], golds[j]["f"])
            for i, j in enumerate(order)
            if i < len(preds) and j < len(golds)
        ]
        choices: list[list[str]] = [gold[name] for _, gold in pairs for name in "ab"]
        ways = product(*choices)
        values = [pred[name] for pred, _ in pairs for name in "ab"]
        for way in ways:
            same = sum(a == b for a, b in zip(way, values, strict=True))
            most = max(most, len(pairs) + same)
    assert f1(preds, golds) == pytest.approx(2 * most / size)


@pytest.mark.parametrize(
    ("gold", "message"),
    [
        ([3], "holds 3, which is not a call"),
        ("{", "the reference is not JSON"),
        ([{"f": {"a": []}}], "the argument a of the reference has an empty list"),
    ],
)
def test_references_that_are_not_calls(gold: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        tool_calls()([], gold)
