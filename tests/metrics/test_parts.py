"""Parts that stand for one node: the laws of the score, against every mapping."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.parts_pairs import RandomPair, options_of, random_pair

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.metrics.labelled.graded_problem import GradedProblem
from exactmatch.metrics.labelled.parts_problem import PartsProblem
from exactmatch.metrics.score import Score
from exactmatch.studies import thresholds

SPLIT: Any = {
    "nodes": ["start", "open the door", "and walk in", "sit"],
    "edges": [[0, 1], [1, 2], [2, 3]],
}
WHOLE: Any = {
    "nodes": ["start", "open the door and walk in", "sit"],
    "edges": [[0, 1], [1, 2]],
}
PARTS: Any = {"parts": 2}
NEAR = 1e-9


def score(pred: Any, gold: Any, **options: Any) -> Any:
    return exactmatch.score(pred, gold, metric="graph", **options)


def stated(pred: Any, gold: Any, **options: Any) -> Any:
    return score(pred, gold, **options).pair().problem


def scored(pair: RandomPair, **changes: Any) -> Score:
    oracle = pair.oracle._replace(**changes)
    return score(pair.pred, pair.gold, **options_of(oracle))


PAIRS = st.integers(0, 2**32).map(random_pair)
law = settings(max_examples=examples(200), deadline=None)


@given(PAIRS)
@law
def test_the_optimum_is_that_of_all_mappings(pair: RandomPair) -> None:
    found, best = scored(pair), pair.oracle.best(pair.pred, pair.gold)
    assert found.proven
    assert found.f1 == pytest.approx(best.f1, abs=NEAR)
    both = (found.matched_pred, found.matched_gold)
    known = pair.oracle.all_best(pair.pred, pair.gold)
    assert any(both == pytest.approx((float(a), float(b))) for a, b in known)


@given(PAIRS)
@law
def test_one_part_is_the_problem_of_one_to_one(pair: RandomPair) -> None:
    rest = {"edge_share": float(pair.oracle.edge_share)}
    plain = stated(pair.pred, pair.gold, **rest)
    one = stated(pair.pred, pair.gold, parts=1, **rest)
    assert type(one) is type(plain) is GradedProblem
    for name in ("left", "right", "unary", "first", "second", "weight", "scale"):
        mine, other = (getattr(p.problem, name) for p in (one, plain))
        assert np.array_equal(mine, other)


def test_without_groups_the_problem_is_that_of_one_to_one() -> None:
    pair = (SPLIT, {"nodes": ["a", "b"], "edges": [[0, 1]]})
    assert type(stated(*pair, parts=2)) is GradedProblem
    assert type(stated(SPLIT, WHOLE, parts=2)) is PartsProblem
    one, two = (score(*pair, parts=parts) for parts in (1, 2))
    assert two.matched_pred == two.matched_gold == one.matched
    assert (one.matched_pred, one.matched_gold) == (None, None)


@given(PAIRS)
@law
def test_all_numbers_are_shares(pair: RandomPair) -> None:
    found = scored(pair)
    for number in (found.f1, found.precision, found.recall):
        assert number is not None
        assert -NEAR <= number <= 1 + NEAR


@given(PAIRS)
@law
def test_more_parts_match_more_and_a_higher_price_less(pair: RandomPair) -> None:
    by_parts = [scored(pair, parts=parts).f1 for parts in (1, 2, 3)]
    by_price = [scored(pair, price=price).f1 for price in (0, 0.1, 0.5, 3, 100)]
    for less, more in (*pairwise(by_parts), *pairwise(reversed(by_price))):
        assert more >= less - NEAR
    if pair.oracle.edge_share < 1:  # else nodes weigh nothing, and so does the price
        assert by_price[-1] == pytest.approx(by_parts[0], abs=NEAR)


@given(PAIRS)
@law
def test_sides_can_be_exchanged(pair: RandomPair) -> None:
    found = scored(pair)
    turned = scored(pair._replace(pred=pair.gold, gold=pair.pred))
    assert turned.f1 == pytest.approx(found.f1, abs=NEAR)
    known = {
        (round(float(b), 6), round(float(a), 6))
        for a, b in pair.oracle.all_best(pair.pred, pair.gold)
    }
    both = (float(turned.matched_pred or 0), float(turned.matched_gold or 0))
    assert tuple(round(x, 6) for x in both) in known


@given(PAIRS)
@law
def test_with_a_price_only_equal_graphs_score_1(pair: RandomPair) -> None:
    if pair.oracle.price > 0 and pair.oracle.edge_share < 1:
        found = scored(pair).f1 > 1 - NEAR
        assert found == (scored(pair, parts=1).f1 > 1 - NEAR)
    same = scored(pair._replace(gold=pair.pred))
    assert same.f1 == pytest.approx(1.0)


@given(PAIRS)
@law
def test_the_score_is_convex_in_the_price(pair: RandomPair) -> None:
    f1 = [scored(pair, price=price / 8).f1 for price in range(6)]
    for a, b, c in zip(f1, f1[1:], f1[2:], strict=False):
        assert a + c >= 2 * b - NEAR


@given(PAIRS)
@law
def test_the_slope_is_the_number_of_further_parts(pair: RandomPair) -> None:
    """Of F1 by the price; each piece costs whole nodes."""
    options = options_of(pair.oracle)
    metric = exactmatch.make_metric("graph", **options)
    found: Any = thresholds([pair.pred], [pair.gold], metric, moves="price")
    (system,) = found.systems
    total = scored(pair).pred_total + scored(pair).gold_total
    node = 2 * (1 - float(pair.oracle.edge_share))
    for step in range(8):
        low, middle, high = (system.f1((step + k / 8) / 8) for k in (1, 2, 3))
        if abs(high - 2 * middle + low) > NEAR or not node:
            continue  # a corner lies between
        further = (low - high) * 32 * total / node
        assert further == pytest.approx(round(further), abs=1e-4)
        assert further > -1e-4


@given(PAIRS)
@law
def test_a_node_explains_few_others(pair: RandomPair) -> None:
    """A single node without edges explains that many nodes, and edges inside."""
    (alone,) = [{**pair.pred, "nodes": ["a b c"], "edges": []}]
    parts = pair.oracle.parts
    found = scored(pair._replace(pred=alone))
    node, edge = 2 * (1 - pair.oracle.edge_share), 2 * pair.oracle.edge_share
    most = parts * node + parts * (parts - 1) * edge
    assert float(found.matched_gold or found.matched or 0) <= float(most) + NEAR


@given(PAIRS)
@law
def test_ranges_hold_what_is_counted(pair: RandomPair) -> None:
    """What is matched of one side alone need not be unique; the ranges say so."""
    every = pair.oracle.all_best(pair.pred, pair.gold)
    found = scored(pair).subscores()
    for name in ("splits", "merges"):
        if name in found:
            part = found[name]
            assert part.low <= part.matched <= part.high
    if all(a == b for a, b in every):
        assert scored(pair).matched_pred == scored(pair).matched_gold


def test_a_split_costs_its_price() -> None:
    for price, wanted in ((0, 12), (0.1, 11.9), (1, 11), (2, 10)):
        found = score(SPLIT, WHOLE, parts=2, price=price)
        assert found.f1 == pytest.approx(wanted / 12)
    assert score(SPLIT, WHOLE, parts=2, price=1000).f1 == score(SPLIT, WHOLE).f1


def test_one_node_explains_few_others() -> None:
    chain = {"nodes": ["a", "b", "c", "d"], "edges": [[0, 1], [1, 2], [2, 3]]}
    one = {"nodes": ["a b c d"], "edges": []}
    assert score(one, chain, parts=2).f1 == 0
    assert score(one, chain, parts=3).f1 == pytest.approx(0.6535714)


def test_sums_of_pairs_have_two_counts() -> None:
    more: Any = {"metric": exactmatch.make_metric("graph", parts=2)}
    report = exactmatch.evaluate([SPLIT, WHOLE], [WHOLE, SPLIT], **more)
    found: Any = report.scores[0].score
    assert (found.matched_pred, found.matched_gold) == pytest.approx((11.9, 11.9))
    assert found.f1 == pytest.approx(23.8 / 24)
    one = exactmatch.evaluate([SPLIT], [WHOLE], **more).scores[0].score
    assert (one.precision, one.recall) == pytest.approx((6.9 / 7, 1.0))
    plain = one.to_dict()
    assert (plain["matched_pred"], plain["matched_gold"]) == pytest.approx((6.9, 5.0))


def test_rows_of_samples_are_the_scores() -> None:
    metric: Any = exactmatch.make_metric("graph", parts=2)
    rows = [
        scored_pair.statistics
        for pair in ((SPLIT, WHOLE), (WHOLE, SPLIT), (WHOLE, WHOLE))
        for scored_pair in [
            metric.compare(*(metric.prepare(metric.read(g).item) for g in pair))
        ]
    ]
    for row, numbers in zip(rows, metric.score_rows(np.array(rows)), strict=True):
        found = metric.scores(row)
        assert numbers == pytest.approx([found.precision, found.recall, found.f1])


def test_another_similarity_may_join_labels() -> None:
    pred, gold = ({"nodes": n, "edges": []} for n in (["note", "book"], ["note-book"]))
    assert score(pred, gold, parts=2).f1 == pytest.approx(2.9 / 3)
    close = {"nodes": ["note bookz"], "edges": []}
    assert score(pred, close, parts=2).f1 == 0
    joined = score(pred, close, parts=2, part_similarity="lcs")
    assert joined.f1 == pytest.approx((3 * 18 / 19 - 0.1) / 3)


def test_a_function_decides_where_it_knows() -> None:
    gold = {"nodes": ["go shopping"], "edges": []}
    pred = {"nodes": ["buy milk", "buy bread"], "edges": []}

    def known(whole: str, parts: list[str]) -> float | None:
        return (
            0.9
            if (whole, sorted(parts))
            == (
                "go shopping",
                ["buy bread", "buy milk"],
            )
            else None
        )

    found = score(pred, gold, parts=2, part_similarity=known)
    assert found.f1 == pytest.approx((0.9 * 3 - 0.1) / 3)
    assert score(SPLIT, WHOLE, parts=2, part_similarity=known).f1 > 0.99
    never = score(SPLIT, WHOLE, parts=2, part_similarity=lambda *_: 0.0)
    assert never.f1 == score(SPLIT, WHOLE).f1
    with pytest.raises(InputError, match="from 0 to 1"):
        score(SPLIT, WHOLE, parts=2, part_similarity=lambda *_: 2)


def test_judged_lines_decide(tmp_path: Path) -> None:
    file = tmp_path / "judged.jsonl"
    lines = [
        {"left": "NYC", "right": "New York", "similarity": 1},
        {"whole": "go shopping", "parts": ["buy milk", "buy bread"], "similarity": 0.9},
    ]
    file.write_text("\n".join(map(json.dumps, lines)))
    gold = {"nodes": ["go shopping", "NYC"], "edges": []}
    pred = {"nodes": ["buy bread", "buy milk", "New York"], "edges": []}
    found = score(pred, gold, parts=2, judged=str(file))
    assert found.f1 == pytest.approx((0.9 * 3 - 0.1 + 2) / 5)
    assert score(pred, gold, judged=str(file)).f1 == pytest.approx(2 / 5)
    metric = exactmatch.make_metric("graph", parts=2, judged=str(file))
    assert dict(metric.signature())["joined"].startswith("judged:judged.jsonl@")
    file.write_text('{"whole": "a b", "parts": ["a"], "similarity": 0.9}')
    with pytest.raises(InputError, match="jsonl:1: is not a judgement"):
        exactmatch.make_metric("graph", parts=2, judged=str(file))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"parts": 0}, "parts"),
        ({"parts": 4}, "name 3 at most"),
        ({"parts": 2, "price": -1}, "price"),
        ({"parts": 2, "price": float("nan")}, "price"),
        ({"parts": 2, "part_cutoff": 1.5}, "part_cutoff"),
        ({"parts": 2, "part_similarity": "wrods"}, "part_similarity"),
        ({"parts": 2, "count": "edges"}, "leave out count"),
    ],
)
def test_what_cannot_be_is_refused(options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.make_metric("graph", **options)


def test_the_signature_names_what_counts() -> None:
    found = dict(exactmatch.make_metric("graph", parts=2, price=0.25).signature())
    assert (found["parts"], found["price"], found["joined"]) == (
        "2",
        "0.25",
        "words≥0.8",
    )
    assert "parts" not in dict(exactmatch.make_metric("graph").signature())


def test_subscores_count_splits_and_merges() -> None:
    found = score(SPLIT, WHOLE, parts=2).subscores()
    nodes, edges, splits, merges = found.values()
    assert [*found] == ["nodes", "edges", "splits", "merges"]
    assert (nodes.matched_pred, nodes.matched_gold) == pytest.approx((3.9, 3.0))
    assert nodes.f1_range == pytest.approx((6.9 / 7, 6.9 / 7))
    assert (edges.precision, edges.recall, edges.f1) == (1.0, 1.0, 1.0)
    assert splits == (1, 1, 1)
    assert merges == (0, 0, 0)


def test_ranges_are_over_all_best_mappings() -> None:
    pred = {"nodes": ["a", "b c"], "edges": [[0, 1]]}
    gold = {"nodes": ["b", "c", "a"], "edges": [[0, 1]]}
    parts = score(pred, gold, parts=2, price=0.1).subscores()
    assert (parts["merges"].low, parts["merges"].high) == (1, 1)
    tie = score(pred, gold, parts=2, price=4).subscores()
    assert (tie["merges"].low, tie["merges"].high) == (0, 1)
    assert tie["merges"].matched in (0, 1)


def test_feedback_says_what_stands_for_one() -> None:
    told: Any = exactmatch.feedback(score(SPLIT, WHOLE, parts=2))
    assert list(map(str, told)) == ["nodes 1 and 2 together are node 1: split, -0.01"]
    told = exactmatch.feedback(score(WHOLE, SPLIT, parts=2))
    assert list(map(str, told)) == ["node 1 is nodes 1 and 2 together: merge, -0.01"]
    more = {"nodes": [*SPLIT["nodes"], "run"], "edges": [*SPLIT["edges"], [3, 4]]}
    edits = exactmatch.feedback(score(more, WHOLE, parts=2))
    assert [edit.does for edit in edits] == ["remove", "remove", "split"]
    before, after = score(more, WHOLE, parts=2).f1, score(SPLIT, WHOLE, parts=2).f1
    assert sum(edit.price for edit in edits[:2]) <= after - before + 0.02


@pytest.mark.parametrize("seed", range(40))
def test_feedback_makes_the_score_that_of_parts_alone(seed: int) -> None:
    pair = random_pair(seed)
    found = scored(pair)
    edits = exactmatch.feedback(found)
    assert all(edit.price >= -NEAR for edit in edits if edit.does not in GROUPED)
    if not edits:
        assert found.f1 == pytest.approx(1.0)
    assert edits.to_dict()["edits"] == [edit.to_dict() for edit in edits]


GROUPED = ("split", "merge")


def test_every_price_at_once() -> None:
    for seed in range(12):
        pair = random_pair(seed)
        options = options_of(pair.oracle)
        both = [pair.pred], [pair.gold]
        metric = exactmatch.make_metric("graph", **options)
        found: Any = thresholds(*both, metric, moves="price")
        (system,) = found.systems
        for price in (0, 0.05, 0.3, 0.77, 1):
            wanted = scored(pair, price=price).f1
            assert system.f1(price) == pytest.approx(wanted, abs=1e-6)
        assert system.unproven == 0


def test_cutoffs_are_not_moved_with_parts() -> None:
    with pytest.raises(InputError, match="move their price"):
        exactmatch.thresholds(SPLIT, WHOLE, metric="graph", **PARTS)
    with pytest.raises(InputError, match="name parts"):
        thresholds([SPLIT], [WHOLE], "graph", moves="price")


def test_kinds_of_corpora_have_two_counts() -> None:
    sides = [SPLIT, WHOLE], [WHOLE, WHOLE]
    found: Any = exactmatch.finegrained(*sides, "graph", **PARTS)
    nodes = next(part for part in found.scores if part.metric == "nodes").score
    assert (nodes.precision, nodes.recall) == pytest.approx((6.9 / 7, 1.0))
    assert nodes.f1 == pytest.approx(12.9 / 13)


def test_an_interval_holds_the_optimum() -> None:
    for seed in range(20):
        pair = random_pair(seed)
        metric: Any = exactmatch.make_metric("graph", **options_of(pair.oracle))
        sides = [metric.prepare(metric.read(g).item) for g in (pair.pred, pair.gold)]
        late = exactmatch.Limits(seconds=0.0)
        found = metric.scores(metric.compare(*sides, limits=late).statistics)
        best = pair.oracle.best(pair.pred, pair.gold).f1
        assert found.f1 <= best + NEAR
        assert best <= found.upper()[2] + NEAR
        assert found.upper()[2] <= 1 + NEAR
