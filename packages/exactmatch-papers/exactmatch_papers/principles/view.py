"""Tables of the principles: a verdict for each, and counter-examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from exactmatch.base.markup import Markup, element
from exactmatch.base.numbers import decimals, fixed
from exactmatch.graphs.graph import Graph
from exactmatch.studies.score.figures import Example, compared, examples
from exactmatch.views.tables import Column, Table, Tables, fields_table
from exactmatch_papers.principles.edits import text_of
from exactmatch_papers.principles.principles import (
    GRAPHS_ONLY,
    NAMES,
    RULES,
    CounterExample,
    Outcome,
    Principles,
    as_record,
    counterexamples,
    outcomes,
)
from exactmatch_papers.principles.probes import DEGREES, SMATCH


def tables(answer: Principles, show: int = 1, digits: int | None = None) -> Tables:
    """Return the verdicts on some metrics, with counter-examples.

    Args:
        answer: the measured principles.
        show: the number of counter-examples of each metric.
        digits: decimals of the counter-examples' scores.
    """
    findings, digits = answer.findings, 4 if digits is None else digits
    judgements = [
        outcome for examples_shown in findings for outcome in outcomes(examples_shown)
    ]
    examples_shown = [e for each in findings for e in counterexamples(each, show)]
    records = [as_record(outcome) for outcome in judgements]
    rules = [f"{NAMES[p].partition(' ')[0]} {rule}" for p, rule in RULES.items()]
    on_text = any(each.reads == "text" for each in findings)
    on_graphs = any(each.reads == "graph" for each in findings)
    if on_text:
        reasons = (f"{NAMES[p].split()[0]} {why}" for p, why in GRAPHS_ONLY.items())
        rules.append(f"- not measured of metrics on sentences: {'; '.join(reasons)}")
    data = {
        "outcomes": records,
        "rules": RULES,
        "counterexamples": [_example(example) for example in examples_shown],
        "signatures": list(answer.signatures),
    }
    return Tables(
        "Principles",
        (_verdicts(judgements), *((_impact(judgements),) if on_graphs else ())),
        data,
        notes=rules,
        undrawn=_lines(examples_shown, digits),
        signatures=answer.signatures,
        parts=examples("Counter-examples", _drawings(examples_shown, digits)),
        is_wide=bool(examples_shown),
        tells_scores=bool(examples_shown),
        rows=fields_table(dict.fromkeys(k for r in records for k in r), records),
    )


def _verdicts(judged: Sequence[Outcome]) -> Table:
    """Return a table with a row for each principle and a column for each metric."""
    metrics = dict.fromkeys(outcome.metric for outcome in judged)
    rows: dict[str, dict[str, str]] = {p: {"principle": t} for p, t in NAMES.items()}
    for o in judged:
        shown = "-" if o.tick == "-" else f"{o.tick} {o.shown}"
        rows[o.principle][o.metric] = shown
    columns = tuple(Column(name, name) for name in ("principle", *metrics))
    title = "the principles of Opitz et al. (2020), measured"
    return Table(title, columns, list(rows.values()))


def _impact(outcomes: Sequence[Outcome]) -> Table:
    """Return a table of the losses by wrong concepts, in units of one wrong leaf."""
    places, nothing = ("root", "branching", "leaves"), float("nan")
    rows: list[dict[str, Any]] = []
    for outcome in outcomes:
        if outcome.principle != "V" or outcome.tick == "-":
            continue
        numbers = outcome.numbers
        for degree in (*map(str, DEGREES), "data"):
            leaf = numbers[f"leaf_{degree}"] or nothing
            row = {p: numbers.get(f"{p}_{degree}", nothing) / leaf for p in places}
            rows.append({"metric": outcome.metric, "degree": degree, **row})
    return Table(
        "loss by wrong concepts, in units of one wrong leaf (trees of degree d; "
        "varied graphs)",
        (
            Column("metric", "metric"),
            Column("degree", "d"),
            Column("root", "root", decimals(2)),
            Column("leaves", "d leaves", decimals(2)),
            Column("branching", "branching node", decimals(2)),
        ),
        rows,
    )


def _example(example: CounterExample) -> dict[str, Any]:
    sides = {"first": _text_of(example.first), "second": _text_of(example.second)}
    return example._asdict() | sides


def _text_of(side: Graph | str) -> str:
    return side if isinstance(side, str) else text_of(side)


def _drawings(
    counter_examples: Sequence[CounterExample], digits: int
) -> Iterator[Example]:
    """Yield the counter-examples with their graphs, aligned by Smatch."""
    for number, example in enumerate(counter_examples, 1):
        what = f"{example.metric}: {_what(example)}"
        score = fixed(example.score, digits)
        drawing = _drawing(example.first, example.second)
        yield Example(f"example-{number}", str(number), what, score, (), drawing)


def _drawing(first: Graph | str, second: Graph | str) -> Markup:
    """Draw both graphs, or show both sentences."""
    if isinstance(first, str) or isinstance(second, str):
        return element("div", *(element("p", _text_of(s)) for s in (first, second)))
    pair = SMATCH.compare(SMATCH.prepare(second), SMATCH.prepare(first))
    return compared(pair.problem, {"Second": pair.solution.alignment}, "First")


def _what(example: CounterExample) -> str:
    noun = "sentence" if isinstance(example.first, str) else "graph"
    return f"the same {noun}" if example.equal else f"different {noun}s"


def _lines(counter_examples: Sequence[CounterExample], digits: int) -> list[str]:
    """Return the counter-examples as lines of text."""
    lines = []
    for example in counter_examples:
        record = _example(example)
        what = _what(example)
        lines += ["", f"{example.metric} gives {what} {fixed(example.score, digits)}:"]
        for side in ("first", "second"):
            lines += [f"    {line}" for line in record[side].splitlines()]
    return lines
