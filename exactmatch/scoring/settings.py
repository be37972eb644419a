"""Settings of an evaluation: pairing, errors, limits, processes, and what is kept.

A metric says *what* is measured and is given its options when it is made; the
settings say everything else.  Their options are those of questions, declared once.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from exactmatch.base import values
from exactmatch.base.options import documented_later, flag, option, optional, redeclared
from exactmatch.metrics.options import Climbing
from exactmatch.scoring.options import (
    Evaluating,
    Reading,
    Referring,
    Solving,
    Working,
    end_total_time,
)
from exactmatch.solvers.solution import Limits

if TYPE_CHECKING:
    from exactmatch.engine.align import Want
    from exactmatch.scoring.resampling import Sampling

Proofs: TypeAlias = Literal["leave", "record", "check"]


class Settings(Reading, Referring, Working, purpose="runs"):
    """Settings of an evaluation.

    Raises:
        InputError: if a value makes no sense.

    >>> import exactmatch
    >>> settings = exactmatch.Settings(jobs=2, on_error="skip")
    >>> settings.time_limit is None
    True
    """

    time_limit: float | None = redeclared(Solving, "time_limit")
    total_time: float | None = redeclared(Solving, "total_time")
    until: float | None = redeclared(Solving, "until")
    threads: int = option(
        "how many threads a solver may use", default=1, read=values.positive_int
    )
    proofs: Proofs = option(
        "whether solvers record the evidence for their bounds (record), and an "
        "independent checker checks it (check); or neither (leave)",
        default="leave",
        choices=get_args(Proofs),
    )
    intervals: Sampling | None = optional("how intervals are drawn")
    keep_pairs: bool = option(
        "whether the report holds each pair's result", default=True
    )
    keep_graphs: bool = flag("whether a pair's result holds the two graphs")
    keep_problems: bool = flag("whether it holds the alignment problem")
    keep_solutions: bool = option(
        "whether it holds the alignment and its proof, if the metric searches; without "
        "them, pairs are scored faster",
        default=True,
    )
    cache: str | os.PathLike[str] | None = redeclared(Climbing, "cache")
    partial: bool = flag(
        "whether Ctrl-C ends the evaluation with a report of the pairs scored so far, "
        "without confidence intervals, instead of a KeyboardInterrupt"
    )
    notes_documents: bool = flag("whether it is noted which documents the pairs are of")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        end_total_time(self)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash(tuple(vars(self).items()))

    def paired(self) -> list[tuple[str, str]]:
        """Return options of reading and pairing that differ from the defaults.

        Unreadable graphs are counted elsewhere.
        """
        pairs = {"by-id": self.by_id, "common": self.common}
        chosen = ",".join(name for name, is_chosen in pairs.items() if is_chosen)
        values_by_key = {
            "pairs": chosen,
            "format": self.format_in,
            "framework": self.framework,
            "field": self.field,
            "strict": "yes" if self.strict else "",
        }
        named = ((key, value) for key, value in values_by_key.items() if value)
        return [(key, str(value).replace("|", "%7C")) for key, value in named]

    @property
    def limits(self) -> Limits:
        """Limits of a solver for one pair."""
        record, until = self.proofs != "leave", self.until
        return Limits(
            self.time_limit, self.threads, self.seed, record_proof=record, until=until
        )

    @property
    def want(self) -> Want:
        """The part of a pair's result that the engine has to compute."""
        if self.keep_problems or self.proofs != "leave":
            return "problem"
        kept = self.keep_solutions or self.keep_graphs or self.cache is not None
        limited = self.time_limit is not None or self.until is not None
        return "alignment" if kept or limited else "count"


Settings.__doc__ = documented_later(Settings.__doc__ or "", Settings)


def settings_of(options: Evaluating, **more: Any) -> Settings:
    """Return the settings of an evaluation; the question decides *more* of them."""
    proofs = "check" if options.certify else "leave"
    return options.as_options(Settings, **{"proofs": proofs} | more)
