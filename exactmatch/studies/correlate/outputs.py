"""Comparison of metrics with people's scores of several systems' outputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from exactmatch.base.numbers import several
from exactmatch.metrics.base import Metric
from exactmatch.scoring.exchange import Matrix, Vector
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.resampling import Sampling
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.rows import (
    SCORE_NAMES,
    Codes,
    mean_scorer,
    only,
    rows_of,
    summed,
    value_rows,
)
from exactmatch.studies.correlate.assessments import Assessments, signed_people
from exactmatch.studies.correlate.grouped import MERGED
from exactmatch.studies.correlate.options import Outputs, SystemOptions
from exactmatch.studies.correlate.soft import SystemRows
from exactmatch.studies.correlate.systems import (
    Judged,
    MetricComparison,
    MetricRanks,
    OutputAgreement,
    compare_metrics,
    output_agreement,
    rows_of_people,
)


def shown_scores(results: Iterable[PairResult], total: int) -> Vector:
    """Return the scores of the first *total* pairs; NaN where there is none."""
    scores = np.full(total, np.nan)
    for result in results:
        if result.index < total:
            scores[result.index] = result.score.shown
    return scores


def note_outputs(options: Outputs, why: str, reporter: Listener) -> None:
    """Remark on options of judged outputs that were set and have no effect."""
    chosen = {"group_by": "item", "ties": "merged", "darr_margin": None}
    for name, default in chosen.items():
        if getattr(options, name) != default:
            reporter.note(f"--{name.replace('_', '-')} has no effect {why}")


class HeldOutputs:
    """Comparison of metrics with people's scores of outputs, a metric at a time.

    *codes* has the number of each segment's document, if documents are units.
    """

    def __init__(
        self,
        options: SystemOptions,
        people: Assessments,
        reporter: Listener,
        codes: Codes | None = None,
    ) -> None:
        self.codes = codes
        self.by, self.macro = options.group_by, options.macro
        self.merged = MERGED if options.ties == "merged" else 0.0
        self.agreements: dict[str, OutputAgreement] = {}
        self.scores: dict[str, Matrix] = {}
        self.people = people.outputs
        if self.people is None or people.counted:
            note_outputs(options, "without scores of outputs", reporter)
            return
        judged = ~np.isnan(self.people)
        partly = int((judged.any(axis=1) & ~judged.all(axis=1)).sum())
        self.is_complete = not partly
        if partly:
            reporter.note(
                f"no soft pairwise accuracy: {several(partly, 'segment')} "
                f"{'is' if partly == 1 else 'are'} judged for some of the systems alone"
            )
        if codes is not None and self.by != "item":
            reporter.note(
                "--unit document: no test of acc_eq, which compares outputs of "
                f"different documents with --group-by {self.by}"
            )

    def judged(
        self, metric: Metric, results: Mapping[str, Sequence[PairResult]]
    ) -> Judged:
        """Return people's and the metric's rows of the outputs that were judged."""
        assert self.people is not None
        rows = [
            _system_rows(rs, self.macro, len(self.people)) for rs in results.values()
        ]
        width = max(matrix.shape[1] for matrix in rows)
        rows = [
            np.pad(matrix, ((0, 0), (0, width - matrix.shape[1]))) for matrix in rows
        ]
        some = ~np.isnan(self.people).all(axis=1)
        codes = only(self.codes, some)
        is_fast = self.macro or type(metric).score_rows is not Metric.score_rows
        scorer = mean_scorer if self.macro else metric.score_rows
        people = rows_of_people(self.people).at(some)
        metric_rows = SystemRows(
            np.stack([summed(matrix[some], codes) for matrix in rows]),
            scorer,
            len(SCORE_NAMES) - 1,
            is_fast,
        )
        totals = np.stack([summed(matrix, codes) for matrix in people.rows])
        return Judged(people._replace(rows=totals), metric_rows, self.is_complete)

    def add(self, name: str, scores: Matrix, sampling: Sampling) -> None:
        """Compare a metric's scores with people's; shape (segments, systems)."""
        assert self.people is not None
        self.scores[name] = scores.T
        self.agreements[name] = output_agreement(
            self.people.T, scores.T, self.by, sampling, self.merged, self.codes
        )

    def compared(
        self, sampling: Sampling
    ) -> tuple[tuple[MetricComparison, ...], dict[str, MetricRanks]]:
        """Compare every two of the metrics."""
        if self.people is None or len(self.scores) < 2:
            return (), {}
        epsilons = {
            name: agreement.epsilon for name, agreement in self.agreements.items()
        }
        complete = self.is_complete
        settings = epsilons, complete, self.by, sampling, self.codes
        return compare_metrics(self.people.T, self.scores, *settings)


def _system_rows(results: Sequence[PairResult], macro: bool, segments: int) -> Matrix:
    """Return a row for each segment, zeros where a system has no output."""
    if macro:
        value_and_statistics = value_rows(result.score for result in results)
    else:
        value_and_statistics = rows_of([result.statistics for result in results])
    rows = np.zeros((segments, value_and_statistics.shape[1]))
    rows[[result.index for result in results]] = value_and_statistics
    return rows


def scores_of_outputs(
    results: Mapping[str, Sequence[PairResult]], segments: int
) -> Matrix:
    """Return the scores of outputs, shape (segments, systems)."""
    return np.column_stack([shown_scores(rs, segments) for rs in results.values()])


def signed(
    options: SystemOptions,
    people: Assessments,
    agreement: OutputAgreement | None,
    sampling: Sampling,
    units: int | None,
) -> str:
    """Return the signature of a metric's agreement with people.

    *units* is the number of documents, if these are units.
    """
    parts = "|average:macro" if options.macro else ""
    parts += signed_people(options)
    if people.margin is not None:
        parts += f"|darr:{people.margin:g}"
    if agreement is not None:
        ties = "" if options.ties == "merged" else ",ties:float"
        by = options.group_by
        parts += f"|meta:spa,acc_eq({by},ε={agreement.epsilon:g}{ties})"
    count = len(people.systems) if people.outputs is None else len(people.outputs)
    count = count if units is None else units
    return f"{parts}|{':'.join(sampling.signature(count))}"
