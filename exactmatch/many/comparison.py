"""Comparison of many graphs with many: by scores, or by another measure.

A :class:`Comparison` reads the graphs of all sides and returns one number for two
graphs: the score of a metric, or the edit distance, as its options say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, TypeVar

from exactmatch.base.registry import imported
from exactmatch.many.options import DISTANCE, Comparing, Edits
from exactmatch.scoring.reporter import CALLER, Reporter
from exactmatch.scoring.tables import Losses

O = TypeVar("O", bound=Comparing)  # noqa: E741  # the options' type
R = TypeVar("R")

Signed = list[tuple[str, object]]
"""Parts of a signature; a part that is None is left out."""


class Comparison(ABC):
    """Compares graphs of several sides, one number for two of them."""

    what: ClassVar[str]
    """The name of the number: ``score`` or ``distance``."""

    title: ClassVar[str]
    """The title of a matrix of these numbers."""

    proof: ClassVar[str] = ""
    """The remark that the numbers are proven."""

    @property
    @abstractmethod
    def names(self) -> Sequence[Sequence[str]]:
        """The names of the graphs of each side: their ids, or their numbers from 1."""

    @property
    def lost(self) -> Losses:
        """Counts of the parts that readers left out."""
        return {}

    @abstractmethod
    def say_losses(self) -> None:
        """Report what was left out, where no report holds it."""

    @abstractmethod
    def matrix(self, options: Any) -> Any:
        """Compare every query with every choice."""

    @abstractmethod
    def nearest(self, options: Any) -> Any:
        """Find the nearest graphs of a bank for each query: index and number."""

    @abstractmethod
    def signature(self) -> Signed:
        """Return all that determines the numbers."""

    @abstractmethod
    def limits(self) -> Signed:
        """Return the limits on the numbers, in the form of signatures."""

    @abstractmethod
    def plain(self, matrix: Any) -> dict[str, Any]:
        """Return a matrix as plain data, by names."""

    @abstractmethod
    def written(self, digits: int | None) -> Callable[[Any], str]:
        """Return the function that writes the numbers of :meth:`plain`."""


_COMPARISONS: Mapping[str, str] = {
    DISTANCE: "exactmatch.many.distances:DistanceComparison"
}
"""Comparisons that are not by scores, by the name that stands for a metric."""


def comparison_of(options: Comparing, reporter: Reporter = CALLER) -> Comparison:
    """Make the comparison of the options' metric.

    Raises:
        InputError: if an option has no effect on it.
    """
    place = "exactmatch.many.scores:ScoreComparison"
    if isinstance(options, Edits):
        metric = vars(options)["metric"]
        name = metric[0] if isinstance(metric, list) and len(metric) == 1 else metric
        place = _COMPARISONS.get(name, place) if isinstance(name, str) else place
    comparison: Comparison = imported(place)(options, reporter)
    return comparison


def for_caller(study: Callable[[O, Any], R]) -> Callable[[O], R]:
    """Make a Python function that warns its caller, from a study that reports."""

    @wraps(study)
    def answer(options: Any) -> Any:
        comparison = comparison_of(options)
        result = study(options, comparison)
        comparison.say_losses()
        return result

    return answer
