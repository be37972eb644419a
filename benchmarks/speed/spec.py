"""Benchmarks: their settings and their results.

A *row* is one program's figures; a *measure* is one figure held against the
value it ought to reach.  Both are plain data, so the table, the JSON file and
the plots are made of the same numbers.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Literal, TypeAlias

Figure: TypeAlias = "float | int | str | None"


@dataclass(frozen=True, slots=True)
class Setting:
    """Setting of every benchmark.

    Attributes:
        data: the folder that holds ``data/``; ``None`` for the bundled sample.
        work: a scratch folder, removed afterwards.
        our_python: the interpreter in which exactmatch is measured.
        peer_python: the interpreter in which the peers are measured.
        peers: which peers are run: ``smatch``, ``smatchpp``, a path of McSplit.
        solvers: which of our solvers are run beside ``auto``.
        repeats, warmup: how often each command is run, and how often before that.
        seeds: one document is built from each.
        time_limit: seconds for each document; ``None``: each benchmark's own.
        memory: gigabytes of address space a peer may take.
        smoke: run everything once and on very little, to see that it works.
        say: tells the person at the keyboard what is going on.
    """

    data: Path | None
    work: Path
    our_python: str
    peer_python: str
    peers: tuple[str, ...]
    solvers: tuple[str, ...]
    repeats: int = 3
    warmup: int = 1
    seeds: tuple[int, ...] = tuple(range(10))
    time_limit: float | None = None
    memory: float = 6.0
    smoke: bool = False
    say: Callable[[str], None] = print


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a benchmark's table.

    Attributes:
        name: what was run.
        figures: its figures by the title of their column; the unit is part of it.
        note: why figures are absent, or what else must be known.
    """

    name: str
    figures: dict[str, Figure] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, slots=True)
class Measure:
    """Figure held against the value it ought to reach.

    Attributes:
        text: what is compared.
        figure: what was measured; ``None`` where something was missing.
        sense: whether *target* is the least or the most it may be.
        target: the value to reach.
        unit: what both are counted in.
    """

    text: str
    figure: float | None
    sense: Literal["at least", "at most"]
    target: float
    unit: str = ""

    @property
    def is_met(self) -> bool | None:
        """True if it is reached; ``None`` if that was not measured."""
        if self.figure is None:
            return None
        if self.sense == "at least":
            return self.figure >= self.target
        return self.figure <= self.target


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a benchmark.

    Attributes:
        rows: its table.
        measures: what ought to hold, and whether it does.
        notes: what a reader of the figures must know.
    """

    rows: tuple[Row, ...]
    measures: tuple[Measure, ...] = ()
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return the same as plain data."""
        return asdict(self) | {
            "measures": [asdict(m) | {"met": m.is_met} for m in self.measures]
        }


@dataclass(frozen=True, slots=True)
class BenchSpec:
    """One benchmark: a line of :data:`benchmarks.speed.registry.BENCHMARKS`.

    Attributes:
        name: what the command line calls it.
        what: what it measures, in one line.
        needs: what it cannot do without (``data``), and what it reports as
            missing if it is (``smatch``, ``smatchpp``).
        function: ``module:function`` that runs it, imported when it is run.
    """

    name: str
    what: str
    needs: tuple[str, ...]
    function: str

    def run(self, setting: Setting) -> Outcome:
        """Run it, or say what it lacks."""
        if "data" in self.needs and setting.data is None and not setting.smoke:
            return Outcome((), notes=("not run: it needs EXACTMATCH_DATA or --data",))
        module, _, name = self.function.partition(":")
        function = getattr(importlib.import_module(module), name)
        outcome: Outcome = function(setting)
        if setting.smoke:
            notes = ("a smoke run on a few graphs: its figures mean nothing",)
            return Outcome(outcome.rows, (), (*outcome.notes, *notes))
        return outcome


def ratio(above: Figure, below: Figure) -> float | None:
    """Return *above* divided by *below*; ``None`` if either is absent."""
    if not isinstance(above, int | float) or not isinstance(below, int | float):
        return None
    return above / below if below else None


def middle(numbers: Sequence[float]) -> float | None:
    """Return the median; ``None`` of nothing."""
    return median(numbers) if numbers else None
