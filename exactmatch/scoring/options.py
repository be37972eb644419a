"""Options of reading and scoring, and the settings that are made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from exactmatch.base import values
from exactmatch.base.inputs import MAX_BYTES
from exactmatch.base.options import Options, flag, option, optional, redeclared
from exactmatch.formats.reading import Extract, HowRead, how_read
from exactmatch.metrics.options import Climbing, Making, MetricNames, Solvers

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from exactmatch.formats.pairs import OnError
    from exactmatch.scoring.resampling import Bootstrap, Method
    from exactmatch.scoring.settings import Settings


def _format(value: Any) -> Any:
    """Read the name of a format, or that of JSON with a JSON Schema."""
    from exactmatch.formats.formats import is_document

    if isinstance(value, str) and is_document(value):
        return value
    return values.name_in("exactmatch.formats.formats:FORMATS")(value)


class Extracting(Options):
    """How graphs are found in answers of models."""

    TITLE = "answers of models"

    extract: Extract | None = optional(
        "how to take the graph out of a model's answer: not at all (off), remove "
        "fences and thoughts (fences), or also repair broken graphs and count them "
        "(repair); default: repair for rows of answers, off for graphs",
        choices=("off", "fences", "repair"),
    )


class Answering(Extracting):
    """How graphs are found in answers of models, and where answers are in files."""

    field: str | None = optional(
        "the column of the answers in rows of JSON and tables; two columns, with a "
        "comma between them, are those of predictions and references (default: "
        "prediction, response or output)",
        metavar="NAME",
    )


class Formats(Answering):
    """Which format files have, and which of their graphs are meant."""

    TITLE = "reading, pairing and errors"

    format_in: str | None = optional(
        "the format of the files (default: by how they begin); see 'exactmatch help "
        "formats'",
        read=_format,
        metavar="NAME",
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
    )

    @property
    def how_read(self) -> HowRead:
        """How the files are read."""
        return how_read(self.format_in, self.extract, self.field)


class Pairing(Options):
    """How graphs are paired, and what happens to unreadable ones."""

    TITLE = Formats.TITLE

    by_id: bool = flag("pair graphs by '# ::id', not by position")
    on_error: OnError = option(
        "a graph that cannot be read ends the run (raise; default), is left out with "
        "its partner (skip), or counts as an empty graph (empty)",
        default="raise",
        choices=("raise", "skip", "empty", "fail"),
    )


class Reading(Pairing, Formats):
    """How graphs are read and paired, and what happens to unreadable ones."""

    strict: bool = flag(
        "refuse graphs that are not well-formed, even if the published reader "
        "accepts them"
    )
    common: bool = flag(
        "with on_error skip: score only the pairs that every metric can read"
    )


class Working(Options):
    """Options of the workers, and of drawing."""

    TITLE = "solving"

    jobs: int = option(
        "processes that score pairs (default: 1); the results are the same",
        default=1,
        read=values.positive_int,
        flags=("-j", "--jobs"),
    )
    executor: Executor | None = optional(
        "an executor that does the work instead, such as Dask's or MPI's; on the "
        "command line dask://HOST:PORT, mpi, ray, processes:N, or MODULE:FACTORY "
        "for your own",
        metavar="ENGINE",
    )
    seed: int = option(
        "seed of every random draw (default: 0)", default=0, read=values.integer
    )


def limit(about: str) -> Any:
    """Declare a limit in seconds; by default there is none."""
    return optional(about, read=values.positive_float, metavar="SECONDS")


class Solving(Solvers, Working):
    """The solver, its time, and the workers."""

    time_limit: float | None = limit(
        "seconds for each pair under each metric or profile; a pair not proven in time "
        "is reported as an interval"
    )
    total_time: float | None = limit(
        "seconds for all pairs together, from the start; a pair that is not reached in "
        "time is reported as an interval"
    )
    certify: bool = flag("check each pair's proof by an independent checker")
    until: float | None = optional(
        "the end of total_time, on the clock of time.time()", flags=()
    )


class Samples(Options):
    """Confidence intervals and the samples they are drawn from."""

    TITLE = "intervals"

    confidence: float = option(
        "level of bootstrap confidence intervals, as a share or in percent "
        "(default: 95)",
        default=0.95,
        read=values.level,
        bare=0.95,
        metavar="LEVEL",
    )
    samples: int = option(
        "number of resampled corpora (default: 1000)",
        default=1000,
        read=values.positive_int,
    )

    def bootstrap(self) -> Bootstrap:
        """Return how intervals and tests resample, of options that have a seed."""
        from exactmatch.scoring.resampling import Bootstrap

        method: Method = getattr(self, "interval", "percentile")
        return Bootstrap(self.samples, self.confidence, vars(self)["seed"], method)


class Resampling(Samples):
    """Options of confidence intervals, where corpora are resampled."""

    interval: Literal["bca", "percentile"] = option(
        "the method of the intervals: bias-corrected and accelerated (default), or "
        "plain percentiles",
        default="bca",
        choices=("bca", "percentile"),
    )


class AskedIntervals(Resampling):
    """Options of confidence intervals that are made where they are asked for."""

    confidence: float | None = redeclared(  # type: ignore[assignment]  # as above, or none
        Samples,
        "confidence",
        about="bootstrap confidence intervals of this level, as a share or in percent "
        "(default: none; 95 for the option alone)",
        default=None,
    )

    def intervals(self) -> Bootstrap | None:
        """Return how intervals are computed, if they are asked for."""
        return None if self.confidence is None else self.bootstrap()


class Evaluating(Reading, Solving):
    """How pairs are read and scored, whatever is measured."""

    def settings(self, **more: Any) -> Settings:
        """Return the settings of an evaluation; the question decides *more* of them."""
        from exactmatch.scoring.settings import Settings

        fields = Settings.__dataclass_fields__
        shared = {n: getattr(self, n) for n in Evaluating.DECLARED if n in fields}
        if isinstance(self, Climbing):
            shared["cache"] = self.cache
        proofs = "check" if self.certify else "leave"
        return Settings(**{"proofs": proofs} | shared | more)


class Measuring(Evaluating, Making, MetricNames):
    """Everything that decides what pairs score."""
