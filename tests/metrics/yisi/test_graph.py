"""YiSi on graphs: units, frames, and the laws of the score."""

from __future__ import annotations

import itertools
import pickle
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import graph_strategies as gs
from support.vectors import watched_loads

from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import blocks_of_text
from exactmatch.formats.dialects.clean import read_clean
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics import metric_class
from exactmatch.metrics.base import add
from exactmatch.metrics.score import Score
from exactmatch.metrics.yisi.graph import (
    YiSiGraph,
    meaning_of,
    role_type,
    unit_similarities,
)
from exactmatch.metrics.yisi.words import bag_similarities, phrasal_share

laws = settings(deadline=None)
OPTIONS: list[dict[str, Any]] = [
    {},
    {"joint": True, "beta": 1.0},
    {"frames": "all", "beta": 0.5, "role_types": "amr"},
    {"filler": "head", "role_matching": "before", "role_types": "core", "beta": 1.0},
    {"similarity": "exact", "frame_weights": "uniform", "role_weights": "uniform"},
    {"profile": PROFILES["smatch"], "alpha": 0.7, "idf": "uniform"},
]
some_options = st.sampled_from(OPTIONS)
graphs = gs.graphs(4)


def read(text: str) -> Graph:
    (block,) = blocks_of_text(text)
    return read_clean(block)[0]


def score(metric: YiSiGraph, pred: Graph, *golds: Graph) -> Score:
    return metric.scores(metric.measure(pred, *golds).statistics)


WANT = "(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b :polarity -))"
GIRL = "(w / want-01 :ARG0 (b / girl) :ARG1 (g / go-02 :ARG0 b :polarity -))"


# --- units and frames -------------------------------------------------------


def test_frames_are_predicates_with_the_units_under_each_role() -> None:
    meaning = meaning_of(read(WANT), str.lower)
    assert sorted(meaning.units) == ["-", "boy", "go-02", "want-01"]
    assert [
        (f.predicate.units, sorted((x.role, tuple(sorted(x.units))) for x in f.fillers))
        for f in meaning.frames
    ] == [
        (("want-01",), [("what", ("-", "boy", "go-02")), ("who", ("boy",))]),
        (("go-02",), [("how", ("-",)), ("who", ("boy",))]),
    ]


def test_head_fillers_and_all_frames() -> None:
    text = "(n / name :op1 (s / see-01 :ARG1 (d / dog :mod (b / big))))"
    (frame,) = meaning_of(read(text), str, fillers="head").frames
    assert [filler.units for filler in frame.fillers] == [("dog",)]
    found = meaning_of(read(text), str, frames="all").frames
    assert [f.predicate.units[0] for f in found] == ["name", "see-01", "dog"]


def test_a_cycle_ends_at_the_frame_itself() -> None:
    graph = read("(s / say-01 :ARG0 (p / person :ARG0-of (r / rule-01 :ARG1 s)))")
    fillers = {f.predicate.units[0]: f.fillers for f in meaning_of(graph, str).frames}
    assert [f.units for f in fillers["rule-01"]] == [("person",), ("say-01", "person")]


def test_a_predicate_without_roles_is_no_frame() -> None:
    assert meaning_of(read("(r / rain-01)"), str).frames == ()


@pytest.mark.parametrize(
    ("role", "types"),
    [
        ("ARG0", ("who", "arg0", "arg0")),
        ("ARG1", ("what", "arg1", "arg1")),
        ("beneficiary", ("whom", "rest", "beneficiary")),
        ("time", ("when", "rest", "time")),
        ("ARG4", ("where", "arg4", "arg4")),
        ("purpose", ("why", "rest", "purpose")),
        ("polarity", ("how", "rest", "polarity")),
        ("op1", ("how", "rest", "op1")),
    ],
)
def test_role_types(role: str, types: tuple[str, str, str]) -> None:
    kinds: Any = ("yisi8", "core", "amr")
    assert tuple(role_type(role, kind) for kind in kinds) == types


def test_units_are_compared_by_lemma_and_sense() -> None:
    def words(own: Sequence[str], others: Sequence[str]) -> np.ndarray:
        return np.array([[0.25 * (a[0] == b[0]) for b in others] for a in own])

    others = ["play-01", "play-11", "play", "plan-01", "y-01"]
    found = unit_similarities(["play-01", "x-01"], others, words, 0.5)
    assert found[0].tolist() == [1.0, 0.5, 0.5, 0.25, 0.0]
    assert found[1].tolist() == [0.0] * 5, "the sense is not part of the lemma"


@given(
    own=st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=4),
    others=st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=4),
    weights=st.lists(st.floats(0, 10), min_size=4, max_size=4),
    similarities=st.lists(st.floats(0, 1), min_size=20, max_size=20),
)
def test_all_phrases_at_once_are_what_each_is_by_itself(
    own: list[list[int]],
    others: list[list[int]],
    weights: list[float],
    similarities: list[float],
) -> None:
    matrix = np.array(similarities).reshape(4, 5)
    found = bag_similarities(own, others, weights, matrix)
    assert found.shape == (len(own), len(others))
    for i, phrase in enumerate(own):
        for j, other in enumerate(others):
            alike = matrix[np.ix_(phrase, other)] if phrase and other else matrix[:0]
            expected = phrasal_share([weights[unit] for unit in phrase], alike, 1)
            assert found[i, j] == pytest.approx(expected, rel=1e-12)


