"""Results as a page for the browser."""

from __future__ import annotations

from typing import Any

from exactmatch.report.base import Renderer
from exactmatch.report.records import pair_record
from exactmatch.scoring.results import PairResult, Report


class Html(Renderer):
    """A page with table and histogram: :mod:`exactmatch.report.score_page`."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pairs: list[dict[str, Any]] = []
        self._scores: dict[str, list[float]] = {}

    def pair(self, result: PairResult) -> None:
        """Keep a pair's score, and its record for the table."""
        self._scores.setdefault(result.metric, []).append(result.score.score)
        if self.per_pair:
            self._pairs.append(pair_record(result))

    def finish(self, report: Report) -> None:
        """Write the page."""
        from exactmatch.report.score_page import score_page

        records = self.corpus_records(report)
        page = score_page(report, records, self._pairs, self._scores, self.digits)
        self.stream.write(page)
