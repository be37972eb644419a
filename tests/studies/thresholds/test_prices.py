"""Scores at every price of a part against the score at many prices."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.command import Cli
from support.examples import examples
from support.files import Files

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.studies import thresholds
from exactmatch.studies.thresholds.prices import Line, Piece, leads

OWN: dict[str, Any] = {"parts": 2, "node_similarity": "lcs"}
WORDS = st.sampled_from(["cat", "dog", "cat dog", "mouse", "dog mouse"])


@st.composite
def graphs(draw: st.DrawFn) -> dict[str, Any]:
    nodes = draw(st.lists(WORDS, min_size=1, max_size=4))
    ends = st.integers(0, len(nodes) - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=4, unique=True))
    return {"nodes": nodes, "edges": [list(edge) for edge in edges]}


def moved(systems: Any, golds: Any, **more: Any) -> Any:
    metric = exactmatch.make_metric("graph", **OWN)
    return thresholds(systems, golds, metric, moves="price", **more)


@pytest.mark.slow
@given(st.lists(st.tuples(graphs(), graphs(), graphs()), min_size=1, max_size=3))
@settings(max_examples=examples(50), deadline=None)
def test_each_price_has_the_score_of_its_piece(rows: list[Any]) -> None:
    one, other, golds = (list(side) for side in zip(*rows, strict=True))
    found = moved({"one": one, "other": other}, golds)
    for step in range(11):
        price = step / 10
        metric = exactmatch.make_metric("graph", price=price, **OWN)
        wanted = []
        for system, preds in zip(found.systems, (one, other), strict=True):
            wanted.append(exactmatch.evaluate(preds, golds, metric)["graph"].f1)
            assert system.f1(price) == pytest.approx(wanted[-1], abs=1e-6)
        led = [x for x in found.leads() if x.low < price < x.high]
        if led and abs(wanted[0] - wanted[1]) > 1e-6:
            assert led[0].best == ("one" if wanted[0] > wanted[1] else "other")
    for system in found.systems:
        ends = [(piece.low, piece.high) for piece in system.pieces]
        assert [high for _, high in ends[:-1]] == [low for low, _ in ends[1:]]
        assert (ends[0][0], ends[-1][1]) == (0.0, 1.0)


@given(st.lists(st.integers(0, 9), min_size=6, max_size=6))
def test_sizes_of_a_lead_are_those_at_many_prices(counts: list[int]) -> None:
    a, b, c, d, *totals = counts
    one = Piece(0.0, 1.0, Line(a, b), 20 + totals[0])
    other = Piece(0.0, 1.0, Line(c, d), 20 + totals[1])
    found = [*leads([one], [other], ("one", "other"))]
    assert (found[0].low, found[-1].high) == (0.0, 1.0)
    assert [lead.high for lead in found[:-1]] == [lead.low for lead in found[1:]]
    for lead in found:
        places = [lead.low + (lead.high - lead.low) * k / 50 for k in range(51)]
        sizes = [one.f1(x) - other.f1(x) for x in places]
        signs = {"one": 1, "other": -1, None: 0}
        assert all(size * signs[lead.best] >= -1e-9 for size in sizes)
        sizes = [abs(size) for size in sizes]
        assert (lead.least, lead.most) == pytest.approx((min(sizes), max(sizes)))


def test_a_score_of_nothing_is_one_at_every_price() -> None:
    nothing = Piece(0.0, 1.0, Line(0, 0), 0)
    assert [nothing.f1(price) for price in (0.0, 0.5, 1.0)] == [1.0] * 3


def test_prices_are_checked(cli: Cli, files: Files) -> None:
    pair = {"a": ["(a / b)"]}, ["(a / b)"]
    with pytest.raises(InputError, match="leave out --macro"):
        moved(*pair, macro=True)
    with pytest.raises(InputError, match="a price is of parts; name parts"):
        thresholds(*pair, "graph", moves="price")
    with pytest.raises(InputError, match="with a price, so it has no steps"):
        exactmatch.thresholds("(a / b)", "(a / b)", moves="price")
    unknown: Any = "share"
    with pytest.raises(InputError, match="'both', 'nodes', 'edges', 'price'"):
        exactmatch.thresholds("(a / b)", "(a / b)", moves=unknown)
    files.enter()
    files.one("pred.tsv", "cat\teats\tmouse\n\ndog\tsees\tcat dog\n")
    files.one("gold.tsv", "cat dog\teats\tmouse\n\ndog\tsees\tcat\n")
    asked = ("pred.tsv", "gold.tsv", "--count", "nodes", "--parts", "2")
    out = cli.out("thresholds", *asked, "--moves", "price", "--at", "0.25,1")
    first, last = (line.split() for line in out.splitlines()[3:5])
    assert (first[0], last[0]) == ("0.2500", "1.0000")
    text = cli.out(*asked, "--metric", "graph", "--price", "0.25", "-q")
    assert first[1] == text.strip()
    data = cli.json("thresholds", *asked, "--moves", "price", "-q")
    assert {"low", "high", "f1_low", "matched_low"} <= set(data["pieces"][0])


def test_the_weight_of_edges_is_checked() -> None:
    with pytest.raises(InputError, match="leave out count"):
        exactmatch.make_metric("graph", edge_share=0.3, count="nodes")
    with pytest.raises(InputError, match="edge_share: 2 is not between 0 and 1"):
        exactmatch.make_metric("graph", edge_share=2)
    made = exactmatch.make_metric("graph", edge_share=0.25)
    assert dict(made.signature())["edge-share"] == "0.25"
    assert "edge-share" not in dict(exactmatch.make_metric("graph").signature())


def test_feedback_and_parts_know_the_weights() -> None:
    gold = {"nodes": ["a", "b"], "edges": [[0, 1]]}
    pred = {"nodes": ["a", "b"], "edges": []}
    score = exactmatch.score(pred, gold, metric="graph", edge_share=0.25)
    assert score.f1 == pytest.approx(2 * 3 / 6.5)
    (edit,) = exactmatch.feedback(score)
    assert edit.price == pytest.approx(1 - score.f1)
    assert score.subscores()["nodes"].f1 == 1
    assert score.subscores()["edges"].recall == 0
