"""What ``exactmatch finegrained`` shows: a row a score, and a row a pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from exactmatch.base.numbers import Bounds, Ends, Share, several
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.results import corpus_record, name_of
from exactmatch.scoring.tables import losses, notes_of
from exactmatch.studies.answer import Looks
from exactmatch.studies.score.view import Scores
from exactmatch.views.tables import Column, Row, Table, Tables

_RATIOS = ("precision", "recall", "f1")
_COUNTS = ("matched", "pred_total", "gold_total")


class FineGrainedScores(Scores):
    """Takes pairs' results as they come; programs read them like other scores.

    Attributes:
        titles: what people call each score; known at the end.
    """

    def __init__(self, looks: Looks, **shown: Any) -> None:
        super().__init__(looks, **shown)
        self.needs_solutions = False
        self.titles: Mapping[str, str] = {}

    def _tables(self, report: Report, corpora: Sequence[Row]) -> Tables:
        self.titles = {score.metric: score.title for score in report.scores}
        pairs = report.scores[0].pairs if report.scores else 0
        return (
            super()
            ._tables(report, corpora)
            ._replace(
                title="Fine-grained scores",
                headline="",
                tables=(self._table(several(pairs, "pair"), corpora),),
                details=[self._pair_table(corpora)] if self.pairs else [],
                states=(),
                notes=[*self._notes(report)],
                warnings=(),
                signatures=_signatures(report),
                charts=(),
                is_wide=bool(self.pairs),
                numbers=None,
            )
        )

    def draw(self, path: str, report: Report) -> None:
        """Draw the F1 of every score."""
        from exactmatch.views.score_plots import ScoreBar, score_bars

        bars = []
        about = "F1, mean over pairs" if self.macro else "F1"
        for score in report.scores:
            record, interval = corpus_record(score, self.macro), None
            if record.get("score_low") is not None:
                interval = record["score_low"], record["score_high"]
            ratios = record["f1"], record["f1_upper"]
            bars.append(ScoreBar(score.title, *ratios, interval))
        if any(bar.interval for bar in bars):
            about += f", {100 * (report.scores[0].confidence or 0):g} % intervals"
        score_bars(path, bars, self.looks.number, about)

    def _table(self, title: str, records: Sequence[Row]) -> Table:
        number = Share(self.digits)
        columns = (
            Column("metric", "score", self.titles.__getitem__, beneath="_level"),
            *(Column(key, key.removesuffix("_total"), _count) for key in _COUNTS),
            Column("defined", "pairs", _count),
            *(
                Column(f"_{name}", name, number, exact=name, beneath=f"_{name}_ends")
                for name in _RATIOS
            ),
        )
        is_drawn = any(record.get("score_low") is not None for record in records)
        rows = [
            {**r, **_ratios(r), **(_intervals(r) if is_drawn else {})} for r in records
        ]
        return Table(title, columns, rows)

    def _pair_table(self, corpora: Sequence[Row]) -> Table:
        """The F1 of every score: the corpus, then a row a pair."""
        pairs = groupby(self.pairs, lambda pair: name_of(pair["index"], pair["id"]))
        rows = [{"pair": "corpus", **_f1(corpora)}]
        rows += [{"pair": name, **_f1(records)} for name, records in pairs]
        number = Share(self.digits)
        _, *names = rows[0]
        columns = [Column(name, self.titles[name], number) for name in names]
        return Table("", (Column("pair", "F1", shrinks=True), *columns), rows)

    def _notes(self, report: Report) -> Iterator[str]:
        """Which scores are open, what was left out, whether the end was reached."""
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
        yield from notes_of({(self.titles[n],): found for (n,), found in lost.items()})
        yield from trouble(report)


def _f1(records: Iterable[Row]) -> dict[str, Any]:
    return {record["metric"]: _ratios(record)["_f1"] for record in records}


def _ratios(record: Row) -> dict[str, Bounds]:
    """The ratios, with the most that they can be where they are open."""
    return {
        f"_{name}": Bounds(record[name], record.get(f"{name}_upper"))
        for name in _RATIOS
    }


def _intervals(record: Row) -> dict[str, Any]:
    """The confidence intervals beneath the ratios, dashes where there are none."""
    ends = {
        f"_{name}_ends": Ends(record[f"{field}_low"], record[f"{field}_high"])
        for name, field in zip(_RATIOS, ("precision", "recall", "score"), strict=True)
    }
    return {"_level": f"  {100 * record['confidence']:g} %", **ends}


def _count(number: float | None) -> str:
    return "-" if number is None else f"{number:g}"


def _signatures(report: Report) -> list[str]:
    """The signatures, one for all scores that differ in name and proofs alone."""
    texts = []
    for score in report.scores:
        fields = score.signature.split("|")
        kept = [f for f in fields if not f.startswith(("metric:", "proven:"))]
        texts.append("|".join(kept))
    return list(dict.fromkeys(texts))
