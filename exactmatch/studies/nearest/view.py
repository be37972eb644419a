"""Tables of the nearest graphs, with a row for each query and graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.base.numbers import fixed, several
from exactmatch.many.bank import Bank
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.reading import read_one
from exactmatch.studies.many import columns
from exactmatch.studies.nearest.results import Nearest
from exactmatch.views.tables import Row, Table, Tables

_DRAWN = 60  # graphs that are drawn beside their queries, at most


def tables(answer: Nearest, digits: int | None = None) -> Tables:
    """Return a row for each query and graph; graphs are numbered from 1."""
    options, comparison = answer.options, answer.comparison
    quantity = comparison.what
    queries, bank = answer.names
    rows: list[dict[str, Any]] = [
        {
            "query": query,
            "rank": rank,
            "index": index,
            "id": bank[index],
            quantity: value,
        }
        for query, neighbours in zip(queries, answer.result, strict=True)
        for rank, (index, value) in enumerate(neighbours, 1)
    ]
    titles = {"query": "query", "rank": "rank", "index": "number", "id": "graph"}
    table = Table("", columns(digits, **titles, **{quantity: quantity}), rows)
    data = {"neighbours": rows}
    proof = ", the nearest proven" if comparison.proof else ""
    drawn = rows_drawn(answer, rows)
    return answer.signed_tables(
        "Nearest",
        (table._replace(rows=[*drawn, *rows[len(drawn) :]]),),
        data,
        [("k", options.most), *comparison.limits()],
        parts=_drawn(answer, drawn) if drawn else (),
        notes=(f"{_sizes(queries, bank)}{proof}",),
        is_wide=comparison.what == "score",
    )


def rows_drawn(answer: Nearest, rows: Sequence[Row]) -> list[Row]:
    """Return the rows whose graphs a page draws, if the metric aligns graphs."""
    comparison: Any = answer.comparison
    if not isinstance(getattr(comparison, "metric", None), AligningMetric):
        return []
    if any(isinstance(side, Bank) for side in comparison.sides):
        return []
    return [{**row, "_link": f"n{k}"} for k, row in enumerate(rows[:_DRAWN], 1)]


def _sizes(queries: Sequence[str], bank: Sequence[str]) -> str:
    """Return the numbers of queries and of graphs in the bank, in words."""
    queries_in_words = "1 query" if len(queries) == 1 else f"{len(queries):,} queries"
    return f"{queries_in_words} in a bank of {several(len(bank), 'graph')}"


def _drawn(answer: Nearest, rows: Sequence[Row]) -> Iterator[str]:
    """Draw the first graphs, each beside its query."""
    from exactmatch.studies.score.figures import Example, compared, examples

    metric = aligning(answer.comparison.metric)
    queries, bank = answer.comparison.sides
    query_numbers = [
        k for k, neighbours in enumerate(answer.result) for _ in neighbours
    ]
    pairs = []
    for row, query in zip(rows, query_numbers, strict=False):
        graphs = bank[row["index"]], queries[query]
        read = (read_one(metric, graph).item for graph in graphs)
        pair = metric.compare(*map(metric.prepare, read))
        name, score = f"{row['query']} and {row['id']}", fixed(row["score"], 4)
        images = pair.problem.images(pair.solution.alignment)
        alignment = {f"Nearest: {row['id']}": images}
        drawn = compared(pair.problem, alignment, f"Query: {row['query']}")
        pairs.append(Example(row["_link"], str(row["rank"]), name, score, (), drawn))
    yield from examples("Nearest graphs", pairs)
