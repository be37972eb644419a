"""Options of the report that is served, and the command."""

from __future__ import annotations

from exactmatch.base import values
from exactmatch.base.options import option
from exactmatch.metrics import ALIGNING
from exactmatch.studies.command import Command
from exactmatch.studies.report.options import ReportOptions


class ServeOptions(ReportOptions):
    """How the report is made, and where it is served."""

    TITLE = "serving"

    port: int = option(
        "port on this machine (default: 8765; 0: any that is free)",
        default=8765,
        read=values.port,
        metavar="N",
    )


COMMAND = Command(
    """Show the report of files and renew it whenever one of them changes.

Only this machine can see it.  Ctrl-C ends it.

Example:
  exactmatch serve parsed.amr gold.amr""",
    ServeOptions,
    "exactmatch.studies.serve.study:study",
    metrics=ALIGNING,
    output="shown",
)
