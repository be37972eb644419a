"""A scorer of JSON documents for evaluation harnesses, and the form each one expects.

:func:`scorer` needs nothing installed.  It is called with a prediction and a reference,
in this order or by the names that harnesses use, and returns the F1 as a number that
knows its precision, recall, fields and corrections.  Each other function makes
the object that one harness expects, and imports its package only if that is needed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from exactmatch.adapters import hinted
from exactmatch.adapters.answers import Answers, Judged
from exactmatch.base.errors import InputError
from exactmatch.metrics.base import Statistics
from exactmatch.metrics.score import Score

PREDICTIONS = (
    *("output", "outputs", "actual_output", "response", "prediction", "predictions"),
    *("pred", "completion", "completions", "answer", "model_output"),
)
"""Names under which harnesses pass a model's answer."""

REFERENCES = (
    *("expected", "expected_output", "reference_outputs", "reference", "references"),
    *("expectations", "gold", "target", "ground_truth", "label", "expected_response"),
)
"""Names under which harnesses pass the reference."""


class DocumentScore(float):
    """F1 of a document, a number from 0 to 1.

    Attributes:
        precision, recall: of the same comparison.
        well_formed: whether the answer needed no repair.
        statistics: the counts that are summed for a corpus.
    """

    precision: float
    recall: float
    well_formed: bool
    statistics: Statistics
    _feedback: str
    _score: Score | None
    _answers: Answers | None

    @property
    def feedback(self) -> str:
        """Corrections in words, made on first use: slower than the score."""
        if not self._feedback and self._answers and self._score is not None:
            self._feedback = self._answers.words_of(self._score, self.well_formed)
        return self._feedback

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_feedback": self.feedback, "_answers": None}

    @classmethod
    def of(cls, judged: Judged, summed: Score, answers: Answers) -> DocumentScore:
        """Return the score of an answer that was judged."""
        score = cls(judged.score)
        score.precision = float(summed.precision or 0)
        score.recall = float(summed.recall or 0)
        score._feedback, score.well_formed = judged.feedback, judged.well_formed
        score._answers = answers
        score.statistics, score._score = judged.statistics, judged.metric_score
        return score

    def fields(self) -> dict[str, float]:
        """Return the F1 of each field; empty without a document."""
        if self._score is None:
            return {}
        return {field.field: field.f1 for field in self._score.fields()}

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        names = ("precision", "recall", "feedback", "well_formed")
        values = {name: getattr(self, name) for name in names}
        return {"score": float(self), **values, "fields": self.fields()}


class DocumentScorer:
    """Scorer of documents and of answers that hold one; see :func:`scorer`."""

    __name__ = "json"

    def __init__(self, **options: Any) -> None:
        self.answers = Answers("json", **{"broken": 1.0, **options})

    def __repr__(self) -> str:
        return f"<scorer of documents: {self.version}>"

    @property
    def version(self) -> str:
        """Signature: one line that determines the numbers."""
        items = self.answers.metric.signature()
        return "|".join(("metric:json", *(f"{key}:{value}" for key, value in items)))

    def __call__(self, *both: Any, **named: Any) -> DocumentScore:
        """Score a prediction against its reference.

        Args:
            *both: the prediction and the reference, if they are not named.
            **named: the prediction under a name in :data:`PREDICTIONS`, the reference
                under one in :data:`REFERENCES`; others, such as ``input``, are ignored.

        Raises:
            GraphError: if the reference cannot be read.
            InputError: if one of the two is missing.
        """
        pred, gold = self.sides(both, named)
        judged = self.answers.judge(pred, _expected(gold), words=False)
        summed = self.answers.score_of(judged.statistics)
        return DocumentScore.of(judged, summed, self.answers)

    def total(self, scores: Iterable[DocumentScore]) -> Score:
        """Return the score of a corpus, from summed counts."""
        return self.summed([score.statistics for score in scores])

    def summed(self, rows: Sequence[Sequence[float]]) -> Score:
        """Return the score of a corpus from the statistics of its pairs."""
        if not rows:
            return self.answers.score_of(self.answers.metric.identity())
        sums = tuple(map(math.fsum, zip(*rows, strict=True)))
        return self.answers.score_of(sums)

    def sides(self, both: tuple[Any, ...], named: Mapping[str, Any]) -> list[Any]:
        """Return the prediction and the reference of a call's arguments."""
        sides = [*both]
        if len(sides) > 2:
            raise InputError(
                f"a scorer takes a prediction and a reference, not {len(sides)} values"
            )
        for what, names in (("prediction", PREDICTIONS), ("reference", REFERENCES)):
            if len(sides) > (what == "reference"):
                continue
            known = [name for name in names if name in named]
            if not known:
                raise InputError(
                    f"the {what} is missing; pass it as {names[0]}= or {names[1]}="
                )
            sides.append(named[known[0]])
        return sides


