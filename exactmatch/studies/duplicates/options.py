"""The command that looks for duplicates."""

from __future__ import annotations

from exactmatch.many.options import DuplicatesOptions
from exactmatch.scoring.options import Formats
from exactmatch.studies.command import Command

COMMAND = Command(
    """Find every two graphs whose score is high; none is missed.

Example:
  exactmatch duplicates graphs.amr --at-least 0.9""",
    DuplicatesOptions,
    "exactmatch.studies.duplicates.view:study",
    titles=((Formats, "reading"),),
    is_verbose=False,
)
