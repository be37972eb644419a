"""Table and picture of a matrix: a row for each query, a column for each choice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from exactmatch.base.numbers import several
from exactmatch.studies.matrix.results import Matrix
from exactmatch.views.tables import Column, Table, Tables


def tables(answer: Matrix, digits: int | None = None) -> Tables:
    """Return a row for each query and a column for each choice."""
    queries, choices = map(list, answer.names)
    comparison = answer.comparison
    data = {"queries": queries, "choices": choices, **comparison.plain(answer.result)}
    values, shown = data[f"{comparison.what}s"], comparison.written(digits)
    table = _crossed(queries, choices, values, comparison.what, shown)
    size = f"{len(queries)} x {several(len(choices), 'graph')}"
    notes = [f"{size}, {comparison.proof}"] if comparison.proof else []
    limits = comparison.limits()
    return answer.signed_tables(comparison.title, (table,), data, limits, notes=notes)


def _crossed(
    queries: Sequence[str],
    choices: Sequence[str],
    values: Sequence[Sequence[Any]],
    quantity: str,
    shown: Callable[[Any], str],
) -> Table:
    """Return a table with a row for each query and a column for each choice."""
    keys = [f"{quantity}_{k}" for k in range(1, len(choices) + 1)]
    titles = zip(keys, choices, strict=True)
    columns = (Column("query", "query"), *(Column(k, t, shown) for k, t in titles))
    rows = [
        {"query": name, **dict(zip(keys, row, strict=True))}
        for name, row in zip(queries, values, strict=True)
    ]
    return Table("", columns, rows)


def draw(path: str, answer: Matrix) -> None:
    """Draw the matrix as a heat map into a file."""
    from exactmatch.views.study_plots import heat_map

    queries, choices = map(list, answer.names)
    comparison = answer.comparison
    values = comparison.plain(answer.result)[f"{comparison.what}s"]
    is_score = comparison.what == "score"
    shown, highest = comparison.written(2), 1.0 if is_score else None
    heat_map(path, queries, choices, values, comparison.what, shown, highest)