# --- the score, by hand -----------------------------------------------------


def test_a_score_worked_out_by_hand() -> None:
    """All weights 1, exact similarity: the girl is missing three times.

    Units: 3 of 4 found.  Frame want-01 covers 4 nodes: predicate 1, who 0, what
    2/3.  Frame go-02 covers 3: predicate 1, who 0, how 1.
    """
    metric = YiSiGraph(
        similarity="exact", idf="uniform", role_weights="uniform", beta=0.5
    )
    structure = (4 * (1 + 0 + 2 / 3) / 3 + 3 * (1 + 0 + 1) / 3) / 7
    expected = 0.5 * structure + 0.5 * 3 / 4
    found = score(metric, read(GIRL), read(WANT))
    assert found.precision == pytest.approx(expected)
    assert found.recall == pytest.approx(expected)
    assert found.score == pytest.approx(expected)


def test_confused_roles_lower_the_score() -> None:
    """Who bites whom is invisible to a bag of concepts, and not to frames."""
    gold = read("(b / bite-01 :ARG0 (d / dog) :ARG1 (m / man))")
    foil = read("(b / bite-01 :ARG1 (d / dog) :ARG0 (m / man))")
    assert score(YiSiGraph(beta=0.0), foil, gold).score == 1
    found = score(YiSiGraph(beta=1.0, role_weights="uniform"), foil, gold)
    assert found.score == pytest.approx(1 / 3), "only the predicate counts"


def test_frames_first_may_be_worth_less_than_joint() -> None:
    """Two frames with one predicate each of their own, and arguments crossed."""
    pred = read(
        "(a / and :op1 (p / plan-01 :ARG0 (x / xx)) :op2 (q / play-01 :ARG0 y))"
    )
    gold = read(
        "(a / and :op1 (p / play-01 :ARG0 (x / xx)) :op2 (q / plan-01 :ARG0 y))"
    )
    settings_: dict[str, Any] = {"beta": 1.0, "role_weights": "uniform"}
    first = score(YiSiGraph(**settings_), pred, gold).score
    joint = score(YiSiGraph(joint=True, **settings_), pred, gold).score
    assert first == pytest.approx(0.5), "predicates alike, fillers not"
    assert joint > first


def test_weights_come_from_the_references() -> None:
    """A rare unit that is missing costs more than a frequent one."""
    metric = YiSiGraph(beta=0.0, similarity="exact")
    gold = read("(a / and :op1 (r / rare) :op2 (t / the))")
    metric.fit(map(metric.prepare, [gold, *[read("(t / the)")] * 50]))
    rare = score(metric, read("(a / and :op1 (r / rare))"), gold)
    frequent = score(metric, read("(a / and :op1 (t / the))"), gold)
    assert rare.recall is not None
    assert frequent.recall is not None
    assert rare.recall > frequent.recall


# --- laws -------------------------------------------------------------------


@laws
@given(graphs, some_options)
def test_identity_is_one(graph: Graph, options: dict[str, Any]) -> None:
    found = score(YiSiGraph(**options), graph, graph)
    assert found.score == pytest.approx(1)


def test_what_scores_one_need_not_be_equal() -> None:
    """Each unit has its own best partner, and the root is not a frame."""
    one, two = (
        read("(a / and :op1 (b / boy))"),
        read("(a / and :op1 (b / boy) :op2 (c / boy))"),
    )
    assert score(YiSiGraph(), one, two).score == 1


def test_empty_graphs_score_zero_even_against_each_other() -> None:
    """The counter-example to identity, as with Smatch: nothing is found."""
    empty = Graph((), (), (), (), ())
    assert score(YiSiGraph(), empty, empty).score == 0
    assert score(YiSiGraph(), empty, read(WANT)).score == 0


@laws
@given(graphs, graphs, some_options)
def test_range(pred: Graph, gold: Graph, options: dict[str, Any]) -> None:
    found = score(YiSiGraph(**options), pred, gold)
    for value in (found.score, found.precision, found.recall):
        assert value is not None
        assert 0 <= value <= 1


@laws
@given(graphs, graphs, st.booleans())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    pred: Graph, gold: Graph, joint: bool
) -> None:
    """With uniform weights, which do not depend on the references."""
    metric = YiSiGraph(idf="uniform", role_weights="uniform", beta=0.5, joint=joint)
    there, back = score(metric, pred, gold), score(metric, gold, pred)
    assert there.precision == pytest.approx(back.recall)
    assert there.recall == pytest.approx(back.precision)
    assert there.score == pytest.approx(back.score)


@laws
@given(gs.parts(4), gs.parts(4), st.integers(0, 99), some_options)
def test_names_and_order_do_not_matter(
    pred: gs.Parts, gold: gs.Parts, seed: int, options: dict[str, Any]
) -> None:
    metric = YiSiGraph(**options)
    metric.fit(map(metric.prepare, [gold.graph()]))
    renamed = gs.shuffled(gs.renamed(pred, seed).graph(), seed)
    before = metric.measure(pred.graph(), gold.graph()).statistics
    after = metric.measure(renamed, gold.graph()).statistics
    assert after == pytest.approx(before)


