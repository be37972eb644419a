"""Scores of chains of coreference: the CoNLL scorer's cases, and brute force."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactmatch.metrics.umr.documents import b_cubed, ceaf_e, chains_of, muc

KEY = ("a", "bc", "def")


def sets(chains: tuple[str, ...]) -> list[frozenset[str]]:
    return [frozenset(chain) for chain in chains]


@pytest.mark.parametrize(
    ("response", "of_muc", "of_b_cubed", "of_ceaf_e"),
    [
        (KEY, (1, 1), (1, 1), (1, 1)),
        (("a", "de"), (1, 1 / 3), (1, 7 / 18), (0.9, 0.6)),
        (("a", "bcx", "defy", "z"), (3 / 5, 1), (55 / 108, 1), (0.66429, 0.88571)),
        (("a", "bcx", "dy", "z"), (1 / 3, 1 / 3), (17 / 42, 5 / 9), (0.55, 0.73333)),
        (("a", "bcxB", "dy", "z"), (1 / 4, 1 / 3), (5 / 16, 5 / 9), (0.51667, 0.68889)),
        (("a", "bcx", "dy", "Bz"), (1 / 4, 1 / 3), (17 / 48, 5 / 9), (0.55, 0.73333)),
        (tuple("abcdef"), (0, 0), (1, 1 / 2), None),
        (("abcdef",), (3 / 5, 1), (14 / 36, 1), None),
    ],
)
def test_cases_of_the_reference_scorer(
    response: tuple[str, ...],
    of_muc: tuple[Any, ...],
    of_b_cubed: tuple[Any, ...],
    of_ceaf_e: tuple[Any, ...] | None,
) -> None:
    """Key {a} {bc} {def}: conll/reference-coreference-scorers, TestCases.README.

    Precision, then recall; MUC and B³ of ns-moosavi/coval's unit tests, TC-A.
    """
    pred, gold = sets(response), sets(KEY)
    assert muc(pred, gold).ratios()[:2] == pytest.approx(of_muc)
    assert b_cubed(pred, gold).ratios()[:2] == pytest.approx(of_b_cubed)
    if of_ceaf_e is not None:
        assert ceaf_e(pred, gold).ratios()[:2] == pytest.approx(of_ceaf_e, abs=1e-5)


def test_f1_is_the_harmonic_mean_and_nothing_is_zero() -> None:
    found = muc(sets(("a", "de")), sets(KEY))
    assert found.ratios()[2] == pytest.approx(0.5)
    for measure in (muc, b_cubed, ceaf_e):
        assert measure([], []).ratios() == (0, 0, 0)
        assert measure([], sets(KEY)).ratios() == (0, 0, 0)
        assert measure(sets(KEY), []).ratios() == (0, 0, 0)


def test_links_make_chains() -> None:
    found = chains_of([("a", "b"), ("c", "d"), ("d", "e"), ("b", "a"), ("f", "f")])
    assert set(found) == {frozenset("ab"), frozenset("cde"), frozenset("f")}


@st.composite
def partitions(draw: st.DrawFn) -> list[Any]:
    """Some of the mentions a … f, each in one chain."""
    places = draw(st.lists(st.integers(0, 4), min_size=6, max_size=6))
    chains: dict[Any, Any] = {}
    for mention, place in zip("abcdef", places, strict=True):
        if place:
            chains.setdefault(place, set()).add(mention)
    return [frozenset(chain) for chain in chains.values()]


def shared(chain: Any, chains: tuple[str, ...]) -> int:
    return sum(bool(chain & other) for other in chains)


def lost_links(chains: Any, others: Any) -> int:
    """Vilain et al.: abs(S) - abs(p(S)), an unmatched mention being a part."""
    known: frozenset[Any] = frozenset().union(*others)
    return sum(len(c) - shared(c, others) - len(c - known) for c in chains)


@given(pred=partitions(), gold=partitions())
def test_definitions_by_brute_force(pred: Any, gold: Any) -> None:
    links = muc(pred, gold)
    assert links.precise == lost_links(pred, gold)
    assert links.recalled == lost_links(gold, pred)
    found = b_cubed(pred, gold)
    ours = {m: chain for chain in pred for m in chain}
    theirs = {m: chain for chain in gold for m in chain}
    both = ours.keys() & theirs.keys()
    common = {m: len(ours[m] & theirs[m]) for m in both}
    assert found.precise == pytest.approx(sum(common[m] / len(ours[m]) for m in both))
    assert found.recalled == pytest.approx(
        sum(common[m] / len(theirs[m]) for m in both)
    )
    assert (found.pred_total, found.gold_total) == (len(ours), len(theirs))
    few, many = sorted((pred, gold), key=len)
    best = max(
        sum(
            2 * len(a & b) / (len(a) + len(b)) for a, b in zip(few, chosen, strict=True)
        )
        for chosen in permutations(many, len(few))
    )
    assert ceaf_e(pred, gold).precise == pytest.approx(best)
