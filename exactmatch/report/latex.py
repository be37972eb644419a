"""Results as a LaTeX table, rounded for reading."""

from __future__ import annotations

from typing import Any

from exactmatch.report.base import Renderer
from exactmatch.report.records import pair_record
from exactmatch.scoring.results import PairResult, Report
from exactmatch.writing.numbers import between, fixed


class Latex(Renderer):
    """A LaTeX ``tabular`` of the corpus scores, or of the pairs."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._rows: list[tuple[str, dict[str, Any]]] = []

    def pair(self, result: PairResult) -> None:
        """Keep a pair's row."""
        if self.per_pair:
            name = result.id if result.id is not None else str(result.index)
            self._rows.append((name, pair_record(result)))

    def finish(self, report: Report) -> None:
        """Write the table, and the signatures as comments."""
        from exactmatch.writing.latex import comments, tabular

        several = len(report.scores) > 1
        records = self._rows or [(r["metric"], r) for r in self.corpus_records(report)]
        rows = []
        for name, record in records:
            title = f"{name} ({record['metric']})" if several and self._rows else name
            cells = [
                self._cell(record[key]) + self._ends(record, key)
                for key in ("precision", "recall", "score")
            ]
            rows.append([title, *cells])
        head = ["Pair" if self._rows else "Metric", "P", "R", "Score"]
        self.stream.write(tabular(head, rows))
        self.stream.write(comments(score.signature for score in report.scores))
        if report.partial:
            self.stream.write(comments(["partial: interrupted before the end"]))

    def _cell(self, number: float | None) -> str:
        return "--" if number is None else fixed(number, self.digits)

    def _ends(self, record: dict[str, Any], name: str) -> str:
        low, high = record.get(f"{name}_low"), record.get(f"{name}_high")
        if low is None or high is None:
            return ""
        return f" {between(low, high, self.digits)}"
