"""Display of scores: tables with intervals, every pair, or smatch's own lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from exactmatch.base.inputs import provenance
from exactmatch.base.numbers import Share, decimals, fixed
from exactmatch.scoring.report import Report, states, trouble, trouble_record
from exactmatch.scoring.results import (
    CORPUS_FIELDS,
    INTERVAL_FIELDS,
    PAIR_FIELDS,
    PairResult,
    corpus_record,
    pair_record,
)
from exactmatch.scoring.selection import with_metrics
from exactmatch.scoring.tables import corpus_table, pair_table, shown_ratios
from exactmatch.studies.answer import Display, Looks
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import Column, Histogram, Row, Table, Tables, fields_table
from exactmatch.views.text import write_lines

if TYPE_CHECKING:
    from exactmatch.studies.finegrained.fields import DocumentsAnswer
    from exactmatch.views.parquet import ParquetRows

BATCH = 4096
"""Pairs that are kept until they are written together, in Parquet."""


class Scores(Display):
    """Display of pairs' results as they come, and of the corpus scores.

    Records of pairs are kept until they are written; scores of pairs are kept to the
    end.
    """

    def __init__(
        self,
        looks: Looks,
        per_pair: bool = False,
        macro: bool = False,
        ms: bool = False,
        pr: bool = False,
        score_only: bool = False,
        smatch_files: Sequence[str] | None = None,
        **others: Any,
    ) -> None:
        is_smatch = looks.form == "text" and not (score_only or per_pair)
        is_smatch = is_smatch and bool(ms or pr or smatch_files)
        if is_smatch:
            for name in ("percent", "short", "macro"):
                if {**others, "macro": macro}.get(name):
                    looks.note(f"--{name} has no effect on smatch's own lines")
        default = 2 if is_smatch else 4
        self.looks = looks
        self.digits = default if looks.digits is None else looks.digits
        self.macro = macro and not is_smatch
        self.pairs: list[Row] = []
        self.scores: dict[str, list[float]] = {}
        self._selection, self._score_only = selection_of(others), score_only
        self.per_pair = per_pair or ms or bool(self._selection)
        self.needs_solutions = self.per_pair
        self.needs_documents = looks.form == "text" and not (is_smatch or score_only)
        self._documents: DocumentsAnswer | None = None
        self._file: ParquetRows | None = None
        is_part = looks.form == "parquet" and not self._selection
        self.needs_sums = is_part or (looks.form == "jsonl" and not self.per_pair)
        self.leads = not (is_smatch or score_only)
        self.tells_omissions = looks.form == "text" and not (is_smatch or score_only)
        self._is_smatch, self._pairs_alone, self._with_ratios = is_smatch, ms, pr

    def take(self, result: PairResult) -> None:
        """Keep the parts of a pair's result that will be shown."""
        if result.documents is not None:
            if self._documents is None:
                from exactmatch.studies.finegrained.fields import DocumentsAnswer

                self._documents = DocumentsAnswer()
            self._documents.take(result)
        if result.score.is_defined:
            self.scores.setdefault(result.metric, []).append(result.score.score)
        if self.per_pair:
            self.pairs.append(pair_record(result))
            is_full = self.looks.form != "parquet" or len(self.pairs) >= BATCH
            if is_full and not self._selection:
                self._write_pairs()

    def _write_pairs(self) -> None:
        """Write the pairs that are kept, in formats with a few lines for each."""
        if self._is_smatch:
            self._write_as_smatch(self.pairs)
        elif self.looks.form == "jsonl":
            from exactmatch.views.data import write_json

            for record in self.pairs:
                write_json(self.looks.stream, record)
        elif self.looks.form == "parquet":
            if self._file is None:
                from exactmatch.views.parquet import ParquetRows

                fields = (*PAIR_FIELDS, "faults")
                self._file = ParquetRows(self.looks.stream, fields)
            self._file.write(self.pairs)
        else:
            return
        self.pairs.clear()

    def _write_as_smatch(self, records: Sequence[Row]) -> None:
        for record in records:
            lines = smatch_lines(record, self.digits, self._with_ratios)
            write_lines(self.looks.stream, lines)

    def tables(self, report: Report) -> Tables | None:
        """Return the results of an evaluation that are not written yet."""
        if self._selection:
            pairs = [
                [*records]
                for _, records in groupby(self.pairs, lambda row: row["index"])
            ]
            chosen = self._selection.chosen(pairs, with_metrics)
            self.pairs = [row for records in chosen for row in records]
            self._write_pairs()
        corpora = [corpus_record(score, self.macro) for score in report.scores]
        if self.looks.form == "parquet" and self.per_pair:
            self._write_pairs()
            if self._file is not None:
                self._file.close(self._metadata(report))
            return None
        if not self._is_smatch:
            return self._tables(report, corpora)
        if not self._pairs_alone:
            self._write_as_smatch(corpora)
        return None

    def _tables(self, report: Report, corpora: Sequence[Row]) -> Tables:
        shown = decimals(self.digits)
        head = [f"{record['metric']} {shown(record['score'])}" for record in corpora]
        details = []
        if self.pairs:
            details.append(pair_table(self.pairs, self.digits, len(corpora) > 1))
        document_scores = self._documents
        documents = (
            [] if document_scores is None else document_scores.sentences(self.digits)
        )
        numbers = None
        is_plain = self._score_only or not self.per_pair
        if is_plain and not any("confidence" in record for record in corpora):
            column = Column("_score", "", Share(self.digits))
            numbers = Table("", (column,), [shown_ratios(record) for record in corpora])
        return Tables(
            "Scores",
            (corpus_table(corpora, self.digits, self.macro),),
            {"metrics": [*self._records(report, corpora)]},
            details=details,
            states=[*states(report), *documents],
            warnings=[*trouble(report)],
            signatures=[record["signature"] for record in corpora],
            rows=self._rows(corpora),
            lines=self._lines(report, corpora),
            metadata=self._metadata(report),
            charts=[h for h in self._histograms(report, shown) if h.values],
            headline=", ".join(head),
            numbers=numbers,
        )

    def _records(
        self, report: Report, corpora: Sequence[Row]
    ) -> Iterator[dict[str, Any]]:
        """Yield each metric's corpus score, with its pairs if they are shown."""
        for record in corpora:
            name = record["metric"]
            shown_record = {**record, **trouble_record(report, name)}
            if self.per_pair:
                shown_record["per_pair"] = [
                    p for p in self.pairs if p["metric"] == name
                ]
            yield shown_record

    def _rows(self, corpora: Sequence[Row]) -> Table:
        if self.per_pair:
            return fields_table(PAIR_FIELDS, self.pairs)
        fields: tuple[str, ...] = CORPUS_FIELDS
        if any("confidence" in record for record in corpora):
            fields += INTERVAL_FIELDS
        if any("defined" in record for record in corpora):
            fields += ("defined",)
        return fields_table(fields, corpora)

    def _lines(self, report: Report, corpora: Sequence[Row]) -> Iterator[Row]:
        """Yield the pairs if they are shown, else the corpus scores."""
        if not self.per_pair:
            records = [*self._records(report, corpora)]
            if report.part is not None:
                from exactmatch.scoring.parts import with_inputs

                records[0]["part"] = with_inputs(report.part, provenance())
            yield from records
            return
        yield from self.pairs
        if report.partial:
            yield {"partial": True, "pairs": report.scores[0].pairs}

    def _metadata(self, report: Report) -> dict[str, str] | None:
        """Return what stands in a Parquet file beside its rows: the part."""
        if report.part is None or self.looks.form != "parquet":
            return None
        from exactmatch.base.json_texts import dumps
        from exactmatch.scoring.parts import PART, with_inputs

        return {PART: dumps(with_inputs(report.part, provenance()))}

    def _histograms(
        self, report: Report, number: Callable[[Any], str]
    ) -> Iterator[Histogram]:
        """Yield the histogram of each metric's pairs, with the score of the corpus."""
        for score in report.scores:
            corpus = corpus_record(score, self.macro)["score"]
            values = self.scores.get(score.metric, ())
            yield Histogram(score.metric, values, corpus, number(corpus))

    def remarks(self, report: Report) -> Iterator[str]:
        """Yield important remarks that the output has no place for."""
        if self.tells_omissions:
            return
        for score in report.scores:
            if score.proven is not None and score.proven < score.pairs:
                yield (
                    f"{score.metric}: {score.pairs - score.proven} of {score.pairs} "
                    "pairs are not proven optimal"
                )
            if self.looks.form in ("text", "parquet"):
                yield f"signature: {score.signature}"
        if self._is_smatch or (self.per_pair and self.looks.form == "parquet"):
            yield provenance().line()

    def draw(self, path: str, report: Report) -> None:
        """Draw the scores of each metric's pairs."""
        from exactmatch.views.score_plots import pair_histograms

        pair_histograms(path, [*self._histograms(report, self.looks.number)])


def smatch_lines(record: Row, digits: int, precision_recall: bool) -> Iterator[str]:
    """Yield the record of a pair or a corpus as the lines that smatch 1.0.4 prints."""
    if precision_recall and record["recall"] is not None:
        yield f"Precision: {fixed(record['precision'], digits)}"
        yield f"Recall: {fixed(record['recall'], digits)}"
    yield f"F-score: {fixed(record['score'], digits)}"
    if record.get("score_low") is not None:
        low, high = (fixed(record[f"score_{end}"], digits) for end in ("low", "high"))
        yield f"F-score {100 * record['confidence']:g} %: {low} to {high}"
