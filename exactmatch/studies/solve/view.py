"""Table of solved problems, with a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactmatch.base.numbers import decimals
from exactmatch.views.tables import Column, Row, Table, Tables

if TYPE_CHECKING:
    pass
from exactmatch.studies.solve.results import Matchings

_COST = "{:.6f}".format


def _number(problem: Row) -> Row:
    """Return the cost, with its bound if it is not proven."""
    cost, bound = _COST(problem["cost"]), _COST(problem["bound"])
    return {"_number": cost if problem["proven"] else f"{bound}..{cost}"}


def tables(answer: Matchings, **shown: Any) -> Tables:
    """Return the tables that the command shows."""
    del shown  # costs always have six decimals
    columns = (
        Column("file", "problem"),
        *(Column(key, key) for key in ("left", "right", "matches", "pairs")),
        Column("cost", "cost", _COST),
        Column("bound", "at least", _COST),
        Column("proven", "proven", lambda proven: "yes" if proven else "no"),
        Column("seconds", "seconds", decimals(3)),
    )
    return Tables(
        "Graph matching",
        (Table("", columns, answer.problems),),
        {"problems": list(answer.problems), "signatures": [answer.signature]},
        signatures=(answer.signature,),
        numbers=Table("", (Column("_number", ""),), [*map(_number, answer.problems)]),
    )
