"""Command that lists the solvers."""

from __future__ import annotations

from exactmatch.base.options import Options
from exactmatch.studies.command import Command

COMMAND = Command(
    """List every solver: exact or not, installed or not, version, how to install.

Example:
  exactmatch solvers
  exactmatch solvers --format json""",
    Options,
    "exactmatch.studies.solvers.study:study",
    is_verbose=False,
)
