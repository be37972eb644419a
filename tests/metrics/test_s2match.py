"""S²Match: the papers' examples, and laws against trying every alignment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.dialects import s2match_graph, sembleu_graph
from support.examples import examples
from support.graph_strategies import (
    Parts,
    alignments,
    graphs,
    matches,
    parts,
    renamed,
    shuffled,
)

from exactmatch.base.errors import CertificationError, InputError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.smatch import read_smatch
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES, Just, Profile
from exactmatch.metrics.base import Metric
from exactmatch.metrics.s2match import S2Match
from exactmatch.metrics.score import Score
from exactmatch.metrics.sembleu import SemBleu
from exactmatch.metrics.similarity.concepts import LcsSimilarity
from exactmatch.metrics.smatch import Smatch
from exactmatch.solvers import get_solver
from exactmatch.solvers.base import Solver
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.progress import Progress
from exactmatch.solvers.solution import Limits, Proposal

EXACT = "highs"
S2MATCH, CLEAN = PROFILES["s2match"], PROFILES["clean"]


def score(left: Graph, right: Graph, metric: Metric) -> Score:
    return metric.scores(metric.measure(left, right).statistics)


@pytest.fixture
def animals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Vectors in which a kitten is nearer to a cat than a giraffe is."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    file = tmp_path / "animals.txt"
    file.write_text(
        "cat 1 0 0\nkitten 0.8 0.6 0\ngiraffe 0.3 0 0.9\n"
        "sprint 0 1 0.5\nrun 0 1 0.4\nsleep 0.2 -1 0\n"
    )
    return file


def test_figure_7(animals: Path) -> None:
    """Opitz et al. (2020): only S²Match sees that a kitten is like a cat."""
    texts = [
        "(s / sprint-01 :ARG0 (c / cat))",
        "(r / run-02 :ARG0 (k / kitten))",
        "(s / sleep-01 :ARG0 (g / giraffe))",
    ]
    cat, kitten, giraffe = map(s2match_graph, texts)
    smatch = Smatch(S2MATCH, EXACT)
    assert score(cat, kitten, smatch) == score(cat, giraffe, smatch)
    sembleu = SemBleu()
    paths = [sembleu_graph(text) for text in texts]
    assert sembleu.measure(*paths[:2]) == sembleu.measure(paths[0], paths[2])
    soft = S2Match(solver=EXACT, vectors=animals)
    assert score(cat, kitten, soft).score > score(cat, giraffe, soft).score


def test_figure_2() -> None:
    """Opitz et al. (2020): SemBleu says 1, Smatch and S²Match do not."""
    texts = (
        "(p / predicate-01 :ARG0 (x1 / man) :ARG1 (x2 / man) :ARG2 x2)",
        "(p / predicate-01 :ARG0 (x1 / man) :ARG1 x1 :ARG2 (x2 / man))",
    )
    blocks = [block for text in texts for block in blocks_of_text(text)]
    left, right = (read_smatch(block)[0] for block in blocks)
    assert score(left, right, Smatch(solver=EXACT)).f1 == pytest.approx(6 / 7)
    left, right = map(s2match_graph, texts)
    assert score(left, right, S2Match(solver=EXACT)).f1 == pytest.approx(5 / 6)


def test_figure_3() -> None:
    """Opitz et al. (2020): Smatch says 0.829 both ways."""
    left = s2match_graph(
        "(a / and :op1 (h / heat-01 :ARG1 (t / thing) :loc (b / between :op1 (w / we))"
        " :degree (s / so)) :op2 (k / know-01 :polarity - :ARG0 (i / i)"
        " :ARG1 (t2 / thing :ARG1-of (d / do-02))))"
    )
    right = s2match_graph(
        "(k7 / know-01 :ARG0 (i / i :ARG0-of (d9 / do-02 :ARG1 t8 :ARG1 (t0 / thing"
        " :ARG1-of (h2 / heat-01 :degree (s1 / so) :loc (b3 / between :op1 (w4 / we))"
        "))) ) :ARG1 (t8 / thing) :polarity -)"
    )
    for profile in (S2MATCH, PROFILES["smatch"]):
        smatch = Smatch(profile, EXACT)
        for pair in ((left, right), (right, left)):
            assert round(score(*pair, smatch).score, 3) == 0.829


def test_the_mark_of_the_root_is_graded_too(animals: Path) -> None:
    """Concept and mark match by 0.8 each, of two triples each."""
    left, right = s2match_graph("(c / cat)"), s2match_graph("(k / kitten)")
    found = score(left, right, S2Match(solver=EXACT, vectors=animals))
    assert found.matched == pytest.approx(1.6)
    assert found.f1 == pytest.approx(0.8)
    clean = score(left, right, S2Match(CLEAN, EXACT, vectors=animals))
    assert clean.matched == pytest.approx(1.8)


def test_a_written_mark_is_graded_like_the_root(animals: Path) -> None:
    left = s2match_graph("(c / cat :r (d / dog :top kitten))")
    right = s2match_graph("(k / kitten :r (d / dog :top cat))")
    found = score(left, right, S2Match(solver=EXACT, vectors=animals))
    assert found.matched == pytest.approx(0.8 + 0.8 + 1 + 1 + 0.8)
    assert (found.pred_total, found.gold_total) == (5, 5)


def test_of_several_concepts_the_most_similar_count(animals: Path) -> None:
    def graph(*concepts: str) -> Graph:
        return Graph.from_triples([("a", "instance", concept) for concept in concepts])

    metric = S2Match(S2MATCH.with_options(top="none"), EXACT, vectors=animals)
    for concepts in (("cat", "sleep"), ("sleep", "cat")):
        found = score(graph(*concepts), graph("kitten"), metric)
        assert found.matched == pytest.approx(0.8)
    assert score(graph("cat", "sleep"), graph("sleep"), metric).matched == 1
    assert score(graph("cat", "cat"), graph("cat", "sleep"), metric).matched == 2


def test_quotes_can_go_unmarked() -> None:
    metric = S2Match(solver=EXACT, unmarked_quotes=True)
    assert metric.profile is not None
    assert metric.profile.reader == "s2match-unmarked"
    assert dict(metric.signature())["profile"] == "s2match+"
    with pytest.raises(
        InputError, match="--unmarked-quotes belongs to profile s2match"
    ):
        S2Match(CLEAN, EXACT, unmarked_quotes=True)


def test_what_is_graded_is_neither_equal_nor_nameless(animals: Path) -> None:
    """An equal concept matches anyway, and a variable without one is like nothing."""
    metric = S2Match(CLEAN, EXACT, vectors=animals)
    left = Graph.from_triples([("c", "instance", "cat"), ("n", "ARG0", "c")], "c")
    right = s2match_graph("(k / kitten :ARG0 (c / cat))")
    prepared = metric.prepare(left), metric.prepare(right)
    assert metric.graded(*prepared) == pytest.approx(np.array([[0.8, 0.0], [0.0, 0.0]]))


def test_only_one_kind_of_triple_can_count(animals: Path) -> None:
    left, right = s2match_graph("(c / cat :r 1)"), s2match_graph("(k / kitten :r 1)")
    wanted: dict[Just, float] = {"instance": 0.8, "attribute": 1.8, "relation": 0.0}
    for just, matched in wanted.items():
        profile = replace(S2MATCH, just=just)
        found = score(left, right, S2Match(profile, EXACT, vectors=animals))
        assert found.matched == pytest.approx(matched)


def test_the_signature_names_all_that_matters(animals: Path) -> None:
    signature = dict(S2Match(solver=EXACT, vectors=animals, cutoff=0.25).signature())
    assert signature["similarity"] == "cosine"
    assert signature["cutoff"] == "0.25"
    assert signature["diffsense"] == "0.5"
    assert signature["vectors"].startswith("animals.txt@")
    assert (signature["scale"], signature["rounding"]) == ("1000000", "5e-07")
    assert signature["solver"] == EXACT
    assert dict(S2Match(solver=EXACT).signature())["similarity"] == "lcs"


def test_what_occurs_can_be_preloaded(animals: Path) -> None:
    """One look at the texts, and the file of vectors is read once."""
    metric = S2Match(solver=EXACT, vectors=animals)
    metric.preload(["(c / cat\n :r (k / kitten))", '(g / giraffe :op1 "x/y")'])
    animals.unlink()
    left, right = s2match_graph("(c / cat)"), s2match_graph("(k / kitten)")
    assert score(left, right, metric).matched == pytest.approx(1.6)


def test_a_problem_that_is_too_large_is_refused_before_it_is_graded() -> None:
    graph = s2match_graph("(a / x :r (b / y))")
    with pytest.raises(InputError, match="more than 3; raise --max-terms"):
        S2Match(solver=EXACT, max_terms=3).measure(graph, graph)


def test_one_reference_at_a_time() -> None:
    graph = s2match_graph("(a / x)")
    with pytest.raises(InputError, match="takes one reference, not 2"):
        S2Match(solver=EXACT).measure(graph, graph, graph)


def test_a_wrong_value_is_not_certified(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver's value must be what the renamed triples add up to."""
    graph = s2match_graph("(a / x :r (b / y))")
    metric = S2Match(solver=EXACT)
    solved = metric.solver.solve

    def wrong(*arguments: Any) -> Any:
        solution = solved(*arguments)
        return replace(solution, value=solution.value - 1)

    monkeypatch.setattr(metric.solver, "solve", wrong)
    with pytest.raises(CertificationError, match="is worth 4000000"):
        metric.measure(graph, graph)


