"""Pictures of studies: what is drawn, held against the numbers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.command import Cli
from support.files import Files

pytest.importorskip("matplotlib")

from exactmatch.views import pictures
from exactmatch.views.study_plots import (
    Step,
    grouped_bars,
    heat_map,
    shares_in_time,
    steps,
)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The figures that were saved."""
    figures: list[Any] = []
    monkeypatch.setattr(pictures, "save", lambda _, figure: figures.append(figure))
    return figures


def test_a_heat_map_has_every_number_and_none_of_what_is_unknown(
    drawn: list[Any],
) -> None:
    values = [[1.0, math.nan, 0.25], [0.5, 0.0, 1.0]]
    heat_map("x.svg", ["a", "b"], ["c", "d", "e"], values, "F1", "{:.2f}".format, 1.0)
    axes, _ = drawn[0].axes
    (image,) = axes.images
    shown = image.get_array()
    assert shown.filled(-1).tolist() == [[1.0, -1, 0.25], [0.5, 0.0, 1.0]]
    assert image.get_clim() == (0, 1)
    written = {text.get_position(): text.get_text() for text in axes.texts}
    assert written == {
        (0, 0): "1.00",
        (2, 0): "0.25",
        (0, 1): "0.50",
        (1, 1): "0.00",
        (2, 1): "1.00",
    }
    assert [label.get_text() for label in axes.get_xticklabels()] == ["c", "d", "e"]


@pytest.mark.parametrize("n", [1, 61])
def test_one_and_many_rows_are_drawn(n: int, drawn: list[Any]) -> None:
    names = [f"graph {k}" for k in range(n)]
    heat_map("x.svg", names, names, np.eye(n), "score", str)
    axes, _ = drawn[0].axes
    assert len(axes.get_yticklabels()) == (n if n <= 60 else 0)
    assert len(axes.texts) == (1 if n == 1 else 0)


def test_bars_stand_beside_each_other(drawn: list[Any]) -> None:
    series = {"first": [0.5, 0.25], "second": [0.125, 0.0]}
    grouped_bars("x.svg", ["roles", "senses"], series, "share", str)
    (axes,) = drawn[0].axes
    widths = [[bar.get_width() for bar in group] for group in axes.containers]
    assert widths == [[0.5, 0.25], [0.125, 0.0]]
    middles = [bar.get_y() + bar.get_height() / 2 for bar in axes.patches]
    assert middles == pytest.approx([-0.2, 0.8, 0.2, 1.2])
    assert [text.get_text() for text in axes.texts] == ["0.5", "0.25", "0.125", "0.0"]


def test_steps_lead_from_the_first_score(drawn: list[Any]) -> None:
    rows = [Step("smatch", 0.5, None), Step("up", 0.75, 0.25), Step("none", None, None)]
    steps("x.svg", [*rows, Step("down", 0.25, -0.25)], "F1")
    (axes,) = drawn[0].axes
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    assert ends == [(0.5, 0.5), (0.5, 0.75), (0.5, 0.25)]
    assert [text.get_text() for text in axes.texts] == ["0.5000", "+0.2500", "-0.2500"]


def test_shares_grow_with_time_and_never_to_what_is_open(drawn: list[Any]) -> None:
    shares_in_time("x.svg", {"all": [2.0, math.inf, 1.0, math.inf]}, "share proven")
    (axes,) = drawn[0].axes
    (line,) = axes.lines
    assert [list(part) for part in line.get_data()] == [[1.0, 2.0], [0.25, 0.5]]


@pytest.mark.slow
def test_every_command_that_draws_draws(cli: Cli, files: Files) -> None:
    texts = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)", "(c / cat)"]
    others = ["(b / bark-01 :ARG1 (d / dog))", "(r / rain-01)", "(d / dog)"]
    gold, pred = files.graphs("gold.amr", texts), files.graphs("pred.amr", others)
    graphs = files.one(
        "set.jsonl",
        '{"nodes": ["a", "b"], "edges": [[0, 1]]}\n{"nodes": ["a"], "edges": []}\n',
    )
    for given in (
        ["matrix", pred, gold],
        ["errors", pred, gold],
        ["agreement", pred, gold],
        ["explain-profile", pred, gold],
        ["ensemble", pred, gold],
        ["ground-truth", graphs, "-o", str(files.folder / "truth")],
    ):
        path = files.folder / f"{given[0]}.svg"
        cli.out(*given, "--plot", str(path))
        assert path.read_text("utf-8").startswith("<?xml")
        path.unlink()
    told = cli.refusal("matrix", gold, "-o", "m.npy", "--plot", "m.png")
    assert "--plot draws a matrix that is shown" in told
    assert not Path("m.npy").exists()
