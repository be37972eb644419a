"""Smatch as a metric: published examples, statistics, options, signature."""

from __future__ import annotations

from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import metric_class
from exactmatch.metrics.base import add
from exactmatch.metrics.score import f_score
from exactmatch.metrics.smatch import Smatch

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]

# Matched triples and totals of smatch 1.0.4, run on each pair.
SMATCH_CASES = [
    ("(a / x :op1 (b / y) :op1 b)", "(a / x :op1 (b / y) :op1 b)", (7, 5, 5)),
    ("(a / x :quant 1 :quant 1)", "(a / x :quant 1 :quant 1)", (6, 4, 4)),
    ("(a / x :day 22)", "(a / x :day 22 :day 22)", (4, 3, 4)),
    ('(a / x :op1 "New York")', '(a / x :op1 "New Jersey")', (3, 3, 3)),
    ("(a / chapter :mod 1)", "(a / chapter :mod 2)", (2, 2, 2)),
    ("(a / x :ARG0-of 1)", "(a / x)", (2, 2, 2)),
    ('(b / x :op1 "b")', '(b / x :op1 "c")', (2, 3, 3)),
    ("(a / x :ARG0 a)", "(a / x :ARG0 a)", (3, 3, 3)),
    ("(a / x :mod (b / y))", "(b / y :domain (a / x))", (3, 4, 4)),
    ("(a / x :consist-of (b / y))", "(b / y :consist (a / x))", (2, 4, 4)),
    ("(c / car)", "(d / dog)", (1, 2, 2)),
    ("(a / alpha :ARG0 (b / beta))", "(b / beta :ARG0-of (a / alpha))", (3, 4, 4)),
    (
        "(m / man :accompanier (c / cat))",
        "(m / man :ARG1-of (a / accompany-01 :ARG0 (c / cat)))",
        (3, 4, 6),
    ),
    ("(a / x~e.1 :ARG0~e.2 (b / y~e.3))", "(a / x :ARG0 (b / y))", (1, 4, 4)),
    ("(a / x :ARG0 (b / y)", "(a / x :ARG0 (b / y)", (4, 4, 4)),
]


def counts(left: str, right: str, profile: Any = SMATCH, solver: str = "brute") -> Any:
    metric = Smatch(profile, solver=solver)
    graphs = [as_graph(text, profile) for text in (left, right)]
    matched, bound, *totals, pairs, proven = metric.measure(*graphs).statistics
    assert (bound, pairs, proven) == (matched, 1, 1)
    return (matched, *totals)


@pytest.mark.parametrize(("left", "right", "wanted"), SMATCH_CASES)
def test_smatch_counts(left: str, right: str, wanted: tuple[int, ...]) -> None:
    assert counts(left, right) == wanted


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("(a / x :op1 (b / y) :op1 b)", "(a / x :op1 (b / y) :op1 b)", (5, 5, 5)),
        ("(a / x :day 22)", "(a / x :day 22 :day 22)", (3, 3, 4)),
        ('(a / x :op1 "New York")', '(a / x :op1 "New Jersey")', (2, 3, 3)),
        ('(a / x :op1 "Ann")', "(a / x :op1 Ann)", (3, 3, 3)),
        ('(a / x :op1 "Ann_")', "(a / x :op1 Ann)", (2, 3, 3)),
        ("(a / chapter :mod 1)", "(a / chapter :mod 2)", (2, 3, 3)),
        ("(a / x :mod (b / y))", "(b / y :domain (a / x))", (3, 4, 4)),
        ("(a / x :consist-of (b / y))", "(b / y :consist (a / x))", (2, 4, 4)),
        ("(a / x~e.1 :ARG0~e.2 (b / y~e.3))", "(a / x :ARG0 (b / y))", (4, 4, 4)),
    ],
)
def test_clean_counts(left: str, right: str, wanted: tuple[int, ...]) -> None:
    assert counts(left, right, CLEAN) == wanted


PRED = "(w / want-01 :wiki - :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 b))"
GOLD = '(w / want-02 :wiki "Q" :ARG0 (b / boy) :ARG1 (g / go-01 :ARG0 (d / dog)))'


