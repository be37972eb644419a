"""Similarities of labels in layers: values, aliases, judgements, cosines."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.label_values import value_of


def alike(a: str, b: str, **options: Any) -> float:
    """The similarity of two labels, as the graph metric has it."""
    one, other = {"nodes": [a]}, {"nodes": [b]}
    return exactmatch.score(one, other, metric="graph", node_cutoff=0.0, **options).f1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("11 July 1907", '"1907-07-11"'),
        ("July 11, 1907", "1907-07-11T00:00:00Z"),
        ("11th Jul 1907", "1907-7-11"),
        ("July 1907", "1907-07"),
        ("1,000,000", "1e6"),
        ("62.0", "62"),
        ("+5", "5.00"),
        ("50%", "0.5"),
        ("New_York", "new york"),
    ],
)
def test_equal_values_are_equal(a: str, b: str) -> None:
    assert alike(a, b, node_similarity="value") == 1


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("1907-07-11", "1907-07-12"),
        ("62.0", "620"),
        ("July 1907", "1907-07-11"),
        ("1,00", "100"),
        ("31 Foo 1907", "1907-01-31"),
        ("1907-13-11", "1907-01-11"),
        ("9007199254740993", "9007199254740992"),
        ("1e400", "1e401"),
        ("1e99999999999999999999", "2e99999999999999999999"),
    ],
)
def test_other_values_are_not(a: str, b: str) -> None:
    assert alike(a, b, node_similarity="value") == 0
    assert value_of("ma 1907") is None  # March or May


def test_values_decide_before_what_is_named_after_them() -> None:
    near: dict[str, Any] = {"node_similarity": "value+lcs"}
    assert alike("1907-07-11", "1907-07-12", **near) == 0
    assert alike("1907-07-11", "1907-07-12", node_similarity="lcs") > 0.8
    assert alike("cats", "cat", **near) == alike("cats", "cat", node_similarity="lcs")


def test_aliases_are_alike(tmp_path: Path) -> None:
    path = tmp_path / "aliases.tsv"
    path.write_text("US\tUnited_States\tU.S.A.\nbig\tlarge\t0.8\nAmerica\tUS\n")
    for aliases in (path, str(path)):
        assert alike("united states", "America", aliases=aliases) == 1
        assert alike("big", "large", aliases=aliases) == pytest.approx(0.8)
        assert alike("big", "small", aliases=aliases) == 0
    assert alike("car", "auto", aliases={"auto": "car"}) == 1
    made = pickle.loads(pickle.dumps(exactmatch.make_metric("graph", aliases=path)))
    assert "aliases:aliases.tsv@" in dict(made.signature())["nodes"]
    with pytest.raises(InputError, match="cannot read aliases"):
        alike("a", "b", aliases=tmp_path / "none.tsv")


def test_a_judge_is_asked_once_and_its_answers_are_kept(tmp_path: Path) -> None:
    path, asked = tmp_path / "judged.jsonl", []

    def judge(a: str, b: str) -> float:
        asked.append((a, b))
        return 0.75 if {a, b} == {"car", "auto"} else 0.0

    first = alike("car", "auto", node_similarity=judge, judged=path)
    again = alike("auto", "car", node_similarity=judge, judged=path)
    assert first == again == 0.75
    bare = {"nodes": [None], "edges": []}
    given: dict[str, Any] = {"node_similarity": judge, "judged": path}
    assert exactmatch.score(bare, bare, metric="graph", **given).f1 == 1
    assert asked == [("car", "auto")]  # and of no label that is missing
    again_read = tmp_path / "other.jsonl"
    for _ in range(2):  # is read as it was written
        alike("car", "a\u2028b", node_similarity=judge, judged=again_read)
    assert json.loads(path.read_text()) == {
        "left": "car",
        "right": "auto",
        "similarity": 0.75,
    }
    # without the judge what is not in the file is compared otherwise
    assert alike("car", "auto", judged=path) == 0.75
    assert alike("car", "Car", judged=path) == 1
    one, other = (exactmatch.make_metric("graph", judged=p) for p in (path, path))
    assert one.signature() == other.signature()
    path.write_text(path.read_text() + '{"left": "a", "right": "b", "similarity": 1}\n')
    assert exactmatch.make_metric("graph", judged=path).signature() != one.signature()


@pytest.mark.parametrize(
    "line", ["{}", "x", '{"left": 1, "right": 2, "similarity": 3}', "[1]"]
)
def test_what_is_no_judgement_is_refused(line: str, tmp_path: Path) -> None:
    path = tmp_path / "judged.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(InputError, match=r"judged\.jsonl:2: is not a judgement"):
        alike("a", "b", judged=path)


def test_cosines_are_of_whole_labels(tmp_path: Path) -> None:
    path = tmp_path / "vectors.txt"
    path.write_text("open 1 0 0\nclose 0.6 0.8 0\ndoor 0 0 1\nwindow -1 0 0\n")
    options: dict[str, Any] = {"node_similarity": "cosine", "vectors": path}
    u = np.array([1.0, 0, 1]), np.array([0.6, 0.8, 1])
    wanted = u[0] @ u[1] / np.linalg.norm(u[0]) / np.linalg.norm(u[1])
    assert alike("open door", "close_door", **options) == pytest.approx(wanted)
    assert alike("open", "window", **options) == 0  # it is -1
    assert alike("unknown", "Unknown", **options) == 1
    assert alike("unknown", "other", **options) == 0
    with pytest.raises(InputError, match="give vectors or an encoder"):
        alike("a", "b", node_similarity="cosine")

    def encode(labels: list[str]) -> Any:
        return np.array([[len(label), 1.0] for label in labels])

    found = alike("ab", "abc", node_similarity="cosine", encoder=encode)
    assert found == pytest.approx(7 / np.sqrt(5 * 10))


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match="node_similarity is 'vlaue'"):
        alike("a", "b", node_similarity="vlaue+lcs")
