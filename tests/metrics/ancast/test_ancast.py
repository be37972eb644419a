"""AnCast and AnCast++, worked out by hand."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest

from exactmatch.base.errors import InputError
from exactmatch.formats.formats import FORMATS
from exactmatch.formats.readings import read as read_graph
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.ancast import document, match
from exactmatch.metrics.ancast.ancast import Ancast
from exactmatch.metrics.ancast.document import DocumentLevel, clusters
from exactmatch.metrics.ancast.graph import Node, SentenceGraph
from exactmatch.metrics.ancast.text import SentenceReader, UnreadableError
from exactmatch.metrics.score import Score

GOLD = """\
# :: snt1\tDogs bark

# sentence level graph:
(s1b / bark-01
    :ARG0 (s1d / dog)
    :aspect habitual)

# alignment:
s1b: 2-2
s1d: 1-1

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1b))
    :modal ((root :modal author)
            (author :full-affirmative s1b)))
"""

PRED = """\
# :: snt1\tDogs bark

# sentence level graph:
(s1x / bark-02
    :ARG1 (s1y / dog)
    :aspect habitual)

# alignment:
s1x: 2-2
s1y: 1-1

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :after s1x))
    :modal ((root :modal author)
            (author :full-affirmative s1x)))
"""


def graph_of(text: str) -> Graph:
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    item: Graph = Ancast().read(block).item
    return item


def score(pred: str = PRED, gold: str = GOLD, **options: Any) -> Score:
    metric = Ancast(**options)
    return metric.scores(metric.measure(graph_of(pred), graph_of(gold)).statistics)


def test_sentence() -> None:
    """Of two facts each one is equal, between a name like 0.9 and a constant."""
    found = score(ancast_level="sentence")
    assert found.f1 == pytest.approx((0.9 + 1) / 2 / 2)
    assert found.parts["unlabelled"].matched == pytest.approx(0.95 + 0.95)
    # the barks differ in their sense, the dogs are equal
    assert found.parts["concepts"].matched == pytest.approx((0.9 + 1) / 2 + 1)


def test_the_top_counts_in_smatch() -> None:
    """Equal: dog, habitual, and the top; in all two concepts, two facts, the top."""
    assert tuple(score().parts["smatch"]) == (3, 5, 5)
    assert tuple(score(ancast_no_top=True).parts["smatch"]) == (2, 4, 4)


def test_document() -> None:
    found = score()
    assert tuple(found.parts["modal"]) == (2, 2, 2)
    assert tuple(found.parts["temporal"]) == (0, 1 + 1, 1 + 1)
    assert found.f1 == pytest.approx((0.95 + 2) / (2 + 2 + 2))


@pytest.mark.parametrize("anchors", ["concepts", "alignment", "none", "proven"])
@pytest.mark.parametrize("level", ["document", "sentence"])
def test_itself(anchors: str, level: str) -> None:
    assert score(GOLD, GOLD, ancast_anchors=anchors, ancast_level=level).f1 == 1


def test_nothing_matches_nothing() -> None:
    metric = Ancast()
    found = metric.scores(metric.measure(metric.empty, graph_of(GOLD)).statistics)
    assert (found.precision, found.recall, found.f1) == (0, 0, 0)
    assert found.gold_total == 2 + 2 + 2
    assert metric.scores(metric.measure(metric.empty, metric.empty).statistics).f1 == 0


@pytest.mark.parametrize(
    ("pred", "gold", "expected"),
    [
        ("(a / dog)", "(b / dog)", 1.0),
        ("(a / dog-01)", "(b / dog-02)", 0.9),
        ("(a / dog)", "(b / cat)", 0.0),
        ("(a / run)", "(b / runner)", 0.5),
        ('(a / x :op1 "")', '(b / x :op1 "")', 1.0),
        ("(a / x :ARG0 a)", "(b / x :ARG0 b)", 1.0),
        ("(a / x :ARG0-of a)", "(b / x :mod b)", 0.0),
        ("(a / x :mod 1)", "(b / x :mod 1)", 1.0),
    ],
)
def test_small_graphs(pred: str, gold: str, expected: float) -> None:
    """A graph without relations is scored by its concepts."""
    for level in ("sentence", "document"):
        metric = Ancast(ancast_level=level)
        pair = metric.read(pred).item, metric.read(gold).item
        found = metric.scores(metric.measure(*pair).statistics)
        if level == "sentence" or ":" in pred:
            assert found.f1 == pytest.approx(expected)


def test_many_equal_nodes_end() -> None:
    """Where all nodes are alike every pair is as good, and the first are taken."""
    text = "(a / and " + " ".join(f":op1 (n{k} / x)" for k in range(40)) + ")"
    metric = Ancast(ancast_level="sentence")
    pair = metric.read(text).item, metric.read(text).item
    assert metric.scores(metric.measure(*pair).statistics).f1 == 1


def test_a_large_sentence_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match, "MAX_NODES", 1)
    with pytest.raises(InputError, match="2 nodes, more than 1,"):
        score()


def test_a_changed_profile_is_refused() -> None:
    with pytest.raises(InputError, match="takes no changes of profile umr"):
        Ancast(PROFILES["umr"].with_options(only=("ARG0",)))


def test_sentences_without_a_partner_count() -> None:
    second = GOLD.replace("s1", "s2").replace("snt1", "snt2")
    second = second.replace("# :: snt1", "# :: snt2")
    found = score(GOLD, GOLD + "\n\n" + second, ancast_level="sentence")
    assert (found.precision, found.recall) == (1, 0.5)


@pytest.mark.parametrize(
    ("begin", "expected"), [(":modal ((", 2), (":modal ( (", 0), (":modal (\n    (", 0)]
)
def test_brackets_stand_side_by_side(begin: str, expected: int) -> None:
    found = score(GOLD.replace(":modal ((", begin), GOLD)
    assert found.parts["modal"].matched == expected


def left_out(text: str) -> dict[str, int]:
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    return dict(Ancast().read(block).dropped)


def test_a_role_at_the_end_of_a_line_is_another_role() -> None:
    """As in the program; it is not inverse either."""
    broken = PRED.replace(":ARG1 (s1y", ":ARG1\n    (s1y")
    assert score(broken, PRED).parts["sentence"].matched == 1
    inverse = PRED.replace(":ARG1 (s1y", ":ARG1-of\n    (s1y")
    assert score(inverse, inverse).f1 == 1
    assert score(inverse, PRED.replace(":ARG1", ":ARG1-of")).f1 < 1
    assert score(broken, broken).f1 == 1
    assert left_out(broken) == {}


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        (":ARG1 (s1y", ":ARG1(s1y"),
        ("(s1y / dog)", "( s1y / dog)"),
        ("/ dog)", "/ dog/cat)"),
        (":ARG1 (s1y", ":ARG1\t(s1y"),
    ],
)
def test_unreadable_sentences_are_left_out_on_both_sides(good: str, bad: str) -> None:
    """The program leaves them out without a word; here they are counted."""
    second = PRED.replace("s1", "s2").replace("snt1", "snt2")
    broken = second.replace(good.replace("s1", "s2"), bad.replace("s1", "s2"))
    assert broken != second
    assert score(PRED + "\n\n" + broken, PRED + "\n\n" + second).f1 == 1
    assert left_out(PRED + "\n\n" + broken) == {
        "sentences that the published program cannot read": 1
    }


def test_a_changed_graph_is_not_read_from_its_old_text() -> None:
    graph = read_graph(PRED, "umr")
    metric = Ancast()
    changed = graph.revised(relations=())
    of_graph = metric.measure(metric.read(graph).item, metric.read(graph).item)
    of_changed = metric.measure(metric.read(changed).item, metric.read(graph).item)
    assert of_graph.statistics != of_changed.statistics


def test_a_name_that_two_sentences_define_has_one_number_in_the_program() -> None:
    """The program numbers names of the document, not nodes."""
    second = GOLD.replace("snt1", "snt2").replace("s1s0", "s2s0")
    twice = GOLD + "\n\n" + second
    found = score(twice, twice)
    assert found.f1 == 1
    assert found.parts["modal"] == (2, 2, 2)


def test_many_strange_heads_take_no_time() -> None:
    text = "(S / A " + ":R (S / A " * 20_000 + ":R (s1y / dog)" + ")" * 20_001
    sentence = SentenceGraph()
    with pytest.raises(UnreadableError):
        SentenceReader(text, {}, sentence).read()


def test_closure() -> None:
    (cluster,) = clusters({1: [(2, "holds")], 2: [(1, "within"), (3, "later")]})
    assert cluster.size == 3
    assert cluster.closed == {(1, 2, "holds"), (2, 3, "later")}
    entity = "same entity"
    chain = {1: [(2, entity)], 2: [(1, entity), (3, entity)], 3: [(2, entity)]}
    (cluster,) = clusters(chain)
    assert {pair[:2] for pair in cluster.closed} == {(1, 2), (1, 3), (2, 3)}
    assert clusters({}) == []


def test_a_large_closure_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MAX_CLOSED", 2)
    with pytest.raises(InputError, match="more than 2 temporal or coreference"):
        clusters({1: [(2, "later")], 2: [(3, "later")]})


def test_coreference_with_and_without_closure() -> None:
    level = DocumentLevel()
    pred, gold = SentenceGraph(), SentenceGraph()
    same = "same-entity"
    pred.triples["coref"] = [("a", same, "b"), ("b", same, "c")]
    gold.triples["coref"] = [("a", same, "b"), ("a", same, "c")]
    level.add((pred, gold), ({}, {}))
    assert level.as_written("coref") == (1, 2, 1, 2)
    assert level.closed("coref") == (3, 3, 3, 3)


def test_a_long_line_of_triples_takes_no_time() -> None:
    line = "(author :full-affirmative s1b)" * 5000
    text = GOLD.replace("(author :full-affirmative s1b)", line + " x")
    assert score(text, text).f1 > 0


def _random_sentence(rng: random.Random, size: int) -> SentenceGraph:
    names = [f"v{k}" for k in range(size)]
    words = ("bark", "run", "runner", "dog")
    sentence = SentenceGraph(
        nodes={name: Node(rng.choice(words), rng.choice((0, 1))) for name in names}
    )
    for _ in range(rng.randrange(1, 2 * size)):
        source, role = rng.choice(names), rng.choice(("arg0", "arg1"))
        sentence.facts.add((source, role, rng.choice([*names, "constant"])))
    return sentence


def _most_matches(pred: SentenceGraph, gold: SentenceGraph) -> int:
    """Try all alignments, for equal concepts, facts and tops."""
    ours, theirs = [*pred.nodes], [*gold.nodes]
    facts = pred.facts | {("TOP", "TOP", ours[0])}
    others = gold.facts | {("TOP", "TOP", theirs[0])}
    best = 0
    for choice in permutations([*theirs, *[""] * len(ours)], len(ours)):
        partner = {v: w or "NULL" for v, w in zip(ours, choice, strict=True)}
        same = sum(
            pred.nodes[v].name == gold.nodes[w].name
            and pred.nodes[v].sense == gold.nodes[w].sense
            for v, w in partner.items()
            if w != "NULL"
        )
        moved = {(partner.get(s, s), r, partner.get(t, t)) for s, r, t in facts}
        best = max(best, same + len(moved & others))
    return best


@pytest.mark.parametrize("seed", range(40))
def test_a_proven_alignment_matches_the_most(seed: int) -> None:
    """Row smatch is the optimum over all alignments, from both sides."""
    rng = random.Random(seed)
    pred, gold = (_random_sentence(rng, rng.randrange(1, 5)) for _ in range(2))
    best = _most_matches(pred, gold)
    for side in match.match_sentences(pred, gold, "proven").sides:
        assert side.equal_concepts + side.equal_facts == best
        assert side.equal_total == side.concept_total


def test_the_anchors_are_in_the_signature() -> None:
    metric = Ancast(ancast_anchors="proven")
    assert ("anchors", "proven") in metric.signature()
