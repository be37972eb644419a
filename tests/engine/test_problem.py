"""Pairs of graphs as alignment problems, and the check of what comes back."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

from exactmatch.base import compiled as kernels
from exactmatch.base.errors import CertificationError, InputError
from exactmatch.engine import problem as build
from exactmatch.engine.problem import CodedGraph, CountedTriple, encode
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.metrics.smatch import Smatch

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]
KERNELS = (
    kernels.load("exactmatch.engine._statement"),
    kernels.load_interpreted("exactmatch.engine._statement"),
)
kernels_both_ways = pytest.mark.parametrize(
    "kernel", KERNELS, ids=["loaded", "interpreted"]
)


def pairing(
    left: str, right: str, profile: Profile = SMATCH, **options: Any
) -> build.GraphProblem:
    graphs = [encode(as_graph(text, profile), profile) for text in (left, right)]
    return build.GraphProblem(graphs[0], graphs[1], profile, **options)


def test_shared_concepts_and_attributes_are_unary_weight() -> None:
    problem = pairing(
        "(a / x :op1 1 :ARG0 (b / y))", "(c / y :op1 1 :ARG1 (d / x))"
    ).problem
    assert list(zip(problem.left, problem.right, problem.unary, strict=True)) == [
        (0, 0, 2),  # op1 and TOP
        (0, 1, 1),
        (1, 0, 1),
    ]
    assert problem.n_terms == 0
    assert [problem.right[c] for c in problem.start] == [1, 0]


def test_shared_roles_are_pair_terms() -> None:
    problem = pairing("(a / x :ARG0 (b / y))", "(c / z :arg0 (d / y))").problem
    assert list(zip(problem.left, problem.right, problem.unary, strict=True)) == [
        (0, 0, 1),
        (1, 1, 1),
    ]
    assert (problem.first.tolist(), problem.second.tolist()) == ([0], [1])
    assert problem.weight.tolist() == [1]


def test_loops_match_loops_alone() -> None:
    loops = pairing("(a / x :ARG0 a)", "(b / x :ARG0 b)").problem
    assert loops.unary.tolist() == [3]
    assert loops.n_terms == 0
    mixed = pairing("(a / x :ARG0 a)", "(b / x :ARG0 (c / x))").problem
    assert mixed.n_terms == 0
    assert mixed.value((0,)) == 2


@pytest.mark.parametrize(
    ("duplicates", "unary", "weight"),
    [("product", 8, 6), ("multiset", 4, 2), ("set", 3, 1)],
)
def test_repetitions(duplicates: str, unary: int, weight: int) -> None:
    """Two and three times the same: six, two, or one."""
    profile = SMATCH.with_options(duplicates=duplicates)
    left = "(a / x :q 1 :q 1 :r (b / y) :r b)"
    right = "(a / x :q 1 :q 1 :q 1 :r (b / y) :r b :r b)"
    problem = pairing(left, right, profile).problem
    assert problem.unary.tolist() == [unary, 1]
    assert problem.weight.tolist() == [weight]


def test_two_roles_between_the_same_candidates_add_up() -> None:
    both = "(a / x :r (b / y) :s b :t-of b)"
    problem = pairing(both, both).problem
    assert problem.weight.tolist() == [3]


def test_weights_come_in_units_of_the_scale() -> None:
    text = "(a / x :r (b / y))"
    graded = np.array([0, 7, 0, 0], dtype=np.int64)
    problem = pairing(text, text, scale=10, graded=graded).problem
    assert problem.scale == 10
    assert problem.weight.tolist() == [10]
    assert list(zip(problem.left, problem.right, problem.unary, strict=True)) == [
        (0, 0, 20),
        (0, 1, 7),
        (1, 1, 10),
    ]


def test_nothing_shared_is_an_empty_problem() -> None:
    problem = pairing("(a / x)", "(b / y)", SMATCH.with_options(top="none")).problem
    assert (problem.n_candidates, problem.n_terms) == (0, 0)
    assert (problem.n_left, problem.n_right) == (1, 1)


def test_too_large_a_problem_is_refused_before_it_is_built() -> None:
    text = "# ::id big\n(a / x" + "".join(f" :r (b{i} / y)" for i in range(40)) + ")"
    with pytest.raises(InputError, match=r"'big' and 'big' are too large: 6,724 pairs"):
        _ = pairing(text, text, max_terms=6723).problem
    assert pairing(text, text, max_terms=6724).problem.n_terms == 1600
    with pytest.raises(InputError, match="'big' and without id are too large: 492 "):
        _ = pairing(text, "(a / x :s (b / y :s (c / y)))", max_terms=491).problem


def dense(n: int) -> CodedGraph:
    """A graph with the same relation between every two of its variables."""
    relations = tuple((s, 0, t) for s in range(n) for t in range(n))
    names = tuple(map(str, range(n)))
    return encode(Graph(names, ("r",), (), (), relations), SMATCH)


@kernels_both_ways
def test_terms_are_counted_where_they_outnumber_the_pairs_of_variables(
    kernel: Any,
) -> None:
    """So many that their number does not fit into 32 bits."""
    coded = dense(256)
    with (
        patch.object(build, "_statement", kernel),
        pytest.raises(InputError, match="too large: 4,294,967,296 pairs"),
    ):
        _ = build.GraphProblem(coded, coded, SMATCH).problem


def test_repeated_relations_are_one_term() -> None:
    many = "(a / x :r (b / y)" + " :r b" * 29 + ")"
    assert pairing(many, many, max_terms=16).problem.weight.tolist() == [900]


def test_renaming_a_triple() -> None:
    relation = CountedTriple("relation", "r", 0, 1)
    assert build.renamed(relation, (2, 0)) == CountedTriple("relation", "r", 2, 0)
    assert build.renamed(relation, (2, -1)) == CountedTriple("relation", "r", 2, -2)
    assert build.renamed(relation, (-1, 0)) == CountedTriple("relation", "r", -1, 0)
    instance = CountedTriple("instance", "", 1, "x")
    assert build.renamed(instance, (-1, 3)) == CountedTriple("instance", "", 3, "x")


def test_a_wrong_value_is_not_certified() -> None:
    text = "(a / x :ARG0 (b / y))"
    pair = pairing(text, text)
    pair.check_count((0, 1), 4)
    pair.check_count((-1, 1), 1)
    for alignment, value in (((0, 1), 3), ((0, 1), 5), ((1, 0), 4)):
        with pytest.raises(CertificationError, match=f"said to be worth {value}"):
            pair.check_count(alignment, value)


def test_a_relation_that_is_repeated_is_paired_once() -> None:
    """Thirty times the same triple is a weight of thirty, not thirty pair terms."""
    metric = Smatch()
    repeated = f"(a / x {':r b ' * 15} :r (b / y) {':r b ' * 14})"
    chain = "".join(f"(x{k} / z :r " for k in range(500)) + "(y / z)" + ")" * 500
    left, right = (metric.prepare(metric.read(t).item) for t in (repeated, chain))
    problem = metric.build_problem(left, right).problem
    assert problem.n_terms == 500
    assert set(problem.weight.tolist()) == {30}
    with pytest.raises(InputError, match="raise --max-terms"):
        Smatch(max_terms=1000).compare(left, right)
