"""What ``exactmatch score`` shows: scores, how sure they are, and every pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.base.numbers import fixed
from exactmatch.scoring.records import (
    CORPUS_FIELDS,
    INTERVAL_FIELDS,
    PAIR_FIELDS,
    corpus_record,
    pair_record,
)
from exactmatch.scoring.report import Report, states, trouble, trouble_record
from exactmatch.scoring.results import PairResult
from exactmatch.scoring.tables import corpus_table, pair_table
from exactmatch.views.tables import Histogram, Row, Table, Tables, fields_table


@dataclass(slots=True)
class Scores:
    """Takes pairs' results as they come, and shows them with the corpus scores.

    Attributes:
        per_pair: whether every pair is shown.
        macro: whether averages over pairs replace the sums.
        digits: decimals of rounded numbers.
        write_line: called with each pair's record instead of keeping it.
        pairs: the pairs' records, where they are shown.
        scores: each metric's scores of single pairs.
    """

    per_pair: bool = False
    macro: bool = False
    digits: int = 4
    write_line: Callable[[Row], None] | None = None
    pairs: list[Row] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)

    def take(self, result: PairResult) -> None:
        """Keep what will be shown of a pair's result."""
        if result.score.is_defined:
            self.scores.setdefault(result.metric, []).append(result.score.score)
        if self.per_pair:
            (self.write_line or self.pairs.append)(pair_record(result))

    def tables(self, report: Report) -> Tables:
        """Everything that an evaluation found out."""
        corpora = [corpus_record(score, self.macro) for score in report.scores]
        head = [f"{r['metric']} {fixed(r['score'], self.digits)}" for r in corpora]
        return Tables(
            "Scores",
            (corpus_table(corpora, self.digits, self.macro),),
            self._data(report, corpora),
            details=self._details(len(corpora) > 1),
            states=[*states(report)],
            warnings=[*trouble(report)],
            signatures=[record["signature"] for record in corpora],
            rows=self._rows(corpora),
            lines=self._lines(report, corpora),
            charts=[*self._histograms(corpora)],
            headline=", ".join(head),
        )

    def _details(self, several: bool) -> tuple[Table, ...]:
        return (pair_table(self.pairs, self.digits, several),) if self.pairs else ()

    def _data(self, report: Report, corpora: Sequence[Row]) -> dict[str, Any]:
        """Each metric's corpus score, with its pairs if they are shown."""
        records = []
        for record in corpora:
            found = {**record, **trouble_record(report, record["metric"])}
            if self.per_pair:
                found["per_pair"] = [
                    pair for pair in self.pairs if pair["metric"] == record["metric"]
                ]
            records.append(found)
        return {"metrics": records}

    def _rows(self, corpora: Sequence[Row]) -> Table:
        if self.per_pair:
            return fields_table(PAIR_FIELDS, self.pairs)
        intervals = any("confidence" in record for record in corpora)
        fields = CORPUS_FIELDS + (INTERVAL_FIELDS if intervals else ())
        if any("defined" in record for record in corpora):
            fields += ("defined",)
        return fields_table(fields, corpora)

    def _lines(self, report: Report, corpora: Sequence[Row]) -> Iterator[Row]:
        """The pairs if they are shown, else the corpus scores."""
        if not self.per_pair:
            for record in corpora:
                yield {**record, **trouble_record(report, record["metric"])}
            return
        yield from self.pairs
        if report.partial:
            yield {"partial": True, "pairs": report.scores[0].pairs}

    def _histograms(self, corpora: Sequence[Row]) -> Iterator[Histogram]:
        for record in corpora:
            values = self.scores.get(record["metric"], ())
            if values:
                shown = fixed(record["score"], self.digits)
                yield Histogram(record["metric"], values, record["score"], shown)


def smatch_lines(record: Row, digits: int, precision_recall: bool) -> Iterator[str]:
    """A score in the lines that smatch 1.0.4 prints.

    Args:
        record: the pair's or the corpus's.
        digits: the decimals.
        precision_recall: whether to print these too (``--pr``).
    """
    if precision_recall and record["recall"] is not None:
        yield f"Precision: {fixed(record['precision'], digits)}"
        yield f"Recall: {fixed(record['recall'], digits)}"
    yield f"F-score: {fixed(record['score'], digits)}"
    if record.get("score_low") is not None:
        low, high = (fixed(record[f"score_{end}"], digits) for end in ("low", "high"))
        yield f"F-score {100 * record['confidence']:g} %: {low} to {high}"
