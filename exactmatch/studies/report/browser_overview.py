"""What the error browser says of all pairs: scores, errors, where they come from.

The table of errors is filled in by ``browser_overview.js``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exactmatch.base.markup import Markup, element, joined
from exactmatch.base.numbers import count, fixed, several
from exactmatch.base.provenance import Provenance
from exactmatch.scoring.losses import losses, notes_of
from exactmatch.scoring.records import corpus_record
from exactmatch.scoring.report import Report, trouble
from exactmatch.scoring.results import CorpusScore
from exactmatch.studies.errors.sources import Source
from exactmatch.studies.report.browser_data import Compared
from exactmatch.views.page import Cell, cell, origin, signatures, table, warnings


@dataclass(frozen=True, slots=True)
class System:
    """What one system's predictions came to.

    Attributes:
        name: what it is called.
        source: its predictions.
        report: its corpus scores.
        answers: its pairs, by number; of a page, those that it does not hold yet.
    """

    name: str
    source: Source
    report: Report
    answers: dict[int, Compared]

    @property
    def score(self) -> CorpusScore:
        """The corpus score."""
        return self.report.scores[0]


@dataclass(frozen=True, slots=True)
class About:
    """What a page is about, and where it comes from.

    Attributes:
        gold: the references.
        systems: what was scored against them.
        provenance: which command read which files, and when.
        macro: whether corpus scores are means over pairs.
        digits: decimals of scores.
    """

    gold: Source
    systems: Sequence[System]
    provenance: Provenance
    macro: bool = False
    digits: int = 4

    def record_of(self, system: System) -> dict[str, Any]:
        """A system's corpus score as the page shows it."""
        return corpus_record(system.score, self.macro)

    @property
    def gold_name(self) -> str:
        """What the references are called."""
        return Path(self.gold.path).name


def main(about: About) -> Markup:
    """All pairs in sight, and room for the pair that is chosen."""
    records = [about.record_of(system) for system in about.systems]
    overview = element(
        "section",
        element("h2", "All pairs"),
        _score_table(about, records),
        element("h3", "Errors"),
        element(
            "p",
            "Confusions are named from reference to prediction. A range says how "
            "often an error occurs at least and at most if other optimal alignments "
            "are chosen. A link lists its pairs.",
            class_="note",
        ),
        element("div", class_="scroll", tabindex="0", data_part="errors"),
        element("h3", "Where this comes from"),
        _origin(about),
        element(
            "div",
            warnings(_to_know(about)),
            signatures(dict.fromkeys(record["signature"] for record in records)),
            class_="from",
        ),
        aria_label="All pairs",
        data_part="overview",
    )
    return element(
        "main",
        element("noscript", element("p", "The list of pairs needs JavaScript.")),
        overview,
        element("section", data_part="pair", hidden=True, aria_label="Pair"),
        class_="view",
    )


def _to_know(about: About) -> Iterator[str]:
    """What was left out or warned of, with the system's name if there are several."""
    for system in about.systems:
        name = f"{system.name}: " if len(about.systems) > 1 else ""
        for line in (*notes_of(losses(system.report.scores)), *trouble(system.report)):
            yield f"{name}{line}"


def _score_table(about: About, records: Sequence[dict[str, Any]]) -> Markup:
    """Each system's corpus scores, with the intervals that they lie in."""
    head = ["system", "F1", "precision", "recall", "matched", "predicted", "reference"]
    rows = []
    for system, record in zip(about.systems, records, strict=True):
        row = [Cell(system.name)]
        row += [
            _ratio(record, name, about.digits)
            for name in ("score", "precision", "recall")
        ]
        row += [
            Cell(count(record[name]))
            for name in ("matched", "pred_total", "gold_total")
        ]
        row.append(Cell(f"{record['proven']} of {record['pairs']}"))
        rows.append(row)
    drawn = (r["confidence"] for r in records if r.get("score_low") is not None)
    level = next(drawn, None)
    notes = ["Scores are means over pairs."] if about.macro else []
    if level is not None:
        notes.append(f"Small: {100 * level:g} % bootstrap intervals.")
    return joined(
        (
            table([*head, "proven"], rows),
            element("p", " ".join(notes), class_="note") if notes else "",
        )
    )


def _ratio(record: dict[str, Any], name: str, digits: int) -> Cell:
    """A number with the interval that its search left open, and its bootstrap one."""
    low = record[name]
    high = record["f1_upper" if name == "score" else f"{name}_upper"]
    shown = fixed(low, digits)
    if record["proven"] != record["pairs"] and high is not None:
        shown += f"..{fixed(high, digits)}"
    ends = record.get(f"{name}_low"), record.get(f"{name}_high")
    if None in ends:
        return cell(low, shown)
    between = "–".join(fixed(end, digits) for end in ends)
    return Cell(joined((shown, element("small", between))), repr(low))


def _origin(about: About) -> Markup:
    sources = [(about.gold_name, about.gold)]
    sources += [(system.name, system.source) for system in about.systems]
    told = {}
    for name, source in sources:
        share = source.well_formed / source.graphs if source.graphs else 1.0
        graphs = several(source.graphs, "graph")
        graphs += f", {100 * share:.4g} % well-formed"
        known = name == Path(source.path).name
        told[source.path] = graphs if known else f"{name}, {graphs}"
    return origin(about.provenance, told)
