"""Page of JSON documents: the table by field, and each pair side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO
from typing import Any, NamedTuple, TextIO

from exactmatch.base.errors import InputError
from exactmatch.base.inputs import Provenance, provenance
from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import fixed, several
from exactmatch.metrics.json.corrections import (
    Correction,
    corrections,
    difference_text,
)
from exactmatch.metrics.json.differences import Difference
from exactmatch.scoring.reporter import Listener
from exactmatch.scoring.results import PairResult, name_of
from exactmatch.studies.finegrained.fields import (
    KEPT,
    FieldsReport,
    fields_tables,
    of_fields,
)
from exactmatch.studies.options import selection_of
from exactmatch.studies.pairs import opened
from exactmatch.studies.report.options import ReportOptions
from exactmatch.studies.report.trees import STYLE, side_by_side
from exactmatch.views.page import write_page

MOST_PAIRS = 1000
"""Pairs that are shown side by side at most, those with the lowest scores."""

_STYLE = f"""{STYLE}
details {{ margin: .6rem 0; }} summary {{ cursor: pointer; }}
"""


class PairOnPage(NamedTuple):
    """Pair of documents on the page."""

    name: str
    score: float
    leaves: list[Difference]
    order: dict[str, int]
    corrections: list[Correction]


@dataclass(frozen=True, eq=False, repr=False)
class DocumentsPage:
    """Page of JSON documents, in one file.

    Attributes:
        report: the score of the corpus, and the table by field.
        pairs: the pairs that are shown, the worst first.
        provenance: the command, the files that it read, and the date.
        decimals: decimals of scores.
    """

    report: FieldsReport
    pairs: tuple[PairOnPage, ...]
    provenance: Provenance
    decimals: int

    def write(self, stream: TextIO) -> None:
        """Write the page."""
        tables = fields_tables(self.report, self.decimals)
        (first,) = tables.tables
        names = {
            field.field: f"field-{k}" for k, field in enumerate(self.report.fields)
        }
        rows = [
            {**row, "_link": names[row["field"]]} if row["field"] in names else row
            for row in first.rows
        ]
        head = f"json {fixed(self.report.scores[0].score.score, self.decimals)}"
        write_page(
            stream,
            tables._replace(
                tables=(first._replace(rows=rows),),
                parts=[*self._parts(names)],
                provenance=self.provenance,
                headline=head,
                is_wide=True,
            ),
        )

    def _parts(self, names: dict[str, str]) -> Iterator[Markup]:
        yield element("style", Markup(_STYLE))
        yield element("h2", "Wrong values by field")
        for field, name in names.items():
            yield self._of_field(field, name)
        yield element("h2", "Pairs, the worst first")
        for k, pair in enumerate(self.pairs):
            yield _shown_pair(k, pair, self.decimals)

    def _of_field(self, field: str, name: str) -> Markup:
        """List the pairs in which a field is not equal."""
        lines = [
            element(
                "li",
                element("a", pair.name, href=f"#pair-{k}"),
                ": ",
                difference_text(leaf),
            )
            for k, pair in enumerate(self.pairs)
            for leaf in pair.leaves
            if leaf.field == field and leaf.outcome != "equal"
        ]
        if not lines:
            return element("p", element("code", field), ": all equal", id=name)
        head = element("summary", element("code", field), f": {len(lines):,} not equal")
        return element("details", head, element("ul", *lines), id=name)

    def __str__(self) -> str:
        text = StringIO()
        self.write(text)
        return text.getvalue()

    def __repr__(self) -> str:
        return f"a page of {several(len(self.report), 'pair')} of JSON documents"


def documents_page(options: ReportOptions, reporter: Listener) -> DocumentsPage:
    """Score one system's documents and make their page."""
    systems = options.systems()
    if len(systems) != 1:
        raise InputError(
            "a page of JSON documents shows one system; leave out the others, or "
            "compare them by 'exactmatch compare --metric json'"
        )
    (preds,) = systems.values()
    pairs_on_page: list[PairOnPage] = []

    def take(result: PairResult) -> None:
        if result.documents is not None:
            pairs_on_page.append(
                PairOnPage(
                    name_of(result.index, result.id),
                    result.score.score,
                    result.documents.differences().leaves,
                    {name: k for k, name in enumerate(result.documents.order())},
                    corrections(result.documents),
                )
            )
            if len(pairs_on_page) > 2 * MOST_PAIRS:
                pairs_on_page.sort(key=lambda pair: pair.score)
                del pairs_on_page[MOST_PAIRS:]

    metrics = [options.one_metric("a page of documents")]
    extra: dict[str, Any] = {**KEPT, "intervals": options.sampling()}
    run = opened(preds, options.golds, options, metrics, reporter, **extra)
    selection = selection_of(vars(options))
    if selection.of_shown:
        reporter.note("--worst, --best, --below and --sort have no effect on this page")
    run.choose(selection)
    report = of_fields(run, None, reporter, take)
    pairs_on_page.sort(key=lambda pair: pair.score)
    pairs = tuple(pairs_on_page[:MOST_PAIRS])
    return DocumentsPage(report, pairs, provenance(), options.decimals)


def _shown_pair(number: int, pair: PairOnPage, decimals: int) -> Markup:
    words = [element("li", str(correction)) for correction in pair.corrections]
    return element(
        "details",
        element("summary", f"{pair.name}: {fixed(pair.score, decimals)}"),
        element("ul", *words) if words else "",
        side_by_side(pair.leaves, pair.order),
        id=f"pair-{number}",
    )
