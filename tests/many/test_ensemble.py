"""Consensus is the candidate with the highest mean score, by a plain double loop."""

from __future__ import annotations

import dataclasses
import math
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.examples import examples
from support.graph_strategies import parts

import exactmatch
from exactmatch import InputError
from exactmatch.base.errors import callers_not_warned
from exactmatch.graphs.profile import get_profile
from exactmatch.metrics.rematch import Rematch

pytestmark = pytest.mark.filterwarnings("ignore:.* as read")

SLOW = [HealthCheck.too_slow]  # drawing graphs takes long on a busy machine
candidates = st.lists(
    parts(repeat=True).map(lambda drawn: drawn.graph()), min_size=1, max_size=5
)
BARK, CAT = "(b / bark-01 :ARG0 (d / dog))", "(c / cat)"
STAR = "(a / b :ARG0 (c / d) :ARG0 (e / f))"


def expected_scores(graphs: Any, weights: Any, metric: Any = "smatch") -> list[Any]:
    """The oracle: every score by itself, summed without rounding."""
    made = exactmatch.make_metric(metric)
    total = math.fsum(weights)
    shares = [weight / total for weight in weights]
    return [
        float(
            sum(
                Fraction(exactmatch.score(a, b, metric=made).score * share)
                for b, share in zip(graphs, shares, strict=True)
            )
        )
        for a in graphs
    ]


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None, suppress_health_check=SLOW)
@given(graphs=candidates, data=st.data())
def test_it_is_the_double_loop(graphs: Any, data: Any) -> None:
    weight = st.sampled_from([0.0, 0.5, 1.0, 3.0])
    weights = data.draw(st.lists(weight, min_size=len(graphs), max_size=len(graphs)))
    weights[0] += 1
    (choice,) = exactmatch.ensemble([graphs], system_weights=weights)
    expected = expected_scores(graphs, weights)
    assert list(choice.expected) == expected
    assert choice.index == expected.index(max(expected))
    (pruned,) = exactmatch.ensemble([graphs], system_weights=weights, prune=True)
    assert pruned.index == choice.index
    for own, whole in zip(pruned.expected, expected, strict=True):
        assert own == whole or (math.isnan(own) and whole < choice.score)


@pytest.mark.parametrize("metric", ["sembleu", "s2match"])
def test_any_metric(metric: str) -> None:
    (choice,) = exactmatch.ensemble([[CAT, BARK, BARK]], metric)
    assert list(choice.expected) == expected_scores([CAT, BARK, BARK], [1] * 3, metric)


def test_hopeless_candidates_are_not_solved() -> None:
    (choice,) = exactmatch.ensemble([[BARK, BARK, CAT, BARK]], prune=True)
    assert choice.index == 0
    assert math.isnan(choice.expected[2])


def test_sentences_of_different_lengths_weights_and_references() -> None:
    choices = exactmatch.ensemble(
        [[CAT], [CAT, BARK]], system_weights=[[1], [1, 3]], golds=[CAT, CAT]
    )
    assert [choice.index for choice in choices] == [0, 1]
    assert [choice.oracle for choice in choices] == [0, 0]
    assert choices[1].gold == (1.0, exactmatch.smatch(BARK, CAT).f1)
    assert exactmatch.ensemble([]) == []


@pytest.mark.parametrize("metric", ["yisi", "smatch", "smatch of what is annotated"])
def test_references_change_nothing_of_the_expected_scores(metric: str) -> None:
    """Also of a metric that learns from them how rare a word is, or which roles are."""
    options: dict[str, Any] = {}
    if "annotated" in metric:
        metric, profile = "smatch", get_profile("smatch")
        options = {"profile": profile.with_options(ignore_unannotated=True)}
    sentences = [[CAT, BARK, "(b / bark-01 :ARG0 (c / cat))"], [BARK, CAT]]
    golds = ["(b / bark-01 :ARG1 (w / wolf))", "(d / dog)"]
    alone = exactmatch.ensemble(sentences, metric, **options)
    told = exactmatch.ensemble(sentences, metric, golds=golds, **options)
    assert [c.expected for c in told] == [c.expected for c in alone]
    for number, choice in enumerate(told):
        column = exactmatch.cdist(sentences[number], golds, metric, **options)
        assert choice.gold == tuple(column[:, number].tolist())
        assert choice.oracle == int(column[:, number].argmax())


