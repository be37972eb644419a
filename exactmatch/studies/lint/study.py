"""Look for faults in files of graphs."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.graphs.profile import PROFILES, Profile, get_profile
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.lint.lint import findings_in
from exactmatch.studies.lint.mending import mend
from exactmatch.studies.lint.options import ALL, LintOptions
from exactmatch.studies.lint.results import Findings


def study(asked: LintOptions, reporter: Listener = SILENCE) -> Findings:
    """Say what is wrong with files of graphs.

    Raises:
        InputError: if a file is not there.

    >>> from importlib.resources import files
    >>> from exactmatch.studies.lint.study import lint
    >>> found = lint(str(files("exactmatch") / "sample" / "gold.amr"))
    >>> bool(found), found
    (False, nothing is wrong)
    """
    del reporter
    named = asked.profile
    profiles: list[Profile] = []
    if named == ALL:
        profiles = list(PROFILES.values())
    elif named is not None:
        profiles = [get_profile(named) if isinstance(named, str) else named]
    changes: list[str] = []
    if asked.fix or asked.diff:
        write = asked.fix and not asked.diff
        for path in asked.files:
            changes += mend(path, asked.format_in, write=write)
    return Findings(
        tuple(
            finding
            for path in asked.files
            for finding in findings_in(path, asked.how_read, asked.framework, profiles)
        ),
        tuple(changes),
    )


lint = function("lint", LintOptions, study)
