"""Options of reading and scoring, and the settings that are made of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.inputs import MAX_BYTES
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.formats.pairs import OnError, error_action
from exactmatch.formats.reading import Extract, HowRead, how_read
from exactmatch.metrics.options import NamedMetrics, Solvers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from exactmatch.scoring.resampling import Method, Sampling, Unit


def _format(value: Any) -> Any:
    """Read the name of a format, or that of JSON with a JSON Schema."""
    from exactmatch.formats.formats import is_document

    if isinstance(value, str) and is_document(value):
        return value
    return values.name_in("exactmatch.formats.formats:FORMATS")(value)


class Extracting(Options, purpose="pairs", waits=True):
    """Options of finding graphs in answers of models."""

    TITLE = "answers of models"

    extract: Extract | None = optional(
        "how to take the graph out of a model's answer: not at all (off), remove "
        "fences and thoughts (fences), also repair broken graphs and count them "
        "(repair), or split an answer of several fenced graphs as well (all); "
        "default: repair for rows of answers, off for graphs",
        choices=("off", "fences", "repair", "all"),
    )


class Answering(Extracting, purpose="pairs", waits=True):
    """Options of finding answers in files, and graphs in answers."""

    field: str | None = optional(
        "the column of the answers in rows of JSON or Parquet; a.b is field b of "
        "column a; A,B are the columns of predictions and of references, and id=C that "
        "of ids (default: prediction, response or output; custom_id or id)",
        metavar="NAME",
    )


class Formats(Answering, purpose="pairs", waits=True):
    """Options of the format of files, and of the choice of their graphs."""

    TITLE = "reading, pairing and errors"

    format_in: str | None = optional(
        "the format of the files (default: by how they begin); see 'exactmatch help "
        "formats'",
        read=_format,
        metavar="NAME",
        registry="format",
    )
    framework: str | None = optional(
        "read only the graphs of one framework from MRP files, such as eds",
        metavar="NAME",
    )
    max_bytes: int = option(
        "refuse graphs, and files that must be read whole, of more bytes when "
        "unpacked (default: 64 MiB)",
        default=MAX_BYTES,
        read=values.positive_int,
        purpose="runs",
    )

    @property
    def how_read(self) -> HowRead:
        """The way to read the files."""
        return how_read(self.format_in, self.extract, self.field)


class Pairing(Options, purpose="pairs", waits=True):
    """Options of pairing graphs, and of unreadable ones."""

    TITLE = Formats.TITLE

    by_id: bool = flag(
        "pair graphs by '# ::id', not by position",
        brief=("", "pair graphs by '# ::id', not by position"),
    )
    on_error: OnError = option(
        "a graph that cannot be read ends the run (raise; default), is left out with "
        "its partner (skip), or counts as an empty graph (empty)",
        default="raise",
        read=error_action,
        choices=("raise", "skip", "empty", "fail"),
        brief=("skip|empty", "leave out what is unreadable, or count it as empty"),
    )


class Reading(Pairing, Formats, purpose="pairs", waits=True):
    """Options of reading and pairing graphs."""

    strict: bool = flag(
        "refuse graphs that are not well-formed, even if the published reader "
        "accepts them"
    )
    common: bool = flag(
        "with on_error skip: score only the pairs that every metric can read"
    )


Refs: TypeAlias = Literal["max", "mean", "pooled"]
"""Rule for several references: the best, the mean, or the sums count."""


class Referring(Options, purpose="measures", waits=True):
    """Option of several references of one prediction."""

    TITLE = Reading.TITLE

    refs: Refs = option(
        "how several references count, for metrics that compare with one: the best "
        "for each pair (max; default), the mean of their F1, or the sums over all "
        "(pooled)",
        default="max",
        choices=get_args(Refs),
    )


class Working(Options, purpose="runs", waits=True):
    """Options of workers and random draws."""

    TITLE = "solving"

    jobs: int = option(
        "processes that score pairs (default: 1); the results are the same",
        default=1,
        read=values.positive_int,
        flags=("-j", "--jobs"),
        brief=("N", "processes that score pairs; the results are the same"),
    )
    executor: Executor | None = optional(
        "an executor that does the work instead, such as Dask's or MPI's; on the "
        "command line dask://HOST:PORT, mpi, ray, ray://HOST:PORT, processes:N, or "
        "MODULE:FACTORY for your own",
        metavar="ENGINE",
    )
    seed: int = option(
        "seed of every random draw (default: 0)",
        default=0,
        read=values.integer,
        purpose="measures",
    )


def limit(about: str) -> Any:
    """Declare a limit in seconds; by default there is none."""
    return optional(
        about, read=values.positive_float, metavar="SECONDS", purpose="runs"
    )


class Solving(Solvers, Working, purpose="runs", waits=True):
    """Options of the solver, its time limits, and the workers."""

    time_limit: float | None = limit(
        "seconds for each pair under each metric or profile; a pair not proven in time "
        "is reported as an interval"
    )
    total_time: float | None = limit(
        "seconds for all pairs together, from the start; a pair that is not reached in "
        "time is reported as an interval"
    )
    certify: bool = flag("check each pair's proof by an independent checker")
    if TYPE_CHECKING:  # no function takes it
        until: float | None = option(default=None, init=False)
    else:
        until = optional("the end of total_time, by the clock of time.time()", flags=())

    COMMAND_ONLY = frozenset({"until"})

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        end_total_time(self)


def end_total_time(options: Any) -> None:
    """Set the end of the total time, unless the options have one."""
    if options.until is None and options.total_time is not None:
        vars(options)["until"] = time.time() + options.total_time


class Samples(Options, purpose="measures", waits=True):
    """Confidence intervals and the samples they are drawn from."""

    TITLE = "intervals"

    confidence: float = option(
        "level of confidence intervals, as a share or in percent (default: 95)",
        default=0.95,
        read=values.level,
        bare=0.95,
        metavar="LEVEL",
        brief=("[LEVEL]", "confidence intervals (default: of 95 %)"),
    )
    samples: int | None = optional(
        "how many exchanges, halves or resampled corpora are drawn (default: 10,000 "
        "exchanges or halves, 1,000 resampled corpora)",
        read=values.positive_int,
        purpose="runs",
    )

    def sampling(self) -> Sampling:
        """Return the sampling of intervals and tests; the options have a seed."""
        from exactmatch.scoring.resampling import Sampling

        method: Method = getattr(self, "interval", "halves")
        unit: Unit = getattr(self, "unit", "pair")
        seed = vars(self)["seed"]
        return Sampling(self.samples, self.confidence, seed, method, unit)


class Units(Options, purpose="measures", waits=True):
    """Option of the units that are split and exchanged as wholes."""

    TITLE = Samples.TITLE

    unit: Literal["pair", "document"] = option(
        "what intervals and tests take as independent: pairs (default), or documents, "
        "named by '# ::doc', by a column doc, by the files of a folder, or by ids such "
        "as NAME.1",
        default="pair",
        choices=("pair", "document"),
    )


class Resampling(Samples, purpose="measures", waits=True):
    """Options of confidence intervals of corpus scores."""

    interval: Literal["halves", "bca", "percentile"] = option(
        "the method of the intervals of scores: random halves of the corpus (default), "
        "or bootstrap samples, bias-corrected and accelerated or plain percentiles",
        default="halves",
        choices=("halves", "bca", "percentile"),
    )


class OptionalIntervals(Resampling, waits=True):
    """Options of confidence intervals, which are computed only with a level."""

    confidence: float | None = redeclared(  # type: ignore[assignment]  # as above, or none
        Samples,
        "confidence",
        about="confidence intervals of this level, as a share or in percent "
        "(default: none; 95 for the option alone)",
        default=None,
    )

    def intervals(self) -> Sampling | None:
        """Return the sampling of intervals; ``None`` where there are none."""
        return None if self.confidence is None else self.sampling()


class Evaluating(Reading, Solving):
    """Options of reading and scoring pairs under any metric."""


class Measuring(Evaluating, NamedMetrics):
    """All options that determine the scores of pairs."""

    COMMAND_ONLY = Evaluating.COMMAND_ONLY | NamedMetrics.COMMAND_ONLY
