"""Options of looking for faults."""

from __future__ import annotations

from typing import Any

from exactmatch.base import values
from exactmatch.base.options import flag, optional
from exactmatch.graphs.profile import Profile
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles

_ALL = "all"  # the word for every profile


_one_profile = values.name_in("exactmatch.graphs.profile:PROFILES")


def _profile(value: Any) -> Any:
    return value if value == _ALL else _one_profile(value)


class LintOptions(GraphFiles, purpose="shows"):
    """Files to check, and the profile whose reader reads them, too."""

    TITLE = "what is checked"

    profile: Profile | str | None = optional(
        "also list what the reader of this profile loses or refuses; all: what any "
        "reader does, with its profiles",
        read=_profile,
        metavar="NAME",
        purpose="measures",
    )
    fix: bool = flag(
        "repair missing and surplus brackets at the end of graphs in place, if no "
        "reader loses anything; show the changes as a diff",
        purpose="writes",
    )
    diff: bool = flag("show the changes of --fix without making them")


COMMAND = Command(
    """Say what is wrong with graphs; exit with 1 if anything is.

Every graph is read as it stands, and as it is when it is scored. UMR documents
are held against the guidelines.

Example:
  exactmatch lint gold.amr document.umr graphs.mrp
  exactmatch lint --profile smatch parsed.amr
  exactmatch lint --diff parsed.amr
  exactmatch lint --fix parsed.amr""",
    LintOptions,
    "exactmatch.studies.lint.study:study",
    is_verbose=False,
)
