"""Rewards for trainers: a number for whatever a model writes."""

from __future__ import annotations

import inspect
import math
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import exactmatch
from exactmatch import InputError
from exactmatch.adapters.trl import smatch_reward
from exactmatch.errors import ExactmatchWarning

GOLD = "(w / want-01 :ARG0 (b / boy) :polarity -)"
PRED = "(w / want-01 :ARG0 (g / girl))"
ANYTHING = st.one_of(
    st.text(alphabet='(ab/ :x"\\)\n#\x00é', max_size=40),
    st.none(),
    st.integers(),
    st.lists(st.dictionaries(st.just("content"), st.text()), max_size=2),
)


def called(reward: Any, completions: list[Any], gold: str = GOLD) -> list[float]:
    """Call a reward as TRL's trainers do: keywords alone, a list each."""
    number = len(completions)
    found: list[float] = reward(
        prompts=["Parse: …"] * number,
        completions=completions,
        completion_ids=[[1, 2]] * number,
        gold=[gold] * number,
        trainer_state=None,
    )
    return found


def test_a_readable_graph_is_worth_its_exact_f1() -> None:
    expected = exactmatch.smatch(PRED, GOLD).f1
    assert called(smatch_reward(), [PRED, GOLD]) == [expected, 1.0]


def test_conversations_are_read_by_their_last_message() -> None:
    reward = smatch_reward()
    asked = {"role": "user", "content": "(a / b)"}
    parts = [{"type": "text", "text": GOLD}]
    answers: list[Any] = [
        [{"role": "assistant", "content": GOLD}],
        [asked, {"role": "assistant", "content": GOLD}],
        [{"role": "assistant", "content": parts}],
        {"role": "assistant", "content": GOLD},
    ]
    assert called(reward, answers) == [1.0] * 4


def test_broken_graphs_are_worth_less_than_whole_ones_and_more_than_none() -> None:
    whole, unclosed, none = called(smatch_reward(), [GOLD, GOLD[:-1], "I cannot."])
    assert none == 0 < unclosed == 0.5 < whole == 1
    nearly, hardly = called(smatch_reward(), [GOLD[:-1], "(w / want-01"])
    assert nearly > hardly > 0


def test_brackets_without_a_word_are_worth_nothing() -> None:
    assert called(smatch_reward(), ["(", "()", "(a", "((((", "(a /)"]) == [0.0] * 5


def test_what_broken_graphs_are_worth_is_the_callers() -> None:
    reward = smatch_reward(broken=0.25, worst=-1.0)
    assert called(reward, [GOLD[:-1], "", None]) == [0.25, -1.0, -1.0]
    assert called(smatch_reward(broken=0), [GOLD[:-1], ""]) == [0.0, 0.0]


def test_a_graph_is_taken_out_of_what_is_around_it() -> None:
    reward = smatch_reward(extract=lambda text: text.rpartition("</think>")[2])
    assert called(reward, [f"<think>(x</think>{GOLD}", GOLD]) == [1.0, 1.0]


@pytest.mark.slow
@given(completions=st.lists(ANYTHING, max_size=4))
@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
def test_nothing_that_a_model_writes_is_an_exception(completions: list[Any]) -> None:
    found = called(smatch_reward(), completions)
    assert len(found) == len(completions)
    assert all(0 <= reward <= 1 for reward in found)


def test_an_extract_that_fails_costs_the_reward_and_not_the_training() -> None:
    reward = smatch_reward(extract=lambda text: text.split("<amr>")[1])
    with pytest.warns(ExactmatchWarning, match="lowest score"):
        assert called(reward, [GOLD]) == [0.0]


def test_a_reference_that_cannot_be_read_gives_no_reward() -> None:
    with pytest.warns(ExactmatchWarning, match="a reference cannot be read"):
        (found,) = called(smatch_reward(), [GOLD], gold="(a / b / c)")
    assert math.isnan(found)


def test_the_column_is_the_callers_and_its_absence_an_error() -> None:
    reward = smatch_reward(gold="amr")
    assert reward(completions=[GOLD], amr=[GOLD]) == [1.0]
    with pytest.raises(InputError, match=r"'amr'.*\(columns: gold, prompts\)"):
        reward(completions=[GOLD], gold=[GOLD], prompts=[""])


@pytest.mark.parametrize("options", [{"broken": 2}, {"worst": 1}, {"metric": "smach"}])
def test_nonsense_is_refused_when_the_reward_is_made(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        smatch_reward(**options)


def test_broken_completions_are_counted() -> None:
    reward = smatch_reward()
    called(reward, [GOLD, GOLD[:-1], "no", "(a / b :x (a / c))"])
    found = reward.report().predictions
    assert (found.count, found.well_formed) == (4, 0.25)
    assert found.faults == {
        "unclosed bracket": 1, "no graph": 1, "duplicate variable": 1
    }  # fmt: skip
    reward.reset()
    assert reward.report().predictions.count == 0


def test_trainers_find_a_name_and_no_coroutine() -> None:
    reward = smatch_reward(metric="s2match")
    assert reward.__name__ == "s2match_reward"
    assert callable(reward)
    assert not inspect.iscoroutinefunction(reward)


def test_rewards_pickle() -> None:
    reward = smatch_reward()
    called(reward, [PRED])
    again = pickle.loads(pickle.dumps(reward))
    assert called(again, [GOLD]) == [1.0]
    assert again.report().predictions.count == 2


def test_a_pair_has_a_time_budget() -> None:
    reward = smatch_reward(time_limit=0.5)
    called(reward, [PRED])
    assert "|limit:0.5s|" in reward.report().scores[0].signature
