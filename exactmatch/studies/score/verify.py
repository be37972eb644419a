"""What ``exactmatch verify`` shows: which certificates hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactmatch.views.tables import Column, Row, Table, Tables


def tables(
    counts: Mapping[str, int], rejected: Sequence[Row], missing: Sequence[int]
) -> Tables:
    """What became of the certificates.

    Args:
        counts: how many are verified, and how many of them prove an optimum.
        rejected: pair and reason of each one that does not hold.
        missing: the pairs that have none.
    """
    rows = [
        *({**record, "state": "rejected"} for record in rejected),
        *({"index": index, "state": "missing"} for index in missing),
    ]
    columns = (
        Column("index", "pair"),
        Column("state", "state", is_text=True),
        Column("reason", "reason", is_text=True),
    )
    data: dict[str, Any] = {**counts, "rejected": rejected, "missing": missing}
    table = Table("certificates that do not hold", columns, rows)
    return Tables(
        "Certificates",
        (table,) if rows else (),
        data,
        states=(_counted(counts),),
        prose=[_counted(counts), *_lines(rejected, missing)],
        rows=table,
        lines=[data],
    )


def _counted(counts: Mapping[str, int]) -> str:
    return f"{counts['verified']} verified, {counts['optimal']} of them optimal"


def _lines(rejected: Sequence[Row], missing: Sequence[int]) -> Iterator[str]:
    for record in rejected:
        yield f"rejected: pair {record['index']}: {record['reason']}"
    for index in missing:
        yield f"missing: pair {index} has no certificate"
