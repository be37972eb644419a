"""A pair under one metric, as every system that is compared has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.scoring.results import PairResult
from exactmatch.writing.numbers import fixed
from exactmatch.writing.visible import visible

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
        shown = [f"{n} {fixed(s, _DIGITS)}" for n, s in scores.items()]
        for place, name in enumerate(scores):
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
    def scores(self) -> dict[str, float | None]:
        """Each system's score, ``None`` where nothing counts."""
        return {name: result.score.shown for name, result in self.results.items()}

    @property
    def differences(self) -> dict[str, float]:
        """By how much each other system is better than the baseline."""
        others = self.scores
        against = others.pop(self.baseline)
        if against is None:
            return {}
        return {n: s - against for n, s in others.items() if s is not None}

    def about(self) -> dict[str, Any]:
        """Which pair and metric it is."""
        return {"index": self.index, "id": self.id, "metric": self.metric}

    def record(self) -> dict[str, Any]:
        """Everything, as an object of JSON."""
        return {
            **self.about(),
            "baseline": self.baseline,
            "scores": self.scores,
            "differences": self.differences,
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system, with :data:`FIELDS`."""
        differences = self.differences
        for name, result in self.results.items():
            score = result.score
            upper = score.upper()
            yield {
                **self.about(),
                "system": name,
                "baseline": self.baseline,
                "precision": score.precision if score.is_defined else None,
                "recall": score.recall if score.is_defined else None,
                "score": score.shown,
                "f1_upper": upper[2] if upper and score.is_defined else None,
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
