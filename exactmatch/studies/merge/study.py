"""Add up the parts of a corpus that were scored apart."""

from __future__ import annotations

import os
from dataclasses import replace

from exactmatch.base.options import function
from exactmatch.scoring.parts import merged, part_of
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import SILENCE, Listener
from exactmatch.studies.merge.options import MergeOptions
from exactmatch.studies.score.study import note_scores


def study(options: MergeOptions, reporter: Listener = SILENCE) -> Report:
    """Add up the parts of a corpus that were scored apart.

    Returns:
        The report of one run over the pairs of all parts, without the pairs themselves.

    Raises:
        InputError: if a file holds no part, parts were scored in different ways, or
            two of them hold the same pairs.

    >>> import exactmatch
    >>> exactmatch.studies.merge([])
    Traceback (most recent call last):
    exactmatch.base.errors.InputError: there is no part to merge; write each part by \
'exactmatch PRED GOLD --format jsonl -o PART'
    """
    evaluation = merged(os.fspath(part) for part in options.parts)
    report = evaluation.report()
    if reporter.needs_sums:
        report = replace(report, part=part_of(evaluation))
    for kind, warned in report.warnings.items():
        for text in warned.examples:
            reporter.warn(kind, text)
    reporter.scored(report)
    if remark := evaluation.about_documents():
        reporter.note(remark)
    has_intervals = evaluation.settings.intervals is not None
    note_scores(report, reporter, has_intervals)
    return report


merge = function("merge", MergeOptions, study)
