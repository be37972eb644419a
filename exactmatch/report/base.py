"""What renders an evaluation's results, pair by pair and as a whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TextIO

from exactmatch.report.records import corpus_record
from exactmatch.scoring.results import PairResult, Report


class Renderer(ABC):
    """Writes an evaluation's results to a stream.

    Attributes:
        stream: where to.
        per_pair: whether each pair is shown.
        macro: whether averages over pairs replace the sums.
        digits: decimals of rounded numbers.
    """

    def __init__(
        self,
        stream: TextIO,
        per_pair: bool = False,
        macro: bool = False,
        digits: int = 4,
    ) -> None:
        self.stream = stream
        self.per_pair = per_pair
        self.macro = macro
        self.digits = digits

    def pair(self, result: PairResult) -> None:
        """Take one pair's result."""
        del result

    @abstractmethod
    def finish(self, report: Report) -> None:
        """Write what is left to write."""

    def corpus_records(self, report: Report) -> list[dict[str, Any]]:
        """The corpus scores as plain data."""
        return [corpus_record(score, self.macro) for score in report.scores]
