"""Duplicates, as the command shows them."""

from __future__ import annotations

from exactmatch.base.numbers import several
from exactmatch.many.comparison import Comparison
from exactmatch.many.options import DuplicatesOptions
from exactmatch.many.search import alike
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.many import OfMany, level, share
from exactmatch.views.tables import Column, Table, Tables


class Duplicates(OfMany):
    """Every two graphs whose score is high; true where there are any."""

    VIEW = "exactmatch.studies.duplicates.view:tables"


def study(asked: DuplicatesOptions, reporter: Reporter = SILENCE) -> Duplicates:
    """Find every two graphs whose score is high."""
    comparison = Comparison(asked, reporter)
    return Duplicates(asked, comparison, alike(asked, comparison))


def tables(answer: Duplicates, digits: int | None = None) -> Tables:
    """Return a row for each two graphs; they are numbered from 1."""
    (names,) = answer.comparison.names
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
    columns = (
        Column("first", "first"),
        Column("second", "second"),
        Column("first_id", "first graph"),
        Column("second_id", "second graph"),
        Column("score", "score", share(digits)),
    )
    table = Table("", columns, rows)
    return answer.shown(
        "Duplicates",
        (table,) if rows else (),
        {"pairs": rows},
        [level(answer.asked.at_least)],
        notes=(f"{several(len(rows), 'pair')} among {several(len(names), 'graph')}",),
        rows=table,
    )
