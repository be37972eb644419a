"""Laws of building and counting that hold for every graph.

The oracle tries every alignment and counts renamed triples in strings
(``graph_strategies``); it shares no code with the package.
"""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import (
    Parts,
    alignments,
    best_match,
    counted,
    graphs,
    linearised,
    parts,
    renamed,
    shuffled,
)
from support.graph_strategies import (
    matches as matches_in_strings,
)

from exactmatch.base import compiled as kernels
from exactmatch.engine import problem as build
from exactmatch.engine.problem import encode, matches
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.clean import read_clean
from exactmatch.formats.readings import read_block
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Profile
from exactmatch.graphs.standardise import smatchpp_reifications, standardise
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers import SOLVERS, get_solver, solver_class
from exactmatch.solvers.problem import AlignmentProblem

SMATCH, CLEAN = PROFILES["smatch"], PROFILES["clean"]
SMATCHPP = PROFILES["smatchpp"]
RUNNABLE = [name for name in SOLVERS if name != "pulp"]  # that one wants a name
VARIANTS = [
    SMATCH,
    CLEAN,
    *(SMATCH.with_options(duplicates=d) for d in ("multiset", "set")),
    *(CLEAN.with_options(duplicates=d) for d in ("product", "set")),
    *(SMATCH.with_options(top=top) for top in ("concept", "none")),
    *(SMATCH.with_options(just=kind) for kind in ("instance", "attribute", "relation")),
    CLEAN.with_options(comparison="exact"),
    CLEAN.with_options(comparison="lower", just="attribute"),
    SMATCHPP,
    PROFILES["smatchpp-generic"],
    PROFILES["smatchpp-none"],
]
COUNTED_ONCE = [CLEAN, *VARIANTS[-3:]]
profiles = st.sampled_from(VARIANTS)
seeds = st.integers(0, 2**32)
many = settings(deadline=None)
few = settings(max_examples=examples(60), deadline=None)


def pairing_of(left: Graph, right: Graph, profile: Profile) -> build.GraphProblem:
    return build.GraphProblem(encode(left, profile), encode(right, profile), profile)


def optimum(left: Graph, right: Graph, profile: Profile) -> int:
    return get_solver("brute").solve(pairing_of(left, right, profile).problem).value


def read(text: str) -> Graph:
    (block,) = blocks_of_text(text)
    return read_clean(block)[0]


def read_as(text: str, profile: Profile) -> Graph:
    (block,) = blocks_of_text(text)
    return standardise(read_block(block, profile)[0], profile)


def weights(
    left: Graph, right: Graph, profile: Profile, scale: int, graded: Any
) -> AlignmentProblem:
    """State the problem from dictionaries of strings, as slowly as possible."""
    ours, theirs = counted(left, profile), counted(right, profile)
    place = [{v: k for k, v in enumerate(g.variables)} for g in (left, right)]
    pairs = itertools.product(range(len(left.variables)), range(len(right.variables)))
    unary = {pair: int(g) for pair, g in zip(pairs, graded, strict=True) if g}
    pairwise: dict[tuple[tuple[int, int], tuple[int, int]], int] = {}
    for one in set(ours):
        for other in set(theirs):
            if one[0] != other[0] or one[2:-1] != other[2:-1]:
                continue
            n, m = ours.count(one), theirs.count(other)
            worth = {"product": n * m, "multiset": min(n, m), "set": 1}
            weight = worth[profile.duplicates] * scale
            c = (place[0][one[1]], place[1][other[1]])
            if one[0] != "r":
                if one[-1] == other[-1]:
                    unary[c] = unary.get(c, 0) + weight
                continue
            d = (place[0][one[-1]], place[1][other[-1]])
            unary.setdefault(c, 0)
            unary.setdefault(d, 0)
            if c == d:
                unary[c] += weight
            elif c[0] != d[0] and c[1] != d[1]:
                key = (min(c, d), max(c, d))
                pairwise[key] = pairwise.get(key, 0) + weight
    same_concept = {
        (v, w)
        for v, c in left.instances
        for w, d in right.instances
        if left.labels[c] == right.labels[d]
    }
    return AlignmentProblem.from_weights(
        len(left.variables),
        len(right.variables),
        unary,
        pairwise,
        scale,
        start=sorted(same_concept & set(unary)),
    )


ARRAYS = ("left", "right", "unary", "first", "second", "weight", "start")


