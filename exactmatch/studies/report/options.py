"""Options of the page on which every pair can be browsed, and the command."""

from __future__ import annotations

import os

from exactmatch.base import values
from exactmatch.base.options import flag, option, optional
from exactmatch.metrics import ALIGNING
from exactmatch.scoring.options import Resampling, Units
from exactmatch.studies.command import Command
from exactmatch.studies.errors.options import ErrorsOptions


class ReportOptions(Units, Resampling, ErrorsOptions, purpose="shows"):
    """Options of scoring and aligning pairs, and of the page."""

    TITLE = ErrorsOptions.TITLE

    output: str | os.PathLike[str] | None = optional(
        "write the page to this file when complete", flags=(), purpose="writes"
    )
    proofs: bool = flag(
        "put every pair's certificate into the page; the page checks it when the "
        "pair is opened",
        purpose="runs",
    )
    macro: bool = flag("average over pairs instead of summing", purpose="measures")
    decimals: int = option(
        "decimals of scores (default: 4)",
        default=4,
        read=values.digits,
        flags=("--decimals", "--significant"),
    )
    serve: bool = flag(
        "show the page to this machine alone, and renew it whenever a file changes, "
        "until Ctrl-C",
        purpose="runs",
    )
    port: int = option(
        "port of the page that is served (default: 8765; 0: any that is free)",
        default=8765,
        read=values.port,
        purpose="runs",
    )

    @property
    def refused_flags(self) -> dict[str, str]:
        """Return the flags that have no use here, each with its message."""
        if self.serve:
            return {"-o": "--serve shows the page and writes none; leave out -o"}
        is_named = self.port != self.DECLARED["port"].default
        return {"--port": "--port is that of --serve; add it"} if is_named else {}


COMMAND = Command(
    """Write a page to browse every pair: both graphs drawn, and what differs.

The page is one file and needs no network.

Example:
  exactmatch report parsed.amr gold.amr -o report.html
  exactmatch report gold.amr --systems bart.amr t5.amr -o report.html
  exactmatch report parsed.amr gold.amr --serve
  exactmatch report answers.jsonl gold.jsonl --metric json -o page.html""",
    ReportOptions,
    "exactmatch.studies.report.study:study",
    metrics=(*ALIGNING, "json"),
    output="page",
)
