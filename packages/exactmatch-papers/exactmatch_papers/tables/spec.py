"""Reproductions of published tables: their settings and their findings.

A *cell* holds our number and the published one; tables of cells are plain data,
so the page and the JSON file are made of the same numbers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

Number: TypeAlias = "float | int | str | None"


@dataclass(frozen=True, slots=True)
class Setting:
    """Setting of every reproduction.

    Attributes:
        data: the folder with ``lp`` and ``bamboo``.
        work: a scratch folder, removed afterwards.
        pictures: where pictures go.
        our_python: the interpreter in which exactmatch runs; ``None``: this process.
        smatch_python: one that has smatch 1.0.4, to run it beside our
            hill-climber; ``None``: only ours.
        runs: how often a pair is climbed; ``None``: as often as in the paper.
        seed: of everything random.
        jobs: processes that score pairs.
        draws: whether pictures are drawn.
        say: tells the person at the keyboard what is going on.
    """

    data: Path
    work: Path
    pictures: Path
    our_python: str | None
    smatch_python: str | None = None
    runs: int | None = None
    seed: int = 0
    jobs: int = 1
    draws: bool = True
    say: Callable[[str], None] = print


@dataclass(frozen=True, slots=True)
class Cell:
    """Our number, and the published one beside it.

    Attributes:
        here: what was measured; ``None`` where nothing could be.
        published: what the paper gives; ``None`` where it gives nothing.
        form: how both are written, as in a format string.
    """

    here: Number
    published: Number = None
    form: str = ".1f"

    def __str__(self) -> str:
        """Ours, and in brackets the published one."""
        here = _written(self.here, self.form)
        if self.published is None:
            return here
        return f"{here} ({_written(self.published, self.form)})"


def range_of(low: float | None, high: float | None) -> Cell:
    """Return both ends of an interval of shares, in percent; empty if there is none."""
    if low is None or high is None:
        return Cell(None)
    return Cell(f"{100 * low:.1f} to {100 * high:.1f}")


def _written(number: Number, form: str) -> str:
    if number is None:
        return "–"
    return number if isinstance(number, str) else format(number, form)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page.

    Attributes:
        title: what it shows.
        header: titles of the columns, that of the row's names first.
        rows: a name and a cell for each other column.
    """

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]

    def record(self) -> dict[str, Any]:
        """Return the same as plain data, with what the page shows of each cell."""
        return {
            "title": self.title,
            "header": list(self.header),
            "rows": [
                {
                    "name": name,
                    "cells": [
                        {"here": c.here, "published": c.published, "shown": str(c)}
                        for c in cells
                    ],
                }
                for name, cells in self.rows
            ],
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """Finding of a reproduction.

    Attributes:
        tables: our numbers beside the published ones.
        commands: what was run, as a user would type it.
        notes: what a reader of the numbers must know.
        pictures: the pictures' names, and what each shows.
    """

    tables: tuple[Table, ...]
    commands: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    pictures: dict[str, str] = field(default_factory=dict)

    def record(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return {
            "tables": [table.record() for table in self.tables],
            "commands": list(self.commands),
            "notes": list(self.notes),
            "pictures": self.pictures,
        }


@dataclass(frozen=True, slots=True)
class Reproduction:
    """One published table: a line of :data:`exactmatch_papers.tables.registry.PAPERS`.

    Attributes:
        name: what the command line calls it.
        source: paper and table.
        what: what it shows.
        differs: what is not as in the paper.
        function: ``module:function`` that measures it, imported when it is run.
    """

    name: str
    source: str
    what: str
    differs: str
    function: str

    def run(self, setting: Setting) -> Finding:
        """Measure it."""
        module, _, name = self.function.partition(":")
        function = getattr(importlib.import_module(module), name)
        finding: Finding = function(setting)
        return finding