@given(graphs(5), graphs(5), profiles, st.sampled_from([1, 10]), st.data())
@many
def test_pairing_states_the_same_problem_as_plain_dictionaries(
    left: Graph, right: Graph, profile: Profile, scale: int, data: st.DataObject
) -> None:
    """With graded unary weights, which S²Match adds; 0 makes no candidate."""
    size = len(left.variables) * len(right.variables)
    graded = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    problem = build.GraphProblem(
        encode(left, profile),
        encode(right, profile),
        profile,
        scale=scale,
        graded=np.array(graded, dtype=np.int64),
    ).problem
    wanted = weights(left, right, profile, scale, graded)
    for name in ARRAYS:
        assert plain(getattr(problem, name)) == plain(getattr(wanted, name)), name
    assert problem.scale == scale
    replace(problem)  # the checked constructor accepts what was built unchecked


@given(graphs(5), graphs(5), profiles, st.integers(1, 1000), seeds)
@many
def test_kernels_do_the_same_compiled_and_interpreted(
    left: Graph, right: Graph, profile: Profile, scale: int, seed: int
) -> None:
    """With graded unary weights too, which S²Match adds."""
    size = len(left.variables) * len(right.variables)
    graded = np.random.default_rng(seed).integers(0, 3, size)
    slow_coding = kernels.load_interpreted("exactmatch.engine._coding")
    slow_pairing = kernels.load_interpreted("exactmatch.engine._statement")

    def work() -> list[Any]:
        one, other = encode(left, profile), encode(right, profile)
        found = [plain(value) for coded in (one, other) for value in coded]
        for extra in (None, graded):
            pairing = build.GraphProblem(one, other, profile, scale=scale, graded=extra)
            found += [plain(getattr(pairing.problem, name)) for name in ARRAYS]
        to = get_solver("brute").solve(pairing.problem).alignment
        return [*found, matches(one, other, profile, to)]

    compiled = work()
    with (
        patch.object(build, "_coding", slow_coding),
        patch.object(build, "_statement", slow_pairing),
    ):
        assert work() == compiled


def plain(value: Any) -> Any:
    """An array as its type and a list; anything else as it is."""
    if isinstance(value, np.ndarray):
        return (value.dtype, value.shape, value.tolist())
    return value


@given(graphs(4), graphs(4), profiles)
@few
def test_the_optimum_is_that_of_trying_every_alignment(
    left: Graph, right: Graph, profile: Profile
) -> None:
    assert optimum(left, right, profile) == best_match(left, right, profile)


@given(graphs(3), graphs(3), profiles)
@few
def test_counting_and_the_objective_agree_on_every_alignment(
    left: Graph, right: Graph, profile: Profile
) -> None:
    """Weights, the package's count of triples, and the oracle's, all three."""
    pairing = pairing_of(left, right, profile)
    for to in alignments(left, right):
        alignment = tuple(
            right.variables.index(to[v]) if v in to else -1 for v in left.variables
        )
        wanted = matches_in_strings(left, right, profile, to)
        counted_again = matches(pairing.left, pairing.right, profile, alignment)
        assert counted_again == pairing.problem.value(alignment) == wanted


@given(graphs(4), profiles)
@many
def test_totals_count_what_counts(graph: Graph, profile: Profile) -> None:
    triples = counted(graph, profile)
    wanted = len(set(triples)) if profile.duplicates == "set" else len(triples)
    assert encode(graph, profile).total == wanted


@pytest.mark.parametrize("name", RUNNABLE)
@given(left=graphs(4), right=graphs(4))
@settings(max_examples=examples(15), deadline=None)
def test_heuristics_fall_short_and_exact_solvers_do_not(
    name: str, left: Graph, right: Graph
) -> None:
    pairing = pairing_of(left, right, SMATCH)
    solution = get_solver(name).solve(pairing.problem)
    best = best_match(left, right, SMATCH)
    assert solution.value <= best <= solution.bound
    assert solution.is_optimal or not solver_class(name).exact
    pairing.check_count(solution.alignment, solution.value)


@given(graphs(4), graphs(4), profiles, seeds)
@few
def test_names_and_order_change_nothing(
    left: Graph, right: Graph, profile: Profile, seed: int
) -> None:
    """In no profile, once a graph is read."""
    assert optimum(shuffled(left, seed), right, profile) == optimum(
        left, right, profile
    )


@given(parts(4), graphs(4), profiles, seeds)
@few
def test_fresh_names_change_nothing(
    left: Parts, right: Graph, profile: Profile, seed: int
) -> None:
    assert optimum(renamed(left, seed).graph(), right, profile) == optimum(
        left.graph(), right, profile
    )


@given(parts(4, connected=True), parts(4, connected=True), seeds, seeds)
@few
def test_clean_does_not_care_how_a_graph_is_written(
    left: Parts, right: Parts, seed: int, other_seed: int
) -> None:
    """Another walk from the same top, other names: inverted roles and all."""
    gold = read(linearised(right, seed))
    once = read(linearised(left, seed))
    again = read(linearised(renamed(left, other_seed), other_seed))
    assert encode(once, CLEAN).total == encode(again, CLEAN).total
    assert optimum(once, gold, CLEAN) == optimum(again, gold, CLEAN)
    assert optimum(once, gold, CLEAN) == best_match(left.graph(), right.graph(), CLEAN)


