"""What ``exactmatch align`` shows: corresponding variables and differing triples.

Text has a block of lines for each pair; the page is that of
:mod:`exactmatch.studies.align.page`.  CSV and LaTeX have a row for every two variables
that correspond and for every triple.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from io import StringIO
from typing import Any

from exactmatch.base.numbers import Share, count, several
from exactmatch.base.visible import visible
from exactmatch.engine.explain import Explanation
from exactmatch.graphs.graph import Triple
from exactmatch.scoring.report import states, trouble
from exactmatch.scoring.results import corpus_record, name_of, pair_record
from exactmatch.scoring.tables import corpus_table, losses, losses_of_pairs, notes_of
from exactmatch.studies.align.page import SCORE, Page, stated
from exactmatch.studies.align.study import Alignments, Explained
from exactmatch.studies.answer import Display, Looks
from exactmatch.views.data import write_json
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table
from exactmatch.views.text import width, write_lines

FIELDS = (
    *("index", "id", "kind", "pred", "pred_concept", "gold", "gold_concept"),
    *("source", "role", "target"),
)
"""What CSV says of two aligned variables (kind ``aligned``) or of a triple."""


def tables(
    found: Alignments, differences: bool = False, digits: int | None = None
) -> Tables:
    """All that was found out, or what differs alone; *digits* are of scores."""
    number = SCORE if digits is None else Share(digits)
    looks = Looks(StringIO(), "", number, digits, lambda _: None)
    with AlignmentDisplay(looks, differences) as shown:
        for pair in found.pairs:
            shown.take(pair)
        return shown.tables(found)


class AlignmentDisplay(Display):
    """Shows how pairs are aligned.

    Text and JSON Lines are written at once, everything else at the end; the pairs of a
    page are kept on the disk meanwhile, rows and data where there is no format.
    """

    needs_solutions = True

    def __init__(
        self, looks: Looks, differences: bool = False, one_line: bool = False
    ) -> None:
        self._lines = _line if one_line else _lines
        self._stream, self._form, self._number, *_ = looks
        self._page = Page(looks.number)
        self._differences = differences
        self._shown = 0
        self._records: list[Row] = []
        self._rows: list[Row] = []

    def __exit__(self, *_: object) -> None:
        self._page.close()

    def take(self, pair: Explained) -> None:
        """Write a pair down."""
        if self._differences:
            if not (pair.found.missing or pair.found.extra):
                return
            if self._form != "html":
                pair = pair._replace(found=_differing(pair.found))
        self._shown += 1
        if self._form == "text":
            write_lines(self._stream, self._lines(pair, self._number))
        elif self._form == "html":
            self._page.take(pair)
        elif self._form == "jsonl":
            write_json(self._stream, _record(pair))
        else:
            if self._form in ("", "json"):
                self._records.append(_record(pair))
            if self._form != "json":
                self._rows += _rows(pair)

    def tables(self, found: Alignments) -> Tables:
        """All pairs, those that are written already left out."""
        report = found.report
        is_graded = any(score.metric != "smatch" for score in report.scores)
        corpora = [corpus_record(score) for score in report.scores]
        if self._form in ("html", "text"):
            table = corpus_table(corpora, self._number.digits)
        else:
            table = _table([row for row in self._rows if row["kind"] != "matched"])
        pairs = max((score.pairs for score in report.scores), default=0)
        told = []
        if self._shown != pairs:
            told.append(f"{self._shown} of {several(pairs, 'pair')} shown")
        return Tables(
            "Alignments",
            (table,),
            {"pairs": self._records},
            states=[*states(report), *told],
            warnings=[*trouble(report)],
            signatures=[record["signature"] for record in corpora],
            rows=fields_table(FIELDS, self._rows),
            lines=(),
            prose=[*notes_of(losses(report.scores)), *told],
            parts=self._page.parts(is_graded) if self._form == "html" else (),
            is_wide=True,
            headline=f"{self._page.pairs} alignments",
        )


def _differing(found: Explanation) -> Explanation:
    """The rest of both sides, without what they share."""
    aligned = (
        pair
        for pair in found.aligned
        if None in (pair.pred, pair.gold) or pair.pred_concept != pair.gold_concept
    )
    return replace(found, aligned=tuple(aligned), matched=())


def _record(pair: Explained) -> dict[str, Any]:
    record = pair_record(pair.result) | pair.found.as_dict()
    dropped = losses_of_pairs([pair.result])
    return record | ({"dropped": dropped} if dropped else {})


def _lines(pair: Explained, number: Share) -> Iterator[str]:
    """A pair for people at a terminal."""
    score, found = pair.result.score, pair.found
    state = "optimal" if score.proven else f"at most {count(score.bound)}"
    yield (
        f"{name_of(pair.result.index, pair.result.id)}: {pair.title} "
        f"{number(score.shown)}, matched {count(score.matched)} ({state}) of "
        f"{score.pred_total} predicted and {score.gold_total} reference triples"
    )
    sides = [
        (visible(_node(p.pred, p.pred_concept)), _node(p.gold, p.gold_concept))
        for p in found.aligned
    ]
    widest = max((width(left) for left, _ in sides), default=0)
    for p, (left, right) in zip(found.aligned, sides, strict=True):
        is_open = score.proven and not p.certain and None not in (p.pred, p.gold)
        note = "  (not certain)" if is_open else ""
        yield f"  {left}{' ' * (widest - width(left))}  ↔  {right}{note}"
    for kind, triples in _triples(found):
        for triple in triples:
            yield f"  {kind:<8} {stated(triple)}"
    yield ""


def _line(pair: Explained, number: Share) -> Iterator[str]:
    """A pair in one line: its score, who corresponds to whom, what differs."""
    found = pair.found
    aligned = [f"{p.pred or '-'}↔{p.gold or '-'}" for p in found.aligned]
    name = name_of(pair.result.index, pair.result.id)
    parts = [f"{name}: {number(pair.result.score.shown)}", " ".join(aligned)]
    for kind, triples in _triples(found)[1:]:
        if triples:
            parts.append(f"{kind} {' '.join(map(stated, triples))}")
    yield " | ".join(filter(None, parts))


def _triples(found: Explanation) -> tuple[tuple[str, tuple[Triple, ...]], ...]:
    kinds = ("matched", "missing", "extra")
    return tuple((kind, getattr(found, kind)) for kind in kinds)


def _node(variable: str | None, concept: str | None) -> str:
    """A variable with its concept, or a dash where there is none."""
    if variable is None:
        return "-"
    return variable if concept is None else f"{variable} / {concept}"


def _rows(pair: Explained) -> Iterator[Row]:
    """A pair for spreadsheets and papers."""
    name = {"index": pair.result.index, "id": pair.result.id}
    for p in pair.found.aligned:
        yield {
            **name,
            "kind": "aligned",
            **asdict(p),
            "_pred": _node(p.pred, p.pred_concept),
            "_gold": _node(p.gold, p.gold_concept),
        }
    for kind, triples in _triples(pair.found):
        side = "_pred" if kind == "extra" else "_gold"
        for triple in triples:
            parts = triple._asdict()
            yield {**name, "kind": kind, **parts, side: stated(triple)}


def _table(rows: list[Row]) -> Table:
    columns = (
        Column("index", "pair"),
        Column("id", "id", lambda name: name or "", is_text=True),
        Column("kind", "", is_text=True),
        Column("_pred", "prediction", is_text=True),
        Column("_gold", "reference", is_text=True),
    )
    return Table("", columns, rows)