def scorer(**options: Any) -> DocumentScorer:
    """Make a scorer of JSON documents that any harness can call.

    Args:
        **options: those of metric ``json``, such as ``weights`` or ``ids``; ``worst``,
            the score of an answer without a document, and the other options of
            :class:`~exactmatch.adapters.answers.Answers`.

    >>> from exactmatch.adapters.documents import scorer
    >>> score = scorer(weights={"total": 3})
    >>> result = score(output='{"total": 1, "note": "a"}', expected={"total": 1})
    >>> result, result.precision, result.recall
    (0.8571428571428571, 0.75, 1.0)
    >>> print(result.feedback)
    json 0.8571 (P 0.7500 R 1.0000), proven
    note: "a" is too much (+0.14)
    """
    return DocumentScorer(**options)


def calls(value: Any) -> Any:
    """Return tool calls as documents; arguments that are JSON texts are decoded.

    >>> calls([{"function": {"name": "book", "arguments": '{"city": "Rome"}'}}])
    [{'name': 'book', 'arguments': {'city': 'Rome'}}]
    >>> calls({"book": {"city": "Rome"}})
    {'name': 'book', 'arguments': {'city': 'Rome'}}
    """
    if isinstance(value, list | tuple):
        return [calls(call) for call in value]
    if not isinstance(value, Mapping):
        return value
    inner = value.get("function", value)
    if not isinstance(inner, Mapping) or "name" not in inner:
        if len(value) == 1 and all(isinstance(v, Mapping) for v in value.values()):
            ((name, named),) = value.items()  # as BFCL writes a call
            return {"name": name, "arguments": dict(named)}
        return value
    arguments = inner.get("arguments", inner.get("args", {}))
    if isinstance(arguments, str):
        with suppress(ValueError):  # not JSON: compared as a text
            arguments = json.loads(arguments) if arguments.strip() else {}
    return {"name": inner["name"], "arguments": arguments}


def _expected(gold: Any) -> Any:
    """Return the reference, also from MLflow's expectations."""
    if isinstance(gold, Mapping) and set(gold) == {"expected_response"}:
        return gold["expected_response"]
    return gold


# -------------------------------------------- scorers in the harnesses' own forms


def langsmith(**options: Any) -> Any:
    """Make an evaluator for LangSmith and openevals: key, score and comment."""
    score = scorer(**options)

    def json_match(
        *, outputs: Any, reference_outputs: Any, inputs: Any = None, **others: Any
    ) -> dict[str, Any]:
        del inputs, others
        result = score(outputs, reference_outputs)
        return {"key": "json", "score": float(result), "comment": result.feedback}

    return json_match


def promptfoo(
    at_least: float = 1.0, reference: str = "expected", **options: Any
) -> Any:
    """Make ``get_assert`` for promptfoo.

    Args:
        at_least: a lower score fails.
        reference: the variable that holds the reference.
        **options: see :func:`scorer`.
    """
    score = scorer(**options)

    def get_assert(output: Any, context: Mapping[str, Any]) -> dict[str, Any]:
        variables = context["vars"]
        if reference not in variables:
            raise InputError(
                f"the variable {reference!r} holds no reference (there are: "
                f"{', '.join(variables) or 'none'}); name it by reference="
            )
        result = score(output, variables[reference])
        return {
            "pass": result >= at_least,
            "score": float(result),
            "reason": result.feedback,
            "namedScores": result.fields(),
        }

    return get_assert


def langfuse(**options: Any) -> Any:
    """Make an evaluator for experiments of Langfuse: F1, precision and recall."""
    from langfuse import Evaluation

    score = scorer(**options)

    def json_match(*, output: Any, expected_output: Any, **others: Any) -> Any:
        del others
        result = score(output, expected_output)
        return [
            Evaluation(name="json", value=float(result), comment=result.feedback),
            Evaluation(name="json_precision", value=result.precision),
            Evaluation(name="json_recall", value=result.recall),
        ]

    return json_match


def autoevals(**options: Any) -> Any:
    """Make a scorer for autoevals and Braintrust."""
    from autoevals import Score as AutoevalsScore
    from autoevals import Scorer

    score = scorer(**options)

    class JSONMatch(Scorer):  # type: ignore[misc]  # no types
        def _name(self) -> str:
            return "json"

        def _run_eval_sync(
            self, output: Any, expected: Any = None, **others: Any
        ) -> Any:
            del others
            result = score(output, expected)
            return AutoevalsScore(
                name="json", score=float(result), metadata=result.to_dict()
            )

    return JSONMatch()


