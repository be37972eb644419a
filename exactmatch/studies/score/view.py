"""The view of scores: how sure they are, every pair, or smatch's own lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from typing import Any

from exactmatch.base.inputs import provenance
from exactmatch.base.numbers import Share, fixed
from exactmatch.scoring.report import Report, states, trouble, trouble_record
from exactmatch.scoring.results import (
    CORPUS_FIELDS,
    INTERVAL_FIELDS,
    PAIR_FIELDS,
    PairResult,
    corpus_record,
    pair_record,
)
from exactmatch.scoring.selection import Selection
from exactmatch.scoring.tables import corpus_table, pair_table, shown_ratios
from exactmatch.studies.answer import Looks
from exactmatch.studies.options import selection_of
from exactmatch.views.tables import Column, Histogram, Row, Table, Tables, fields_table
from exactmatch.views.text import write_lines


@contextmanager
def display(
    looks: Looks,
    per_pair: bool = False,
    macro: bool = False,
    ms: bool = False,
    pr: bool = False,
    score_only: bool = False,
    smatch_files: Sequence[str] | None = None,
    **others: Any,
) -> Iterator[Scores]:
    """Show scores as they come."""
    as_smatch = not (score_only or per_pair or looks.form != "text")
    as_smatch = as_smatch and bool(ms or pr or smatch_files)
    if as_smatch:
        for name in ("percent", "short", "macro"):
            if {**others, "macro": macro}.get(name):
                looks.note(f"--{name} has no effect on smatch's own lines")
    default = 2 if as_smatch else 4
    digits = default if looks.digits is None else looks.digits
    selection = selection_of(others)
    per_pair = per_pair or ms or bool(selection)
    shown = Scores(looks, per_pair, macro, digits, selection, score_only)
    if as_smatch:
        shown.is_smatch, shown.macro = True, False

        def write(record: Row) -> None:
            write_lines(looks.stream, smatch_lines(record, digits, pr))

        shown.write_line = write
        shown.write_corpus = _pass_over if ms else write
    elif looks.form == "jsonl":
        from exactmatch.views.data import write_json

        shown.write_line = partial(write_json, looks.stream)
    yield shown


def _pass_over(_: Row) -> None:
    """Show nothing of the corpus."""


@dataclass(slots=True)
class Scores:
    """Takes pairs' results as they come, and shows them with the corpus scores.

    Attributes:
        looks: how they are written.
        per_pair: whether every pair is shown.
        macro: whether averages over pairs replace the sums.
        digits: decimals of rounded numbers.
        selection: which pairs are shown; by default every one, as it comes.
        score_only: whether remarks have their place beside the number.
        is_smatch: whether smatch's own lines are written.
        write_line: called with each pair's record instead of keeping it.
        write_corpus: called with each metric's record instead of making tables.
        pairs: the pairs' records, where they are shown.
        scores: each metric's scores of single pairs.
    """

    looks: Looks
    per_pair: bool = False
    macro: bool = False
    digits: int = 4
    selection: Selection = field(default_factory=Selection)
    score_only: bool = False
    is_smatch: bool = False
    write_line: Callable[[Row], None] | None = None
    write_corpus: Callable[[Row], None] | None = None
    pairs: list[Row] = field(default_factory=list)
    scores: dict[str, list[float]] = field(default_factory=dict)

    @property
    def needs_solutions(self) -> bool:
        """Whether it shows how pairs were solved."""
        return self.per_pair

    @property
    def tells_omissions(self) -> bool:
        """Whether it says what was left out."""
        is_aside = self.write_corpus is not None or self.score_only
        return self.looks.form == "text" and not is_aside

    def take(self, result: PairResult) -> None:
        """Keep what will be shown of a pair's result."""
        if result.score.is_defined:
            self.scores.setdefault(result.metric, []).append(result.score.score)
        if self.per_pair:
            at_once = None if self.selection else self.write_line
            (at_once or self.pairs.append)(pair_record(result))

    def _choose(self) -> None:
        """Keep the pairs that are shown, or write them where that is done at once."""
        pairs = [[*own] for _, own in groupby(self.pairs, lambda row: row["index"])]
        chosen = self.selection.chosen(pairs, _with_metrics)
        self.pairs = [row for own in chosen for row in own]
        if self.write_line is not None:
            for row in self.pairs:
                self.write_line(row)
            self.pairs = []

    def tables(self, report: Report) -> Tables | None:
        """Everything that an evaluation found out, where it is not written yet."""
        if self.selection:
            self._choose()
        corpora = [corpus_record(score, self.macro) for score in report.scores]
        if self.write_corpus is None:
            return self._tables(report, corpora)
        for record in corpora:
            self.write_corpus(record)
        return None

    def _tables(self, report: Report, corpora: Sequence[Row]) -> Tables:
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
            numbers=self._numbers(corpora),
        )

    def _numbers(self, corpora: Sequence[Row]) -> Table | None:
        """The scores alone, unless more is asked for."""
        if self.per_pair or any("confidence" in record for record in corpora):
            return None
        column = Column("_score", "", Share(self.digits))
        return Table("", (column,), [shown_ratios(record) for record in corpora])

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

    def remarks(self, report: Report) -> Iterator[str]:
        """Say what must not be missed where standard output has no place for it."""
        if self.tells_omissions:
            return
        for score in report.scores:
            if score.proven is not None and score.proven < score.pairs:
                yield (
                    f"{score.metric}: {score.pairs - score.proven} of {score.pairs} "
                    "pairs are not proven optimal"
                )
            if self.looks.form == "text":
                yield f"signature: {score.signature}"
        if self.is_smatch:
            yield provenance().line()

    def draw(self, path: str, report: Report) -> None:
        """Draw the scores of each metric's pairs, with that of the corpus."""
        from exactmatch.views.score_plots import pair_histograms

        panels = []
        for score in report.scores:
            corpus = corpus_record(score, self.macro)["score"]
            values = self.scores.get(score.metric, ())
            shown = self.looks.number(corpus)
            panels.append(Histogram(score.metric, values, corpus, shown))
        pair_histograms(path, panels)


def _with_metrics(own: Sequence[Row]) -> Row:
    """A pair's columns: those of the first metric, and each metric's score by name."""
    return {**own[0], **{row["metric"]: row["score"] for row in own}}


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
