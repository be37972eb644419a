"""Texts of documents compared by a similarity of labels, or by a function."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch import InputError, make_metric, score


def by_first_letter(a: str, b: str) -> float:
    return 0.75 if a[:1] == b[:1] else 0.0


def test_a_function_of_two_texts() -> None:
    options: dict[str, Any] = {"metric": "json", "strings": by_first_letter}
    assert score({"a": "red"}, {"a": "rose"}, **options).f1 == 0.75
    assert score({"a": "red"}, {"a": "Red"}, **options).f1 == 0
    assert score({"a": "red"}, {"a": "red"}, **options).f1 == 1
    assert score(["b1", "a1"], ["a2", "b1"], **options).f1 == 0.875
    metric = exactmatch.make_metric("json", strings=by_first_letter)
    report = exactmatch.evaluate([{"a": "x"}], [{"a": "y"}], metric)
    assert "strings:function:by_first_letter@" in report["json"].signature


def test_many_items_by_a_function() -> None:
    names = [f"{letter}{k}" for k in range(5) for letter in "abc"]
    pred = [{"n": name, "k": 1} for name in names]
    gold = [{"n": f"{name}x", "k": 1} for name in reversed(names)]
    found = score(pred, gold, metric="json", strings=by_first_letter)
    assert found.f1 == 0.875


def test_a_function_may_be_one_that_is_not_symmetric() -> None:
    def longer(a: str, b: str) -> float:
        return float(len(a) > len(b))

    options: dict[str, Any] = {"metric": "json", "strings": longer}
    assert score({"a": "ab"}, {"a": "a"}, **options).f1 == 1
    assert score({"a": "a"}, {"a": "ab"}, **options).f1 == 0


def test_what_a_function_says_must_be_a_share() -> None:
    with pytest.raises(InputError, match="a similarity is a number from 0 to 1"):
        score({"a": "x"}, {"a": "y"}, metric="json", strings=lambda *_: 7)


def test_cosine(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("cat 1 0\ndog 0.6 0.8\nred 0 1\n")
    pair = {"a": "cat"}, {"a": "Dog"}
    found = score(*pair, metric="json", strings="cosine", vectors=path)
    assert found.f1 == pytest.approx(0.6)

    def encode(texts: list[str]) -> Any:
        return np.array([[len(text), 1.0] for text in texts])

    assert score(*pair, metric="json", strings="cosine", encoder=encode).f1 == 1


def test_similarities_of_labels() -> None:
    pair = {"a": "red pen"}, {"a": "pen red"}
    assert score(*pair, metric="json", strings="exact").f1 == 0
    signature = dict(make_metric("json", strings="lcs").signature())
    assert signature["strings"] == "lcs"
    pytest.importorskip("rapidfuzz")
    assert score(*pair, metric="json", strings="token-set").f1 == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"strings": "fuzzy"}, "strings is 'fuzzy'; it is one of graded, normalised"),
        ({"strings": "cosine"}, "give vectors or an encoder"),
        ({"vectors": "a.txt"}, "vectors is for strings='cosine', not 'graded'"),
        ({"strings": "lcs", "vectors": "a.txt"}, "are for strings='cosine'"),
        ({"strings": 3}, "strings: 3 is not text"),
    ],
    ids=str,
)
def test_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        make_metric("json", **options)
