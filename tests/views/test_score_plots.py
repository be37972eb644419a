"""Pictures of scores: what is drawn, held against the numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exactmatch.views import pictures
from exactmatch.views.score_plots import (
    ScoreBar,
    pair_histograms,
    score_bars,
)
from exactmatch.views.tables import Histogram

pytest.importorskip("matplotlib")

VALUES = (0.0, 0.04, 0.5, 0.52, 0.99, 1.0, 1.2)


@pytest.fixture
def figures(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that were to be written."""
    found: list[Any] = []
    monkeypatch.setattr(pictures, "save", lambda _, figure: found.append(figure))
    return found


def test_every_pair_is_in_a_bar_and_nothing_beyond_0_and_1(figures: list[Any]) -> None:
    pair_histograms("x.png", [Histogram("smatch", VALUES, 0.6, "0.6")])
    (axes,) = figures[0].axes
    heights = [bar.get_height() for bar in axes.patches]
    assert sum(heights) == len(VALUES)
    assert (heights[0], heights[10], heights[-1]) == (2, 2, 3)
    assert axes.get_xlim() == (0, 1)
    density, corpus = axes.lines
    x, y = (np.asarray(axis) for axis in density.get_data())
    assert (x[0], x[-1]) == (0, 1)
    area = ((y[1:] + y[:-1]) / 2 * np.diff(x)).sum() / 0.05
    assert area == pytest.approx(len(VALUES), rel=1e-3)
    assert corpus.get_xdata()[0] == 0.6


@pytest.mark.parametrize("values", [(), (0.5,), (1.0, 1.0)])
def test_few_or_equal_scores_have_bars_and_no_density(
    values: tuple[float, ...], figures: list[Any]
) -> None:
    pair_histograms("x.png", [Histogram("smatch", values, None, "-")] * 2)
    assert len(figures[0].axes) == 2
    for axes in figures[0].axes:
        assert not axes.lines
        assert sum(bar.get_height() for bar in axes.patches) == len(values)


def test_bars_are_as_long_as_scores_and_intervals_as_wide(figures: list[Any]) -> None:
    bars = [
        ScoreBar("Concepts", 0.8, interval=(0.7, 0.9)),
        ScoreBar("Frames", 0.5, upper=0.6),
        ScoreBar("Wikification", None),
    ]
    score_bars("x.png", bars, lambda score: f"<{score}>", "F1")
    (axes,) = figures[0].axes
    widths = [bar.get_width() for bar in axes.patches]
    assert widths == pytest.approx([0.8, 0.5, 0.0, 0.1])
    (interval,) = axes.lines
    assert tuple(interval.get_xdata()) == (0.7, 0.9)
    assert [text.get_text() for text in axes.texts] == ["<0.8>", "<0.5>", "<None>"]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        "Concepts",
        "Frames",
        "Wikification",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_each_kind_of_picture_is_written(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture.{kind}"
    pair_histograms(str(path), [Histogram("smatch", VALUES, 0.6, "0.6")])
    first = path.read_bytes()
    assert first
    score_bars(str(path), [ScoreBar("Concepts", 0.8)], str, "F1")
    assert path.read_bytes() != first
