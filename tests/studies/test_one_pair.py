"""One pair, scored in Python by the metric that its format chooses."""

from __future__ import annotations

import pytest

import exactmatch


def test_one_pair_is_scored_by_what_its_format_chooses() -> None:
    assert exactmatch.score("(a / b)", "(a / c)").metric == "smatch"
    assert exactmatch.score({"a": 1}, {"a": 1}).metric == "json"
    assert exactmatch.score([("a", "r", "b")], [("a", "r", "c")]).metric == "graph"
    flow = "flowchart TD\n  a --> b"
    assert exactmatch.score(flow, flow).metric == "graph"
    with pytest.raises(exactmatch.InputError, match="name what scores"):
        exactmatch.score("(a / b)", flow)
