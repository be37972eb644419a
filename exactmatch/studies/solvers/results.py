"""Every solver, what it needs and what it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactmatch.studies.answer import Answer


@dataclass(frozen=True, eq=False, repr=False)
class KnownSolvers(Answer):
    """Every solver, what it needs and what it does."""

    VIEW = "exactmatch.studies.solvers.view:tables"

    solvers: tuple[dict[str, Any], ...]
