"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base.numbers import Share, from_one
from exactmatch.base.registry import imported
from exactmatch.base.version import __version__
from exactmatch.many.distances import Networks, labels_of
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
    """An answer about many graphs."""

    FINDS: ClassVar[str]
    """The study that finds it, ``module:function``."""

    asked: Any  # the options
    comparison: Comparison  # the graphs, their names and the metric
    found: Any  # what the function of Python returns

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
        """Return the tables, a signature with what is *signed*, and all losses."""
        metric = self.comparison.metric
        chosen = [(name, value) for name, value in signed if value]
        given = [("metric", metric.name), *metric.signature(), *chosen]
        made = _signed(title, tables, data, given, **more)
        return with_losses(made, self.comparison.lost)


@dataclass(frozen=True, repr=False)
class OfNetworks(Answer):
    """Distances of many graphs."""

    asked: Any  # the options
    found: Any  # what the function of Python returns
    sides: tuple[Networks, Networks]

    def shown(
        self, title: str, table: Table, data: dict[str, Any], note: str
    ) -> Tables:
        """Return a table with the signature of distances."""
        asked, labels = self.asked, labels_of(self.asked)
        parts = {
            "metric": "ged",
            "labels": labels if isinstance(labels, str) else ",".join(labels),
            "k": getattr(asked, "k", None),
            "at-most": asked.at_most,
        }
        given = [(name, value) for name, value in parts.items() if value is not None]
        return _signed(title, (table,), data, given, notes=(note,))


def _signed(
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


def share(digits: int | None) -> Share:
    """Return what writes scores."""
    return Share(4 if digits is None else digits)


def level(at_least: float | None) -> tuple[str, str]:
    """Return how a signature names the lowest score that counts, if there is one."""
    return "at-least", "" if at_least is None else f"{at_least:g}"
