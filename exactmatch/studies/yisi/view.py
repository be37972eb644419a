"""The view of scores of sentences."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.report import Report
from exactmatch.scoring.tables import shown_ratios
from exactmatch.studies.answer import Looks
from exactmatch.studies.score.score import Scores
from exactmatch.views.data import write_json
from exactmatch.views.tables import Tables
from exactmatch.views.text import write_lines


@contextmanager
def display(
    looks: Looks,
    score_only: bool = False,
    per_pair: bool = False,
    macro: bool = False,
    **others: Any,
) -> Iterator[SentenceScores]:
    """Show scores as they come."""
    if macro:
        looks.note(
            "--macro has no effect on yisi, whose score of a document is the mean of "
            "its sentences' scores anyway"
        )
    what = "has no effect on -b, which prints the score"
    if score_only and looks.form != "text":
        looks.note(f"--format {looks.form} {what}")
    for name, value in {"per_pair": per_pair, **others}.items():
        if score_only and name != "percent" and value not in (None, False):
            looks.note(f"--{name.replace('_', '-')} {what}")
    shown = SentenceScores(per_pair and not score_only, looks=looks)
    shown.digits = looks.number.digits
    shown.score_only = score_only
    if looks.form == "jsonl":
        shown.write_line = partial(write_json, looks.stream)
    yield shown


@dataclass(slots=True)
class SentenceScores(Scores):
    """Takes sentences' scores as they come.

    Attributes:
        looks: how they are written.
        score_only: whether numbers alone are written.
    """

    looks: Looks = field(kw_only=True)
    score_only: bool = False

    def tables(self, report: Report) -> Tables | None:  # type: ignore[override]  # numbers
        """Everything that was found out, where it is not written yet."""
        if not self.score_only:
            return Scores.tables(self, report)
        for score in report.scores:
            number = shown_ratios(corpus_record(score))["_score"]
            write_lines(self.looks.stream, [self.looks.number(number)])
            if self.looks.form == "text":
                self.looks.note(f"signature: {score.signature}")
        for omission in report.omitted if self.looks.form == "text" else ():
            self.looks.note(str(omission))
        return None

    def draw(self, path: str, report: Report) -> None:
        """Draw the scores of sentences, with that of the document."""
        from exactmatch.views.score_plots import ScoreHistogram, pair_histograms

        panels = []
        for score in report.scores:
            values = self.scores.get(score.metric, ())
            corpus = corpus_record(score)["score"]
            shown = self.looks.number(corpus)
            panels.append(ScoreHistogram(score.metric, values, corpus, shown))
        pair_histograms(path, panels)
