"""Of the best matchings the one with most equal leaves is shown; others are tried."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from support.examples import examples
from support.json_documents import OPTIONS, oracle_of, trees

import exactmatch
from exactmatch import make_metric
from exactmatch.metrics.json.differences import ComparedDocuments
from exactmatch.solvers.best_matchings import BestMatchings, duals, matching_of

PAIRS = examples(8)


def compared(metric: Any, pred: Any, gold: Any) -> ComparedDocuments:
    documents = metric.measure(*(metric.read(one).item for one in (pred, gold)))
    found: ComparedDocuments = documents.documents
    return found


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_against_every_best_matching(options: dict[str, Any]) -> None:
    metric, oracle = make_metric("json", **options), oracle_of(options)
    draw = random.Random(f"ties {options}")
    seen = set()
    for _ in range(PAIRS):
        pred, gold = ([side] for side in trees(draw))
        best = oracle.best(pred, gold)
        found = compared(metric, pred, gold)
        unique = all(fields == best[0] for fields in best)
        assert found.are_unique() is unique, (pred, gold)
        seen.add(unique)
        most = max(
            sum(n for key, n in fields.items() if key[1:] == ("equal",))
            for fields in best
        )
        equal = sum(leaf.outcome == "equal" for leaf in found.differences().leaves)
        assert equal == most, (pred, gold)
    assert True in seen


def fields_of(pred: Any, gold: Any) -> list[tuple[str, str | None, str | None]]:
    leaves = compared(make_metric("json"), pred, gold).differences().leaves
    return [(leaf.outcome, leaf.pred_path, leaf.gold_path) for leaf in leaves]


@pytest.mark.parametrize("turned", [False, True])
def test_one_equal_leaf_is_better_than_two_halves(turned: bool) -> None:
    gold = [{"a": "abce", "b": "efgi"}, {"a": "abcd"}]
    gold = gold[::-1] if turned else gold
    found = fields_of([{"a": "abcd", "b": "efgh"}], gold)
    assert ("equal", "[0].a", f"[{1 - turned}].a") in found


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_items_at_equal_places(order: tuple[int, ...]) -> None:
    values = [2, 3, 4]
    pred = [{"a": 1, "b": 5 + k} for k in range(3)]
    gold = [{"a": 1, "b": values[k]} for k in order]
    found = fields_of(pred, gold)
    assert {one[:2] for one in found if one[0] == "wrong"} == {
        ("wrong", f"[{k}].b") for k in range(3)
    }
    assert all(one[1] == one[2] for one in found)


def test_copies_keep_their_places() -> None:
    found = fields_of([{"a": 9, "b": 1}, {"a": 1}, {"a": 1}], [{"a": 1}, {"a": 1}])
    assert ("equal", "[1].a", "[1].a") in found
    assert ("equal", "[2].a", "[0].a") in found


def test_earlier_items_match_in_their_order() -> None:
    pred, gold = [{"a": 1, "b": k} for k in (5, 6)], [{"a": 1, "b": k} for k in "xyz"]
    found = fields_of([{"c": 1}, *pred], [*gold, {"d": 1}])
    assert ("equal", "[1].a", "[1].a") in found
    assert ("equal", "[2].a", "[2].a") in found
    found = fields_of([*gold, {"c": 1}], [{"x": 1}, {"y": 1}, {"z": 1}, *pred])
    assert ("equal", "[0].a", "[3].a") in found
    assert ("equal", "[1].a", "[4].a") in found


def test_whether_other_best_matchings_have_other_fields() -> None:
    pred = {"x": [{"k": 1, "m": 1}]}
    gold = {"x": [{"k": 1, "m": 2}, {"k": 2, "m": 1}]}
    metric = make_metric("json")
    assert compared(metric, pred, gold).are_unique() is False
    assert compared(metric, pred, pred).are_unique() is True
    two = {"x": [{"k": 1, "m": 2}, {"k": 1, "m": 3}]}
    assert compared(metric, pred, two).are_unique() is True
    refer = make_metric("json", ids={"p[].id": "p"}, refs={"q": "p"})
    people = {"p": [{"id": 1, "n": "a"}, {"id": 2, "n": "a"}], "q": 1}
    assert compared(refer, people, people).are_unique() is None
    report: Any = exactmatch.finegrained([pred], [gold], style="json")
    assert report.unique is False


def test_deep_documents() -> None:
    def deep(word: Any) -> Any:
        for _ in range(3000):
            word = {"a": [word]}
        return word

    found = compared(make_metric("json"), deep("ab"), deep("abb"))
    assert found.are_unique() is True
    assert [leaf.outcome for leaf in found.differences().leaves] == ["similar"]


@pytest.mark.parametrize("seed", range(examples(40)))
def test_all_best_matchings_of_a_table(seed: int) -> None:
    draw = random.Random(seed)
    shape = draw.randrange(1, 5), draw.randrange(1, 5)
    table = np.array(
        [[draw.randrange(4) for _ in range(shape[1])] for _ in range(shape[0])]
    )
    other = np.array(
        [[draw.randrange(4) for _ in range(shape[1])] for _ in range(shape[0])]
    )
    every: list[frozenset[tuple[int, int]]] = []
    for size in range(min(shape) + 1):
        for columns in permutations(range(shape[1]), size):
            for rows in permutations(range(shape[0]), size):
                every.append(frozenset(zip(rows, columns, strict=True)))
    every = [pairs for pairs in set(every) if all(table[pair] for pair in pairs)]

    def worth(of: Any, pairs: Any) -> int:
        return sum(int(of[pair]) for pair in pairs)

    most = max(worth(table, pairs) for pairs in every)
    best = [pairs for pairs in every if worth(table, pairs) == most]
    found = BestMatchings.of(table, matching_of(table))
    u, v = duals(table, found.matching)
    assert u.sum() + v.sum() == most
    assert (u[:, None] + v >= table).all()
    assert frozenset(found.matching) in best
    assert {pair for pairs in best for pair in pairs} <= set(found.pairs())
    narrowed = found.narrowed(other)
    assert frozenset(narrowed.matching) in best
    second = max(worth(other, pairs) for pairs in best)
    assert worth(other, narrowed.matching) == second
    counts = {
        (i, j): {draw.choice("ab"): draw.randrange(3)} if draw.random() < 0.95 else None
        for i, j in np.ndindex(*shape)
    }
    sums = []
    for pairs in best:
        chosen = [counts[pair] for pair in pairs]
        total = {
            key: sum(one.get(key, 0) for one in chosen if one is not None)
            for key in "ab"
        }
        sums.append(None if None in chosen else total)
    constant = found.constant(counts)
    if None in sums or any(total != sums[0] for total in sums):
        assert constant is None
    else:
        assert constant == {key: n for key, n in (sums[0] or {}).items() if n}
