"""What is shown of every pair that systems are compared on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactmatch.base.numbers import Share
from exactmatch.studies.compare.compared_pairs import FIELDS, ComparedPair
from exactmatch.studies.compare.results import Comparison
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table

BESIDE = 2
"""So many systems stand beside the baseline in a table, so that it has 80 columns."""


def with_pairs(tables: Tables, comparisons: Sequence[Comparison]) -> Tables:
    """A comparison with every pair that it was made on.

    Args:
        tables: the comparison.
        comparisons: one for each metric.
    """
    found = [comparison.per_pair() for comparison in comparisons]
    pairs = [pair for of_metric in found for pair in of_metric]
    several = len(comparisons) > 1
    return tables._replace(
        details=[
            table
            for comparison, own in zip(comparisons, found, strict=True)
            for table in _details(comparison, own, several)
        ],
        data={**tables.data, "per_pair": [pair.record() for pair in pairs]},
        rows=fields_table(FIELDS, [row for pair in pairs for row in pair.rows()]),
        lines=(pair.record() for pair in pairs),
    )


def _details(
    comparison: Comparison, own: Sequence[ComparedPair], several: bool
) -> Iterator[Table]:
    """Tables of the pairs: the baseline, and some of the other systems beside it."""
    against = comparison.baseline
    others = [s.system for s in comparison.standings if s.system != against]
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


def _row(pair: ComparedPair, baseline: str, others: Sequence[str]) -> Row:
    scores, differences = pair.scores, pair.differences
    row = {**pair.about(), "_baseline": scores.get(baseline)}
    row["_id"] = row["id"] or ""
    for k, name in enumerate(others):
        row[f"_score_{k}"] = scores.get(name)
        row[f"_difference_{k}"] = differences.get(name)
    return row
