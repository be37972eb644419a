"""Whether other processes are worth their start: a trial in this one says.

Processes take half a second of computing to start, which is more than one of them needs
for a thousand pairs of sentences.  So an evaluation that may use several begins here,
with the first pairs, and goes on here where these say that the rest will not take long.
Results are the same wherever they come from.

Only what is known to be harmless is tried here, so that a pair that would end its
process ends none but its own: graphs of a few lines under metrics and solvers of this
package that run no other one's code.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

from exactmatch.formats.blocks import Block
from exactmatch.formats.pairs import GivenPair
from exactmatch.graphs.graph import Graph
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.metrics.base import Metric

_OURS = __name__.partition(".")[0]

_OUR_SOLVERS = ("auto", "bnb", "hillclimb")

_TRIED = 64
"""Pairs after which it is decided."""

_UNTIMED = 8
"""The first of them load what is loaded once."""

_WORTH = 2.0
"""Seconds of work here that make other processes worth their start."""

_LONGEST = 4000
"""Characters of a graph that is harmless."""

_LARGEST = 100
"""Variables of a graph that is harmless."""


class Trial:
    """Decides which pairs are scored in this process.

    Args:
        metrics: what is measured.
        total: how many pairs there are, if that is known.

    Attributes:
        is_over: whether all pairs were scored here.
        left: pairs that were taken, and are for other processes.
    """

    def __init__(self, metrics: Iterable[Metric], total: int | None) -> None:
        self.is_over = False
        self.left: list[GivenPair] = []
        self._total = total
        self._is_harmless = all(map(_is_ours, metrics))

    def pairs(self, pairs: Iterator[GivenPair]) -> Iterator[GivenPair]:
        """The pairs to score here, each taken when the one before has been scored."""
        if self._total is None or not self._is_harmless:
            return
        begun = 0.0
        for number, pair in enumerate(pairs):
            if number == _UNTIMED:
                begun = time.process_time()
            spent = time.process_time() - begun if number == _TRIED else 0.0
            expected = spent / (_TRIED - _UNTIMED) * (self._total - _TRIED)
            if expected > _WORTH or not all(map(_is_small, (pair.pred, *pair.golds))):
                self.left.append(pair)
                return
            yield pair
        self.is_over = True


def _is_ours(metric: Metric) -> bool:
    """Whether a metric runs the code of this package alone."""
    if type(metric).__module__.partition(".")[0] != _OURS:
        return False
    return not isinstance(metric, AligningMetric) or metric.solver.name in _OUR_SOLVERS


def _is_small(given: object) -> bool:
    """Whether something is a graph or sentence of a few lines, or missing."""
    if isinstance(given, Block):
        return sum(map(len, given.content)) <= _LONGEST
    if isinstance(given, Graph):
        return len(given.variables) <= _LARGEST
    return given is None or (isinstance(given, str) and len(given) <= _LONGEST)
