"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base.numbers import Share, from_one
from exactmatch.base.registry import imported
from exactmatch.base.version import __version__
from exactmatch.many.distances import Networks, labels_of
from exactmatch.many.options import DISTANCE, Comparing
from exactmatch.scoring.options import Answering, Formats
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.tables import Losses, with_losses
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables

if TYPE_CHECKING:
    from typing_extensions import Self


def command(name: str, does: str, options: type[Comparing], **more: Any) -> Command:
    """Return the row of a command whose study and view are one module."""
    study = f"exactmatch.studies.{name}:study"
    titles = ((Answering, Answering.TITLE), (Formats, "reading"))
    return Command(does, options, study, titles=titles, is_verbose=False, **more)


@dataclass(frozen=True, repr=False)
class OfMany(Answer):
    """An answer about many graphs: their scores, or their distances where asked for."""

    FINDS: ClassVar[str]
    """The study that finds scores, ``module:function``."""

    MEASURES: ClassVar[str]
    """The one that finds distances, and reads the graphs of both sides."""

    asked: Any  # the options
    found: Any  # what the function of Python returns
    sides: Sequence[Networks] = ()  # the graphs whose distances are found
    comparison: Any = None  # those that are scored, their names and the metric

    @classmethod
    def of(cls, asked: Comparing, reporter: Reporter = SILENCE) -> Self:
        """Answer what is asked."""
        if getattr(asked, "is_distance", False):
            return cls(asked, *imported(cls.MEASURES)(asked))
        comparison = imported("exactmatch.many.comparison:Comparison")(asked, reporter)
        found = imported(cls.FINDS)(asked, comparison)
        return cls(asked, found, comparison=comparison)

    @property
    def names(self) -> Sequence[Sequence[str]]:
        """The names of the graphs of each side."""
        return [side.names for side in self.sides] or self.comparison.names

    def shown(
        self,
        title: str,
        tables: Sequence[Table],
        data: dict[str, Any],
        signed: Sequence[tuple[str, object]],
        **more: Any,
    ) -> Tables:
        """Return the tables, a signature with what is *signed*, and all losses."""
        losses: Losses = {}
        if self.comparison is None:
            labels = labels_of(self.asked)
            listed = labels if isinstance(labels, str) else ",".join(labels)
            given = [("metric", DISTANCE), ("labels", listed)]
        else:
            metric, losses = self.comparison.metric, self.comparison.lost
            given = [("metric", metric.name), *metric.signature()]
        items = [*given, *signed, ("version", __version__)]
        signature = "|".join(f"{n}:{value}" for n, value in items if value is not None)
        data |= {"signatures": [signature]}
        made = Tables(title, tables, data, signatures=(signature,), **more)
        return with_losses(made, losses)


def columns(digits: int | None, **titles: str) -> tuple[Column, ...]:
    """Return columns by their keys; scores are shares, what is shown counts from 1."""
    looks = {"shown": share(digits)}
    special = dict.fromkeys(_SCORES, looks) | {"index": {"shown": from_one}}
    return tuple(Column(k, title, **special.get(k, {})) for k, title in titles.items())


_SCORES = ("score", "cohesion", "expected", "oracle_score")


def share(digits: int | None) -> Share:
    """Return what writes scores."""
    return Share(4 if digits is None else digits)


def level(at_least: float | None) -> tuple[str, str | None]:
    """Return how a signature names the lowest score that counts, if there is one."""
    return "at-least", None if at_least is None else f"{at_least:g}"