@given(parts(4, connected=True), parts(4, connected=True), seeds, seeds)
@few
def test_smatchpp_does_not_care_how_a_graph_is_written(
    left: Parts, right: Parts, seed: int, other_seed: int
) -> None:
    """Another walk, other names, capitals; ``:domain`` for an inverted ``:mod``.

    No constant here has the name of a variable: with that, names would matter.
    """
    gold = read_as(linearised(right, seed), SMATCHPP)
    once = read_as(linearised(left, seed), SMATCHPP)
    text = linearised(renamed(left, other_seed), other_seed).upper()
    again = read_as(text, SMATCHPP)
    assert encode(once, SMATCHPP).total == encode(again, SMATCHPP).total
    assert optimum(once, gold, SMATCHPP) == optimum(again, gold, SMATCHPP)
    wanted = best_match(left.graph(), right.graph(), SMATCHPP)
    assert optimum(once, gold, SMATCHPP) == wanted


@given(parts(4, connected=True), seeds)
@few
def test_a_text_that_smatchpp_turns_around_says_what_it_said(
    plain: Parts, seed: int
) -> None:
    """Without ``:domain``, which only the reading for AMR knows to be ``:mod``."""
    text = linearised(plain, seed).replace(":domain", ":mod-of")
    profile = PROFILES["smatchpp-generic"]
    one, other = read_as(text, profile), plain.graph()
    total = encode(other, profile).total
    assert encode(one, profile).total == total
    assert optimum(one, other, profile) == total


@given(graphs(4), st.data())
@many
def test_smatchpp_undoes_any_reified_relation(
    graph: Graph, data: st.DataObject
) -> None:
    """Roles that have a reification, one of their edges made a node."""
    table = smatchpp_reifications("unquoted")
    triples = [
        (s, {"ARG0": "poss", "ARG1": "age"}.get(r, r), t) for s, r, t in graph.triples()
    ]
    roles = {rule.role: (concept, *rule[1:]) for concept, rule in table.items()}
    choices = [k for k, (_, role, _) in enumerate(triples) if role in roles]
    if not choices:
        return
    k = data.draw(st.sampled_from(choices))
    source, role, target = triples[k]
    concept, source_role, target_role = roles[role]
    node = [
        ("node", "instance", concept),
        ("node", source_role, source),
        ("node", target_role, target),
    ]
    top = triples[0][0]
    reified = Graph.from_triples([*triples[:k], *triples[k + 1 :], *node], top)
    assert standardise(reified, SMATCHPP) == Graph.from_triples(triples, top)


@given(graphs(4), graphs(4), profiles)
@few
def test_swapping_the_sides_swaps_precision_and_recall(
    left: Graph, right: Graph, profile: Profile
) -> None:
    metric = Smatch(profile, solver="brute")
    one = metric.scores(metric.measure(left, right).statistics)
    other = metric.scores(metric.measure(right, left).statistics)
    assert (one.precision, one.recall) == (other.recall, other.precision)
    assert one.f1 == pytest.approx(other.f1, abs=1e-15)


@given(graphs(4), st.sampled_from(COUNTED_ONCE))
@many
def test_a_graph_matches_itself_where_triples_count_once(
    graph: Graph, profile: Profile
) -> None:
    metric = Smatch(profile, solver="brute")
    assert metric.scores(metric.measure(graph, graph).statistics).f1 == 1.0


@given(graphs(4, repeat=False))
@many
def test_a_graph_without_repetition_matches_itself_in_smatch(graph: Graph) -> None:
    """Labels that smatch takes for equal count as repetitions of each other."""
    triples = counted(graph, SMATCH)
    if len(set(triples)) < len(triples):
        return
    metric = Smatch(SMATCH, solver="brute")
    assert metric.scores(metric.measure(graph, graph).statistics).f1 == 1.0


@given(graphs(4), graphs(4), st.sampled_from(COUNTED_ONCE))
@many
def test_nothing_exceeds_one_where_triples_count_once(
    left: Graph, right: Graph, profile: Profile
) -> None:
    metric = Smatch(profile, solver="brute")
    score = metric.scores(metric.measure(left, right).statistics)
    assert score.precision is not None
    assert score.recall is not None
    assert 0.0 <= score.f1 <= 1.0
    assert max(score.precision, score.recall) <= 1.0


@given(graphs(4), profiles)
@many
def test_standardising_twice_is_standardising_once(
    graph: Graph, profile: Profile
) -> None:
    bare = profile.with_options(wiki=False, sense=False)
    once = standardise(graph, bare)
    assert standardise(once, bare) == once
