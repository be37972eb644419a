"""WWLK: embeddings by hand, the distance against assignments, and laws."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import linear_sum_assignment
from support.graph_strategies import Parts, graphs, parts, renamed, shuffled

import exactmatch
from exactmatch.base.errors import InputError
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.similarity.vectors import Matrix, VectorFile
from exactmatch.metrics.weisfeiler_leman import wwlk
from exactmatch.metrics.weisfeiler_leman.wlk import (
    LabelledGraph,
)
from exactmatch.metrics.weisfeiler_leman.wwlk import (
    Wwlk,
    cheapest_flow,
    embeddings,
    parts_of,
    vector_of,
)

CLEAN = PROFILES["clean"]


@pytest.fixture
def vectors(tmp_path: Path) -> str:
    file = tmp_path / "vectors.txt"
    file.write_text(
        "cat 1 0 0\ndog 0 1 0\nhave 0 0 1\nrole 1 0 1\n2 2 0 0\n3 0 3 0\nnew 0 0 2\n",
        encoding="utf-8",
    )
    return str(file)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("have-org-role-91", ["have", "org", "role"]),
        ("Want-01", ["want"]),
        ("-", ["false", "not", "untrue"]),
        ('"New_York"', ["new_york", "new", "york"]),
        (":ARG0", ["arg0"]),
        ("o'clock", ["oclock"]),
    ],
)
def test_the_parts_of_a_label(label: str, expected: list[str]) -> None:
    assert parts_of(label) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("cat-01", [1, 0, 0]),
        ("have-org-role-91", [0.5, 0, 1]),
        ("new_york", [0, 0, 2]),
        ("23", [1, 0.75, 0]),
        ("2", [2, 0, 0]),
    ],
)
def test_the_vector_of_a_label(vectors: str, label: str, expected: list[float]) -> None:
    assert vector_of(label, VectorFile(vectors)).tolist() == expected


def test_a_label_without_a_vector_has_one_of_its_own(vectors: str) -> None:
    """Drawn by a seed made of the label: everywhere the same."""
    drawn = vector_of("zebra", VectorFile(vectors))
    assert drawn.shape == (3,)
    assert np.abs(drawn).max() <= 0.05
    assert np.array_equal(drawn, vector_of("zebra", VectorFile(vectors)))
    assert not np.array_equal(drawn, vector_of("zebras", VectorFile(vectors)))
    assert vector_of("zebra", None)[:2].tolist() == pytest.approx(
        [0.035519, 0.004854], abs=1e-6
    )


def test_embeddings_by_hand(vectors: str) -> None:
    """A cat that a dog is told of, one step: each learns a fifth of the other."""
    graph = LabelledGraph(("cat", "dog"), ((0, "r", 1),))
    file = VectorFile(vectors)
    both = embeddings(graph, 1, "both", 0.2, file)
    length = math.sqrt(1 + 1 + 0.04)
    assert both[0] * length == pytest.approx([1, 0, 0, 1, 0.2, 0])
    assert both[1] * length == pytest.approx([0, 1, 0, 0.2, 1, 0])
    out = embeddings(graph, 1, "fromout", 0.2, file)
    assert out[0] * length == pytest.approx([1, 0, 0, 1, 0.2, 0])
    assert out[1] * math.sqrt(2) == pytest.approx([0, 1, 0, 0, 1, 0])
    back = embeddings(graph, 1, "fromin", 0.2, file)
    assert back[0] * math.sqrt(2) == pytest.approx([1, 0, 0, 1, 0, 0])


def test_parallel_edges_multiply_and_neighbours_average(vectors: str) -> None:
    file = VectorFile(vectors)
    twice = LabelledGraph(("cat", "dog"), ((0, "r", 1), (0, "s", 1)))
    found = embeddings(twice, 1, "both", 0.5, file)[0]
    assert found / found[0] == pytest.approx([1, 0, 0, 1, 0.25, 0])
    fork = LabelledGraph(("cat", "dog", "have"), ((0, "r", 1), (0, "r", 2)))
    found = embeddings(fork, 1, "both", 0.5, file)[0]
    assert found / found[0] == pytest.approx([1, 0, 0, 1, 0.25, 0.25])


def test_no_iteration_leaves_the_vectors(vectors: str) -> None:
    graph = LabelledGraph(("2",), ())
    assert embeddings(graph, 0, "both", 0.2, VectorFile(vectors)).tolist() == [
        [1, 0, 0]
    ]


THOUSANDTHS = st.integers(0, 2000).map(lambda number: number / 1000)
"""Costs of flows; a solver of linear programs is blind to differences of 1e-7."""


@given(
    costs=st.tuples(st.integers(1, 5), st.integers(1, 5)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=THOUSANDTHS)
    )
)
def test_the_distance_is_that_of_an_assignment(costs: Matrix) -> None:
    """Rows and columns are copied until both sides have the same number."""
    n, m = costs.shape
    common = math.lcm(n, m)
    copies = np.repeat(np.repeat(costs, common // n, 0), common // m, 1)
    expected = copies[linear_sum_assignment(copies)].sum() / common
    cost, flow = cheapest_flow(costs)
    assert cost == pytest.approx(expected, abs=1e-12)
    assert flow.sum(axis=1) == pytest.approx(np.full(n, 1 / n))
    assert flow.sum(axis=0) == pytest.approx(np.full(m, 1 / m))
    assert flow.min() >= 0
    assert (flow * costs).sum() == pytest.approx(cost, abs=1e-12)


def test_a_pair_by_hand(vectors: str) -> None:
    """Two cats against a cat and a dog: half of the weight moves by the root of 2."""
    pair = ("(a / cat :x (b / cat))", "(a / cat :x (b / dog))")
    score = exactmatch.score(*pair, metric="wwlk", vectors=vectors, iterations=0)
    assert score.score == pytest.approx(1 - math.sqrt(2) / 2)
    assert score.precision == 1.0
    assert score.recall == pytest.approx(1 - math.sqrt(2) / 2)


def test_no_node_at_all() -> None:
    empty = Graph((), (), (), (), ())
    one = Graph.from_triples([("a", "instance", "x")])
    metric = Wwlk()
    assert metric.scores(metric.measure(empty, empty).statistics).score == 1.0
    assert metric.scores(metric.measure(one, empty).statistics).score == -1.0
    assert metric.scores(metric.measure(empty, one).statistics).recall == -1.0
    assert metric.scores(metric.identity()).score == 0.0


def test_preloading_changes_nothing(vectors: str) -> None:
    texts = ['(h / have-org-role-91 :ARG0 (c / cat :quant 23) :mod "new dog")']
    pred, gold = as_graph(texts[0], CLEAN), as_graph("(d / dog)", CLEAN)
    late = Wwlk(CLEAN, vectors=vectors)
    early = Wwlk(CLEAN, vectors=vectors)
    early.preload([*texts, "(d / dog)"])
    expected = late.measure(pred, gold).statistics
    assert early.measure(pred, gold).statistics == expected


def test_a_file_that_knows_no_word_still_says_how_long_vectors_are(
    vectors: str,
) -> None:
    metric = Wwlk(CLEAN, vectors=vectors, iterations=0)
    metric.preload(["(z / zebra)"])
    graph = Graph.from_triples([("z", "instance", "zebra")])
    assert metric.prepare(graph).shape == (1, 3)


def test_graphs_that_are_too_large_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wwlk, "MAX_FLOWS", 3)
    graph = as_graph("(a / x :r (b / y))", CLEAN)
    with pytest.raises(InputError, match="graphs of 2 and 2 nodes have more than 3"):
        Wwlk(CLEAN).measure(graph, graph)


def test_a_weight_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="edge_weight: nan is not a number"):
        Wwlk(edge_weight=math.nan)


def test_the_signature_names_vectors_steps_and_weight(vectors: str) -> None:
    assert Wwlk().signature()[0] == ("vectors", "drawn")
    found = dict(Wwlk(vectors=vectors, edge_weight=1.0).signature())
    assert found["vectors"].startswith("vectors.txt@")
    assert (found["iterations"], found["direction"], found["edge"]) == (
        "2",
        "both",
        "1",
    )


@given(graph=graphs())
def test_a_graph_is_like_itself(graph: Graph) -> None:
    metric = Wwlk(CLEAN)
    score = metric.scores(metric.measure(graph, graph).statistics)
    assert score.score == pytest.approx(1.0)
    assert score.precision == pytest.approx(1.0)


@pytest.mark.slow
@given(pred=graphs(), gold=graphs())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    pred: Graph, gold: Graph
) -> None:
    metric = Wwlk(CLEAN)
    score, precision, recall, _ = metric.measure(pred, gold).statistics
    assert metric.measure(gold, pred).statistics[:3] == pytest.approx(
        (score, recall, precision)
    )
    assert -1 <= score <= min(precision, recall) + 1e-12


@pytest.mark.slow
@given(plain=parts(), gold=graphs(), seed=st.integers(0, 99))
def test_names_and_order_do_not_matter(plain: Parts, gold: Graph, seed: int) -> None:
    metric = Wwlk(CLEAN)
    expected = metric.measure(plain.graph(), gold).statistics
    for other in (renamed(plain, seed).graph(), shuffled(plain.graph(), seed)):
        assert metric.measure(other, gold).statistics == pytest.approx(expected)
