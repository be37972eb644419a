"""Solved graph matching problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from exactmatch.studies.answer import Answer

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, eq=False, repr=False)
class Matchings(Answer):
    """Solved graph matching problems: their files and sizes, costs and alignments."""

    VIEW = "exactmatch.studies.solve.view:tables"

    problems: tuple[dict[str, Any], ...]
    signature: str  # what determines the costs
