"""Warnings, omissions and faults of predictions beside the results of pairs."""

from collections.abc import Iterable
from typing import TypeAlias

from exactmatch.formats.pairs import Omission
from exactmatch.metrics.base import ReadItem

Dropped: TypeAlias = tuple[
    tuple[str, int], ...
]  # kinds of content that a reader left out, and how often
Faults: TypeAlias = tuple[str, ...]  # kinds of faults of a text


class Notes:
    """Warnings by kind, omissions, and faults of predictions that come with results."""

    def __init__(self, faults: Iterable[Faults] = ()) -> None:
        self.warnings: list[tuple[str, str]] = []
        self.omitted: list[Omission] = []
        self.faults = [*faults]
        self.roles: set[str] = set()  # for metrics that choose some

    def __bool__(self) -> bool:
        return bool(self.warnings or self.omitted or self.faults or self.roles)

    def add(self, other: "Notes") -> None:
        """Add those of other pairs."""
        self.warnings += other.warnings
        self.omitted = sorted([*self.omitted, *other.omitted], key=lambda o: o.index)
        self.faults += other.faults
        self.roles |= other.roles

    def remark(self, read: ReadItem) -> None:
        """Add a warning about each thing that a careful reader would have refused."""
        self.warnings += (("lenient", remark) for remark in read.remarks())
