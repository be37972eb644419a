"""Rematch: motifs counted by hand, and laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.graph_strategies import Parts, graphs, parts, renamed, shuffled

import exactmatch
from exactmatch.base.errors import GraphError, InputError
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import rematch
from exactmatch.metrics.rematch import Rematch, motifs, read_classes

CLEAN = PROFILES["clean"]


def score(pred: str, gold: str, **options: Any) -> float:
    return exactmatch.score(pred, gold, metric="rematch", **options).score


def test_the_motifs_of_a_graph() -> None:
    graph = as_graph(
        "(w / want-01 :polarity - :mode imperative :ARG0 (b / boy))", CLEAN
    )
    negated, ordered = ("polarity", "-"), ("mode", "imperative")
    assert motifs(graph, CLEAN) == {
        negated,
        ordered,
        ("want-01", negated),
        ("want-01", ordered),
        ("boy",),
        (("want-01", negated), "arg0", ("boy",)),
        (("want-01", ordered), "arg0", ("boy",)),
    }


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ("(a / x)", "(a / y)", 0.0),
        ("(a / want-01 :ARG0 (b / boy))", "(a / want-02 :ARG0 (b / boy))", 1 / 5),
        ("(a / x :polarity -)", "(a / x)", 0.0),
        ("(a / and :op1 (b / dog) :op2 (c / dog))", "(a / and :op1 (b / dog))", 3 / 4),
        ("(a / x :quant 5 :quant 5)", "(a / x :quant 5)", 1.0),
    ],
)
def test_hand_counted_scores(pred: str, gold: str, expected: float) -> None:
    assert score(pred, gold) == expected


def test_a_constant_called_top_is_left_out_where_smatch_reads() -> None:
    """The published program takes every such constant for the mark of the root."""
    assert score("(a / x :mod top)", "(a / x)") == 1.0
    assert score("(a / x :ARG1 top)", "(a / x)", profile="smatch") == 1.0
    assert score("(a / x :ARG1 top)", "(a / x)", profile="clean") == 0.0


def test_a_corpus_sums_motifs() -> None:
    preds = ["(a / x)", "(a / want-01 :ARG0 (b / boy))"]
    golds = ["(a / x)", "(a / want-02 :ARG0 (b / boy))"]
    report = exactmatch.evaluate(preds, golds, "rematch")
    assert report.scores[0].score.score == (1 + 1) / (1 + 5)
    assert report.scores[0].macro["score"] == (1 + 1 / 5) / 2


def test_two_empty_graphs_score_what_the_profile_says() -> None:
    empty = Graph((), (), (), (), ())
    for name, expected in (("smatch", 0.0), ("smatchpp", 1.0)):
        metric = Rematch(PROFILES[name])
        assert metric.scores(metric.measure(empty, empty).statistics).score == expected
    assert Rematch().scores(Rematch().identity()).score == 0.0


def test_more_than_one_reference_is_refused() -> None:
    metric = Rematch()
    one = metric.prepare(Graph.from_triples([("a", "instance", "x")]))
    with pytest.raises(InputError, match="rematch takes one reference, not 2"):
        metric.compare(one, one, one)


def test_options_of_the_profile_count() -> None:
    """A wiki link that does not count is in no motif."""
    pair = ("(c / city :wiki Bern)", "(c / city :wiki Rome)")
    assert score(*pair) == 0.0
    profile = PROFILES["smatch"].with_options(wiki=False)
    assert score(*pair, profile=profile) == 1.0


def test_classes_stand_for_frames(tmp_path: Path) -> None:
    file = tmp_path / "classes.json"
    stated = {"demand-01": {"label": "ask", "ARG0": "agent"}, "ask-02": "ask"}
    file.write_text(json.dumps(stated), encoding="utf-8")
    pair = ("(d / demand-01 :ARG0 (b / boy))", "(a / ask-02 :ARG0 (b / boy))")
    assert score(*pair) == 1 / 5
    assert score(*pair, frame_classes=file) == 1.0
    metric = Rematch(frame_classes=file)
    assert ("classes", metric.signature()[-1][1]) in metric.signature()
    assert metric.signature()[-1][1].startswith("classes.json@")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("{", ":1:2: is not JSON: expecting property name"),
        ("[]", "is not a file of frame classes, which is a JSON object"),
        ('{"go-02": 3}', "frame 'go-02' has no class"),
        ('{"go-02": {"ARG0": "agent"}}', "frame 'go-02' has no class"),
    ],
)
def test_a_bad_file_of_classes_is_refused(
    tmp_path: Path, text: str, reason: str
) -> None:
    file = tmp_path / "classes.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_classes(file)


def test_a_missing_file_of_classes_is_named() -> None:
    with pytest.raises(InputError, match="missing: cannot be read"):
        Rematch(frame_classes="missing")


def test_motifs_that_multiply_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rematch, "MAX_MOTIFS", 3)
    graph = as_graph("(a / x :q 1 :r 2 :ARG0 (b / y :q 1 :r 2))", CLEAN)
    with pytest.raises(GraphError, match="has 4 motifs, more than 3"):
        motifs(graph, CLEAN)


@given(graph=graphs())
def test_a_graph_is_like_itself(graph: Graph) -> None:
    metric = Rematch(CLEAN)
    assert metric.scores(metric.measure(graph, graph).statistics).score == 1.0


@given(pred=graphs(), gold=graphs())
def test_the_sides_can_be_exchanged(pred: Graph, gold: Graph) -> None:
    metric = Rematch(CLEAN)
    found = metric.measure(pred, gold).statistics
    assert found == metric.measure(gold, pred).statistics
    assert 0 <= metric.scores(found).score <= 1


@given(plain=parts(), seed=st.integers(0, 99))
def test_names_and_order_do_not_matter(plain: Parts, seed: int) -> None:
    expected = motifs(plain.graph(), CLEAN)
    assert motifs(renamed(plain, seed).graph(), CLEAN) == expected
    assert motifs(shuffled(plain.graph(), seed), CLEAN) == expected
