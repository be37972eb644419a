"""The sides of a comparison: lists of graphs, files of them, or banks."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any, TypeVar

from exactmatch.base.errors import InputError
from exactmatch.formats.blocks import Block
from exactmatch.many.bank import Bank
from exactmatch.many.distances import check
from exactmatch.many.options import Comparing
from exactmatch.many.reading import Reader
from exactmatch.scoring.reporter import CALLER, Reporter
from exactmatch.scoring.sources import paths_of

O = TypeVar("O", bound=Comparing)  # noqa: E741  # the options' type
R = TypeVar("R")


class Comparison(Reader):
    """Reads the sides of a comparison; its metric is that of a bank if one is there."""

    sides: Sequence[Bank | list[Any]] = ()  # once they are open
    systems: Sequence[str] = ()  # what candidates are called, where these are the sides

    def __init__(self, asked: Comparing, reporter: Reporter = CALLER) -> None:
        super().__init__(asked, reporter)
        self.jobs, self.executor = asked.jobs, asked.executor

    def open(self, *given: Any) -> Sequence[Any]:
        """Return each side as a bank or a list; one that is given twice, only once."""
        banks = [self._bank(side) for side in given]
        metrics = [bank.metric for bank in banks if bank is not None]
        if not metrics and self.asked.names_solver:
            self.asked.one_solver()  # also where no variables are aligned
        self.take(metrics[-1] if metrics else self.asked.one_metric("a comparison"))
        found: dict[int, Any] = {}
        for number, (side, bank) in enumerate(zip(given, banks, strict=True)):
            if id(side) not in found:
                found[id(side)] = self.list(side, number) if bank is None else bank
        self.sides = [found[id(side)] for side in given]
        return self.sides

    def _bank(self, side: Any) -> Bank | None:
        if isinstance(side, Bank):
            return side.under(self.asked)
        paths = paths_of(side)
        if len(paths) == 1 and Bank.is_bank(paths[0]):
            return Bank.open(paths[0]).under(self.asked, f"{paths[0]}: ")
        return None

    def blocks(self, path: str, place: int = 0) -> list[Block]:
        if Bank.is_bank(path):
            raise InputError(
                f"{path}: is a bank, which matrix and nearest take, and duplicates and "
                "cluster as their one file; name a file of graphs"
            )
        return super().blocks(path, place)

    def items(self, side: Bank | list[Any], what: str = "item") -> Bank | Iterable[Any]:
        """Return a bank as it is, or what the metric compares of each graph."""
        return side if isinstance(side, Bank) else self.read(side, what)

    @property
    def names(self) -> list[Sequence[str]]:
        """The names of the graphs of each side: their ids, or their numbers from 1."""
        if self.systems:
            return [self.systems]
        return [
            side.names()
            if isinstance(side, Bank)
            else [self.name_of(one, number) for number, one in enumerate(side, 1)]
            for side in self.sides
        ]


def for_caller(
    study: Callable[[O, Comparison], R],
    of_distances: Callable[[Any], Any] | None = None,
) -> Callable[[O], R]:
    """Make the function of Python, which warns, of one that reports.

    Where distances are asked for in the place of scores, another function answers.
    """

    @wraps(study)
    def asked_by_caller(asked: Any) -> Any:
        if of_distances is not None:
            if asked.is_distance:
                return of_distances(asked)
            check(asked)
        comparison = Comparison(asked)
        found = study(asked, comparison)
        comparison.say_losses()
        return found

    return asked_by_caller
