"""What makes a metric takes every option by name, and drops none in silence."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import exactmatch
from exactmatch.adapters.evaluate import GraphMetric
from exactmatch.adapters.trl import smatch_reward
from exactmatch.base.errors import InputError

CITY, WIKI = "(c / city)", '(c / city :wiki "Q1")'


@pytest.mark.parametrize("option", [{"wiki": False}, {"except_roles": "wiki"}])
def test_options_of_counting_are_keywords_of_all_that_make_a_metric(
    option: dict[str, Any],
) -> None:
    made = exactmatch.make_metric("smatch", **option)
    scores = {
        "evaluate": exactmatch.evaluate([WIKI], [CITY], made)["smatch"].score.f1,
        "Scorer": exactmatch.Scorer("smatch", **option).score(WIKI, CITY).f1,
        "score": exactmatch.score("smatch", WIKI, CITY, **option).f1,
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
    with pytest.raises(InputError, match=f"give {next(iter(option))} to make_metric"):
        exactmatch.evaluate([WIKI], [CITY], made, **option)
    with pytest.raises(InputError, match="is made already"):
        exactmatch.Scorer(made, **option)


def test_an_option_of_another_metric_is_not_suggested_for_itself() -> None:
    with pytest.raises(InputError) as refusal:
        exactmatch.make_metric("smatch", vectors="glove.txt")
    assert "did you mean" not in str(refusal.value)
    with pytest.raises(InputError, match="did you mean 'vectors'"):
        exactmatch.make_metric("smatch", vector="glove.txt")  # type: ignore[call-arg]  # on purpose


def test_signatures_of_classes_and_functions_name_the_options() -> None:
    for made in (exactmatch.Scorer, exactmatch.make_metric, smatch_reward, GraphMetric):
        known = inspect.signature(made).parameters
        assert {"profile", "wiki", "solver", "ngram"} <= set(known)
        assert "profile: how graphs are read" in (made.__doc__ or "")
