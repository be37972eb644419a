"""The view of certificates: those that do not hold."""

from __future__ import annotations

from typing import Any

from exactmatch.base.numbers import from_one, several
from exactmatch.studies.verify.results import Verification
from exactmatch.views.tables import Column, Row, Table, Tables


def tables(found: Verification, digits: int | None = None) -> Tables:
    """Tables of the outcome of checking certificates."""
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
    data: dict[str, Any] = {
        "verified": found.verified,
        "optimal": found.optimal,
        "rejected": rejected,
        "missing": found.missing,
    }
    counted = f"{found.verified} verified, {found.optimal} of them optimal"
    more = []
    if found.f1 is not None:
        data |= {"faults": list(found.faults), "f1": found.f1}
        more += [f"rejected: {fault}" for fault in found.faults]
        more += [f"F1 of all pairs, as proven: {found.f1:.6f}"]
    if found.accepted is not None:
        data["accepted"] = found.accepted
        accepted = several(found.accepted, "proof")
        more += [f"{accepted} accepted by the other checker"]
    table = Table("certificates that do not hold", columns, rows)
    return Tables(
        "Certificates",
        (table,) if rows else (),
        data,
        states=(counted,),
        prose=[
            counted,
            *more,
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
