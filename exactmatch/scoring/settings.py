"""How an evaluation runs: pairing, errors, limits, processes, and what is kept.

A metric says *what* is measured and is given its options when it is made; the
settings say everything else.  They are frozen, so that what is reported is what was
asked for.
"""

from __future__ import annotations

import math
import os
import time
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from exactmatch.base.errors import InputError
from exactmatch.formats.formats import get_format
from exactmatch.formats.pairs import OnError
from exactmatch.formats.reading import Extract, HowRead, how_read
from exactmatch.solvers.solution import Limits

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from exactmatch.engine.align import Want
    from exactmatch.scoring.resampling import Bootstrap

Proofs: TypeAlias = Literal["leave", "record", "check"]
Refs: TypeAlias = Literal["max", "mean", "pooled"]  # which of several counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How an evaluation runs.

    Attributes:
        format_in: the format of all files; default: recognised by their beginnings.
        extract: how graphs are taken out of answers of models; default: ``repair``
            for rows of answers, ``off`` for files of graphs and for texts in memory.
        field: the column of the answers; of two columns, with a comma between them,
            the second is that of references.
        framework: the only framework of MRP graphs that is read.
        by_id: pair graphs by ``# ::id``, not by position.
        on_error: whether a graph that cannot be read ends the evaluation (``fail``,
            also called ``raise``), is left out with its partner (``skip``) or counts
            as an empty graph (``empty``).
        strict: treat graphs that only a lenient reader accepts as unreadable.
        common: score a pair under every metric or under none; otherwise each metric
            has all the pairs that it can read.
        time_limit: in seconds, for each pair under each metric that searches.
        total_time: in seconds, for all pairs together.  Pairs that are not reached are
            read and counted, and their scores are intervals.
        until: the end of *total_time*, on the clock of ``time.time()``; default: so
            many seconds after the settings were made.
        threads: how many threads a solver may use.
        seed: seed of every random draw of a solver.
        proofs: whether solvers ``record`` the evidence for their bounds, and whether
            an independent checker is to ``check`` it.
        intervals: the method of bootstrap intervals, or ``None``.
        keep_pairs: whether the report holds each pair's result.
        keep_graphs: whether a pair's result holds the two graphs.
        keep_problems: whether it holds the alignment problem.
        jobs: how many processes score pairs; the results are the same.  If the first
            pairs show that the rest takes less than two seconds, all work stays in
            this process.
        executor: an executor that scores pairs instead, such as Dask's or MPI's; *jobs*
            is then the number of its workers, or 1 if that is not known.
        cache: a folder that keeps the results of pairs, so that no pair is scored
            twice; it is made if it is missing.  It saves no time under Smatch, which
            scores a pair of sentences faster than a look-up.
        partial: whether Ctrl-C ends the evaluation with a report of the pairs scored so
            far, without bootstrap intervals, instead of a
            ``KeyboardInterrupt``.
        keep_solutions: whether a pair's result holds the alignment and its proof, if
            the metric searches; without them, pairs are scored faster.
        refs: which of several references counts, of metrics that take one: the best
            (``max``), their ``mean``, or the sums over all (``pooled``).

    Raises:
        InputError: if a value makes no sense.

    >>> import exactmatch
    >>> settings = exactmatch.Settings(jobs=2, on_error="skip")
    >>> settings.time_limit is None
    True
    """

    format_in: str | None = None
    extract: Extract | None = None
    field: str | None = None
    framework: str | None = None
    by_id: bool = False
    on_error: OnError = "fail"
    strict: bool = False
    common: bool = False
    time_limit: float | None = None
    total_time: float | None = None
    until: float | None = None
    threads: int = 1
    seed: int = 0
    proofs: Proofs = "leave"
    intervals: Bootstrap | None = None
    keep_pairs: bool = True
    keep_graphs: bool = False
    keep_problems: bool = False
    jobs: int = 1
    executor: Executor | None = None
    cache: str | os.PathLike[str] | None = None
    partial: bool = False
    keep_solutions: bool = True
    refs: Refs = "max"

    def __post_init__(self) -> None:
        if self.on_error == "raise":
            object.__setattr__(self, "on_error", "fail")
        named = [("on_error", OnError), ("proofs", Proofs), ("refs", Refs)]
        for name, choices in [*named, ("extract", Extract)]:
            value = getattr(self, name)
            if value not in get_args(choices) and (name, value) != ("extract", None):
                known = ", ".join(map(repr, get_args(choices)))
                raise InputError(f"{name} is {value!r}; it is one of {known}")
        if self.format_in is not None:
            get_format(self.format_in)
        for name in ("jobs", "threads"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise InputError(f"{name} is {value!r}; it is a whole number from 1")
        check_time_limit(self.time_limit)
        check_time_limit(self.total_time)
        if self.until is None and self.total_time is not None:
            object.__setattr__(self, "until", time.time() + self.total_time)
        seed: Any = self.seed  # None would draw other numbers every time
        if isinstance(seed, bool) or not isinstance(seed, Integral):
            raise InputError(f"the seed is {seed!r}; it is a whole number")
        if self.cache is not None and self.executor is not None:
            raise InputError(
                "a cache is a folder of this machine, and an executor may work on "
                "others; leave one of them out, or give jobs"
            )

    @property
    def how_read(self) -> HowRead:
        """How files are read."""
        return how_read(self.format_in, self.extract, self.field)

    @property
    def limits(self) -> Limits:
        """Limits of a solver for one pair."""
        record, until = self.proofs != "leave", self.until
        return Limits(
            self.time_limit, self.threads, self.seed, record_proof=record, until=until
        )

    @property
    def want(self) -> Want:
        """The result wanted of a pair whose variables are aligned."""
        if self.keep_problems or self.proofs != "leave":
            return "problem"
        kept = self.keep_solutions or self.keep_graphs or self.cache is not None
        limited = self.time_limit is not None or self.until is not None
        return "alignment" if kept or limited else "count"


def check_time_limit(seconds: Any) -> None:
    """Refuse a time limit that is neither ``None`` nor a finite number above 0."""
    if seconds is None:
        return
    is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
    if not is_number or not 0 < seconds < math.inf:
        raise InputError(
            f"the time limit is {seconds!r}; it is a number of seconds above 0, or "
            "None for no limit"
        )
