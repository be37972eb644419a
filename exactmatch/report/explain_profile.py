"""What ``exactmatch explain-profile`` shows: a row for each choice of what counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactmatch.writing.numbers import Share
from exactmatch.writing.tables import Column, Row, Table, Tables


def tables(rows: Sequence[Row], remarks: Mapping[str, int]) -> Tables:
    """Scores under each profile, and what a reader lost.

    Args:
        rows: a row for each profile, with its scores or with an error.
        remarks: in how many graphs the reader of smatch lost or tolerated what.
    """
    number = Share(4)
    columns = [
        Column("profile", "profile"),
        Column("precision", "precision", number),
        Column("recall", "recall", number),
        Column("f1", "F1", number),
        Column("change", "change", Share(4, signed=True)),
        Column("pred_total"),
        Column("gold_total"),
        Column("error", _error_title(rows), is_text=True),
    ]
    notes = [
        f"  {times} graph{'s' if times > 1 else ''}: {reason}"
        for reason, times in sorted(remarks.items(), key=lambda item: -item[1])
    ]
    return Tables(
        "Profiles",
        (Table("", tuple(columns), rows),),
        {"rows": rows, "remarks": remarks},
        notes=["what smatch's reader met:", *notes] if notes else (),
    )


def _error_title(rows: Sequence[Row]) -> str | None:
    """The heading of the errors, if there are any to show."""
    return "error" if any(row["error"] for row in rows) else None
