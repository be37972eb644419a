"""The table of scores of UMR documents: by hand, by laws, and beside juːmæʧ."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from support.documents import umr_graphs
from support.examples import examples
from support.samples import UMR

import exactmatch
from exactmatch.formats.formats import FORMATS
from exactmatch.graphs.graph import Graph
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.smatch import Smatch
from exactmatch.metrics.umr.documents import MEASURES
from exactmatch.metrics.umr.scores import ROWS, umatch_scores, umr_scores
from exactmatch.metrics.umr.umatch import Umatch
from exactmatch.solvers.bnb import BranchAndBound
from exactmatch.solvers.problem import AlignmentProblem
from exactmatch.solvers.solution import Limits, Solution

GOLD = """\
# :: snt1
Index: 1    2    3
Words: Mary came home

# sentence level graph:
(s1c / come-01
    :ARG1 (s1p / person :refer-number singular
        :name (s1n / name :op1 "Mary"))
    :goal (s1h / home)
    :aspect performance)

# alignment:
s1c: 2-2
s1p: 0-0
s1n: 1-1
s1h: 3-3

# document level annotation:
(s1s0 / sentence
    :temporal ((document-creation-time :before s1c))
    :modal ((root :modal author) (author :full-affirmative s1c)))


# :: snt2
Index: 1   2
Words: She slept

# sentence level graph:
(s2s / sleep-01
    :ARG0 (s2p / person :refer-number singular)
    :aspect state)

# alignment:
s2s: 2-2
s2p: 1-1

# document level annotation:
(s2s0 / sentence
    :temporal ((s1c :before s2s))
    :modal ((author :full-affirmative s2s))
    :coref ((s1p :same-entity s2p)))
