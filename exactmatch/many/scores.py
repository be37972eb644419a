"""Comparison by the scores of a metric: of lists of graphs, files of them, or banks."""

from collections.abc import Iterable, Sequence
from typing import Any

from exactmatch.base.errors import InputError
from exactmatch.base.numbers import Share
from exactmatch.base.registry import imported
from exactmatch.formats.blocks import Block
from exactmatch.many.bank import Bank
from exactmatch.many.comparison import Comparison, Signed
from exactmatch.many.options import DISTANCE, Comparing, Edits
from exactmatch.many.reading import Reader
from exactmatch.scoring.reporter import CALLER, Reporter
from exactmatch.scoring.sources import paths_of

_OF_DISTANCES = {"at_most": "at_least", "labels": "profile", "costs": "metrics"}
"""Options of distances, and the options of scores in their place."""


class ScoreComparison(Reader, Comparison):
    """Reads the sides of a comparison; its metric is that of a bank if one is there."""

    what = "score"
    title = "Matrix"
    sides: Sequence[Bank | list[Any]] = ()  # once they are open
    systems: Sequence[str] = ()  # names of candidates, where these are the sides

    def __init__(self, options: Comparing, reporter: Reporter = CALLER) -> None:
        for name, instead in _OF_DISTANCES.items():
            if isinstance(options, Edits) and getattr(options, name, None) is not None:
                flag = f"--{name.replace('_', '-')}"
                raise InputError(
                    f"{flag} is of --metric {DISTANCE}; scores have {instead}"
                )
        super().__init__(options, reporter)
        self.jobs, self.executor = options.jobs, options.executor

    def open(self, *arguments: Any) -> Sequence[Any]:
        """Return each side as a bank or a list; a side that comes twice, only once."""
        banks = [self._bank(side) for side in arguments]
        metrics = [bank.metric for bank in banks if bank is not None]
        if not metrics and self.options.names_solver:
            self.options.one_solver()  # also where no variables are aligned
        self.take(metrics[-1] if metrics else self.options.one_metric("a comparison"))
        opened: dict[int, Any] = {}
        for number, (side, bank) in enumerate(zip(arguments, banks, strict=True)):
            if id(side) not in opened:
                opened[id(side)] = self.list(side, number) if bank is None else bank
        self.sides = [opened[id(side)] for side in arguments]
        return self.sides

    def _bank(self, side: Any) -> Bank | None:
        if isinstance(side, Bank):
            return side.under(self.options)
        paths = paths_of(side)
        if len(paths) == 1 and Bank.is_bank(paths[0]):
            return Bank.open(paths[0]).under(self.options, f"{paths[0]}: ")
        return None

    def blocks(self, path: str, place: int = 0) -> list[Block]:
        if Bank.is_bank(path):
            raise InputError(
                f"{path}: is a bank, which matrix and nearest take, and duplicates and "
                "cluster as their one file; name a file of graphs"
            )
        return super().blocks(path, place)

    def items(self, side: Bank | list[Any], what: str = "item") -> Bank | Iterable[Any]:
        """Return a bank as it is, or the graphs that the metric compares."""
        return side if isinstance(side, Bank) else self.read(side, what)

    @property
    def names(self) -> list[Sequence[str]]:
        """The names of the graphs of each side: their ids, or their numbers from 1."""
        if self.systems:
            return [self.systems]
        return [
            side.names()
            if isinstance(side, Bank)
            else [self.name_of(item, number) for number, item in enumerate(side, 1)]
            for side in self.sides
        ]

    def matrix(self, options: Any) -> Any:
        """Score every query with every choice."""
        return imported("exactmatch.many.matrix:score_matrix")(options, self)

    def nearest(self, options: Any) -> Any:
        """Find the most similar graphs of a bank for each query."""
        return imported("exactmatch.many.search:neighbours")(options, self)

    def signature(self) -> Signed:
        """Return the metric with all that determines its scores."""
        return [("metric", self.metric.name), *self.metric.signature()]

    def limits(self) -> Signed:
        """Return the lowest score that counts."""
        return [level(vars(self.options)["at_least"])]

    def plain(self, matrix: Any) -> dict[str, Any]:
        """Return a matrix of scores as lists."""
        return {"scores": matrix.tolist()}

    def written(self, digits: int | None) -> Share:
        """Return the function that writes scores."""
        return Share(4 if digits is None else digits)


def level(at_least: float | None) -> tuple[str, str | None]:
    """Return the lowest score that counts, in the form of signatures."""
    return "at-least", None if at_least is None else f"{at_least:g}"
