"""Similarities that were announced are those that are computed pair by pair."""

from __future__ import annotations

import numpy as np
import pytest

from exactmatch.metrics.similarity import concepts


def test_what_is_expected_is_computed_once_and_alike(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left, right = ("run-01", "runner", "boy"), ("run-02", "boys", "Run-01")
    alone = concepts.LcsSimilarity().matrix(left, right)
    ready = concepts.LcsSimilarity()
    ready.expect(left, right)

    def refuse(*_: object) -> None:
        raise AssertionError("computed again")

    with monkeypatch.context() as patch:
        patch.setattr(concepts, "lcs_similarities", refuse)
        assert np.array_equal(ready.matrix(left, right), alone)
        assert np.array_equal(ready.matrix(left[1:], right[:1]), alone[1:, :1])
    others = ("girl", "boy")
    fresh = concepts.LcsSimilarity().matrix(others, right)
    assert np.array_equal(ready.matrix(others, right), fresh)
