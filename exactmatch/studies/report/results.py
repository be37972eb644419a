"""The page on which every pair can be browsed, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from exactmatch.base.numbers import several
from exactmatch.base.provenance import Provenance
from exactmatch.base.registry import imported
from exactmatch.scoring.report import Report
from exactmatch.scoring.results import corpus_record
from exactmatch.studies.report.browser_data import Collector
from exactmatch.studies.report.sources import Source


@dataclass(frozen=True, eq=False, repr=False)
class ReportPage:
    """A page on which every pair can be browsed.

    Attributes:
        gold_name: the name of the references.
        reports: each system's corpus scores.
        sources: the files of graphs, each with the name of what it holds.
        pairs: the pairs, packed.
        provenance: the command, the files that it read, and the date.
        macro: whether corpus scores are means over pairs.
        decimals: decimals of scores.
        verdicts: which system is better, where there are several.

    >>> import exactmatch
    >>> page = exactmatch.studies.write_report(["(b / bark-01)"], ["(b / bark-01)"])
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

    def records(self) -> dict[str, dict[str, Any]]:
        """Return each system's corpus score as the page shows it."""
        return {
            name: corpus_record(report.scores[0], self.macro)
            for name, report in self.reports.items()
        }

    def write(self, stream: TextIO, *, live: bool = False) -> None:
        """Write the page.

        Args:
            stream: where to.
            live: whether it is served, and asks for news.
        """
        imported("exactmatch.studies.report.view:write")(self, stream, live)

    def __str__(self) -> str:
        from io import StringIO

        stream = StringIO()
        self.write(stream)
        return stream.getvalue()

    def __repr__(self) -> str:
        pairs = max(report.scores[0].pairs for report in self.reports.values())
        return f"a page of {several(pairs, 'pair')}: {', '.join(self.reports)}"
