"""The error browser: one page with every pair, to be searched, sorted and opened.

It is one file that works from a disk.  Its content security policy lets it load nothing
and allows only its own script and style, by their hashes.  The scripts fill in the list
of pairs, the pair and the table of errors of ``browser.html``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from exactmatch.base.inputs import Provenance
from exactmatch.base.markup import Markup, element, escape, joined
from exactmatch.base.numbers import Share, several
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.results import corpus_record
from exactmatch.scoring.tables import corpus_table, losses, notes_of, shown_ratios
from exactmatch.studies.report.browser_data import Collector
from exactmatch.views.charts import histogram, intervals
from exactmatch.views.page import (
    GRAPHS,
    SHARED,
    STYLE,
    digest,
    opening,
    origin,
    signatures,
    table_of,
    warnings,
)
from exactmatch.views.tables import Histogram, IntervalRow, Intervals, Table

SCRIPTS = (
    "drawing.js",
    "downwards.js",
    "browser_data.js",
    "browser_list.js",
    "browser_pair.js",
    "browser_overview.js",
    "browser.js",
)


class Source(NamedTuple):
    """File or folder of graphs."""

    path: str
    graphs: int
    well_formed: int  # the number of graphs that a strict reader accepts


@dataclass(frozen=True, eq=False, repr=False)
class ReportPage:
    """Page on which every pair can be browsed.

    Attributes:
        gold_name: the name of the references.
        reports: each system's corpus scores.
        sources: the files of graphs, each with the name of its system or references.
        pairs: the data of all pairs, compressed for the page.
        provenance: the command, the files that it read, and the date.
        macro: whether corpus scores are means over pairs.
        decimals: decimals of scores.
        verdicts: sentences that compare the systems, if there are several.
        commands: the commands that show each system's alignments at a terminal.

    >>> import exactmatch
    >>> page = exactmatch.studies.report(["(b / bark-01)"], ["(b / bark-01)"])
    >>> str(page).startswith("<!DOCTYPE html>")
    True
    """

    gold_name: str
    reports: Mapping[str, Report]
    sources: tuple[tuple[str, Source], ...]
    pairs: Collector
    provenance: Provenance
    macro: bool
    decimals: int
    verdicts: tuple[str, ...]
    commands: tuple[str, ...] = ()

    def records(self) -> dict[str, dict[str, Any]]:
        """Return each system's corpus score as the page shows it."""
        return {
            name: corpus_record(report.scores[0], self.macro)
            for name, report in self.reports.items()
        }

    def write(self, stream: TextIO, *, live: bool = False, notice: str = "") -> None:
        """Write the page; a *live* one, which is served, asks for newer versions.

        A *notice* at the top says why the page is not up to date.
        """
        head = self.pairs.head(_facts(self))
        names = (*SCRIPTS, "live.js") if live else SCRIPTS
        if self.pairs.with_proofs:
            names = ("certificate.js", *names)
        script = '"use strict";\n' + SHARED + "\n".join(map(_file, names))
        style = STYLE + _file("browser.css")
        policy = (
            f"style-src {digest(style)} {digest(GRAPHS)}; script-src {digest(script)}; "
            "img-src blob:" + ("; connect-src 'self'" * live)
        )
        styles = f'<style>{style}</style>\n<style id="drawing-style">{GRAPHS}</style>'
        number = Share(self.decimals)
        scores = " · ".join(
            f"{name} {number(shown_ratios(record)['_score'])}"
            for name, record in self.records().items()
        )
        body = f'<body class="browser" data-digits="{self.decimals}">'
        stream.write(opening(f"exactmatch: {scores}", policy, styles, body))
        if notice:
            stream.write(f"{element('p', notice, class_='notice', role='alert')}\n")
        named = self.provenance.without_folders
        stream.write(f"{named(_content(self, scores))}\n")
        stream.write(f'<script type="text/plain" id="head">{head}</script>\n')
        for block in self.pairs.blocks:
            stream.write(f'<script type="text/plain" class="block">{block}</script>\n')
        for block in self.pairs.proof_blocks:
            stream.write(f'<script type="text/plain" class="proofs">{block}</script>\n')
        stream.write(f"<script>{script}</script>\n</body>\n</html>\n")

    def __str__(self) -> str:
        stream = StringIO()
        self.write(stream)
        return stream.getvalue()

    def __repr__(self) -> str:
        pairs = max(report.scores[0].pairs for report in self.reports.values())
        return f"a page of {several(pairs, 'pair')}: {', '.join(self.reports)}"


