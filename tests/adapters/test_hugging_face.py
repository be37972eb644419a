"""Metrics for transformers and in the manner of *evaluate*."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from exactmatch import InputError, evaluate
from exactmatch.adapters.evaluate import GraphMetric
from exactmatch.adapters.transformers import IGNORED, compute_metrics

GOLD = "(w / want-01 :ARG0 (b / boy))"
PRED = "(w / want-01 :ARG0 (g / girl))"
BROKEN = "(a / b / c)"


class Tokenizer:
    """One token a text; 0 pads."""

    pad_token_id = 0
    texts = ("", GOLD, PRED, BROKEN)

    def batch_decode(self, sequences: Any, *, skip_special_tokens: bool) -> list[str]:
        assert skip_special_tokens
        return ["".join(self.texts[token] for token in row) for row in sequences]


def predicted(predictions: Any, labels: Any) -> Any:
    """What a trainer hands over: the real thing where transformers is installed."""
    try:
        from transformers import EvalPrediction
    except ImportError:
        return (predictions, labels)
    return EvalPrediction(predictions=predictions, label_ids=labels)


def test_token_ids_become_scores() -> None:
    ids = np.array([[2, 0], [1, IGNORED], [3, IGNORED]])
    labels = np.array([[1, IGNORED]] * 3)
    found = compute_metrics(Tokenizer())(predicted(ids, labels))
    report = evaluate([PRED, GOLD, BROKEN], [GOLD] * 3, on_error="empty")
    score = report.scores[0].score
    assert found == {
        "smatch": score.score,
        "precision": score.precision,
        "recall": score.recall,
        "well_formed": pytest.approx(2 / 3),
        "fault_no_role": 1,
    }


def test_models_with_more_outputs_have_their_tokens_first() -> None:
    outputs = (np.array([[1]]), np.zeros((1, 3, 4)))
    found = compute_metrics(Tokenizer())(predicted(outputs, np.array([[1]])))
    assert found["smatch"] == 1


def test_logits_are_refused() -> None:
    with pytest.raises(InputError, match="predict_with_generate=True"):
        compute_metrics(Tokenizer())(predicted(np.zeros((1, 2, 3)), np.array([[1]])))


def test_both_sides_are_cleaned() -> None:
    found = compute_metrics(Tokenizer(), clean=lambda text: text.replace("boy", "girl"))
    scores = found(predicted(np.array([[2]]), np.array([[1]])))
    assert scores["smatch"] == pytest.approx(1)


def test_add_and_compute_are_those_of_evaluate() -> None:
    module = GraphMetric("smatch")
    module.add(prediction=PRED, reference=GOLD)
    module.add_batch(predictions=[GOLD, BROKEN], references=[GOLD, GOLD])
    found = module.compute()
    assert (
        found["smatch"] == evaluate([PRED, GOLD, ""], [GOLD] * 3, on_error="empty").f1
    )
    assert found["well_formed"] == pytest.approx(2 / 3)
    assert module.last is not None
    assert module.last.scores[0].pairs == 3
    assert module.compute(predictions=[GOLD], references=[GOLD])["smatch"] == 1
    with pytest.raises(InputError, match="or neither"):
        module.compute(predictions=[GOLD])


def test_modules_pickle_and_have_a_name() -> None:
    assert pickle.loads(pickle.dumps(GraphMetric("sembleu"))).name == "sembleu"


def test_a_module_computes_what_a_module_of_evaluate_computes() -> None:
    package = pytest.importorskip("evaluate")
    datasets = pytest.importorskip("datasets")

    class Smatch(package.Metric):  # type: ignore[name-defined]  # of a package made here
        def _info(self) -> Any:
            text = datasets.Value("string")
            features = datasets.Features({"predictions": text, "references": text})
            return package.MetricInfo(
                description="", citation="", inputs_description="", features=features
            )

        def _compute(self, predictions: Any, references: Any) -> dict[str, float]:
            module = GraphMetric("smatch")
            return module.compute(predictions=predictions, references=references)

    real = Smatch()
    real.add_batch(predictions=[PRED, GOLD], references=[GOLD, GOLD])
    ours = GraphMetric("smatch")
    ours.add_batch(predictions=[PRED, GOLD], references=[GOLD, GOLD])
    assert real.compute() == ours.compute()
