"""Render results: text, JSON, JSON Lines, CSV, LaTeX, HTML.

A :class:`Renderer` gets each pair's result as it comes and the report at the
end.  Numbers are fractions between 0 and 1; text, LaTeX and HTML are rounded for
reading, the other formats keep full double precision.  The names of the fields
are a stable interface.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TextIO

from exactmatch.evaluation import CorpusScore, PairResult, Report
from exactmatch.metrics.base import Score

if TYPE_CHECKING:
    import csv

    from exactmatch.statistics import Interval

PAIR_FIELDS = (
    "index",
    "id",
    "metric",
    "matched",
    "pred_total",
    "gold_total",
    "precision",
    "recall",
    "f1",
    "score",
    "bound",
    "proven",
    "solver",
    "seconds",
    "f1_upper",
    "proof",
    "problem",
    "certified",
)
"""What is said of a pair, in this order."""

CORPUS_FIELDS = (
    "metric",
    "matched",
    "pred_total",
    "gold_total",
    "precision",
    "recall",
    "f1",
    "score",
    "bound",
    "precision_upper",
    "recall_upper",
    "f1_upper",
    "pairs",
    "proven",
    "signature",
)
"""What is said of a corpus, in this order."""

INTERVAL_FIELDS = (
    "precision_low",
    "precision_high",
    "recall_low",
    "recall_high",
    "score_low",
    "score_high",
    "confidence",
)
"""What is said besides of a corpus whose intervals were asked for."""

_SCORE_FIELDS = (
    "metric",
    "matched",
    "pred_total",
    "gold_total",
    "precision",
    "recall",
    "f1",
    "score",
    "bound",
    "proven",
)


def pair_record(result: PairResult) -> dict[str, Any]:
    """A pair's result as plain data under the stable names."""
    record: dict[str, Any] = {"index": result.index, "id": result.id}
    record |= {name: getattr(result.score, name) for name in _SCORE_FIELDS}
    solution = result.solution
    upper = result.score.upper()
    record["solver"] = solution.solver if solution else None
    record["seconds"] = solution.seconds if solution else None
    record["f1_upper"] = upper[2] if upper else None
    record["proof"] = solution.proof if solution else None
    record["problem"] = result.problem
    record["certified"] = None if result.rejected is None else not result.rejected
    return record


def corpus_record(corpus: CorpusScore, macro: bool = False) -> dict[str, Any]:
    """A corpus score as plain data under the stable names.

    Args:
        corpus: the score.
        macro: replace precision, recall, F1 and score by their means over pairs.
    """
    record = {name: getattr(corpus.score, name) for name in _SCORE_FIELDS}
    upper = corpus.score.upper() or (None, None, None)
    record |= zip(("precision_upper", "recall_upper", "f1_upper"), upper, strict=True)
    if macro:
        record |= corpus.macro
        record |= dict.fromkeys(("precision_upper", "recall_upper", "f1_upper"))
    record["pairs"] = corpus.pairs
    record["proven"] = corpus.proven
    record["signature"] = corpus.signature + ("|average:macro" if macro else "")
    intervals = corpus.macro_intervals if macro else corpus.intervals
    return {name: record[name] for name in CORPUS_FIELDS} | _ends(intervals)


def _ends(intervals: Mapping[str, Interval]) -> dict[str, Any]:
    """Both ends of each interval, if there is any, and their level."""
    if not intervals:
        return {}
    ends: dict[str, Any] = dict.fromkeys(INTERVAL_FIELDS)
    for name, interval in intervals.items():
        ends[f"{name}_low"], ends[f"{name}_high"] = interval.low, interval.high
        ends["confidence"] = interval.level
    return ends


class Renderer(ABC):
    """Writes an evaluation's results to a stream.

    Attributes:
        stream: where to.
        per_pair: whether each pair is shown.
        macro: whether averages over pairs replace the sums.
        digits: decimals of rounded numbers.
    """

    def __init__(
        self,
        stream: TextIO,
        per_pair: bool = False,
        macro: bool = False,
        digits: int = 4,
    ) -> None:
        self.stream = stream
        self.per_pair = per_pair
        self.macro = macro
        self.digits = digits

    def pair(self, result: PairResult) -> None:
        """Take one pair's result."""
        del result

    @abstractmethod
    def finish(self, report: Report) -> None:
        """Write what is left to write."""

    def corpus_records(self, report: Report) -> list[dict[str, Any]]:
        """The corpus scores as plain data."""
        return [corpus_record(score, self.macro) for score in report.scores]


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
                self._write(record | _trouble(report))
        elif report.partial:
            self._write({"partial": True, "pairs": report.scores[0].pairs})

    def _write(self, record: Mapping[str, Any]) -> None:
        import json

        json.dump(record, self.stream, ensure_ascii=False)
        self.stream.write("\n")


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
            record |= _trouble(report)
            if self.per_pair:
                record["per_pair"] = self._pairs.get(record["metric"], [])
        document = records[0] if len(records) == 1 else records
        import json

        json.dump(document, self.stream, ensure_ascii=False, indent=2)
        self.stream.write("\n")


