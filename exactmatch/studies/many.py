"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base.numbers import Share, from_one
from exactmatch.base.registry import imported
from exactmatch.base.version import __version__
from exactmatch.many.options import Comparing
from exactmatch.scoring.options import Answering, Formats
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.tables import with_losses
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables

if TYPE_CHECKING:
    from typing_extensions import Self

    from exactmatch.many.comparison import Comparison


def command(name: str, does: str, options: type[Comparing], **more: Any) -> Command:
    """Return the row of a command whose study and view are one module."""
    study = f"exactmatch.studies.{name}:study"
    titles = ((Answering, Answering.TITLE), (Formats, "reading"))
    return Command(does, options, study, titles=titles, is_verbose=False, **more)


@dataclass(frozen=True, repr=False)
class OfMany(Answer):
    """An answer about many graphs.

    Attributes:
        asked: the options.
        comparison: the graphs, their names and the metric.
        found: what the function of Python returns.
    """

    FINDS: ClassVar[str]
    """The study that finds it, ``module:function``."""

    asked: Any
    comparison: Comparison
    found: Any

    @classmethod
    def of(cls, asked: Comparing, reporter: Reporter = SILENCE) -> Self:
        """Answer what is asked."""
        comparison = imported("exactmatch.many.comparison:Comparison")(asked, reporter)
        return cls(asked, comparison, imported(cls.FINDS)(asked, comparison))

    def shown(
        self,
        title: str,
        tables: Sequence[Table],
        data: dict[str, Any],
        signed: Sequence[tuple[str, object]],
        **more: Any,
    ) -> Tables:
        """Return the tables, with a signature and what readers left out.

        The signature has the metric, and the options that are *signed*.
        """
        metric = self.comparison.metric
        chosen = [(name, value) for name, value in signed if value]
        given = [("metric", metric.name), *metric.signature(), *chosen]
        made = signed_tables(title, tables, data, given, **more)
        return with_losses(made, self.comparison.lost)


def signed_tables(
    title: str,
    tables: Sequence[Table],
    data: dict[str, Any],
    given: Sequence[tuple[str, object]],
    **more: Any,
) -> Tables:
    """Return tables with a signature of all that is given."""
    items = [*given, ("version", __version__)]
    signature = "|".join(f"{name}:{value}" for name, value in items)
    data |= {"signatures": [signature]}
    return Tables(title, tables, data, signatures=(signature,), **more)


def columns(digits: int | None, **titles: str) -> tuple[Column, ...]:
    """Return columns by their keys; scores are shares, what is shown counts from 1."""
    looks = {"shown": share(digits)}
    special = dict.fromkeys(_SCORES, looks) | {"index": {"shown": from_one}}
    return tuple(Column(k, title, **special.get(k, {})) for k, title in titles.items())


_SCORES = ("score", "cohesion", "expected", "oracle_score")

NEIGHBOURS = {"query": "query", "rank": "rank", "index": "number", "id": "graph"}
"""The columns of neighbours, and their titles."""


def neighbours(
    names: Sequence[Sequence[str]], found: Sequence[Any], what: str
) -> list[dict[str, Any]]:
    """Return a row for each query and graph, from the *names* of bank and queries."""
    bank, queries = names
    return [
        {"query": query, "rank": rank, "index": index, "id": bank[index], what: value}
        for query, near in zip(queries, found, strict=True)
        for rank, (index, value) in enumerate(near, 1)
    ]


def crossed(
    queries: Sequence[str],
    choices: Sequence[str],
    values: Sequence[Sequence[Any]],
    what: str,
    shown: Callable[[Any], str],
) -> Table:
    """Return a table with a row for each query and a column for each choice."""
    keys = [f"{what}_{k}" for k in range(1, len(choices) + 1)]
    titles = zip(keys, choices, strict=True)
    columns = (Column("query", "query"), *(Column(k, t, shown) for k, t in titles))
    rows = [
        {"query": name, **dict(zip(keys, row, strict=True))}
        for name, row in zip(queries, values, strict=True)
    ]
    return Table("", columns, rows)


def share(digits: int | None) -> Share:
    """Return what writes scores."""
    return Share(4 if digits is None else digits)


def level(at_least: float | None) -> tuple[str, str]:
    """Return how a signature names the lowest score that counts, if there is one."""
    return "at-least", "" if at_least is None else f"{at_least:g}"
