"""The alignment that people believe, against enumeration."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.graph_strategies import graphs
from support.oracle import value_of
from support.strategies import problems

from exactmatch.base.errors import CertificationError
from exactmatch.engine.preferred import (
    Pairs,
    preferred,
    shown_alignment,
    with_wishes,
)
from exactmatch.engine.problem import GraphProblem, encode
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import as_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.graphs.standardise import standardise
from exactmatch.solvers import get_solver
from exactmatch.solvers.problem import Alignment, AlignmentProblem
from exactmatch.solvers.solution import Limits

CLEAN = PROFILES["clean"]
AUTO = get_solver("auto")


def alignments(n_left: int, n_right: int) -> list[Alignment]:
    choices = [(-1, *range(n_right))] * n_left
    found = []
    for alignment in itertools.product(*choices):
        used = [j for j in alignment if j != -1]
        if len(set(used)) == len(used):
            found.append(alignment)
    return found


def state(left: Graph, right: Graph) -> GraphProblem:
    return GraphProblem(encode(left, CLEAN), encode(right, CLEAN), CLEAN)


def best_of(stated: GraphProblem, overlapping: Pairs = ()) -> Alignment:
    solution = AUTO.solve(stated.problem)
    return preferred(stated, solution, AUTO, overlapping=overlapping)


def wishes_of(
    stated: GraphProblem, alignment: Alignment, overlapping: Pairs
) -> tuple[int, int, int]:
    """Value, overlaps and equal concepts, straight from the definition."""
    pairs = [(i, j) for i, j in enumerate(alignment) if j != -1]
    concepts = stated.left.graph.concepts(), stated.right.graph.concepts()
    lower = [[(c or "").lower() for c in side] for side in concepts]
    return (
        value_of(stated.problem, alignment),
        sum(pair in overlapping for pair in pairs),
        sum(lower[0][i] == lower[1][j] != "" for i, j in pairs),
    )


@st.composite
def with_overlaps(draw: st.DrawFn) -> tuple[GraphProblem, frozenset[tuple[int, int]]]:
    left, right = draw(SMALL), draw(SMALL)
    overlaps = draw(pairs_of(len(left.variables), len(right.variables)))
    return state(left, right), frozenset(overlaps)


SMALL = graphs(3)


@functools.cache
def pairs_of(n: int, m: int) -> Any:
    """Up to four pairs of n and m variables; a strategy that is made once."""
    every = list(itertools.product(range(n), range(m)))
    return st.lists(st.sampled_from(every), max_size=4, unique=True)


@settings(deadline=None)
@given(both=with_overlaps())
def test_the_wishes_are_fulfilled_in_their_order(
    both: tuple[GraphProblem, frozenset[tuple[int, int]]],
) -> None:
    stated, overlapping = both
    every = alignments(stated.left.n_variables, stated.right.n_variables)
    best = max(wishes_of(stated, alignment, overlapping) for alignment in every)
    found = best_of(stated, overlapping)
    assert wishes_of(stated, found, overlapping) == best


@settings(deadline=None)
@given(both=with_overlaps())
def test_what_nothing_supports_is_left_unaligned(
    both: tuple[GraphProblem, frozenset[tuple[int, int]]],
) -> None:
    """Without any pair that shares no tokens the alignment is worth less."""
    stated, overlapping = both
    found = best_of(stated, overlapping)
    value = value_of(stated.problem, found)
    for i, j in enumerate(found):
        if j != -1 and (i, j) not in overlapping:
            without = tuple(-1 if k == i else other for k, other in enumerate(found))
            assert value_of(stated.problem, without) < value


def test_equal_concepts_are_preferred() -> None:
    """Either way two triples match: the root, and ``z`` or ``:ARG0``."""
    left = as_graph("(a / x :ARG0 (b / y) :ARG1 (c / z))", CLEAN)
    right = as_graph("(a / q :ARG0 (c / z))", CLEAN)
    stated = state(left, right)
    found = best_of(stated)
    names = [stated.right.graph.variables[j] if j != -1 else None for j in found]
    assert wishes_of(stated, found, ())[2] == 1
    assert names[stated.left.graph.variables.index("c")] == "c"


def test_overlapping_tokens_decide_before_concepts() -> None:
    """Two cats of which one could be meant: the one that stands at the same place."""
    left = as_graph("(c / cat)", CLEAN)
    right = as_graph("(a / and :op1 (b / cat) :op2 (d / cat))", CLEAN)
    stated = state(left, right)
    for partner in ("b", "d"):
        j = stated.right.graph.variables.index(partner)
        assert best_of(stated, [(0, j)]) == (j,)


def test_tokens_alone_are_support_enough() -> None:
    """No triple matches, and yet both nodes stand for the same word."""
    left = as_graph("(a / and :op1 (c / cat))", CLEAN)
    right = as_graph("(x / or :op2 (f / feline))", CLEAN)
    assert best_of(state(left, right)) == (0, -1)
    assert best_of(state(left, right), [(1, 1)]) == (0, 1)


@given(problem=problems(max_nodes=4), data=st.data())
def test_the_problem_with_wishes_is_sound(
    problem: AlignmentProblem, data: st.DataObject
) -> None:
    """Built through the checks; each weight is what the docstring says."""
    names = st.sampled_from(["", "x", "y"])
    concepts = (
        data.draw(st.lists(names, min_size=problem.n_left, max_size=problem.n_left)),
        data.draw(st.lists(names, min_size=problem.n_right, max_size=problem.n_right)),
    )
    wished = with_wishes(problem, concepts, ())
    assert wished is not None
    base = min(problem.n_left, problem.n_right) + 1
    for alignment in alignments(problem.n_left, problem.n_right):
        candidates = set(
            zip(problem.left.tolist(), problem.right.tolist(), strict=True)
        )
        alike = sum(
            (i, j) in candidates and concepts[0][i] == concepts[1][j] != ""
            for i, j in enumerate(alignment)
        )
        expected = value_of(problem, alignment) * base**2 + alike
        assert value_of(wished, alignment) == expected


def test_wishes_are_worth_less_than_a_triple() -> None:
    """So a solver that lowers its bound by units of 1 / scale lowers it by triples."""
    weights = {(0, 0): 1, (0, 1): 1, (1, 0): 1}
    problem = AlignmentProblem.from_weights(2, 2, weights, {})
    wished = with_wishes(problem, (("a", "b"), ("b", "c")), [(0, 0), (0, 1)])
    assert wished is not None
    for alignment in ((0, -1), (1, 0), (-1, 0), (-1, -1)):
        matched = problem.value(alignment)
        assert matched <= wished.value(alignment) / wished.scale < matched + 1


def test_weights_that_would_be_too_large_leave_the_solution() -> None:
    problem = AlignmentProblem.from_weights(1, 1, {(0, 0): 2**52}, {}, scale=2**20)
    assert with_wishes(problem, (["x"], ["x"]), ()) is None
    graph = as_graph("(a / x)", CLEAN)
    stated = state(graph, graph)
    large = GraphProblem(stated.left, stated.right, CLEAN, prebuilt=problem)
    solution = AUTO.solve(problem)
    assert preferred(large, solution, AUTO) == (0,)


def test_a_solver_that_runs_out_of_time_keeps_the_optimum() -> None:
    graph = as_graph("(a / x :r (b / x :r (c / x :r (d / x :r (e / x)))))", CLEAN)
    stated = state(graph, graph)
    solution = AUTO.solve(stated.problem)
    found = preferred(stated, solution, AUTO, Limits(seconds=0.0))
    assert stated.problem.value(found) == solution.value


def test_a_preference_for_less_is_refused() -> None:
    """A solution that claims more than any alignment is worth is found out."""
    graph = as_graph("(a / x :r (b / y))", CLEAN)
    stated = state(graph, graph)
    solution = AUTO.solve(stated.problem)
    wrong = replace(solution, value=100, bound=100)
    with pytest.raises(CertificationError, match="is preferred to one of value 100"):
        preferred(stated, wrong, AUTO)


@settings(deadline=None)
@given(left=graphs(3), right=graphs(3))
def test_pairs_are_certain_if_no_optimum_does_without(
    left: Graph, right: Graph
) -> None:
    stated = state(left, right)
    alignment, certain = shown_alignment(stated, AUTO.solve(stated.problem), AUTO)
    every = alignments(stated.left.n_variables, stated.right.n_variables)
    values = {a: value_of(stated.problem, a) for a in every}
    best = [set(enumerate(a)) for a in every if values[a] == max(values.values())]
    shared = {(i, j) for i, j in set.intersection(*best) if j != -1}
    assert {(i, alignment[i]) for i in certain} == shared
    assert values[alignment] == max(values.values())


def test_words_decide_which_optimum_is_shown() -> None:
    """The prediction's dog stands for the second word, as one of the reference's."""
    umr = FORMATS["umr"]
    texts = [
        "# sentence level graph:\n(s1a / and :op1 (s1b / dog))\n\n"
        "# alignment:\ns1b: 2-2\n",
        "# sentence level graph:\n(s1a / and :op1 (s1x / dog) :op1 (s1y / dog))\n\n"
        "# alignment:\ns1x: 1-1\ns1y: 2-3\n",
    ]
    sides = []
    for text in texts:
        (block,) = umr.blocks(text.splitlines(keepends=True), None)
        sides.append(standardise(umr.read(block).graph, PROFILES["umr"]))
    for order in (sides, sides[::-1]):
        coded = [encode(side, PROFILES["umr"]) for side in order]
        stated = GraphProblem(coded[0], coded[1], PROFILES["umr"])
        alignment, _ = shown_alignment(stated, AUTO.solve(stated.problem), AUTO)
        names = {
            (order[0].variables[i], order[1].variables[j])
            for i, j in enumerate(alignment)
            if j != -1
        }
        assert names & {("s1b", "s1y"), ("s1y", "s1b")}
