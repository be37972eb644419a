"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from exactmatch.base.numbers import Share, from_one
from exactmatch.base.registry import imported
from exactmatch.base.version import __version__
from exactmatch.many.comparison import comparison_of
from exactmatch.many.options import Comparing
from exactmatch.scoring.options import Answering, Formats
from exactmatch.scoring.reporter import SILENCE, Reporter
from exactmatch.scoring.tables import with_losses
from exactmatch.studies.answer import Answer
from exactmatch.studies.command import Command
from exactmatch.views.tables import Column, Table, Tables

if TYPE_CHECKING:
    from typing_extensions import Self


def command(name: str, does: str, options: type[Comparing], **more: Any) -> Command:
    """Return the row of a command whose study and view are one module."""
    study = f"exactmatch.studies.{name}.study:study"
    titles = ((Answering, Answering.TITLE), (Formats, "reading"))
    return Command(does, options, study, titles=titles, is_verbose=False, **more)


@dataclass(frozen=True, repr=False)
class OfMany(Answer):
    """An answer about many graphs that are compared."""

    FINDS: ClassVar[str]
    """The study, ``module:function``, of options and the comparison."""

    asked: Any  # the options
    found: Any  # what the function of Python returns
    comparison: Any = None  # the graphs that are compared, their names and the metric

    @classmethod
    def of(cls, asked: Comparing, reporter: Reporter = SILENCE) -> Self:
        """Answer what is asked."""
        comparison = comparison_of(asked, reporter)
        return cls(asked, imported(cls.FINDS)(asked, comparison), comparison)

    @property
    def names(self) -> Sequence[Sequence[str]]:
        """The names of the graphs of each side."""
        names: Sequence[Sequence[str]] = self.comparison.names
        return names

    def shown(
        self,
        title: str,
        tables: Sequence[Table],
        data: dict[str, Any],
        signed: Sequence[tuple[str, object]],
        **more: Any,
    ) -> Tables:
        """Return the tables, a signature with what is *signed*, and all losses."""
        items = [*self.comparison.signature(), *signed, ("version", __version__)]
        signature = "|".join(f"{n}:{value}" for n, value in items if value is not None)
        data |= {"signatures": [signature]}
        made = Tables(title, tables, data, signatures=(signature,), **more)
        return with_losses(made, self.comparison.lost)


def columns(digits: int | None, **titles: str) -> tuple[Column, ...]:
    """Return columns by their keys; scores are shares, what is shown counts from 1."""
    looks = {"shown": share(digits)}
    special = dict.fromkeys(_SCORES, looks) | {"index": {"shown": from_one}}
    return tuple(Column(k, title, **special.get(k, {})) for k, title in titles.items())


_SCORES = ("score", "cohesion", "expected", "oracle_score")


def share(digits: int | None) -> Share:
    """Return what writes scores."""
    return Share(4 if digits is None else digits)
