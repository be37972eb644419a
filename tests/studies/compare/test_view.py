"""What a comparison shows is what was found."""

from __future__ import annotations

from pathlib import Path

import exactmatch
from exactmatch.views.tables import Intervals

GOLDS = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"] * 12
PREDS = ["(b / bark-01)", "(r / rain-01)"] * 12


def test_drawn_intervals_are_those_of_the_table() -> None:
    found = exactmatch.compare({"good": GOLDS, "poor": PREDS}, GOLDS)
    shown = found.tables()
    best, other = shown.data["systems"]
    scores, differences = shown.charts
    assert isinstance(scores, Intervals)
    assert isinstance(differences, Intervals)
    assert [tuple(row) for row in scores.rows] == [
        (row["system"], row["score_low"], row["score"], row["score_high"], None)
        for row in (other,)
    ]
    assert best["score_low"] is None  # no output of it errs
    (row,) = differences.rows
    names = ("system", "difference_low", "difference", "difference_high")
    assert tuple(row) == (*(other[name] for name in names), None)  # all is proven
    assert other["difference"] == other["score"] - best["score"] < 0


def test_decimals_and_percent_of_sentences() -> None:
    """What is not proven has a sentence with its bound."""
    folder = Path(exactmatch.__file__).with_name("sample")
    preds, golds = (
        exactmatch.load(folder / f"{side}.amr") for side in ("pred", "gold")
    )
    found = exactmatch.compare(
        {"parser": preds, "copy": golds}, golds, solver="hillclimb", structure=False
    )
    bound = found.standings[1].upper
    assert bound is not None
    for keywords, shown in (
        ({}, f"{bound:.4f}"),
        ({"digits": 2}, f"{bound:.2f}"),
        ({"percent": True}, f"{100 * bound:.2f}"),
    ):
        notes = found.tables(**keywords).notes
        (said,) = [note for note in notes if "parser is not proven" in note]
        assert said.endswith(f"its score is at most {shown}")
