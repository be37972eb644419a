"""Tables and a picture of scores of single aspects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from exactmatch.base.numbers import Bounds, Share, several
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.results import RATIOS, corpus_record, name_of
from exactmatch.scoring.tables import losses, notes_of, shown_ratios
from exactmatch.studies.answer import Looks
from exactmatch.studies.finegrained.fields import FieldsReport, fields_tables
from exactmatch.studies.score.view import Scores
from exactmatch.views.tables import Column, Row, Table, Tables

_RATIOS = ("precision", "recall", "f1")


_COUNTS = ("matched", "pred_total", "gold_total")


class FineGrainedScores(Scores):
    """Display of the scores of aspects; programs read them like other scores."""

    def __init__(self, looks: Looks, **shown: Any) -> None:
        super().__init__(looks, **shown)
        self.needs_solutions = False
        self.titles: Mapping[str, str] = {}  # what people call each; known at the end

    def _tables(self, report: Report, corpora: Sequence[Row]) -> Tables:
        if isinstance(report, FieldsReport):
            return fields_tables(report, self.digits)
        self.titles = {score.metric: score.title for score in report.scores}
        pairs = report.scores[0].pairs if report.scores else 0
        return Tables(
            "Fine-grained scores",
            (self._table(several(pairs, "pair"), corpora),),
            {"metrics": [*self._records(report, corpora)]},
            details=[self._pair_table(corpora)] if self.pairs else [],
            notes=[*self._notes(report)],
            signatures=_signatures(report, self.macro),
            rows=self._rows(corpora),
            lines=self._lines(report, corpora),
            is_wide=bool(self.pairs),
        )

    def draw(self, path: str, report: Report) -> None:
        """Draw the F1 of every score."""
        from exactmatch.views.score_plots import ScoreBar, score_bars

        bars = []
        axis_title = "F1, mean over pairs" if self.macro else "F1"
        for score in report.scores:
            record, interval = corpus_record(score, self.macro), None
            if record.get("score_low") is not None:
                interval = record["score_low"], record["score_high"]
            ratios = record["f1"], record["f1_upper"]
            bars.append(ScoreBar(score.title, *ratios, interval))
        if any(bar.interval for bar in bars):
            axis_title += f", {100 * (report.scores[0].confidence or 0):g} % intervals"
        score_bars(path, bars, self.looks.number, axis_title)

    def _table(self, title: str, records: Sequence[Row]) -> Table:
        number = Share(self.digits)
        columns = (
            Column("metric", "score", self.titles.__getitem__, beneath="_level"),
            *(Column(key, key.removesuffix("_total"), _count) for key in _COUNTS),
            Column("defined", "pairs", _count),
            *(
                Column(f"_{name}", name, number, exact=name, beneath=f"_{ratio}_ends")
                for name, ratio in zip(_RATIOS, RATIOS, strict=True)
            ),
        )
        rows = [{**record, **_ratios(record)} for record in records]
        if any(record.get("score_low") is not None for record in records):
            rows = [shown_ratios(row) | row for row in rows]
        return Table(title, columns, rows)

    def _pair_table(self, corpora: Sequence[Row]) -> Table:
        """Return the F1 of every score: the corpus, then a row a pair."""
        pairs = groupby(self.pairs, lambda pair: name_of(pair["index"], pair["id"]))
        rows = [{"pair": "corpus", **_f1(corpora)}]
        rows += [{"pair": name, **_f1(records)} for name, records in pairs]
        number = Share(self.digits)
        _, *names = rows[0]
        columns = [Column(name, self.titles[name], number) for name in names]
        return Table("", (Column("pair", "F1", shrinks=True), *columns), rows)

    def _notes(self, report: Report) -> Iterator[str]:
        """Yield the scores that are open, what was left out, and an interruption."""
        if self.macro:
            yield "means over the pairs that have what is scored"
        open_pairs = {
            self.titles[score.metric]: score.pairs - score.proven
            for score in report.scores
            if score.proven is not None and score.proven < score.pairs
        }
        if open_pairs:
            counted = ", ".join(f"{title} {n}" for title, n in open_pairs.items())
            yield (
                "intervals where an alignment is not proven, or where optimal ones "
                f"differ; pairs: {counted}"
            )
        elif any(score.proven is not None for score in report.scores):
            stored = max(report.scores, key=lambda score: score.stored)
            yield f"every alignment proven optimal{stored.when_stored()}"
        lost = losses(report.scores)
        yield from notes_of(
            {(self.titles[n],): remarks for (n,), remarks in lost.items()}
        )
        yield from trouble(report)


def _f1(records: Iterable[Row]) -> dict[str, Any]:
    return {record["metric"]: _ratios(record)["_f1"] for record in records}


def _ratios(record: Row) -> dict[str, Bounds]:
    """Return the ratios, with their upper bounds where they are open."""
    return {
        f"_{name}": Bounds(record[name], record.get(f"{name}_upper"))
        for name in _RATIOS
    }


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:g}"


def _signatures(report: Report, macro: bool) -> list[str]:
    """Return the signatures, one for all scores that differ in name and proofs."""
    texts = []
    for score in report.scores:
        fields = score.signature.split("|")
        kept = [f for f in fields if not f.startswith(("metric:", "proven:"))]
        texts.append("|".join([*kept, *["average:macro"] * macro]))
    return list(dict.fromkeys(texts))
