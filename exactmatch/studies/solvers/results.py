"""List of the solvers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from exactmatch.studies.answer import Answer


@dataclass(frozen=True, eq=False, repr=False)
class KnownSolvers(Answer):
    """Every solver, with its requirements and its summary."""

    VIEW = "exactmatch.studies.solvers.view:tables"

    solvers: tuple[dict[str, Any], ...]
