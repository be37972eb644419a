"""Intervals of agreement, held against those of scores and against plain resampling."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from support.scored import evaluate_items

import exactmatch
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.making import make_metric
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.settings import Settings

BARE = PROFILES["clean"].with_options(top="none")
SAMPLE = random.Random(7)
UNITS = 40
PEOPLE = {
    name: [f"(x / c{SAMPLE.choice('1122')} :ARG0 (y / d{k}))" for k in range(UNITS)]
    for name in ("Ann", "Bob", "Cem")
}


def test_two_annotators_have_the_interval_of_their_score() -> None:
    bootstrap = Sampling(500, 0.9, 3)
    found = exactmatch.agreement(PEOPLE, confidence=0.9, samples=500, seed=3)
    assert found.intervals is not None
    assert (found.intervals.units, found.intervals.level) == (UNITS, 0.9)
    settings = Settings(intervals=bootstrap)
    for pair, interval in zip(found.pairs, found.intervals.pairs, strict=True):
        sides = PEOPLE[pair.first], PEOPLE[pair.second]
        report = evaluate_items(*sides, make_metric("smatch"), settings)
        assert interval is not None
        assert report.scores[0].interval is not None
        assert interval.low == pytest.approx(report.scores[0].interval.low, abs=1e-12)
        assert interval.high == pytest.approx(report.scores[0].interval.high, abs=1e-12)


@pytest.mark.slow
def test_mean_and_alpha_are_those_of_resampled_units() -> None:
    """Each unit drawn is a unit of its own; D_e is that of the whole."""
    labels = {
        name: [f"(x / c{SAMPLE.choice('123')})" for _ in range(UNITS)] for name in "ABC"
    }
    del labels["C"][20:]
    named = {
        name: dict(enumerate(graphs))  # the third annotated half of the units
        for name, graphs in labels.items()
    }
    given = {n: {str(u): g for u, g in units.items()} for n, units in named.items()}
    drawing: dict[str, Any] = {"confidence": 0.8, "samples": 100, "seed": 1}
    whole = exactmatch.agreement(given, profile=BARE, interval="percentile", **drawing)
    assert whole.intervals is not None
    drawn = np.random.default_rng(1).integers(UNITS, size=(100, UNITS))
    means, alphas = [], []
    for draw in drawn:
        again = {
            n: {str(k): u[unit] for k, unit in enumerate(draw.tolist()) if unit in u}
            for n, u in named.items()
        }
        found = exactmatch.agreement(again, profile=BARE)
        assert found.mean is not None
        assert found.chance.observed is not None
        assert whole.chance.expected is not None
        means.append(found.mean)
        alphas.append(1 - found.chance.observed / whole.chance.expected)
    for numbers, interval in (
        (means, whole.intervals.mean),
        (alphas, whole.intervals.alpha),
    ):
        assert interval is not None
        low, high = np.quantile(numbers, [0.1, 0.9])
        assert (interval.low, interval.high) == pytest.approx((low, high))
        assert low < high


def test_few_units_have_no_intervals() -> None:
    few = {name: graphs[:19] for name, graphs in PEOPLE.items()}
    with pytest.warns(exactmatch.errors.ExactmatchWarning, match="share 19 units"):
        found = exactmatch.agreement(few, confidence=0.95, interval="bca").intervals
    assert found is not None
    assert (found.pairs, found.mean, found.alpha) == ((None,) * 3, None, None)
    assert exactmatch.agreement(few).intervals is None


def test_agreement_is_shown_in_a_line_and_as_tables() -> None:
    found = exactmatch.agreement(PEOPLE, confidence=0.9, samples=100)
    assert found.mean is not None
    assert found.chance.alpha is not None
    told = f"mean F1 {found.mean:.4f}, α {found.chance.alpha:.4f}; "
    told += "3 annotators, 40 shared units, all proven"
    assert repr(found) == told
    page = found._repr_html_()
    assert f"{found.mean:.4f}" in page
    assert page.count("<table") == len(found.tables().tables)
    assert found.to_dict()["pairs"][0]["first"] == "Ann"
    assert found.intervals is not None
    for interval in found.intervals.pairs:
        assert interval is not None
        assert f"[{interval.low:.4f}, {interval.high:.4f}]" in page


def test_annotators_who_share_nothing_count_in_no_mean() -> None:
    given = {
        "A": {str(k): PEOPLE["Ann"][k] for k in range(20)},
        "B": {str(k): PEOPLE["Bob"][k] for k in range(UNITS)},
        "C": {str(k): PEOPLE["Cem"][k] for k in range(20, UNITS)},
    }
    found = exactmatch.agreement(given, confidence=0.95)
    assert [pair.score is None for pair in found.pairs] == [False, True, False]
    assert found.intervals is not None
    assert found.intervals.pairs[1] is None
    assert found.intervals.mean is not None
    assert found.mean is not None
    assert found.intervals.mean.low < found.mean < found.intervals.mean.high
