"""What makes a metric takes every option by name, and drops none in silence."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import exactmatch
from exactmatch.adapters.evaluate import GraphMetric
from exactmatch.adapters.trl import smatch_reward
from exactmatch.base.errors import InputError
from exactmatch.metrics import METRICS, metric_class

CITY, WIKI = "(c / city)", '(c / city :wiki "Q1")'


@pytest.mark.parametrize("option", [{"wiki": False}, {"except_roles": "wiki"}])
def test_options_of_counting_are_keywords_of_all_that_make_a_metric(
    option: dict[str, Any],
) -> None:
    made = exactmatch.make_metric("smatch", **option)
    scores = {
        "evaluate": exactmatch.evaluate([WIKI], [CITY], made)["smatch"].score.f1,
        "Scorer": exactmatch.Scorer("smatch", **option).score(WIKI, CITY).f1,
        "score": exactmatch.score(WIKI, CITY, metric="smatch", **option).f1,
        "reward": smatch_reward(**option)([WIKI], gold=[CITY])[0],
        "module": GraphMetric(**option).compute(predictions=[WIKI], references=[CITY])[
            "smatch"
        ],
    }
    assert set(scores.values()) == {1.0}, scores
    assert exactmatch.Scorer("smatch").score(WIKI, CITY).f1 < 1


@pytest.mark.parametrize(
    "option", [{"profile": "clean"}, {"wiki": False}, {"ngram": 2}, {"solver": "cbc"}]
)
def test_options_do_not_fall_silent_beside_a_metric_that_is_made(
    option: dict[str, Any],
) -> None:
    made = exactmatch.make_metric("smatch")
    (name,) = option
    way_out = f"give {name} to make_metric|give metric=make_metric\\(.*, {name}="
    with pytest.raises((InputError, TypeError), match=way_out):
        exactmatch.evaluate([WIKI], [CITY], made, **option)
    with pytest.raises(InputError, match="is made already"):
        exactmatch.Scorer(made, **option)


def test_an_option_of_another_metric_is_not_suggested_for_itself() -> None:
    with pytest.raises(InputError) as refusal:
        exactmatch.make_metric("smatch", vectors="glove.txt")
    assert "did you mean" not in str(refusal.value)
    assert "it belongs to s2match or yisi" in str(refusal.value)
    with pytest.raises(InputError, match="did you mean 'vectors'"):
        exactmatch.make_metric("smatch", vector="glove.txt")


def test_a_metric_is_an_object_with_its_own_options() -> None:
    made = exactmatch.metrics.S2Match(profile="clean", cutoff=0.75)
    wanted = exactmatch.make_metric("s2match", profile="clean", cutoff=0.75)
    assert made.signature() == wanted.signature()
    report = exactmatch.evaluate([CITY], [WIKI], ["smatch", made])
    assert [score.metric for score in report.scores] == ["smatch", "s2match"]
    for name in METRICS.own:
        cls = METRICS[name]
        assert getattr(exactmatch.metrics, cls.__name__) is cls
    with pytest.raises(AttributeError, match="no attribute 'S3Match'"):
        _ = exactmatch.metrics.S3Match
    with pytest.raises(InputError, match="unknown profile 'claen'; did you mean"):
        exactmatch.metrics.Smatch(profile="claen")
    with pytest.raises(TypeError, match="unexpected keyword argument 'cutof'"):
        exactmatch.metrics.S2Match(cutof=0.75)


def test_signatures_of_classes_and_functions_name_the_options() -> None:
    for made in (exactmatch.Scorer, exactmatch.make_metric, smatch_reward, GraphMetric):
        known = inspect.signature(made).parameters
        assert {"profile", "wiki", "solver", "options"} <= set(known)
        assert known["options"].kind is inspect.Parameter.VAR_KEYWORD
        assert "profile: how graphs are read" in (made.__doc__ or "")
    known = inspect.signature(metric_class("sembleu")).parameters
    assert {"profile", "sembleu", "ngram", "weights"} == set(known)
    assert "ngram: highest order" in (metric_class("sembleu").__doc__ or "")
