"""Certificates that hold, and those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from exactmatch.studies.answer import Answer


class Rejection(NamedTuple):
    """A certificate that does not hold.

    Attributes:
        index: the number of its pair, as the certificate says.
        reason: why it is rejected.
    """

    index: Any
    reason: str


@dataclass(frozen=True, eq=False, repr=False)
class Verification(Answer):
    """The outcome of checking certificates.

    Attributes:
        verified: how many hold.
        optimal: how many of them prove an optimum.
        rejected: those that do not hold.
        missing: the numbers of the pairs that have none.
        faults: what is wrong with a folder of proofs as a whole.
        f1: of a folder, the F1 of all pairs as the proofs have it.
        accepted: how many proofs another program has accepted, if one was asked.

    >>> import exactmatch.studies
    >>> exactmatch.studies.Verification(2, 1, rejected=[], missing=[])
    2 verified, 1 of them optimal
    """

    VIEW = "exactmatch.studies.verify.view:tables"

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
