"""Solved graph matching problems as a table."""

from __future__ import annotations

from typing import Any

from exactmatch.base.numbers import decimals
from exactmatch.studies.solve.study import Matchings, Solved
from exactmatch.views.tables import Column, Table, Tables


def tables(found: Matchings, digits: int | None = None) -> Tables:
    """All problems in a table; costs have the decimals that they have."""
    del digits
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
    records = [_record(one) for one in found.problems]
    return Tables(
        "Graph matching",
        (Table("", columns, records),),
        {"problems": records, "signatures": [found.signature]},
        signatures=(found.signature,),
    )


def _record(solved: Solved) -> dict[str, Any]:
    matching, solution = solved.stated.matching, solved.solution
    alignment = solved.stated.alignment(solution.alignment)
    cost = matching.cost(alignment)
    return {
        "file": solved.name,
        "left": matching.sizes[0],
        "right": matching.sizes[1],
        "matches": len(matching.matches),
        "pairs": len(matching.pairs),
        "cost": cost,
        "bound": min(solved.stated.least_cost(solution.bound), cost),
        "proven": solution.is_optimal,
        "rounding": solved.stated.rounding,
        "seconds": solution.seconds,
        "solver": solution.solver,
        "alignment": list(alignment),
    }