def test_empty_graphs() -> None:
    empty, graph = Graph((), (), (), (), ()), s2match_graph("(a / x)")
    metric = S2Match(solver=EXACT)
    for pair in ((empty, graph), (graph, empty), (empty, empty)):
        assert score(*pair, metric).score == 0.0


# Laws.

PROFILE_VARIANTS = [
    S2MATCH,
    CLEAN,
    PROFILES["smatch"],
    CLEAN.with_options(comparison="exact", duplicates="set"),
    S2MATCH.with_options(duplicates="multiset"),
]
profiles = st.sampled_from(PROFILE_VARIANTS)
some = settings(max_examples=examples(40), deadline=None)
LCS = LcsSimilarity(0.3, 0.75)


def soft_matches(
    left: Graph, right: Graph, profile: Profile, to: dict[str, str]
) -> float:
    """Matches of an alignment, equal triples and alike concepts, in doubles."""

    def same(label: str) -> str:
        if profile.comparison == "exact":
            return label
        return label.lower().rstrip("_" if profile.comparison == "smatch" else "")

    def concept(graph: Graph, name: str) -> str:
        return next(
            same(c) for v, r, c in graph.triples() if (v, r) == (name, "instance")
        )

    found = float(matches(left, right, profile, to))
    for name, other in to.items():
        a, b = concept(left, name), concept(right, other)
        if a != b:
            found += LCS(a, b)
    tops = [graph.variables[graph.top or 0] for graph in (left, right)]
    if profile.top == "concept" and to.get(tops[0]) == tops[1]:
        a, b = concept(left, tops[0]), concept(right, tops[1])
        found += LCS(a, b) if a != b else 0.0
    return found


