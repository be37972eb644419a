"""Pictures show the numbers that they are given."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from scipy.cluster import hierarchy

from exactmatch.views import pictures
from exactmatch.views.score_plots import ForestRow, ScoreBar, forest, score_bars

LONG = "a-system-whose-name-is-much-longer-than-a-column-of-a-paper-is-wide"


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


def cut_texts(figure: Any) -> list[str]:
    """The texts of a figure of which a part lies outside, or on another title."""
    figure.savefig(io.BytesIO(), dpi=figure.dpi)  # which lays it out
    whole = figure.bbox
    texts, titles = [], []
    for axes in figure.axes:
        low, high = sorted(axes.get_ylim())
        ticks = [
            t for t in axes.get_yticklabels() if low <= t.get_position()[1] <= high
        ]
        own = [*ticks, *axes.texts, axes.xaxis.label, axes.yaxis.label]
        texts += [text for text in own if text.get_text() and text.get_visible()]
        headings = (axes.title, axes._left_title, axes._right_title)
        titles += [title for title in headings if title.get_text()]
    found = []
    for text in [*texts, *titles]:
        box = text.get_window_extent()
        near = titles if text in titles else []
        others = [other.get_window_extent() for other in near if other is not text]
        if (
            box.x0 < whole.x0 - 1
            or box.x1 > whole.x1 + 1
            or box.y0 < whole.y0 - 1
            or box.y1 > whole.y1 + 1
            or any(box.overlaps(other) for other in others)
        ):
            found.append(text.get_text())
    return found


def test_long_names_are_not_cut_and_cut_nothing(drawn: list[Any]) -> None:
    rows = [
        ForestRow(LONG, 0.8, (0.7, 0.9)),
        ForestRow("b", 0.7, None, -0.1, (-0.2, -0.05), True),
    ]
    forest("x.svg", {"smatch": rows, "damonte:named-entities": rows}, 0.95)
    score_bars("x.svg", [ScoreBar(LONG, 0.5)], str, "F1, 95 % intervals")
    programs = {"hillclimb": [(1, 0.5, 0.6, 0.7, 0.1), (4, 0.6, 0.7, 0.8, 0.0)]}
    panels = [pictures.Panel(title, 0.8, programs) for title in ("Smatch", "S²Match")]
    pictures.search_errors("x.svg", panels)
    scores = np.array([[1, 0.8, 0.1], [0.8, 1, 0.2], [0.1, 0.2, 1]])
    tree = hierarchy.linkage([0.2, 0.9, 0.8])
    pictures.clusters("x.svg", tree, scores, [LONG, "b", "c"], 0.5, [0, 0, 1])
    assert len(drawn) == 4
    assert [cut_texts(figure) for figure in drawn] == [[]] * 4
    shown = [label.get_text() for label in drawn[0].axes[0].get_yticklabels()]
    assert shown[0].replace("\n", "") == LONG


def test_clusters_have_colours_and_numbers(drawn: list[Any]) -> None:
    """A branch has the colour of what hangs on it; one above the cut is black."""
    tree = hierarchy.linkage([0.2, 0.9, 0.9, 0.9, 0.9, 0.3])
    scores = np.eye(4)
    pictures.clusters("x.svg", tree, scores, list("abcd"), 0.5, [1, 1, 0, 0])
    left, right, _ = drawn[0].axes
    (lines,) = left.collections
    colours = [tuple(colour[:3]) for colour in lines.get_colors()]
    assert len(set(colours)) == 3
    assert colours[2] == (0, 0, 0)
    assert {text.get_text() for text in right.texts} == {"1", "2"}
    frames = sorted((frame.get_width(), frame.get_height()) for frame in right.patches)
    assert frames == [(2, 2), (2, 2)]


def test_judgements_of_no_and_yes_do_not_lie_on_each_other(drawn: list[Any]) -> None:
    human = np.array([0.0, 1.0] * 30)
    scores = np.full(60, 0.5)
    pictures.human_scatter("x.svg", [pictures.Cloud("smatch", human, scores)])
    (axes,) = drawn[0].axes
    points = axes.collections[0].get_offsets()
    assert len({tuple(point) for point in points.tolist()}) == 60
    assert (np.abs(points[:, 0] - human) < 0.5).all()
    assert axes.get_xticks().tolist() == [0, 1]


@pytest.mark.parametrize("values", [[], [0.5], [0.5] * 9, [0.1, 0.2, 0.3]])
def test_what_is_not_of_few_values_stays_where_it_is(values: list[float]) -> None:
    given = np.array(values)
    assert pictures.spread(given) is given
