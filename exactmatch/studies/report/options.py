"""Options of the page on which every pair can be browsed, and the command."""

from __future__ import annotations

import os

from exactmatch.base import values
from exactmatch.base.options import flag, option, optional
from exactmatch.metrics import ALIGNING
from exactmatch.scoring.options import Resampling
from exactmatch.studies.command import Command
from exactmatch.studies.errors.options import ErrorsOptions


class ReportOptions(Resampling, ErrorsOptions):
    """How pairs are scored and aligned, and what the page says of all of them."""

    TITLE = ErrorsOptions.TITLE

    output: str | os.PathLike[str] | None = optional(
        "write the page to this file when complete", flags=()
    )
    proofs: bool = flag(
        "put every pair's certificate into the page; the page checks it when the "
        "pair is opened"
    )
    macro: bool = flag("average over pairs instead of summing")
    decimals: int = option(
        "decimals of scores (default: 4)",
        default=4,
        read=values.digits,
        flags=("--decimals", "--significant"),
    )


COMMAND = Command(
    """Write a page to browse every pair: both graphs drawn, and what differs.

The page is one file and needs no network.

Example:
  exactmatch report parsed.amr gold.amr -o report.html
  exactmatch report bart.amr t5.amr gold.amr --names BART,T5 -o report.html""",
    ReportOptions,
    "exactmatch.studies.report.study:study",
    metrics=ALIGNING,
    output="page",
)
