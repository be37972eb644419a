"""What is shown of every pair that systems are compared on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.analysis.compare import Comparison
from exactmatch.scoring.results import PairResult
from exactmatch.writing.numbers import Share
from exactmatch.writing.tables import Column, Row, Table, Tables, fields_table

BESIDE = 2
"""So many systems stand beside the baseline in a table, so that it has 80 columns."""

FIELDS = (
    *("index", "id", "metric", "system", "baseline"),
    *("precision", "recall", "score", "f1_upper", "difference"),
)
"""What CSV holds of each pair and system."""

Results = Mapping[str, Mapping[str, Sequence[PairResult]]]
"""Each pair's result, by metric and system."""


def with_pairs(
    tables: Tables, comparisons: Sequence[Comparison], results: Results
) -> Tables:
    """A comparison with every pair that it was made on.

    Args:
        tables: the comparison.
        comparisons: one for each metric.
        results: what each system got, in the order of the pairs.
    """
    pairs = [p for c in comparisons for p in _pairs(c, results[c.metric])]
    several = len(comparisons) > 1
    return tables._replace(
        details=[t for c in comparisons for t in _details(c, pairs, several)],
        data={**tables.data, "per_pair": [pair.record() for pair in pairs]},
        rows=fields_table(FIELDS, [row for pair in pairs for row in pair.rows()]),
        lines=(pair.record() for pair in pairs),
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    """A pair under one metric.

    Attributes:
        comparison: the metric's.
        results: what each system got, best system first.
    """

    comparison: Comparison
    results: Mapping[str, PairResult] = field(repr=False)

    def scores(self) -> dict[str, float]:
        """Each system's score."""
        return {name: result.score.score for name, result in self.results.items()}

    def differences(self) -> dict[str, float]:
        """By how much each other system is better than the baseline."""
        scores, against = self.scores(), self.comparison.baseline
        return {n: s - scores[against] for n, s in scores.items() if n != against}

    def about(self) -> dict[str, Any]:
        """Which pair and metric it is."""
        first = next(iter(self.results.values()))
        metric = self.comparison.metric
        return {"index": first.index, "id": first.id, "metric": metric}

    def record(self) -> dict[str, Any]:
        """Everything, as an object of JSON."""
        return {
            **self.about(),
            "baseline": self.comparison.baseline,
            "scores": self.scores(),
            "differences": self.differences(),
        }

    def rows(self) -> Iterator[dict[str, Any]]:
        """A row for each system."""
        differences = self.differences()
        for name, result in self.results.items():
            score = result.score
            upper = score.upper()
            yield {
                **self.about(),
                "system": name,
                "baseline": self.comparison.baseline,
                "precision": score.precision,
                "recall": score.recall,
                "score": score.score,
                "f1_upper": upper[2] if upper else None,
                "difference": differences.get(name),
            }


def _pairs(
    comparison: Comparison, results: Mapping[str, Sequence[PairResult]]
) -> Iterator[_Pair]:
    names = [standing.system for standing in comparison.standings]
    for pair in zip(*(results[name] for name in names), strict=True):
        yield _Pair(comparison, dict(zip(names, pair, strict=True)))


def _details(
    comparison: Comparison, pairs: Sequence[_Pair], several: bool
) -> Iterator[Table]:
    """Tables of the pairs: the baseline, and some of the other systems beside it."""
    against = comparison.baseline
    others = [s.system for s in comparison.standings if s.system != against]
    own = [pair for pair in pairs if pair.comparison is comparison]
    title = f"{comparison.metric}, every pair" if several else ""
    for first in range(0, len(others), BESIDE):
        shown = others[first : first + BESIDE]
        columns = [
            Column("index", ""),
            Column("_id", "id", is_text=True, shrinks=True),
            Column("_baseline", against, Share(4), shrinks=True),
        ]
        for k, name in enumerate(shown):
            columns += [
                Column(f"_score_{k}", name, Share(4), shrinks=True),
                Column(f"_difference_{k}", "Δ", Share(4, signed=True)),
            ]
        rows = [_row(pair, against, shown) for pair in own]
        yield Table(title, tuple(columns), rows, sorts=True)


def _row(pair: _Pair, baseline: str, others: Sequence[str]) -> Row:
    scores, differences = pair.scores(), pair.differences()
    row = {**pair.about(), "_baseline": scores[baseline]}
    row["_id"] = row["id"] or ""
    for k, name in enumerate(others):
        row |= {f"_score_{k}": scores[name], f"_difference_{k}": differences[name]}
    return row
