"""The page that ``exactmatch align --format html`` writes.

Both graphs of a pair stand side by side as PENMAN text.  Variables that correspond
carry the same number, triples that match are quiet, and those that differ are marked
in the text and listed beneath it, as in the other formats.

Pairs are written down as they come and stay shut until they are asked for, so that
neither the program nor the page grows with their number more than need be.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple, TextIO, cast

from exactmatch.alignment.coding import TOP_ROLE
from exactmatch.alignment.explain import Explanation
from exactmatch.graphs.graph import Graph, Triple
from exactmatch.graphs.penman_lines import Line, layout
from exactmatch.metrics.aligning import AligningMetric
from exactmatch.report import corpus_record
from exactmatch.report.score_page import corpus_table, lead, trouble
from exactmatch.scoring.results import PairResult, Report
from exactmatch.writing.numbers import count
from exactmatch.writing.page import (
    CLOSING,
    Markup,
    element,
    escape,
    joined,
    opening,
    signatures,
)

_FEW = 6
"""So many pairs are shown open."""

_DEEPEST = 14
"""Levels that are indented; what lies deeper stands below each other."""

_IN_MEMORY = 8 * 2**20

LEGEND = (
    "Variables with the same number correspond; ∅ has no partner. ",
    element("del", "Underlined"),
    " in the prediction: extra. ",
    element("ins", "Dotted"),
    " in the reference: missing from the prediction.",
)

GRADED = "Concepts that are alike count in part; only equal ones are left unmarked."


class Side(NamedTuple):
    """One graph of a pair.

    Attributes:
        graph: the graph as it is counted.
        numbers: what each variable is marked with.
        differing: its triples that nothing matches, as they are stated.
        tag: the element that marks them.
    """

    graph: Graph
    numbers: dict[str, str]
    differing: tuple[Triple, ...]
    tag: str


def write_page(
    stream: TextIO,
    metric: AligningMetric[Any],
    results: Iterator[PairResult],
    explained: Callable[[AligningMetric[Any], PairResult], Explanation],
    report: Callable[[], Report],
) -> None:
    """Write the page.

    Args:
        stream: where to.
        metric: who aligned.
        results: every pair's result, with its graphs.
        explained: what an alignment matches.
        report: the corpus scores, asked for when all results are there.
    """
    first = list(islice(results, _FEW + 1))
    links: list[Markup] = []
    with tempfile.SpooledTemporaryFile(
        _IN_MEMORY, "w+", encoding="utf-8", newline=""
    ) as spool:
        for result in chain(first, results):
            found = explained(metric, result)
            spool.write(_pair(result, found, is_open=len(first) <= _FEW))
            links.append(_link(result))
        found_out = report()
        corpora = [corpus_record(score) for score in found_out.scores]
        stream.write(opening(f"exactmatch: {len(links)} alignments", wide=True))
        stream.write(element("h1", "Alignments"))
        stream.write(lead(found_out))
        stream.write(corpus_table(corpora, 4))
        stream.write(trouble(found_out))
        stream.write(f"{element('p', *LEGEND, class_='note')}\n")
        if metric.name != "smatch":
            stream.write(f"{element('p', GRADED, class_='note')}\n")
        if len(links) > 1:
            listed = element("ol", Markup("\n"), *links)
            stream.write('<div class="aside">\n')
            stream.write(f"{element('nav', listed, aria_label='Pairs')}\n")
        stream.write("<main>\n")
        spool.seek(0)
        shutil.copyfileobj(cast("TextIO", spool), stream)
        stream.write("</main>\n")
        if len(links) > 1:
            stream.write("</div>\n")
        stream.write(signatures(record["signature"] for record in corpora))
        stream.write(CLOSING)


def _link(result: PairResult) -> Markup:
    """A line of the list of pairs."""
    number = element("i", str(result.index))
    name = element("span", result.id or "")
    score = element("b", f"{result.score.score:.4f}")
    link = element("a", number, name, score, href=f"#p{result.index}")
    return Markup(element("li", link) + "\n")


def _pair(result: PairResult, found: Explanation, *, is_open: bool) -> str:
    """One pair: a line to open it by, what it scored, its graphs."""
    graphs = [result.pred, result.gold]
    pairs = [p for p in found.aligned if p.pred is not None and p.gold is not None]
    left = {p.pred: str(k) for k, p in enumerate(pairs, 1) if p.pred is not None}
    right = {p.gold: str(k) for k, p in enumerate(pairs, 1) if p.gold is not None}
    sentences = [graph.metadata.get("snt", "") for graph in graphs]
    sentence = sentences[1] or sentences[0]
    differ = all(sentences) and sentences[0] != sentences[1]
    summary = element(
        "summary",
        element("i", str(result.index)),
        element("b", f"{result.score.score:.4f}"),
        element("span", result.id, class_="id") if result.id else "",
        element("q", sentence),
    )
    sides = element(
        "div",
        _side(
            Side(graphs[0], left, found.extra, "del"),
            "Prediction",
            "extra",
            sentences[0] if differ else "",
        ),
        _side(
            Side(graphs[1], right, found.missing, "ins"),
            "Reference",
            "missing",
            sentences[1] if differ else "",
        ),
        class_="sides",
    )
    note = element("p", _scored(result), class_="note")
    body = element("div", note, sides, class_="pair")
    shown = element("details", summary, body, id=f"p{result.index}", open=is_open)
    return f"{shown}\n"


def _scored(result: PairResult) -> str:
    """Counts, ratios and the proof, in one sentence."""
    score = result.score
    upper = score.upper()
    ratios = [score.precision or 0.0, score.recall or 0.0, score.f1 or 0.0]
    tops = ratios if score.proven or upper is None else upper
    shown = [
        f"{name} {low:.4f}" + (f"..{high:.4f}" if high != low else "")
        for name, low, high in zip(("P", "R", "F1"), ratios, tops, strict=True)
    ]
    state = "proven optimal" if score.proven else f"at most {count(score.bound)}"
    solver = result.solution.solver if result.solution else ""
    problem = f" · {result.problem}" if result.problem else ""
    return (
        f"matched {count(score.matched)} ({state}, {solver}) of "
        f"{count(score.pred_total)} predicted and {count(score.gold_total)} "
        f"reference triples · {' · '.join(shown)}{problem}"
    )


def _side(side: Side, title: str, kind: str, sentence: str) -> Markup:
    """One graph with its differing triples beneath."""
    several = len(side.differing)
    heading = f"{title}: {several} {kind}" if several else title
    listed = (
        element("li", element("code", stated(t)), " ", element("small", kind))
        for t in side.differing
    )
    return element(
        "figure",
        element("figcaption", heading, f" · {sentence}" if sentence else ""),
        element("pre", graph_text(side)),
        element("ul", *listed) if several else "",
    )


def stated(triple: Triple) -> str:
    """A triple on a line of its own."""
    return f"({triple.source} :{triple.role} {triple.target})"


def graph_text(side: Side) -> Markup:
    """A graph as PENMAN text with numbered variables and marked differences."""
    marked, marks_top = _marked(side)
    graph = side.graph
    lines = []
    for line in layout(graph):
        parts = ["    " * min(line.depth, _DEEPEST)]
        if line.variable is None:
            text = f":{line.role} {line.constant}"
            parts.append(_marking(text, line.triple, side, marked))
        else:
            if line.role:
                parts += [_marking(f":{line.role}", line.triple, side, marked), " "]
            parts += _node(line, side, marked)
            if marks_top and line.defines and line.variable == graph.top:
                top = element(side.tag, f":{TOP_ROLE}")
                parts.append(element("small", " ", top))
        lines.append(joined([*parts, ")" * line.closed]))
    return Markup("\n".join(lines))


def _node(line: Line, side: Side, marked: set[int]) -> Iterable[str]:
    """A variable, with its bracket and concepts where it is defined."""
    assert line.variable is not None
    name = side.graph.variables[line.variable]
    number = element("sub", side.numbers.get(name, "∅"))
    yield "(" if line.defines else ""
    yield element("b", name, number, tabindex="0" if line.defines else None)
    for k in line.instances:
        concept = side.graph.labels[side.graph.instances[k][1]]
        yield " / "
        yield _marking(concept, k, side, marked)


def _marking(text: str, triple: int | None, side: Side, marked: set[int]) -> Markup:
    """The text, marked if the triple that it states differs."""
    return element(side.tag, text) if triple in marked else escape(text)


def _marked(side: Side) -> tuple[set[int], bool]:
    """The numbers of the triples that differ, and whether the root's mark does.

    They are found from the end: of equal triples the first ones match.
    """
    graph = side.graph
    numbered: list[tuple[int | None, Triple]] = list(enumerate(graph.triples()))
    if graph.top is not None:
        mark = Triple(graph.variables[graph.top], TOP_ROLE, "")
        numbered.insert(len(graph.instances) + len(graph.attributes), (None, mark))
    left = list(side.differing)
    found: set[int | None] = set()
    for number, triple in reversed(numbered):
        if left and (left[-1] == triple or (number is None and _alike(left, triple))):
            left.pop()
            found.add(number)
    return {number for number in found if number is not None}, None in found


def _alike(left: list[Triple], mark: Triple) -> bool:
    """Whether the next triple marks the root, whatever with."""
    return left[-1][:2] == mark[:2]
