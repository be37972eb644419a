"""Graphs that say nearly the same."""

from __future__ import annotations

from exactmatch.base.numbers import several
from exactmatch.many.options import DuplicatesOptions
from exactmatch.studies.many import OfMany, columns, command, level
from exactmatch.views.tables import Table, Tables

COMMAND = command(
    "duplicates",
    """Find every two graphs whose score is high; none is missed.

Example:
  exactmatch duplicates graphs.amr --at-least 0.9""",
    DuplicatesOptions,
)


class Duplicates(OfMany):
    """Every two graphs whose score is high; true where there are any."""

    FINDS = "exactmatch.many.search:alike"


study = Duplicates.of


def tables(answer: Duplicates, digits: int | None = None) -> Tables:
    """Return a row for each two graphs; they are numbered from 1."""
    (names,) = answer.names
    rows = [
        {
            "first": found.first + 1,
            "second": found.second + 1,
            "first_id": names[found.first],
            "second_id": names[found.second],
            "score": found.score,
        }
        for found in answer.found
    ]
    titles = {"first": "first", "second": "second"}
    titles |= {"first_id": "first graph", "second_id": "second graph"}
    table = Table("", columns(digits, **titles, score="score"), rows)
    return answer.shown(
        "Duplicates",
        (table,) if rows else (),
        {"pairs": rows},
        [level(answer.asked.at_least)],
        notes=(f"{several(len(rows), 'pair')} among {several(len(names), 'graph')}",),
        rows=table,
    )
