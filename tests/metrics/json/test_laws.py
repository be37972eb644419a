"""The laws of the score: what leaves it as it is, what lowers it, and its triangle."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch import make_metric
from exactmatch.metrics.score import Score

JSON = make_metric("json")
TEXTS = st.sampled_from(["", "ab", "aba", "ba", "red cup", "INV-17", "12.50", "Rome"])
SCALARS = st.one_of(
    TEXTS, st.integers(-3, 3), st.booleans(), st.none(), st.sampled_from([0.5, 1.0])
)
DOCUMENTS: Any = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from("abcd"), inner, max_size=4),
    ),
    max_leaves=12,
)
laws = settings(max_examples=examples(150), deadline=None)


def score(pred: Any, gold: Any, **options: Any) -> Score:
    metric = make_metric("json", **options) if options else JSON
    items = [metric.read({"d": side}).item for side in (pred, gold)]
    return metric.scores(metric.measure(*items).statistics)


def permuted(draw: random.Random, one: Any, is_row: bool = False) -> Any:
    """Return a copy with the order of keys and of bags changed."""
    if isinstance(one, dict):
        keys = draw.sample(sorted(one), len(one))
        return {key: permuted(draw, one[key]) for key in keys}
    if isinstance(one, list):
        items = [permuted(draw, item, is_row=True) for item in one]
        return items if is_row else draw.sample(items, len(items))
    return one


def bare(one: Any) -> Any:
    """Return what is left without null and what is empty; ``None`` if nothing is."""
    if isinstance(one, dict):
        return {
            k: v for k, v in ((k, bare(v)) for k, v in one.items()) if v is not None
        }
    if isinstance(one, list):
        return [v for v in map(bare, one) if v is not None] or None
    return one


def leaves(one: Any) -> int:
    if isinstance(one, dict | list):
        return sum(map(leaves, one.values() if isinstance(one, dict) else one))
    return one is not None


def changed(draw: random.Random, one: Any) -> Any:
    """Return a copy in which one leaf has a value that occurs nowhere."""
    place = draw.randrange(leaves(one))

    def walk(part: Any) -> Any:
        nonlocal place
        if isinstance(part, dict):
            return {key: walk(inner) for key, inner in part.items()}
        if isinstance(part, list):
            return [walk(inner) for inner in part]
        if part is None:
            return None
        place -= 1
        return "X-99" if place == -1 else part

    return walk(one)


@given(DOCUMENTS, st.randoms(use_true_random=False))
@laws
def test_a_document_equals_itself_in_any_order(one: Any, draw: random.Random) -> None:
    assert score(permuted(draw, one), one).f1 == 1


@given(DOCUMENTS, DOCUMENTS, st.randoms(use_true_random=False))
@laws
def test_order_changes_nothing(one: Any, other: Any, draw: random.Random) -> None:
    wanted = score(one, other)
    found = score(permuted(draw, one), permuted(draw, other))
    assert (found.matched, found.f1) == (wanted.matched, wanted.f1)


@given(DOCUMENTS, DOCUMENTS)
@laws
def test_precision_and_recall_change_places(one: Any, other: Any) -> None:
    there, back = score(one, other), score(other, one)
    assert (there.precision, there.recall) == (back.recall, back.precision)
    assert there.matched == back.matched


@given(DOCUMENTS, DOCUMENTS, DOCUMENTS)
@laws
def test_what_a_matching_lacks_is_a_metric(a: Any, b: Any, c: Any) -> None:
    def lacks(one: Any, other: Any) -> float:
        found = score(one, other)
        assert found.pred_total is not None
        assert found.gold_total is not None
        assert found.matched is not None
        return found.pred_total + found.gold_total - 2 * found.matched

    assert lacks(a, c) <= lacks(a, b) + lacks(b, c) + 1e-9


@given(DOCUMENTS, st.randoms(use_true_random=False))
@laws
def test_a_new_value_lowers_the_score(one: Any, draw: random.Random) -> None:
    if not leaves(one):
        return
    worse = changed(draw, one)
    found = score(worse, one)
    assert found.f1 is not None
    assert found.f1 < 1
    if leaves(worse) > 1:
        twice = score(changed(draw, worse), one)
        assert twice.f1 is not None
        assert twice.f1 <= found.f1


@given(DOCUMENTS, DOCUMENTS)
@laws
def test_null_and_what_is_empty_are_absent(one: Any, other: Any) -> None:
    rows = make_metric("json", order="none")
    sides = [rows.read({"d": side}).item for side in (one, other)]
    bared = [rows.read({"d": bare(side)}).item for side in (one, other)]
    assert rows.measure(*sides).statistics == rows.measure(*bared).statistics


PEOPLE = st.lists(
    st.tuples(st.sampled_from(["ann", "anne", "bob"]), st.integers(0, 4)), max_size=5
)


@given(PEOPLE, st.permutations(range(5)), st.permutations(range(5)))
@laws
def test_names_of_identifiers_do_not_count(
    people: list[tuple[str, int]], names: list[int], others: list[int]
) -> None:
    def document(known: list[int]) -> Any:
        return {
            "p": [
                {"id": known[place], "n": name, "to": known[to]}
                for place, (name, to) in enumerate(people)
            ],
        }

    options = {"ids": {"d.p[].id": "p"}, "refs": {"d.p[].to": "p"}}
    found = score(document(names), document(others), **options)
    dangling = [to for _, to in people if to >= len(people)]
    same = [names[to] == others[to] for to in dangling]
    assert found.proven
    if all(same):
        assert found.f1 == 1
