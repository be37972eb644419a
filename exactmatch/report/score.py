"""What ``exactmatch score`` shows: scores, how sure they are, and every pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactmatch.metrics.base import f_score
from exactmatch.report.as_read import as_read, lost_in
from exactmatch.report.records import (
    CORPUS_FIELDS,
    INTERVAL_FIELDS,
    PAIR_FIELDS,
    corpus_record,
    pair_record,
    trouble_record,
)
from exactmatch.scoring.results import CorpusScore, PairResult, Report
from exactmatch.writing.numbers import Bounds, Ends, Share, count, decimals, fixed
from exactmatch.writing.tables import (
    Column,
    Histogram,
    Row,
    Table,
    Tables,
    fields_table,
)

_RATIOS = ("precision", "recall", "score")
_ROOMY = ("text", "html")


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

    def _data(self, report: Report, corpora: Sequence[Row]) -> Any:
        """One object for one metric, a list of them for several."""
        records = []
        for record in corpora:
            found = {**record, **trouble_record(report, record["metric"])}
            if self.per_pair:
                found["per_pair"] = [
                    pair for pair in self.pairs if pair["metric"] == record["metric"]
                ]
            records.append(found)
        return records[0] if len(records) == 1 else records

    def _rows(self, corpora: Sequence[Row]) -> Table:
        if self.per_pair:
            return fields_table(PAIR_FIELDS, self.pairs)
        intervals = any("confidence" in record for record in corpora)
        fields = CORPUS_FIELDS + (INTERVAL_FIELDS if intervals else ())
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


def corpus_table(corpora: Sequence[Row], digits: int, macro: bool = False) -> Table:
    """The corpus scores, with the intervals that they lie in.

    Args:
        corpora: the scores.
        digits: the decimals.
        macro: whether they are means over pairs; kinds of things have none.
    """
    rows: list[Row] = []
    for record in corpora:
        rows.append({**record, **shown_ratios(record)})
        if not macro:
            rows += _parts(record)
    ratios = (
        Column(f"_{name}", name, Share(digits), exact=name, beneath=f"_{name}_ends")
        for name in _RATIOS
    )
    columns = (
        Column("metric", "", beneath="_level"),
        *ratios,
        Column("matched", "matched", count, formats=("html",)),
        Column("pred_total", "predicted", count, formats=("html",)),
        Column("gold_total", "reference", count, formats=("html",)),
        Column("_proven", "proven", formats=("html",)),
    )
    return Table("", columns, rows)


def _parts(record: Row) -> Iterator[Row]:
    """Precision, recall and F1 of each kind of thing that either side has."""
    for kind, counts in record.get("pieces", {}).items():
        if kind != "all" and counts["g"] + counts["s"]:
            ratios = f_score(counts["c"], counts["s"], counts["g"])
            named = dict(zip(_RATIOS, ratios, strict=True))
            yield {
                "metric": f"  {kind}",
                "matched": counts["c"],
                "pred_total": counts["s"],
                "gold_total": counts["g"],
                **named,
                **{f"_{name}": Bounds(value) for name, value in named.items()},
            }


def shown_ratios(record: Row) -> dict[str, Any]:
    """The numbers as intervals where something is unproven, and what is beneath."""
    proven, pairs = record["proven"], record["pairs"]
    found: dict[str, Any] = {
        "_proven": "-" if proven is None else f"{proven} of {pairs}"
    }
    for name in _RATIOS:
        low = record[name]
        high = record["f1_upper" if name == "score" else f"{name}_upper"]
        is_open = None not in (low, high) and proven != pairs
        found[f"_{name}"] = Bounds(low, high if is_open else None)
        if record.get("confidence") is not None:
            ends = (record[f"{name}_low"], record[f"{name}_high"])
            found[f"_{name}_ends"] = Ends(*ends)
            found["_level"] = f"  {100 * record['confidence']:g} %"
    return found


def pair_table(pairs: Sequence[Row], digits: int, several: bool) -> Table:
    """Every pair under every metric."""
    any_open = any(pair["proven"] is False for pair in pairs)
    rows = [
        {
            **pair,
            "_id": pair["id"] or "",
            "_upper": pair["f1_upper"] if pair["proven"] is False else "",
            "_solver": " ".join(filter(None, (pair["solver"], pair["proof"]))),
            "_ms": "" if pair["seconds"] is None else 1000 * pair["seconds"],
        }
        for pair in pairs
    ]
    number = Share(digits)
    columns = (
        Column("index", ""),
        Column("_id", "id", is_text=True, shrinks=True),
        *((Column("metric", "metric", is_text=True),) if several else ()),
        *(
            Column(key, title, count, formats=_ROOMY, waits=True)
            for key, title in (
                ("matched", "matched"),
                ("bound", "bound"),
                ("pred_total", "pred"),
                ("gold_total", "gold"),
            )
        ),
        Column("precision", "P", number),
        Column("recall", "R", number),
        Column("score", "score", number),
        *((Column("_upper", "upper", number, formats=_ROOMY),) if any_open else ()),
        Column("_solver", "solver", is_text=True, formats=_ROOMY, waits=True),
        Column("_ms", "ms", decimals(1), formats=_ROOMY, waits=True),
    )
    return Table("", columns, rows, sorts=True)


def proof(score: CorpusScore) -> str:
    """How many pairs a score is about, and how many are proven, in one sentence."""
    counted = f"{score.metric}: {pairs_of(score.pairs)}"
    if score.proven is None:
        return counted
    if score.proven == score.pairs:
        return f"{counted}, every one proven optimal"
    return (
        f"{counted}, {score.proven} proven optimal; {score.pairs - score.proven} not, "
        "so the true score lies in the interval"
    )


def states(report: Report) -> Iterator[str]:
    """What is proven of each score, and what its reader lost, a sentence each."""
    for score in report.scores:
        yield proof(score)
    yield from as_read(lost_in(report))


def trouble(report: Report) -> Iterator[str]:
    """What was cut short, left out or warned about, a sentence each."""
    if report.partial:
        yield "PARTIAL: interrupted before the end"
    for found in report.scores:
        if is_above_1(found):
            yield above_1(found)
    for omission in report.omitted:
        yield str(omission)


def is_above_1(found: CorpusScore) -> bool:
    """Whether repeated triples counted more than once."""
    return max(found.score.precision or 0.0, found.score.recall or 0.0) > 1


def above_1(found: CorpusScore) -> str:
    """Why a score is above 1, in one sentence."""
    return (
        f"{found.metric} is above 1, because repeated triples count once for every "
        "equal pair; --duplicates multiset counts them once"
    )


def pairs_of(number: int) -> str:
    """A number of pairs, in words."""
    return f"{number} pair" if number == 1 else f"{number} pairs"


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
