"""The graphs of a bank that are most similar to others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from exactmatch.base.errors import InputError
from exactmatch.base.options import option
from exactmatch.base.registry import imported
from exactmatch.many.bank import Bank
from exactmatch.many.distances import check
from exactmatch.many.options import SearchOptions, Side
from exactmatch.metrics.aligning import AligningMetric, aligning
from exactmatch.scoring.reading import read_one
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.studies.answer import Answer
from exactmatch.studies.many import (
    NEIGHBOURS,
    OfMany,
    columns,
    command,
    level,
    neighbours,
)
from exactmatch.studies.score.figures import Example, compared, examples
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

    VIEW = "exactmatch.studies.nearest:tables"
    FINDS = "exactmatch.many.search:neighbours"


def study(asked: NearestOptions, reporter: Reporter = SILENCE) -> Answer | None:
    """Find the most similar graphs of a bank, and save the bank.

    Returns:
        The graphs; ``None`` where none are looked for.
    """
    if asked.queries is None and asked.save is None:
        raise InputError("name a file of queries after the bank, or a file to --save")
    if asked.is_distance and asked.queries is not None:
        found: Answer = imported("exactmatch.studies.distances:nearest")(asked)
        return found
    check(asked)
    answer = Nearest.of(asked, reporter)
    return None if asked.queries is None else answer


def tables(answer: Nearest, digits: int | None = None) -> Tables:
    """Return a row for each query and graph; graphs are numbered from 1."""
    rows = neighbours(answer.comparison.names, answer.found, "score")
    linked: list[Row] = [*rows]
    is_drawn = isinstance(answer.comparison.metric, AligningMetric)
    if is_drawn and not any(isinstance(s, Bank) for s in answer.comparison.sides):
        drawn = [row | {"_link": f"n{k}"} for k, row in enumerate(rows[:_DRAWN], 1)]
        linked[:_DRAWN] = drawn
    shown = columns(digits, **NEIGHBOURS, score="score")
    return answer.shown(
        "Nearest",
        (Table("", shown, linked),),
        {"neighbours": rows},
        [("k", answer.asked.most), level(answer.asked.at_least)],
        parts=examples("Nearest graphs", _drawn(answer, linked)),
        is_wide=True,
    )


_DRAWN = 60  # so many graphs are drawn beside their queries


def _drawn(answer: Nearest, rows: Sequence[Row]) -> Iterator[Example]:
    """Draw the first graphs, each beside its query."""
    metric = aligning(answer.comparison.metric)
    bank, queries = cast("Sequence[list[Any]]", answer.comparison.sides)
    own = [k for k, found in enumerate(answer.found) for _ in found]
    for row, query in zip(rows, own, strict=True):
        if "_link" not in row:
            return
        graphs = (
            read_one(metric, g).item for g in (bank[row["index"]], queries[query])
        )
        pair = metric.compare(*(metric.prepare(graph) for graph in graphs))
        name, score = f"{row['query']} and {row['id']}", f"{row['score']:.4f}"
        alignment = {f"Nearest: {row['id']}": pair.solution.alignment}
        drawn = compared(pair.stated, alignment, f"Query: {row['query']}")
        yield Example(row["_link"], str(row["rank"]), name, score, (), drawn)
