"""UMR files are checked before they are compared, as ``lint --profile umr`` does."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from exactmatch.base.numbers import several
from exactmatch.graphs.profile import PROFILES
from exactmatch.metrics.base import Metric
from exactmatch.scoring.reporter import Reporter
from exactmatch.scoring.sources import paths_of
from exactmatch.studies.compare.options import CompareOptions
from exactmatch.studies.lint.results import Finding
from exactmatch.studies.lint.study import findings_in
from exactmatch.studies.pairs import refuse_pipes

_MOST_RULES = 3  # that the line names


def check_files(
    options: CompareOptions, metrics: Sequence[Metric], reporter: Reporter
) -> str:
    """Say in one line what lint finds in the files; '' where nothing is checked.

    Files are checked if a metric reads them as UMR.  What cannot be read is reported at
    once, since it may stop the comparison.

    Raises:
        InputError: if a file is not there or can be read only once.
    """
    paths = _paths(options.systems, options.golds)
    if not (options.check and paths and any(map(_reads_umr, metrics))):
        return ""
    refuse_pipes(paths)
    findings: list[Finding] = []
    with reporter.progress("checking", len(paths)) as advance:
        for path in paths:
            profiles = [PROFILES["umr"]]
            findings += findings_in(path, options.how_read, options.framework, profiles)
            advance()
    summary = _summary(findings, paths)
    if any(finding.severity == "error" for finding in findings):
        reporter.note(summary)
    return summary


def _paths(systems: Mapping[str, Any], golds: Any) -> list[str]:
    """Return each file or folder once, the references first."""
    sides = (golds, *systems.values())
    return [*dict.fromkeys(path for side in sides for path in paths_of(side))]


def _reads_umr(metric: Metric) -> bool:
    profile = getattr(metric, "profile", None)
    return profile is not None and profile.reader == "umr"


def _summary(findings: Iterable[Finding], paths: Sequence[str]) -> str:
    """Say how many faults of which rules there are, and how to list them."""
    severities: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    files = set()
    for finding in findings:
        severities[finding.severity] += 1
        rules[finding.rule] += 1
        files.add(finding.path)
    if not files:
        return "checked first: lint finds no fault in the files"
    counts = [
        several(severities[severity], severity)
        for severity in ("error", "warning")
        if severities[severity]
    ]
    named = [f"{count} {rule}" for rule, count in rules.most_common(_MOST_RULES)]
    if len(rules) > _MOST_RULES:
        named.append("…")
    return (
        f"checked first: lint finds {' and '.join(counts)} in "
        f"{several(len(files), 'file')} ({', '.join(named)}); "
        f"exactmatch lint --profile umr {shlex.join(paths)} lists them"
    )
