"""Scores of the pairs of graphs that people judged."""

from __future__ import annotations

from collections.abc import Sequence

from exactmatch.base.errors import InputError
from exactmatch.scoring.documents import Documents
from exactmatch.scoring.exchange import Vector
from exactmatch.scoring.report import Report
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.rows import Codes
from exactmatch.studies.correlate.human import Judgement
from exactmatch.studies.correlate.options import (
    CorrelateOptions,
    FoilOptions,
    PreferenceOptions,
)
from exactmatch.studies.correlate.outputs import shown_scores
from exactmatch.studies.pairs import scored_of_documents


def report_of(
    options: CorrelateOptions | PreferenceOptions | FoilOptions, reporter: Listener
) -> tuple[Report, Documents]:
    """Score the pairs of a study, and note their documents."""
    metrics = options.metrics_per_restarts(reporter.note)
    return scored_of_documents(
        options.preds, options.golds, options, metrics, reporter, notes_documents=True
    )


def document_codes(
    documents: Documents, sampling: Sampling, pairs: Sequence[int], reporter: Listener
) -> Codes | None:
    """Return each pair's document, if documents are units; remark on the documents.

    Raises:
        InputError: if documents are units and a pair has none.
    """
    if remark := documents.remark(len(pairs), sampling.unit, pairs):
        reporter.note(remark)
    return None if sampling.unit == "pair" else documents.codes(pairs)


def number_of_pairs(report: Report) -> int:
    """Return the number of pairs up to the last that any metric scored."""
    return 1 + max((max(r) for r in report.by_metric().values() if r), default=-1)


def covered(report: Report, judgement: Judgement) -> dict[str, Vector]:
    """Return each metric's scores of the judged pairs; NaN where it has none."""
    total, answers = number_of_pairs(report), judgement.answers.shape[1]
    judged = 2 * answers if judgement.prefers else answers
    is_short = total < judged and not report.omitted
    if is_short or (total > judged and judgement.path is None):
        raise InputError(judgement.refusal(total))
    return {
        metric: shown_scores(results.values(), judged)
        for metric, results in report.by_metric().items()
    }
