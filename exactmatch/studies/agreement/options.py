"""Options of the agreement of annotators, and the command."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

from exactmatch.base import values
from exactmatch.base.options import Options, option, optional, redeclared
from exactmatch.many.options import Reads
from exactmatch.metrics import ALIGNING
from exactmatch.scoring.options import OptionalIntervals, Pairing, Units, Working
from exactmatch.studies.command import Command
from exactmatch.studies.options import how_many, picture


class Annotations(Options, purpose="opens"):
    """Graphs that several annotators made of the same texts."""

    annotations: (
        Mapping[str, Iterable[Any] | Mapping[str, Any] | os.PathLike[str]]
        | Sequence[os.PathLike[str]]
    ) = option(
        "a file of each annotator's graphs; in Python also a mapping of each "
        "annotator to graphs in the same order, or to a mapping of units to graphs "
        "if annotators have annotated different units",
        operand="FILE",
        is_repeated=True,
        kw_only=False,
    )


class AgreementOptions(
    Units, OptionalIntervals, Pairing, Reads, Annotations, purpose="measures"
):
    """Options of the comparison of annotators."""

    TITLE = "agreement"

    names: str | None = optional(
        "names of the annotators (default: their files)",
        metavar="NAME[,NAME…]",
        is_list=True,
        purpose="shows",
    )
    chance_pairs: int = option(
        "estimate the agreement of chance from at most so many random pairs "
        "(default: 10000)",
        default=10_000,
        read=values.positive_int,
    )
    seed: int = redeclared(
        Working, "seed", about="seed of this estimate, and of a solver that draws"
    )
    jobs: int = redeclared(
        Working,
        "jobs",
        about="threads or processes that compute the agreement of chance (default: 1)",
    )
    executor: Executor | None = redeclared(
        Working,
        "executor",
        about="an executor that computes it instead, as for pdist; on the command line "
        "dask://HOST:PORT, mpi, ray, processes:N, or MODULE:FACTORY for your own",
    )


class Shown(Options):
    """Options of the view of agreement."""

    TITLE = "agreement"

    show: int = how_many("number of the least similar graphs to list", 5)
    plot: str | None = picture("draw the F1 of every two annotators")


COMMAND = Command(
    """Compare annotators: every two of them, by kind and role, corrected for chance.

Example:
  exactmatch agreement ann.amr bob.amr cem.amr
  exactmatch agreement ann.amr bob.amr --confidence --format json
  exactmatch agreement ann.umr bob.umr --profile umr
  exactmatch agreement ann.umr bob.umr --profile umr --format-in umr-sentences""",
    AgreementOptions,
    "exactmatch.studies.agreement.study:study",
    Shown,
    metrics=ALIGNING,
    picture="exactmatch.studies.agreement.view:draw",
    is_verbose=False,
)
