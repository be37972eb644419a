"""K-grams of nodes against closed forms, and of graphs against SemBleu's own counts."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples

from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph, Triple
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.sembleu import SemBleu
from exactmatch_papers.kgrams.study import GraphKgrams, by_position, growth, kgrams_of
from exactmatch_papers.principles.edits import generated

OFFICIAL = get_profile("sembleu")


def kgrams_in(text: str, **options: Any) -> GraphKgrams:
    return kgrams_of(SemBleu(**options), as_graph(text, OFFICIAL), 0)


def words(graph: GraphKgrams) -> list[list[str]]:
    return [[path for path, _ in grams] for grams in graph.kgrams]


def test_table_1_of_the_paper() -> None:
    """Song and Gildea (2019), figure 1 and table 1."""
    graph = kgrams_in(
        "(a / ask-01 :ARG0 (g / girl) :ARG1 (l / leave-11 :ARG0 (b / boy)))"
    )
    assert words(graph) == [
        ["ask-01", "girl", "leave-11", "boy"],
        ["ask-01 :ARG0 girl", "ask-01 :ARG1 leave-11", "leave-11 :ARG0 boy"],
        ["ask-01 :ARG1 leave-11 :ARG0 boy"],
    ]
    made = kgrams_in("(m / make-01 :ARG0 (w / woman) :ARG1 (p / pie :quant 2))")
    assert words(made) == [
        ["make-01", "woman", "pie", "2"],
        ["make-01 :ARG0 woman", "make-01 :ARG1 pie", "pie :quant 2"],
        ["make-01 :ARG1 pie :quant 2"],
    ]
    assert (made.nodes, made.edges) == (4, 3)


def complete_tree(degree: int, levels: int) -> Graph:
    """A tree whose inner nodes have *degree* children each."""
    triples, level = [Triple("n", "instance", "c")], ["n"]
    for _ in range(levels):
        children = [f"{node}.{k}" for node in level for k in range(degree)]
        for node in level:
            triples += [Triple(node, f"ARG{k}", f"{node}.{k}") for k in range(degree)]
        triples += [Triple(child, "instance", f"c{child}") for child in children]
        level = children
    return Graph.from_triples(triples, "n")


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_nodes_of_a_tree_stand_in_as_many_kgrams_as_the_paper_derives(d: int) -> None:
    """Opitz et al. (2020), footnote 9: 3, d² + d + 1 and d² + 2d + 3 for k up to 3."""
    graph = kgrams_of(SemBleu(ngram=3), complete_tree(d, 4), 0)
    by_name = {node.node: node for node in graph.by_node}
    assert by_name["n"].counts == (1, d, d * d)
    assert by_name["n.0.0"].counts == (1, d + 1, d * d + d + 1)
    assert by_name["n.0.0.0.0"].counts == (1, 1, 1)
    assert by_name["n"].position == "root"
    assert by_name["n.0.0"].position == "branching"
    assert by_name["n.0.0.0.0"].position == "leaf"
    assert by_name["n.0.0"].degree == d + 1


@given(seed=st.integers(0, 10_000), order=st.integers(1, 4))
@settings(max_examples=examples(60), deadline=None)
@pytest.mark.parametrize("variant", ["official", "paper"])
def test_paths_are_sembleus_kgrams(variant: Any, seed: int, order: int) -> None:
    """As many of each order, and each hits as many nodes as it has different ones."""
    graph = generated(np.random.default_rng(seed))
    metric = SemBleu(sembleu=variant, ngram=order)
    listed = kgrams_of(metric, graph, 0)
    statistics = metric.measure(graph, graph).statistics
    assert listed.totals == statistics[order : 2 * order]
    for k in range(order):
        hits = sum(node.counts[k] for node in listed.by_node)
        assert hits <= (k + 1) * listed.totals[k]
        assert (hits > 0) == (listed.totals[k] > 0)
    assert sum(node.counts[0] for node in listed.by_node) == listed.totals[0]


def test_one_wrong_concept_makes_its_kgrams_wrong() -> None:
    """SemBleu no longer matches the k-grams that contain the node."""
    text = (
        "(s / see-01 :ARG0 (m / man :mod (o / old)) :ARG1 (w / woman :mod (y / young)))"
    )
    metric = SemBleu(ngram=3)
    whole = as_graph(text, OFFICIAL)
    for node in kgrams_of(metric, whole, 0).by_node:
        wrong = as_graph(text.replace(f"/ {node.label}", "/ wrong"), OFFICIAL)
        statistics = metric.measure(wrong, whole).statistics
        assert sum(statistics[3:6]) - sum(statistics[:3]) == node.total


def test_repeated_kgrams_are_counted() -> None:
    graph = kgrams_in("(a / and :op1 (c / cat) :op2 (d / cat) :op1 (e / cat))")
    assert Counter(dict(graph.kgrams[0])) == {"and": 1, "cat": 3}
    assert dict(graph.kgrams[1])["and :op1 cat"] == 2


@pytest.mark.parametrize("text", ["(a / x)", "x"])
def test_a_graph_of_one_node(text: str) -> None:
    graph = kgrams_in(text)
    assert words(graph) == [["x"], [], []]
    assert [node.position for node in graph.by_node] == ["alone"]
    (line, *_) = growth([graph])
    assert (line.mean, math.isnan(line.slope)) == (1.0, True)


def test_growth_is_a_line_through_the_graphs() -> None:
    """Chains of n nodes: n unigrams, n - 1 bigrams; stars have the same."""
    chains = [
        kgrams_of(SemBleu(ngram=2), complete_tree(1, levels), 0) for levels in (1, 4, 9)
    ]
    first, second = growth(chains)
    for line in (first, second):
        assert line.slope == pytest.approx(1)
        assert line.r_squared == pytest.approx(1)
        assert line.bend == pytest.approx(0, abs=1e-12)
    assert first.mean == (2 + 5 + 10) / 3
    assert second.mean == first.mean - 1
    two = growth(chains[:2])[0]
    assert math.isnan(two.bend)
    assert two.slope == pytest.approx(1)


def test_positions_are_averaged() -> None:
    positions = by_position([kgrams_of(SemBleu(ngram=3), complete_tree(2, 2), 0)])
    assert [(p.position, p.nodes) for p in positions] == [
        ("root", 1),
        ("branching", 2),
        ("leaf", 4),
    ]
    assert positions[0].mean == 7
    assert positions[2].mean == positions[2].most == 3
