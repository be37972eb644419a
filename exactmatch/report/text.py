"""Results for people, and in the lines that smatch prints; rounded for reading."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from exactmatch.metrics.base import f_score
from exactmatch.report.base import Renderer
from exactmatch.report.records import corpus_record, pair_record
from exactmatch.scoring.results import CorpusScore, PairResult, Report
from exactmatch.writing.numbers import count, fixed
from exactmatch.writing.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from exactmatch.scoring.resampling import Interval


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
            for line in (*self._proof(score), *_dropped(score)):
                self.stream.write(f"{line}\n")
        if report.partial:
            self.stream.write("PARTIAL: interrupted before the end\n")
        self._omissions(report)
        for score in report.scores:
            self.stream.write(f"signature: {visible(self._signature(score))}\n")

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
                visible(r["id"] or ""),
                *((r["metric"],) if several else ()),
                *(count(r[k]) for k in ("matched", "bound", "pred_total")),
                count(r["gold_total"]),
                *(self._number(r[k]) for k in ("precision", "recall", "score")),
                "" if r["proven"] in (True, None) else self._number(r["f1_upper"]),
                " ".join(filter(None, (r["solver"], r["proof"]))),
                "" if seconds is None else f"{1000 * seconds:.1f}",
            )
        console = Console(
            file=self.stream,
            width=240,
            highlight=False,
            no_color=True,
            markup=False,
            emoji=False,
        )
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
            if not self.macro:
                rows += self._parts(record)
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

    def _parts(self, record: dict[str, Any]) -> Iterator[tuple[str, ...]]:
        """Precision, recall and F1 of each kind of thing that either side has."""
        for kind, counts in record.get("pieces", {}).items():
            if kind != "all" and counts["g"] + counts["s"]:
                found = f_score(counts["c"], counts["s"], counts["g"])
                yield (f"  {kind}", *map(self._number, found))

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
            return "" if record[name] is None else "-"
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
            self.stream.write(f"{visible(str(o))}\n")

    def _number(self, number: float | None) -> str:
        return fixed(number, self.digits)


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
            self._lines(pair_record(result))

    def finish(self, report: Report) -> None:
        """Print the corpus's lines, unless ``--ms``."""
        if not self.per_pair:
            for corpus in report.scores:
                self._lines(corpus_record(corpus))
                if corpus.interval is not None:
                    self._confidence(corpus.interval)

    def _confidence(self, interval: Interval) -> None:
        low, high = (f"{e:.{self.digits}f}" for e in (interval.low, interval.high))
        self.stream.write(f"F-score {100 * interval.level:g} %: {low} to {high}\n")

    def _lines(self, record: dict[str, Any]) -> None:
        named = [("F-score", record["score"])]
        if self.precision_recall and record["recall"] is not None:
            named[:0] = [
                ("Precision", record["precision"]),
                ("Recall", record["recall"]),
            ]
        for name, number in named:
            self.stream.write(f"{name}: {fixed(number, self.digits)}\n")


def _dropped(score: CorpusScore) -> list[str]:
    """What the metric's reader lost of well-formed graphs, if it lost anything."""
    if not score.dropped:
        return []
    lost = ", ".join(f"{count} {what}" for what, count in score.dropped.items())
    return [f"{score.metric}: as read: {visible(lost)}"]


def _pairs(n: int) -> str:
    return f"{n} pair" if n == 1 else f"{n} pairs"