def _facts(page: ReportPage) -> dict[str, Any]:
    """Return the data for the page's first sentence that its pairs do not give."""
    records = page.records().values()
    ends = [(row.get("score_low"), row.get("score_high")) for row in records]
    if any(
        len(page.pairs) < report.scores[0].pairs for report in page.reports.values()
    ):
        ends = [(None, None)] * len(ends)  # they are of all pairs
    levels = (report.scores[0].confidence for report in page.reports.values())
    return {
        "metric": _title(page),
        "macro": page.macro,
        "level": next((float(f"{100 * level:g}") for level in levels if level), None),
        "ends": [None if None in interval else interval for interval in ends],
        "commands": page.commands,
    }


def _title(page: ReportPage) -> str:
    from exactmatch.metrics import metric_class

    first = next(iter(page.reports.values()))
    return metric_class(first.scores[0].metric).title


def _file(name: str) -> str:
    return files("exactmatch.studies.report").joinpath(name).read_text("utf-8")


def _content(page: ReportPage, scores: str) -> str:
    """Fill in the parts of the page that the scripts do not."""
    reports, records = page.reports.values(), page.records()
    count_all = max(report.scores[0].pairs for report in reports)
    shown = len(page.pairs)
    pairs = several(count_all, "pair")
    if chosen_of := max(report.scores[0].chosen_of or 0 for report in reports):
        pairs += f" of {chosen_of:,}"
    if shown < count_all:
        pairs += f" ({shown} shown)"
    proven = all(report.is_proven for report in reports)
    which = "every alignment" if proven else "not all alignments"
    lines = dict.fromkeys(record["signature"] for record in records.values())
    markup = re.sub(r"(?<=>)\s*\n\s*|\s*\n\s*(?=<)", "", _file("browser.html"))
    return re.sub(r"\s*\n\s*", " ", markup).format(
        heading=escape(f"{_title(page)}: {scores}"),
        about=escape(f"against {page.gold_name} · {pairs}, {which} proven optimal"),
        verdicts=joined(
            element("p", f"{sentence}.", class_="verdict") for sentence in page.verdicts
        ),
        scores=_scores(page, records),
        origin=_origin(page),
        remarks=joined((warnings(_remarks(page)), signatures(lines))),
    )


def _remarks(page: ReportPage) -> Iterator[str]:
    """Yield omissions and warnings, with the system's name if there are several."""
    for system, report in page.reports.items():
        name = f"{system}: " if len(page.reports) > 1 else ""
        for line in (*notes_of(losses(report.scores)), *trouble(report)):
            yield f"{name}{line}"


def _scores(page: ReportPage, records: Mapping[str, dict[str, Any]]) -> Markup:
    """Show each system's corpus scores, with their intervals."""
    corpora = [{**record, "metric": system} for system, record in records.items()]
    notes = ["Scores are means over pairs."] if page.macro else []
    confidences = [
        row["confidence"] for row in corpora if row.get("score_low") is not None
    ]
    if confidences:
        notes.append(f"In small type: {100 * confidences[0]:g} % intervals.")
    return joined(
        (
            table_of(_score_first(corpus_table(corpora, page.decimals, page.macro))),
            element("p", " ".join(notes), class_="note") if notes else "",
            element("div", *_charts(page, records), class_="charts"),
        )
    )


def _score_first(table: Table) -> Table:
    """Put F1 and the proven share first, so that a phone shows them."""
    order = ("metric", "_score", "_proven")
    columns = {column.key: column for column in table.columns}
    columns["_score"] = columns["_score"]._replace(title="F1")
    first = [columns.pop(key) for key in order]
    return table._replace(columns=(*first, *columns.values()))


def _charts(
    page: ReportPage, records: Mapping[str, dict[str, Any]]
) -> Iterator[Markup]:
    """Draw the interval of every system's score, and a histogram of its pairs."""
    number = Share(page.decimals)
    rows = [
        IntervalRow(
            name,
            record["score_low"],
            record["score"],
            record["score_high"],
            _top(record),
        )
        for name, record in records.items()
        if record.get("score_low") is not None
    ]
    yield intervals(Intervals("F1 with its interval", rows, number))
    for k, (name, record) in enumerate(records.items()):
        score = record["score"]
        shown = number(shown_ratios(record)["_score"])
        open_pairs = page.pairs.unproven(k)
        yield histogram(
            Histogram(name, page.pairs.scores(k), score, shown, unproven=open_pairs)
        )


def _top(record: Mapping[str, Any]) -> float | None:
    """Return the upper bound of a score that is not proven."""
    bounds = shown_ratios(record)["_score"]
    return bounds.high if bounds.high != bounds.low else None


def _origin(page: ReportPage) -> Markup:
    facts = {}
    for name, source in page.sources:
        share = source.well_formed / source.graphs if source.graphs else 1.0
        graphs = f"{several(source.graphs, 'graph')}, {100 * share:.4g} % well-formed"
        is_same_name = name == Path(source.path).name
        facts[source.path] = graphs if is_same_name else f"{name}, {graphs}"
    return origin(page.provenance, facts)
