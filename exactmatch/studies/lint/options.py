"""Options of the search for faults in files, and the command."""

from __future__ import annotations

from exactmatch.base import values
from exactmatch.base.options import option
from exactmatch.graphs.profile import Profile
from exactmatch.studies.command import Command
from exactmatch.studies.options import GraphFiles


class LintOptions(GraphFiles):
    """Which files are looked at, and whose reader is asked, too."""

    TITLE = "what is said"

    profile: Profile | str | None = option(
        "say what this profile's reader loses or refuses, too",
        default=None,
        read=values.name_in("exactmatch.graphs.profile:PROFILES"),
        metavar="NAME",
        file=True,
    )


COMMAND = Command(
    """Say what is wrong with graphs; exit with 1 if anything is.

Every graph is read as it stands. UMR documents are held against the guidelines.

Example:
  exactmatch lint gold.amr document.umr graphs.mrp
  exactmatch lint --profile smatch parsed.amr""",
    LintOptions,
    "exactmatch.studies.lint.study:study",
    is_verbose=False,
)
