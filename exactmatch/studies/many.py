"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Sequence
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

        Args:
            title: what a page is called.
            tables: the tables.
            data: the same as plain data.
            signed: options that the numbers depend on, besides the metric.
            **more: further fields of the tables.
        """
        metric, given = self.comparison.metric, [(k, v) for k, v in signed if v]
        items = [("metric", metric.name), *metric.signature(), *given]
        signature = "|".join(f"{k}:{v}" for k, v in [*items, ("version", __version__)])
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


def level(at_least: float | None) -> tuple[str, str]:
    """Return how a signature names the lowest score that counts, if there is one."""
    return "at-least", "" if at_least is None else f"{at_least:g}"
