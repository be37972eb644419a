"""Results of checks of certificates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from exactmatch.base.numbers import fixed, from_one, several
from exactmatch.studies.answer import Answer
from exactmatch.views.tables import Column, Row, Table, Tables

if TYPE_CHECKING:
    pass


class Rejection(NamedTuple):
    """Certificate that does not hold, with the reason."""

    index: Any  # the number of its pair, as the certificate says
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Verification(Answer):
    """Outcome of checking certificates.

    Attributes:
        verified: the number of certificates that hold.
        optimal: the number of them that prove an optimum.
        rejected: the certificates that do not hold.
        missing: the numbers of the pairs without a certificate.
        faults: the faults of a folder of proofs as a whole.
        f1: for a folder, the F1 of all pairs that follows from the proofs.
        accepted: the number of proofs that another program has accepted, if it was run.

    >>> import exactmatch.studies
    >>> exactmatch.studies.Verification(2, 1, rejected=[], missing=[])
    2 verified, 1 of them optimal
    """

    verified: int
    optimal: int
    rejected: Sequence[Rejection]
    missing: Sequence[int]
    faults: Sequence[str] = ()
    f1: float | None = None
    accepted: int | None = None

    @property
    def exit_code(self) -> int:
        return 1 if self.rejected or self.missing or self.faults else 0

    def tables(self, **shown: Any) -> Tables:
        del shown
        rejected: list[Row] = [rejection._asdict() for rejection in self.rejected]
        data: dict[str, Any] = {
            "verified": self.verified,
            "optimal": self.optimal,
            "rejected": rejected,
            "missing": self.missing,
        }
        counted = f"{self.verified} verified, {self.optimal} of them optimal"
        prose = [counted]
        if self.f1 is not None:
            data |= {"faults": list(self.faults), "f1": self.f1}
            prose += [f"rejected: {fault}" for fault in self.faults]
            prose.append(f"F1 of all pairs, as proven: {fixed(self.f1, 6)}")
        if self.accepted is not None:
            data["accepted"] = self.accepted
            accepted = several(self.accepted, "proof")
            prose.append(f"{accepted} accepted by the other checker")
        for index, reason in self.rejected:
            prose.append(f"rejected: pair {from_one(index)}: {reason}")
        for index in self.missing:
            prose.append(f"missing: pair {from_one(index)} has no certificate")
        rows = [{**record, "state": "rejected"} for record in rejected]
        rows += [{"index": index, "state": "missing"} for index in self.missing]
        columns = (
            Column("index", "pair", from_one),
            Column("state", "state", is_text=True),
            Column("reason", "reason", is_text=True),
        )
        table = Table("certificates that do not hold", columns, rows)
        return Tables(
            "Certificates",
            (table,) if rows else (),
            data,
            states=(counted,),
            prose=prose,
            rows=table,
            lines=[data],
        )
