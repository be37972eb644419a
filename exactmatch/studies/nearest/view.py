"""The nearest graphs, as the command shows them."""

from __future__ import annotations

from exactmatch.base.errors import InputError
from exactmatch.base.files import check_writable
from exactmatch.many.bank import Bank
from exactmatch.many.comparison import Comparison
from exactmatch.many.search import nearest
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.many import OfMany, level, share
from exactmatch.studies.nearest.options import NearestOptions
from exactmatch.views.tables import Column, Table, Tables


class Nearest(OfMany):
    """The most similar graphs of a bank for each query."""

    VIEW = "exactmatch.studies.nearest.view:tables"


def study(asked: NearestOptions, reporter: Reporter = SILENCE) -> Nearest | None:
    """Find the most similar graphs of a bank, and save the bank.

    Returns:
        The graphs; ``None`` where none are looked for.
    """
    if asked.queries is None and asked.save is None:
        raise InputError("name a file of queries after the bank, or a file to --save")
    if asked.k is None and asked.at_least is None:
        asked = asked.but(k=10)
    comparison = Comparison(asked, reporter)
    sides = [side for side in (asked.bank, asked.queries) if side is not None]
    if asked.save is not None:
        check_writable(asked.save)
    bank, *queries = comparison.open(*sides)
    if asked.save is not None:
        if not isinstance(bank, Bank):
            bank = Bank.read(comparison, bank)
        bank.save(asked.save)
    if not queries:
        comparison.finish()
        return None
    found = nearest(comparison, bank, queries[0], asked.k, asked.at_least)
    return Nearest(asked, comparison, found)


def tables(answer: Nearest, digits: int | None = None) -> Tables:
    """Return a row for each query and graph; graphs are numbered from 1."""
    bank, queries = answer.comparison.names
    rows = [
        {
            "query": query,
            "rank": rank,
            "index": index + 1,
            "id": bank[index],
            "score": score,
        }
        for query, found in zip(queries, answer.found, strict=True)
        for rank, (index, score) in enumerate(found, 1)
    ]
    columns = (
        Column("query", "query"),
        Column("rank", "rank"),
        Column("index", "number"),
        Column("id", "graph"),
        Column("score", "score", share(digits)),
    )
    return answer.shown(
        "Nearest",
        (Table("", columns, rows),),
        {"neighbours": rows},
        [("k", answer.asked.k), level(answer.asked.at_least)],
    )
