"""The graph metric against all mappings of small graphs, and its laws."""

from __future__ import annotations

import itertools
import os
import random
import re
import subprocess
import sys
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

import exactmatch
from exactmatch.base.errors import InputError, MissingExtraError
from exactmatch.graphs.profile import in_words as normalised
from exactmatch.metrics.labelled.attribute_pairs import attribute_similarities
from exactmatch.metrics.labelled.graded_problem import GradedProblem
from exactmatch.metrics.labelled.matched_items import (
    matched_attributes,
    matched_parts,
)
from exactmatch.metrics.similarity.strings import lcs_similarity

LABELS = st.sampled_from(["a", "ab", "abc", "xbc", None])
CHAIN = {"nodes": ["a", "b", "c"], "edges": [[0, "x", 1], [1, "y", 2]]}
GRADED: dict[str, Any] = {"node_similarity": "lcs", "edge_similarity": "lcs"}


@st.composite
def graphs(draw: st.DrawFn, directed: bool, most: int = 4) -> Any:
    """A graph with labels, attributes, self-loops and parallel edges."""
    graph: Any = nx.MultiDiGraph() if directed else nx.MultiGraph()
    size = draw(st.integers(0, most))
    for node in range(size):
        graph.add_node(node, label=draw(LABELS), colour=draw(LABELS))
    for _ in range(draw(st.integers(0, 2 * size))):
        ends = [draw(st.integers(0, size - 1)) for _ in range(2)]
        graph.add_edge(*ends, label=draw(LABELS))
    return graph


@st.composite
def pairs(draw: st.DrawFn, most: int = 4) -> tuple[Any, Any]:
    """Two graphs, both directed or both not."""
    directed = draw(st.booleans())
    return draw(graphs(directed, most)), draw(graphs(directed, most))


def alike(a: str | None, b: str | None) -> float:
    found = float(a is b) if None in (a, b) else lcs_similarity(str(a), str(b))
    return found if found >= 0.5 else 0.0


def distinct_edges(graph: Any) -> list[tuple[int, int, str | None]]:
    ends = [(u, v, d["label"]) for u, v, d in graph.edges(data=True)]
    if not graph.is_directed():
        ends = [(min(u, v), max(u, v), label) for u, v, label in ends]
    return sorted(set(ends), key=str)


def brute_force(one: Any, other: Any, count: str, triple: str = "mean") -> float:
    """The most that any mapping matches, every matching of parallel edges tried."""
    ours, theirs = distinct_edges(one), distinct_edges(other)
    best = 0.0
    n, m = len(one), len(other)
    for images in set(itertools.permutations([*range(m), *[None] * n], n)):
        total = 0.0
        sims = {}
        for v, w in enumerate(images):
            if w is None:
                continue
            sims[v] = alike(one.nodes[v]["label"], other.nodes[w]["label"])
            if count != "edges":
                total += sims[v]
            colours = one.nodes[v]["colour"], other.nodes[w]["colour"]
            if count == "nodes-and-edges" and None not in colours:
                total += alike(*colours)
        grades = np.zeros((len(ours), len(theirs)))
        if count != "nodes":
            for e, (u, v, label) in enumerate(ours):
                mapped = images[u], images[v]
                for f, (x, y, name) in enumerate(theirs):
                    ways = {(x, y)} if one.is_directed() else {(x, y), (y, x)}
                    if None not in mapped and mapped in ways:
                        grade = alike(label, name)
                        if count == "edges":
                            parts = grade, sims[u], sims[v]
                            grade = {
                                "mean": sum(parts) / 3,
                                "product": float(np.prod(parts)),
                                "min": min(parts),
                            }[triple]
                            grade *= all(parts)
                        grades[e, f] = grade
        best = max(best, total + most_of(grades, 0, frozenset()))
    return best


def most_of(grades: Any, row: int, taken: frozenset[int]) -> float:
    if row == len(grades):
        return 0.0
    found = most_of(grades, row + 1, taken)
    for column in np.flatnonzero(grades[row]):
        if column not in taken:
            rest = most_of(grades, row + 1, taken | {int(column)})
            found = max(found, grades[row, column] + rest)
    return found


