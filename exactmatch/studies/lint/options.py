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
        "say what this profile's reader loses or refuses, too; all: what any does, and "
        "under which profiles",
        default=None,
        read=_profile,
        metavar="NAME",
        file=True,
    )
    fix: bool = option(
        "mend files in place where no reader loses anything by it: brackets too many "
        "or too few at the end; show what changes as a diff",
        default=False,
    )
    diff: bool = option(
        "show what --fix would change, and change nothing", default=False
    )


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
