"""View of duplicates: a row for each two graphs."""

from __future__ import annotations

from exactmatch.base.numbers import several
from exactmatch.many.scores import level
from exactmatch.studies.duplicates.results import Duplicates
from exactmatch.studies.many import columns
from exactmatch.views.tables import Table, Tables


def tables(answer: Duplicates, digits: int | None = None) -> Tables:
    """Return a row for each two graphs; they are numbered from 1."""
    (names,) = answer.names
    rows = [
        {
            "first": pair.first + 1,
            "second": pair.second + 1,
            "first_id": names[pair.first],
            "second_id": names[pair.second],
            "score": pair.score,
        }
        for pair in answer.result
    ]
    titles = {"first": "first", "second": "second"}
    titles |= {"first_id": "first graph", "second_id": "second graph"}
    table = Table("", columns(digits, **titles, score="score"), rows)
    return answer.signed_tables(
        "Duplicates",
        (table,) if rows else (),
        {"pairs": rows},
        [level(answer.options.at_least)],
        notes=(f"{several(len(rows), 'pair')} among {several(len(names), 'graph')}",),
        rows=table,
    )