class Csv(Renderer):
    """Comma-separated values with a header line."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.per_pair:
            self._writer = self._started(PAIR_FIELDS)

    def _started(self, fields: tuple[str, ...]) -> csv.DictWriter[str]:
        import csv

        writer = csv.DictWriter(self.stream, fields, lineterminator="\n")
        writer.writeheader()
        return writer

    def pair(self, result: PairResult) -> None:
        """Write a pair's row."""
        if self.per_pair:
            self._writer.writerow(pair_record(result))

    def finish(self, report: Report) -> None:
        """Write the corpus rows, unless pairs were asked for."""
        if self.per_pair:
            return
        records = self.corpus_records(report)
        several = any("confidence" in record for record in records)
        fields = CORPUS_FIELDS + (INTERVAL_FIELDS if several else ())
        self._started(fields).writerows(records)


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
        several = len(report.scores) > 1
        rows = self._rows or [(r["metric"], r) for r in self.corpus_records(report)]
        head = "Pair" if self._rows else "Metric"
        lines = [r"\begin{tabular}{lrrr}", rf"{head} & P & R & Score \\ \hline"]
        for name, record in rows:
            title = f"{name} ({record['metric']})" if several and self._rows else name
            cells = [
                self._cell(record[key]) + self._ends(record, key)
                for key in ("precision", "recall", "score")
            ]
            lines.append(rf"{_escaped(title)} & {' & '.join(cells)} \\")
        lines.append(r"\end{tabular}")
        lines += [f"% {score.signature}" for score in report.scores]
        if report.partial:
            lines.append("% partial: interrupted before the end")
        self.stream.write("\n".join(lines) + "\n")

    def _cell(self, number: float | None) -> str:
        return "--" if number is None else f"{number:.{self.digits}f}"

    def _ends(self, record: dict[str, Any], name: str) -> str:
        low, high = record.get(f"{name}_low"), record.get(f"{name}_high")
        if low is None or high is None:
            return ""
        return f" [{low:.{self.digits}f}, {high:.{self.digits}f}]"


def _escaped(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}"}
    special |= {"^": r"\textasciicircum{}"}
    special |= {c: f"\\{c}" for c in "&%$#_{}"}
    return "".join(special.get(c, c) for c in text)


def _trouble(report: Report) -> dict[str, Any]:
    """What was left out, warned about or cut short."""
    return {
        "partial": report.partial,
        "omitted": [
            {"index": o.index, "id": o.id, "reason": o.reason, "action": o.action}
            for o in report.omitted
        ],
        "warnings": report.warnings,
    }


