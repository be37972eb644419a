"""The drawings of the documentation are those that its program makes now."""

from __future__ import annotations

import re
import runpy
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactmatch

FOLDER = Path(__file__).parents[2] / "docs" / "understand"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the documentation is in the repository only"
)


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(FOLDER / "rounds.py"))


def test_the_rounds_are_drawn_as_the_solver_proves_them(
    program: dict[str, Any],
) -> None:
    drawn = {name: f"{picture}\n" for name, picture in program["rounds"]()}
    kept = {path.name: path.read_text("utf-8") for path in FOLDER.glob("round-*.svg")}
    assert kept == drawn
    page = (FOLDER / "exact-is-cheap.md").read_text("utf-8")
    assert set(re.findall(r"\]\((round-\d\.svg)\)", page)) == set(drawn)


def test_every_drawn_round_is_a_bound(program: dict[str, Any]) -> None:
    """Prices pay for every worth, shares add up to weights, and bounds are as drawn."""
    bounds = []
    for _, picture in program["rounds"]():
        said = re.search(r"prices add up to ([^<]*) = (\d+)", picture)
        assert said is not None
        parts = [_number(part) for part in said[1].split(" + ")]
        bounds.append(int(said[2]))
        assert sum(parts) == bounds[-1]
        worths = re.findall(
            r">([^<>=]*) = ([^<>=,]*)(?:, costs [^<]*)?</text>", picture
        )
        for summands, worth in worths:
            if "prices" not in summands:
                numbers = map(_number, summands.split(" + "))
                assert sum(numbers) == _number(worth)
    assert bounds == [9, 7]


def _number(text: str) -> Fraction:
    whole, half, _ = text.partition("½")
    return Fraction(whole or 0) + (Fraction(1, 2) if half else 0)


def test_the_workflows_are_drawn_as_the_program_scores_them() -> None:
    """Each alignment is tried in the script; the program has a proof."""
    drawn = runpy.run_path(str(FOLDER / "explained.py"))
    pictures = {name: f"{picture}\n" for name, picture in drawn["pictures"]()}
    kept = {
        path.name: path.read_text("utf-8") for path in FOLDER.glob("explained-*.svg")
    }
    assert kept == pictures
    texts = (FOLDER / "explained.md", FOLDER.parent / "index.md")
    pages = "".join(page.read_text("utf-8") for page in texts)
    assert set(re.findall(r"[(/](explained-\w+\.svg)\)", pages)) == set(pictures)
    pred, gold = (
        {"nodes": [*labels], "edges": [[*arrow] for arrow in arrows]}
        for labels, arrows in (drawn["PREDICTION"], drawn["REFERENCE"])
    )
    score = exactmatch.score(pred, gold, metric="graph")
    best = sum(map(len, drawn["matched"](drawn["best"]())))
    assert (score.matched, score.bound) == (best, drawn["bound"]()[0])
    assert sum(map(len, drawn["matched"](drawn["FIRST_GUESS"]))) < best
