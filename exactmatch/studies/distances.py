"""Edit distances where commands on many graphs have scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exactmatch.base.numbers import several
from exactmatch.edit.distance import number
from exactmatch.many import distances
from exactmatch.many.distances import labels_of
from exactmatch.studies.answer import Answer
from exactmatch.studies.many import (
    NEIGHBOURS,
    columns,
    crossed,
    neighbours,
    signed_tables,
)
from exactmatch.views.tables import Table, Tables


@dataclass(frozen=True, repr=False)
class OfNetworks(Answer):
    """Distances of many graphs.

    Attributes:
        asked: the options.
        names: those of the graphs of each side.
        found: what the function of Python returns.
    """

    asked: Any
    names: tuple[Sequence[str], ...]
    found: Any

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
        return signed_tables(title, (table,), data, given, notes=(note,))


class NearestByEdits(OfNetworks):
    """The graphs of a bank that are nearest to each query."""

    VIEW = "exactmatch.studies.distances:nearest_tables"


class DistanceMatrix(OfNetworks):
    """The distance of every query and every choice."""

    VIEW = "exactmatch.studies.distances:matrix_tables"


def nearest(asked: Any) -> NearestByEdits:
    """Find the nearest graphs of a bank."""
    found, sides = distances.nearest(asked)
    return NearestByEdits(asked, tuple(side.names for side in sides), found)


def matrix(asked: Any) -> DistanceMatrix:
    """Compute the distance of every query and every choice."""
    found, sides = distances.matrix(asked)
    return DistanceMatrix(asked, tuple(side.names for side in sides), found)


def nearest_tables(answer: NearestByEdits, digits: int | None = None) -> Tables:
    """Return a row for each query and graph; graphs are numbered from 1."""
    del digits
    bank, queries = answer.names
    rows = neighbours(answer.names, answer.found, "distance")
    shown = columns(None, **NEIGHBOURS, distance="distance")
    sought = "1 graph" if len(queries) == 1 else f"each of {len(queries)} graphs"
    note = f"the nearest to {sought} among {several(len(bank), 'graph')}, proven"
    return answer.shown("Nearest", Table("", shown, rows), {"neighbours": rows}, note)


def matrix_tables(answer: DistanceMatrix, digits: int | None = None) -> Tables:
    """Return a row for each query and a column for each choice."""
    del digits
    queries, choices = map(list, answer.names)
    limit = answer.asked.at_most

    def shown(value: Any) -> str:
        return f">{limit}" if value is None else number(value)

    values = [
        [None if math.isinf(one) else one for one in row]
        for row in answer.found.tolist()
    ]
    table = crossed(queries, choices, values, "distance", shown)
    data = {
        "queries": queries,
        "choices": choices,
        "distances": values,
        "bounds": answer.found.bounds.tolist(),
    }
    note = f"{len(queries)} x {several(len(choices), 'graph')}, every distance proven"
    return answer.shown("Distances", table, data, note)