@some
@given(graphs(3), graphs(3), profiles)
def test_the_optimum_is_that_of_trying_every_alignment(
    left: Graph, right: Graph, profile: Profile
) -> None:
    metric = S2Match(profile, "brute", similarity=LCS)
    measured = metric.measure(left, right)
    found = metric.scores(measured.statistics)
    best = max(soft_matches(left, right, profile, to) for to in alignments(left, right))
    slack = len(left.variables) / metric.scale
    assert found.matched == pytest.approx(best, abs=slack)
    assert measured.solution is not None
    to = {
        left.variables[i]: right.variables[j]
        for i, j in enumerate(measured.solution.alignment)
        if j != -1
    }
    assert found.matched == pytest.approx(soft_matches(left, right, profile, to))


@some
@given(graphs(3), graphs(3), profiles, st.sampled_from((1, 2, 3, 10)), st.booleans())
def test_coarse_units_are_recounted_as_they_were_rounded(
    left: Graph, right: Graph, profile: Profile, scale: int, climbs: bool
) -> None:
    """At scale 1 concepts that are alike by a half count as a triple, or not at all."""
    solver = "hillclimb" if climbs else "auto"
    metric = S2Match(profile, solver, similarity=LCS, scale=scale)
    prepared = metric.prepare(left), metric.prepare(right)
    measured = metric.compare(*prepared, limits=Limits(record_proof=not climbs))
    found = metric.scores(measured.statistics)
    assert measured.solution is not None
    to = {
        left.variables[i]: right.variables[j]
        for i, j in enumerate(measured.solution.alignment)
        if j != -1
    }
    assert found.matched == pytest.approx(soft_matches(left, right, profile, to))
    best = max(soft_matches(left, right, profile, to) for to in alignments(left, right))
    slack = min(len(left.variables), len(right.variables)) / scale
    if climbs:
        assert found.bound is not None
        assert found.bound >= best - 1e-9 or found.proven
    else:
        assert found.matched >= best - slack - 1e-9
        assert measured.problem is not None
        assert measured.solution.refusal(measured.problem.problem) == ""


