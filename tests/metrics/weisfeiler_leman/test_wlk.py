"""WLK: hand-counted scores, an oracle that grows labels one by one, and laws."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import Parts, graphs, parts, renamed, shuffled

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.weisfeiler_leman.wlk import (
    Direction,
    LabelledGraph,
    Occurrences,
    Wlk,
    agreements,
    kernel,
    labelled_graph,
    occurrences,
)

CLEAN = PROFILES["clean"]
DIRECTIONS: tuple[Direction, ...] = ("both", "fromout", "fromin")


def score(pred: str, gold: str, **options: Any) -> float:
    return exactmatch.score(pred, gold, metric="wlk", **options).score


def test_one_concept_in_common() -> None:
    """Two labels and a triple each, one label in common, nothing of one step."""
    pair = ("(a / want-01 :ARG0 (b / boy))", "(a / want-02 :ARG0 (b / boy))")
    assert score(*pair, iterations=0) == pytest.approx(1 / 3)
    assert score(*pair, iterations=1) == pytest.approx(1 / (3 + 2 / 4))
    assert score(*pair) == pytest.approx(1 / (3 + 2 / 4 + 2 / 9))


def test_a_corpus_scores_the_mean() -> None:
    report = exactmatch.evaluate(["(a / x)", "(a / x)"], ["(a / x)", "(a / y)"], "wlk")
    assert report.scores[0].score.score == 0.5


def test_no_node_at_all() -> None:
    empty = Graph((), (), (), (), ())
    one = Graph.from_triples([("a", "instance", "x")])
    metric = Wlk()
    assert metric.scores(metric.measure(empty, empty).statistics).score == 1.0
    assert metric.scores(metric.measure(empty, one).statistics).score == 0.0
    assert metric.scores(metric.identity()).score == 0.0
    smatch = Wlk(PROFILES["smatch"])
    assert smatch.scores(smatch.measure(empty, empty).statistics).score == 0.0


def test_more_than_one_reference_is_refused() -> None:
    metric = Wlk()
    one = metric.prepare(Graph.from_triples([("a", "instance", "x")]))
    with pytest.raises(InputError, match="wlk takes one reference, not 2"):
        metric.compare(one, one, one)


def test_the_signature_names_every_option() -> None:
    metric = Wlk(iterations=3, direction="fromin", edge_to_node=True)
    assert metric.signature()[:3] == [
        ("iterations", "3"),
        ("direction", "fromin"),
        ("edges", "nodes"),
    ]


def grown(graph: LabelledGraph, direction: Direction) -> LabelledGraph:
    """One iteration, each label written out."""
    near: list[list[str]] = [[] for _ in graph.labels]
    for source, role, target in graph.edges:
        if direction in ("both", "fromout"):
            near[source].append(f"{role} {graph.labels[target]}")
        if direction in ("both", "fromin"):
            near[target].append(f"{role} {graph.labels[source]}")
    labels = [
        f"[{label}|{'|'.join(sorted(found))}]"
        for label, found in zip(graph.labels, near, strict=True)
    ]
    return LabelledGraph(tuple(labels), graph.edges)


def oracle(
    left: LabelledGraph, right: LabelledGraph, iterations: int, direction: Direction
) -> float:
    """The cosine of all features, where every label is one node's alone."""
    sides = [left, right]
    features: list[dict[str, Fraction]] = [{}, {}]
    for step in range(iterations + 1):
        for side, found in zip(sides, features, strict=True):
            for label in side.labels:
                found[f"{step} {label}"] = Fraction(1, 1 + step)
            if not step:
                for source, role, target in side.edges:
                    ends = side.labels[source], side.labels[target]
                    found[f"triple {ends[0]} {role} {ends[1]}"] = Fraction(1)
        sides = [grown(side, direction) for side in sides]
    common = features[0].keys() & features[1].keys()
    dot = sum(features[0][name] * features[1][name] for name in common)
    lengths = [sum(weight**2 for weight in found.values()) for found in features]
    return float(dot) / math.sqrt(lengths[0] * lengths[1])


@st.composite
def with_own_labels(draw: st.DrawFn) -> LabelledGraph:
    """A graph of nodes none of which has the label of another."""
    labels = draw(OWN_LABELS)
    edges = draw(edges_between(len(labels)))
    return LabelledGraph(tuple(labels), tuple(sorted(edges)))


OWN_LABELS = st.lists(st.sampled_from("abcdef"), min_size=1, unique=True)


