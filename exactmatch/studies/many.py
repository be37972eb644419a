"""Base of the answers about collections of graphs."""

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
    """Return the command of a study about collections, with its usual headings."""
    study = f"exactmatch.studies.{name}.study:study"
    titles = ((Answering, Answering.TITLE), (Formats, "reading"))
    return Command(does, options, study, titles=titles, is_verbose=False, **more)


@dataclass(frozen=True, repr=False)
class CollectionAnswer(Answer):
    """Answer about collections of graphs: a matrix, neighbours or clusters."""

    FUNCTION: ClassVar[str]
    """Computes the result: ``module:function`` of the options and the comparison."""

    options: Any
    result: Any  # what the Python function returns
    comparison: Any = None  # the graphs, their names and the metric

    @classmethod
    def of(cls, options: Comparing, reporter: Reporter = SILENCE) -> Self:
        """Read the graphs, compare them and return the answer."""
        comparison = comparison_of(options, reporter)
        return cls(options, imported(cls.FUNCTION)(options, comparison), comparison)

    @property
    def names(self) -> Sequence[Sequence[str]]:
        """Names of the graphs, a sequence for each side."""
        names: Sequence[Sequence[str]] = self.comparison.names
        return names

    def signed_tables(
        self,
        title: str,
        tables: Sequence[Table],
        data: dict[str, Any],
        signed: Sequence[tuple[str, object]],
        **more: Any,
    ) -> Tables:
        """Return the tables with a signature, *signed* in it, and what readers lost."""
        items = [*self.comparison.signature(), *signed, ("version", __version__)]
        signature = "|".join(f"{n}:{value}" for n, value in items if value is not None)
        data |= {"signatures": [signature]}
        unmarked = Tables(title, tables, data, signatures=(signature,), **more)
        return with_losses(unmarked, self.comparison.lost)


def columns(digits: int | None, **titles: str) -> tuple[Column, ...]:
    """Return columns with these titles by key; scores are shares."""
    writers: dict[str, Any] = dict.fromkeys(_SCORES, share(digits))
    writers["index"] = from_one
    return tuple(
        Column(key, title, **({"shown": writers[key]} if key in writers else {}))
        for key, title in titles.items()
    )


_SCORES = ("score", "cohesion", "expected", "oracle_score")


def share(digits: int | None) -> Share:
    """Return the writer of scores, with four decimals by default."""
    return Share(4 if digits is None else digits)
