"""The graphs of a bank that are most similar to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import several
from exactmatch.base.options import option
from exactmatch.many.bank import Bank
from exactmatch.many.distances import check
from exactmatch.many.options import SearchOptions, Side
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.reading import read_one
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.many import OfMany, columns, command, level
from exactmatch.views.tables import Row, Table, Tables


class NearestOptions(SearchOptions):
    """The options of ``search``, where queries may be left out to save a bank."""

    queries: Side | None = option(default=None)  # type: ignore[assignment]  # to save

    @property
    def idle(self) -> Mapping[str, str]:
        """Options that have no effect, with the reason."""
        if self.queries is not None:
            return {}
        asked = {"-k": self.k, "--at-least": self.at_least, "-o": True}
        asked |= {"--at-most": self.at_most is not None}
        why = "is for a search; name a file of queries, too"
        return {flag: f"{flag} {why}" for flag, value in asked.items() if value}


COMMAND = command(
    "nearest",
    """Find the most similar graphs of a bank, provably.

Bounds tell which graphs cannot be among the best; only the others are solved.
Equal scores stand in the order of the bank. With --metric ged, graphs are of
any kind and near by their edit distance.

Example:
  exactmatch nearest bank.amr queries.amr -k 10
  exactmatch nearest bank.amr --save bank.smatch
  exactmatch nearest bank.smatch queries.amr --at-least 0.8
  exactmatch nearest molecules/ queries/ --metric ged --at-most 3""",
    NearestOptions,
    waiting=("reading",),
)


class Nearest(OfMany):
    """The most similar graphs of a bank for each query."""

    FINDS = "exactmatch.many.search:neighbours"
    MEASURES = "exactmatch.many.distances:nearest"


def study(asked: NearestOptions, reporter: Reporter = SILENCE) -> Nearest | None:
    """Find the most similar graphs of a bank, if any are looked for, and save it."""
    if asked.queries is None and asked.save is None:
        raise InputError("name a file of queries after the bank, or a file to --save")
    check(asked)
    answer = Nearest.of(asked, reporter)
    return None if asked.queries is None else answer


_DRAWN = 60  # so many graphs are drawn beside their queries


def tables(answer: Nearest, digits: int | None = None) -> Tables:
    """Return a row for each query and graph; graphs are numbered from 1."""
    asked, what = answer.asked, "distance" if answer.sides else "score"
    bank, queries = answer.names
    rows: list[dict[str, Any]] = [
        {"query": query, "rank": rank, "index": index, "id": bank[index], what: value}
        for query, near in zip(queries, answer.found, strict=True)
        for rank, (index, value) in enumerate(near, 1)
    ]
    titles = {"query": "query", "rank": "rank", "index": "number", "id": "graph"}
    table = Table("", columns(digits, **titles, **{what: what}), rows)
    data = {"neighbours": rows}
    if answer.sides:
        sought = "1 graph" if len(queries) == 1 else f"each of {len(queries)} graphs"
        note = f"the nearest to {sought} among {several(len(bank), 'graph')}, proven"
        signed = ("k", asked.most), ("at-most", asked.at_most)
        return answer.shown("Nearest", (table,), data, signed, notes=(note,))
    drawn: list[Row] = []
    is_drawn = isinstance(answer.comparison.metric, AligningMetric)
    if is_drawn and not any(isinstance(s, Bank) for s in answer.comparison.sides):
        drawn = [row | {"_link": f"n{k}"} for k, row in enumerate(rows[:_DRAWN], 1)]
    return answer.shown(
        "Nearest",
        (table._replace(rows=[*drawn, *rows[len(drawn) :]]),),
        data,
        [("k", asked.most), level(asked.at_least)],
        parts=_drawn(answer, drawn),
        is_wide=True,
    )


def _drawn(answer: Nearest, rows: Sequence[Row]) -> Iterator[str]:
    """Draw the first graphs, each beside its query."""
    from exactmatch.studies.score.figures import Example, compared, examples

    metric = aligning(answer.comparison.metric)
    bank, queries = answer.comparison.sides
    own = [k for k, found in enumerate(answer.found) for _ in found]
    pairs = []
    for row, query in zip(rows, own, strict=False):
        both = bank[row["index"]], queries[query]
        read = (read_one(metric, graph).item for graph in both)
        pair = metric.compare(*map(metric.prepare, read))
        name, score = f"{row['query']} and {row['id']}", f"{row['score']:.4f}"
        alignment = {f"Nearest: {row['id']}": pair.solution.alignment}
        drawn = compared(pair.stated, alignment, f"Query: {row['query']}")
        pairs.append(Example(row["_link"], str(row["rank"]), name, score, (), drawn))
    yield from examples("Nearest graphs", pairs)
