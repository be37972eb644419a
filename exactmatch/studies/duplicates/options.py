"""The command duplicates."""

from __future__ import annotations

from exactmatch.many.options import DuplicatesOptions
from exactmatch.studies.many import command

COMMAND = command(
    "duplicates",
    """Find every two graphs whose score is high; none is missed.

Example:
  exactmatch duplicates graphs.amr --at-least 0.9""",
    DuplicatesOptions,
)