def opik(**options: Any) -> Any:
    """Make a metric for Opik."""
    from opik.evaluation.metrics import base_metric, score_result

    scores = scorer(**options)

    class JSONMatch(base_metric.BaseMetric):  # type: ignore[misc]  # no types
        def score(self, output: Any, reference: Any, **others: Any) -> Any:
            del others
            result = scores(output, reference)
            return score_result.ScoreResult(
                name=self.name,
                value=float(result),
                reason=result.feedback,
                metadata=result.to_dict(),
            )

    return JSONMatch(name="json", track=False)


def mlflow(**options: Any) -> Any:
    """Make a scorer for MLflow; the reference is ``expectations``."""
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import scorer as make_scorer

    score = scorer(**options)

    def json_match(outputs: Any, expectations: Any) -> Any:
        result = score(outputs, expectations)
        values = {"json": float(result), "json_precision": result.precision}
        values["json_recall"] = result.recall
        return [
            Feedback(name=name, value=value, rationale=result.feedback)
            for name, value in values.items()
        ]

    return make_scorer(json_match, name="json")


def weave(**options: Any) -> Any:
    """Make a scorer for Weave, whose summary is the score of the corpus."""
    import weave as package

    scores = scorer(**options)

    class JSONMatch(package.Scorer):  # type: ignore[misc]  # no types
        @package.op  # type: ignore[untyped-decorator]  # likewise
        def score(self, *, output: Any, expected: Any, **others: Any) -> Any:
            del others
            result = scores(output, expected)
            return {**result.to_dict(), "statistics": [*result.statistics]}

        def summarize(self, score_rows: list[Any]) -> Any:
            rows = [row["statistics"] for row in score_rows if row]
            if not rows:
                return None
            return scores.summed(rows).to_dict()

    return JSONMatch(name="json")


def deepeval(threshold: float = 1.0, **options: Any) -> Any:
    """Make a metric for DeepEval, which succeeds from a *threshold* on."""
    from deepeval.metrics import BaseMetric

    scores = scorer(**options)

    class JSONMatch(BaseMetric):  # type: ignore[misc]  # no types
        def __init__(self) -> None:
            self.threshold = threshold
            self.async_mode = False

        @property
        def __name__(self) -> str:
            return "json"

        def measure(self, test_case: Any, *others: Any, **named: Any) -> float:
            del others, named
            result = scores(test_case.actual_output, test_case.expected_output)
            self.score, self.reason = float(result), result.feedback
            self.success = result >= self.threshold
            self.score_breakdown = result.fields()
            return self.score

        async def a_measure(self, test_case: Any, *others: Any, **named: Any) -> float:
            return self.measure(test_case, *others, **named)

        def is_successful(self) -> bool:
            return bool(self.success)

    return JSONMatch()


def pydantic_evals(**options: Any) -> Any:
    """Make an evaluator for pydantic-evals: F1 with its reason, precision, recall."""
    from dataclasses import dataclass

    from pydantic_evals.evaluators import EvaluationReason, Evaluator

    score = scorer(**options)

    @dataclass
    class JSONMatch(Evaluator):  # type: ignore[misc]  # no types
        def evaluate(self, ctx: Any) -> Any:
            result = score(ctx.output, ctx.expected_output)
            return {
                "json": EvaluationReason(float(result), result.feedback),
                "json_precision": result.precision,
                "json_recall": result.recall,
            }

        def get_evaluator_version(self) -> str:
            return score.version

    return JSONMatch()


def phoenix(**options: Any) -> Any:
    """Make an evaluator for Phoenix."""
    from phoenix.evals import create_evaluator

    score = scorer(**options)

    def json_match(output: Any, expected: Any) -> float:
        return float(score(output, expected))

    return create_evaluator(name="json", kind="code")(json_match)


def ragas(**options: Any) -> Any:
    """Make a metric for Ragas."""
    from ragas.metrics import MetricResult, numeric_metric

    score = scorer(**options)

    def json_match(response: Any, reference: Any) -> Any:
        result = score(response, reference)
        return MetricResult(value=float(result), reason=result.feedback)

    return numeric_metric(name="json", allowed_values=(0.0, 1.0))(json_match)


def verifiers(reference: str = "answer", weight: float = 1.0, **options: Any) -> Any:
    """Make a reward for verifiers, to be set as an attribute of a task class.

    Args:
        reference: the field of the task's data that holds the reference.
        weight: the weight of the reward.
        **options: see :func:`scorer`.
    """
    import verifiers.v1 as vf

    score = scorer(**options)

    async def json_match(self: Any, trace: Any) -> float:
        return float(score(trace.last_reply, getattr(self.data, reference)))

    return vf.reward(weight=weight)(json_match)


__getattr__ = hinted(__name__)
