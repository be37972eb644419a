"""Solved graph matching problems as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import decimals
from exactmatch.edit.matching import MatchingAsAlignment
from exactmatch.solvers.solution import Solution
from exactmatch.views.tables import Column, Table, Tables


@dataclass(frozen=True, slots=True)
class MatchingResult:
    """A problem and its solution.

    Attributes:
        name: the file.
        stated: the problem.
        solution: what the solver found and proved.
    """

    name: str
    stated: MatchingAsAlignment
    solution: Solution

    def record(self) -> dict[str, Any]:
        """Everything, as plain data."""
        matching, solution = self.stated.matching, self.solution
        alignment = self.stated.alignment(solution.alignment)
        cost = matching.cost(alignment)
        return {
            "file": self.name,
            "left": matching.sizes[0],
            "right": matching.sizes[1],
            "matches": len(matching.matches),
            "pairs": len(matching.pairs),
            "cost": cost,
            "bound": min(self.stated.least_cost(solution.bound), cost),
            "proven": solution.is_optimal,
            "rounding": self.stated.rounding,
            "seconds": solution.seconds,
            "solver": solution.solver,
            "alignment": list(alignment),
        }


def matching_tables(solved: Sequence[MatchingResult], signature: str) -> Tables:
    """All problems in a table."""
    columns = (
        Column("file", "problem"),
        Column("left", "left"),
        Column("right", "right"),
        Column("matches", "matches"),
        Column("pairs", "pairs"),
        Column("cost", "cost", lambda cost: f"{cost:.6f}"),
        Column("bound", "at least", lambda bound: f"{bound:.6f}"),
        Column("proven", "proven", lambda proven: "yes" if proven else "no"),
        Column("seconds", "seconds", decimals(3)),
    )
    records = [found.record() for found in solved]
    return Tables(
        "Graph matching",
        (Table("", columns, records),),
        {"problems": records, "signatures": [signature]},
        signatures=(signature,),
    )
