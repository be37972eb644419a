"""Look for faults in files of graphs."""

from __future__ import annotations

from exactmatch.base.options import function
from exactmatch.graphs.profile import get_profile
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.lint.lint import findings_in
from exactmatch.studies.lint.options import LintOptions
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
    profile = asked.profile
    if isinstance(profile, str):
        profile = get_profile(profile)
    return Findings(
        tuple(
            finding
            for path in asked.files
            for finding in findings_in(path, asked.how_read, asked.framework, profile)
        )
    )


lint = function("lint", LintOptions, study)