def test_inverse_roles_are_the_same_graph() -> None:
    gold = read(WANT)
    turned = read(
        "(b / boy :ARG0-of (w / want-01 :ARG1 (g / go-02 :ARG0 b :polarity -)))"
    )
    assert score(YiSiGraph(beta=1.0), turned, gold).score == pytest.approx(1)


def test_deleting_a_matching_filler_lowers_recall() -> None:
    gold = read(WANT)
    less = read("(w / want-01 :ARG0 (b / boy) :ARG1 (g / go-02 :ARG0 b))")
    whole, part = (score(YiSiGraph(), graph, gold).recall for graph in (gold, less))
    assert whole is not None
    assert part is not None
    assert part < whole


@laws
@given(graphs, graphs, some_options)
def test_joint_structure_is_worth_no_less(
    pred: Graph, gold: Graph, options: dict[str, Any]
) -> None:
    given_ = {**options, "beta": 1.0}
    first = score(YiSiGraph(**{**given_, "joint": False}), pred, gold)
    joint = score(YiSiGraph(**{**given_, "joint": True}), pred, gold)
    assert joint.score >= first.score - 1e-9


@laws
@given(graphs, graphs, graphs)
def test_of_two_references_the_better_counts(a: Graph, b: Graph, c: Graph) -> None:
    metric = YiSiGraph()
    metric.fit(map(metric.prepare, [b, c]))
    both = score(metric, a, b, c).score
    assert both >= max(score(metric, a, b).score, score(metric, a, c).score) - 1e-9


def test_a_corpus_scores_the_mean_of_its_pairs() -> None:
    metric = YiSiGraph()
    texts = [WANT, GIRL, "(r / rain-01)"]
    pairs = list(itertools.product(map(read, texts), repeat=2))
    metric.fit(map(metric.prepare, [gold for _, gold in pairs]))
    total = metric.identity()
    for pred, gold in pairs:
        total = add(total, metric.measure(pred, gold).statistics)
    scores = [score(metric, pred, gold).score for pred, gold in pairs]
    assert metric.scores(total).score == pytest.approx(sum(scores) / len(scores))
    assert metric.scores(metric.identity()).score == 0


# --- options ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 2.0}, "alpha: 2.0 is not between 0 and 1"),
        ({"beta": -0.5}, "beta: -0.5 is not between 0 and 1"),
        ({"diffsense": 1.5}, "diffsense: 1.5 is not between 0 and 1"),
        ({"similarity": "vectors"}, "needs word vectors; name a file with --vectors"),
        ({"similarity": "lcs", "vectors": "f"}, "--vectors is not used"),
        ({"similarity": "euclidean"}, "similarity is 'euclidean'; it is one of"),
        ({"profile": PROFILES["sembleu"]}, "does not work with profile 'sembleu'"),
    ],
)
def test_options_without_meaning_are_refused(
    options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        YiSiGraph(**options)


def test_a_reference_is_needed() -> None:
    with pytest.raises(InputError, match="at least one reference"):
        YiSiGraph().measure(read(WANT))


def test_vectors_are_used(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "vectors.txt"
    path.write_text("boy 1 0\ngirl 3 4\n")
    for preloaded in ([], [WANT, GIRL], [WANT]):
        metric = YiSiGraph(vectors=str(path), beta=0.0, idf="uniform")
        if preloaded:
            metric.preload(preloaded)
        found = score(metric, read(GIRL), read(WANT))
        assert found.score == pytest.approx((3 + 0.6) / 4)


def test_a_quote_in_a_comment_hides_no_concept_from_preloading(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All words of the graphs are announced, so the file is not read as a whole."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / "vectors.txt"
    path.write_text("boy 1 0\ngirl 3 4\nwhale 0 1\n")
    wanted = watched_loads(monkeypatch)
    metric = YiSiGraph(vectors=str(path), beta=0.0, idf="uniform")
    metric.preload([f'# ::snt He said: "I want\n{WANT}\n# So."', f"# ::id 1\n{GIRL}"])
    found = score(metric, read(GIRL), read(WANT))
    assert found.score == pytest.approx((3 + 0.6) / 4)
    (words,) = wanted
    assert words is not None
    assert "whale" not in words


def test_a_used_metric_can_be_sent_to_another_process() -> None:
    metric = YiSiGraph()
    metric.fit(map(metric.prepare, [read(WANT), read(GIRL)]))
    expected = score(metric, read(GIRL), read(WANT))
    assert score(pickle.loads(pickle.dumps(metric)), read(GIRL), read(WANT)) == expected


def test_the_signature_names_every_option() -> None:
    """Two metrics that may differ in a score differ in their signatures."""
    assert metric_class("yisi") is YiSiGraph
    signatures = {tuple(YiSiGraph(**options).signature()) for options in OPTIONS}
    assert len(signatures) == len(OPTIONS)