def size_of(graph: Any, count: str) -> int:
    nodes, edges = len(graph), len(distinct_edges(graph))
    colours = sum(d["colour"] is not None for _, d in graph.nodes(data=True))
    return {"nodes": nodes, "edges": edges, "nodes-and-edges": nodes + edges + colours}[
        count
    ]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*stated twice")
@given(pairs(), st.sampled_from(["nodes-and-edges", "edges", "nodes"]), st.data())
@settings(max_examples=examples(600), deadline=None)
def test_the_score_is_that_of_the_best_of_all_mappings(
    pair: tuple[Any, Any], count: str, data: st.DataObject
) -> None:
    triple = data.draw(st.sampled_from(["mean", "product", "min"]))
    found = exactmatch.score(
        *pair, metric="graph", count=count, triple=triple, **GRADED
    )
    wanted = brute_force(*pair, count, triple)
    assert found.matched == pytest.approx(wanted, abs=1e-6)
    assert found.proven
    assert found.bound == found.matched
    sizes = [size_of(graph, count) for graph in pair]
    assert [found.pred_total, found.gold_total] == sizes
    if all(sizes):
        assert found.precision == pytest.approx(wanted / sizes[0], abs=1e-6)
        assert found.recall == pytest.approx(wanted / sizes[1], abs=1e-6)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*stated twice")
@given(pairs(5), st.randoms(use_true_random=False))
@settings(max_examples=examples(150), deadline=None)
def test_laws(pair: tuple[Any, Any], random: Any) -> None:
    one, other = pair
    score = exactmatch.score(one, other, metric="graph", **GRADED).score
    assert exactmatch.score(
        other, one, metric="graph", **GRADED
    ).score == pytest.approx(score)
    assert exactmatch.score(one, one, metric="graph", **GRADED).score == 1
    assert (
        exactmatch.score(
            one, other, metric="graph", node_similarity="exact", edge_similarity="exact"
        ).score
        <= score + 1e-9
    )
    names = list(one)
    random.shuffle(names)
    renamed = nx.relabel_nodes(one, {n: k + 90 for k, n in enumerate(names)})
    shuffled = type(one)()
    nodes = list(renamed.nodes(data=True))
    random.shuffle(nodes)
    shuffled.add_nodes_from(nodes)
    shuffled.add_edges_from(renamed.edges(data=True))
    again = exactmatch.score(shuffled, other, metric="graph", **GRADED).score
    assert again == pytest.approx(score)
    guess = exactmatch.score(one, other, metric="graph", solver="hungarian", **GRADED)
    assert guess.score <= score + 1e-9
    for solver in ("bnb", "highs"):
        same = exactmatch.score(one, other, metric="graph", solver=solver, **GRADED)
        assert same.score == pytest.approx(score)


def test_a_reversed_chain_is_not_perfect() -> None:
    steps = ["wake", "rise", "eat", "leave"]
    chain = {"nodes": steps, "edges": [[0, 1], [1, 2], [2, 3]]}
    back = {"nodes": steps, "edges": [[1, 0], [2, 1], [3, 2]]}
    assert exactmatch.score(chain, chain, metric="graph").f1 == 1
    assert exactmatch.score(back, chain, metric="graph").matched == 4
    assert exactmatch.score(back, chain, metric="graph", count="edges").f1 == 0


def test_triples_share_one_mapping_of_entities() -> None:
    gold = [("Alan Bean", "birthPlace", "Texas"), ("Alan Bean", "mission", "Apollo 12")]
    pred = [("alan_bean", "birth place", "texas"), ("Bean", "mission", "Apollo 12")]
    found = exactmatch.score(pred, gold, metric="graph", count="edges")
    assert found.f1 == 0.5
    assert found.alignment is not None
    assert ("alan_bean", "Alan Bean") in found.alignment
    assert normalised("HTTPServer_error (2)") == "http server error 2"


