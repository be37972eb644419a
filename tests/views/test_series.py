"""Pictures that grey paper and every eye keep apart, and densities that end."""

from __future__ import annotations

import operator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from exactmatch.views import pictures
from exactmatch.views.score_plots import ForestRow, forest


def test_forty_series_differ_without_colour() -> None:
    looks = [pictures._series(number) for number in range(42)]
    assert len({(str(look["linestyle"]), look["marker"]) for look in looks}) == 42


@pytest.mark.parametrize("centre", [0.0, 0.3, 1.0])
def test_a_density_has_the_area_one_between_0_and_1(centre: float) -> None:
    rng = np.random.default_rng(7)
    values = np.clip(rng.normal(centre, 0.2, 500), 0, 1)
    grid = np.linspace(0, 1, 2001)
    density = pictures.reflected_density(values, grid)
    area = (density[1:] + density[:-1]).sum() / 2 / 2000
    assert area == pytest.approx(1, abs=2e-3)


def test_a_density_of_equal_shares_is_flat_to_its_ends() -> None:
    """Without reflection it would fall to half at 0 and 1."""
    grid = np.linspace(0, 1, 101)
    density = pictures.reflected_density(np.linspace(0, 1, 1001), grid)
    assert density.min() > 0.97
    assert density.max() < 1.03


@pytest.mark.slow
def test_people_are_drawn_against_metrics(tmp_path: Path) -> None:
    human = np.array([0.1, 0.5, 0.9])
    clouds = [
        pictures.Cloud(name, human, human**2, ("a", "b", "c")) for name in ("x", "y")
    ]
    path = tmp_path / "cloud.svg"
    pictures.human_scatter(str(path), clouds)
    text = path.read_text()
    assert text.count("<!-- people -->") == 2
    r = float(np.corrcoef(human, human**2)[0, 1])
    assert f"r = {r:.3f}" in text
    pictures.human_scatter(str(path), clouds, {"people": human, "x": human**2})
    assert "<!-- density -->" in path.read_text()


def test_a_single_point_and_equal_scores_are_drawn(tmp_path: Path) -> None:
    one = np.array([0.5])
    pictures.human_scatter(
        str(tmp_path / "one.png"), [pictures.Cloud("x", one, one)], {"people": one}
    )
    assert (tmp_path / "one.png").stat().st_size > 0


def test_a_forest_has_systems_and_differences(tmp_path: Path) -> None:
    rows = [
        ForestRow("first", 0.8, (0.7, 0.9)),
        ForestRow("second", 0.7, None, -0.1, (-0.2, -0.05), True),
    ]
    path = tmp_path / "forest.svg"
    forest(str(path), {"smatch": rows}, 0.9)
    text = path.read_text()
    for shown in ("first", "second", "baseline", "smatch, 90 %"):
        assert f"<!-- {shown} -->" in text


def test_colours_differ_on_grey_paper() -> None:
    """The CIE lightness of any two differs by seven or more of a hundred."""
    light = sorted(map(_lightness, pictures.COLOURS))
    assert all(after - before >= 7 for before, after in pairwise(light))
    assert light[-1] < 80


def _lightness(colour: str) -> float:
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [
        p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts
    ]
    shares = (0.2126, 0.7152, 0.0722)
    return 116 * sum(map(operator.mul, shares, linear)) ** (1 / 3) - 16


@pytest.mark.slow
def test_figures_have_the_width_of_columns_and_equal_axes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[Any] = []
    save = pictures.save

    def kept(path: str, figure: Any) -> None:
        drawn.append(figure)
        save(path, figure)

    monkeypatch.setattr(pictures, "save", kept)
    human = np.linspace(0, 1, 30)
    names = ("x", "y")
    clouds = [
        pictures.Cloud(name, human, human**k / k) for k, name in enumerate(names, 1)
    ]
    for number, shown in ((1, clouds[:1]), (2, clouds)):
        path = tmp_path / f"{number}.png"
        pictures.human_scatter(str(path), shown)
        width = int.from_bytes(path.read_bytes()[16:20], "big")
        assert width == round(300 * {1: 3.3, 2: 6.9}[number])
    panels = drawn[-1].axes
    assert panels[0].get_ylim() == panels[1].get_ylim()
    assert [axes.get_ylabel() for axes in panels] == list(names)
