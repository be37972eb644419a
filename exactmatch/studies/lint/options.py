"""Options of the search for faults in files, and the command."""

from __future__ import annotations

from typing import Any

from exactmatch.base import values
from exactmatch.base.options import option
from exactmatch.graphs.profile import Profile
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles

ALL = "all"
"""The word for every profile."""


def _profile(value: Any) -> Any:
    return value if value == ALL else _named(value)


_named = values.name_in("exactmatch.graphs.profile:PROFILES")


class LintOptions(GraphFiles):
    """Which files are looked at, and whose reader is asked, too."""

    TITLE = "what is said"

    profile: Profile | str | None = option(
        "also list what the reader of this profile loses or refuses; all: what any "
        "reader does, with its profiles",
        default=None,
        read=_profile,
        metavar="NAME",
        file=True,
    )
    fix: bool = option(
        "repair missing and surplus brackets at the end of graphs in place, if no "
        "reader loses anything; show the changes as a diff",
        default=False,
    )
    diff: bool = option("show the changes of --fix without making them", default=False)


COMMAND = Command(
    """Say what is wrong with graphs; exit with 1 if anything is.

Every graph is read as it stands. UMR documents are held against the guidelines.

Example:
  exactmatch lint gold.amr document.umr graphs.mrp
  exactmatch lint --profile smatch parsed.amr
  exactmatch lint --diff parsed.amr
  exactmatch lint --fix parsed.amr""",
    LintOptions,
    "exactmatch.studies.lint.study:study",
    is_verbose=False,
)
