"""One policy for answers of models, whichever trainer or evaluator calls.

What is around a well-formed graph costs nothing, a repaired graph is worth ``broken``
times its score, and an answer without a graph ``worst``.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from exactmatch.adapters.answers import Answers
from exactmatch.adapters.lm_eval import functions
from exactmatch.adapters.transformers import compute_metrics
from exactmatch.adapters.trl import smatch_reward
from exactmatch.adapters.verl import compute_score
from exactmatch.base.errors import ExactmatchWarning, InputError

GOLD = "(w / want-01 :ARG0 (b / boy) :polarity -)"

Reward = Callable[[Any], float]


def of_trl(answer: Any) -> float:
    (value,) = smatch_reward()(completions=[answer], gold=[GOLD])
    return value


def of_verl(answer: Any) -> float:
    return compute_score("amr", answer, GOLD)["score"]


def of_dspy(answer: Any) -> float:
    pytest.importorskip("dspy")
    from exactmatch.adapters.dspy import graph_metric

    found = graph_metric()(SimpleNamespace(graph=GOLD), SimpleNamespace(graph=answer))
    return float(found.score)


def of_inspect(answer: Any) -> float:
    pytest.importorskip("inspect_ai")
    from exactmatch.adapters.inspect import graph_scorer

    state = SimpleNamespace(output=SimpleNamespace(completion=answer))
    return float(asyncio.run(graph_scorer()(state, [GOLD])).value)


def of_lighteval(answer: Any) -> float:
    pytest.importorskip("lighteval")
    from exactmatch.adapters.lighteval import graph_metric

    doc = SimpleNamespace(get_golds=lambda: [GOLD])
    response = SimpleNamespace(final_text=[answer])
    return float(graph_metric().sample_level_fn.compute(doc, response))


CALLERS: list[Reward] = [of_trl, of_verl, of_dspy, of_inspect, of_lighteval]
ANSWERS = [
    (GOLD, 1.0),
    (f"```\n{GOLD}\n```", 1.0),
    (f"```amr\n{GOLD}\n```", 1.0),
    (f"Here it is:\n\n{GOLD}\n\nAnything else?", 1.0),
    (f"<think>\nperhaps (x / y)\n</think>\n{GOLD}", 1.0),
    (f"First (b / boy), but then:\n```\n{GOLD}\n```", 1.0),
    (GOLD[:-1], 0.5),
    (f"```\n{GOLD[:-1]}\n```", 0.5),
    ("I cannot.", 0.0),
    ("", 0.0),
    ("(", 0.0),
]


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_gives_an_answer_the_same_reward(caller: Reward) -> None:
    assert [caller(answer) for answer, _ in ANSWERS] == [value for _, value in ANSWERS]


def test_corpora_count_what_is_around_a_graph_as_nothing() -> None:
    around = [answer for answer, value in ANSWERS if value == 1]
    score = functions().f1([(GOLD, answer) for answer in around])
    assert score == 1.0


@pytest.mark.filterwarnings("ignore::exactmatch.errors.ExactmatchWarning")
@pytest.mark.parametrize("caller", CALLERS[:2])
def test_what_is_not_a_text_has_the_lowest_score(caller: Reward) -> None:
    answers: list[Any] = [None, 3, [{}], [{"content": None}], {"role": "assistant"}]
    assert [caller(answer) for answer in answers] == [0.0] * len(answers)


def test_judged_and_added_answers_are_worth_the_same() -> None:
    answers = Answers(broken=0.25, worst=-1.0)
    for answer, _ in ANSWERS:
        assert answers.add(answer, GOLD) == answers.judge(answer, GOLD).score
    report = answers.report()
    assert report.predictions.count == len(ANSWERS)
    answers.reset()
    assert answers.report().predictions.count == 0


def test_an_answer_too_large_to_align_has_the_lowest_score() -> None:
    large = f"(a / a {' '.join(f':x (b{n} / b)' for n in range(40))})"
    with pytest.warns(ExactmatchWarning, match="lowest score"):
        judged = Answers(max_terms=10).judge(large, large)
    assert (judged.score, judged.metric_score) == (0.0, None)
    with pytest.raises(InputError):
        Answers(max_terms=10, on_error="raise").judge(large, large)


def test_what_makes_a_reward_says_so_when_it_is_called_as_one() -> None:
    make: Any = smatch_reward
    line = r"returns: reward_funcs=smatch_reward\(gold='COLUMN'\)$"
    with pytest.raises(InputError, match=line):
        make(prompts=["Parse: …"], completions=[GOLD], gold=[GOLD])
    with pytest.raises(InputError, match=line):
        make([GOLD], gold=[GOLD])
    make = compute_metrics
    with pytest.raises(InputError, match=r"compute_metrics\(tokenizer\)"):
        make(([[1]], [[1]]))


def test_rewards_say_what_they_are() -> None:
    text = repr(smatch_reward(gold="amr", broken=0.25, worst=-1))
    for part in ("smatch_reward", "'amr'", "0.25", "-1"):
        assert part in text


def test_dspy_is_told_of_fields_that_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A field of another name is no answer of score 0."""
    fake = SimpleNamespace(Prediction=SimpleNamespace)
    monkeypatch.setitem(sys.modules, "dspy", fake)
    from exactmatch.adapters.dspy import graph_metric

    example, answer = SimpleNamespace(amr=GOLD), SimpleNamespace(amr=GOLD, reasoning="")
    with pytest.raises(
        InputError, match=r"no field 'graph' \(fields: amr, reasoning\); name them: "
    ):
        graph_metric(gold="amr")(example, answer)
    both = r"prediction has no field 'x' .* and the example has no field 'y' \(fields"
    with pytest.raises(InputError, match=both):
        graph_metric(answer="x", gold="y")(example, answer)
    alone = SimpleNamespace(amr=GOLD)
    for metric in (
        graph_metric(),
        graph_metric(gold="amr"),
        graph_metric(answer="amr"),
    ):
        assert metric(example, alone).score == 1
    assert graph_metric(answer="amr")(example, answer).score == 1
    metric = graph_metric(answer="amr", gold="amr")
    assert metric(example, answer).score == 1
    assert metric(example, SimpleNamespace()).score == 0  # a program that failed
    with pytest.raises(InputError, match=r"returns: metric=graph_metric\(\)$"):
        graph_metric(example, answer)
