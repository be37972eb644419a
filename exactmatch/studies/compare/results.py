"""Systems under one metric, and how notebooks show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.base.markup import Markup
from exactmatch.base.numbers import Share, fixed, p_value
from exactmatch.base.visible import visible
from exactmatch.metrics.score import Score
from exactmatch.scoring.results import PairResult
from exactmatch.stats.resampling import Interval, PairedTest
from exactmatch.studies.compare.compared_pairs import (
    FIELDS,
    ComparedPair,
    compared_pairs,
)
from exactmatch.studies.notebook import DIGITS, counted, ends, page
from exactmatch.views.tables import Column, Table


@dataclass(frozen=True, slots=True)
class Deciding:
    """A pair that a difference between two systems rests on.

    Attributes:
        index: the pair's number, from 0.
        id: its ``# ::id``.
        baseline_score, system_score: the pair's scores under both.
        influence: how much smaller the corpus difference is without the pair.
    """

    index: int
    id: str | None
    baseline_score: float
    system_score: float
    influence: float

    @property
    def difference(self) -> float:
        """The system's score of the pair less the baseline's."""
        return self.system_score - self.baseline_score


@dataclass(frozen=True, slots=True)
class Standing:
    """One system under one metric.

    Attributes:
        system: its name.
        rank: 1 for the best; scores that are printed alike share a rank.
        score: the corpus score.
        values: precision, recall and score; NaN where undefined.
        intervals: their bootstrap intervals.
        test: the test against the baseline; ``None`` for the baseline itself, and
            where one of them has no score.
        corrected: the test's p-value corrected for the number of tests
            (Holm 1979); ``None`` where there is a single one, or no p-value.
        deciding: the pairs with the largest differences from the baseline.
        pairs: how many pairs have what is scored.
        upper: the most that the headline number can be, where it is known.
    """

    system: str
    rank: int
    score: Score
    values: tuple[float, ...]
    intervals: tuple[Interval | None, ...]
    test: PairedTest | None
    corrected: float | None
    deciding: tuple[Deciding, ...]
    pairs: int = 0
    upper: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """All systems under one metric.

    Attributes:
        metric: the metric's name.
        baseline: the system that the others are tested against.
        pairs: how many pairs they were compared on.
        standings: the systems, best first.
        results: what each system got for each pair.
        tests: the number of tests that p-values are corrected for.

    >>> import exactmatch
    >>> golds = ["(b / bark-01 :ARG0 (d / dog))", "(r / rain-01)"]
    >>> found = exactmatch.compare({"one": golds, "other": golds[::-1]}, golds)
    >>> found.baseline, found.pairs
    ('one', 2)
    >>> found
    smatch: one 1.0000, other 0.3333 (Δ -0.6667); 2 pairs
    >>> found.per_pair()[1]
    pair 1: smatch one 1.0000, other 0.3333 (Δ -0.6667)
    """

    metric: str
    baseline: str
    pairs: int
    standings: tuple[Standing, ...]
    results: Mapping[str, Sequence[PairResult]] = field(
        default_factory=dict, compare=False
    )
    tests: int = 0

    def per_pair(self) -> tuple[ComparedPair, ...]:
        """What every system got for each pair, as ``compare --per-pair`` shows it."""
        names = [standing.system for standing in self.standings]
        return compared_pairs(self.metric, self.baseline, names, self.results)

    def to_frame(self, backend: str | None = None) -> Any:
        """A row for each pair and system, as a data frame.

        The columns are those of ``compare --per-pair --format csv``.

        Args:
            backend: ``pandas``, ``polars`` or ``pyarrow``; default: the first of these
                that is installed.

        Raises:
            InputError: if the backend is unknown.
            MissingExtraError: if narwhals or the backend is missing.
        """
        from exactmatch.scoring.frames import frame_of

        rows = [row for pair in self.per_pair() for row in pair.rows()]
        columns = {name: [row[name] for row in rows] for name in FIELDS}
        return frame_of(columns, backend)

    def __repr__(self) -> str:
        shown = []
        for standing in self.standings:
            told = f"{standing.system} {fixed(standing.values[-1], DIGITS)}"
            if standing.test is not None:
                told += f" (Δ {fixed(standing.test.difference, DIGITS, signed=True)}"
                p = standing.test.p_value
                told += ")" if p is None else f", p {p_value(p)})"
            shown.append(told)
        pairs = counted(self.pairs, "pair")
        return visible(f"{self.metric}: {', '.join(shown)}; {pairs}")

    def _repr_html_(self) -> Markup:
        """The analysis as notebooks show it."""
        number, signed = Share(DIGITS), Share(DIGITS, signed=True)
        corrected = any(s.corrected is not None for s in self.standings)
        columns = (
            Column("system", "system"),
            Column("rank", "rank"),
            Column("precision", "P", number),
            Column("recall", "R", number),
            Column("score", self.metric, number, beneath="score_ends"),
            Column("difference", "Δ", signed, beneath="difference_ends"),
            Column("p", "p", p_value),
            *((Column("corrected", "p (Holm)", p_value),) if corrected else ()),
        )
        rows = [_standing(standing) for standing in self.standings]
        about = f"{counted(self.pairs, 'pair')}; Δ and p against {self.baseline}"
        return page([Table("", columns, rows)], [about])


def _standing(standing: Standing) -> dict[str, Any]:
    precision, recall, score = standing.values
    row: dict[str, Any] = {
        "system": standing.system,
        "rank": standing.rank,
        "precision": precision,
        "recall": recall,
        "score": score,
        "score_ends": ends(standing.intervals[-1]),
    }
    if standing.test is not None:
        row |= {
            "difference": standing.test.difference,
            "difference_ends": ends(standing.test.interval),
            "p": standing.test.p_value,
            "corrected": standing.corrected,
        }
    return row
