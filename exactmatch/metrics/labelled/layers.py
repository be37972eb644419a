"""Layers of similarity: the first layer that knows both labels decides."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from exactmatch.base.deadline import check
from exactmatch.base.registry import installed
from exactmatch.graphs.profile import in_words
from exactmatch.metrics.labelled.label_values import value_of
from exactmatch.metrics.similarity.strings import (
    are_equal,
    lcs_similarities,
    lcs_similarity,
)

Table: TypeAlias = npt.NDArray[np.float64]
Similar: TypeAlias = Callable[[str, str], float]  # of two labels, in [0, 1]
_ROWS = 64  # that are compared at once, before the clock is looked at


def _levenshtein(a: str, b: str) -> float:
    return float(_rapidfuzz().distance.Levenshtein.normalized_similarity(a, b))


def _token_set(a: str, b: str) -> float:
    return float(_rapidfuzz().fuzz.token_set_ratio(a, b)) / 100


def _rapidfuzz() -> Any:
    return installed("rapidfuzz", "levenshtein and token-set need", "fuzzy")


def _levenshteins(left: Sequence[str], right: Sequence[str], cutoff: float) -> Table:
    scorer = _rapidfuzz().distance.Levenshtein.normalized_similarity
    return _cdist(scorer, left, right, cutoff)


def _token_sets(left: Sequence[str], right: Sequence[str], cutoff: float) -> Table:
    scorer = _rapidfuzz().fuzz.token_set_ratio
    return _cdist(scorer, left, right, max(0.0, 100 * cutoff - 1e-6)) / 100


def _cdist(
    scorer: Any, left: Sequence[str], right: Sequence[str], cutoff: float
) -> Table:
    options: Any = {"scorer": scorer, "score_cutoff": cutoff, "dtype": np.float64}
    table: Table = _rapidfuzz().process.cdist(left, right, **options)
    return table


class Kind(NamedTuple):
    """Functions of a similarity for different labels; ``None``: they are worth nothing.

    The function of many labels gives what that of two gives, or 0 below a cutoff.
    """

    of_two: Similar | None
    of_many: Callable[[Sequence[str], Sequence[str], float], Table] | None
    is_normal: bool  # whether it compares normalised labels


SIMILARITIES: dict[str, Kind] = {
    "exact": Kind(None, None, False),
    "normalised": Kind(None, None, True),
    "lcs": Kind(lcs_similarity, lcs_similarities, True),
    "levenshtein": Kind(_levenshtein, _levenshteins, True),
    "token-set": Kind(_token_set, _token_sets, True),
}
"""Each similarity by name."""


class Layer:
    """Similarity of labels, with its name in a signature."""

    name: str

    def similarity(self, a: str, b: str) -> float | None:
        """Compare two labels; ``None`` if this layer does not know them."""
        raise NotImplementedError

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        """Write the similarities of known labels into a table.

        Those below the cutoff may be put as 0.
        """
        del cutoff
        for i, a in enumerate(left_labels):
            for j, b in enumerate(right_labels):
                check()
                grade = self.similarity(a, b)
                if grade is not None:
                    table[i, j] = grade

    def remembering(self) -> Layer:
        """Return a layer for one pair of graphs, whose similarities never change.

        It is this layer, unless calls are costly or may differ in the last bit.
        """
        return self


class FunctionLayer(Layer):
    """A function of two labels, called once for each two labels of a pair of graphs."""

    def __init__(self, name: str, function: Callable[[str, str], Any]) -> None:
        self.name, self._function = name, function
        self._known: dict[str, dict[str, float | None]] | None = None

    def similarity(self, a: str, b: str) -> float | None:
        cached = {} if self._known is None else self._known.setdefault(a, {})
        if b not in cached:
            cached[b] = as_similarity(self._function(a, b))
        return cached[b]

    def remembering(self) -> Layer:
        if self._known is not None:
            return self
        remembering_layer = FunctionLayer(self.name, self._function)
        remembering_layer._known = {}
        return remembering_layer


def as_similarity(answer: Any) -> float | None:
    """Read a function's result; NaN, which is refused, if it is not a number."""
    if answer is None or isinstance(answer, str):
        return None if answer is None else math.nan
    try:
        return float(answer)
    except (TypeError, ValueError, OverflowError):
        return math.nan


class Layered(Layer):
    """Several similarities; the first that knows two labels decides."""

    def __init__(self, layers: Sequence[Layer]) -> None:
        self._layers = layers
        self.name = "+".join(layer.name for layer in layers)

    def similarity(self, a: str, b: str) -> float | None:
        grades = (layer.similarity(a, b) for layer in self._layers)
        return next((grade for grade in grades if grade is not None), None)

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        for layer in reversed(self._layers):
            layer.put(table, left_labels, right_labels, cutoff)

    def remembering(self) -> Layer:
        return Layered([layer.remembering() for layer in self._layers])


class NamedLayer(Layer):
    """A similarity of :data:`SIMILARITIES`; equal labels are alike."""

    def __init__(self, name: str) -> None:
        self.name = name

    def similarity(self, a: str, b: str) -> float | None:
        kind = SIMILARITIES[self.name]
        if kind.is_normal:
            a, b = in_words(a), in_words(b)
        if a == b or kind.of_two is None:
            return float(a == b)
        return kind.of_two(a, b)

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        kind = SIMILARITIES[self.name]
        if kind.is_normal:
            left_labels, right_labels = (
                [in_words(x) for x in side] for side in (left_labels, right_labels)
            )
        equal = are_equal(left_labels, right_labels)
        if kind.of_many is None:
            table[:] = equal
            return
        for begin in range(0, len(left_labels), _ROWS):
            check()
            rows = slice(begin, begin + _ROWS)
            table[rows] = kind.of_many(left_labels[rows], right_labels, cutoff)
        table[equal] = 1.0


class ValueLayer(Layer):
    """Numbers and dates, which are alike where they have the same value."""

    name = "value"

    def similarity(self, a: str, b: str) -> float | None:
        left_value, right_value = value_of(a), value_of(b)
        if left_value is None or right_value is None or left_value[0] != right_value[0]:
            return None
        return float(left_value == right_value)

    def put(
        self,
        table: Table,
        left_labels: Sequence[str],
        right_labels: Sequence[str],
        cutoff: float = 0.0,
    ) -> None:
        del cutoff
        values = [
            [value_of(label) for label in side] for side in (left_labels, right_labels)
        ]
        numbers: dict[Any, int] = {}
        for kind in ("number", "date"):
            left, right = (
                [k for k, value in enumerate(side) if value and value[0] == kind]
                for side in values
            )
            codes = [
                [numbers.setdefault(side[k], len(numbers)) for k in places]
                for side, places in zip(values, (left, right), strict=True)
            ]
            equal = np.equal.outer(*(np.array(c, dtype=np.int64) for c in codes))
            table[np.ix_(left, right)] = equal
