"""The edit distances of many pairs of graphs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from exactmatch.edit.distance import EditDistance
from exactmatch.edit.triples import TripleOverlap
from exactmatch.studies.answer import Answer


@dataclass(frozen=True, slots=True)
class GraphPair:
    """A pair of graphs and their distance.

    Attributes:
        index: its number, from 0.
        names: those of the two graphs, where they have some.
        result: the edit distance.
        graphs: the two graphs, where pages draw them.
    """

    index: int
    names: tuple[str | None, str | None]
    result: EditDistance
    graphs: tuple[Any, ...] = field(default=(), repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        own = {"index": self.index, "names": list(self.names)}
        return own | self.result.to_dict()


@dataclass(frozen=True, eq=False, repr=False)
class EditDistances(Answer):
    """The edit distances of many pairs of graphs.

    Attributes:
        pairs: the pairs, in their order.
        compared: by what nodes and edges were compared, in words.
        signature: what determines the distances.

    >>> import networkx
    >>> from exactmatch.studies import edit_distances
    >>> found = edit_distances([networkx.path_graph(3)], [networkx.path_graph(5)])
    >>> found.mean("distance"), found.proven
    (4.0, 1)
    >>> found
    1 pair, every one proven
    """

    VIEW = "exactmatch.studies.ged.view:tables"

    pairs: tuple[GraphPair, ...]
    compared: str
    signature: str

    @property
    def proven(self) -> int:
        """How many of the distances are proven."""
        return sum(pair.result.proven for pair in self.pairs)

    def mean(self, name: str) -> float:
        """Return the mean of an attribute of all distances, such as ``similarity``."""
        values = [getattr(pair.result, name) for pair in self.pairs]
        return math.fsum(values) / len(values) if values else math.nan

    @property
    def triples(self) -> dict[str, TripleOverlap]:
        """The triples of all pairs together, by the way of counting."""
        ways = list(self.pairs[0].result.triples) if self.pairs else []
        return {
            way: TripleOverlap.total(pair.result.triples[way] for pair in self.pairs)
            for way in ways
        }
