"""The view of certificates: those that do not hold."""

from __future__ import annotations

from exactmatch.base.numbers import from_one
from exactmatch.studies.verify.results import Verification
from exactmatch.views.tables import Column, Row, Table, Tables


def tables(found: Verification, digits: int | None = None) -> Tables:
    """What became of the certificates."""
    del digits
    rejected: list[Row] = [rejection._asdict() for rejection in found.rejected]
    rows = [
        *({**record, "state": "rejected"} for record in rejected),
        *({"index": index, "state": "missing"} for index in found.missing),
    ]
    columns = (
        Column("index", "pair", from_one),
        Column("state", "state", is_text=True),
        Column("reason", "reason", is_text=True),
    )
    data = {
        "verified": found.verified,
        "optimal": found.optimal,
        "rejected": rejected,
        "missing": found.missing,
    }
    counted = f"{found.verified} verified, {found.optimal} of them optimal"
    table = Table("certificates that do not hold", columns, rows)
    return Tables(
        "Certificates",
        (table,) if rows else (),
        data,
        states=(counted,),
        prose=[
            counted,
            *(
                f"rejected: pair {from_one(one.index)}: {one.reason}"
                for one in found.rejected
            ),
            *(
                f"missing: pair {from_one(index)} has no certificate"
                for index in found.missing
            ),
        ],
        rows=table,
        lines=[data],
    )
