"""Results for programs: JSON, JSON Lines and CSV, in full precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactmatch.report.base import Renderer
from exactmatch.report.records import (
    CORPUS_FIELDS,
    INTERVAL_FIELDS,
    PAIR_FIELDS,
    pair_record,
    trouble_record,
)
from exactmatch.scoring.results import PairResult, Report
from exactmatch.writing.data import CsvWriter, write_json


class JsonLines(Renderer):
    """One JSON object a line: each pair, or each corpus score without pairs."""

    def pair(self, result: PairResult) -> None:
        """Write a pair's object."""
        if self.per_pair:
            self._write(pair_record(result))

    def finish(self, report: Report) -> None:
        """Write the corpus scores, unless pairs were asked for."""
        if not self.per_pair:
            for record in self.corpus_records(report):
                self._write(record | trouble_record(report, record["metric"]))
        elif report.partial:
            self._write({"partial": True, "pairs": report.scores[0].pairs})

    def _write(self, record: Mapping[str, Any]) -> None:
        write_json(self.stream, record)


class Json(Renderer):
    """One JSON object for one metric, a list of them for several."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pairs: dict[str, list[dict[str, Any]]] = {}

    def pair(self, result: PairResult) -> None:
        """Keep a pair's record for its metric's object."""
        if self.per_pair:
            self._pairs.setdefault(result.metric, []).append(pair_record(result))

    def finish(self, report: Report) -> None:
        """Write everything at once."""
        records = self.corpus_records(report)
        for record in records:
            record |= trouble_record(report, record["metric"])
            if self.per_pair:
                record["per_pair"] = self._pairs.get(record["metric"], [])
        document = records[0] if len(records) == 1 else records
        write_json(self.stream, document, indent=2)


class Csv(Renderer):
    """Comma-separated values with a header line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.per_pair:
            self._writer = CsvWriter(self.stream, PAIR_FIELDS)

    def pair(self, result: PairResult) -> None:
        """Write a pair's row."""
        if self.per_pair:
            self._writer.write([pair_record(result)])

    def finish(self, report: Report) -> None:
        """Write the corpus rows, unless pairs were asked for."""
        if self.per_pair:
            return
        records = self.corpus_records(report)
        several = any("confidence" in record for record in records)
        fields = CORPUS_FIELDS + (INTERVAL_FIELDS if several else ())
        CsvWriter(self.stream, fields).write(records)
