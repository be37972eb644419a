"""The base of answers about many graphs that are compared with many."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import Share
from exactmatch.base.version import __version__
from exactmatch.many.comparison import Comparison
from exactmatch.scoring.losses import with_losses
from exactmatch.studies.answer import Answer
from exactmatch.views.tables import Table, Tables


@dataclass(frozen=True, repr=False)
class OfMany(Answer):
    """An answer about many graphs.

    Attributes:
        asked: the options.
        comparison: the graphs, their names and the metric.
        found: what the function of Python returns.
    """

    asked: Any
    comparison: Comparison
    found: Any

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


def share(digits: int | None) -> Share:
    """Return what writes scores."""
    return Share(4 if digits is None else digits)


def level(at_least: float | None) -> tuple[str, str]:
    """Return how a signature names the lowest score that counts, if there is one."""
    return "at-least", "" if at_least is None else f"{at_least:g}"
