"""Solved graph matching problems as a table."""

from __future__ import annotations

from exactmatch.base.numbers import decimals
from exactmatch.studies.solve.study import Matchings
from exactmatch.views.tables import Column, Row, Table, Tables


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
    return Tables(
        "Graph matching",
        (Table("", columns, found.problems),),
        {"problems": list(found.problems), "signatures": [found.signature]},
        signatures=(found.signature,),
        numbers=Table("", (Column("_number", ""),), [*map(_number, found.problems)]),
    )


def _number(problem: Row) -> Row:
    """The cost, where it is not proven with its bound."""
    cost, bound = f"{problem['cost']:.6f}", f"{problem['bound']:.6f}"
    return {"_number": cost if problem["proven"] else f"{bound}..{cost}"}