def test_every_form_of_a_graph_has_the_same_score() -> None:
    plain = {"nodes": ["a", "b"], "edges": [[0, "r", 1]]}
    objects = {
        "nodes": [{"id": "x", "label": "a"}, {"id": "y", "label": "b"}],
        "links": [{"source": "x", "target": "y", "label": "r"}],
    }
    network = nx.DiGraph()
    network.add_node(7, label="a")
    network.add_node(8, label="b")
    network.add_edge(7, 8, label="r")
    forms = [plain, objects, network, [("a", "r", "b")], "(x / a :r (y / b))"]
    found = exactmatch.cdist(forms, forms, "graph")
    assert (found == 1).all()


def test_similarities_may_be_given_with_the_pair() -> None:
    one = {"nodes": ["car", "road"], "edges": [[0, 1]]}
    other = {"nodes": ["street", "automobile"], "edges": [[1, 0]]}
    table = [[0.1, 0.9], [0.8, 0.0]]
    found = exactmatch.score(one, other, metric="graph", node_similarity=table)
    assert found.matched == pytest.approx(2.7)
    assert found.alignment == ((0, 1), (1, 0))
    with pytest.raises(InputError, match=r"has the shape \(1, 2\), but there are 2"):
        exactmatch.score(one, other, metric="graph", node_similarity=[[0.1, 0.2]])
    with pytest.raises(InputError, match="not from 0 to 1"):
        exactmatch.score(one, other, metric="graph", node_similarity=[[2, 0], [0, 0]])


def test_a_function_is_a_similarity() -> None:
    def same_end(a: str, b: str) -> float:
        return float(a[-1] == b[-1])

    made = exactmatch.make_metric("graph", node_similarity=same_end)
    assert re.search(r"nodes:function:\S+same_end@\w{12}≥0\.5", repr(made))
    one, other = {"nodes": ["cat"], "edges": []}, {"nodes": ["bat"], "edges": []}
    assert exactmatch.evaluate([one], [other], made)["graph"].score.f1 == 1


