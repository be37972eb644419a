"""The interval of α, from halves with an expected disagreement of their own."""

from __future__ import annotations

import random
from itertools import product

import pytest

import exactmatch
from exactmatch.studies.agreement.results import Agreement

WORDS = ("cat", "dog", "cow", "hen", "fox")


def annotate(n: int, seed: int, wrong: float) -> dict[str, list[str]]:
    """Return graphs of three annotators, who err at random."""
    rng = random.Random(seed)
    truth = [[rng.choice(WORDS) for _ in range(3)] for _ in range(n)]

    def graph(words: list[str]) -> str:
        own = [rng.choice(WORDS) if rng.random() < wrong else w for w in words]
        return f"(a / {own[0]} :ARG0 (b / {own[1]}) :ARG1 (c / {own[2]}))"

    return {name: [graph(words) for words in truth] for name in ("Ann", "Bob", "Cem")}


def alpha_of(annotated: dict[str, list[str]], chosen: list[int]) -> float | None:
    """Return α of some of the units, computed anew."""
    part = {name: [own[k] for k in chosen] for name, own in annotated.items()}
    return exactmatch.agreement(part).chance.alpha


@pytest.mark.slow
def test_ends_are_those_of_all_splits() -> None:
    n, level = 6, 0.8
    annotated = annotate(n, 1, 0.5)
    lows, highs = [], []
    for coins in product((0, 1), repeat=n):
        halves = [[k for k in range(n) if coins[k] == side] for side in (0, 1)]
        alphas = [alpha_of(annotated, half) if half else None for half in halves]
        known = [alpha for alpha in alphas if alpha is not None]
        is_whole = len(known) == 2
        lows.append(min(known) if is_whole else float("-inf"))
        highs.append(max(known) if is_whole else float("inf"))
    place = int((1 - level) * 2**n + 1e-9)
    expected = sorted(lows)[place], sorted(highs, reverse=True)[place]
    found = interval(exactmatch.agreement(annotated, confidence=level))
    assert found == pytest.approx(expected, abs=1e-9)


def interval(found: Agreement) -> tuple[float, float]:
    assert found.intervals is not None
    assert found.intervals.alpha is not None
    return found.intervals.alpha.low, found.intervals.alpha.high


def test_pairs_drawn_for_chance_stay_in_their_half() -> None:
    annotated = annotate(30, 2, 0.4)
    every = exactmatch.agreement(annotated, confidence=0.95)
    some = exactmatch.agreement(annotated, confidence=0.95, chance_pairs=3000)
    assert every.chance.drawn is None
    assert some.chance.drawn == 3000
    assert interval(some) == pytest.approx(interval(every), abs=0.05)


def test_documents_are_split_as_wholes() -> None:
    annotated = annotate(24, 3, 0.4)
    of = [k % 8 for k in range(24)]
    named = {
        name: [f"# ::doc d{d}\n{g}" for d, g in zip(of, graphs, strict=True)]
        for name, graphs in annotated.items()
    }
    found = exactmatch.agreement(named, confidence=0.95, unit="document")
    assert found.intervals is not None
    assert (found.intervals.units, found.intervals.unit) == (8, "document")
    of_units = exactmatch.agreement(annotated, confidence=0.95)
    assert interval(found) != interval(of_units)
    assert dict(found.signature)["interval"].endswith(",unit:document")
    assert found.chance == of_units.chance


def test_the_bootstrap_holds_what_chance_gives() -> None:
    annotated = annotate(40, 4, 0.4)
    found = exactmatch.agreement(annotated, confidence=0.95, interval="percentile")
    halves = exactmatch.agreement(annotated, confidence=0.95)
    assert found.intervals is not None
    assert found.intervals.method == "percentile"
    assert interval(found) != interval(halves)
