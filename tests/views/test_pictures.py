"""Pictures show the numbers that they are given."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("matplotlib")

from exactmatch.views import pictures


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that were saved."""
    figures: list[Any] = []
    monkeypatch.setattr(pictures, "save", lambda _, figure: figures.append(figure))
    return figures


def test_step_functions_have_the_steps_of_each_series(drawn: list[Any]) -> None:
    series = {
        "one": [(0.0, 0.5, 0.9), (0.5, 1.0, 0.2)],
        "two": [(0.0, 0.25, 0.7), (0.25, 1.0, 0.6)],
    }
    pictures.step_functions("steps.svg", series, "cutoff", "F1")
    ((axes,),) = [figure.axes for figure in drawn]
    steps = {patch.get_label(): patch.get_data() for patch in axes.patches}
    assert {name: list(data.values) for name, data in steps.items()} == {
        "one": [0.9, 0.2],
        "two": [0.7, 0.6],
    }
    assert {name: list(data.edges) for name, data in steps.items()} == {
        "one": [0.0, 0.5, 1.0],
        "two": [0.0, 0.25, 1.0],
    }
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("cutoff", "F1")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [*series]


def test_one_step_function_needs_no_legend(drawn: list[Any], tmp_path: Path) -> None:
    pictures.step_functions(str(tmp_path / "a.svg"), {"a": [(0, 1, 0.5)]}, "x", "y")
    ((axes,),) = [figure.axes for figure in drawn]
    assert axes.get_legend() is None