class Text(Renderer):
    """Tables that line up, for people."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._results: list[PairResult] = []

    def pair(self, result: PairResult) -> None:
        """Keep a pair for the table."""
        if self.per_pair:
            self._results.append(result)

    def finish(self, report: Report) -> None:
        """Write the pairs, the corpus scores, the proof and the signatures."""
        if self._results:
            self._pair_table()
        self._corpus_table(report)
        for score in report.scores:
            for line in self._proof(score):
                self.stream.write(f"{line}\n")
        if report.partial:
            self.stream.write("PARTIAL: interrupted before the end\n")
        self._omissions(report)
        for score in report.scores:
            self.stream.write(f"signature: {self._signature(score)}\n")

    def _signature(self, score: CorpusScore) -> str:
        return str(corpus_record(score, self.macro)["signature"])

    def _pair_table(self) -> None:
        from rich import box
        from rich.console import Console
        from rich.table import Table

        several = len({r.metric for r in self._results}) > 1
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for title in ("", "id", *(("metric",) if several else ())):
            table.add_column(title, no_wrap=True)
        for title in ("matched", "bound", "pred", "gold"):
            table.add_column(title, justify="right", no_wrap=True)
        for title in ("P", "R", "score", "upper"):
            table.add_column(title, justify="right", no_wrap=True)
        table.add_column("solver", no_wrap=True)
        table.add_column("ms", justify="right", no_wrap=True)
        for result in self._results:
            r = pair_record(result)
            seconds = r["seconds"]
            table.add_row(
                str(r["index"]),
                r["id"] or "",
                *((r["metric"],) if several else ()),
                *(_count(r[k]) for k in ("matched", "bound", "pred_total")),
                _count(r["gold_total"]),
                *(self._number(r[k]) for k in ("precision", "recall", "score")),
                "" if r["proven"] in (True, None) else self._number(r["f1_upper"]),
                " ".join(filter(None, (r["solver"], r["proof"]))),
                "" if seconds is None else f"{1000 * seconds:.1f}",
            )
        console = Console(file=self.stream, width=240, highlight=False, no_color=True)
        with console.capture() as capture:
            console.print(table)
        for line in capture.get().splitlines():
            self.stream.write(line.rstrip() + "\n")

    def _corpus_table(self, report: Report) -> None:
        head = ("", "precision", "recall", "score")
        rows = []
        for record in self.corpus_records(report):
            numbers = (self._interval(record, k) for k in head[1:])
            rows.append((record["metric"], *numbers))
            if record.get("confidence") is not None:
                ends = (self._confidence(record, k) for k in head[1:])
                rows.append((f"  {100 * record['confidence']:g} %", *ends))
        widths = [max(len(row[k]) for row in (head, *rows)) for k in range(4)]
        for row in (head, *rows):
            cells = [row[0].ljust(widths[0])]
            cells += [
                cell.rjust(w) for cell, w in zip(row[1:], widths[1:], strict=True)
            ]
            self.stream.write("  ".join(cells).rstrip() + "\n")

    def _interval(self, record: dict[str, Any], name: str) -> str:
        """A number, or where something is unproven the interval it lies in."""
        low = record[name]
        high = record.get("f1_upper" if name == "score" else f"{name}_upper")
        if low is None or high is None or record["proven"] == record["pairs"]:
            return self._number(low)
        return f"{self._number(low)}..{self._number(high)}"

    def _confidence(self, record: dict[str, Any], name: str) -> str:
        """The bootstrap interval of a number."""
        low, high = record[f"{name}_low"], record[f"{name}_high"]
        if low is None:
            return ""
        return f"[{self._number(low)}, {self._number(high)}]"

    def _proof(self, score: CorpusScore) -> list[str]:
        if score.proven is None:
            return [f"{score.metric}: {_pairs(score.pairs)}"]
        if score.proven == score.pairs:
            return [f"{score.metric}: {_pairs(score.pairs)}, every one proven optimal"]
        open_pairs = score.pairs - score.proven
        return [
            f"{score.metric}: {_pairs(score.pairs)}, {score.proven} proven optimal; "
            f"{open_pairs} not, so the true score lies in the interval"
        ]

    def _omissions(self, report: Report) -> None:
        for o in report.omitted:
            self.stream.write(f"{o.action}: {o.reason}\n")

    def _number(self, number: float | None) -> str:
        return "-" if number is None else f"{number:.{self.digits}f}"


class Html(Renderer):
    """A page for the browser: :mod:`exactmatch.score_page`."""

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
        from exactmatch.score_page import score_page

        records = self.corpus_records(report)
        page = score_page(report, records, self._pairs, self._scores, self.digits)
        self.stream.write(page)


class SmatchText(Renderer):
    """The lines that smatch 1.0.4 prints: ``--ms``, ``--pr``, ``-f``.

    Attributes:
        precision_recall: also print precision and recall (``--pr``).
    """

    def __init__(
        self, *args: Any, precision_recall: bool = False, **options: Any
    ) -> None:
        super().__init__(*args, **options)
        self.precision_recall = precision_recall

    def pair(self, result: PairResult) -> None:
        """Print a pair's lines under ``--ms``."""
        if self.per_pair:
            self._lines(result.score)

    def finish(self, report: Report) -> None:
        """Print the corpus's lines, unless ``--ms``."""
        if not self.per_pair:
            for corpus in report.scores:
                self._lines(corpus.score)
                if corpus.interval is not None:
                    self._confidence(corpus.interval)

    def _confidence(self, interval: Interval) -> None:
        low, high = (f"{e:.{self.digits}f}" for e in (interval.low, interval.high))
        self.stream.write(f"F-score {100 * interval.level:g} %: {low} to {high}\n")

    def _lines(self, score: Score) -> None:
        named = [("F-score", score.score)]
        if self.precision_recall and score.precision is not None:
            named[:0] = [
                ("Precision", score.precision),
                ("Recall", score.recall or 0.0),
            ]
        for name, number in named:
            self.stream.write(f"{name}: {number:.{self.digits}f}\n")


def _count(number: float | None) -> str:
    if number is None:
        return "-"
    return str(number) if isinstance(number, int) else f"{number:.3f}"


def _pairs(n: int) -> str:
    return f"{n} pair" if n == 1 else f"{n} pairs"


RENDERERS: dict[str, type[Renderer]] = {
    "text": Text,
    "json": Json,
    "jsonl": JsonLines,
    "csv": Csv,
    "latex": Latex,
    "html": Html,
}
"""Every output format by the name that ``--format`` takes."""
