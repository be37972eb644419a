"""How files are read that may hold answers of models."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from exactmatch.base.errors import InputError

Extract: TypeAlias = Literal["off", "fences", "repair"]


@dataclass(frozen=True, slots=True)
class Answers:
    """How files of answers are read.

    Attributes:
        format_in: the format of the graphs; default: what each looks like.
        extract: what is done to take the graph out of an answer; default: ``repair``
            for rows of answers, ``off`` for files of graphs.
        field: the column of the answers; several, with commas between, are one for
            each file.
    """

    format_in: str | None = None
    extract: Extract | None = None
    field: str | None = None

    def of_file(self, place: int) -> Answers:
        """The same for the file at that place of several.

        Raises:
            InputError: if there are several fields, and not one for it.
        """
        names = [] if self.field is None else self.field.split(",")
        if len(names) < 2:
            return self
        if place >= len(names):
            raise InputError(
                f"--field names {len(names)} columns, and there are more files; name "
                "one for all, or one for each"
            )
        return replace(self, field=names[place].strip() or None)


HowRead: TypeAlias = str | Answers | None
"""A format's name, or how answers are read; ``None``: what each file looks like."""


def how_read(
    format_in: str | None, extract: Extract | None, field: str | None
) -> HowRead:
    """Return how files are read that options speak of."""
    if extract is None and field is None:
        return format_in
    return Answers(format_in, extract, field)


def of_file(how: HowRead, place: int) -> HowRead:
    """How the file at one place of several is read."""
    return how.of_file(place) if isinstance(how, Answers) else how