@functools.cache
def edges_between(n: int) -> Any:
    """Edges of n nodes; a strategy that is made once."""
    every = [(s, r, t) for s in range(n) for r in "rs" for t in range(n)]
    return st.lists(st.sampled_from(every), max_size=8, unique=True)


@pytest.mark.slow
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("iterations", [0, 1, 2, 4])
@settings(max_examples=examples(50))
@given(left=with_own_labels(), right=with_own_labels())
def test_the_cosine_where_no_label_repeats(
    iterations: int, direction: Direction, left: LabelledGraph, right: LabelledGraph
) -> None:
    found = kernel(
        occurrences(left, direction), occurrences(right, direction), iterations
    )
    assert found == pytest.approx(oracle(left, right, iterations, direction))


@given(
    mine=st.sets(st.sampled_from("abcde"), min_size=1),
    theirs=st.sets(st.sampled_from("abcde"), min_size=1),
)
def test_how_likely_two_graphs_choose_the_same_neighbourhood(
    mine: set[str], theirs: set[str]
) -> None:
    """All orders of the neighbourhoods are tried; each side takes its first."""
    left, right = (
        Occurrences({"x": frozenset((("r", end),) for end in ends)}, frozenset())
        for ends in (mine, theirs)
    )
    orders = list(itertools.permutations(sorted(mine | theirs)))
    agreed = sum(
        next(end for end in order if end in mine)
        == next(end for end in order if end in theirs)
        for order in orders
    )
    # The labels around x are in no common node, so they agree with certainty only
    # before the first step.
    likely = agreements(left, right, 1)
    assert likely[0] == {"x": 1.0}
    known = Occurrences(
        {**left.around, **{end: frozenset({()}) for end in mine | theirs}}, frozenset()
    )
    other = Occurrences(
        {**right.around, **{end: frozenset({()}) for end in mine | theirs}}, frozenset()
    )
    found = agreements(known, other, 1)[1]["x"]
    assert found == pytest.approx(agreed / len(orders))


def test_a_node_agrees_with_itself() -> None:
    """One of three neighbourhoods is in both, and it leads back: a third, always."""
    loop = (("r", "x"),)
    left, right = (
        Occurrences({"x": frozenset({loop, (("s", end),)})}, frozenset())
        for end in "ab"
    )
    found = [likely["x"] for likely in agreements(left, right, 3)]
    assert found == [1.0, *[pytest.approx(1 / 3)] * 3]


def test_expected_labels_are_rounded() -> None:
    """Of three names, one is the same: a third of a label is none."""
    pred = "(a / and :op1 (n / name :op1 1) :op2 (m / name :op1 2))"
    gold = "(a / and :op1 (n / name :op1 1) :op2 (m / name :op1 3))"
    steps = 4 + 4 / 4  # labels and, name, and two constants; one iteration
    triples = 4
    common = 3 + 3 + 2 / 4  # of the labels grown by a step: "and", "1"
    assert score(pred, gold, iterations=1) == pytest.approx(common / (steps + triples))


@pytest.mark.parametrize("edge_to_node", [False, True])
@given(graph=graphs())
def test_a_graph_is_like_itself(edge_to_node: bool, graph: Graph) -> None:
    metric = Wlk(CLEAN, iterations=3, edge_to_node=edge_to_node)
    score = metric.scores(metric.measure(graph, graph).statistics).score
    assert score == pytest.approx(1.0)


@given(pred=graphs(), gold=graphs())
def test_the_sides_can_be_exchanged(pred: Graph, gold: Graph) -> None:
    metric = Wlk(CLEAN)
    found = metric.measure(pred, gold).statistics
    assert found == pytest.approx(metric.measure(gold, pred).statistics)
    assert 0 <= found[0] <= 1


@given(plain=parts(), gold=graphs(), seed=st.integers(0, 99))
def test_names_and_order_do_not_matter(plain: Parts, gold: Graph, seed: int) -> None:
    metric = Wlk(CLEAN)
    expected = metric.measure(plain.graph(), gold).statistics
    for other in (renamed(plain, seed).graph(), shuffled(plain.graph(), seed)):
        assert metric.measure(other, gold).statistics == pytest.approx(expected)


@given(pred=graphs(), gold=graphs())
def test_agreement_never_grows(pred: Graph, gold: Graph) -> None:
    """Labels that have differed once differ for ever."""
    left, right = (occurrences(labelled_graph(graph, CLEAN)) for graph in (pred, gold))
    likely = agreements(left, right, 4)
    for before, after in itertools.pairwise(likely):
        assert all(after[label] <= before[label] + 1e-12 for label in before)