@pytest.mark.parametrize(
    ("options", "wanted"),
    [
        ({}, (5, 8, 9)),
        ({"just": "instance"}, (2, 3, 4)),
        ({"just": "attribute"}, (1, 2, 2)),
        ({"just": "relation"}, (2, 3, 3)),
        ({"top": "none"}, (4, 7, 8)),
        ({"top": "concept"}, (4, 8, 9)),
        ({"top": "concept", "sense": False}, (6, 8, 9)),
        ({"wiki": False}, (5, 7, 8)),
        ({"sense": False}, (6, 8, 9)),
    ],
)
def test_options(options: Any, wanted: tuple[int, ...]) -> None:
    assert counts(PRED, GOLD, SMATCH.with_options(**options)) == wanted


def test_a_score_says_what_it_rests_on() -> None:
    metric = Smatch(solver="brute")
    graphs = [as_graph(text, SMATCH) for text in (PRED, GOLD)]
    score = metric.scores(metric.measure(*graphs).statistics)
    assert (score.precision, score.recall) == (5 / 8, 5 / 9)
    assert score.f1 == score.score == pytest.approx(10 / 17)
    assert (score.matched, score.bound, score.proven) == (5, 5, True)
    assert repr(score.matched) == "5"
    assert score.upper() == (score.precision, score.recall, score.f1)


def test_a_corpus_is_the_sum_of_its_pairs() -> None:
    metric = Smatch(solver="brute")
    total = metric.identity()
    assert metric.scores(total).f1 == 0.0
    for left, right, _ in SMATCH_CASES:
        graphs = [as_graph(text, SMATCH) for text in (left, right)]
        total = add(total, metric.measure(*graphs).statistics)
    score = metric.scores(total)
    matched, pred, gold = (sum(case[2][k] for case in SMATCH_CASES) for k in range(3))
    assert (score.matched, score.pred_total, score.gold_total) == (matched, pred, gold)
    assert (score.precision, score.recall, score.f1) == f_score(matched, pred, gold)
    assert score.proven


def test_an_unproven_score_is_an_interval() -> None:
    metric = Smatch(solver="brute")
    score = metric.scores((3.0, 5.0, 8.0, 10.0, 1.0, 0.0))
    assert score.proven is False
    assert score.upper() == f_score(5, 8, 10)
    assert score.f1 == pytest.approx(6 / 18)


@pytest.mark.parametrize("sides", [(0, 5), (5, 0), (0, 0)])
def test_an_empty_side_scores_nothing(sides: tuple[int, int]) -> None:
    assert f_score(0, *sides) == (0.0, 0.0, 0.0)
    assert f_score(0, 3, 4) == (0.0, 0.0, 0.0)


def test_two_empty_sides_score_what_the_profile_says() -> None:
    """0 in smatch, 1 in SMATCH++ (``f1_score`` of four zeros); no pairs score 0."""
    assert f_score(0, 0, 0, 1) == (1.0, 1.0, 1.0)
    assert f_score(0, 3, 0, 1) == f_score(0, 0, 3, 1) == (0.0, 0.0, 0.0)
    empty, graph = Graph((), (), (), (), ()), as_graph("(a / x)", SMATCH)
    for name, profile in PROFILES.items():
        metric = Smatch(profile, solver="brute")
        score = metric.scores(metric.measure(empty, empty).statistics)
        assert score.score == profile.nothing == name.startswith("smatchpp")
        assert score.upper() == (score.score,) * 3
        assert score.proven
        assert metric.scores(metric.measure(empty, graph).statistics).score == 0
        assert metric.scores(metric.identity()).score == 0


def test_one_reference_is_wanted() -> None:
    graph = as_graph("(a / x)", SMATCH)
    metric = Smatch(solver="brute")
    for golds in ((), (graph, graph)):
        with pytest.raises(InputError, match="takes one reference"):
            metric.measure(graph, *golds)


def test_the_signature_names_profile_and_solver() -> None:
    signature = dict(Smatch(solver="brute").signature())
    assert signature["profile"] == "smatch"
    assert signature["solver"] == "brute"
    assert metric_class("smatch") is Smatch
    with pytest.raises(InputError, match="'smach'; did you mean 'smatch'"):
        metric_class("smach")
