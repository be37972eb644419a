"""What is shown of every pair that metrics are held against people on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactmatch.base.numbers import Real, Share
from exactmatch.views.tables import Column, Table, Tables, fields_table

BESIDE = 4
"""So many metrics stand side by side in a table, so that it has 80 columns."""


def with_pairs(
    tables: Tables,
    ids: Mapping[int, str | None],
    human: Sequence[float | None],
    scores: Mapping[str, Sequence[float | None]],
    asked: str = "people",
) -> Tables:
    """An answer with every pair that it rests on.

    Args:
        tables: the answer.
        ids: the pairs' ids by their numbers.
        human: what people say of each pair; ``None`` where nobody judged.
        scores: each metric's scores of the pairs; ``None`` where it has none.
        asked: what people's column is called.
    """
    objects: list[dict[str, Any]] = [
        {
            "index": index,
            "id": ids.get(index),
            asked: said,
            "scores": {metric: given[index] for metric, given in scores.items()},
        }
        for index, said in enumerate(human)
    ]
    rows = [{**p, "_id": p["id"] or "", **p["scores"]} for p in objects]
    return tables._replace(
        details=[*_tables(rows, [*scores], asked)],
        data={**tables.data, "per_pair": objects},
        rows=fields_table(("index", "id", asked, *scores), rows),
        lines=objects,
    )


def _tables(
    rows: Sequence[Mapping[str, Any]], metrics: Sequence[str], asked: str
) -> Iterator[Table]:
    for first in range(0, len(metrics), BESIDE):
        columns = (
            Column("index", ""),
            Column("_id", "id", is_text=True, shrinks=True),
            Column(asked, asked, Real(2)),
            *(
                Column(metric, metric, Share(4), shrinks=True)
                for metric in metrics[first : first + BESIDE]
            ),
        )
        yield Table("", columns, rows, sorts=True)
