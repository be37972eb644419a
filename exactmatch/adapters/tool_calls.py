"""A scorer of tool calls whose arguments may have several right values.

Calls match in any order, by an assignment instead of the first call that fits.  For
each pair of a predicted and a right call the values are chosen that leave the fewest
leaves of both unmatched, and so is the assignment.  So the score is 1 if and only if
all calls are right.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from exactmatch.adapters.documents import DocumentScore, DocumentScorer, calls
from exactmatch.base.errors import InputError
from exactmatch.metrics.score import Score
from exactmatch.solvers.matching import best_matching

ANY = "$any"
"""Key of an object that stands for any one of a list of values."""

ABSENT = ""
"""Value of an argument that may be left out, in the forms of BFCL."""


class _Call(NamedTuple):
    """A right call: the values that each argument may have; none of them is absence."""

    name: Any
    arguments: dict[str, list[Any]]
    may_lack: frozenset[str]


class ToolCallScorer:
    """Scorer of tool calls; see :func:`tool_calls`."""

    __name__ = "tool_calls"

    def __init__(self, **options: Any) -> None:
        self.scorer = DocumentScorer(**options)

    def __repr__(self) -> str:
        return f"<scorer of tool calls: {self.scorer.version}>"

    def __call__(self, *both: Any, **named: Any) -> DocumentScore:
        """Score predicted calls against the right ones.

        Args:
            *both: the prediction and the reference, if they are not named.
            **named: as those of a scorer of documents.

        Raises:
            InputError: if the reference holds something that is not a call.
        """
        pred, gold = self.scorer.sides(both, named)
        golds = [_right_call(call) for call in _listed(_decoded(gold))]
        preds = self._predicted(pred)
        if preds is None:
            return self.scorer(pred, [_document(call, {}) for call in golds])
        return self.scorer(preds, self._chosen(preds, golds))

    def total(self, scores: Iterable[DocumentScore]) -> Score:
        """Return the score of a corpus, from summed counts."""
        return self.scorer.total(scores)

    def _predicted(self, pred: Any) -> list[Any] | None:
        """Return predicted calls; ``None`` without a document."""
        if isinstance(pred, str):
            (side,) = self.scorer.answers.scorer.prepare([pred])
            if side.error is not None or side.prepared is None:
                return None
            pred = side.prepared.document.value
        return _listed(calls(pred))

    def _chosen(self, preds: Sequence[Any], golds: Sequence[_Call]) -> list[Any]:
        """Return the right calls with the values that fit the prediction best."""
        alone = [self._fitted({}, call) for call in golds]
        documents: list[Any] = [document for document, _ in alone]
        if not preds or not golds:
            return documents
        fitted = [[self._fitted(pred, call) for call in golds] for pred in preds]
        gains = [
            [max(0, gain - lone[1]) for (_, gain), lone in zip(row, alone, strict=True)]
            for row in fitted
        ]
        rows, columns = best_matching(np.array(gains, dtype=np.float64))
        for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
            if gains[i][j] > 0:
                documents[j] = fitted[i][j][0]
        return documents

    def _fitted(self, pred: Any, call: _Call) -> tuple[Any, float]:
        """Choose the values of a right call for a predicted one.

        Returns:
            The call, and twice what matches less what the call weighs.
        """
        is_call = isinstance(pred, Mapping) and isinstance(
            pred.get("arguments"), Mapping
        )
        predicted = pred["arguments"] if is_call else {}
        chosen: dict[str, Any] = {}
        for name, values in call.arguments.items():
            if name not in predicted and name in call.may_lack:
                continue
            best, chosen[name] = -np.inf, values[0]
            for value in values:
                inside = (
                    {"arguments": {name: predicted[name]}} if name in predicted else {}
                )
                gain = self._gain(inside, {"arguments": {name: value}})
                if gain > best:
                    best, chosen[name] = gain, value
        document = _document(call, chosen)
        return document, self._gain(pred, document)

    def _gain(self, pred: Any, gold: Any) -> float:
        metric = self.scorer.answers.metric
        items = [metric.read([side]).item for side in (pred, gold)]
        matched, _, _, gold_size, *_ = metric.measure(*items).statistics
        return 2 * matched - gold_size


def tool_calls(**options: Any) -> ToolCallScorer:
    """Make a scorer of tool calls, in any order.

    A call is ``{"name": …, "arguments": {…}}``, OpenAI's ``{"function": {…}}``, where
    the arguments may be a JSON text, or BFCL's ``{name: {argument: value}}``.  In a
    reference an argument ``{"$any": [value, …]}`` may have each of these values; in the
    form of BFCL each argument is such a list, in which ``""`` means that it may be left
    out.

    Args:
        **options: see :func:`~exactmatch.adapters.documents.scorer`.

    >>> from exactmatch.adapters.tool_calls import tool_calls
    >>> score = tool_calls()
    >>> right = [{"book": {"city": ["Rome", "Paris"]}}, {"book": {"city": ["Rome"]}}]
    >>> cities = ("Paris", "Rome"), ("Rome", "Paris"), ("Paris", "Oslo")
    >>> [float(score([{"book": {"city": c}} for c in two], right)) for two in cities]
    [1.0, 1.0, 0.75]
    """
    return ToolCallScorer(**options)


def _decoded(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError as error:
        raise InputError(
            f"the reference is not JSON: {error}; give a list of calls"
        ) from None


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _right_call(value: Any) -> _Call:
    """Read a call of a reference, with all values of its arguments."""
    call = calls(value)
    if not isinstance(call, Mapping) or not isinstance(call.get("arguments"), Mapping):
        raise InputError(
            f"the reference holds {value!r}, which is not a call; write "
            '{"name": …, "arguments": {…}}'
        )
    is_keyed = "name" not in value and "function" not in value
    arguments, may_lack = dict[str, list[Any]](), set[str]()
    for name, argument in call["arguments"].items():
        values = [argument]
        if isinstance(argument, Mapping) and set(argument) == {ANY}:
            values = _listed(argument[ANY])
        elif is_keyed and isinstance(argument, list):
            values = argument
            if ABSENT in values:
                may_lack.add(name)
                values = [one for one in values if one != ABSENT] or [ABSENT]
        if not values:
            raise InputError(
                f"the argument {name} of the reference has an empty list of values; "
                "name at least one"
            )
        arguments[name] = values
    return _Call(call["name"], arguments, frozenset(may_lack))


def _document(call: _Call, chosen: Mapping[str, Any]) -> Any:
    """Return a right call as a document; arguments that are not chosen may lack."""
    arguments = {
        name: chosen.get(name, values[0])
        for name, values in call.arguments.items()
        if name in chosen or name not in call.may_lack
    }
    return {"name": call.name, "arguments": arguments}