@some
@given(graphs(3), graphs(3), profiles)
def test_no_less_than_smatch(left: Graph, right: Graph, profile: Profile) -> None:
    hard = Smatch(profile, "brute").measure(left, right)
    soft = S2Match(profile, "brute", similarity=LCS).measure(left, right)
    assert hard.solution is not None
    assert soft.solution is not None
    assert soft.solution.value >= hard.solution.value * 1_000_000


@some
@given(graphs(3), graphs(3), profiles)
def test_exact_similarity_is_smatch(
    left: Graph, right: Graph, profile: Profile
) -> None:
    hard = Smatch(profile, "brute").measure(left, right)
    soft = S2Match(profile, "brute", similarity="exact").measure(left, right)
    assert hard.statistics == soft.statistics


@some
@given(graphs(4), graphs(4), st.integers(0, 99))
def test_no_climb_goes_higher(left: Graph, right: Graph, seed: int) -> None:
    metric = S2Match(solver="brute", similarity=LCS)
    pairing = metric.build_problem(metric.prepare(left), metric.prepare(right))
    climbed = get_solver("hillclimb").solve(pairing.problem, Limits(seed=seed))
    proven = metric.measure(left, right).solution
    assert proven is not None
    assert climbed.value <= proven.value


@some
@given(graphs(3), graphs(3))
def test_both_directions_match_alike(left: Graph, right: Graph) -> None:
    metric = S2Match(solver="brute", similarity=LCS)
    there, back = score(left, right, metric), score(right, left, metric)
    assert there.matched == pytest.approx(back.matched, abs=1e-5)
    assert there.precision == pytest.approx(back.recall, abs=1e-5)


@some
@given(parts(3), graphs(3), st.integers(0, 99))
def test_names_and_order_mean_nothing(plain: Parts, other: Graph, seed: int) -> None:
    metric = S2Match(solver="brute", similarity=LCS)
    graph = plain.graph()
    wanted = score(graph, other, metric).matched
    for same in (renamed(plain, seed).graph(), shuffled(graph, seed)):
        if same.top is not None:
            assert score(same, other, metric).matched == pytest.approx(wanted, abs=1e-5)


@some
@given(graphs(4))
def test_a_graph_equals_itself(graph: Graph) -> None:
    assert score(graph, graph, S2Match(CLEAN, "brute")).score == pytest.approx(1.0)


class Idle(Solver):
    """Aligns nothing and proves nothing."""

    name = "idle"
    exact = False
    summary = "aligns nothing"

    def _solve(self, problem: AlignmentProblem, progress: Progress) -> Proposal:
        del progress
        return Proposal((-1,) * problem.n_left, None)


def test_an_unproven_bound_leaves_room_for_rounding() -> None:
    """Each pair of variables may be worth up to a unit more than was rounded."""
    left = s2match_graph("(a / cat :r (b / cats))")
    metric = S2Match(solver=Idle())
    measured = metric.measure(left, left)
    found = metric.scores(measured.statistics)
    assert measured.solution is not None
    assert (found.matched, found.proven) == (0, False)
    assert found.bound == measured.solution.bound / 1_000_000 + 2 / 1_000_000


def test_case_is_alike_where_it_is_not_equal() -> None:
    """Under a comparison that respects case, words are compared without it."""
    left, right = s2match_graph("(c / Cat)"), s2match_graph("(c / cat)")
    profile = CLEAN.with_options(comparison="exact")
    assert score(left, right, Smatch(profile, EXACT)).matched == 1
    assert score(left, right, S2Match(profile, EXACT)).matched == 2


def test_rounding_is_to_the_nearest_unit() -> None:
    """Concept and mark are alike by 6/7 each; the pair's sum is rounded once."""
    left, right = s2match_graph("(a / abc)"), s2match_graph("(a / abcd)")
    for scale, weight in ((1_000_000, 1_714_286), (10, 17), (1, 2)):
        metric = S2Match(solver=EXACT, similarity=LCS, scale=scale)
        assert metric.build_problem(
            metric.prepare(left), metric.prepare(right)
        ).problem.unary.tolist() == [weight]
        assert score(left, right, metric).matched == pytest.approx(12 / 7)