def test_unlike_nodes_are_mapped_for_their_edges_unless_that_is_forbidden() -> None:
    one = {"nodes": ["a", "b"], "edges": [[0, 1]]}
    other = {"nodes": ["a", "z"], "edges": [[0, 1]]}
    assert exactmatch.score(one, other, metric="graph").matched == 2
    assert exactmatch.score(one, other, metric="graph", unlike="forbidden").matched == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"edges": []}, "a graph has nodes and edges, this one 'edges'"),
        ({"nodes": ["a"], "edges": [[0, 1]]}, "there is no node 1"),
        ({"nodes": ["a"], "edges": [[0]]}, r"it is \[i, j\] or \[i, label, j\]"),
        ({"nodes": ["a"], "edges": [3]}, r"edge 0 is 3; it is \[i, j\]"),
        ({"nodes": None}, "the nodes of a graph are a list, not None"),
        ({"nodes": "ab"}, "the nodes of a graph are a list, not 'ab'"),
        ({"nodes": ["a"], "edges": None}, "the edges of a graph are a list, not None"),
        ({"nodes": [{"id": 1}, {"id": 1}]}, "two nodes have the id 1"),
        ([("a", "b")], "triple 0 has 2 parts"),
        ([("a", "b", "c"), "abcd"], "triple 1 has 1 parts"),
    ],
)
def test_what_is_no_graph_is_refused(given: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.score(given, {"nodes": []}, metric="graph")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"node_similarity": "fuzzy"}, "node_similarity is 'fuzzy'"),
        ({"node_cutoff": 1.5}, "node_cutoff: 1.5 is not between 0 and 1"),
        ({"count": "triples"}, "count is 'triples'"),
        ({"roles": "r"}, "counts the edges and attributes of every role"),
        ({"node_similarity": lambda *_: 3}, "a number from 0 to 1"),
        ({"node_similarity": lambda *_: "x"}, "a number from 0 to 1"),
        ({"node_similarity": [["x"]]}, "similarity is not an array of numbers"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    one = {"nodes": ["a"], "edges": []}
    with pytest.raises(InputError, match=message):
        exactmatch.score(one, one, metric="graph", **options)


def test_directions_do_not_mix_and_nothing_is_a_graph() -> None:
    directed = nx.DiGraph([(0, 1)])
    with pytest.raises(InputError, match="one graph is directed"):
        exactmatch.score(directed, nx.Graph([(0, 1)]), metric="graph")
    empty: dict[str, Any] = {"nodes": [], "edges": []}
    assert exactmatch.score(empty, empty, metric="graph").f1 == 1
    assert exactmatch.score(empty, directed, metric="graph").f1 == 0
    with pytest.warns(UserWarning, match="1 edge of a graph stated twice"):
        exactmatch.score([("a", "r", "b")] * 2, [("a", "r", "b")], metric="graph")


def test_rapidfuzz_is_named_where_it_is_missing(monkeypatch: Any) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rapidfuzz", None)
    one, other = {"nodes": ["ab"]}, {"nodes": ["ac"]}
    with pytest.raises(MissingExtraError, match=r"exactmatch\[fuzzy\]"):
        exactmatch.score(one, other, metric="graph", node_similarity="levenshtein")


def test_amr_counts_as_smatch_counts_it() -> None:
    pairs = [
        ("(w / want-01 :ARG0 (b / boy) :polarity -)", "(w / want-01 :ARG0 (g / girl))"),
        ("(a / and :op1 (b / boy) :op2 (g / girl))", "(a / and :op1 (g / girl))"),
    ]
    for pair in pairs:
        exact: dict[str, Any] = {"node_similarity": "exact", "edge_similarity": "exact"}
        ours = exactmatch.score(*pair, metric="graph", **exact)
        smatch = exactmatch.score(*pair, metric="smatch", profile="clean", top="none")
        assert ours.matched == smatch.matched
        assert ours.f1 == smatch.f1


class Clock:
    """A clock that goes on by some seconds whenever somebody looks at it."""

    def __init__(self, step: float) -> None:
        self.now, self.step = 0.0, step

    def perf_counter(self) -> float:
        self.now += self.step
        return self.now

    time = perf_counter


@pytest.mark.parametrize(("stating", "left"), [(4.0, 1.0), (40.0, 0.001)])
def test_stating_the_problem_takes_of_the_time_limit(
    stating: float, left: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    from exactmatch.base import deadline
    from exactmatch.solvers import get_solver
    from exactmatch.solvers.solution import Limits

    solver, given = get_solver("bnb"), []

    class Watched(type(solver)):  # type: ignore[misc]  # whatever class it has
        def solve(self, problem: Any, limits: Limits | None = None) -> Any:
            given.append(limits)
            return solver.solve(problem, limits)

    clock = Clock(0.0)
    state = GradedProblem.__post_init__

    def slow(problem: GradedProblem) -> None:
        state(problem)
        clock.now += stating

    monkeypatch.setattr(deadline, "time", clock)
    monkeypatch.setattr(GradedProblem, "__post_init__", slow)
    one = {"nodes": ["a", "b"], "edges": [[0, 1]]}
    exactmatch.score(one, one, metric="graph", solver=Watched(), time_limit=5)
    (limits,) = given
    assert 0 < limits.seconds <= left


def test_a_problem_that_is_not_stated_in_time_has_an_interval(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from exactmatch.base import deadline

    graph = nx.path_graph(20)
    nx.set_node_attributes(graph, {n: f"a{n}" for n in graph}, "kind")
    metric = exactmatch.make_metric("graph", node_similarity="lcs")
    asked: dict[str, Any] = {"metric": metric}
    whole = exactmatch.evaluate([graph], [graph], **asked)
    assert whole.scores[0].score.f1 == 1
    monkeypatch.setattr(deadline, "time", Clock(3.0))
    report = exactmatch.evaluate([graph], [graph], time_limit=5.0, **asked)
    (corpus,) = report.scores
    assert (corpus.score.matched, corpus.score.f1_upper, corpus.proven) == (0, 1, 0)
    assert corpus.score.pred_total == whole.scores[0].score.pred_total
    (result,) = report.pairs
    assert result.solved.alignment == (-1,) * 20
    assert not result.solved.is_optimal


def test_attributes_are_recounted_of_mapped_nodes_alone() -> None:
    """The recount compares no attributes of nodes that are not mapped."""
    metric: Any = exactmatch.make_metric("graph", node_similarity="lcs")
    one, other = nx.MultiDiGraph(), nx.MultiDiGraph()
    for n in range(6):
        one.add_node(n, label=f"x{n % 2}", color=f"re{n}d", size=str(n))
        other.add_node(n, label=f"x{n % 3}", color=f"r{n}d", size=str(n // 2))
    sides = [metric.prepare(metric.read(graph).item) for graph in (one, other)]
    stated = metric.build_problem(*sides)
    left, right = stated.graphs
    table = attribute_similarities(left, right, stated.rules)
    for i, j in itertools.product(range(6), repeat=2):
        alike = matched_attributes(
            left.attributes[i], right.attributes[j], stated.rules
        )
        assert alike == pytest.approx(table[i, j])


@pytest.mark.parametrize("similarity", ["exact", "normalised", "lcs"])
def test_lists_of_values_are_matched_one_to_one(similarity: str) -> None:
    """Tables of distinct values say what comparing each two nodes says."""
    rng = random.Random(5)
    words = ["red", "reds", "Red", "re", "green", "greens", "x"]
    metric: Any = exactmatch.make_metric("graph", node_similarity=similarity)
    graphs = []
    for _ in range(2):
        nodes = [
            {
                "label": "n",
                "one": rng.choice(words),
                "many": rng.choices(words, k=rng.randint(0, 4)),
                rng.choice("abc"): rng.choice(words),
            }
            for _ in range(300)
        ]
        graphs.append(metric.read({"nodes": nodes}).item)
    left, right = graphs
    table = attribute_similarities(left, right, metric.rules)
    for i, j in itertools.product(range(0, 300, 7), range(0, 300, 11)):
        ours, theirs = left.attributes[i], right.attributes[j]
        alike = matched_attributes(ours, theirs, metric.rules)
        assert alike == pytest.approx(table[i, j])


def test_a_function_is_called_once_a_pair_of_labels() -> None:
    calls: list[tuple[str, str]] = []

    def judge(a: str, b: str) -> float:
        calls.append((a, b))
        return len(calls) % 7 / 7 if a != b else 1.0  # which never repeats itself

    one = {"nodes": [{"label": x, "kind": x} for x in "abc"], "edges": [[0, "a", 1]]}
    other = {
        "nodes": [{"label": x, "kind": x} for x in "abxyz"],
        "edges": [[1, "b", 2]],
    }
    options: Any = {"node_similarity": judge, "edge_similarity": judge}
    score = exactmatch.score(one, other, metric="graph", **options)
    nodes = [*itertools.product("abc", "abxyz")]
    assert sorted(calls) == sorted([*nodes, ("a", "b")])  # and the one of edges
    assert sum(part.matched for part in score.subscores().values()) == score.matched
    assert len(calls) == 16


def test_a_judge_who_gives_no_number_is_refused() -> None:
    for answer in (None, "high", [0.5], 2.0, float("nan")):
        with pytest.raises(InputError, match="a number from 0 to 1"):
            exactmatch.score(
                {"nodes": ["a"]},
                {"nodes": ["b"]},
                metric="graph",
                node_similarity=lambda *_, answer=answer: answer,
            )


def test_a_sum_does_not_hang_on_the_seed_of_hashes() -> None:
    """Attributes are added up in the order of the left graph."""
    code = (
        "import exactmatch\n"
        "names = [f'name{k}' for k in range(12)]\n"
        "one = {'nodes': [{'label': 'n', **{x: 'abcdefg'[k % 7:] for k, x in "
        "enumerate(names)}}]}\n"
        "two = {'nodes': [{'label': 'n', **{x: 'abcdefgh'[k % 5:] for k, x in "
        "enumerate(names)}}]}\n"
        "metric = exactmatch.make_metric('graph', node_similarity='lcs')\n"
        "from exactmatch.metrics.labelled.attribute_pairs import *\n"
        "graphs = [metric.read(x).item for x in (one, two)]\n"
        "print(repr(float(attribute_similarities(*graphs, metric.rules)[0, 0])))"
    )
    values = set()
    for seed in "123":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run: Any = {"env": environment, "text": True}
        values.add(subprocess.check_output([sys.executable, "-c", code], **run))
    assert len(values) == 1


def test_the_most_terms_are_of_edges_with_similar_labels() -> None:
    """Edges that cannot match do not count: here are 20 by 20, and 4 by 4 a label."""
    ends = [*itertools.product((0, 1), repeat=2)]
    graph = {
        "nodes": ["a", "b"],
        "edges": [[i, x, k] for i, k in ends for x in "vwxyz"],
    }
    assert exactmatch.score(graph, graph, metric="graph", max_terms=80).f1 == 1
    with pytest.raises(InputError, match="80 pairs of their edges may match"):
        exactmatch.score(graph, graph, metric="graph", max_terms=79)
    many = {"nodes": ["a", "b"], "edges": [[0, str(k), 1] for k in range(30)]}
    with pytest.raises(InputError, match="30 and 30 distinct labels"):
        exactmatch.score(many, many, metric="graph", max_terms=899)


def test_edges_both_ways_count_towards_the_most_terms() -> None:
    ring = nx.cycle_graph(4)
    with pytest.raises(InputError, match="raise --max-terms"):
        exactmatch.score(ring, ring, metric="graph", max_terms=63)
    assert exactmatch.score(ring, ring, metric="graph", max_terms=64).f1 == 1


@pytest.mark.filterwarnings("ignore:.*stated twice")
@given(pairs(3), st.sampled_from(["nodes-and-edges", "edges", "nodes"]))
@settings(max_examples=examples(60), deadline=None)
def test_parts_have_their_range_over_all_best_mappings(
    pair: tuple[Any, Any], count: str
) -> None:
    one, other = pair
    score = exactmatch.score(one, other, metric="graph", count=count, **GRADED)
    found = score.subscores()
    n, m = len(one), len(other)
    seen: dict[str, list[float]] = {name: [] for name in found}
    metric: Any = exactmatch.make_metric("graph", count=count, **GRADED)
    left, right = (metric.read(graph).item for graph in pair)
    for images in set(itertools.permutations([*range(m), *[-1] * n], n)):
        parts = matched_parts(left, right, metric.rules, images)
        if sum(map(sum, parts)) > (score.matched or 0) - 1e-6:
            for name, part in zip(("nodes", "attributes", "edges"), parts, strict=True):
                if name in seen:
                    seen[name].append(sum(part))
    for name, part in found.items():
        assert part.low == pytest.approx(min(seen[name]), abs=1e-6)
        assert part.high == pytest.approx(max(seen[name]), abs=1e-6)
        assert part.low <= part.matched <= part.high
        assert part.f1_range[0] <= part.f1 <= part.f1_range[1]
    matched = sum(part.matched for part in found.values())
    assert matched == pytest.approx(score.matched)


@pytest.mark.parametrize("count", ["nodes-and-edges", "edges", "nodes"])
def test_the_parts_of_a_corpus_are_the_sums_of_those_of_its_pairs(count: str) -> None:
    two = [
        {"nodes": [{"label": "a", "age": 1}, "b"], "edges": [[0, 1]]},
        {"nodes": [{"label": "a", "age": 2}, "c"], "edges": [[1, 0]]},
    ]
    pairs: list[Any] = [two, [CHAIN, CHAIN], [CHAIN, {"nodes": ["x"], "edges": []}]]
    preds, golds = zip(*pairs, strict=True)
    options: Any = {"count": count, "node_cutoff": 0.9}
    report = exactmatch.finegrained(preds, golds, "graph", **options)
    each = [
        exactmatch.score(pred, gold, metric="graph", **options).subscores()
        for pred, gold in pairs
    ]
    names = [score.metric for score in report.scores]
    assert set(names) == {name for found in each for name in found}
    for name in names:
        found = [parts[name] for parts in each if name in parts]
        score = report[name].score
        assert score.matched == pytest.approx(sum(part.low for part in found))
        assert score.bound == pytest.approx(sum(part.high for part in found))
        assert score.gold_total == sum(part.gold_total for part in found)
        assert score.proven == all(part.low == part.high for part in found)
    if count == "nodes-and-edges":
        assert [report[name].score.proven for name in names] == [False, True, False]


def test_only_proven_graph_scores_have_such_parts() -> None:
    with pytest.raises(InputError, match="no parts of nodes and edges"):
        exactmatch.score("(a / b)", "(a / b)", metric="smatch").subscores()
