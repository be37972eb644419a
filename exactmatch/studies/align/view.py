"""View of alignments: corresponding variables and differing triples.

Text has a block of lines for each pair.  CSV and LaTeX have a row for every two
corresponding variables and for every triple.  The page shows both graphs of a pair,
drawn and as PENMAN text.  Corresponding variables have the same place in the drawings
and the same number in the texts; differing triples are marked in both and listed
beneath the texts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from io import StringIO
from typing import Any, NamedTuple

from exactmatch.base.markup import Markup, element, escape, joined
from exactmatch.base.numbers import Bounds, Share, count, from_one, several
from exactmatch.base.visible import visible
from exactmatch.engine.explain import Explanation, numbers_of
from exactmatch.graphs.drawing.drawing import TOP
from exactmatch.graphs.graph import Graph, Triple
from exactmatch.graphs.penman_text import TextLine, layout
from exactmatch.graphs.standardise import TOP_ROLE
from exactmatch.metrics.score import Score
from exactmatch.scoring.report import states, trouble
from exactmatch.scoring.results import PairResult, corpus_record, name_of, pair_record
from exactmatch.scoring.tables import corpus_table, losses, losses_of_pairs, notes_of
from exactmatch.studies.align.study import Alignments, Explained
from exactmatch.studies.answer import Display, Looks
from exactmatch.studies.score.figures import compared, link, opened
from exactmatch.views.data import write_json
from exactmatch.views.tables import Column, Row, Table, Tables, fields_table
from exactmatch.views.text import width, write_lines

FIELDS = (
    *("index", "id", "kind", "pred", "pred_concept", "gold", "gold_concept"),
    *("source", "role", "target"),
)
"""Columns of CSV, for two aligned variables (kind ``aligned``) or a triple."""


def tables(
    answer: Alignments, differences: bool = False, digits: int | None = None
) -> Tables:
    """Return the tables, of everything or of *differences* only."""
    number = Share(4 if digits is None else digits)
    looks = Looks(StringIO(), "", number, digits, lambda _: None)
    with AlignmentDisplay(looks, differences) as shown:
        for pair in answer.pairs:
            shown.take(pair)
        return shown.tables(answer)


class AlignmentDisplay(Display):
    """Display of the alignments of pairs.

    Text and JSON Lines are written at once, everything else at the end.  Meanwhile the
    pairs of a page are kept on disk.
    """

    needs_solutions = True

    def __init__(
        self, looks: Looks, differences: bool = False, one_line: bool = False
    ) -> None:
        self._lines = _line if one_line else _lines
        self._stream, self._form, self._number, *_ = looks
        self._is_coloured = looks.is_coloured
        self._page = Page(looks.number)
        self._differences = differences
        self._shown = 0
        self._records: list[Row] = []
        self._rows: list[Row] = []

    def __exit__(self, *_: object) -> None:
        self._page.close()

    def take(self, pair: Explained) -> None:
        """Write a pair, or keep it."""
        if self._differences:
            if not (pair.explanation.missing or pair.explanation.extra):
                return
            if self._form != "html":
                pair = pair._replace(explanation=_differing(pair.explanation))
        self._shown += 1
        if self._form == "text":
            lines = self._lines(pair, self._number)
            write_lines(self._stream, lines, self._is_coloured)
        elif self._form == "html":
            self._page.take(pair)
        elif self._form == "jsonl":
            write_json(self._stream, _record(pair))
        else:
            if self._form in ("", "json"):
                self._records.append(_record(pair))
            if self._form != "json":
                self._rows += _rows(pair)

    def tables(self, answer: Alignments) -> Tables:
        """Return the tables of all pairs that are not written yet."""
        report = answer.report
        is_graded = any(score.metric != "smatch" for score in report.scores)
        corpora = [corpus_record(score) for score in report.scores]
        if self._form in ("html", "text"):
            table = corpus_table(corpora, self._number.digits)
        else:
            table = _table([row for row in self._rows if row["kind"] != "matched"])
        pairs = max((s.chosen_of or s.pairs for s in report.scores), default=0)
        signatures = [record["signature"] for record in corpora]
        remarks = []
        if self._shown != pairs:
            remarks.append(f"{self._shown} of {several(pairs, 'pair')} shown")
        return Tables(
            "Alignments",
            (table,),
            {"pairs": self._records, "signatures": signatures},
            states=[*states(report), *remarks],
            warnings=[*trouble(report)],
            signatures=signatures,
            rows=fields_table(FIELDS, self._rows),
            lines=(),
            prose=[*notes_of(losses(report.scores)), *remarks],
            parts=self._page.parts(is_graded) if self._form == "html" else (),
            is_wide=True,
            headline=f"{self._page.pairs} alignments",
        )


def _differing(explanation: Explanation) -> Explanation:
    """Return an explanation without what both sides share."""
    aligned = (
        pair
        for pair in explanation.aligned
        if None in (pair.pred, pair.gold) or pair.pred_concept != pair.gold_concept
    )
    return replace(explanation, aligned=tuple(aligned), matched=())


def _record(pair: Explained) -> dict[str, Any]:
    record = pair_record(pair.result) | pair.explanation.as_dict()
    dropped = losses_of_pairs([pair.result])
    return record | ({"dropped": dropped} if dropped else {})


def _matched(score: Score, state: str) -> str:
    """Say how many triples of both sides match; the numbers may differ."""
    pred, gold = count(score.pred_total), count(score.gold_total)
    if score.matched_pred is None:
        return (
            f"{count(score.matched)} ({state}) of {pred} predicted and {gold} reference"
        )
    return (
        f"{count(score.matched_pred)} of {pred} predicted and "
        f"{count(score.matched_gold)} of {gold} reference ({state})"
    )


def _lines(pair: Explained, number: Share) -> Iterator[str]:
    """Yield the lines of a pair."""
    score, explanation = pair.result.score, pair.explanation
    state = "optimal" if score.proven else f"at most {count(score.bound)}"
    yield (
        f"{name_of(pair.result.index, pair.result.id)}: {pair.title} "
        f"{number(score.shown)}, matched {_matched(score, state)} triples"
    )
    lefts = [visible(p.nodes[0]) for p in explanation.aligned]
    widest = max(map(width, lefts), default=0)
    for p, left_text in zip(explanation.aligned, lefts, strict=True):
        is_open = score.proven and not p.certain and None not in (p.pred, p.gold)
        note = "  (not certain)" if is_open else ""
        yield f"  {left_text}{' ' * (widest - width(left_text))}  ↔  {p.nodes[1]}{note}"
    for kind, triples in _triples(explanation):
        for triple in triples:
            yield f"  {kind:<8} {triple_text(triple)}"
    yield ""


def _line(pair: Explained, number: Share) -> Iterator[str]:
    """Yield a pair as one line: score, corresponding variables, differences."""
    explanation = pair.explanation
    aligned = [f"{p.pred or '-'}↔{p.gold or '-'}" for p in explanation.aligned]
    name = name_of(pair.result.index, pair.result.id)
    parts = [f"{name}: {number(pair.result.score.shown)}", " ".join(aligned)]
    for kind, triples in _triples(explanation)[1:]:
        if triples:
            parts.append(f"{kind} {' '.join(map(triple_text, triples))}")
    yield " | ".join(filter(None, parts))


def _triples(explanation: Explanation) -> tuple[tuple[str, tuple[Triple, ...]], ...]:
    kinds = ("matched", "missing", "extra")
    return tuple((kind, getattr(explanation, kind)) for kind in kinds)


def _rows(pair: Explained) -> Iterator[Row]:
    """Yield the rows of a pair."""
    name = {"index": pair.result.index, "id": pair.result.id}
    for p in pair.explanation.aligned:
        nodes = dict(zip(("_pred", "_gold"), p.nodes, strict=True))
        yield {**name, "kind": "aligned", **asdict(p), **nodes}
    for kind, triples in _triples(pair.explanation):
        side = "_pred" if kind == "extra" else "_gold"
        for triple in triples:
            yield {**name, "kind": kind, **triple._asdict(), side: triple_text(triple)}


def _table(rows: list[Row]) -> Table:
    columns = (
        Column("index", "pair"),
        Column("id", "id", lambda name: name or "", is_text=True),
        Column("kind", "", is_text=True),
        Column("_pred", "prediction", is_text=True),
        Column("_gold", "reference", is_text=True),
    )
    return Table("", columns, rows)


_FEW = 6
"""Number of pairs up to which all are shown open."""

DRAWN = 100
"""Number of pairs that are drawn; a drawing is a few times the size of a text."""

_DEEPEST = 14
"""Levels that are indented; deeper ones are not indented further."""

_IN_MEMORY = 8 * 2**20

LEGEND = (
    "In drawings, variables that correspond have the same place and tint; − missing "
    "from the prediction, + extra in it, ≠ substituted. A dotted outline: other "
    "optimal alignments pair the variable differently. In texts, variables with the "
    "same number correspond; ∅ has no partner. ",
    element("del", "Underlined"),
    " in the prediction: extra. ",
    element("ins", "Dotted"),
    " in the reference: missing from the prediction.",
)

GRADED = "Concepts that are alike count in part; only equal ones are left unmarked."


class Page:
    """Pairs of a page: a list of links, and a part to open for each.

    Pairs are written to disk as they come, and stay closed on the page until a reader
    opens them, so that neither memory nor the page's work grows with their number.
    """

    def __init__(self, number: Share) -> None:
        self._number = number
        self.pairs = 0
        self._first: list[Explained] = []
        self._links: list[Markup] = []
        self._spool = tempfile.SpooledTemporaryFile(  # noqa: SIM115 -- close() ends it
            _IN_MEMORY, "w+", encoding="utf-8", newline=""
        )

    def take(self, pair: Explained) -> None:
        """Keep a pair; the first ones wait until it is known whether they are few."""
        self.pairs += 1
        result = pair.result
        figure = self._number(result.score.shown)
        entry = link(_key(result), from_one(result.index), result.id or "", figure)
        self._links.append(Markup(f"{entry}\n"))
        self._first.append(pair)
        if self.pairs > _FEW:
            self._write(False)

    def _write(self, is_open: bool) -> None:
        written = self.pairs - len(self._first)
        for number, pair in enumerate(self._first, written):
            self._spool.write(_pair(pair, self._number, is_open, number < DRAWN))
        self._first.clear()

    def close(self) -> None:
        """Discard the pairs."""
        self._spool.close()

    def parts(self, graded: bool) -> Iterator[str]:
        """Yield the legend, the links and the pairs."""
        self._write(self.pairs <= _FEW)
        few = f"The first {DRAWN} pairs are drawn; exactmatch report draws all."
        notes = LEGEND, (GRADED,) * graded, (few,) * (self.pairs > DRAWN)
        for note in filter(None, notes):
            yield Markup(f"{element('p', *note, class_='note')}\n")
        if self.pairs > 1:
            listed = element("ol", Markup("\n"), *self._links)
            yield Markup('<div class="aside">\n')
            yield Markup(f"{element('nav', listed, aria_label='Pairs')}\n")
        yield Markup('<div class="pairs">\n')
        self._spool.seek(0)
        yield from map(Markup, self._spool)
        yield Markup("</div>\n")
        if self.pairs > 1:
            yield Markup("</div>\n")


class Side(NamedTuple):
    """One graph of a pair, as it is counted."""

    graph: Graph
    numbers: dict[str, str]  # the mark of each variable
    differing: tuple[Triple, ...]  # the triples without a match
    marked: set[int]  # their numbers
    tag: str  # the element that marks them
    kind: str  # their name

    def marking(self, text: str, triple: int | None) -> Markup:
        """Return the text of a triple, marked if the triple differs."""
        return element(self.tag, text) if triple in self.marked else escape(text)


def _key(result: PairResult) -> str:
    return f"p{result.index}"


def _pair(pair: Explained, number: Share, is_open: bool, is_drawn: bool) -> str:
    """Return one pair: its summary, score and graphs."""
    result, explanation = pair.result, pair.explanation
    aligned_variables = [
        (p.pred, p.gold) for p in explanation.aligned if p.pred and p.gold
    ]
    left = {pred: str(k) for k, (pred, _) in enumerate(aligned_variables, 1)}
    right = {gold: str(k) for k, (_, gold) in enumerate(aligned_variables, 1)}
    predicted_sentence, reference_sentence = result.pred.sentence, result.gold.sentence
    differ = (
        bool(predicted_sentence and reference_sentence)
        and predicted_sentence != reference_sentence
    )
    summary = (
        element("i", from_one(result.index)),
        element("b", number(result.score.shown)),
        element("span", result.id, class_="id") if result.id else "",
        element("q", reference_sentence or predicted_sentence),
    )
    missing = numbers_of(result.gold, explanation.missing)
    extra = numbers_of(result.pred, explanation.extra)
    reference = Side(result.gold, right, explanation.missing, missing, "ins", "missing")
    prediction = Side(result.pred, left, explanation.extra, extra, "del", "extra")
    sides = (
        _side(reference, "Reference", reference_sentence if differ else ""),
        _side(prediction, "Prediction", predicted_sentence if differ else ""),
    )
    drawn = Markup()
    if is_drawn:
        alignments = {"Prediction": pair.alignment}
        drawn = compared(
            result.required_problem, alignments, "Reference", pair.uncertain
        )
    note = element("p", _scored(result, number), class_="note")
    texts = element("div", *sides, class_="sides")
    shown = opened(_key(result), summary, note, drawn, texts, is_open=is_open)
    return f"{shown}\n"


def _scored(result: PairResult, number: Share) -> str:
    """Return counts, ratios and the proof in one sentence."""
    score = result.score
    upper = score.upper()
    ratios = [score.precision or 0.0, score.recall or 0.0, score.f1 or 0.0]
    tops = ratios if score.proven or upper is None else upper
    shown = [
        f"{name} {number(Bounds(low, high))}"
        for name, low, high in zip(("P", "R", "F1"), ratios, tops, strict=True)
    ]
    state = "proven optimal" if score.proven else f"at most {count(score.bound)}"
    solver = result.solution.solver if result.solution else ""
    problem = f" · {result.problem}" if result.problem else ""
    return (
        f"matched {_matched(score, f'{state}, {solver}')} triples · "
        f"{' · '.join(shown)}{problem}"
    )


def _side(side: Side, title: str, sentence: str) -> Markup:
    """Return one graph with its differing triples beneath."""
    differing = len(side.differing)
    heading = f"{title}: {differing} {side.kind}" if differing else title
    listed = (
        element("li", _triple(t), " ", element("small", side.kind))
        for t in side.differing
    )
    return element(
        "figure",
        element("figcaption", heading, f" · {sentence}" if sentence else ""),
        element("pre", _graph_text(side)),
        element("ul", *listed) if differing else "",
    )


def _triple(triple: Triple) -> Markup:
    """Return a triple as HTML, each part in its own direction."""
    if (text := triple_text(triple)).isascii():
        return element("code", text)
    source, role, target = (element("bdi", part) for part in triple)
    return element("code", "(", source, " :", role, " ", target, ")")


def triple_text(triple: Triple) -> str:
    """Return a triple as text."""
    return f"({triple.source} :{triple.role} {triple.target})"


def _graph_text(side: Side) -> Markup:
    """Return a graph as PENMAN text with numbered variables and marked differences."""
    graph = side.graph
    lines = []
    for line in layout(graph):
        parts = ["    " * min(line.depth, _DEEPEST)]
        if line.variable is None:
            parts.append(side.marking(f":{line.role} {line.constant}", line.triple))
        else:
            if line.role:
                parts += [side.marking(f":{line.role}", line.triple), " "]
            parts += _variable(line, side)
            if TOP in side.marked and line.defines and line.variable == graph.top:
                top = element(side.tag, f":{TOP_ROLE}")
                parts.append(element("small", " ", top))
        lines.append(joined([*parts, ")" * line.closed]))
    return Markup("\n".join(lines))


def _variable(line: TextLine, side: Side) -> Iterable[str]:
    """Yield a variable, with its bracket and concepts where it is defined."""
    number = side.numbers.get(line.name, "∅")
    place = f"{side.tag} {line.name}" if number == "∅" else number
    focus = {"data_place": place, "tabindex": "0" if line.defines else None}
    yield "(" if line.defines else ""
    yield element("b", line.name, element("sub", number), **focus)
    for k in line.instances:
        concept = side.graph.labels[side.graph.instances[k][1]]
        yield " / "
        yield side.marking(concept, k)