"""

PRED = (
    GOLD.replace("s2p", "s2q")
    .replace("(s1h / home)", "(s1h / house)")
    .replace("aspect state", "aspect activity")
    .replace("(s1c :before s2s)", "(s2s :after s1c)")
    .replace("(author :full-affirmative s2s)", "(author :full-negative s2s)")
    .replace(":goal", ":place")
)


def graph_of(text: str) -> Graph:
    (block,) = FORMATS["umr"].blocks(text.splitlines(keepends=True), None)
    return FORMATS["umr"].read(block).graph


def table(pred: Any, gold: Any, metrics: Any) -> dict[Any, Any]:
    report = exactmatch.evaluate([pred], [gold], metric=metrics)
    return {found.metric: found.score for found in report.scores}


def counts(score: Any) -> tuple[Any, Any, Any]:
    return score.matched, score.pred_total, score.gold_total


def test_every_row_by_hand() -> None:
    found = table(graph_of(PRED), graph_of(GOLD), umr_scores(roles=["ARG0"]))
    expected = {
        "concepts": (5, 6, 6),
        "arguments": (2, 2, 2),
        "participants": (2, 3, 3),  # :place is none of the reference's
        "other-relations": (1, 1, 1),
        "attributes": (4, 5, 5),
        "aspect": (1, 2, 2),
        "refer-number": (2, 2, 2),
        "arg0": (1, 1, 1),
        "polarity": (0, 0, 0),
        "document": (5, 6, 6),
        "temporal": (2, 2, 2),  # :after is :before from the other side
        "modal": (2, 3, 3),
        "coref": (1, 1, 1),
        "mentions": (2, 2, 2),
        "muc": (1, 1, 1),
        "ceaf-e": (1, 1, 1),
        "token-sets": (5, 5, 5),
        "mapped-nodes": (6, 6, 6),
        "mapped-triples": (12, 15, 15),
    }
    for name, numbers in expected.items():
        assert counts(found[name]) == numbers, name
    assert found["sentences"].matched == 5 + 2 + 1 + 4
    assert found["smatch"].matched == 12 + 5
    assert found["b-cubed"].f1 == found["conll"].score == 1
    assert found["conll"].precision is None


def test_a_node_that_nothing_supports_is_not_mapped() -> None:
    """Without words and without a common triple, a home is not a house."""
    pred = PRED.replace("s1h: 3-3", "s1h: 0-0")
    found = table(graph_of(pred), graph_of(GOLD), umr_scores())
    assert counts(found["mapped-nodes"]) == (5, 6, 6)
    assert counts(found["token-sets"]) == (4, 4, 5)
    assert counts(found["mapped-triples"]) == (12, 14, 14)


def test_chains_of_unaligned_mentions() -> None:
    """The prediction does not have the third of the three mentions in a chain."""
    link = ":coref ((s1p :same-entity s2p)"
    gold = GOLD.replace(link, link + " (s1n :same-entity s2p)")
    found = table(graph_of(GOLD), graph_of(gold), umr_scores())
    assert counts(found["mentions"]) == (2, 2, 3)
    assert counts(found["muc"]) == (1, 1, 2)
    assert found["b-cubed"].recall == pytest.approx(4 / 9)
    assert found["ceaf-e"].matched == pytest.approx(4 / 5)
    mean = (2 / 3 + 2 * (4 / 9) / (1 + 4 / 9) + 4 / 5) / 3
    assert found["conll"].score == pytest.approx(mean)


def test_a_part_of_a_set_is_no_mention_of_it() -> None:
    gold = GOLD.replace(":same-entity", ":subset-of")
    found = table(graph_of(gold), graph_of(gold), umr_scores())
    assert counts(found["coref"]) == (1, 1, 1)
    assert counts(found["mentions"]) == (0, 0, 0)


def test_roles_that_the_references_lack_are_not_charged() -> None:
    pred = PRED.replace(":aspect activity", ":aspect activity :modal-strength neutral")
    plain, ignoring = (
        table(graph_of(pred), graph_of(GOLD), umr_scores(ignore_unannotated=ignored))
        for ignored in (False, True)
    )
    assert counts(plain["modal-strength"]) == (0, 1, 0)
    assert counts(ignoring["modal-strength"]) == (0, 0, 0)
    assert ignoring["smatch"].pred_total == plain["smatch"].pred_total - 3
    assert ignoring["smatch"].matched == plain["smatch"].matched


@pytest.mark.slow
@given(pred=umr_graphs(), gold=umr_graphs())
@settings(max_examples=examples(25))
def test_rows_add_up_and_none_has_more_than_there_is(pred: Any, gold: Any) -> None:
    found = table(pred, gold, umr_scores())
    metric = Smatch(PROFILES["umr"])
    smatch = metric.scores(metric.measure(pred, gold).statistics)
    assert counts(found["smatch"]) == counts(smatch)
    parts = ("concepts", "participants", "other-relations", "attributes", "document")
    sums = Counter(dict.fromkeys(range(3), 0))
    for name in parts:
        for place, number in enumerate(counts(found[name])):
            sums[place] += number
    assert sums[1] == smatch.pred_total
    assert sums[2] == smatch.gold_total
    assert sums[0] <= smatch.matched  # the rest is stated on other levels
    for name in ROWS.keys() - {*MEASURES, "conll"}:
        matched, *totals = counts(found[name])
        assert 0 <= matched <= min(totals), name


@given(graph=umr_graphs())
@settings(max_examples=examples(25))
def test_a_document_is_itself(graph: Any) -> None:
    for score in table(graph, graph, umr_scores()).values():
        if score.pred_total and not score.metric.startswith("muc"):
            assert score.score == pytest.approx(1) or score.metric == "conll"


@given(pred=umr_graphs(), gold=umr_graphs())
@settings(max_examples=examples(25))
def test_rows_of_umatch_are_umatch_with_other_profiles(pred: Any, gold: Any) -> None:
    found = table(pred, gold, umatch_scores(roles=["mod"]))
    whole = PROFILES["umr"]
    sentences = replace(whole, beside="nothing")
    profiles = {
        "umatch": whole,
        "sentences": sentences,
        "concepts": replace(sentences, only=("concept",)),
        "aspect": replace(sentences, only=("aspect",)),
        "mod": replace(sentences, only=("mod",)),
        "modal": replace(whole, only=("modal",)),
    }
    for name, profile in profiles.items():
        metric = Umatch(profile)
        expected = metric.scores(metric.measure(pred, gold).statistics)
        assert counts(found[name]) == counts(expected), name
    kinds = {"token-sets": "aligned token sets", "mapped-nodes": "mapped nodes"}
    metric = Umatch()
    parts = metric.scores(metric.measure(pred, gold).statistics).parts
    for name, kind in kinds.items():
        assert counts(found[name]) == tuple(parts[kind]), name


class Doubtful(BranchAndBound):
    """Finds the optimum and does not prove it."""

    def solve(self, problem: AlignmentProblem, limits: Any = None) -> Solution:
        found = super().solve(problem, limits)
        return replace(found, bound=found.bound + 1)


def test_unproven_rows_say_what_they_might_be() -> None:
    found = table(graph_of(PRED), graph_of(GOLD), umr_scores(solver=Doubtful()))
    assert found["aspect"].proven is False
    assert found["aspect"].bound == 2
    assert found["muc"].proven is False


def test_rows_travel_to_other_processes() -> None:
    pred, gold = graph_of(PRED), graph_of(GOLD)
    for metrics in (umr_scores(), umatch_scores()):
        expected = table(pred, gold, metrics)
        assert table(pred, gold, pickle.loads(pickle.dumps(metrics))) == expected
    metric = umr_scores()[0]
    graphs = [metric.prepare(graph_of(text)) for text in (PRED, GOLD)]
    metric.compare(*graphs, limits=Limits())
    pickle.loads(pickle.dumps(metric))


def test_the_sample_has_a_row_for_each_kind() -> None:
    found = table(graph_of(UMR), graph_of(UMR), umr_scores())
    assert counts(found["temporal"]) == (2, 2, 2)
    assert counts(found["quant"]) == (1, 1, 1)
