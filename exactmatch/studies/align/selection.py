"""Which pairs are shown, where not all of them are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest

from exactmatch.base.errors import InputError
from exactmatch.base.solver_errors import suggestion
from exactmatch.scoring.results import PairResult


@dataclass(frozen=True, slots=True)
class Selection:
    """A choice of pairs by id and score; by default all of them.

    Attributes:
        ids: the ``# ::id`` of the pairs to show; empty for any.
        below: show only pairs that score less than this.
        worst: show only so many pairs, the lowest score first.
    """

    ids: tuple[str, ...] = ()
    below: float | None = None
    worst: int | None = None

    def of(self, results: Iterable[PairResult]) -> Iterator[PairResult]:
        """Yield the results that are shown, in order.

        All results are consumed; no more than ``worst`` are held meanwhile.

        Raises:
            InputError: at the end, if no pair has one of the ids.
        """
        shown = self._matching(results)
        if self.worst is None:
            return shown
        return iter(nsmallest(self.worst, shown, key=_height))

    def _matching(self, results: Iterable[PairResult]) -> Iterator[PairResult]:
        met: dict[str, None] = {}
        for result in results:
            if self.ids and result.id is not None:
                met[result.id] = None
            is_named = not self.ids or result.id in self.ids
            is_low = self.below is None or _height(result) < self.below
            if is_named and is_low:
                yield result
        for name in self.ids:
            if name not in met:
                hint = suggestion(name, met)
                raise InputError(f"no pair has the id {name!r}{hint}")


def _height(result: PairResult) -> float:
    """Return the key of the order; a pair of which nothing counts comes last."""
    return result.score.score if result.score.is_defined else math.inf