def test_references_are_taken_by_their_places() -> None:
    """A column of a data frame has names of its own for its rows."""
    pandas = pytest.importorskip("pandas")
    sentences, golds = [[CAT, BARK], [BARK, CAT]], [BARK, "(d / dog)"]
    expected = exactmatch.ensemble(sentences, golds=golds)
    column = pandas.Series(golds, index=[1, 0])
    assert exactmatch.ensemble(sentences, golds=column) == expected
    assert exactmatch.ensemble(sentences, golds=iter(golds)) == expected


def test_an_unreadable_candidate_is_named_with_its_sentence() -> None:
    broken = "(b / bark-01) (c / cat"
    with pytest.raises(
        exactmatch.errors.ItemError, match=r"^sentence 2, candidate 1: "
    ) as at:
        exactmatch.ensemble([[CAT, BARK], [broken, BARK]])
    assert at.value.index == 0
    told = pickle.loads(pickle.dumps(at.value))
    assert str(told) == str(at.value)
    for metric in ("smatch", "yisi"):
        with pytest.raises(exactmatch.errors.ItemError, match=r"^reference 2: "):
            exactmatch.ensemble([[CAT], [BARK]], metric, golds=[CAT, broken])
    with pytest.raises(InputError, match=r"^sentence 2: graphs 1 and 2 are too large"):
        exactmatch.ensemble([[CAT, CAT], [STAR, STAR]], max_terms=17)


def test_undefined_scores_are_not_the_best() -> None:
    class Undefined(Rematch):
        def scores(self, statistics: Any) -> Any:
            found = super().scores(statistics)
            undefined = found.score in (0, 1)
            return dataclasses.replace(found, score=math.nan) if undefined else found

    metric = Undefined()
    (choice,) = exactmatch.ensemble([[CAT, BARK]], metric, golds=[BARK])
    assert (choice.index, math.isnan(choice.score)) == (0, True)
    near = "(b / bark-01 :ARG0 (c / cat))"
    (choice,) = exactmatch.ensemble([[CAT, near]], metric, golds=[BARK])
    assert choice.oracle == 1


@pytest.mark.slow
def test_processes_choose_the_same() -> None:
    sentences = [[CAT, BARK, BARK]] * 40
    alone = exactmatch.ensemble(sentences)
    assert exactmatch.ensemble(sentences, jobs=2) == alone


@pytest.mark.parametrize(
    ("sentences", "options", "message"),
    [
        ([[]], {}, "no candidate"),
        ([[CAT]], {"system_weights": [1, 2]}, "1 candidate but 2 weights"),
        ([[CAT]], {"system_weights": [0]}, "sum above zero"),
        ([[CAT]], {"system_weights": [-1]}, "must be numbers, zero or more"),
        ([[CAT]], {"system_weights": [[1], [1]]}, "weights for 2 sentences"),
        ([[CAT]], {"system_weights": ["x"]}, "a list of numbers"),
        ([[CAT]] * 2, {"system_weights": [[1], [0]]}, "of sentence 2 must be"),
        ([[CAT, CAT]], {"system_weights": [1, None]}, "must be numbers"),
        ([[CAT, CAT]], {"system_weights": [1e308, 1e308]}, "finite"),
        ([[CAT]], {"system_weights": {1: 2}}, "a list of numbers"),
        ([[CAT]], {"system_weights": 1}, "a list of numbers"),
        ([[CAT]] * 2, {"system_weights": [[1], 1]}, "a list of numbers"),
        ([[CAT]], {"golds": []}, "1 sentence but 0 references"),
        ([[CAT]], {"golds": {0: CAT}}, "no order"),
        ([[CAT]], {"golds": CAT}, "is one text"),
        ([[CAT]], {"metric": ["smatch", "wlk"]}, "name one"),
    ],
)
def test_nonsense_is_refused(
    sentences: list[list[str]], options: dict[Any, Any], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        exactmatch.ensemble(sentences, **options)


def test_who_is_not_to_be_warned_is_not_warned_by_workers() -> None:
    """A worker knows nothing of the context that it is sent work from."""
    sentences = [["(b / bark-01 :ARG0 (d / dog)"] * 2]
    with ThreadPoolExecutor(1) as worker, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        with callers_not_warned():
            exactmatch.ensemble(sentences, executor=worker)
        assert not told
        exactmatch.ensemble(sentences, executor=worker)
    assert "lacks a closing parenthesis" in str(told[0].message)
