"""A pair under one metric, as every system that is compared has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.base.numbers import fixed
from exactmatch.base.visible import visible
from exactmatch.scoring.results import PairResult

FIELDS = (
    *("index", "id", "metric", "system", "baseline"),
    *("precision", "recall", "score", "f1_upper", "difference"),
)
"""What CSV and data frames hold of each pair and system."""

_DIGITS = 4


@dataclass(frozen=True, slots=True, repr=False)
class ComparedPair:
    """What systems got for one pair under one metric.

    Attributes:
        metric: the metric's name.
        baseline: the system that the others are held against.
        results: what each system got, best system first.
    """

    metric: str
    baseline: str
    results: Mapping[str, PairResult] = field(repr=False)

    def __repr__(self) -> str:
        scores, differences = self.scores, self.differences
        shown = [f"{name} {fixed(scores.get(name), _DIGITS)}" for name in self.results]
        for place, name in enumerate(self.results):
            if name in differences:
                told = fixed(differences[name], _DIGITS, signed=True)
                shown[place] += f" (Δ {told})"
        name = str(self.index) if self.id is None else self.id
        return visible(f"pair {name}: {self.metric} {', '.join(shown)}")

    @property
    def index(self) -> int:
        """The pair's number, from 0."""
        return next(iter(self.results.values())).index

    @property
    def id(self) -> str | None:
        """The pair's ``# ::id``."""
        return next(iter(self.results.values())).id

    @property
    def scores(self) -> dict[str, float]:
        """Each system's score, of those for which there is something to score."""
        return {
            name: result.score.score
            for name, result in self.results.items()
            if result.score.is_defined
        }

    @property
    def differences(self) -> dict[str, float]:
        """By how much each other system is better than the baseline, of the same."""
        scores = self.scores
        against = scores.pop(self.baseline, None)
        if against is None:
            return {}
        return {name: score - against for name, score in scores.items()}

    def about(self) -> dict[str, Any]:
        """Which pair and metric it is."""
        return {"index": self.index, "id": self.id, "metric": self.metric}

    def record(self) -> dict[str, Any]:
        """Everything, as an object of JSON."""
        scores, differences = self.scores, self.differences
        others = [name for name in self.results if name != self.baseline]
        return {
            **self.about(),
            "baseline": self.baseline,
            "scores": {name: scores.get(name) for name in self.results},
            "differences": {name: differences.get(name) for name in others},
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system, with :data:`FIELDS`."""
        differences = self.differences
        for name, result in self.results.items():
            score, is_defined = result.score, result.score.is_defined
            yield {
                **self.about(),
                "system": name,
                "baseline": self.baseline,
                "precision": score.precision if is_defined else None,
                "recall": score.recall if is_defined else None,
                "score": score.score if is_defined else None,
                "f1_upper": score.f1_upper,
                "difference": differences.get(name),
            }


def compared_pairs(
    metric: str,
    baseline: str,
    names: Sequence[str],
    results: Mapping[str, Sequence[PairResult]],
) -> tuple[ComparedPair, ...]:
    """Every pair, in order.

    Args:
        metric: the metric's name.
        baseline: the system that the others are held against.
        names: the systems in the order in which they are to be shown.
        results: what each of them got, in the order of the pairs.
    """
    return tuple(
        ComparedPair(metric, baseline, dict(zip(names, pair, strict=True)))
        for pair in zip(*(results[name] for name in names), strict=True)
    )
